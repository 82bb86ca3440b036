// A long list of sets of messages: a heading each, rows of one height, nodes only for what is in sight.

import { attribute, button, el, write } from "../lib/dom.js";
import { int } from "../lib/format.js";
import { HEADING, Layout, ROW, scaling } from "../run/layout.js";
import { selectionIn } from "../why/selection.js";

/** A lane's letter, in the color of the message's region there; null: it is not in that window. @typedef {{letter: string, region: string | null}} Cell */
/** `key` names the message, whatever the windows are. @typedef {{key: string, cells: Cell[], name: string, preview: string, tokens: number, sealed: boolean, code: boolean, kind: string}} ListRow */
/**
 * `count` rows are shown; the last of them says how many `more` there are. `find` gives the place of a message by its key, or -1.
 * `act` is what a press on the note does.
 * @typedef {{id: string, title: string, what: string, note: string, act: (() => void) | null, count: number, more: number, opens: boolean, open: boolean, row: (k: number) => ListRow, find: (key: string) => number}} ListSection
 */

const OVERSCAN = 84;
/** Tokens of a full bar. */
const FULL = 2000;
const WIDEST = 44;

export class SetList {
  /** @param {(id: string) => void} toggle  opens or closes a set @param {() => void} resized  there is more or less room @param {(key: string) => void} choose  opens the message of a row */
  constructor(toggle, resized, choose) {
    this.toggle = toggle;
    this.choose = choose;
    /** The row that Tab leads to: the one that was chosen or walked to last. */ this.key = "";
    /** Whether the message of that row is shown. */ this.shown = false;
    /** @type {ListSection[]} */ this.sections = [];
    this.layout = new Layout([]);
    this.scale = scaling(0, 0);
    /** @type {Map<string, HTMLElement>} */ this.live = new Map();
    this.content = el("div", { class: "fl-content" });
    this.node = el("div", { class: "fl-sets-scroll", role: "region", "aria-label": "Messages by lanes" }, this.content);
    this.node.addEventListener("scroll", () => this.paint(), { passive: true });
    this.node.addEventListener("click", (event) => this.#pressed(event));
    this.node.addEventListener("keydown", (event) => this.#key(event));
    this.node.addEventListener("focusin", (event) => this.#reached(event));
    /** Height of what is seen. */ this.view = 0;
    this.watch = new ResizeObserver(() => ((this.view = this.node.clientHeight), this.#fit(), resized()));
    this.watch.observe(this.node);
  }

  /** The rows that are in sight at once, of so many sets. @param {number} sets */
  roomOf(sets) {
    return Math.floor((this.view - sets * HEADING) / ROW);
  }

  /** @param {ListSection[]} sections */
  show(sections) {
    this.sections = sections;
    this.layout = new Layout(sections.map(({ id, title, count }) => ({ id, title, count, row: () => /** @type {never} */ (null), find: () => -1 })));
    this.#fit();
  }

  /** A click that selects text opens nothing. @param {MouseEvent} event */
  #pressed(event) {
    const row = rowAt(event);
    if (row?.dataset.key && !selectionIn(this.node)) this.choose(row.dataset.key);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const row = rowAt(event);
    if (!row?.dataset.key || !["Enter", " "].includes(event.key) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    this.choose(row.dataset.key);
  }

  /** Where no message is shown, the row that has the focus is the one to go on from. @param {FocusEvent} event */
  #reached(event) {
    const row = rowAt(event);
    if (row?.dataset.key && !this.shown) this.key = row.dataset.key;
  }

  /** Mark the row of a message. @param {string} key @param {boolean} shown  whether its text is on show */
  mark(key, shown) {
    this.key = key;
    this.shown = shown;
    this.paint();
  }

  /** Whether a row has the focus. */
  get focused() {
    const at = focusIn(this.node);
    return at instanceof HTMLElement && at.matches(".fl-set-row") && this.node.contains(at);
  }

  /** Where the row of a message is, or null. @param {string} key */
  #find(key) {
    const section = key ? this.sections.findIndex((one) => one.find(key) >= 0) : -1;
    const k = this.sections[section]?.find(key) ?? -1;
    return k >= 0 && k < rowsOf(this.sections[section]) ? { section, k } : null;
  }

  /** The key of the row below or above the marked one, of the first in sight where none is marked; a set that is shortened opens. @param {1 | -1} by */
  beside(by) {
    const at = this.#find(this.key);
    if (!at) return this.#first()?.dataset.key ?? "";
    let [section, k] = [at.section, at.k + by];
    if (k >= rowsOf(this.sections[section]) && this.sections[section].more) this.toggle(this.sections[section].id);
    while (k < 0 || k >= rowsOf(this.sections[section])) {
      section += by;
      if (!this.sections[section]) return this.key;
      k = by > 0 ? 0 : rowsOf(this.sections[section]) - 1;
    }
    return this.sections[section].row(k).key;
  }

  #first() {
    return /** @type {HTMLElement | null} */ (this.content.querySelector(".fl-set-row"));
  }

  /** Have the focus on the marked row, in sight. */
  focus() {
    const at = this.#find(this.key);
    if (at) this.#bring(this.layout.item(at.section, at.k));
    (this.#marked() ?? this.#first())?.focus({ preventScroll: true });
  }

  /** Scroll as little as has to be for an item to be in sight. @param {import("../run/layout.js").Item} item */
  #bring({ section, k, y, height }) {
    const top = this.scale.virtual(this.node.scrollTop);
    const from = k ? y : y - HEADING; // the first of a set with its heading
    const to = from < top ? from : y + height > top + this.view ? y + height - this.view : top;
    if (section < 0 || to === top) return;
    this.node.scrollTop = this.scale.scroll(to);
    this.paint();
  }

  #marked() {
    return this.#node(this.key);
  }

  /** The row of a message, if it is in sight. @param {string} key */
  #node(key) {
    const nodes = /** @type {HTMLElement[]} */ ([...this.content.children]);
    return nodes.find(({ dataset }) => dataset.key === key);
  }

