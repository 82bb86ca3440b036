// What another setting has changed in a whole run: in one line of words, and as a curve to lie over the one that is shown. Pure.

import { changed } from "../lib/address.js";
import { int, pluralize, tokens } from "../lib/format.js";
import { upperBound } from "./bisect.js";
import { STACK } from "./curve.js";
/** @import { Query } from "../lib/address.js" */
/** @import { Curve } from "./curve.js" */
/** @import { Run } from "./model.js" */

/** The most tokens that the window of a run ever holds. @param {Run} run */
export function peakOf(run) {
  const { before, after } = run.view.c;
  let peak = run.window(run.length - 1).tokens;
  for (let k = 0; k < before.length; k++) peak = Math.max(peak, before[k], after[k]);
  return peak;
}

/** "3 → 1 compactions, peak 18,200 → 24,000". @param {Run} before @param {Run} now */
export function differenceWords(before, now) {
  const [was, is] = [before.compactions, now.compactions];
  const [low, high] = [before, now].map((run) => tokens(peakOf(run), run.store.header.approximate));
  const count = was === is ? `${pluralize(is, "compaction")} as before` : `${int(was)} → ${pluralize(is, "compaction")}`;
  return `${count}, ${low === high ? "same peak" : `peak ${low} → ${high}`}`;
}

/** What was set before, where one setting alone was changed: "budget 8,000". @param {Query} before @param {Query} now */
export function settingWords(before, now) {
  const [name, ...more] = changed(before, now).split(",");
  if ([name, ...more].includes("policy")) return String(before.policy ?? "");
  const value = String(before[name] ?? "");
  if (more.length || !/^\d+(\.\d+)?$/.test(value)) return "";
  return `${name} ${value.includes(".") ? value : int(Number(value))}`;
}

/**
 * The curve of a run before, over the steps of the one that is shown: a message stands where it stands there, and a compaction behind
 * the same message, too. Where its teeth are thinner than pixels, the highest of each column.
 * @param {Run} before
 * @param {Curve} curve  of it
 * @param {Run} now
 * @returns {[step: number, tokens: number][]}
 */
export function earlierLine(before, curve, now) {
  const total = curve.tops[STACK.length - 1];
  const drawn = curve.columns.length ? curve.columns.map(({ high }) => high) : Array.from(curve.steps, (_, k) => k);
  return drawn.map((k) => {
    const step = curve.steps[k];
    const message = step - upperBound(before.steps, step);
    const [at, behind] = [now.stepOfMessage(message), step - before.stepOfMessage(message)];
    const most = now.stepOfMessage(message + 1) - at - 1; // compactions that this run makes there
    return [Math.max(0, at + Math.min(behind, most)), total[k]];
  });
}

/** Pixels by which a point may lie beside the line that is drawn. */
const BESIDE = 0.7;

/**
 * A line through fewer points, beside which no other lies: a long one is drawn in no time, however many steps it goes through.
 * @param {number[][]} points  as [x, y], from left to right
 * @returns {number[][]}
 */
export function sparse(points) {
  const kept = [points[0]];
  let [low, high, last] = [-Infinity, Infinity, points[0]]; // the slopes that pass all points since the last one kept
  const keep = (/** @type {number[]} */ point) => ([low, high] = [-Infinity, kept.push(point) && Infinity]);
  for (const point of points.slice(1)) {
    const rise = slope(kept[kept.length - 1], point);
    if (last !== kept[kept.length - 1] && (rise < low || rise > high)) keep(last);
    const from = kept[kept.length - 1];
    if (point[0] > from[0]) {
      const by = BESIDE / (point[0] - from[0]);
      [low, high] = [Math.max(low, slope(from, point) - by), Math.min(high, slope(from, point) + by)];
    } else if (Math.abs(point[1] - from[1]) > BESIDE) keep(point);
    last = point;
  }
  return last === kept[kept.length - 1] ? kept : [...kept, last];
}

/** @param {number[]} from @param {number[]} to  an upright line is steeper than any other */
const slope = ([x, y], [x2, y2]) => (x2 > x ? (y2 - y) / (x2 - x) : y2 === y ? 0 : (y2 - y) * Infinity);
