// The user's rules and statements that are gone: some quoted under the overview's sentence about them, the others opened in place.

import { attribute, button, el, write } from "../lib/dom.js";
import { quotedRules } from "../run/quotedrules.js";
/** @import { CompactionLosses, Loss } from "../run/types.js" */
/** @import { Quoted } from "../run/quotedrules.js" */

export class RuleList {
  /** @param {(loss: Loss, step: number) => HTMLElement} quote  a text that is gone, as an item of a list */
  constructor(quote) {
    this.quote = quote;
    /** Whether somebody opened the others: they stay so for the next run. */ this.open = false;
    this.list = el("ul", { class: "fl-loss-texts" });
    this.others = el("div", { id: "fl-rules-more" }, this.list);
    this.more = button("", () => this.#toggle(), { class: "fl-link fl-rules-more", "aria-controls": "fl-rules-more" });
    this.words = "";
  }

  /** The lists, below the sentence. @param {CompactionLosses[]} rows @param {Loss} [told]  one that is told already @returns {HTMLElement[]} */
  nodes(rows, told) {
    const { first, others, more, note } = quotedRules(rows, told);
    this.words = more;
    this.list.replaceChildren(...this.#items(others));
    this.#draw();
    return [
      ...(first.length ? [el("ul", { class: "fl-loss-texts" }, ...this.#items(first))] : []),
      ...(more ? [this.others, this.more] : []),
      ...(note ? [el("p", { class: "fl-osmall", text: note })] : []),
    ];
  }

  /** @param {Quoted[]} some */
  #items(some) {
    return some.map(({ loss, step }) => this.quote(loss, step));
  }

  #toggle() {
    this.open = !this.open;
    this.#draw();
  }

  #draw() {
    this.others.hidden = !this.open;
    write(this.more, this.open ? "Show fewer" : `${this.words}: show all`);
    attribute(this.more, "aria-expanded", String(this.open));
  }
}
