// Up to where a change should have kept a text: to where it was needed, to the step of the cursor, to the end. Pure: no nodes.

import { stepName } from "../run/places.js";
import { stateAt } from "./states.js";
/** @import { Run } from "../run/model.js" */
/** @import { Fate } from "./types.js" */

/** Where a need is of a user who puts it back. @type {Record<string, string>} */
const PUT_BACK = { repeated: "before the user says it again", pasted: "before the user pastes it back" };

/** @typedef {{id: "needed" | "here" | "end", step: number, words: string}} Target */

/**
 * The steps at which nothing in the window says it, or only a quote that stands in for a summary: the end first, for what is lost again later is not kept; none where it was kept, or where nothing can be told.
 * In a file that holds the answers up to some of them, these.
 * @param {Run} run @param {Fate} fate @param {number} step  of the cursor
 * @returns {Target[]}
 */
export function targetsOf(run, fate, step) {
  if (fate.common) return [];
  const end = fate.steps - 1;
  const [first, again] = fate.events.filter(({ kind }) => kind === "needed");
  const needed = first && { step: first.lacked_at };
  const at = (/** @type {number} */ step) => stepName(run, step);
  const gone = (/** @type {number} */ at) => stateAt(fate, at).state === "gone" || isQuoted(run, fate, at);
  const all = [
    ...(gone(end) && needed?.step !== end ? [target("end", end, `to the end, ${at(end)}`)] : []),
    ...(needed
      ? [target("needed", needed.step, `to ${at(needed.step)}, ${PUT_BACK[first.match] ?? `where it was ${again ? "first needed" : "needed"}`}`)]
      : []),
    ...(gone(step) && step !== end && step !== needed?.step ? [target("here", step, `to here, ${at(step)}`)] : []),
  ];
  const held = all.filter(({ step }) => fate.cured?.includes(step));
  return held.length ? held : all;
}

/** Whether only a quote in the place of a summary says it, which a model's may leave out; a file has no changes for that. @param {Run} run @param {Fate} fate @param {number} step */
const isQuoted = ({ view }, fate, step) =>
  !fate.cured && view.kind === "simulate" && view.summarizer?.by === "structural" && stateAt(fate, step).state === "summary";

/** @param {Target["id"]} id @param {number} step @param {string} words @returns {Target} */
const target = (id, step, words) => ({ id, step, words });
