// What a window as recorded has behind its front, in parts with a heading each: what the next compaction kept, and what it took.
// Pure: a heading says what every row beneath it is.

import { int, pluralize } from "../lib/format.js";
/** @import { Run, Window } from "./model.js" */

/** @typedef {{id: string, title: string, from: number, to: number, note: string, unit?: string}} Part */

const KEPT = "The next compaction keeps these";

/**
 * The parts between two window indexes, told with hindsight; one part where nobody knows what the next compaction took.
 * @param {Run} run
 * @param {Window} window
 * @param {number} from
 * @param {(k: number) => number} summaries  where the summaries end that begin at an index
 * @returns {Part[]}
 */
export function recordedParts(run, window, from, summaries) {
  const { hindsight, size } = window;
  const known = hindsight?.stretch(from, size);
  if (!hindsight) return [untold(run, window, from)];
  if (!known) return [kept("recent", from, size)];
  const [first, end] = known;
  const body = Math.min(summaries(first), end);
  return [
    kept("kept", from, first),
    { id: "among", title: "Summary", from: first, to: body, note: "", unit: "summary" },
    ...(body < end ? [taken(run, window, body, end, hindsight.count(end) - hindsight.count(body))] : []),
    kept("recent", end, size),
  ];
}

/** @param {string} id @param {number} from @param {number} to @returns {Part} */
const kept = (id, from, to) => ({ id, title: KEPT, from, to, note: pluralize(to - from, "message") });

/**
 * From the first message that goes to the last; some of those between them may stay.
 * @param {Run} run @param {Window} window @param {number} from @param {number} to @param {number} goes
 * @returns {Part}
 */
function taken(run, window, from, to, goes) {
  const k = run.epochOf(window.step);
  const { micro } = run.compaction(k);
  const stays = to - from - goes;
  const title = `The next compaction ${recordWord(run, k)}${micro ? "clears" : "removes"} ${stays ? "some of these" : "these"}`;
  const note = stays ? `${int(goes)} ${micro ? "cleared" : "removed"}, ${int(stays)} kept` : pluralize(goes, "message");
  return { id: "compactable", title, from, to, note, unit: stays ? "message" : undefined };
}

/** Messages of which nobody knows what becomes of them next, and why not. @param {Run} run @param {Window} window @param {number} from @returns {Part} */
function untold(run, window, from) {
  const k = run.epochOf(window.step);
  const done = k < run.compactions && run.compaction(k).micro ? "cleared" : "removed";
  const why = k < run.compactions ? `the record does not say what is ${done} next` : `no ${run.compactions ? "later " : ""}compaction`;
  return { id: "compactable", title: `Messages: ${why}`, from, to: window.size, note: pluralize(window.size - from, "message"), unit: "message" };
}

/** How far the record of a compaction can be trusted; empty where it is exact. @param {Run} run @param {number} k */
export const recordWord = (run, k) => (/^(partial|inferred)$/.test(run.view.c.fidelity?.[k] ?? "") ? "likely " : "");
