// A long list of sets of messages: a heading each, rows of one height, nodes only for what is in sight.

import { attribute, button, el, write } from "../lib/dom.js";
import { int } from "../lib/format.js";
import { HEADING, Layout, ROW, scaling } from "../run/layout.js";

/** A lane's letter, in the color of the message's region there; null: it is not in that window. @typedef {{letter: string, region: string | null}} Cell */
/** @typedef {{cells: Cell[], name: string, preview: string, tokens: number, code: boolean, kind: string}} ListRow */
/**
 * `count` rows are shown; the last of them says how many `more` there are.
 * @typedef {{id: string, title: string, what: string, note: string, count: number, more: number, opens: boolean, open: boolean, row: (k: number) => ListRow}} ListSection
 */

const OVERSCAN = 84;
/** Tokens of a full bar. */
const FULL = 2000;
const WIDEST = 44;

export class SetList {
  /** @param {(id: string) => void} toggle  opens or closes a set @param {() => void} resized  there is more or less room */
  constructor(toggle, resized) {
    this.toggle = toggle;
    /** @type {ListSection[]} */ this.sections = [];
    this.layout = new Layout([]);
    this.scale = scaling(0, 0);
    /** @type {Map<string, HTMLElement>} */ this.live = new Map();
    this.content = el("div", { class: "fl-content" });
    this.node = el("div", { class: "fl-sets-scroll", role: "region", tabindex: "0", "aria-label": "Messages by lanes" }, this.content);
    this.node.addEventListener("scroll", () => this.paint(), { passive: true });
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
    const focused = /** @type {ShadowRoot} */ (this.node.getRootNode()).activeElement;
    const nodes = items.map(({ section, k, y, height }) => {
      const node = this.#node(this.sections[section], k);
      node.style.transform = `translateY(${y + scroll - top}px)`;
      node.style.height = `${height}px`;
      return node;
    });
    const keep = new Set(nodes);
    for (const [key, node] of this.live) if (!keep.has(node)) node.remove(), this.live.delete(key);
    nodes.forEach((node, k) => this.content.children[k] !== node && this.content.insertBefore(node, this.content.children[k] ?? null));
    if (focused instanceof HTMLElement && keep.has(focused)) focused.focus({ preventScroll: true });
  }

  /** @param {ListSection} section @param {number} k */
  #node(section, k) {
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
  return el("div", { class: "fl-row fl-set-row" }, ...parts);
}

/** @param {HTMLElement} node @param {ListSection} section @param {() => void} toggle */
function fillHeading(node, { title, what, note, opens, open }, toggle) {
  const said = JSON.stringify([title, what, note, opens, open]);
  if (node.dataset.said === said) return;
  node.dataset.said = said;
  const name = el("span", { class: "fl-set-title", text: title });
  const lead = opens && open ? button("▾ ", toggle, { class: "fl-set-fold", "aria-label": `Show fewer: ${title}` }) : "";
  node.replaceChildren(lead, name, el("b", { text: what }), el("span", { class: "fl-note", text: note }));
}

/** @param {HTMLElement} node @param {ListRow} row */
function fillRow(node, { cells, name, preview, tokens, code, kind }) {
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
  attribute(node, "title", `${there}\n${name}, ${int(tokens)} tokens\n${preview}`);
  attribute(node, "data-kind", kind || null);
  node.classList.toggle("fl-code", code);
  write(role, name);
  write(text, preview);
  write(amount, int(tokens));
  const bar = /** @type {HTMLElement} */ (meter.firstElementChild);
  bar.className = `fl-bar-${cells.find(({ region }) => region)?.region ?? "message"}`;
  bar.style.width = `${tokens > 0 ? Math.max(2, Math.min(WIDEST, Math.round((WIDEST * tokens) / FULL))) : 0}px`;
}
