// Quotes, which are typed straight and stand curly in texts: core/model/quotes.py has the same. Pure.

/** The kinds of quotes, the straight one first. */
const KINDS = [/['’‘ʼ]/g, /["“”„]/g];

/** The text with each curly quote as the straight one: as long as before. @param {string} text */
export const straightQuotes = (text) => KINDS.reduce((found, kind) => found.replace(kind, kind.source[1]), text);

/** A pattern in which a quote stands for each of its kind. @param {string} source  of the pattern, without quotes in brackets */
export const anyQuotes = (source) => KINDS.reduce((found, kind) => found.replace(kind, kind.source), source);
