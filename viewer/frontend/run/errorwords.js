// Tool calls that failed, in words: a search that found nothing ends with an error, too, and is told apart. Pure.

import { int, pluralize } from "../lib/format.js";

/** "17 tool errors (2 are searches that found nothing)"; "" of none. @param {number} errors @param {number} empty  searches among them @param {string} noun */
export function errorWords(errors, empty, noun) {
  if (!errors) return "";
  const which = empty === 1 ? "a search that found nothing" : "searches that found nothing";
  const some = empty === 1 ? `1 is ${which}` : `${int(empty)} are ${which}`;
  return `${pluralize(errors, noun)}${empty ? ` (${empty === errors ? which : some})` : ""}`;
}
