// The stretches of a paragraph: bold, italic, struck, code, links. Flat, so that no nesting is deep. CommonMark's rules, linear on
// any input. Left as text although CommonMark takes it for markup: `__init__`, `2*3*4`, and a backslash in front of what is no mark.

/** @import { TextRun } from "./types.js" */
/** @typedef {{run: number, char: string, size: number, was: number, opens: boolean, closes: boolean}} Delimiter */
/** @typedef {"bold" | "italic" | "struck" | "link"} Style */

/** Longer paragraphs are no prose: they stay as they are. */
const LONGEST = 20_000;
const SPECIAL = /[\\`*_~[\]<]|https?:\/\//g;
const TICKS = /`+/g;
const NAME = /__[\p{L}\p{N}]+(?:_[\p{L}\p{N}]+)*__(?![\p{L}\p{N}_])/uy;
const URL_ = /https?:\/\/[^\s<>"'`()[\]{}|\\*]+/y;
const TAG = /<\/?[A-Za-z][\w.:-]{0,60}(?=[\s/>])[^<>\n]{0,300}>/y;
/** What a backslash makes text of, without being text itself. */
const ESCAPED = "*_`~|#";
const PUNCTUATION = /[\p{P}\p{S}]/u;
const LETTER = /[\p{L}\p{N}]/u;
/** Scripts that put no spaces between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;
/** Deeper parentheses end an address: each is looked at three times at most. */
const PARENTHESES = 2;

/** The runs of a text in order; what lies between them is markup. @param {string} text @returns {TextRun[]} */
export function runsOf(text) {
  if (text.length > LONGEST) return [{ from: 0, to: text.length, kind: "text", bold: false, italic: false, struck: false, link: false }];
  const scanner = new Scanner(text);
  scanner.scan();
  return scanner.finished();
}

class Scanner {
  /** @param {string} text */
  constructor(text) {
    this.text = text;
    this.at = 0;
    /** @type {{from: number, to: number, kind: TextRun["kind"]}[]} */ this.runs = [];
    /** @type {Delimiter[]} */ this.delimiters = [];
    /** Brackets that a link may begin with: their runs. @type {number[]} */ this.brackets = [];
    /** @type {[Style, number, number][]} */ this.styles = [];
    /** @type {Map<number, number[]> | null} */ this.ticks = null;
  }

  scan() {
    const { text } = this;
    while (this.at < text.length) {
      SPECIAL.lastIndex = this.at;
      const found = SPECIAL.exec(text);
      this.#put(found?.index ?? text.length);
      if (found) this.#special(found[0]);
    }
    this.#emphasis();
  }

  /** The text up to a place is a run. @param {number} to @param {TextRun["kind"]} [kind] */
  #put(to, kind = "text") {
    if (to > this.at) this.runs.push({ from: this.at, to, kind });
    this.at = to;
  }

  /** @param {string} char */
  #special(char) {
    if (char === "\\") this.#backslash();
    else if (char === "`") this.#code();
    else if (char === "[") this.#bracket();
    else if (char === "]") this.#link();
    else if (char === "<") this.#whole(TAG, "tag");
    else if (char.length > 1) this.#url();
    else this.#delimiter(char);
  }

  /** What a sticky pattern finds here is one run; else its first character is. @param {RegExp} pattern @param {TextRun["kind"]} [kind] */
  #whole(pattern, kind = "text") {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    this.#put(this.at + (found?.[0].length ?? 1), found ? kind : "text");
  }

  #backslash() {
    const next = this.text[this.at + 1] ?? "";
    if (next && ESCAPED.includes(next)) this.at += 1;
    else if (PUNCTUATION.test(next)) return this.#put(this.at + 2);
    this.#put(this.at + 1);
  }

  #url() {
    URL_.lastIndex = this.at;
    const found = URL_.exec(this.text)?.[0] ?? this.text[this.at];
    let size = found.length;
    while (size > 1 && "?!.,:;_~".includes(found[size - 1])) size -= 1;
    this.#put(this.at + size);
  }

  #code() {
    TICKS.lastIndex = this.at;
    const size = TICKS.exec(this.text)?.[0].length ?? 1;
    const from = this.at + size;
    const to = this.#closing(size, from);
    if (to < 0) return this.#put(from);
    const inner = this.text.slice(from, to);
    const padded = to - from > 2 && /^[ \n]/.test(inner) && /[ \n]$/.test(inner) ? 1 : 0;
    this.at = from + padded;
    this.#put(to - padded, "code");
    this.at = to + size;
  }

  /** Where as many backticks stand again, or -1. @param {number} size @param {number} from */
  #closing(size, from) {
    this.ticks ??= ticksOf(this.text);
    const places = this.ticks.get(size) ?? [];
    while (places.length && places[places.length - 1] < from) places.pop();
    return places.at(-1) ?? -1;
  }

  #bracket() {
    if (this.text[this.at - 1] !== "!") this.brackets.push(this.runs.length);
    else this.brackets.push(-1);
    this.#put(this.at + 1);
  }

  /** A link is its text and its address; an image is left as it is written. */
  #link() {
    const opener = this.brackets.pop();
    const end = opener === undefined ? -1 : addressEnd(this.text, this.at + 1);
    if (end < 0 || opener === undefined) return this.#put(this.at + 1);
    if (opener < 0) {
      this.#put(this.at + 1);
    } else {
      this.runs[opener].to = this.runs[opener].from;
      this.styles.push(["link", opener, this.runs.length]);
      this.brackets.length = 0;
      this.at += 1;
    }
    this.#put(end, "address");
  }

  /** @param {string} char */
  #delimiter(char) {
    NAME.lastIndex = this.at;
    if (char === "_" && NAME.test(this.text)) return this.#put(NAME.lastIndex);
    let end = this.at;
    while (this.text[end] === char) end += 1;
    const size = end - this.at;
    if (char !== "~" || size === 2) this.delimiters.push({ run: this.runs.length, char, size, was: size, ...flanks(this.text, this.at, end) });
    this.#put(end);
  }

  /** Pair the delimiters, as CommonMark does. */
  #emphasis() {
    /** Below which place no opener for this kind of closer was found. @type {Map<string, number>} */ const bottoms = new Map();
    /** Openers that are still there. @type {Delimiter[]} */ const openers = [];
    for (const closer of this.delimiters) {
      while (closer.closes && closer.size > 0) {
        const kind = `${closer.char}${closer.opens}${closer.was % 3}`;
        const found = opener(openers, closer, bottoms.get(kind) ?? 0);
        if (found < 0) {
          bottoms.set(kind, openers.length);
          break;
        }
        this.#pair(openers[found], closer);
        openers.length = openers[found].size ? found + 1 : found;
        for (const [key, bottom] of bottoms) if (bottom > openers.length) bottoms.set(key, openers.length);
      }
      if (closer.opens && closer.size > 0) openers.push(closer);
    }
  }

  /** @param {Delimiter} opener @param {Delimiter} closer */
  #pair(opener, closer) {
    const size = opener.size > 1 && closer.size > 1 ? 2 : 1;
    this.runs[opener.run].to -= size;
    this.runs[closer.run].from += size;
    opener.size -= size;
    closer.size -= size;
    const style = opener.char === "~" ? "struck" : size === 2 ? "bold" : "italic";
    this.styles.push([style, opener.run + 1, closer.run]);
  }

  /** The runs with their styles; those beside each other that look the same are one. */
  finished() {
    const depth = { bold: 0, italic: 0, struck: 0, link: 0 };
    /** @type {[Style, number][][]} */ const changes = Array.from({ length: this.runs.length + 1 }, () => []);
    for (const [style, from, to] of this.styles) {
      changes[from].push([style, 1]);
      changes[to].push([style, -1]);
    }
    /** @type {TextRun[]} */ const all = [];
    for (const [i, { from, to, kind }] of this.runs.entries()) {
      for (const [style, by] of changes[i]) depth[style] += by;
      if (from === to) continue;
      const styles = { bold: depth.bold > 0, italic: depth.italic > 0, struck: depth.struck > 0, link: depth.link > 0 };
      const last = all.at(-1);
      const run = { from, to, kind, ...styles };
      if (last && last.to === from && kind === "text" && alike(last, run)) last.to = to;
      else all.push(run);
    }
    return all;
  }
}

