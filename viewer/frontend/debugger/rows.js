// A list of messages that shows any number of them with the same few nodes: rows are recycled as it scrolls.

import { attribute, el, write } from "../lib/dom.js";
import { int } from "../lib/format.js";
import { aboveCount, aboveWords } from "../run/above.js";
import { HEADING, Layout, ROW, scaling } from "../run/layout.js";
import { RowView } from "./row.js";
import { ToldRow } from "./toldrow.js";

/** @typedef {import("../run/layout.js").Row} Row */
/** @typedef {import("../run/layout.js").Section} Section */
/** @typedef {import("../run/layout.js").Item} Item */

const OVERSCAN = 4 * ROW;
/** Rows kept for later; a screenful is replaced at once when playback is fast. */
const SPARE = 48;
/** Rows that may stay in sight at the top. */
const MOST_STUCK = 3;
/** Letters of a heading and of what is above that find room side by side in a narrow list. */
const NARROW_HEADING = 46;
/** What a person scrolls with. */
const HANDLING = ["wheel", "touchstart", "pointerdown", "keydown"];
let lists = 0;

/**
 * The list: `show` sections, `select` a key. Calls `choose(row)` when a person chooses a row, `open(section)`
 * when a heading.
 */
export class RowList {
  /**
   * @param {{label: string, choose?: (row: Row) => void, open?: (section: Section) => void, moved?: () =>
   * void, resized?: () => void}} options
   */
  constructor(options) {
    this.options = options;
    this.id = `fl-list-${++lists}`;
    this.layout = new Layout([]);
    this.scale = scaling(0, 0);
    /** What to add to a height in the list to get one in the scrolled element. */
    this.shift = 0;
    this.full = 1;
    /** Whether a person may scroll it from where it stands: what becomes shorter, or larger, the browser scrolls. */ this.handled = false;
    /** @type {number | undefined} */ this.viewHeight = undefined;
    /** The height at its end over which it fades while it goes on below: nobody scrolls it, so it says how many follow. */
    this.fade = 0;
    /** The section that goes on below, and by how many rows. */ this.below = { section: -1, rows: 0 };
    /** The height at its end that something else has: no row is drawn there. */
    this.covered = 0;
    /** Keep the end in sight as the list grows. */
    this.follow = false;
    /** The message that stays in sight whatever else does, or -1. */
    this.hold = -1;
    /** The key of the row that is marked. @type {string | null} */ this.selected = null;
    /** Whether a person chose it. */
    this.chosen = false;
    this.pool = -1;
    /** @type {Set<string>} */ this.paired = new Set();
    /** What a finding is about. @type {Set<string>} */ this.about = new Set();
    /** What the chosen sentence of a summary comes from. @type {Set<string>} */ this.sources = new Set();
    /** @type {Map<string, RowView>} */ this.live = new Map();
    /** @type {Map<string, HTMLElement>} */ this.headings = new Map();
    /** @type {RowView[]} */ this.spare = [];
    this.made = 0;
    /** Where it was scrolled to when it was drawn last. */ this.painted = -1;
    /** What of the first section stays in sight. */ this.front = el("div", { class: "fl-front", role: "presentation" });
    this.content = el("div", { class: "fl-content", role: "presentation" });
    this.scroller = el("div", { class: "fl-scroll", role: "listbox", tabindex: 0, "aria-label": options.label }, this.front, this.content);
    this.sticky = el("div", { class: "fl-heading fl-sticky", "aria-hidden": "true" });
    /** What has been scrolled away above; leads back to it. */
    this.above = el(
      "button",
      { type: "button", class: "fl-above", tabindex: -1, title: "Scroll to the top of the window" },
      el("span", { class: "fl-above-words" }),
      el("span", { class: "fl-above-count", "aria-hidden": "true" }),
    );
    /** What a room is told of. */ this.told = new ToldRow();
    this.node = el("div", { class: "fl-list" }, this.scroller, this.sticky);
    this.#listen();
  }

