// The text that is asked about, as it is sent: on one line, not longer than can be read.

/** Characters that are asked about at most. */
export const MOST = 400;

/**
 * White space as single spaces, and what is longer than `most` characters cut behind a word; a character is never cut in two.
 * @param {string} text
 * @param {number} [most]
 */
export function askable(text, most = MOST) {
  const line = text
    .slice(0, 40 * most)
    .replace(/\p{Cs}/gu, "\ufffd") // half a character cannot be sent
    .replace(/\s+/gu, " ")
    .trim();
  if (line.length <= most) return line;
  const word = line.lastIndexOf(" ", most);
  if (word > most / 2) return line.slice(0, word);
  const half = /[\uD800-\uDBFF]/.test(line[most - 1]);
  return line.slice(0, most - (half ? 1 : 0));
}

/** A character of a word, in a script that parts its words by blanks. */
const LETTER = "(?![\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}])[\\p{L}\\p{N}_]";
const LEADING = new RegExp(`^(?:${LETTER})+`, "u");
const TRAILING = new RegExp(`(?:${LETTER})+$`, "u");
/** Marks that end what stood before, and those that begin what comes. */
const CLOSING = /^[.,;:!?…)\]}"'”’]*\s+/u;
const OPENING = /\s+[([{"'“‘]*$/u;

/**
 * A selection without what a hand took too much, and with what it missed: a word that is cut at an end is whole, or goes where less
 * than half of it is selected, or where it ends a clause before. So do marks that stand alone at an end.
 * @param {string} before  in front of it @param {string} text @param {string} after
 */
export function wholeWords(before, text, after) {
  const line = text.trim();
  const first = withStart(text === text.trimStart() ? (TRAILING.exec(before)?.[0] ?? "") : "", line);
  const whole = withEnd(first, text === text.trimEnd() ? (LEADING.exec(after)?.[0] ?? "") : "");
  const trimmed = whole.replace(CLOSING, "").replace(OPENING, "").trim();
  return /[\p{L}\p{N}]/u.test(trimmed) ? trimmed : line;
}

/** @param {string} missed  of its first word @param {string} text */
function withStart(missed, text) {
  const part = LEADING.exec(text)?.[0] ?? "";
  const marks = part && missed ? CLOSING.exec(text.slice(part.length))?.[0] : "";
  const goes = marks && (marks.trim() || part.length < missed.length);
  return part && !goes ? missed + text : text.slice(goes ? part.length + marks.length : 0);
}

/** @param {string} text @param {string} missed  of its last word */
function withEnd(text, missed) {
  const part = TRAILING.exec(text)?.[0] ?? "";
  const rest = text.slice(0, text.length - part.length);
  return part && part.length < missed.length && OPENING.test(rest) ? rest : text + (part ? missed : "");
}
