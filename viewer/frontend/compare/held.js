// What the windows of lanes hold, message by message: lanes are aligned by how many messages have arrived, never by step. Pure.

import { upperBound } from "../run/bisect.js";
import { ADDED, SPACE } from "../run/pool.js";
import { joined, without } from "../run/ranges.js";
/** @import { Run } from "../run/model.js" */
/** @import { Range } from "../run/ranges.js" */

/**
 * What a window holds: of the session's messages those that stand as they came, those that were emptied or shortened, and what
 * compactions put in, by pool index.
 * @typedef {{plain: Range[], light: number[], added: number[]}} Held
 */

/** The step at which the next call would be made once so many messages have arrived: what happened after the last of them is done. @param {Run} run @param {number} m  from 1 */
export const stepAt = (run, m) => run.clamp(m - 1 + upperBound(run.view.c.at, m));

/** The messages in the window of a run once m messages have arrived. @param {Run} run @param {number} m @returns {Held} */
export function heldAt(run, m) {
  const window = run.window(stepAt(run, m));
  /** @type {Range[]} */ const plain = [];
  /** @type {number[]} */ const light = [];
  /** @type {number[]} */ const added = [];
  for (const [a, b] of window.between(0, window.size)) {
    if (a < run.n) plain.push([a, b]);
    else if (a >= SPACE) cleared(run, a, b, plain, light);
    else for (let p = a; p < b; p++) put(run, p, light, added);
  }
  return { plain: joined(plain.sort(byStart)), light: light.sort((x, y) => x - y), added };
}

/** @param {Range} one @param {Range} other */
const byStart = (one, other) => one[0] - other[0];

/** A range that a stage has cleared: some of its messages have nothing to clear. @param {Run} run @param {number} a @param {number} b @param {Range[]} plain @param {number[]} light */
function cleared(run, a, b, plain, light) {
  const emptied = run.pool.lightIn(a, b);
  plain.push(...without([[a % SPACE, ((b - 1) % SPACE) + 1]], inRanges(emptied)));
  for (const place of emptied) light.push(place);
}

/** A message that a compaction put in: in place of one of the session, or of its own. @param {Run} run @param {number} p @param {number[]} light @param {number[]} added */
function put(run, p, light, added) {
  const { of } = run.pool.added[p - ADDED];
  if (of >= 0) light.push(of);
  else added.push(p);
}

/** Places in order as ranges. @param {number[]} places @returns {Range[]} */
export const inRanges = (places) => joined(places.map((place) => [place, place + 1]));
