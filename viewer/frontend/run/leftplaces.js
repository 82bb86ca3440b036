// Where the cursor was in a session when its page was left, so that coming back comes back to the place. To open it anew is not to come back.

/** @import { Run } from "./model.js" */

/**
 * A step of a run, and what it is in any run of the session: how many messages had arrived, and whether a compaction happened there.
 * `selected` and `overview` are what the inspector showed.
 * @typedef {{tid: string, step: number, messages: number, compaction: boolean, selected: string | null, overview: boolean}} Place
 */

/** What was shown last: the session, the number of its opening, and the place. @type {{name: string, opened: number, place: Place} | null} */
let last = null;

/** The cursor stands here. @param {Run} run @param {number} opened  the how many-th opening of a session this is @param {number} step @param {{selected: string | null, overview: boolean}} [shown] */
export function leave(run, opened, step, { selected, overview } = { selected: null, overview: false }) {
  const { messages, kind } = run.step(step);
  last = { name: nameOf(run), opened, place: { tid: run.view.tid, step, messages, compaction: kind === "compaction", selected, overview } };
}

/** Where the cursor was last in the session of a run, if that was not opened since. @param {Run} run @param {number} opened */
export const leftIn = (run, opened) => (last?.name === nameOf(run) && last.opened === opened ? last.place : null);

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
