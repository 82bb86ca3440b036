// The tokens around a recorded compaction in parts that add up: what the record says, what of it can be seen, what is unseen. Pure.
import { int } from "../lib/format.js";
import { unseenAt } from "./recorded.js";
/** @import { Figures } from "./compactionfigures.js" */
/** @import { Run } from "./model.js" */
/** @import { Sent } from "./recorded.js" */

/**
 * One side of a compaction: recorded = visible + unseen + rest. -1 and null stand for what is not known; `rest` is what arrived
 * between a prompt and the compaction, or by how much the agent counts otherwise (`own`).
 * @typedef {{recorded: number, visible: number, unseen: number | null, rest: number | null, own: boolean}} Side
 */

/**
 * Both sides of recorded compaction k. What is unseen is what the steps right before it and at it say.
 * @param {Run} run @param {number} k @param {Pick<Figures, "step" | "before" | "after" | "recordedBefore" | "recordedAfter">} figures
 * @returns {[before: Side, after: Side]}
 */
export function sidesOf(run, k, { step, before, after, recordedBefore, recordedAfter }) {
  const arrived = run.step(step).messages;
  const sent = [unseenAt(run, arrived, k, step - 1), unseenAt(run, arrived, k + 1, step)];
  return [side(recordedBefore, before, sent[0]), side(recordedAfter, after, sent[1])];
}

/** @param {number} recorded @param {number} visible @param {Sent | null} sent @returns {Side} */
function side(recorded, visible, sent) {
  const whole = recorded < 0 || recorded >= visible; // else the agent counts only a part of the window
  const unseen = sent && whole && sent.unseen >= 0 ? sent.unseen : null;
  const rest = recorded < 0 || unseen === null ? null : recorded - visible - unseen;
  return { recorded, visible, unseen, rest, own: Boolean(rest) && sent?.prompt !== recorded };
}

/** Why the parts of the sides are more or less than the record, in words; "" where they are not. @param {[Side, Side]} sides */
export function restWords([before, after]) {
  const said = [
    before.rest ? `Before: ${why(before, "arrived after the last prompt")}` : "",
    after.rest ? `After: ${why(after, "arrived before the next prompt")}` : "",
  ];
  return said.filter(Boolean).join(" ");
}

/** @param {Side} side @param {string} arrival */
function why({ rest, own }, arrival) {
  const tokens = `~${int(Math.abs(rest ?? 0))} tokens`;
  return own ? `the agent's own count is ${tokens} ${(rest ?? 0) < 0 ? "lower" : "higher"}.` : `messages of ${tokens} ${arrival}.`;
}
