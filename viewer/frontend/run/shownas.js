// What one is looking at, in the same words everywhere: the run as recorded, a simulated one, a live one. Pure.

import { capitalized, pluralize } from "../lib/format.js";
import { counted } from "./compactionfigures.js";
/** @import { Run } from "./model.js" */

/**
 * In two or three words, and in a sentence.
 * @param {Run} run
 * @returns {{short: string, long: string}}
 */
export function shownAs(run) {
  const { view } = run;
  const made = counted(run) || "no compaction";
  const by = view.policy?.name ?? "";
  if (view.live) return { short: by ? `Live: ${by}` : "Live", long: `A live run${by ? ` under ${by}` : ""}: ${made} so far.` };
  if (view.kind === "replay")
    return { short: "As recorded", long: counted(run) ? `The run as recorded: ${made} in the transcript.` : uncompacted(run) };
  if (!by) return { short: "No compaction", long: `The window without any compaction: it only grows. ${capitalized(recordedWords(run))}.` };
  const simulation = `a simulation: what ${by} would have done with these messages, ${made}.`;
  const none = `This transcript has no recorded compaction. What is shown is ${simulation}`;
  return { short: `Simulated: ${by}`, long: recorded(run) ? `This is ${simulation} ${capitalized(recordedWords(run))}.` : none };
}

/** Whether nobody ran it: what a policy would have done. @param {Run} run */
export const isOnlySimulated = ({ view }) => view.kind === "simulate" && !view.live;

/** Of a run as recorded without compactions. @param {Run} run */
const uncompacted = (run) => `The transcript records no compaction: at its end the window holds all ${pluralize(run.n, "message")}.`;

/** How many compactions the transcript records. @param {Run} run */
const recorded = ({ store: { header } }) => header.recordedCompactions + (header.recordedMicrocompactions ?? 0);

/** @param {Run} run */
function recordedWords(run) {
  const all = recorded(run);
  return all ? `the transcript itself records ${all === 1 ? "one" : all}` : "the transcript itself records none";
}
