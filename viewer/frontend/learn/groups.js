// The groups of the board, of which there may be any number: rows for those in view, one of which Tab leads to.

import { attribute, el, write } from "../lib/dom.js";
import { int, pluralize } from "../lib/format.js";
import { movedTo } from "../lib/longlist.js";
/** @import { Group } from "./types.js" */

/** The height of a row, as in learn.css. */
const HEIGHT = 30;
const OVERSCAN = 6;

export class Groups {
  /** @param {{toggle: (group: Group, box: HTMLInputElement) => void, read: (group: Group) => void}} how */
  constructor(how) {
    this.how = how;
    /** @type {Group[]} */ this.groups = [];
    /** The rows that are made. @type {Map<number, HTMLElement>} */ this.rows = new Map();
    /** How the groups stand. */ this.now = { kept: /** @type {Set<number>} */ (new Set()), plays: false, told: false };
    /** The row that Tab leads to. */ this.at = 0;
    /** The row whose message is read, and that where a name stood. */ this.marked = { read: -1, where: -1 };
    this.list = el("ul", { "aria-label": "The past, to keep or not" });
    this.root = el("div", { class: "fl-board-groups" }, this.list);
    this.root.addEventListener("scroll", () => this.draw(), { passive: true });
    this.root.addEventListener("keydown", (event) => this.#key(event));
    this.watch = new ResizeObserver(() => this.draw());
    this.watch.observe(this.root);
  }

  /** @param {Group[]} groups @param {{kept: Set<number>, plays: boolean, told: boolean}} now */
  show(groups, now) {
    this.now = now;
    if (groups.map(({ id }) => id).join() !== this.groups.map(({ id }) => id).join()) this.#begin(groups);
    this.groups = groups;
    this.draw();
  }

  /** @param {Group[]} groups */
  #begin(groups) {
    this.rows.clear();
    this.list.replaceChildren();
    this.list.style.height = `${groups.length * HEIGHT}px`;
    this.root.scrollTop = 0;
    this.at = 0;
    this.marked = { read: -1, where: -1 };
  }

  /** Make the rows that are in view; that which Tab leads to stays. */
  draw() {
    const { scrollTop, clientHeight } = this.root;
    const first = Math.max(0, Math.floor(scrollTop / HEIGHT) - OVERSCAN);
    const last = Math.min(this.groups.length, Math.ceil((scrollTop + clientHeight) / HEIGHT) + OVERSCAN);
    this.#make(this.groups.map((_, k) => k).filter((k) => (k >= first && k < last) || k === this.at));
    for (const [k, row] of this.rows) this.#mark(row, k);
  }

  /** Rows that stay are not moved, or one would lose the focus. @param {number[]} wanted */
  #make(wanted) {
    for (const [k, row] of this.rows) {
      if (wanted.includes(k)) continue;
      row.remove();
      this.rows.delete(k);
    }
    /** @type {HTMLElement | null} */ let after = null;
    for (const k of wanted.reverse()) {
      const row = this.rows.get(k) ?? this.#row(this.groups[k], k);
      if (!this.rows.has(k)) this.list.insertBefore(row, after);
      this.rows.set(k, row);
      after = row;
    }
  }

  /** @param {Group} group @param {number} k */
  #row(group, k) {
    const { id, label, count, preview, tokens } = group;
    const at = el("span", { class: "fl-board-at", text: int(id + 1), title: `message ${int(id + 1)}` });
    const box = el("input", { type: "checkbox", "data-group": id });
    box.addEventListener("change", () => this.how.toggle(group, box));
    const name = el(
      "span",
      { class: "fl-board-name" },
      label,
      count > 1 && el("span", { class: "fl-board-count", text: String(count), title: pluralize(count, "message") }),
    );
    const text = el("span", { class: "fl-preview", text: preview, dir: "auto" });
    const figures = [el("span", { class: "fl-board-later" }), el("span", { class: "fl-tokens", text: int(tokens) })];
    const row = el("li", { "aria-setsize": this.groups.length, "aria-posinset": k + 1 }, el("label", {}, box, at, name, text, ...figures));
    row.style.transform = `translateY(${k * HEIGHT}px)`;
    row.addEventListener("focusin", () => this.#choose(k));
    row.addEventListener("pointerdown", () => this.#choose(k));
    return row;
  }

  /** @param {HTMLElement} row @param {number} k */
  #mark(row, k) {
    const { kept, plays, told } = this.now;
    const { id, later } = this.groups[k];
    const box = boxOf(row);
    box.checked = kept.has(id);
    box.tabIndex = k === this.at ? 0 : -1;
    attribute(box, "aria-disabled", plays ? null : "true");
    attribute(row, "data-kept", kept.has(id));
    attribute(row, "data-read", k === this.marked.read);
    attribute(row, "data-where", k === this.marked.where);
    const said = told && later !== undefined && later !== null;
    write(/** @type {HTMLElement} */ (row.querySelector(".fl-board-later")), said ? `${int(later)} later` : "");
  }

  /** Read a group: its message stands beside the board. @param {number} k */
  #choose(k) {
    this.at = k;
    this.marked.read = k;
    this.draw();
    this.how.read(this.groups[k]);
  }

  /** Keys walk through the groups. @param {KeyboardEvent} event */
  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const page = Math.max(1, Math.floor(this.root.clientHeight / HEIGHT) - 1);
    const to = movedTo(event.key, this.at, this.groups.length, page);
    if (to < 0) return;
    event.preventDefault();
    this.focus(to);
  }

  /** @param {number} [k]  the row that Tab leads to, if none is said */
  focus(k = this.at) {
    this.at = k;
    this.#show(k);
    const row = this.rows.get(k);
    if (row) boxOf(row).focus({ preventScroll: true });
  }

  /** Bring a row into view. @param {number} k */
  #show(k) {
    const { scrollTop, clientHeight } = this.root;
    const top = k * HEIGHT;
    if (top < scrollTop) this.root.scrollTop = top;
    else if (top + HEIGHT > scrollTop + clientHeight) this.root.scrollTop = top + HEIGHT - clientHeight;
    this.draw();
  }

  /** Where a name stood: the group of that message. @param {number | null} place */
  point(place) {
    const k = place === null ? -1 : this.groups.findLastIndex(({ id }) => id <= place);
    this.marked.where = k;
    if (k >= 0) this.#show(k);
    else this.draw();
  }

  destroy() {
    this.watch.disconnect();
  }
}

/** @param {HTMLElement} row */
const boxOf = (row) => /** @type {HTMLInputElement} */ (row.querySelector("input"));
