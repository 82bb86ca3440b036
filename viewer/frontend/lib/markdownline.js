// A place in one line of a text, for the reader of Markdown: how far it is indented, what stands there. Tabs go to columns of four.

/** @import { Span } from "./types.js" */

export class Line {
  /** @param {string} text @param {number} at @param {number} to where the line break is, or the end of the text */
  constructor(text, at, to) {
    this.text = text;
    this.at = at;
    this.to = to;
  }

  /** The white space from here on: how wide it is, where it ends, and whether nothing follows. */
  indent() {
    let width = 0;
    let { at } = this;
    for (; at < this.to; at += 1) {
      const char = this.text[at];
      if (char !== " " && char !== "\t") break;
      width += char === "\t" ? 4 - (width % 4) : 1;
    }
    return { width, at, blank: at >= this.to };
  }

  /** Go behind so many columns of white space, or as many as there are. @param {number} columns */
  skip(columns) {
    for (let width = 0; width < columns && this.at < this.to; this.at += 1) {
      const char = this.text[this.at];
      if (char !== " " && char !== "\t") return;
      width += char === "\t" ? 4 - (width % 4) : 1;
    }
  }

  /** What a sticky pattern finds at a place of this line, or null. @param {RegExp} pattern @param {number} at */
  match(pattern, at) {
    pattern.lastIndex = at;
    return pattern.exec(this.text);
  }

  /** Whether only this character, three times or more, and white space stand from `at` on. @param {number} at */
  isRule(at) {
    const char = this.text[at];
    if (char !== "-" && char !== "*" && char !== "_") return false;
    let count = 0;
    for (; at < this.to; at += 1) {
      if (this.text[at] === char) count += 1;
      else if (this.text[at] !== " " && this.text[at] !== "\t") return false;
    }
    return count >= 3;
  }

  /** From here to the end, its line break included where there is one. @returns {Span} */
  rest() {
    return [this.at, Math.min(this.text.length, this.to + 1)];
  }
}

/**
 * The cells of a table's row: between its bars, those behind a backslash apart, white space around them left out.
 * @param {string} text
 * @param {Span} span
 * @returns {Span[]}
 */
export function cellsOf(text, [from, to]) {
  /** @type {Span[]} */ const cells = [];
  let [begin, end] = trimmed(text, [from, to]);
  if (text[begin] === "|") begin += 1;
  if (end > begin && text[end - 1] === "|" && text[end - 2] !== "\\") end -= 1;
  for (let at = begin; at <= end; at += 1) {
    if (at < end && text[at] === "\\") at += 1;
    else if (at === end || text[at] === "|") {
      cells.push(trimmed(text, [begin, at]));
      begin = at + 1;
    }
  }
  if (begin <= end && !cells.length) cells.push(trimmed(text, [begin, end]));
  return cells;
}

/** A span without the white space at its ends. @param {string} text @param {Span} span @returns {Span} */
export function trimmed(text, [from, to]) {
  while (from < to && isSpace(text, from)) from += 1;
  while (to > from && isSpace(text, to - 1)) to -= 1;
  return [from, to];
}

/** @param {string} text @param {number} at */
const isSpace = (text, at) => " \t\n".includes(text[at]);
