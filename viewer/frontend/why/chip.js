// The button at a selection that asks about it: there when a selection rests, gone with it; it moves nothing on the page.

import { attribute, el } from "../lib/dom.js";
import { held } from "../lib/pressed.js";
import { selectionIn } from "./selection.js";

/** Milliseconds after the last change of a selection by the keyboard. */
const REST = 200;
const GAP = 3;
/** Keys that reach the button and press it, or make a selection: any other leaves the selection for something else. */
const LEAD_TO_IT = ["Tab", "Enter", " ", "Shift", "Control", "Alt", "Meta"];

export class Chip {
  /** @param {HTMLElement} slot @param {HTMLElement} root  inside of which texts are asked about @param {(text: string) => void} ask */
  constructor(slot, root, ask) {
    this.root = root;
    this.ask = ask;
    this.timer = 0;
    this.text = "";
    const keys = el("kbd", { text: "w", "aria-hidden": "true" });
    this.node = el("button", { type: "button", class: "fl-whychip", title: "Where did this text go? (w)", hidden: true }, "Why", keys);
    this.node.addEventListener("pointerdown", (event) => event.preventDefault()); // the selection stays
    this.node.addEventListener("mousedown", (event) => event.preventDefault());
    this.node.addEventListener("click", () => this.#press());
    slot.append(this.node);
    this.stopped = new AbortController();
    this.#listen();
  }

  #listen() {
    const on = { signal: this.stopped.signal };
    document.addEventListener("selectionchange", () => this.#changed(), on);
    addEventListener("pointerup", () => this.#later(0), { ...on, capture: true });
    addEventListener("pointerdown", (event) => event.composedPath().includes(this.node) || this.#done(), { ...on, capture: true });
    addEventListener("keydown", ({ key }) => LEAD_TO_IT.includes(key) || this.#done(), { ...on, capture: true });
    this.root.addEventListener("scroll", () => this.#moved(), { ...on, capture: true, passive: true });
    addEventListener("resize", () => this.#moved(), on);
  }

  /** A selection that is made with the mouse rests when the button is released. */
  #changed() {
    if (!selectionIn(this.root)) this.hide();
    if (!held()) this.#later(REST);
  }

  /** What is selected may stand elsewhere now; a list beside it that scrolls by itself moves nothing. */
  #moved() {
    if (this.node.hidden) return;
    this.hide();
    this.#later(REST);
  }

  /** @param {number} wait */
  #later(wait) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.#show(), wait);
  }

  #show() {
    const selected = selectionIn(this.root);
    if (!selected) return this.hide();
    if (selected.text === this.text) return;
    this.text = selected.text;
    const lines = [...selected.range.getClientRects()].filter(({ width }) => width > 0);
    const pane = this.#paneOf(selected.range);
    const shown = lines.length > 0 && inSight(selected.range, pane);
    attribute(this.node, "hidden", !shown);
    if (shown) this.#place(lines[0], lines[lines.length - 1], pane.getBoundingClientRect());
  }

  /** What a selection is scrolled in. @param {Range} range */
  #paneOf({ endContainer }) {
    return endContainer.parentElement?.closest(".fl-ibody, .fl-list, .fl-card") ?? this.root;
  }

  /** At the end of the selection, above it where that is one line, else below: no word beside it is covered. @param {DOMRect} first @param {DOMRect} last @param {DOMRect} pane */
  #place(first, last, pane) {
    const { offsetWidth: wide, offsetHeight: high } = this.node;
    const above = first.top - GAP - high;
    const below = last.bottom + GAP;
    const oneLine = last.top < first.bottom;
    const up = above >= pane.top && (oneLine || below + high > pane.bottom);
    const page = this.root.getBoundingClientRect();
    const within = (/** @type {number} */ at, /** @type {number} */ from, /** @type {number} */ to) => Math.max(from, Math.min(to, at));
    this.node.style.left = `${within(last.right - wide / 2, pane.left + 2, pane.right - wide - 2) - page.left}px`;
    this.node.style.top = `${within(up ? above : below, pane.top + 2, pane.bottom - high - 2) - page.top}px`;
  }

  #press() {
    const { text } = this;
    this.#done();
    this.ask(text);
  }

  /** Something else is pressed, or the text has been asked about: the same selection needs no button any more. */
  #done() {
    const selected = selectionIn(this.root);
    this.hide();
    this.text = selected?.text ?? "";
  }

  hide() {
    clearTimeout(this.timer);
    this.text = "";
    attribute(this.node, "hidden", true);
  }

  stop() {
    this.stopped.abort();
    clearTimeout(this.timer);
  }
}

/** Whether the end of a selection has not been scrolled away. @param {Range} range @param {Element} pane */
function inSight(range, pane) {
  const [here, all] = [range.getBoundingClientRect(), pane.getBoundingClientRect()];
  return !here.height || (here.bottom > all.top && here.top < all.bottom);
}
