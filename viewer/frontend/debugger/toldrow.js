// The row of the message that a room is told of: it says the words that matter, and is never scrolled out of sight at the top: then it
// stands below the heading that stays.

import { el, write } from "../lib/dom.js";
import { pluralize } from "../lib/format.js";
import { HEADING, ROW } from "../run/layout.js";
import { RowView } from "./row.js";
/** @import { Item, Row } from "../run/layout.js" */
/** @import { RowList } from "./rows.js" */

/** A message and the words of it that matter. @typedef {{pool: number, text: string}} Words */
/** The message that is told of; and others whose rows say what matters, too. `scrolls`: it may be scrolled out of sight. @typedef {Words & {also?: Words[], scrolls?: boolean}} Told */

export class ToldRow {
  constructor() {
    /** @type {Told | null} */ this.of = null;
    this.view = new RowView();
    /** How many messages stand between it and the row below it. */ this.gap = el("span", { class: "fl-told-gap" });
    this.node = el("div", { class: "fl-told-row", "aria-hidden": "true" }, this.view.node, this.gap);
    /** The row that stands below the heading; null while it stands in its place. @type {{row: Row, section: string, y: number} | null} */ this.held =
      null;
  }

  /** A row with the words that are told of it, where it is that of such a message. @param {Row} row @returns {Row} */
  withWords(row) {
    const { of } = this;
    const quote = of && [of, ...(of.also ?? [])].find(({ pool }) => pool === row.pool);
    const begins = quote && row.preview.startsWith(quote.text.slice(0, 20));
    if (!quote || (begins && !row.preview.endsWith("…"))) return row;
    return { ...row, preview: begins ? quote.text : `… ${quote.text}` };
  }

  /** @param {RowList} list @param {number} top  of what is seen */
  draw(list, top) {
    const { layout, roof } = list;
    const item = this.of && !this.of.scrolls && layout.find(this.of.pool);
    const y = roof + (list.sticky.hidden ? 0 : HEADING);
    this.held =
      item && item.y >= roof && item.y - top < y - 1 ? { row: this.withWords(layout.row(item)), section: layout.sections[item.section].id, y } : null;
    if (!this.held) return this.node.remove();
    if (!this.node.isConnected) list.node.append(this.node);
    this.view.fill(this.held.row, list.full);
    const left = item ? rowsBetween(list, item, top + y + ROW) : 0;
    write(this.gap, left ? `⋯ ${pluralize(left, "message")}` : "");
    this.view.node.classList.add("fl-told-of");
    this.node.style.transform = `translateY(${y}px)`;
  }
}

/** How many rows are between one and the first that begins below a height of the list. @param {RowList} list @param {Item} from @param {number} y */
function rowsBetween({ layout, view }, from, y) {
  const next = layout.between(y, y + view).find((item) => item.k >= 0 && item.y > y - 1);
  return next ? layout.ordinal(next) - layout.ordinal(from) - 1 : 0;
}