/** @param {TextRun} a @param {TextRun} b */
const alike = (a, b) => a.kind === b.kind && a.bold === b.bold && a.italic === b.italic && a.struck === b.struck && a.link === b.link;

/** Where backticks stand, by how many there are, the last place first. @param {string} text */
function ticksOf(text) {
  /** @type {Map<number, number[]>} */ const places = new Map();
  for (const found of [...text.matchAll(TICKS)].reverse()) {
    const same = places.get(found[0].length);
    if (same) same.push(found.index);
    else places.set(found[0].length, [found.index]);
  }
  return places;
}

/**
 * The place of the nearest opener that a closer may pair with, or -1.
 * @param {Delimiter[]} openers
 * @param {Delimiter} closer
 * @param {number} bottom
 */
function opener(openers, closer, bottom) {
  for (let i = openers.length - 1; i >= bottom; i -= 1) {
    const { char, opens, closes, was } = openers[i];
    const odd = (closes || closer.opens) && (was + closer.was) % 3 === 0 && !(was % 3 === 0 && closer.was % 3 === 0);
    if (char === closer.char && opens && !odd) return i;
  }
  return -1;
}

/** Whether delimiters may open and close, by what stands beside them. @param {string} text @param {number} from @param {number} to */
function flanks(text, from, to) {
  const char = text[from];
  const before = besides(from > 1 && /[\udc00-\udfff]/.test(text[from - 1]) ? text.slice(from - 2, from) : (text[from - 1] ?? " "));
  const after = besides(String.fromCodePoint(text.codePointAt(to) ?? 32));
  const left = !after.space && (!after.punctuation || before.space || before.punctuation || before.unspaced);
  const right = !before.space && (!before.punctuation || after.space || after.punctuation || after.unspaced);
  if (char === "_") return { opens: left && (!right || before.punctuation), closes: right && (!left || after.punctuation) };
  const within = to - from === 1 && before.letter && after.letter;
  return { opens: left && !within, closes: right && !within };
}

