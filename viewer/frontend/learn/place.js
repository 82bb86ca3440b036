// Where a person is in the lessons, as the address says it.

import { queryOf } from "../lib/address.js";

/** `lesson` 0 is the list of lessons; steps count from 1; `source`, with its `session`, is what the last step is about. @typedef {{lesson: number, step: number, source: string, session: string, present: boolean, play: boolean}} Place */

/** @param {URLSearchParams} query @returns {Place} */
export function placeIn(query) {
  const whole = (/** @type {string} */ name) => (/^\d{1,3}$/.test(query.get(name) ?? "") ? Number(query.get(name)) : 0);
  const lesson = whole("lesson");
  const play = query.get("play") === "1";
  return {
    lesson,
    step: lesson ? Math.max(1, whole("step")) : 0,
    source: query.get("source") ?? "",
    session: query.get("session") ?? "",
    present: play || query.get("present") === "1",
    play,
  };
}

/** The query of a place. @param {Place} place */
export function searchOf({ lesson, step, source, session, present, play }) {
  const named = {
    lesson: lesson || null,
    step: lesson ? step : null,
    source,
    session: source && session,
    present: present && !play ? 1 : null,
    play: play ? 1 : null,
  };
  return queryOf(named, -1);
}
