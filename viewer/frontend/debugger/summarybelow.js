// What a summary says while its phase is shown: below its row, as many lines as fit above the next one.

import { ask, compactionPath } from "../lib/api.js";
import { el, visible, write } from "../lib/dom.js";
import { ROW } from "../run/layout.js";
import { unmarked } from "../run/overviewwords.js";
/** @import { App } from "./app.js" */
/** @import { CompactionCard } from "../run/types.js" */
/** @import { Item, RowList } from "./rows.js" */

/** From where a row stands to where something stands below it, from the top of what is seen. @typedef {{y: number, end: number}} Place */

/** Pixels of a line, and lines that are worth it. */
const LINE = 19;
const LEAST = 3;
/** Pixels between the row and its words. */
const GAP = 8;

export class SummaryBelow {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.node = el("p", { class: "fl-summary-below", dir: "auto", "aria-hidden": "true", hidden: true }); // the card reads it out
    /** Which drawing is the newest: an answer may come late. */ this.order = 0;
  }

  hide() {
    this.order += 1;
    this.node.hidden = true;
  }

  /** Below its row, the summary of compaction k. @param {Place | null} place  of the row; null where it is not in sight @param {number} k */
  async draw(place, k) {
    this.hide();
    const { app, node, order } = this;
    const top = place ? place.y + ROW + GAP : 0;
    const lines = place ? Math.floor((place.end - top - GAP) / LINE) : 0;
    if (lines < LEAST) return;
    /** @type {CompactionCard | null} */
    const card = await ask(app, compactionPath(app.run.view.tid, k)).catch(() => null); // its row stands alone
    if (order !== this.order || !card?.summary) return;
    const paragraphs = card.summary.split("\n").filter((line) => line.trim());
    write(node, visible(paragraphs.map(unmarked).join("\n")));
    Object.assign(node.style, { top: `${top}px`, webkitLineClamp: String(lines) });
    node.hidden = false;
  }
}

/** The place of the row of a message in the list: empty places below it are room. @param {RowList} list @param {number} pool @returns {Place | null} */
export function placeOf(list, pool) {
  const { layout, roof, view, top } = list;
  const seen = [...layout.between(0, roof), ...layout.between(top + roof, top + view)];
  const item = seen.find((one) => one.k >= 0 && layout.row(one).pool === pool); // it stands in the place of others
  if (!item) return null;
  const y = (/** @type {Item} */ one) => (one.y < roof ? one.y : one.y - top); // the rows of the roof do not scroll
  const isRoom = (/** @type {Item} */ one) => isEmpty(list, one) || (one.y >= roof && y(one) < roof);
  /** @type {Item | null} */ let next = layout.next(item);
  while (next && y(next) < view && isRoom(next)) next = layout.next(next);
  return { y: y(item), end: Math.min(view, next ? y(next) : view) };
}

/** @param {RowList} list @param {Item} item */
const isEmpty = ({ layout }, item) => Boolean(item.k < 0 ? layout.sections[item.section].blank : layout.row(item).blank);
