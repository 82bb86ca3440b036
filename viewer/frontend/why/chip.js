// The button beside a selection that asks about it: there when a selection rests, gone with it; it moves nothing on the page.

import { attribute, el } from "../lib/dom.js";
import { held } from "../lib/pressed.js";
import { selectionIn } from "./selection.js";

/** Milliseconds after the last change of a selection by the keyboard. */
const REST = 200;
const GAP = 6;
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
    const rects = [...selected.range.getClientRects()].filter(({ width }) => width > 0);
    const end = this.#inSight(selected.range) ? rects[rects.length - 1] : undefined;
    attribute(this.node, "hidden", !end);
    if (end) this.#place(end);
  }

  /** Whether the end of a selection has not been scrolled away. @param {Range} range */
  #inSight(range) {
    const pane = range.endContainer.parentElement?.closest(".fl-ibody, .fl-list, .fl-card");
    if (!pane) return true;
    const [here, all] = [range.getBoundingClientRect(), pane.getBoundingClientRect()];
    return !here.height || (here.bottom > all.top && here.top < all.bottom);
  }

  /** Behind the end of the selection; below it, where the page ends. @param {DOMRect} end */
  #place(end) {
    const page = this.root.getBoundingClientRect();
    const { offsetWidth: wide, offsetHeight: high } = this.node;
    const beside = end.right + GAP + wide <= page.right;
    const x = beside ? end.right + GAP : page.right - wide - GAP;
    const y = beside ? (end.top + end.bottom - high) / 2 : end.bottom + GAP;
    const within = (/** @type {number} */ at, /** @type {number} */ room) => Math.max(2, Math.min(room - 2, at));
    this.node.style.left = `${within(x - page.left, page.width - wide)}px`;
    this.node.style.top = `${within(y - page.top, page.height - high)}px`;
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
