// The row of the message that a room is told of: it says the words that matter, and is never scrolled out of sight at the top: then it
// stands below the heading that stays.

import { el } from "../lib/dom.js";
import { HEADING } from "../run/layout.js";
import { RowView } from "./row.js";
/** @import { Row } from "../run/layout.js" */
/** @import { RowList } from "./rows.js" */

/** A message and the words of it that matter. @typedef {{pool: number, text: string}} Words */
/** The message that is told of; and others whose rows say what matters, too. `scrolls`: it may be scrolled out of sight. @typedef {Words & {also?: Words[], scrolls?: boolean}} Told */

export class ToldRow {
  constructor() {
    /** @type {Told | null} */ this.of = null;
    this.view = new RowView();
    this.node = el("div", { class: "fl-told-row", "aria-hidden": "true" }, this.view.node);
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
    this.view.node.classList.add("fl-told-of");
    this.node.style.transform = `translateY(${y}px)`;
  }
}
