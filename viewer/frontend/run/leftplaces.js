// Where the cursor was in each session when its page was left, so that coming back comes back to the place.

/** @import { Run } from "./model.js" */

/**
 * A step of a run, and what it is in any run of the session: how many messages had arrived, and whether a compaction happened there.
 * `selected` and `overview` are what the inspector showed.
 * @typedef {{tid: string, step: number, messages: number, compaction: boolean, selected: string | null, overview: boolean}} Place
 */

/** By the name of the session. @type {Map<string, Place>} */
const places = new Map();

/** The cursor stands here. @param {Run} run @param {number} step @param {{selected: string | null, overview: boolean}} [shown] */
export function leave(run, step, { selected, overview } = { selected: null, overview: false }) {
  const { messages, kind } = run.step(step);
  places.set(nameOf(run), { tid: run.view.tid, step, messages, compaction: kind === "compaction", selected, overview });
}

/** The message that was last gone to in each session, by its place. @type {Map<string, number>} */
const goneTo = new Map();

/**
 * The place of the message that a session is to be shown at, or -1. When a page comes back to it, it is shown where it was left.
 * @param {Run} run @param {boolean} first  whether its page shows no run yet @param {number} [place]
 */
export function newlyGoneTo(run, first, place = -1) {
  const again = first && goneTo.get(nameOf(run)) === place;
  goneTo.set(nameOf(run), place);
  return again ? -1 : place;
}

/** Where the cursor was last in the session of a run. @param {Run} run */
export const leftIn = (run) => places.get(nameOf(run)) ?? null;

/** The step of a run at a place: the very same of the same run, in another one that with the same newest message. @param {Run} run @param {Place} place */
export function stepAtPlace(run, { tid, step, messages, compaction }) {
  return tid === run.view.tid ? run.clamp(step) : stepLike(run, messages, compaction);
}

/**
 * The step at which the cursor sees this newest message; at a compaction, one at the same place if there is one.
 * @param {Run} run
 * @param {number} messages
 * @param {boolean} compaction
 */
export function stepLike(run, messages, compaction) {
  const arrived = run.stepOfMessage(messages - 1);
  return compaction && run.nextCompaction(arrived) === arrived + 1 ? arrived + 1 : arrived;
}

/** @param {Run} run  what its session is called, whichever meter counts it */
export function nameOf(run) {
  const { session, sid } = run.store.header;
  return session ?? sid;
}
