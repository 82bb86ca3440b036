// The story of a text as rows: what happened to it, the place of the cursor, and what is folded away. Pure: no nodes.

import { capitalized, int, pluralize } from "../lib/format.js";
import { spanName } from "../run/places.js";
/** @import { Run } from "../run/model.js" */
/** @import { Mark } from "./marks.js" */

/** Rows that are folded into one, from the step of the first to that of the last. @typedef {{key: string, uses: number, again: number, other: number, from: number, to: number}} Folded */
/** @typedef {{key: string, mark: Mark, when: "past" | "now" | "future"} | {key: string, here: number} | Folded} StoryRow */

/** So many rows are not worth folding. */
const SHORT = 10;

/** Rows of what matters that are shown, and how many of them at the begin and at the end where there are more. */
const MOST = 14;
const BEGIN = 6;
const END = 5;

/**
 * Of a long story the uses and what says it again are folded: where it first stood, what took it, what stayed, where it was needed
 * and the end stay.
 * @param {Mark[]} marks  in order of time
 * @param {number} step  of the cursor, which has a row of its own where nothing happens there
 * @param {boolean} whole  with nothing folded away
 * @returns {StoryRow[]}
 */
export function storyRows(marks, step, whole) {
  const hidden = whole || marks.length <= SHORT ? new Set() : hiddenOf(marks);
  const behind = marks.findIndex((mark) => mark.step > step);
  const place = behind < 0 ? marks.length : behind;
  const there = marks.some((mark, k) => mark.step === step && !hidden.has(k));
  /** @type {StoryRow[]} */ const rows = [];
  for (let k = 0; k <= marks.length; k++) {
    if (k === place && !there) rows.push({ key: "here", here: step });
    if (k === marks.length) break;
    if (hidden.has(k)) fold(rows, marks[k], k);
    else rows.push({ key: `mark ${k}`, mark: marks[k], when: marks[k].step < step ? "past" : marks[k].step > step ? "future" : "now" });
  }
  return rows;
}

/** The marks that are folded away; one alone is not worth a row that says so. @param {Mark[]} marks @returns {Set<number>} */
function hiddenOf(marks) {
  const matters = marks.flatMap((mark, k) => (isTrivial(mark) && k < marks.length - 1 ? [] : [k]));
  const shown = new Set(matters.length > MOST ? fewest(marks, matters) : matters);
  return new Set(marks.flatMap((_, k) => (shown.has(k) || (shown.has(k - 1) && shown.has(k + 1)) ? [] : [k])));
}

/** @param {Mark} mark */
const isTrivial = ({ kind }) => kind === "used" || kind === "again";

/** Of many that matter those at both ends, each time it was taken for good, and the first need. @param {Mark[]} marks @param {number[]} matters */
function fewest(marks, matters) {
  const first = (/** @type {string} */ kind) => matters.find((k) => marks[k].kind === kind) ?? 0;
  const last = matters.findLast((k) => marks[k].kind === "dropped") ?? 0;
  return [...matters.slice(0, BEGIN), first("dropped"), last, first("needed"), ...matters.slice(-END)];
}

/** @param {StoryRow[]} rows @param {Mark} mark @param {number} k */
function fold(rows, { kind, step }, k) {
  const before = rows[rows.length - 1];
  const row = before && "uses" in before ? before : { key: `folded ${k}`, uses: 0, again: 0, other: 0, from: step, to: step };
  if (row !== before) rows.push(row);
  row[kind === "used" ? "uses" : kind === "again" ? "again" : "other"] += 1;
  row.to = step;
}

/** "12 more uses, messages 40 to 96". @param {Run} run @param {Folded} row */
export function foldedWords(run, { uses, again, other, from, to }) {
  const where = spanName(run, from, to);
  if (other) return `${int(uses + again + other)} more, ${where}`;
  const times = again && `said again ${again === 1 ? "once" : `${int(again)} more times`}`;
  const used = uses && `${int(uses)} more ${pluralize(uses, "use").replace(/^\S+ /, "")}`;
  return `${capitalized([used, times].filter(Boolean).join(", "))}, ${where}`;
}