  #listen() {
    this.scroller.addEventListener("scroll", () => this.#scrolled(), { passive: true });
    for (const type of HANDLING) this.node.addEventListener(type, () => (this.handled = true), { passive: true });
    this.scroller.addEventListener("keydown", (event) => this.#key(event));
    this.scroller.addEventListener("click", (event) => this.#clicked(/** @type {Element} */ (event.target)));
    this.above.addEventListener("click", (event) => (event.stopPropagation(), this.scrollTo(0), this.#scrolled()));
    this.sticky.addEventListener("click", () => this.#openHeading(this.sticky.dataset.section ?? ""));
    new ResizeObserver(() => this.#resized()).observe(this.scroller);
  }

  /** Height of what is seen, in pixels. */
  get view() {
    return this.viewHeight ?? (this.viewHeight = this.scroller.clientHeight);
  }

  /** The top of what is seen, as a height in the list. */
  get top() {
    return this.scale.virtual(this.scroller.scrollTop);
  }

  /** How many sections stay in sight at the top while others follow them: a few rows that leave room for the rest. */
  get stuck() {
    const { sections, tops } = this.layout;
    const rows = (/** @type {number} */ end) => sections.slice(0, end).reduce((sum, { count }) => sum + count, 0);
    let k = 0;
    while (sections[k]?.sticks && sections[k + 1] && rows(k + 1) <= MOST_STUCK && tops[k + 1] <= this.view / 3) k += 1;
    return k;
  }

  /** Their height. */
  get roof() {
    return this.layout.tops[this.stuck] ?? 0;
  }

  /** Show these sections: at the end if following, else with what was seen kept where it was. @param {Section[]} sections */
  show(sections) {
    const anchor = this.follow ? null : this.#anchor();
    this.layout = new Layout(sections);
    this.#fit();
    if (this.follow) this.scrollTo(this.end);
    else if (anchor) this.scrollTo(anchor());
    if (this.hold < 0 || !this.reveal(this.hold)) this.paint();
  }

  /** Give the end of what is seen to something else, nothing of it where that is 0. @param {number} height */
  cover(height) {
    if (this.covered === height) return;
    this.covered = height;
    this.paint();
  }

  /** The height, from the top of what is seen, at which the last row ends that is whole above another. @param {number} height */
  wholeAbove(height) {
    const { top, roof, layout } = this;
    const seen = layout.between(top + roof, top + height).filter((item) => item.k >= 0 && item.y + item.height <= top + height);
    const last = seen.at(-1);
    return last ? last.y + last.height - top : 0;
  }

  /** The height, from the top of what is seen, at which a message ends; 0 where it is not in sight. @param {number} pool */
  endOf(pool) {
    const item = this.layout.find(pool);
    const end = item ? item.y + item.height - this.top : 0;
    return end > this.view ? 0 : Math.max(0, end);
  }

  /** The height at the top when the list is at its end: whole rows, so there may be some space below the last. */
  get end() {
    const { height } = this.layout;
    return height > this.view ? Math.max(height - this.view, this.rest(height - this.view)) : 0;
  }

  /** Whether its last row is in sight. */
  get atEnd() {
    return this.top + this.view >= this.layout.height - 8;
  }

  /** The top at or below `y` at which whole rows are seen under what stays in sight. @param {number} y */
  rest(y) {
    return Math.max(0, this.layout.snap(y + this.roof) - this.roof);
  }

  #fit() {
    this.scale = scaling(Math.max(this.layout.height, this.end + this.view), this.view);
    const height = `${this.scale.element}px`;
    if (this.content.style.height !== height) this.content.style.height = height;
  }

  /** A function that tells, in a later layout, the top at which the first row now seen stays put. */
  #anchor() {
    const { top, roof } = this;
    const seen = this.layout.between(top + roof, top + this.view).filter((item) => item.k >= 0 && item.y >= top + roof);
    const rows = seen.slice(0, 12).map((item) => ({ pool: this.layout.row(item).pool, offset: item.y - top }));
    return () => {
      for (const { pool, offset } of rows) {
        const found = this.layout.find(pool);
        if (found) return found.y - offset;
      }
      return top;
    };
  }

  /** Scroll so that a height of the list is at the top. @param {number} y */
  scrollTo(y) {
    const scroll = this.scale.scroll(y);
    if (Math.abs(this.scroller.scrollTop - scroll) < 0.5) return;
    this.scroller.scrollTop = scroll;
    this.handled = false;
  }

  /** Bring a message into view; says whether it is in the list. @param {number} pool */
  reveal(pool) {
    if (!this.layout.find(pool)) return false;
    this.scrollTo(this.topFor(pool, this.top));
    this.paint();
    return true;
  }

  /**
   * The top at which a message is in sight: the one given where it already is, or where it is not in the list.
   * @param {number} pool
   * @param {number} from
   */
  topFor(pool, from) {
    const item = this.layout.find(pool);
    if (!item || item.y < this.roof) return from;
    const top = from + this.roof + HEADING;
    const fade = from < this.end ? this.fade : 0;
    const bottom = from + this.view - ROW - fade;
    const near = item.y > top - 3 * ROW && item.y < bottom + 3 * ROW;
    const middle = this.rest(item.y - this.view / 2);
    if (item.y < top) return near ? item.y - HEADING - this.roof : middle;
    if (item.y > bottom) return near ? Math.min(this.end, this.rest(item.y - this.view + ROW + fade)) : middle;
    return from;
  }

  /**
   * Mark a row as the one that is shown, and others as belonging to it.
   * @param {string | null} key
   * @param {number} pool
   * @param {{paired?: string[], about?: string[], sources?: string[]}} [others]  of its tool pair; what the chosen finding is about; what the
   * chosen sentence of a summary comes from
   * @param {boolean} [chosen] whether a person chose it
   */
  select(key, pool, { paired = [], about = [], sources = [] } = {}, chosen = true) {
    this.selected = key;
    this.chosen = chosen;
    this.pool = pool;
    this.paired = new Set(paired);
    this.about = new Set(about);
    this.sources = new Set(sources);
    for (const [name, view] of this.live) this.#mark(name, view);
    attribute(this.scroller, "aria-activedescendant", key && this.live.get(key)?.node.id);
  }

  /** Draw what is in sight. */
  paint() {
    const scroll = this.scroller.scrollTop; // read once: after a write it would cost a layout
    const top = this.scale.virtual(scroll);
    this.painted = scroll;
    this.shift = scroll - top;
    const bottom = top + this.view - this.covered;
    this.below = this.fade ? this.#goesOn(bottom) : { section: -1, rows: 0 };
    const items = this.#near(top);
    const rows = new Map(items.flatMap((item) => (item.k < 0 ? [] : [[item, this.layout.row(item)]])));
    this.#recycle(new Set([...rows.values()].map((row) => row.key)));
    this.#dropHeadings(items);
    const placed = items.map((item) => this.#place(item, rows.get(item)));
    const front = this.stuck;
    const stuck = front ? items.findIndex((item) => item.section >= front) : 0;
    this.#order(this.front, placed.slice(0, stuck));
    this.#order(this.content, placed.slice(stuck));
    for (const view of this.spare) view.node.remove();
    this.spare.length = Math.min(this.spare.length, SPARE);
    this.#paintSticky(top + this.roof);
    this.told.draw(this, top);
    attribute(this.node, "data-more", !this.covered && bottom < this.layout.height - 1 ? "true" : null);
    attribute(this.scroller, "aria-activedescendant", this.selected && this.live.get(this.selected)?.node.id);
  }

  /** Which section goes on below a height, and how many of its rows are not seen as a whole. @param {number} bottom */
  #goesOn(bottom) {
    const section = this.layout.at(bottom - 1)?.section ?? -1;
    if (section < 0) return { section, rows: 0 };
    const { count } = this.layout.sections[section];
    const end = this.layout.item(section, count - 1).y + ROW;
    return { section, rows: Math.min(count, Math.max(0, Math.ceil((end - bottom) / ROW - 0.02))) };
  }

  /** What stands at the right of the heading of a section. @param {number} section */
  noteOf(section) {
    const { note } = this.layout.sections[section];
    const { below } = this;
    const more = below.section === section && below.rows > 0 && `↓ ${int(below.rows)} more`;
    return [note, more].filter(Boolean).join(" · ");
  }

  /** What stays in sight, and what is in sight at this top or nearly so. @param {number} top @returns {Item[]} */
  #near(top) {
    const { stuck, layout } = this;
    const roof = layout.tops[stuck] ?? 0;
    const ahead = this.covered ? -this.covered : OVERSCAN;
    const rolling = layout.between(Math.max(0, top + roof - OVERSCAN), top + this.view + ahead);
    return stuck ? [...layout.between(0, roof), ...rolling.filter((item) => item.section >= stuck)] : rolling;
  }

  /**
   * Set aside the rows no longer in sight. Where some stay, the others leave the page, to come back in their
   * place; where none does, as in fast playback, all are filled anew as they stand.
   * @param {Set<string>} wanted
   */
  #recycle(wanted) {
    const gone = [...this.live].filter(([key]) => !wanted.has(key));
    for (const [key, view] of gone) {
      this.live.delete(key);
      this.spare.push(view);
    }
    if (this.live.size) for (const view of this.spare) view.node.remove();
  }

  /** The nodes stand in the page in the order they are seen, for whoever reads them there. @param {HTMLElement} inside @param {HTMLElement[]} nodes */
  #order(inside, nodes) {
    let at = inside.firstElementChild;
    for (const node of nodes) {
      if (node === at) at = at.nextElementSibling;
      else inside.insertBefore(node, at);
    }
  }

  /** The node of an item, filled and where it belongs. @param {Item} item @param {Row} [row] none for a heading */
  #place(item, row) {
    const node = row ? this.#fillRow(item, row) : this.#fillHeading(item);
    node.style.transform = `translateY(${item.y < this.roof ? item.y : item.y + this.shift}px)`;
    return node;
  }

