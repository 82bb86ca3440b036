// The window while a compaction is taken apart, phase by phase. Pure: no nodes.

import { int, pluralize } from "../lib/format.js";
import { DONE } from "../run/compactionfigures.js";
import { deeds, effect, partsRows, standsAt } from "../run/effect.js";
import { Numbered, size, without } from "../run/ranges.js";
import { rangeSection, windowSections } from "../run/sections.js";
/** @import { Run } from "../run/model.js" */

/** @typedef {import("../run/layout.js").Section} Section */
/** @typedef {import("../run/layout.js").Row} Row */
/** @typedef {import("../run/ranges.js").Range} Range */

/**
 * The window while a compaction is taken apart: 1 trigger, 2 partition (what goes is marked), 3 what is done to it (the
 * summary beside it); 4, splice, is the window after. Messages that are only emptied are marked where they stand.
 * @param {Run} run
 * @param {number} k
 * @param {1 | 2 | 3 | 4} phase
 * @returns {Section[]}
 */
export function phaseSections(run, k, phase) {
  const step = run.steps[k];
  if (phase === 4 || phase === 1 || step === 0) return windowSections(run, standsAt(run, k, phase));
  const did = effect(run, k);
  const sections = partsRows(run, k) ? takenApart(run, k, did, phase) : windowSections(run, standsAt(run, k, phase));
  return withEmptied(run, step, sections, did.emptied, phase);
}

/**
 * The rows that are emptied marked where they stand: about to be, or in phase 3 already so.
 * @param {Run} run
 * @param {number} step
 * @param {Section[]} sections
 * @param {Range[]} emptied
 * @param {2 | 3} phase
 */
function withEmptied(run, step, sections, emptied, phase) {
  const marked = new Numbered(emptied);
  const change = (/** @type {Row} */ row) => {
    if (marked.indexOf(row.pool) < 0) return row;
    return phase === 2 ? { ...row, emptying: true, thinking: run.pool.thinkingOnly } : { ...rowAt(run, step, row), fresh: true };
  };
  return sections.map((section) => ({ ...section, row: (/** @type {number} */ k) => change(section.row(k)) }));
}

/**
 * The window before a compaction as what stays in front, what is taken, what is put in its place, what stays behind.
 * @param {Run} run
 * @param {number} k
 * @param {ReturnType<typeof effect>} did
 * @param {2 | 3} phase
 * @returns {Section[]}
 */
function takenApart(run, k, { before, taken, added, after }, phase) {
  const step = run.steps[k] - 1;
  const all = new Numbered(before);
  const first = taken.length ? all.indexOf(taken[0][0]) : all.size;
  const rest = without(within(all, first, all.size), taken);
  const marks = { taken: true, ghost: phase === 3 };
  const fresh = rangeSection(run, "fresh", `Added ${atEnd(after, added) ? "at the end" : "in their place"}`, phase === 3 ? added : [], {
    fresh: true,
  });
  const parts = [
    { ...sectionAt(run, step, rangeSection(run, "head", "Kept: front", within(all, 0, first))), sticks: true },
    sectionAt(run, step, rangeSection(run, "taken", `Being ${beingDone(run, k)}: ${pluralize(size(taken), "message")}`, taken, marks)),
    sectionAt(run, step, rangeSection(run, "rest", `Kept: newest ${int(size(rest))}`, rest)),
  ];
  parts.splice(atEnd(after, added) ? 3 : 2, 0, fresh);
  return parts.filter((section) => section.count > 0);
}

/** What is being done to the messages that compaction k takes, as a participle. @param {Run} run @param {number} k */
export const beingDone = (run, k) => DONE[/** @type {import("../run/effect.js").Deed} */ (deeds(run, k).at(-1))];

/** Whether what was put in stands behind everything that stays. @param {Range[]} after @param {Range[]} added */
const atEnd = (after, added) => added.length > 0 && size(after) > size(added) && after.at(-1)?.[1] === added.at(-1)?.[1];

/**
 * The part of numbered messages from place `a` up to `b`, as ranges.
 * @param {Numbered} all
 * @param {number} a
 * @param {number} b
 * @returns {Range[]}
 */
function within(all, a, b) {
  return all.ranges.flatMap(([from, to], k) => {
    const low = Math.max(from, from + a - all.starts[k]);
    const high = Math.min(to, from + b - all.starts[k]);
    return low < high ? [/** @type {Range} */ ([low, high])] : [];
  });
}

/**
 * The same section with each row as it was in the window of a step.
 * @param {Run} run
 * @param {number} step
 * @param {Section} section
 * @returns {Section}
 */
function sectionAt(run, step, section) {
  return { ...section, row: (k) => rowAt(run, step, section.row(k)) };
}

/**
 * A row as it is in the window of a step, its marks kept; itself where it is not in it.
 * @param {Run} run
 * @param {number} step
 * @param {Row} row
 * @returns {Row}
 */
export function rowAt(run, step, row) {
  const index = step >= 0 ? run.indexInWindow(step, row.pool) : -1;
  if (index < 0) return row;
  const { taken, ghost, fresh } = row;
  return { ...run.window(step).row(index), pool: row.pool, taken, ghost, fresh };
}
