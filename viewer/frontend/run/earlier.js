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
 * The curve of a run before, over the steps of the one that is shown: a message stands where it stands there. Where its teeth are
 * thinner than pixels, the highest of each column.
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
    return [now.stepOfMessage(Math.max(0, message)), total[k]];
  });
}