const ASCII = Array.from({ length: 128 }, (_, code) => kindOf(String.fromCharCode(code)));

/** What a character beside a delimiter is. @param {string} char */
const besides = (char) => ASCII[/** @type {number} */ (char.codePointAt(0))] ?? kindOf(char);

/** @param {string} char */
function kindOf(char) {
  const unspaced = UNSPACED.test(char);
  return { space: /\s/u.test(char), punctuation: PUNCTUATION.test(char), letter: LETTER.test(char) && !unspaced, unspaced };
}

/**
 * Where the `(…)` of a link's address ends, or -1: an address of one word, with a title behind it if there is one.
 * @param {string} text
 * @param {number} from
 */
function addressEnd(text, from) {
  if (text[from] !== "(") return -1;
  let open = 0;
  for (let at = from; at < text.length; at += 1) {
    const char = text[at];
    if (char === "(" && ++open > PARENTHESES) return -1;
    if (char === ")" && --open === 0) return at + 1;
    if (char === "\n" || char === "<") return -1;
    if (char === " " || char === "\t") return titleEnd(text, at);
  }
  return -1;
}

/** @param {string} text @param {number} from */
function titleEnd(text, from) {
  const title = /[ \t]{1,9}("[^"()\n]{0,500}"|'[^'()\n]{0,500}')[ \t]{0,9}\)/y;
  title.lastIndex = from;
  return title.test(text) ? title.lastIndex : -1;
}