  #fit() {
    this.scale = scaling(this.layout.height, this.view);
    const height = `${this.scale.element}px`;
    if (this.content.style.height !== height) this.content.style.height = height;
    this.paint();
  }

  /** Draw what is in sight. */
  paint() {
    const scroll = this.node.scrollTop;
    const top = this.scale.virtual(scroll);
    const items = this.layout.between(Math.max(0, top - OVERSCAN), top + this.view + OVERSCAN);
    const focused = focusIn(this.node);
    const was = this.focused ? /** @type {HTMLElement} */ (focused).dataset.key : "";
    const nodes = items.map(({ section, k, y, height }) => {
      const node = this.#filled(this.sections[section], k);
      node.style.transform = `translateY(${y + scroll - top}px)`;
      node.style.height = `${height}px`;
      return node;
    });
    const keep = new Set(nodes);
    for (const [key, node] of this.live) if (!keep.has(node)) node.remove(), this.live.delete(key);
    nodes.forEach((node, k) => this.content.children[k] !== node && this.content.insertBefore(node, this.content.children[k] ?? null));
    this.#stop();
    const follows = was ? (this.#node(was) ?? focused) : focused;
    if (follows instanceof HTMLElement && keep.has(follows)) follows.focus({ preventScroll: true });
    else if (was) this.#first()?.focus({ preventScroll: true }); // its row is out of sight
  }

  /** One row can be reached by Tab, and one is marked. */
  #stop() {
    const stop = this.#marked() ?? this.#first();
    for (const node of /** @type {NodeListOf<HTMLElement>} */ (this.content.querySelectorAll(".fl-set-row"))) {
      attribute(node, "tabindex", node === stop ? "0" : "-1");
      attribute(node, "aria-pressed", String(this.shown && node.dataset.key === this.key));
    }
  }

  /** @param {ListSection} section @param {number} k */
  #filled(section, k) {
    const last = section.more > 0 && k === section.count - 1;
    const kind = k < 0 ? "heading" : last ? "more" : "row";
    const key = `${section.id} ${kind} ${k}`;
    const node = this.live.get(key) ?? made(kind, () => this.toggle(section.id));
    this.live.set(key, node);
    if (kind === "heading") fillHeading(node, section, () => this.toggle(section.id));
    else if (kind === "more") write(node, `▸ ${int(section.more)} more`);
    else fillRow(node, section.row(k));
    return node;
  }
}

