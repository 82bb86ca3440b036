// Sets of messages as ranges [a, b) over the pool, in the order of the window: a window of a thousand
// messages is a few pairs.

/** @typedef {[number, number]} Range */

/** Pairs of a flat list: [0, 1, 5, 9] → [[0, 1], [5, 9]]. @param {ArrayLike<number>} flat @returns {Range[]} */
export function pairs(flat) {
  const ranges = [];
  for (let k = 0; k + 1 < flat.length; k += 2) ranges.push(/** @type {Range} */ ([flat[k], flat[k + 1]]));
  return ranges;
}

/** The same messages in as few ranges as can be. @param {Range[]} ranges @returns {Range[]} */
export function joined(ranges) {
  /** @type {Range[]} */ const found = [];
  for (const [a, b] of ranges) {
    const end = found.at(-1);
    if (end && end[1] === a) end[1] = b;
    else found.push([a, b]);
  }
  return found;
}

/** How many messages the ranges hold. @param {Range[]} ranges */
export const size = (ranges) => ranges.reduce((sum, [a, b]) => sum + b - a, 0);

/** The parts of `ranges` that are also in `others`, in the order of `ranges`. @param {Range[]} ranges @param {Range[]} others */
export function common(ranges, others) {
  const cuts = sorted(others);
  return ranges.flatMap((range) => split(range, cuts).inside);
}

/** The parts of `ranges` that are not in `others`, in the order of `ranges`. @param {Range[]} ranges @param {Range[]} others */
export function without(ranges, others) {
  const cuts = sorted(others);
  return ranges.flatMap((range) => split(range, cuts).outside);
}

/**
 * `ranges` cut where `others` begin and end, in their order: each part, and whether it is one of those.
 * @param {Range[]} ranges
 * @param {Range[]} others
 * @returns {{range: Range, inside: boolean}[]}
 */
export function cut(ranges, others) {
  const cuts = sorted(others);
  const marked = (/** @type {Range[]} */ parts, /** @type {boolean} */ inside) => parts.map((range) => ({ range, inside }));
  return ranges.flatMap((range) => {
    const { inside, outside } = split(range, cuts);
    return [...marked(inside, true), ...marked(outside, false)].sort((x, y) => x.range[0] - y.range[0]);
  });
}

/** @param {Range[]} ranges */
const sorted = (ranges) => [...ranges].sort((x, y) => x[0] - y[0]);

/** @param {Range} range @param {Range[]} cuts in order @returns {{inside: Range[], outside: Range[]}} */
function split([a, b], cuts) {
  /** @type {Range[]} */ const inside = [];
  /** @type {Range[]} */ const outside = [];
  for (const [from, to] of cuts) {
    if (to <= a || from >= b) continue;
    if (from > a) outside.push([a, from]);
    inside.push([Math.max(a, from), Math.min(b, to)]);
    a = Math.min(b, to);
  }
  if (a < b) outside.push([a, b]);
  return { inside, outside };
}

/**
 * Ranges that can be asked for their k-th message, and where a message stands, in the time of a binary
 * search.
 */
export class Numbered {
  /** @param {Range[]} ranges */
  constructor(ranges) {
    this.ranges = ranges.filter(([a, b]) => b > a);
    this.starts = [0];
    for (const [a, b] of this.ranges) this.starts.push(/** @type {number} */ (this.starts.at(-1)) + b - a);
    this.size = /** @type {number} */ (this.starts.at(-1));
    this.order = this.ranges.map((_, k) => k).sort((x, y) => this.ranges[x][0] - this.ranges[y][0]);
  }

  /** The pool index of the k-th message. @param {number} k */
  at(k) {
    const part = last(this.ranges.length, (i) => this.starts[i] <= k);
    return this.ranges[part][0] + k - this.starts[part];
  }

  /** The place of a pool index, or -1. @param {number} pool */
  indexOf(pool) {
    const place = last(this.order.length, (i) => this.ranges[this.order[i]][0] <= pool);
    if (place < 0) return -1;
    const part = this.order[place];
    const [a, b] = this.ranges[part];
    return pool < b ? this.starts[part] + pool - a : -1;
  }
}

/**
 * The last index below `count` for which `holds`, which must hold for a beginning of them; -1 if for none.
 * @param {number} count
 * @param {(i: number) => boolean} holds
 */
export function last(count, holds) {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
