// What the setting that is pointed at comes to, beside its cell or its mark, and what the advice is of: that stays as it is.
import { el } from "../lib/dom.js";
import { int } from "../lib/format.js";
import { wholeName } from "./places.js";
import { faultOf, figuresText } from "./words.js";
/** @import { Tuning } from "./tuning.js" */

/** Pixels between it and what is pointed at, and to the edges of the page. */
const [APART, EDGE] = [7, 4];

export class PointedSetting {
  /** @param {Tuning} tuning */
  constructor(tuning) {
    this.tuning = tuning;
    this.name = el("b");
    this.figures = el("span");
    this.fault = el("span");
    this.advice = el("span", { class: "fl-tune-tip-advice" });
    this.node = el("div", { class: "fl-tooltip fl-tune-tip", "aria-hidden": "true", hidden: true }, this.name, this.figures, this.fault, this.advice);
  }

  /** Say what is known of it now; nothing where nothing is pointed at. */
  draw() {
    const { picture, pointed, grids, chosen, advised } = this.tuning;
    const cell = picture?.cells[pointed];
    this.node.hidden = !cell?.[0];
    if (!picture || !cell?.[0]) return;
    this.name.textContent = wholeName(grids, pointed);
    const whole = cell[0] === picture.sessions;
    this.figures.textContent = whole ? figuresText(cell, chosen.limit / 100) : `${int(cell[0])} of ${int(picture.sessions)} sessions so far`;
    this.fault.textContent = whole ? faultOf(cell) : "";
    this.advice.textContent =
      advised !== null && this.tuning.elsewhere ? `The advice below is of ${this.tuning.nameOf(advised)}. Click to choose this one.` : "";
  }

  /** Stand above a cell or a mark, or below it where there is no room. @param {Element | null} at */
  show(at) {
    this.draw();
    if (!at || this.node.hidden) return;
    const page = /** @type {HTMLElement} */ (this.node.offsetParent).getBoundingClientRect();
    const [box, own] = [at.getBoundingClientRect(), this.node.getBoundingClientRect()];
    const left = box.left + box.width / 2 - own.width / 2 - page.left;
    const above = box.top - own.height - APART - page.top;
    this.node.style.left = `${Math.max(EDGE, Math.min(left, page.width - own.width - EDGE))}px`;
    this.node.style.top = `${above >= 0 ? above : box.bottom + APART - page.top}px`;
  }
}