/** @param {string} kind @param {() => void} open */
function made(kind, open) {
  if (kind === "more") return button("", open, { class: "fl-set-more" });
  if (kind === "heading") return el("h3", { class: "fl-heading" });
  const parts = ["fl-cells", "fl-role", "fl-preview", "fl-meter", "fl-tokens"].map((name) =>
    el("span", { class: name, ...(name === "fl-preview" && { dir: "auto" }) }),
  );
  parts[3].append(el("i"));
  return el("div", { class: "fl-row fl-set-row", role: "button" }, ...parts);
}

/** The rows of a set that are shown, without the line that stands for the others. @param {ListSection} section */
const rowsOf = ({ count, more }) => count - Number(more > 0);

/** @param {Event} event */
const rowAt = ({ target }) => /** @type {HTMLElement | null} */ (target instanceof Element ? target.closest(".fl-set-row") : null);

/** @param {Node} node */
const focusIn = (node) => /** @type {ShadowRoot} */ (node.getRootNode()).activeElement;

/** @param {HTMLElement} node @param {ListSection} section @param {() => void} toggle */
function fillHeading(node, { title, what, note, act, opens, open }, toggle) {
  const said = JSON.stringify([title, what, note, opens, open]);
  if (node.dataset.said === said) return;
  node.dataset.said = said;
  const name = el("span", { class: "fl-set-title", text: title });
  const lead = opens && open ? button("▾ ", toggle, { class: "fl-set-fold", "aria-label": `Show fewer: ${title}` }) : "";
  node.replaceChildren(
    lead,
    name,
    el("b", { text: what }),
    act ? button(note, act, { class: "fl-note fl-set-act" }) : el("span", { class: "fl-note", text: note }),
  );
}

/** @param {HTMLElement} node @param {ListRow} row */
function fillRow(node, { key, cells, name, preview, tokens, sealed, code, kind }) {
  const [letters, role, text, meter, amount] = /** @type {HTMLElement[]} */ ([...node.children]);
  const there = cells.map(({ letter, region }) => (region ? `${letter}: ${region}` : `${letter}: not in the window`)).join(", ");
  const seen = cells.map(({ letter, region }) => `${letter}${region}`).join();
  if (letters.dataset.seen !== seen) {
    letters.dataset.seen = seen;
    letters.replaceChildren(
      ...cells.map(({ letter, region }) =>
        el("span", { class: region ? `fl-badge fl-is-${region}` : "fl-absent", "aria-hidden": "true", text: region ? letter : "–" }),
      ),
      el("span", { class: "fl-said", text: there }),
    );
  }
  attribute(node, "title", `${there}\n${name}, ${sealed ? "size unknown" : `${int(tokens)} tokens`}\n${preview}`);
  attribute(node, "data-key", key);
  attribute(node, "data-kind", kind || null);
  node.classList.toggle("fl-code", code);
  write(role, name);
  write(text, preview);
  write(amount, sealed ? "?" : int(tokens));
  const bar = /** @type {HTMLElement} */ (meter.firstElementChild);
  bar.className = `fl-bar-${cells.find(({ region }) => region)?.region ?? "message"}`;
  bar.style.width = `${tokens > 0 ? Math.max(2, Math.min(WIDEST, Math.round((WIDEST * tokens) / FULL))) : 0}px`;
}
