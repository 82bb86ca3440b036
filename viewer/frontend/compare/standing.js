// Where a message of the list stands in each lane. Pure.

import { nameOf } from "../run/compactionfigures.js";
import { whereabouts } from "../run/sections.js";
import { stepAt } from "./held.js";
/** @import { Run } from "../run/model.js" */

/**
 * A message in a lane: its region there, null where it is in no window, what happened to it in words, and of one that is emptied
 * where in the pool what is left of it stands, else -1.
 * @typedef {{region: string | null, words: string, left: number}} Standing
 */

const TAKEN = { summarised: "summarized", dropped: "dropped" };

/** @param {Run} run @param {number} at  how many messages have arrived @param {number} pool  -1: the lane has no such message @returns {Standing} */
export function standingOf(run, at, pool) {
  if (pool < 0) return { region: null, words: "not in its window", left: -1 };
  const step = stepAt(run, at);
  const { state, index, compaction } = whereabouts(run, step, pool);
  if (state === "later") return { region: null, words: "not yet arrived", left: -1 };
  if (index < 0) return { region: null, words: `${TAKEN[/** @type {keyof typeof TAKEN} */ (state)]} by ${nameOf(run, compaction)}`, left: -1 };
  const row = run.window(step).row(index);
  if (state === "window") return { region: row.region, words: row.region === "message" ? "in the window" : row.region, left: -1 };
  const done = row.thinking ? "thinking removed" : row.short ? "shortened" : "cleared";
  return { region: row.region, words: `${done} by ${nameOf(run, compaction)}`, left: row.pool };
}
