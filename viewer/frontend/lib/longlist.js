// A list of any length as a few nodes: rows of one height, made for what is in view, with a highlight that keys move.
import { attribute, el } from "./dom.js";
import { typing } from "./keys.js";

const OVERSCAN = 6;

/**
 * The field above a list of options, which it searches.
 * @param {string} label
 * @param {string} placeholder
 * @param {string} list  the id of the list
 * @param {import("./dom.js").Listeners} on
 */
export function searchField(label, placeholder, list, on) {
  const named = { "aria-label": label, placeholder, "aria-controls": list, "aria-expanded": "true", "aria-autocomplete": "list" };
  return el("input", { type: "text", role: "combobox", class: "fl-pick-find", autocomplete: "off", spellcheck: "false", ...named, on });
}

/** Where a key moves the highlight to. @param {string} key @param {number} at @param {number} count @param {number} page */
export function movedTo(key, at, count, page) {
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, PageDown: at + page, PageUp: at - page, Home: 0, End: count - 1 }[key];
  return to === undefined || !count ? -1 : Math.max(0, Math.min(count - 1, to));
}

/** @template T */
export class LongList {
  /**
   * `drawn` is told of each node that was made, `scrolled` that the list was scrolled. A list is a listbox of options, unless it is
   * the rows of a `grid`.
   * @param {{label: string, id: string, height: number, row: (item: T, k: number) => (Node | string)[], take: (item: T) => void,
   * point?: (k: number) => void, drawn?: (node: HTMLElement, item: T) => void, scrolled?: () => void, grid?: boolean}} how
   */
  constructor(how) {
    this.how = how;
    /** @type {T[]} */ this.items = [];
    this.at = 0;
    /** Whether the button is pressed on a row. */ this.pressed = false;
    /** What is to be shown once it is let go. @type {(() => void) | null} */ this.later = null;
    this.inner = el("div", { class: "fl-long-inner" });
    const role = how.grid ? "rowgroup" : "listbox";
    this.node = el("div", { class: "fl-long", id: how.id, role, "aria-label": how.label, tabindex: how.grid ? "0" : "-1" }, this.inner);
    this.node.addEventListener("scroll", () => this.#scrolled(), { passive: true });
    this.node.addEventListener("pointerdown", (event) => this.#press(event));
    this.node.addEventListener("click", (event) => this.#clicked(event));
    this.watch = new ResizeObserver(() => this.draw());
    this.watch.observe(this.node);
  }

  /** @param {T[]} items @param {number} [at]  which one is highlighted, and brought into view */
  show(items, at = 0) {
    this.inner.replaceChildren();
    this.#take(items);
    this.point(at);
  }

  /**
   * Show other items where the list is scrolled to now; once the button is let go, while it is pressed on a row: a row that is replaced
   * under the pointer gets no click, and another may be in its place.
   * @param {T[]} items @param {number} at
   */
  replace(items, at) {
    if (this.pressed) {
      this.later = () => this.replace(items, at);
      return;
    }
    this.#take(items);
    this.at = Math.max(0, Math.min(items.length - 1, at));
    this.draw();
    this.how.point?.(this.at);
  }

  /** @param {T[]} items */
  #take(items) {
    this.items = items;
    this.inner.style.height = `${items.length * this.how.height}px`;
  }

  #scrolled() {
    this.#fill();
    this.how.scrolled?.();
  }

  /** The id of the highlighted row, for the field that keeps the focus. */
  get active() {
    return this.items.length ? `${this.how.id}-${this.at}` : null;
  }

  get page() {
    return Math.max(1, Math.floor(this.node.clientHeight / this.how.height) - 1);
  }

  /** Move the highlight, and bring it into view. @param {number} k */
  point(k) {
    this.at = Math.max(0, Math.min(this.items.length - 1, k));
    const top = this.at * this.how.height;
    const { scrollTop, clientHeight } = this.node;
    if (top < scrollTop) this.node.scrollTop = top;
    else if (top + this.how.height > scrollTop + clientHeight) this.node.scrollTop = top + this.how.height - clientHeight;
    this.draw();
    this.how.point?.(this.at);
  }

  /** Handle a key; says whether it was one of the list's. @param {KeyboardEvent} event */
  key(event) {
    if (event.key === "Enter" && !event.isComposing) {
      const item = this.items[this.at];
      if (item !== undefined) this.how.take(item);
      return true;
    }
    const to = movedTo(event.key, this.at, this.items.length, this.page);
    if (to < 0 || (["Home", "End"].includes(event.key) && typing(event) && !event.ctrlKey)) return false; // in a field they move its caret
    this.point(to);
    return true;
  }

  draw() {
    if (this.pressed) this.later ??= () => this.draw();
    else this.#fill();
  }

  #fill() {
    const { height } = this.how;
    const first = Math.max(0, Math.floor(this.node.scrollTop / height) - OVERSCAN);
    const last = Math.min(this.items.length, Math.ceil((this.node.scrollTop + this.node.clientHeight) / height) + OVERSCAN);
    const rows = [];
    for (let k = first; k < last; k++) rows.push(this.#row(k));
    this.inner.replaceChildren(...rows);
    attribute(this.node, "data-scrolls", this.items.length * height > this.node.clientHeight ? "true" : null); // a bar takes room beside the rows
  }

  /** @param {number} k */
  #row(k) {
    const { grid, id } = this.how;
    const node = el("div", {
      class: "fl-long-row",
      role: grid ? "row" : "option",
      id: `${id}-${k}`,
      "data-k": k,
      "aria-selected": String(k === this.at),
    });
    attribute(node, "aria-rowindex", grid ? k + 2 : null); // the first one is that of the column heads
    attribute(node, "aria-posinset", grid ? null : k + 1);
    attribute(node, "aria-setsize", grid ? null : this.items.length);
    node.style.transform = `translateY(${k * this.how.height}px)`;
    node.style.height = `${this.how.height}px`;
    node.append(...this.how.row(this.items[k], k));
    this.how.drawn?.(node, this.items[k]);
    return node;
  }

  /** @param {PointerEvent} event */
  #press(event) {
    if (!(/** @type {Element} */ (event.target).closest(".fl-long-row"))) return;
    this.pressed = true;
    const done = new AbortController();
    const release = () => {
      done.abort();
      setTimeout(() => this.#released()); // behind the click
    };
    for (const type of ["pointerup", "pointercancel", "dragend"]) addEventListener(type, release, { capture: true, signal: done.signal });
  }

  #released() {
    const { later } = this;
    this.pressed = false;
    this.later = null;
    later?.();
  }

  /** @param {Event} event */
  #clicked(event) {
    const at = /** @type {Element} */ (event.target);
    if (at.closest?.("button, label, a")) return; // has a meaning of its own
    const row = at.closest?.(".fl-long-row");
    const item = row ? this.items[Number(row.getAttribute("data-k"))] : undefined;
    if (item !== undefined) this.how.take(item);
  }

  stop() {
    this.watch.disconnect();
  }
}
