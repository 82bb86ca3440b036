// What the steps of a run are called: one that brought a message is "message 116", another "compaction 2" or "edit 1". A message
// has the same number everywhere and under every policy; core/trace/places.py has the words. Pure: no nodes.

import { int } from "../lib/format.js";
import { markOf, nameOf } from "./compactionfigures.js";
/** @import { Run } from "./model.js" */

/** "message 116", "compaction 2". @param {Run} run @param {number} step */
export function stepName(run, step) {
  const k = run.compactionAt(step);
  return k < 0 ? `message ${int(arrivedBy(run, step))}` : nameOf(run, k);
}

/** The same where there is little room: "116", "#2". @param {Run} run @param {number} step */
export function stepMark(run, step) {
  const k = run.compactionAt(step);
  return k < 0 ? int(arrivedBy(run, step)) : markOf(run, k);
}

/** From one step to another: "messages 9 to 12", "compaction 2 to message 131". @param {Run} run @param {number} from @param {number} to */
export function spanName(run, from, to) {
  const [first, last] = [stepName(run, from), stepName(run, to)];
  if (first === last) return first;
  const plain = [from, to].every((step) => run.compactionAt(step) < 0);
  return plain ? `messages ${int(arrivedBy(run, from))} to ${int(arrivedBy(run, to))}` : `${first} to ${last}`;
}

/** Where the window stands: "at message 116", "after compaction 2". @param {Run} run @param {number} step */
export const standing = (run, step) => `${run.compactionAt(step) < 0 ? "at" : "after"} ${stepName(run, step)}`;

/** That a step has no phases to show, and the key that leads to one that has: Shift+P presents. @param {Run} run @param {number} step */
export function noCompactionHere(run, step) {
  if (run.nextCompaction(step) >= 0) return "No compaction here: press n for the next one";
  return run.previousCompaction(step) >= 0 ? "No compaction here: press p for the last one" : "This run has no compaction";
}

/** How many messages had arrived by a step of a run with compactions behind so many. @param {ArrayLike<number>} ats @param {number} step */
export function arrivedAmong(ats, step) {
  let done = 0;
  while (done < ats.length && ats[done] + done <= step) done++;
  return step + 1 - done;
}

/** How many messages had arrived by a step. @param {Run} run @param {number} step */
const arrivedBy = (run, step) => step + 1 - run.epochOf(step);
