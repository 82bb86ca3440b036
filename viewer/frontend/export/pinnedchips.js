// The texts that an exported file of lanes follows now: one press has the strips below the lanes, × ends it.
import { attribute, button, el, visible } from "../lib/dom.js";
/** @import { Pins } from "../compare/pins.js" */

export class PinnedChips {
  /** @param {Pins} pins */
  constructor(pins) {
    this.pins = pins;
    this.shown = "";
    this.node = el("ul", { class: "fl-export-pins", "aria-label": "Pinned texts" });
    pins.watch(() => this.#draw());
  }

  #draw() {
    const { pins, node } = this;
    const shown = JSON.stringify(pins.texts);
    if (shown !== this.shown) node.replaceChildren(...pins.texts.map((text, i) => this.#chip(text, i)));
    this.shown = shown;
    [...node.children].forEach((chip, i) => attribute(/** @type {Element} */ (chip.firstElementChild), "aria-pressed", String(i === pins.at)));
  }

  /** @param {string} text @param {number} i */
  #chip(text, i) {
    const { pins } = this;
    const choose = button("", () => pins.choose(i), { title: `${visible(text)}\nShow where it is below each lane` });
    choose.append(el("code", { dir: "auto", text: visible(text) }));
    const remove = button("×", () => this.#remove(i), { class: "fl-icon", "aria-label": "Remove", title: "Follow it no longer" });
    return el("li", {}, choose, remove);
  }

  /** The focus goes to the text that takes its place. @param {number} i */
  #remove(i) {
    this.pins.remove(i);
    /** @type {HTMLElement | null} */ (this.node.children[Math.min(i, this.node.childElementCount - 1)]?.querySelector("button"))?.focus();
  }
}
