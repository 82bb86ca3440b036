// Where lanes differ: at first, next, before. Between compactions windows only grow, all alike, so only compactions are looked at. Pure.

import { lowerBound, upperBound } from "../run/bisect.js";
import { heldAt } from "./held.js";
import { saying } from "./sets.js";
/** @import { Run } from "../run/model.js" */
/** @import { Held } from "./held.js" */

/** The numbers of messages after which some lane compacts, in order, each once; one at the file's beginning counts with its first message. */
export class Places {
  /** @param {Run[]} runs */
  constructor(runs) {
    this.runs = distinct(runs);
    const all = runs.flatMap((run) => [...run.view.c.at].map((at) => Math.max(1, at)));
    this.at = Int32Array.from(new Set(all.filter((at) => at <= (runs[0]?.n ?? 0)))).sort();
    /** @type {number | undefined} */ this.known = undefined;
  }

  /** The first number of messages at which the windows are not all the same, or -1. */
  get first() {
    return (this.known ??= this.differing(0, 1));
  }

  /** The next compaction of any lane after m messages, or the one before, or -1. @param {number} m @param {1 | -1} way */
  compaction(m, way) {
    return this.at[this.#beside(m, way)] ?? -1;
  }

  /** The next place after m at which a lane compacts and the windows then differ, or the one before, or -1. @param {number} m @param {1 | -1} way */
  differing(m, way) {
    if (this.runs.length < 2) return -1;
    for (let k = this.#beside(m, way); k >= 0 && k < this.at.length; k += way) if (differ(this.runs, this.at[k])) return this.at[k];
    return -1;
  }

  /** @param {number} m @param {1 | -1} way */
  #beside(m, way) {
    return way > 0 ? upperBound(this.at, m) : lowerBound(this.at, m) - 1;
  }
}

/** Whether the windows differ once m messages have arrived. @param {Run[]} runs @param {number} m */
export function differ(runs, m) {
  const [first, ...others] = runs.map((run) => ({ run, held: heldAt(run, m) }));
  return others.some((other) => !same(first, other));
}

/** @typedef {{run: Run, held: Held}} Side */

/** @param {Side} one @param {Side} other */
function same(one, other) {
  const [a, b] = [one.held, other.held];
  if (a.plain.length !== b.plain.length || a.light.length !== b.light.length || a.added.length !== b.added.length) return false;
  if (a.plain.some(([from, to], k) => from !== b.plain[k][0] || to !== b.plain[k][1])) return false;
  if (a.light.some((place, k) => place !== b.light[k])) return false;
  return a.added.every((pool, k) => saying(one.run, pool) === saying(other.run, b.added[k]));
}

/** The runs without those that did exactly what another did. @param {Run[]} runs */
function distinct(runs) {
  const seen = new Set();
  return runs.filter(({ view }) => {
    const done = JSON.stringify([[...view.c.at], view.c.layout, view.c.added, view.shadows.map(({ places }) => [...places])]);
    return seen.has(done) ? false : seen.add(done);
  });
}
