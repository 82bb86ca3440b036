// Where a lane's bar, marks and labels lie, in pixels. Pure: no nodes.

import { KINDS } from "./marks.js";
/** @import { Mark, MarkKind } from "./marks.js" */
/** @import { Look, Piece } from "./states.js" */

/** Marks nearer than this are one, in pixels. */
export const NEAR = 9;
/** The same where there are so many that their numbers would lie upon each other. */
const CROWDED = 32;
const CROWD = 30;
/** Pixels between two labels. */
const APART = 6;

/** Where steps lie: `x(step)`, between `left` and `right`. @typedef {{left: number, right: number, x(step: number): number}} Axis */
/** One mark, or several that would lie upon each other in the kind of the most telling. @typedef {{x: number, kind: MarkKind, marks: Mark[]}} Group */
/** A text at `x`, and what it covers. @typedef {{x: number, text: string, anchor: "start" | "middle" | "end", red: boolean, from: number, to: number}} Label */

/** From where to where a piece is drawn: up to where the next one begins. @param {Axis} axis @param {Piece} piece @param {number} end  the last step @returns {[number, number]} */
export const spanOf = (axis, { from, to }, end) => [axis.x(from), axis.x(Math.min(to + 1, end))];

/** What the pieces of each look fill, as [from, to] in pixels. @param {Axis} axis @param {Piece[]} pieces @returns {Map<Look, [number, number][]>} */
export function barsOf(axis, pieces) {
  const end = pieces[pieces.length - 1]?.to ?? 0;
  /** @type {Map<Look, [number, number][]>} */ const bars = new Map();
  for (const piece of pieces) {
    const [from, to] = spanOf(axis, piece, end);
    const wide = Math.max(piece.look === "before" ? 0 : 1, to - from);
    const same = bars.get(piece.look) ?? [];
    bars.set(piece.look, same);
    same.push([from, from + wide]);
  }
  return bars;
}

/** Marks with those near to the first of them as one, in the middle. @param {Mark[]} marks  in the order of time @param {Axis} axis @returns {Group[]} */
export function groupsOf(marks, axis) {
  const groups = groupsWithin(marks, axis, NEAR);
  return groups.filter((group) => group.marks.length > 1).length > CROWD ? groupsWithin(marks, axis, CROWDED) : groups;
}

/** @param {Mark[]} marks @param {Axis} axis @param {number} near @returns {Group[]} */
function groupsWithin(marks, axis, near) {
  /** @type {Mark[][]} */ const groups = [];
  for (const mark of marks) {
    const group = groups[groups.length - 1];
    if (group && axis.x(mark.step) - axis.x(group[0].step) < near) group.push(mark);
    else groups.push([mark]);
  }
  return groups.map((group) => {
    const kind = group.reduce((worst, mark) => (KINDS.indexOf(mark.kind) > KINDS.indexOf(worst) ? mark.kind : worst), group[0].kind);
    return { x: (axis.x(group[0].step) + axis.x(group[group.length - 1].step)) / 2, kind, marks: group };
  });
}

/** The group at a place, or null. @param {Group[]} groups @param {number} x @param {number} [reach] */
export function groupAt(groups, x, reach = 6) {
  const nearest = groups.reduce((best, group) => (Math.abs(group.x - x) < Math.abs(best - x) ? group.x : best), Infinity);
  return Math.abs(nearest - x) <= reach ? (groups.find((group) => group.x === nearest) ?? null) : null;
}

/** Whether a kind is bad news, and its label wins. @param {MarkKind} kind */
const isRed = (kind) => kind === "dropped" || kind === "needed";

/**
 * The labels that have room, the red ones first.
 * @param {Group[]} groups
 * @param {{left: number, right: number, redOnly: boolean, width: (text: string, red: boolean) => number, until: (mark: Mark) => number}} room  `until`: where
 *   what a mark begins ends
 * @returns {Label[]}
 */
export function labelsOf(groups, { left, right, redOnly, width, until }) {
  /** @type {Label[]} */ const placed = [];
  const free = (/** @type {number} */ from, /** @type {number} */ to) =>
    from >= left && to <= right && placed.every((label) => to + APART <= label.from || from - APART >= label.to);
  const wanted = groups.flatMap((group) => labelled(group, redOnly));
  for (const { x, mark, red } of [...wanted.filter(({ red }) => red), ...wanted.filter(({ red }) => !red)]) {
    const wide = width(mark.label, red);
    const spot = spots(x, mark, wide, left, until(mark)).find(({ from }) => free(from, from + wide));
    if (spot) placed.push({ x: spot.x, anchor: spot.anchor, text: mark.label, red, from: spot.from, to: spot.from + wide });
  }
  return placed.sort((a, b) => a.x - b.x);
}

/** The mark of a group that gives it its label. @param {Group} group @param {boolean} redOnly */
function labelled({ x, kind, marks }, redOnly) {
  const mark = marks.find((one) => one.kind === kind && one.label);
  const red = isRed(kind);
  return mark && (red || !redOnly) ? [{ x, mark, red }] : [];
}

/**
 * Where a label may stand: ending at its mark, over it, or beginning there; what is kept, in the middle of how long it is.
 * @param {number} x @param {Mark} mark @param {number} wide @param {number} left @param {number} until
 * @returns {{x: number, from: number, anchor: "start" | "middle" | "end"}[]}
 */
function spots(x, mark, wide, left, until) {
  const begin = Math.max(left, x);
  if (mark.kind === "kept") return until - begin >= wide ? [{ x: (begin + until) / 2, from: (begin + until - wide) / 2, anchor: "middle" }] : [];
  return [
    { x: x + 6, from: x + 6 - wide, anchor: "end" },
    { x, from: x - wide / 2, anchor: "middle" },
    { x: x - 6, from: x - 6, anchor: "start" },
  ];
}
