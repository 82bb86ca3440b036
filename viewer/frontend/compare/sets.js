// The difference of windows as sets of lanes: what is rewritten, what only A holds, what A and C hold, what all do. Pure.

import { size } from "../run/ranges.js";
import { heldAt, inRanges, stepAt } from "./held.js";
import { leavingOf } from "./leaving.js";
/** @import { Run } from "../run/model.js" */
/** @import { Range } from "../run/ranges.js" */
/** @import { Held } from "./held.js" */

/** Lanes there can be. */
export const MOST = 4;

/**
 * Messages that the same lanes hold as they came; `mask` has a bit for each of those lanes, the first lane's lowest.
 * @typedef {{mask: number, ranges: Range[], count: number, tokens: number}} LaneSet
 */

/** The tokens of a lane's window: rewritten, in no other lane, in some others, in all. @typedef {{rewritten: number, only: number, some: number, all: number, tokens: number}} Bar */

/** A message that compactions put in: its pool index in each of the lanes whose window has it. @typedef {{mask: number, pools: number[], tokens: number}} Added */

/**
 * How the windows of lanes differ. `added` are messages that compactions put in, with the lanes that
 * hold the same one; `changed` the session's
 * messages that stand emptied or shortened in some lane; `left` how what is gone has left each lane.
 * @typedef {{sets: LaneSet[], added: Added[], changed: Range[], bars: Bar[], left: import("./leaving.js").Leaving[]}} Difference
 */

/** The difference of the windows once m messages have arrived. @param {Run[]} runs  over one session @param {number} m @returns {Difference} */
export function differenceAt(runs, m) {
  const held = runs.map((run) => heldAt(run, m));
  const { sets, changed } = sortedOut(held, runs[0]?.store.running ?? new Float64Array(1));
  const added = alike(runs, held);
  const left = runs.map((run) => leavingOf(run, run.step(stepAt(run, m)).epoch));
  return { sets, added, changed, left, bars: runs.map((run, lane) => barOf(run, m, lane, [...sets, ...added], runs.length)) };
}

/** What tells a message that a compaction put in from another. @param {Run} run @param {number} pool */
export function saying(run, pool) {
  const { role, injected, tokens, preview } = run.pool.row(pool);
  return [role, injected, tokens, preview].join("\n");
}

/** What compactions put into the windows; a message that several lanes have once. @param {Run[]} runs @param {Held[]} held @returns {Added[]} */
function alike(runs, held) {
  /** @type {Map<string, Added>} */ const found = new Map();
  held.forEach(({ added }, lane) => {
    for (const pool of added) {
      const text = saying(runs[lane], pool);
      const { pool: all } = runs[lane];
      const one = found.get(text) ?? { mask: 0, pools: [], tokens: all.tokens(pool) };
      one.pools[lane] = pool;
      found.set(text, { ...one, mask: one.mask | (1 << lane) });
    }
  });
  return [...found.values()];
}

/** The name of a message that compactions put in: the first lane that has it, and its pool index there. @param {Pick<Added, "mask" | "pools">} added @param {number[]} shown  the lanes compared */
export const keyOf = ({ mask, pools }, shown) => `c${shown[lanesIn(mask)[0]]}:${pools[lanesIn(mask)[0]]}`;

/** @param {Held[]} held @param {Float64Array} running */
function sortedOut(held, running) {
  /** @type {Map<number, Range[]>} */ const found = new Map();
  /** @type {Range[]} */ const changed = [];
  for (const [from, to, mask] of stretches(held)) {
    if (mask >> MOST) changed.push([from, to]);
    else found.set(mask, [...(found.get(mask) ?? []), [from, to]]);
  }
  const sets = [...found].map(([mask, ranges]) => ({ mask, ranges, count: size(ranges), tokens: tokensIn(ranges, running) }));
  return { sets: sets.sort(byLanes), changed };
}

/** Single lanes first, then pairs, all last; among as many the first letters first. @param {LaneSet} one @param {LaneSet} other */
const byLanes = (one, other) => lanesIn(one.mask).length - lanesIn(other.mask).length || lowest(one.mask, other.mask);

/** @param {number} one @param {number} other */
const lowest = (one, other) => lanesIn(one).join("").localeCompare(lanesIn(other).join(""));

/** The lanes of a mask. @param {number} mask */
export const lanesIn = (mask) => Array.from({ length: MOST }, (_, lane) => lane).filter((lane) => mask & (1 << lane));

/**
 * The session's messages as stretches that the same lanes hold in the same form: from, to, and a bit for each lane that holds
 * them as they came, MOST bits higher one for each that holds them in another form. Those in no window are left out.
 * @param {Held[]} held
 * @returns {[number, number, number][]}
 */
function stretches(held) {
  /** @type {[number, number][]} */ const borders = [];
  const mark = (/** @type {Range[]} */ ranges, /** @type {number} */ bit) => {
    for (const [from, to] of ranges) borders.push([from, bit], [to, bit]);
  };
  held.forEach(({ plain, light }, lane) => (mark(plain, 1 << lane), mark(inRanges(light), 1 << (lane + MOST))));
  borders.sort((x, y) => x[0] - y[0]);
  /** @type {[number, number, number][]} */ const found = [];
  let mask = 0;
  borders.forEach(([at, bit], k) => {
    mask ^= bit;
    const next = borders[k + 1]?.[0] ?? at;
    if (mask && next > at) found.push([at, next, mask]);
  });
  return found;
}

/** @param {Range[]} ranges @param {Float64Array} running */
const tokensIn = (ranges, running) => ranges.reduce((sum, [a, b]) => sum + running[b] - running[a], 0);

/** @param {Run} run @param {number} m @param {number} lane @param {{mask: number, tokens: number}[]} sets  messages that are the same in some lanes @param {number} lanes @returns {Bar} */
function barOf(run, m, lane, sets, lanes) {
  const { tokens } = run.window(stepAt(run, m));
  const bar = { rewritten: tokens, only: 0, some: 0, all: 0, tokens };
  for (const set of sets.filter(({ mask }) => mask & (1 << lane))) {
    const many = lanesIn(set.mask).length;
    if ("pools" in set && many < lanes) continue;
    bar[many === lanes ? "all" : many === 1 ? "only" : "some"] += set.tokens;
    bar.rewritten -= set.tokens;
  }
  return bar;
}