  /** @param {Item} item @param {Row} row */
  #fillRow(item, row) {
    const view = this.live.get(row.key) ?? this.#take(row.key);
    view.fill(this.told.withWords(row), this.full);
    attribute(view.node, "aria-posinset", this.layout.ordinal(item) + 1);
    attribute(view.node, "aria-setsize", this.layout.rows);
    this.#mark(row.key, view);
    return view.node;
  }

  /** @param {string} key */
  #take(key) {
    const view = this.spare.shift() ?? new RowView();
    if (!view.node.id) view.node.id = `${this.id}-${++this.made}`;
    this.live.set(key, view);
    return view;
  }

  /** @param {string} key @param {RowView} view */
  #mark(key, view) {
    attribute(view.node, "aria-selected", String(key === this.selected));
    view.node.classList.toggle("fl-paired", this.paired.has(key));
    view.node.classList.toggle("fl-cited", this.about.has(key));
    view.node.classList.toggle("fl-told-of", this.told.of?.pool === Number(view.node.dataset.pool));
    view.mark(this.sources.has(key));
    attribute(view.node, "title", this.about.has(key) && "What the chosen finding is about");
  }

  /** @param {Item[]} items */
  #dropHeadings(items) {
    const wanted = new Set(items.filter((item) => item.k < 0).map(({ section }) => this.layout.sections[section].id));
    for (const [id, node] of this.headings) {
      if (wanted.has(id)) continue;
      node.remove();
      this.headings.delete(id);
    }
  }

  /** @param {Item} item */
  #fillHeading(item) {
    const section = this.layout.sections[item.section];
    const node = this.headings.get(section.id) ?? el("div", { class: "fl-heading", role: "presentation" });
    this.headings.set(section.id, node);
    fillHeading(node, section, this.noteOf(item.section));
    return node;
  }

  /**
   * The heading of the section at the top stays in sight until the next one is there, which then covers both
   * places: of neither is only a part seen.
   * @param {number} top  under what stays in sight
   */
  #paintSticky(top) {
    const over = this.layout.at(top)?.section ?? -1;
    const below = (this.layout.tops[over + 1] ?? Infinity) - top;
    const at = below < HEADING ? over + 1 : over;
    const section = this.layout.sections[at];
    const above = section?.title ? aboveWords(this.layout, this.roof, top + HEADING) : "";
    this.sticky.hidden = !section?.title || (!above && at === over && top <= this.layout.tops[at]);
    if (this.sticky.hidden) return;
    fillHeading(this.sticky, section, this.noteOf(at));
    const [words, count] = this.above.children;
    write(words, above && `↑ ${above}`);
    write(count, `↑ ${int(aboveCount(this.layout, this.roof, top + HEADING))}`);
    this.above.hidden = !above;
    attribute(this.sticky, "data-long", section.title.length + above.length > NARROW_HEADING ? "true" : null);
    if (this.above.parentNode !== this.sticky) this.sticky.insertBefore(this.above, this.sticky.lastChild);
    this.sticky.style.transform = `translateY(${this.roof}px)`;
    this.sticky.style.height = `${HEADING + (at > over ? below : 0)}px`;
  }

  #scrolled() {
    const { scrollTop } = this.scroller;
    const moved = Math.abs(scrollTop - this.painted) >= 1;
    if (moved && this.handled) this.#user();
    if (moved && !this.handled && this.fade) return this.#resized(); // what a room is told of comes back into sight
    if (scrollTop !== this.painted) this.paint();
  }

  #user() {
    const { scrollTop, clientHeight } = this.scroller; // a list that has just grown is scrolled by the browser before its height is known here
    const atEnd = scrollTop + clientHeight >= this.scale.element - 4;
    this.follow = atEnd && !this.chosen;
    this.hold = -1;
    this.options.moved?.();
  }

  #resized() {
    this.viewHeight = this.scroller.clientHeight;
    const follow = this.follow;
    this.#fit();
    if (follow) this.scrollTo(this.end);
    if (this.hold < 0 || !this.reveal(this.hold)) this.paint();
    this.options.resized?.();
  }

  /** @param {Element} target */
  #clicked(target) {
    const heading = target.closest(".fl-heading");
    if (heading) return this.#openHeading(/** @type {HTMLElement} */ (heading).dataset.section ?? "");
    const key = target.closest(".fl-row")?.getAttribute("data-key");
    const row = key && this.#rowOf(key);
    if (row) this.options.choose?.(row);
  }

  /** @param {string} id */
  #openHeading(id) {
    const section = this.layout.sections.find((one) => one.id === id);
    if (section?.opens) this.options.open?.(section);
  }

  /** A row now in sight. @param {string} key @returns {Row | null} */
  #rowOf(key) {
    const items = this.#near(this.top).filter((item) => item.k >= 0);
    return items.map((item) => this.layout.row(item)).find((row) => row.key === key) ?? null;
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const heading = /** @type {Element} */ (event.target).closest(".fl-opens");
    const page = Math.max(1, Math.floor(this.view / ROW) - 1);
    const by = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Enter: 0 }[event.key];
    const opens = heading && (event.key === "Enter" || event.key === " ");
    if (by === undefined && !opens) return;
    event.preventDefault();
    event.stopPropagation();
    if (opens) this.#openHeading(/** @type {HTMLElement} */ (heading).dataset.section ?? "");
    else this.walk(by ?? 0);
  }

  /** Choose the row so many rows below the marked one; where none is marked, the last one in sight. @param {number} by */
  walk(by) {
    if (!this.layout.rows) return;
    const marked = this.selected === null ? null : this.layout.find(this.pool);
    const from = marked ? this.layout.ordinal(marked) + by : this.layout.ordinal(this.#lastSeen());
    const item = this.layout.nth(Math.max(0, Math.min(this.layout.rows - 1, from)));
    if (item) this.options.choose?.(this.layout.row(item));
  }

  /** @returns {Item} */
  #lastSeen() {
    const seen = this.layout.between(this.top, this.top + this.view - ROW / 2).filter((item) => item.k >= 0);
    return seen.at(-1) ?? { section: 0, k: 0, y: 0, height: ROW };
  }
}

/** @param {HTMLElement} node @param {Section} section @param {string} note */
function fillHeading(node, section, note) {
  const sign = section.opens ? (section.open ? "▾ " : "▸ ") : "";
  if (!node.firstChild) node.append(el("span"), el("span", { class: "fl-note" }));
  node.dataset.section = section.id;
  attribute(node, "title", section.title);
  node.classList.toggle("fl-opens", Boolean(section.opens));
  node.classList.toggle("fl-blank", Boolean(section.blank));
  const known = node.classList.contains("fl-sticky"); // the heading itself is there for the keyboard
  attribute(node, "tabindex", section.opens && !known ? 0 : null);
  attribute(node, "role", section.opens && !known ? "button" : "presentation");
  attribute(node, "aria-expanded", section.opens && !known ? String(Boolean(section.open)) : null);
  write(/** @type {Node} */ (node.firstChild), sign + section.title);
  write(/** @type {Node} */ (node.querySelector(".fl-note")), note);
}
