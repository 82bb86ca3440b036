// What comes between the newest window of a live run and its next model call. Pure.
import { capitalized, pluralize } from "../lib/format.js";
/** @import { Run } from "./model.js" */

/** The results that the next model call waits for: "the result of read_file", "2 tool results", "" for none. @param {Run} run @param {number} i  a step */
export function awaitedAt({ view, length }, i) {
  const { awaited = [] } = view;
  if (!awaited.length || i < length - 1) return "";
  return awaited.length === 1 ? `the result of ${awaited[0]}` : pluralize(awaited.length, "tool result");
}

/** The beginning of a sentence on them: "The result of read_file comes". @param {Run} run @param {number} i */
export function awaitedWords(run, i) {
  const awaited = awaitedAt(run, i);
  return awaited && `${capitalized(awaited)} ${run.view.awaited?.length === 1 ? "comes" : "come"}`;
}

/** What comes before the newest window is sent, "" where it is sent as it is. @param {Run | undefined} run */
export function comesFirst(run) {
  if (!run?.length) return "";
  return awaitedAt(run, run.length - 1) || (run.view.due ? "the compaction" : "");
}
