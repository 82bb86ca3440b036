// A compaction's card while the compaction is told: what has not happened yet is blank, and each number comes as it is: none in between.

import { attribute, write } from "../lib/dom.js";
/** @import { Moment } from "../run/story.js" */

/** A number that is there once the totals change. @typedef {{node: HTMLElement, text: string}} Coming */

/** Pixels of a summary that are uncovered while it is written. */
const WRITTEN = 420;

/**
 * Draw a moment, or with null the card as it is at rest.
 * @param {HTMLElement} card
 * @param {Coming[]} totals  the window's tokens after the compaction
 * @param {Moment | null} moment
 * @param {boolean} [failed]  no summary comes of it
 */
export function tellCard(card, totals, moment, failed = false) {
  attribute(card, "data-trying", failed && moment && moment.phase < 4 && (moment.phase < 3 ? "first" : "then"));
  const settle = moment ? moment.settle : 1;
  attribute(card, "data-told", moment && (settle > 0 ? "settling" : moment.text >= 1 ? "written" : moment.text > 0 ? "writing" : "unwritten"));
  for (const { node, text } of totals) {
    node.classList.toggle("fl-new", settle > 0 && settle < 1);
    write(node, settle > 0 ? text : "…");
  }
  const panel = /** @type {HTMLElement | null} */ (card.querySelector(".fl-tabpanel"));
  const covered = moment && moment.text > 0 && moment.text < 1;
  if (panel) panel.style.clipPath = covered ? `inset(0 0 calc(100% - ${Math.round(WRITTEN * moment.text)}px) 0)` : "";
}
