// Quotes, which are typed straight and stand curly in texts, and words, which stand parted by a line break: core/model/quotes.py and
// core/model/finding.py have the same. Pure.

/** The kinds of quotes, the straight one first. */
const KINDS = [/['’‘ʼ]/g, /["“”„]/g];

/** The text with each curly quote as the straight one: as long as before. @param {string} text */
export const straightQuotes = (text) => KINDS.reduce((found, kind) => found.replace(kind, kind.source[1]), text);

/** A pattern in which a quote stands for each of its kind. @param {string} source  of the pattern, without quotes in brackets */
export const anyQuotes = (source) => KINDS.reduce((found, kind) => found.replace(kind, kind.source), source);

/** The source of a pattern that finds a text, whatever white space stands between its words. @param {string} text */
export const wordsPattern = (text) =>
  text
    .split(/\s+/)
    .map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
    .join("\\s+");
