// What of a recorded window may not have been sent: a prompt left out something that earlier ones had held, and nobody can tell whether
// messages or what stood beside them (core/trace/left_out.py). Pure.
import { int, pluralize } from "../lib/format.js";
import { arrivedAmong } from "./places.js";
/** @import { Run } from "./model.js" */

/**
 * How many tokens prompts held beside the window of a step before one left something out, where that may still be so; else 0.
 * @param {Run} run @param {number} [step]
 */
export const besideUntil = (run, step = -1) => leftOutAt(run, step)?.[2] ?? 0;

/** @param {Run} run @param {number} step  of the run as recorded */
function leftOutAt({ view, store }, step) {
  return view.policy ? undefined : store.header.recorded.leftOut?.find(([from, to]) => from <= step && step < to);
}

/** "~28,801", or "≥ ~28,801" where it may be as many as earlier prompts held: with the lower number the sums add up. @param {number} hidden @param {number} most */
export const hiddenLeast = (hidden, most) => `${most > hidden ? "≥ " : ""}~${int(hidden)}`;

/** "~28,801 tokens", or "~28,801–42,403 tokens": where it is told in full. @param {number} hidden @param {number} most */
export const hiddenTokens = (hidden, most) => (most > hidden ? `~${int(hidden)}–${int(most)} tokens` : `~${pluralize(hidden, "token")}`);

/** From where on what the file shows may not have been sent; "" where it was. @param {Run} run @param {number} [step] */
export function leftOutWords(run, step = -1) {
  const found = leftOutAt(run, step);
  if (!found) return "";
  const from = int(arrivedAmong(run.store.header.recorded.at, found[0]));
  return `The prompt shrank at message ${from}, and no compaction is recorded: some of what the file shows may not have been sent from there on.`;
}
