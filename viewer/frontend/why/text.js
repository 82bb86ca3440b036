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
