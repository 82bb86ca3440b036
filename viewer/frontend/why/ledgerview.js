// The ledger of a compaction on its card: filters, and a list that makes nodes only for what is in view.

import { attribute, button, el, visible, write } from "../lib/dom.js";
import { int } from "../lib/format.js";
import { LongList, movedTo } from "../lib/longlist.js";
import { entryNear, entryWords, filters, headingOver, isCode, isMissed, keptOf, keptWords, lines, missedWords } from "./ledger.js";
import { WholeText } from "./wholetext.js";
/** @import { Filter, Line } from "./ledger.js" */
/** @import { Entry, Provenance } from "./provenance.js" */

/** Pixels of a line. */
const LINE = 24;
const EMPTY = "Nothing was found in what the compaction took: no instruction, decision, file, name, number, command, error or open task.";

/** What the ledger does in the debugger. @typedef {{go: (step: number) => void, place: (step: number) => string, mark: (step: number) => string, select: (pool: number) => void, why: (text: string) => void}} Guide */

let views = 0;

export class LedgerView {
  /** @param {Guide} guide */
  constructor(guide) {
    this.guide = guide;
    /** @type {Entry[]} */ this.ledger = [];
    /** @type {Filter} */ this.filter = "all";
    this.leftOut = 0;
    this.where = "";
    this.id = `fl-ledger-${++views}`;
    this.chips = el("div", { class: "fl-kinds fl-ledger-kinds", role: "group", "aria-label": "Filter the ledger" });
    this.third = el("div", { role: "columnheader" });
    const head = el(
      "div",
      { class: "fl-ledger-row fl-ledger-head", role: "row", "aria-rowindex": 1 },
      el("div", { role: "columnheader", text: "what" }),
      el("div", { role: "columnheader", text: "said at" }),
      this.third,
      el("div", { role: "columnheader", text: "needed" }),
    );
    /** @type {LongList<Line>} */ this.list = new LongList({
      ...{ label: "Ledger", id: this.id, height: LINE, grid: true },
      row: (/** @type {Line} */ line, k) => this.#cells(line, k),
      take: (/** @type {Line} */ line) => this.#take(line),
      point: () => this.#pointed(),
      drawn: (node, line) => this.#drawn(node, line),
      scrolled: () => (this.#stick(), this.#chosenWhole()),
    });
    this.sticky = el("div", { class: "fl-ledger-kind fl-ledger-sticky", "aria-hidden": "true" });
    this.list.node.tabIndex = -1; // the grid around it has the keys, and says which row they point at
    const named = { class: "fl-ledger", role: "grid", "aria-label": "Ledger", tabindex: 0 };
    this.grid = el("div", named, el("div", { role: "rowgroup" }, head), this.list.node);
    this.none = el("p", { class: "fl-none" });
    this.lists = el("div", { class: "fl-ledger-lists" }, this.grid, this.sticky);
    this.node = el("div", { class: "fl-ledger-box" }, this.chips, this.lists, this.none);
    this.whole = new WholeText(this.lists);
    this.grid.addEventListener("keydown", (event) => this.#key(event));
    this.grid.addEventListener("focusin", () => this.#chosenWhole());
    this.grid.addEventListener("focusout", () => this.whole.show());
    this.list.node.addEventListener("pointerover", (event) => this.whole.show(textIn(/** @type {Element} */ (event.target).closest(".fl-long-row"))));
    this.list.node.addEventListener("pointerleave", () => this.#chosenWhole());
  }

  /**
   * Show a ledger.
   * @param {Provenance} provenance
   * @param {string} where  what became of it: "in summary #2"
   * @param {string} [unreadable]  why nobody can read the summary
   * @param {string} [stayed]  what is known to have stayed all the same
   */
  show({ ledger, left_out: leftOut = 0 }, where, unreadable = "", stayed = "") {
    const same = ledger === this.ledger;
    const { at } = this.list;
    Object.assign(this, { ledger, leftOut, where });
    write(this.third, where);
    write(
      this.none,
      unreadable ? `Nobody can read the summary: ${visible(unreadable)}. ${stayed && `${stayed} `}What the compaction took is under Removed.` : EMPTY,
    );
    this.#draw(same ? at : 0);
  }

  /** @param {number} [at] the line that is pointed at */
  #draw(at = 0) {
    const found = filters(this.ledger);
    if (!found.find(({ filter }) => filter === this.filter)?.count) this.filter = "all";
    this.chips.replaceChildren(...found.map((one) => this.#chip(one)));
    const left = lines(this.ledger, this.filter, this.leftOut);
    this.none.hidden = left.length > 0;
    this.lists.hidden = this.chips.hidden = !left.length;
    attribute(this.grid, "aria-rowcount", left.length + 1);
    this.list.show(left, Math.max(0, entryNear(left, at, 1)));
  }

  /** @param {{filter: Filter, name: string, count: number}} chip */
  #chip({ filter, name, count }) {
    const choose = () => {
      this.filter = filter;
      this.#draw();
      /** @type {HTMLElement | null} */ (this.chips.querySelector('[aria-pressed="true"]'))?.focus({ preventScroll: true });
    };
    const named = { class: "fl-kind", "aria-pressed": String(filter === this.filter), disabled: count === 0, "data-filter": filter };
    const node = button("", choose, named);
    const kinds = filter === "missed" ? missedWords(this.ledger) : "";
    node.append(`${name} `, el("b", { text: int(count) }), ...(kinds ? [`(${kinds})`] : []));
    return node;
  }

  /** @param {Line} line @param {number} k */
  #cells(line, k) {
    if ("heading" in line) return [el("div", { class: "fl-ledger-kind", role: "gridcell", "aria-colspan": 4, text: line.heading })];
    if ("more" in line) return [el("div", { class: "fl-ledger-more", role: "gridcell", "aria-colspan": 4, text: line.more })];
    const { entry } = line;
    const tab = k === this.list.at ? 0 : -1;
    const text = visible(entry.text);
    const what = el("div", { role: "gridcell", class: isCode(entry) ? "fl-code" : "" }, el("span", { class: "fl-ledger-text", text, dir: "auto" }));
    if (tab === 0) what.append(this.#why(entry));
    const state = el(
      "div",
      { role: "gridcell", class: "fl-ledger-state", "data-state": entry.in_summary, title: keptOf(entry) || null },
      el("i"),
      keptWords(entry),
    );
    const needed = entry.needed_at < 0 ? el("span", { class: "fl-ledger-none", text: "–" }) : this.#step(entry.needed_at, tab, isMissed(entry));
    const cells = [what, el("div", { role: "gridcell" }, this.#step(entry.said_at, tab)), state, el("div", { role: "gridcell" }, needed)];
    return [el("div", { class: "fl-ledger-row", role: "presentation" }, ...cells)];
  }

  /** @param {Entry} entry */
  #why(entry) {
    const press = () => this.guide.why(entry.text);
    return button("Why", press, { class: "fl-ledger-why", title: "Where did it go? (w)", tabindex: 0 });
  }

  /** A link to a step. @param {number} step @param {number} tab @param {boolean} [missed] */
  #step(step, tab, missed = false) {
    const node = button(this.guide.mark(step), () => this.guide.go(step), {
      class: missed ? "fl-link fl-missed" : "fl-link",
      tabindex: tab,
      "aria-label": this.guide.place(step),
    });
    if (missed) node.prepend(el("span", { "aria-hidden": "true", text: "▼ " }));
    return node;
  }

  /** @param {HTMLElement} node @param {Line} line */
  #drawn(node, line) {
    if ("heading" in line) return node.classList.add("fl-ledger-group");
    if (!("entry" in line)) return;
    attribute(node, "aria-label", entryWords({ ...line.entry, text: visible(line.entry.text) }, this.where, this.guide.place));
  }

  /** @param {Line} line */
  #take(line) {
    if (!("entry" in line)) return;
    this.list.point(this.list.items.indexOf(line));
    this.grid.focus({ preventScroll: true });
  }

  #pointed() {
    attribute(this.grid, "aria-activedescendant", this.list.active);
    this.#stick();
    this.#chosenWhole();
  }

  /** The text of the chosen row is there whole while the keys are here. */
  #chosenWhole() {
    const focused = this.grid.matches(":focus-within");
    this.whole.show(focused ? textIn(this.list.node.querySelector('[aria-selected="true"]')) : null);
  }

