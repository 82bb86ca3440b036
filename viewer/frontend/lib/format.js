// Numbers and words as they stand on screen.

const GROUPED = new Intl.NumberFormat("en-US");

/** @param {number} n  12345 as "12,345" */
export function int(n) {
  return GROUPED.format(Math.round(n));
}

/** Tokens: with "~" where the number is an estimate. @param {number} n @param {boolean} [approximate] */
export function tokens(n, approximate = false) {
  return (approximate ? "~" : "") + int(n);
}

/** @param {number} n  short, for an axis: 0, 800, 1.5k, 20k, 1.2M */
export function short(n) {
  if (n < 1000) return String(Math.round(n * 10) / 10);
  const [value, unit] = n < 1e6 ? [n / 1e3, "k"] : [n / 1e6, "M"];
  return `${Math.round(value * 10) / 10}${unit}`;
}

/** A cost in US dollars: $12.50, $0.0123, $0.00031. @param {number} n */
export function dollars(n) {
  if (n < 0.001) return `$${n.toLocaleString("en-US", { maximumSignificantDigits: 2 })}`;
  const digits = n < 1 ? 4 : 2;
  return `$${n.toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits })}`;
}

/** @param {number} n @param {string} one @param {string} [many] */
export function pluralize(n, one, many = `${one}s`) {
  return `${int(n)} ${n === 1 ? one : many}`;
}

/** @param {number} part @param {number} whole  a share as "64 %" */
export function percent(part, whole) {
  return whole ? `${Math.round((100 * part) / whole)} %` : "0 %";
}

/** A text in at most so many characters, cut at the end of a word and marked with …, as core/model/text.py does. @param {string} text @param {number} most */
export function cutWords(text, most) {
  const letters = [...text.slice(0, 2 * most + 2)]; // whole characters: one may be two units
  if (letters.length <= most) return text;
  const space = letters[most - 1] === " " ? -1 : letters.lastIndexOf(" ", most - 2);
  const short = letters.slice(0, space > Math.floor(most / 2) ? space : most - 1).join("");
  return `${short.replace(/[ ,;:.\-–—([`"'…]+$/, "")}…`;
}

/** "a, b and c". @param {string[]} parts */
export const listed = (parts) => [parts.slice(0, -1).join(", "), ...parts.slice(-1)].filter(Boolean).join(" and ");

/** A text that begins with a capital letter. @param {string} text */
export const capitalized = (text) => text.slice(0, 1).toUpperCase() + text.slice(1);

/** A text that begins and ends as a sentence. A first word that is no word, a file or a parameter, stays as it is written. @param {string} text */
export function asSentence(text) {
  const begun = /^(?!foldline )[a-z]+[ ,]/.test(text) ? capitalized(text) : text;
  return /[.!?…]$/.test(begun) ? begun : `${begun}.`;
}

/** How long something took, or has been going on, from the first second. @param {number} seconds */
export function lasting(seconds) {
  const whole = Math.floor(seconds);
  if (whole < 1) return "";
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}
