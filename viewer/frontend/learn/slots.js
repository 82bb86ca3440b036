// Places between the messages of the window, to choose one of: drawn over the headings of the list, each above the message it lies before.

import { attribute, button, el } from "../lib/dom.js";
/** @import { App } from "../debugger/app.js" */
/** @import { Answer, Choice } from "./types.js" */

export class Slots {
  /** @param {App} app @param {(key: string) => void} choose */
  constructor(app, choose) {
    this.app = app;
    this.choose = choose;
    this.node = el("div", { class: "fl-slots", hidden: true });
    /** @type {Choice[]} */ this.choices = [];
    const list = app.root.querySelector(".fl-slot-window .fl-list");
    this.scroller = list?.querySelector(".fl-scroll");
    this.scroller?.addEventListener("scroll", () => this.place(), { passive: true });
    this.scroller?.append(this.node);
  }

  get shown() {
    return this.choices.length > 0;
  }

  /** @param {Choice[]} choices @param {Answer | null} guess */
  draw(choices, guess) {
    this.choices = choices.filter(({ before }) => before !== undefined);
    this.node.hidden = !this.shown;
    this.node.replaceChildren(...this.choices.map(({ key }) => slot(key, () => this.choose(key))));
    this.mark(guess);
    this.place();
  }

  /** @param {Answer | null} guess */
  mark(guess) {
    this.choices.forEach(({ key }, k) => attribute(this.node.children[k], "aria-pressed", String(key === guess)));
  }

  /** Where they are now: the list makes its rows anew as it moves. */
  place() {
    this.choices.forEach(({ before }, k) => {
      const at = this.#top(before ?? null);
      const node = /** @type {HTMLElement} */ (this.node.children[k]);
      node.hidden = at === null;
      node.style.transform = `translateY(${(at ?? 0) - 22}px)`;
    });
  }

  /** @param {number | null} before  a message; null for the end of the list */
  #top(before) {
    const rows = /** @type {HTMLElement[]} */ ([...(this.scroller?.querySelectorAll(".fl-row[data-pool]") ?? [])]);
    const tops = rows.map((row) => ({ pool: Number(row.dataset.pool), y: Number(/translateY\(([-\d.]+)px/.exec(row.style.transform)?.[1] ?? 0) }));
    if (before === null) return tops.length ? Math.max(...tops.map(({ y }) => y)) + 28 + 22 : null;
    const found = tops.find(({ pool }) => pool === before);
    return found ? Math.max(22, found.y) : null;
  }
}

/** @param {string} key @param {() => void} choose */
function slot(key, choose) {
  const node = button("", choose, { class: "fl-slot-place", tabindex: -1, "aria-hidden": "true" }); // the letters say the same
  node.append(el("b", { text: key }), el("span", { text: "the summary lands here?" }));
  return node;
}
