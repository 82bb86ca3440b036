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
  const ends = [...line.slice(0, most + 1).matchAll(/[.!?。！？]["'”’)]*(?=\s|$)/g)].map((found) => found.index + found[0].length);
  const end = ends.findLast((at) => at <= most && at >= begun.length / 2);
  if (end) return line.slice(0, end);
  return `${line.slice(0, most).replace(/\s+\S*$/, "")}…`;
}
