// Markdown as nodes. Text becomes text nodes and nothing else: a link is shown, not made; an image is not fetched; tags stay text.

import { el, visible } from "./dom.js";
import { blocksOf } from "./markdown.js";
import { runsOf } from "./markdownruns.js";
import { placed } from "./places.js";
import { matches, more } from "./text.js";
/** @import { Block, Item, Span, TextRun } from "./types.js" */

/** Pieces of text that are drawn in one frame, and frames until the reader is asked: a page of 50,000 nodes would hang. */
const TURN = 400;
const TURNS = 10;

/** A name that a line begins with. */
const NAME = /^[A-Z][\w'’ /-]{0,28}:(?=\s|$)/gm;

/**
 * A text as rendered Markdown, what was looked for marked. Its beginning is there at once, up to the first mark. The rest is drawn
 * in later frames, while the node is `aria-busy`; behind a very long part of it a button shows more.
 * @param {string} text
 * @param {string} [query]
 * @param {boolean} [names] whether names that lines begin with ("Task: …") are bold
 */
export function markdown(text, query = "", names = false) {
  const source = visible(text);
  const drawing = new Drawing(source, matches(source, query), names);
  const node = el("div", { class: "fl-md" });
  const rest = drawing.blocks(node, blocksOf(source));
  void part(node, drawing, rest).then((at) => {
    if (at < source.length) node.after(more(at, source.length, () => part(node, drawing, rest)));
  });
  return node;
}

/**
 * Draw the next part, its first piece at once, as long as the node is on the page. Returns how much of the source is drawn.
 * @param {HTMLElement} node
 * @param {Drawing} drawing
 * @param {Generator<void, void>} rest
 */
async function part(node, drawing, rest) {
  node.setAttribute("aria-busy", "true");
  for (let turn = 0; turn < TURNS; turn += 1) {
    if (turn) await new Promise(requestAnimationFrame);
    if (turn && !node.isConnected) return drawing.at;
    for (let k = 0; k < TURN || drawing.seeksFirst(); k += 1) if (rest.next().done) return ended(node, drawing.text.length);
  }
  return ended(node, drawing.at);
}

/** @param {HTMLElement} node @param {number} at */
function ended(node, at) {
  node.removeAttribute("aria-busy");
  return at;
}

/** Draws blocks in the order of the source, and yields after each piece of text. */
class Drawing {
  /** @param {string} text @param {Span[]} found @param {boolean} names */
  constructor(text, found, names) {
    this.text = text;
    this.names = names;
    /** How much of the source is drawn. */
    this.at = 0;
    this.found = found;
    this.next = 0;
    this.level = 2;
    this.marked = false;
  }

  /** Whether there is a mark to come, and none yet. */
  seeksFirst() {
    return !this.marked && this.next < this.found.length;
  }

  /** @param {HTMLElement} parent @param {Block[]} blocks @returns {Generator<void, void>} */
  *blocks(parent, blocks) {
    const top = parent.className === "fl-md";
    for (const block of blocks) {
      const node = this.#node(block);
      if (top) node.dir = block.kind === "code" ? "ltr" : "auto";
      parent.append(node);
      yield* this.#fill(node, block);
      yield;
    }
  }

  /** @param {Block} block */
  #node(block) {
    if (block.kind === "heading") return el(this.#heading(block.level), { class: "fl-md-heading", "data-level": block.level });
    if (block.kind === "list") return el(block.items[0].number === null ? "ul" : "ol");
    if (block.kind === "code") return el("div", { class: "fl-md-code", tabindex: "0" });
    if (block.kind === "table") return el("div", { class: "fl-md-table", tabindex: "0" });
    return el({ paragraph: /** @type {const} */ ("p"), quote: /** @type {const} */ ("blockquote"), rule: /** @type {const} */ ("hr") }[block.kind]);
  }

  /** No level of the page's outline is left out, whatever the text does. @param {number} level */
  #heading(level) {
    this.level = Math.min(level + 2, this.level + 1, 6);
    return /** @type {"h3" | "h4" | "h5" | "h6"} */ (`h${this.level}`);
  }

  /** @param {HTMLElement} node @param {Block} block @returns {Generator<void, void>} */
  *#fill(node, block) {
    if (block.kind === "paragraph" || block.kind === "heading") yield* this.#words(node, block.spans);
    else if (block.kind === "quote") yield* this.blocks(node, block.blocks);
    else if (block.kind === "code") yield* this.#code(node, block.info, block.spans);
    else if (block.kind === "list") for (const item of block.items) yield* this.#item(node, item);
    else if (block.kind === "table") yield* this.#table(node, block);
  }

  /** @param {HTMLElement} list @param {Item} item */
  *#item(list, { number, done, blocks }) {
    const node = el("li", { value: number, class: done === null ? "" : "fl-md-task" });
    if (done !== null) node.append(el("span", { class: "fl-md-box", role: "img", "aria-label": done ? "done" : "to do", "data-done": done }));
    list.append(node);
    yield* this.blocks(node, blocks);
  }

  /** @param {HTMLElement} node @param {Span | null} info @param {Span[]} spans */
  *#code(node, info, spans) {
    if (info && info[1] > info[0]) node.append(el("div", { class: "fl-md-info" }, ...this.#leaf(...info)));
    const piece = el("div", { class: "fl-piece" });
    node.append(el("div", { class: "fl-text", "data-kind": "code" }, piece));
    for (const [k, [from, to]] of spans.entries()) {
      const end = k === spans.length - 1 && this.text[to - 1] === "\n" ? to - 1 : to;
      piece.append(...this.#leaf(from, end));
      yield;
    }
  }

  /** @param {HTMLElement} node @param {Block & {kind: "table"}} block */
  *#table(node, { rows, aligns }) {
    const [head, body] = [el("thead"), el("tbody")];
    node.append(el("table", {}, head, body));
    for (const [k, row] of rows.entries()) {
      const line = el("tr");
      (k ? body : head).append(line);
      for (const [column, span] of row.entries()) {
        const cell = el(k ? "td" : "th", { "data-align": aligns[column] || null, scope: k ? null : "col" });
        line.append(cell);
        yield* this.#words(cell, [span]);
        yield;
      }
    }
  }

  /** @param {HTMLElement} node @param {Span[]} spans one for each line where marks stand between them */
  *#words(node, spans) {
    const text = spans.map((span) => this.text.slice(...span)).join("");
    let [k, begin] = [0, 0];
    const runs = runsOf(text.endsWith("\n") ? text.slice(0, -1) : text);
    for (const run of this.names ? named(runs, text) : runs) {
      const nodes = [];
      for (let at = run.from; at < run.to; ) {
        while (at >= begin + size(spans[k])) begin += size(spans[k++]);
        const to = Math.min(run.to, begin + size(spans[k]));
        const moved = spans[k][0] - begin;
        nodes.push(...this.#leaf(at + moved, to + moved));
        at = to;
      }
      node.append(...styled(run, nodes));
      yield;
    }
  }

  /** @param {number} from @param {number} to */
  #text(from, to) {
    return placed(this.text.slice(from, to), from, this.text);
  }

  /** The text between two places of the source, with what was found in it marked. @param {number} from @param {number} to @returns {Node[]} */
  #leaf(from, to) {
    /** @type {Node[]} */ const nodes = [];
    this.at = to;
    while (this.next < this.found.length) {
      const [begin, end] = this.found[this.next];
      if (begin >= to) break;
      if (end > from) {
        const at = Math.max(begin, from);
        if (at > from) nodes.push(this.#text(from, at));
        from = Math.min(end, to);
        nodes.push(el("mark", {}, this.#text(at, from)));
        this.marked = true;
      }
      if (end > to) break;
      this.next += 1;
    }
    return from < to ? [...nodes, this.#text(from, to)] : nodes;
  }
}

/** @param {Span} span */
const size = ([from, to]) => to - from;

/** The runs, with the names that lines begin with in bold. @param {TextRun[]} runs @param {string} text @returns {TextRun[]} */
function named(runs, text) {
  const names = [...text.matchAll(NAME)];
  let k = 0;
  const all = runs.flatMap((run) => {
    const parts = [];
    let { from } = run;
    for (; k < names.length && names[k].index < run.to; k += 1) {
      const begin = names[k].index;
      const end = begin + names[k][0].length;
      if (run.kind !== "text" || begin < from || end > run.to) continue;
      parts.push({ ...run, from, to: begin }, { ...run, from: begin, to: end, bold: true });
      from = end;
    }
    return [...parts, { ...run, from }];
  });
  return all.filter(({ from, to }) => from < to);
}

/** @param {TextRun} run @param {Node[]} nodes */
function styled({ kind, bold, italic, struck, link }, nodes) {
  if (kind === "code") nodes = [el("code", {}, ...nodes)];
  if (kind === "tag" || kind === "address") nodes = [el("span", { class: `fl-md-${kind}` }, ...nodes)];
  if (link) nodes = [el("span", { class: "fl-md-link" }, ...nodes)];
  if (struck) nodes = [el("del", {}, ...nodes)];
  if (italic) nodes = [el("em", {}, ...nodes)];
  if (bold) nodes = [el("strong", {}, ...nodes)];
  return nodes;
}