  /** The heading of the kind at the top stays in sight. */
  #stick() {
    const { scrollTop } = this.list.node;
    const at = Math.floor(scrollTop / LINE);
    const next = this.list.items[at + 1];
    const own = scrollTop <= at * LINE && "heading" in (this.list.items[at] ?? {});
    write(this.sticky, headingOver(this.list.items, at));
    this.sticky.hidden = own || !this.list.items.length;
    this.sticky.style.translate = next && "heading" in next ? `0 ${at * LINE - scrollTop}px` : "";
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const line = this.list.items[this.list.at];
    const on = event.target === this.grid;
    const to = movedTo(event.key, this.list.at, this.list.items.length, this.list.page);
    if (to >= 0) this.#walk(to);
    else if (!line || !("entry" in line)) return;
    else if (event.key === "w") this.guide.why(line.entry.text);
    else if (event.key === "Enter" && on) this.guide.select(line.entry.at);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param {number} to */
  #walk(to) {
    const near = entryNear(this.list.items, to, to < this.list.at ? -1 : 1);
    this.grid.focus({ preventScroll: true });
    if (near >= 0) this.list.point(near);
    if (near === 1) this.list.node.scrollTop = 0;
  }

  stop() {
    this.list.stop();
  }
}

/** The text of a row. @param {Element | null} row @returns {HTMLElement | null} */
const textIn = (row) => row?.querySelector(".fl-ledger-text") ?? null;
