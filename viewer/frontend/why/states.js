// Where a text is at each step, and how a lane shows that: pieces of a bar, each in one look.

import { lowerBound } from "../run/bisect.js";
import { last } from "../run/ranges.js";
/** @import { Run } from "../run/model.js" */
/** @import { Fate, Stretch } from "./types.js" */

/** @typedef {"before" | "gone" | "reworded" | "summary" | "system" | "compactable" | "recent" | "message" | "cleared"} Look  nothing, other words in a summary, a summary, or the region of a message that says it */
/** @typedef {{from: number, to: number, look: Look}} Piece  both ends included */

/** Of the messages that say a text at a step, how many are looked at for their region. */
const LOOKED_AT = 8;

/** What stays longest first. @type {Look[]} */
const BEST = ["system", "recent", "message", "compactable", "cleared"];

/** Before anything is said. @type {Stretch} */
const NOTHING = { from: 0, to: 0, state: "before", at: [], title: "", text: "" };

/** The stretch of a lane that a step lies in; behind its end, the last one. @param {Fate} fate @param {number} step */
export function stateAt({ lane }, step) {
  const k = last(lane.length, (i) => lane[i].from <= step);
  return lane[Math.max(0, k)] ?? NOTHING;
}

/** The step behind this one from which on a text is gone, or -1. @param {Fate} fate @param {number} step */
export const lostBehind = ({ lane }, step) => lane.find(({ from, state, reworded }) => from > step && state === "gone" && !reworded)?.from ?? -1;

/** How summaries say what is gone word for word: "in part". @param {Stretch} stretch */
export const howReworded = ({ kept, named }) => (named ? `as ${named}` : kept?.[1] ? "in part" : "in other words");

/**
 * The bar of a lane, in order.
 * @param {Run} run
 * @param {Fate} fate
 * @param {number} columns  how many pixels wide: no more steps than that are looked at
 * @returns {Piece[]}
 */
export function piecesOf(run, fate, columns) {
  /** @type {Piece[]} */ const pieces = [];
  const end = Math.min(run.length, fate.steps) - 1;
  for (const step of looked(fate, end, columns)) {
    const look = lookAt(run, fate, step);
    const before = pieces[pieces.length - 1];
    if (before) before.to = step - 1;
    if (before?.look !== look) pieces.push({ from: step, to: step, look });
  }
  if (pieces.length) pieces[pieces.length - 1].to = end;
  return pieces;
}

/** The steps at which the bar may change: each, or where there are more than columns one a column and the begin of each stretch. @param {Fate} fate @param {number} end @param {number} columns */
function looked(fate, end, columns) {
  if (end < columns) return Array.from({ length: end + 1 }, (_, i) => i);
  const steps = Array.from({ length: columns }, (_, c) => Math.round((c * end) / (columns - 1)));
  const begins = fate.lane.length <= columns ? fate.lane.map(({ from }) => from).filter((from) => from <= end) : [];
  return [...new Set([...steps, ...begins])].sort((a, b) => a - b);
}

/** What a lane shows at a step: of several places the best. @param {Run} run @param {Fate} fate @param {number} step @returns {Look} */
export function lookAt(run, fate, step) {
  const { state, at, reworded } = stateAt(fate, step);
  if (reworded) return "reworded";
  if (state !== "verbatim") return state;
  const window = run.window(step);
  const newest = at.length > LOOKED_AT ? [at[0], ...at.slice(1 - LOOKED_AT)] : at;
  const found = newest.map((pool) => window.indexOf(pool)).filter((index) => index >= 0);
  const regions = found.map((index) => window.regionAt(index));
  return BEST.find((look) => regions.includes(look)) ?? "message";
}

/** The first event of a lane behind a step, or -1. @param {number[]} steps  of its events, in order @param {number} step */
export const nextOf = (steps, step) => steps[lowerBound(steps, step + 1)] ?? -1;
