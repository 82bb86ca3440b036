// What a window as recorded has behind its front, in parts with a heading each: what the next compaction kept, and what it took.
// Pure: a heading says what every row beneath it is.

import { int, pluralize } from "../lib/format.js";
/** @import { Run, Window } from "./model.js" */

/** @typedef {{id: string, title: string, from: number, to: number, note: string, unit?: string}} Part */

/** What a heading says of messages that stay. */
const KEPT = { recorded: "The next compaction keeps these", unnamed: "The next compaction keeps these", prompts: "Later prompts may hold these" };

/** Why a region is called inferred: behind what the region is. @type {Record<import("./hindsight.js").Known, string>} */
export const INFERRED = {
  recorded: "",
  unnamed: "Inferred: the record names no message that this compaction kept. foldline takes it that all that is compactable left the window.",
  prompts:
    "Inferred: the transcript records no compaction here, but later prompts were smaller or held another window. Which messages left may be a guess.",
};

/**
 * The parts between two window indexes, told with hindsight; where nobody knows what the next compaction took, a summary alone stands apart.
 * @param {Run} run
 * @param {Window} window
 * @param {number} from
 * @param {(k: number) => number} summaries  where the summaries end that begin at an index
 * @param {number} among  where the first of them stands, or -1
 * @returns {Part[]}
 */
export function recordedParts(run, window, from, summaries, among) {
  const { hindsight, size } = window;
  const known = hindsight?.stretch(from, size);
  const summary = (/** @type {number} */ a, /** @type {number} */ b) => ({
    id: "among",
    title: "Summary",
    from: a,
    to: b,
    note: "",
    unit: "summary",
  });
  if (!hindsight && among < 0) return [unknownNext(run, window, "compactable", from, size)];
  if (!hindsight) {
    const end = summaries(among);
    return [unknownNext(run, window, "before", from, among), summary(among, end), unknownNext(run, window, "compactable", end, size)];
  }
  const { by } = hindsight;
  if (!known) return [kept(by, "recent", from, size)];
  const [first, end] = known;
  const body = Math.min(summaries(first), end);
  return [
    kept(by, "kept", from, first),
    summary(first, body),
    ...(body < end ? [taken(run, window, body, end, hindsight)] : []),
    kept(by, "recent", end, size),
  ];
}

/** @param {import("./hindsight.js").Known} by @param {string} id @param {number} from @param {number} to @returns {Part} */
const kept = (by, id, from, to) => ({ id, title: KEPT[by], from, to, note: pluralize(to - from, "message") });

/**
 * From the first message that goes to the last; some of those between them may stay.
 * @param {Run} run @param {Window} window @param {number} from @param {number} to @param {import("./hindsight.js").Hindsight} hindsight
 * @returns {Part}
 */
function taken(run, window, from, to, hindsight) {
  const { micro } = run.compaction(run.epochOf(window.step));
  const goes = hindsight.count(to) - hindsight.count(from);
  const stays = to - from - goes;
  const title = takenTitle(hindsight.by, micro, stays ? "some of these" : "these");
  const note = stays ? `${int(goes)} ${micro ? "cleared" : "removed"}, ${int(stays)} kept` : pluralize(goes, "message");
  return { id: "compactable", title, from, to, note, unit: stays ? "message" : undefined };
}

/** Messages of which nobody knows what becomes of them next, and why not. @param {Run} run @param {Window} window @param {string} id @param {number} from @param {number} to @returns {Part} */
function unknownNext(run, window, id, from, to) {
  const k = run.epochOf(window.step);
  const done = k < run.compactions && run.compaction(k).micro ? "cleared" : "removed";
  const why = k < run.compactions ? `the record does not say what is ${done} next` : `no ${run.compactions ? "later " : ""}compaction`;
  return { id, title: `Messages: ${why}`, from, to, note: pluralize(to - from, "message"), unit: "message" };
}

/** What a heading says of messages that go: no more than the record does. @param {import("./hindsight.js").Known} by @param {boolean} micro @param {string} these */
function takenTitle(by, micro, these) {
  if (by === "unnamed") return "Before the next compaction";
  if (by === "prompts") return micro ? `Later prompts may hold ${these} cleared` : `Later prompts may leave ${these} out`;
  return `The next compaction ${micro ? "clears" : "removes"} ${these}`;
}
