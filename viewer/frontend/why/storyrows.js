// The story of a text as rows: what happened to it, the place of the cursor, and how many rows are folded away. Pure: no nodes.

/** @import { Mark } from "./marks.js" */

/** @typedef {{key: string, mark: Mark, when: "past" | "now" | "future"} | {key: string, here: number} | {key: string, more: number}} StoryRow */

/** Rows shown of a long story: at its begin and at its end. */
const BEGIN = 6;
const END = 5;

/**
 * @param {Mark[]} marks  in order of time
 * @param {number} step  of the cursor, which has a row of its own where nothing happens there
 * @param {boolean} whole  with nothing folded away
 * @returns {StoryRow[]}
 */
export function storyRows(marks, step, whole) {
  const folds = !whole && marks.length > BEGIN + END + 1;
  const hidden = (/** @type {number} */ k) => folds && k >= BEGIN && k < marks.length - END;
  const behind = marks.findIndex((mark) => mark.step > step);
  const place = behind < 0 ? marks.length : behind;
  const there = marks.some((mark, k) => mark.step === step && !hidden(k));
  /** @type {StoryRow[]} */ const rows = [];
  for (let k = 0; k <= marks.length; k++) {
    if (k === place && !there) rows.push({ key: "here", here: step });
    if (k < marks.length) add(rows, marks[k], k, hidden(k), step);
  }
  return rows;
}

/** @param {StoryRow[]} rows @param {Mark} mark @param {number} k @param {boolean} hidden @param {number} step */
function add(rows, mark, k, hidden, step) {
  const before = rows[rows.length - 1];
  if (!hidden) rows.push({ key: `mark ${k}`, mark, when: mark.step < step ? "past" : mark.step > step ? "future" : "now" });
  else if (before && "more" in before) before.more += 1;
  else rows.push({ key: before && "here" in before && k > BEGIN ? "more behind" : "more", more: 1 });
}
