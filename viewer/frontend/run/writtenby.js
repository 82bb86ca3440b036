// Who wrote the summaries of simulated runs, as figures differ by that. Pure.

import { isOnlySimulated } from "./shownas.js";
/** @import { Run } from "./model.js" */

/** By what wrote them: of all summaries of a run, and of one. @type {Record<string, [all: string, one: string]>} */
const BY = {
  structural: ["Its summaries quote the messages: no model wrote them.", "It quotes the messages: no model wrote it."],
  "fixed size": ["Its summaries are placeholders of a fixed size.", "It is a placeholder of a fixed size."],
  recorded: ["Its summaries are those that the transcript has.", "Its words are those of a summary that the transcript has."],
};

/** Whether a simulated run has summaries. @param {Run} run */
const writes = (run) => isOnlySimulated(run) && run.pool.added.some(({ injected }) => injected === "summary");

/** Of one that is shown by itself; "" where it has none. @param {Run} run @param {boolean} [alone]  no other page is there to say otherwise */
export function writtenBy(run, alone = false) {
  const { by = "", recorded = false } = run.view.summarizer ?? {};
  if (!writes(run) || !BY[by]) return "";
  return BY[by][0] + (by === "structural" && recorded && !alone ? " Compare takes those of the transcript, so its figures may differ." : "");
}

/** Of one summary of a simulated run; "" of any other. @param {Run} run */
export const oneWrittenBy = (run) => (writes(run) && BY[run.view.summarizer?.by ?? ""]?.[1]) || "";

/** Of lanes: which have the transcript's own, unlike Debug; "" where none has. @param {Run[]} runs @param {readonly string[]} letters */
export function writtenInLanes(runs, letters) {
  const of = runs.flatMap((run, k) => (writes(run) && run.view.summarizer?.by === "recorded" ? [letters[k]] : []));
  if (!of.length) return "";
  return `The summaries of ${of.join(" and ")} are those that the transcript has. In Debug quotes stand in for them unless others are chosen, so its figures may differ.`;
}
