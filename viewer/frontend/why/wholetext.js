// The whole of a text that is cut off in its row, below or above it: while it is pointed at, or while its row is the chosen one.

import { el, write } from "../lib/dom.js";

/** Pixels: what it is at most as wide as, and what it keeps free beside it. */
const WIDE = 420;
const MARGIN = 8;

export class WholeText {
  /** @param {HTMLElement} around  what it stays inside */
  constructor(around) {
    this.around = around;
    this.node = el("div", { class: "fl-whole", dir: "auto", "aria-hidden": "true", hidden: true }); // its row is heard whole
    around.append(this.node);
  }

  /** Show what a node cannot; nothing of one that shows it all. @param {HTMLElement | null} [text] */
  show(text = null) {
    const cut = text !== null && text.scrollWidth > text.clientWidth;
    this.node.hidden = !cut;
    if (!cut) return;
    write(this.node, text.textContent ?? "");
    this.node.classList.toggle("fl-code", text.parentElement?.classList.contains("fl-code") ?? false);
    const here = this.around.getBoundingClientRect();
    this.node.style.left = `${MARGIN}px`;
    this.node.style.maxWidth = `${Math.min(WIDE, here.width - 3 * MARGIN)}px`;
    this.node.style.top = `${this.#top(text.getBoundingClientRect(), here)}px`;
  }

  /** Below the row where there is room in sight, else above it. @param {DOMRect} row @param {DOMRect} here */
  #top(row, here) {
    const panel = this.around.closest(".fl-ibody")?.getBoundingClientRect().bottom ?? Infinity;
    const room = Math.min(here.bottom, panel) - here.top - this.node.offsetHeight;
    const below = row.bottom - here.top;
    const above = row.top - here.top - this.node.offsetHeight;
    return below <= room ? below : above >= 0 ? above : Math.max(0, room);
  }
}
