// A compaction's card while the compaction is told: what has not happened yet is blank, and the numbers run with everything else.

import { attribute, write } from "../lib/dom.js";
import { int } from "../lib/format.js";
/** @import { Moment } from "../run/story.js" */

/** A number that goes from one to another: at the end it is `final`. @typedef {{node: HTMLElement, from: number, to: number, mark: string}} Running */

/** Pixels of a summary that are uncovered while it is written. */
const WRITTEN = 420;

/**
 * Draw a moment, or with null the card as it is at rest.
 * @param {HTMLElement} card
 * @param {Running[]} totals  the window's tokens after the compaction
 * @param {Moment | null} moment
 * @param {boolean} [failed]  no summary comes of it
 */
export function tellCard(card, totals, moment, failed = false) {
  attribute(card, "data-trying", failed && moment && moment.phase < 4 && (moment.phase < 3 ? "first" : "then"));
  const settle = moment ? moment.settle : 1;
  attribute(card, "data-told", moment && (settle > 0 ? "settling" : moment.text >= 1 ? "written" : moment.text > 0 ? "writing" : "unwritten"));
  for (const running of totals) running.node.classList.toggle("fl-running", settle > 0 && settle < 1);
  for (const running of totals) write(running.node, settle > 0 ? at(running, settle) : "…");
  const panel = /** @type {HTMLElement | null} */ (card.querySelector(".fl-tabpanel"));
  const covered = moment && moment.text > 0 && moment.text < 1;
  if (panel) panel.style.clipPath = covered ? `inset(0 0 calc(100% - ${Math.round(WRITTEN * moment.text)}px) 0)` : "";
}

/** @param {Running} running @param {number} done */
const at = ({ from, to, mark }, done) => (to < 0 ? "?" : mark + int(Math.round(from + (to - from) * done)));

/** "14,972 → 9,310": a number that runs, behind the one from which it runs. @param {Running} exchanged @param {number} done */
export const running = (exchanged, done) => `${exchanged.mark}${int(exchanged.from)} → ${done > 0 ? at({ ...exchanged, mark: "" }, done) : "…"}`;
