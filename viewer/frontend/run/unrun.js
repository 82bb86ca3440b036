// Calls that never ran, and replies that the harness rejected, in words: they are no tool errors. Pure.

import { pluralize } from "../lib/format.js";
/** @import { Unrun } from "./types.js" */

/** @type {[Unrun, said: string, one: string, many: string][]} */
const SAID = [
  ["refused", "refused by the user", "call", "calls"],
  ["blocked", "blocked", "call", "calls"],
  ["cancelled", "cancelled", "call", "calls"],
  ["rejected", "rejected", "reply", "replies"],
];

/** Each reason with its calls in words: the user's own first. @param {Partial<Record<Unrun, number>>} counts @returns {[Unrun, string][]} */
export const unrunParts = (counts) =>
  SAID.flatMap(([why, said, one, many]) => (counts[why] ? [[why, `${pluralize(counts[why], one, many)} ${said}`]] : []));

/** "2 calls refused by the user", "1 call blocked", "15 replies rejected". @param {Partial<Record<Unrun, number>>} counts */
export const unrunWords = (counts) => unrunParts(counts).map(([, words]) => words);

/** How many for each reason. @param {[at: number, why: Unrun][]} calls */
export function unrunCounts(calls) {
  /** @type {Partial<Record<Unrun, number>>} */ const counts = {};
  for (const [, why] of calls) counts[why] = (counts[why] ?? 0) + 1;
  return counts;
}
