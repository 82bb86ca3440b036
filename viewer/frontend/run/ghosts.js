// Messages that have left the window, shown where they stood: each behind the message of the window that came before it. Pure: no nodes.

import { pluralize } from "../lib/format.js";
import { upperBound } from "./bisect.js";
import { size } from "./ranges.js";
import { rangeSection, whereabouts } from "./sections.js";
/** @import { Run } from "./model.js" */
/** @import { Section } from "./layout.js" */
/** @import { Range } from "./ranges.js" */

/** Messages that left, and how many rows of the window stand in front of them. @typedef {{at: number, range: Range}} Gone */

/**
 * The sections of a window with the messages that have left it: between two sections as one of their own, else among the rows.
 * @param {Run} run
 * @param {number} step
 * @param {Section[]} sections  of the whole window, in order
 * @returns {Section[]}
 */
export function withGhosts(run, step, sections) {
  const window = run.window(step);
  const gone = run.ghosts(step).map((range) => ({ at: range[0] > 0 ? window.indexOf(range[0] - 1) + 1 : 0, range }));
  gone.sort((a, b) => a.at - b.at);
  /** @type {Section[]} */ const all = [];
  let from = 0;
  for (const section of sections) {
    const to = from + section.count;
    const before = gone.filter(({ at }) => at === from);
    const among = gone.filter(({ at }) => at > from && at < to);
    if (before.length) all.push(own(run, step, before));
    all.push(among.length ? mixed(run, step, section, from, among) : section);
    from = to;
  }
  const behind = gone.filter(({ at }) => at >= from);
  return behind.length ? [...all, own(run, step, behind)] : all;
}

/** How many messages have left the window of a step, and their tokens as they came. @param {Run} run @param {number} step */
export function goneFrom(run, step) {
  const { running } = run.store;
  const ranges = run.ghosts(step);
  return { count: size(ranges), tokens: ranges.reduce((sum, [a, b]) => sum + running[b] - running[a], 0) };
}

/** The last message of what has left the window, or -1. @param {Run} run @param {number} step */
export const lastGhost = (run, step) => (run.ghosts(step).at(-1)?.[1] ?? 0) - 1;

/** @param {Run} run @param {number} step @param {Gone[]} gone @returns {Section} */
function own(run, step, gone) {
  const ranges = gone.map(({ range }) => range);
  const word = ["drop", "clear"].includes(run.view.policy?.kind ?? "") ? "Removed" : "Summarized";
  const title = `${word} earlier: ${pluralize(size(ranges), "message")}, no longer in the window`;
  return ghosts(run, step, `ghosts-${gone[0].at}`, title, ranges);
}

/** @param {Run} run @param {number} step @param {string} id @param {string} title @param {Range[]} ranges @returns {Section} */
function ghosts(run, step, id, title, ranges) {
  const section = rangeSection(run, id, title, ranges, { ghost: true });
  const row = (/** @type {number} */ k) => {
    const ghost = section.row(k);
    return { ...ghost, region: whereabouts(run, step, ghost.pool).state };
  };
  return { ...section, row };
}

/**
 * A section with messages that left from between its rows.
 * @param {Run} run
 * @param {number} step
 * @param {Section} section
 * @param {number} from  its place in the window
 * @param {Gone[]} gone
 * @returns {Section}
 */
function mixed(run, step, section, from, gone) {
  const left = ghosts(
    run,
    step,
    section.id,
    "",
    gone.map(({ range }) => range),
  );
  /** Pieces in turn: where each starts in the list, in its source, and which that is. @type {{start: number, k: number, source: Section}[]} */
  const pieces = [];
  let [start, row, ghost] = [0, 0, 0];
  const add = (/** @type {Section} */ source, /** @type {number} */ k, /** @type {number} */ count) => {
    if (count > 0) pieces.push({ start, k, source });
    start += count;
  };
  for (const { at, range } of gone) {
    add(section, row, at - from - row);
    row = at - from;
    add(left, ghost, range[1] - range[0]);
    ghost += range[1] - range[0];
  }
  add(section, row, section.count - row);
  return { ...section, count: start, ...lookup(pieces, section, left) };
}

/** @param {{start: number, k: number, source: Section}[]} pieces @param {Section} section @param {Section} left */
function lookup(pieces, section, left) {
  const starts = pieces.map((piece) => piece.start);
  const row = (/** @type {number} */ i) => {
    const piece = pieces[upperBound(starts, i) - 1];
    return piece.source.row(piece.k + i - piece.start);
  };
  const find = (/** @type {number} */ pool) => {
    const source = left.find(pool) >= 0 ? left : section;
    const k = source.find(pool);
    const piece = k < 0 ? undefined : pieces.findLast((one) => one.source === source && one.k <= k);
    return piece ? piece.start + k - piece.k : -1;
  };
  return { row, find };
}
