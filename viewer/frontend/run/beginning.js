// The beginning of a message up to the end of a sentence, from its text and the preview that was cut. Pure.

/**
 * As many whole sentences as fit, where not one does as many words; the preview itself where the text begins otherwise.
 * @param {string} preview  that ends with "…" @param {string} content @param {number} most
 */
export function fromBeginning(preview, content, most) {
  const line = content.replace(/\s+/g, " ").trim();
  const begun = preview.slice(0, -1).trimEnd();
  if (!line.startsWith(begun)) return preview;
  if (line.length <= most) return line;
  const end = ends(line.slice(0, most + 2)).findLast((at) => at <= most && at >= begun.length / 2);
  return end ? line.slice(0, end) : firstWords(line, most);
}

/** As many words of a text as fit on a line. @param {string} text @param {number} most */
export function firstWords(text, most) {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length <= most ? line : `${line.slice(0, most).replace(/\s+\S*$/, "")}…`;
}

/** Letters of a sentence that stands alone; fewer are a number or a mark. */
const SHORTEST = 12;

/**
 * As many whole sentences of a line as fit; one more where that is not much longer and the others are a word or two ("Good. Next one."); else
 * as many words. Who goes on in lower case has not ended: behind that stands a mark.
 * @param {string} line @param {number} most
 */
export function wholeSentences(line, most) {
  if (line.length <= most && !line.endsWith("…")) return line;
  const found = ends(line).filter((at) => at >= SHORTEST);
  const fits = found.findLast((at) => at <= most);
  const end = fits && fits >= most / 4 ? fits : (found.find((at) => at > most && at <= 2 * most) ?? fits);
  if (end) return line.slice(0, end) + (/^\s+\p{Ll}/u.test(line.slice(end)) ? " …" : "");
  return firstWords(line, most);
}

/** An abbreviation at the end; behind one that `leads` on no sentence ends. As core/model/text.py has it. */
const ABBREVIATED = /(?<![\p{L}\p{N}_])(?:(?<leads>e\.g|i\.e|z\.B|d\.h|bzw|ca|vs|cf|approx|fig|Mr|Mrs|Ms|Dr|St)|etc|usw|no|[A-Z])\.$/u;

/** Where the sentences of a line end. @param {string} line */
const ends = (line) =>
  [...line.matchAll(/(?:[.!?]["'”’)]*(?=\s|$))|[。！？]["'”’)」』）]*/g)]
    .map((found) => found.index + found[0].length)
    .filter((at) => !goesOn(line.slice(0, at), line.slice(at).trimStart()));

/** The number of an item of a list. */
const NUMBERED = /(?:^|[.!?:;,。：；，#])\s*\d{1,3}\.$/;

/** Whether a sentence goes on behind its full stop: behind "e.g." and the number of an item in any case, behind "etc." in lower case. @param {string} before @param {string} behind */
function goesOn(before, behind) {
  if (NUMBERED.test(before)) return true;
  const found = ABBREVIATED.exec(before);
  return found !== null && (Boolean(found.groups?.leads) || /^\p{Ll}/u.test(behind));
}
