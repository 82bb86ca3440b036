// What one is looking at, in the same words everywhere: the run as recorded, a simulated one, a live one. Pure.

import { capitalized } from "../lib/format.js";
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
  if (view.kind === "replay") return { short: "As recorded", long: `The run as recorded: ${made} in the transcript.` };
  if (!by) return { short: "No compaction", long: `The window without any compaction: it only grows. ${capitalized(recordedWords(run))}.` };
  return {
    short: `Simulated: ${by}`,
    long: `This is a simulation: what ${by} would have done with these messages, ${made}. ${capitalized(recordedWords(run))}.`,
  };
}

/** @param {Run} run */
function recordedWords({ store: { header } }) {
  const { recordedCompactions: whole, recordedMicrocompactions: micro = 0 } = header;
  const all = whole + micro;
  return all ? `the transcript itself records ${all === 1 ? "one" : all}` : "the transcript itself records none";
}
