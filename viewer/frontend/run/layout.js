// Where the rows of a list lie: sections of rows of one height, so that any of a million rows is found by
// arithmetic.

import { last } from "./ranges.js";

export const ROW = 28;
export const HEADING = 22;
/**
 * Beyond some 30 million pixels a browser gives up on an element's height: a taller list is scrolled in
 * proportion.
 */
export const TALLEST = 15_000_000;

/**
 * @typedef {object} Row one message as a line of a list; `key` is stable across steps, `pool` its place among
 * all messages
 * @property {string} key
 * @property {number} pool
 * @property {string} role
 * @property {string} label
 * @property {string} region
 * @property {number} tokens
 * @property {string} preview
 * @property {number} flags
 * @property {boolean} added
 * @property {string} injected what put it in, "" for nothing
 * @property {boolean} [ghost] it has left the window
 * @property {boolean} [taken] this compaction takes it
 * @property {boolean} [fresh] this compaction put it in
 * @property {boolean} [emptying] this compaction empties it
 * @property {boolean} [spared] it stays although it stands among what may go
 * @property {string} [stays] of what the cut keeps, how sure that is: "pinned", "may stay" where a further pass may take it
 * @property {number} of the message that it is emptied, or -1
 * @property {import("./hindsight.js").Known} [hindsight] its region is what the next recorded compaction did with it, and this how that is known
 * @property {boolean} [sealed] a summary that nobody can read: its size is unknown, and `tokens` are 0
 * @property {boolean} [held] a person pinned it
 * @property {boolean} [short] it is only shortened
 * @property {boolean} [thinking] only its thinking is left out, or will be
 * @property {boolean} [blank] nothing is there any more: the place is kept
 */

/**
 * @typedef {object} Section rows under one heading; without a title there is no heading
 * @property {string} id
 * @property {string} title
 * @property {string} [note] said at the right of the heading
 * @property {string} [unit] what one of its rows is called where they are counted, if not by its id
 * @property {number} count
 * @property {number} [from] the place in the window of its first message
 * @property {boolean} [blank] the heading says nothing any more: its place is kept
 * @property {boolean} [opens] the heading opens and closes the section
 * @property {boolean} [open] it is open now
 * @property {boolean} [sticks] it comes first and stays in sight however far the list is scrolled, where it is small
 * @property {(k: number) => Row} row
 * @property {(pool: number) => number} find the place of a message in this section, or -1
 */

/** @typedef {{section: number, k: number, y: number, height: number}} Item a heading has k -1 */

/** The geometry of a list of sections. */
export class Layout {
  /** @param {Section[]} sections empty ones are left out */
  constructor(sections) {
    this.sections = sections.filter((section) => section.count > 0);
    /** @type {number[]} */ this.tops = [];
    /** @type {number[]} */ this.before = [];
    this.height = 0;
    this.rows = 0;
    for (const section of this.sections) this.#add(section);
  }

  /** @param {Section} section */
  #add(section) {
    this.tops.push(this.height);
    this.before.push(this.rows);
    this.rows += section.count;
    this.height += heading(section) + section.count * ROW;
  }

  /**
   * The item at a height; the first or last one outside the list; null in an empty list.
   * @param {number} y
   * @returns {Item | null}
   */
  at(y) {
    if (!this.sections.length) return null;
    const section = Math.max(
      0,
      last(this.tops.length, (s) => this.tops[s] <= y),
    );
    const inside = y - this.tops[section] - heading(this.sections[section]);
    const k = Math.floor(inside / ROW);
    const first = this.sections[section].title ? -1 : 0;
    return this.item(section, Math.min(this.sections[section].count - 1, Math.max(first, k)));
  }

  /** @param {number} section @param {number} k @returns {Item} */
  item(section, k) {
    const top = this.tops[section];
    const space = heading(this.sections[section]);
    return k < 0 ? { section, k: -1, y: top, height: space } : { section, k, y: top + space + k * ROW, height: ROW };
  }

  /** The items that touch the heights from `top` to `bottom`. @param {number} top @param {number} bottom @returns {Item[]} */
  between(top, bottom) {
    const items = [];
    let item = this.at(top);
    while (item && item.y < bottom) {
      items.push(item);
      item = this.next(item);
    }
    return items;
  }

  /** The item below, or null. @param {Item} item @returns {Item | null} */
  next({ section, k }) {
    if (k + 1 < this.sections[section].count) return this.item(section, k + 1);
    if (section + 1 >= this.sections.length) return null;
    return this.item(section + 1, this.sections[section + 1].title ? -1 : 0);
  }

  /** Where a message lies, or null if it is in no open section. @param {number} pool @returns {Item | null} */
  find(pool) {
    for (const [s, section] of this.sections.entries()) {
      const k = section.find(pool);
      if (k >= 0) return this.item(s, k);
    }
    return null;
  }

  /**
   * The height at or below `y` at which a list may rest: a heading, or a whole row right under where its heading
   * sticks, is at the top. Never lower than the last row of all.
   * @param {number} y
   */
  snap(y) {
    const item = this.at(y);
    if (!item) return 0;
    const top = this.tops[item.section];
    const k = Math.max(0, Math.ceil((y - top) / ROW));
    if (k < this.sections[item.section].count) return top + k * ROW;
    const last = Math.max(0, this.sections[item.section].count - 1);
    return this.tops[item.section + 1] ?? top + last * ROW;
  }

  /** The row of an item. @param {Item} item */
  row({ section, k }) {
    return this.sections[section].row(k);
  }

  /** The number of a row in the whole list, from 0. @param {Item} item */
  ordinal({ section, k }) {
    return this.before[section] + k;
  }

  /** The row with a number, or null. @param {number} ordinal @returns {Item | null} */
  nth(ordinal) {
    for (const [s, section] of this.sections.entries()) {
      const k = ordinal - this.before[s];
      if (k >= 0 && k < section.count) return this.item(s, k);
    }
    return null;
  }
}

/** @param {Section} section */
const heading = (section) => (section.title ? HEADING : 0);

/**
 * Where a scroller stands in a list taller than an element may be: `scroll` in the element, `virtual` in the
 * list.
 * @param {number} height of the list
 * @param {number} view of what is seen
 */
export function scaling(height, view) {
  const element = Math.min(height, TALLEST);
  const factor = element > view ? (height - view) / (element - view) : 1;
  const virtual = (/** @type {number} */ scroll) => scroll * factor;
  const scroll = (/** @type {number} */ y) => Math.max(0, Math.min(height - view, y)) / factor;
  return { element, virtual, scroll };
}
