// A compaction's card while the compaction is told: what has not happened yet is blank, and the numbers run with everything else.

import { attribute, write } from "../lib/dom.js";
import { int } from "../lib/format.js";
/** @import { Phase } from "../run/types.js" */
/** @import { Moment } from "../run/story.js" */

/** A number that goes from one to another: at the end it is `final`. @typedef {{node: HTMLElement, from: number, to: number, mark: string}} Running */

/** Pixels of a summary that are uncovered while it is written. */
const WRITTEN = 420;

/**
 * Draw a moment, or with null the card as it is at rest.
 * @param {HTMLElement} card
 * @param {Running[]} totals  the window's tokens after the compaction
 * @param {Moment | null} moment
 */
export function tellCard(card, totals, moment) {
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

/**
 * Light the tile of a phase; those that are yet to come say nothing.
 * @param {HTMLElement} tiles
 * @param {string[]} figures  what each says in the end
 * @param {Phase | 0} lit
 * @param {Moment | null} moment
 * @param {Running | null} exchanged  what the third tile runs to; null where it does not run
 */
export function tellTiles(tiles, figures, lit, moment, exchanged) {
  [...tiles.children].forEach((tile, k) => {
    attribute(tile, "aria-pressed", String(k + 1 === lit));
    tile.classList.toggle("fl-done", moment !== null && k + 1 < lit);
    const runs = moment !== null && k + 1 === lit && k === 2;
    const come = moment === null || k + 1 < lit || (k + 1 === lit && (!runs || exchanged !== null || moment.number >= 1));
    tile.classList.toggle("fl-later", !come);
    const said =
      runs && exchanged && moment.number < 1 ? `${exchanged.mark}${int(exchanged.from)} → ${running(exchanged, moment.number)}` : figures[k];
    write(tile.children[1], said);
  });
}

/** @param {Running} exchanged @param {number} done */
const running = (exchanged, done) => (done > 0 ? at({ ...exchanged, mark: "" }, done) : "…");
