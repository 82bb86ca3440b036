// Places between the messages of the window, to choose one of: drawn over the headings of the list, each above the message it lies before.
// What is to be placed stands over the list.

import { attribute, button, el } from "../lib/dom.js";
import { RowView } from "../debugger/row.js";
import { ADDED } from "../run/pool.js";
import { HEADING, ROW } from "../run/layout.js";
/** @import { App } from "../debugger/app.js" */
/** @import { Answer, Choice } from "./types.js" */

/** Pixels of a list that has no room to give: the card beside it says what was written. */
const LOW = 200;

export class Slots {
  /** @param {App} app @param {(key: string) => void} choose */
  constructor(app, choose) {
    this.app = app;
    this.choose = choose;
    this.node = el("div", { class: "fl-slots", hidden: true });
    /** Of the place behind the last message, which is in sight however long the list is. */
    this.last = el("div", { class: "fl-slots", hidden: true });
    /** What is to be placed. */ this.hand = el("div", { class: "fl-slot-hand", hidden: true });
    /** @type {{choice: Choice, node: HTMLElement}[]} */ this.slots = [];
    app.root.querySelector(".fl-slot-window .fl-lists")?.before(this.hand);
    const list = app.root.querySelector(".fl-slot-window .fl-list");
    this.scroller = list?.querySelector(".fl-scroll");
    this.scroller?.addEventListener("scroll", () => this.place(), { passive: true });
    this.scroller?.append(this.node);
    list?.append(this.last);
  }

  get shown() {
    return this.slots.length > 0;
  }

  /** @param {Choice[]} choices @param {Answer | null} guess */
  draw(choices, guess) {
    const placed = choices.filter(({ before }) => before !== undefined);
    this.slots = placed.map((choice) => ({ choice, node: slot(choice.key, () => this.choose(choice.key)) }));
    const [last, others] = [this.#nodes(true), this.#nodes(false)];
    this.node.hidden = !others.length;
    this.last.hidden = !last.length;
    this.node.replaceChildren(...others);
    this.last.replaceChildren(...last);
    this.#drawHand();
    this.mark(guess);
    this.place();
  }

  /** The summary, as its row will be, and that it is in no place yet. */
  #drawHand() {
    const { run, step } = this.app;
    this.hand.hidden = true;
    const high = (this.scroller?.clientHeight ?? 0) >= LOW;
    const k = this.shown && high ? run.step(step).compaction : -1;
    this.hand.hidden = k < 0;
    this.hand.replaceChildren();
    if (k < 0) return;
    const row = run.pool.row(ADDED + run.firstAdded[k]);
    const view = new RowView();
    view.fill({ ...row, region: "summary" }, row.tokens);
    for (const name of view.node.getAttributeNames()) if (name !== "class") view.node.removeAttribute(name);
    view.node.className = view.node.className.replace("fl-row", "fl-picture");
    this.hand.append(el("p", { text: "The summary is written, but not yet in the window" }), view.node);
  }

  /** Those behind the last message, or all others. @param {boolean} last */
  #nodes(last) {
    return this.slots.flatMap(({ choice, node }) => ((choice.before === null) === last ? [node] : []));
  }

  /** @param {Answer | null} guess */
  mark(guess) {
    for (const { choice, node } of this.slots) attribute(node, "aria-pressed", String(choice.key === guess));
  }

  /** Where they are now: the list makes its rows anew as it moves. */
  place() {
    const rows = /** @type {HTMLElement[]} */ ([...(this.scroller?.querySelectorAll(".fl-row[data-pool]") ?? [])]);
    const tops = rows.map((row) => ({ pool: Number(row.dataset.pool), y: this.#topOf(row) }));
    for (const { choice, node } of this.slots) {
      const at = choice.before === null ? this.#end(tops.map(({ y }) => y)) : tops.find(({ pool }) => pool === choice.before)?.y;
      node.hidden = at === undefined;
      node.style.transform = `translateY(${Math.max(0, (at ?? 0) - HEADING)}px)`;
    }
  }

  /** The top of a row in the scrolled list; of one that stays in sight, where it now is. @param {HTMLElement} row */
  #topOf(row) {
    const y = Number(/translateY\(([-\d.]+)px/.exec(row.style.transform)?.[1] ?? 0);
    return row.closest(".fl-front") ? y + (this.scroller?.scrollTop ?? 0) : y;
  }

  /** Below the last row, or below the list where that is not in sight. @param {number[]} tops */
  #end(tops) {
    if (!tops.length || !this.scroller) return undefined;
    return Math.min(Math.max(...tops) + ROW - this.scroller.scrollTop, this.scroller.clientHeight) + HEADING;
  }
}

/** @param {string} key @param {() => void} choose */
function slot(key, choose) {
  const node = button("", choose, { class: "fl-slot-place", tabindex: -1, "aria-hidden": "true" }); // the letters say the same
  node.append(el("b", { text: key }), el("span", { text: "the summary lands here?" }));
  return node;
}
