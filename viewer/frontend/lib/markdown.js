// The blocks of a Markdown text: a subset of CommonMark with the tables, tasks and line breaks of GitHub. Every character that is
// not markup belongs to a span of some block. One pass over the lines, no recursion, a limit on depth: linear on any input.
//
// What differs from CommonMark, so that nothing an agent wrote is hidden or taken for something else: HTML and entities are text,
// the definition of a link is a paragraph, `---` is always a rule, and a line belongs to a quote or an item only if it is marked
// or indented as such.

import { cellsOf, Line, trimmed } from "./markdownline.js";
/** @import { Block, Item, Span } from "./types.js" */
/** @typedef {{kind: "quote", blocks: Block[]} | Item} Container */
/** @typedef {{char: string, size: number, indent: number}} Fence */
/** @typedef {"left" | "center" | "right" | ""} Align */

/** Quotes and items within each other; the markers of deeper ones are text. */
const DEEPEST = 12;
const FENCE = /(`{3,}|~{3,})([^\n]*)/y;
const MARKER = /([-+*]|(\d{1,9})[.)])(?=[ \t\n]|$)/y;
const TASK = /\[([ xX])\][ \t]/y;
const HEADING = /(#{1,6})(?=[ \t\n]|$)/y;

/** The blocks of a text. @param {string} text @returns {Block[]} */
export function blocksOf(text) {
  const reader = new Reader(text);
  for (let from = 0; from < text.length; ) {
    const found = text.indexOf("\n", from);
    const to = found < 0 ? text.length : found;
    reader.read(from, to);
    from = to + 1;
  }
  return reader.top.blocks;
}

/** Reads line by line. */
class Reader {
  /** @param {string} text */
  constructor(text) {
    this.text = text;
    /** @type {{kind: "quote", blocks: Block[]}} */ this.top = { kind: "quote", blocks: [] };
    /** The quotes and items that the last line stood in. @type {Container[]} */ this.open = [];
    /** The block that the next line may go on. @type {Block | null} */ this.leaf = null;
    /** How the leaf is fenced, if it is fenced code. @type {Fence | null} */ this.fence = null;
    /** The line that a paragraph has so far at its end. @type {Span} */ this.lastLine = [0, 0];
  }

  /** @param {number} from @param {number} to */
  read(from, to) {
    const line = new Line(this.text, from, to);
    const depth = this.#stillOpen(line);
    if (depth < this.open.length) {
      this.open.length = depth;
      this.#end();
    }
    if (this.fence) return this.#fenced(line, this.fence);
    while (this.#container(line));
    this.#leafLine(line);
  }

  /** How many of the open quotes and items this line stands in; goes behind their marks. @param {Line} line */
  #stillOpen(line) {
    for (const [depth, container] of this.open.entries()) {
      const { width, at, blank } = line.indent();
      if (container.kind === "item") {
        if (!blank && width < container.indent) return depth;
        line.skip(container.indent);
      } else if (blank || width > 3 || this.text[at] !== ">") return depth;
      else behindQuote(line, at);
    }
    return this.open.length;
  }

  /** Enter a quote or an item that begins here, if one does. @param {Line} line */
  #container(line) {
    const { width, at, blank } = line.indent();
    if (blank || width > 3 || this.open.length >= DEEPEST || this.leaf?.kind === "table") return false;
    if (this.text[at] !== ">") return !line.isRule(at) && this.#item(line, width, at);
    behindQuote(line, at);
    /** @type {{kind: "quote", blocks: Block[]}} */ const quote = { kind: "quote", blocks: [] };
    this.#add(quote);
    this.open.push(quote);
    return true;
  }

  /**
   * In a paragraph only what could be nothing else begins a list: no empty item, and no number but 1, which may be a year.
   * @param {Line} line
   * @param {number} width of the white space in front
   * @param {number} at where the marker would stand
   */
  #item(line, width, at) {
    const found = line.match(MARKER, at);
    if (!found) return false;
    const [mark, , digits] = found;
    const inside = new Line(this.text, at + mark.length, line.to);
    const { width: space, blank } = inside.indent();
    if (this.leaf?.kind === "paragraph" && (blank || (digits && digits !== "1"))) return false;
    const gap = blank || space > 4 ? 1 : space;
    inside.skip(gap);
    const task = inside.match(TASK, inside.at);
    line.at = inside.at + (task ? task[0].length : 0);
    const number = digits ? Number(digits) : null;
    const done = task ? task[1] !== " " : null;
    this.#enter({ kind: "item", number, done, blocks: [], indent: width + mark.length + gap }, mark.slice(-1));
    return true;
  }

  /** Enter an item: of the list that stands just before it, or of a new one. @param {Item} item @param {string} mark */
  #enter(item, mark) {
    this.#end();
    const last = this.#blocks().at(-1);
    if (last?.kind === "list" && last.mark === mark) last.items.push(item);
    else this.#add({ kind: "list", mark, items: [item] });
    this.open.push(item);
  }

  /** The rest of a line, behind the marks of what it stands in. @param {Line} line */
  #leafLine(line) {
    const { width, at, blank } = line.indent();
    if (this.leaf?.kind === "code" && !blank && width < 4) this.#end();
    if (this.leaf?.kind === "code") {
      line.skip(4);
      return append(this.leaf.spans, line.rest());
    }
    if (blank) return this.#end();
    if (this.#row(line)) return;
    if (width > 3 && this.leaf?.kind !== "paragraph") return this.#indented(line);
    if (line.isRule(at)) return this.#end(this.#add({ kind: "rule" }));
    if (width > 3 || !(this.#heading(line, at) || this.#fence(line, at, width))) this.#words(line);
  }

  /** A row of a table: of the one that is open, or the line of dashes that makes a table of the line before it. @param {Line} line */
  #row(line) {
    const { leaf, text } = this;
    if (leaf?.kind === "table") {
      const found = text.slice(line.at, line.to).includes("|");
      if (found) leaf.rows.push(cellsOf(text, [line.at, line.to]));
      else this.#end();
      return found;
    }
    const aligns = leaf?.kind === "paragraph" ? alignsOf(text.slice(line.at, line.to)) : null;
    if (leaf?.kind !== "paragraph" || !aligns) return false;
    const head = cellsOf(text, this.lastLine);
    if (head.length !== aligns.length || !text.slice(...this.lastLine).includes("|")) return false;
    this.#makeTable(leaf, head, aligns);
    return true;
  }

  /** The last line of a paragraph becomes the head of a table; what stands before it stays. @param {Block & {kind: "paragraph"}} leaf @param {Span[]} head @param {Align[]} aligns */
  #makeTable({ spans }, head, aligns) {
    const last = spans[spans.length - 1];
    if (last[0] === this.lastLine[0]) spans.pop();
    else last[1] = this.lastLine[0];
    if (!spans.length) this.#blocks().pop();
    this.#add({ kind: "table", rows: [head], aligns });
  }

  /** @param {Line} line */
  #indented(line) {
    line.skip(4);
    this.#add({ kind: "code", info: null, spans: [line.rest()] });
  }

  /** @param {Line} line @param {number} at */
  #heading(line, at) {
    const found = line.match(HEADING, at);
    if (!found) return false;
    const [from, to] = trimmed(this.text, [at + found[1].length, line.to]);
    const closing = /[ \t]#+$/.exec(this.text.slice(Math.max(from - 1, to - 100), to));
    const span = trimmed(this.text, [from, Math.max(from, to - (closing?.[0].length ?? 0))]);
    this.#end(this.#add({ kind: "heading", level: found[1].length, spans: [span] }));
    return true;
  }

  /** @param {Line} line @param {number} at @param {number} indent */
  #fence(line, at, indent) {
    const found = line.match(FENCE, at);
    if (!found || (found[1][0] === "`" && found[2].includes("`"))) return false;
    const info = trimmed(this.text, [at + found[1].length, line.to]);
    this.#add({ kind: "code", info, spans: [] });
    this.fence = { char: found[1][0], size: found[1].length, indent };
    return true;
  }

  /** A line between fences, or the closing one. @param {Line} line @param {Fence} fence */
  #fenced(line, { char, size, indent }) {
    const { width, at } = line.indent();
    const found = width < 4 ? line.match(FENCE, at) : null;
    if (found && found[1][0] === char && found[1].length >= size && !found[2].trim()) return this.#end();
    line.skip(indent);
    if (this.leaf?.kind === "code") append(this.leaf.spans, line.rest());
  }

  /** @param {Line} line */
  #words(line) {
    if (this.leaf?.kind === "paragraph") append(this.leaf.spans, line.rest());
    else this.#add({ kind: "paragraph", spans: [line.rest()] });
    this.lastLine = line.rest();
  }

  /** The blocks of what the line stands in. */
  #blocks() {
    return (this.open.at(-1) ?? this.top).blocks;
  }

  /** @param {Block} block */
  #add(block) {
    this.#end();
    this.#blocks().push(block);
    this.leaf = block;
  }

  /** Nothing goes on with the leaf. @param {void} [_] */
  #end(_) {
    this.leaf = null;
    this.fence = null;
  }
}

/** Behind the mark of a quote and the space after it. @param {Line} line @param {number} at */
function behindQuote(line, at) {
  line.at = at + 1;
  line.skip(1);
}

/** Add a span; one that goes on where the last ended makes it longer. @param {Span[]} spans @param {Span} span */
function append(spans, span) {
  const last = spans.at(-1);
  if (last?.[1] === span[0]) last[1] = span[1];
  else spans.push(span);
}

/** How the columns are aligned, if this is the line of dashes under the head of a table. @param {string} line @returns {Align[] | null} */
function alignsOf(line) {
  if (!/[|-]/.test(line) || /[^|:\- \t]/.test(line)) return null;
  const cells = cellsOf(line, [0, line.length]).map((cell) => line.slice(...cell));
  if (!cells.every((cell) => /^:?-+:?$/.test(cell))) return null;
  return cells.map((cell) => (cell.endsWith(":") ? (cell.startsWith(":") ? "center" : "right") : cell.startsWith(":") ? "left" : ""));
}
