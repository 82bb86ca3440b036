// The card of a slide in front of a room: a kicker, the caption, the rule that the story is about, quotes and a note. Its words are as large as
// the card has room for.

import { attribute, el, visible, write } from "../lib/dom.js";
/** @import { Slide } from "./compactiontelling.js" */

/** How large the words may be, in few steps, so that slides look alike: the largest that fits. */
const SIZES = [1.7, 1.4, 1.2, 1.04, 0.9, 0.76];
/** Pixels of a card's height for words of size 1: few words in a low card are no larger than the many on the slide beside it. */
const HEIGHT = 260;
/** The least size that keeps a name in one line. */
const NAMED = 0.9;

/** Where a path is broken first; and a name that is longer than a line: behind a mark, before a letter; "__init__" stays whole. */
const FOLDERS = /(?<=\S{3}\/)(?=[\p{L}_.]\S{2})/u;
const MARKS = /(?<=\S{2}[\p{L}\p{N}][_.-])(?=\p{L}{2}[\p{L}\p{N}_])/u;

/**
 * Set a node's text in large type: a name that has room in a line stands in one, a path in as few as it can. Writes only on a change.
 * @param {HTMLElement} node @param {string} text
 */
export function writeLarge(node, text) {
  const shown = visible(text);
  if (node.textContent !== shown) node.replaceChildren(...shown.split(/(\s+)/).map((word) => inLines(word, [FOLDERS, MARKS])));
}

/** A word that is broken where the first of these marks stands, before any other. @param {string} word @param {RegExp[]} marks @returns {Node | string} */
function inLines(word, [mark, ...marks]) {
  const parts = mark ? word.split(mark) : [word];
  if (parts.length < 2) return marks.length ? inLines(word, marks) : word;
  return el("span", { class: "fl-present-name" }, ...parts.flatMap((part, k) => [...(k ? [el("wbr")] : []), inLines(part, marks)]));
}

/** A node with such a text. @param {string} text @param {"span" | "q" | "s"} [tag] */
export function large(text, tag = "span") {
  const node = el(tag, { dir: "auto" });
  writeLarge(node, text);
  return node;
}

/** @param {Element} node */
function inOneLine(node) {
  const range = document.createRange();
  range.selectNodeContents(node);
  const [first, ...others] = range.getClientRects();
  return others.every(({ top }) => top < first.bottom);
}

export class SlideCard {
  /** @param {HTMLElement} caption */
  constructor(caption) {
    this.caption = caption;
    /** Which slide it is. */ this.kicker = el("p", { class: "fl-present-kicker", hidden: true });
    /** The rule that the story is about. */ this.rule = el("div", { class: "fl-present-rule", hidden: true });
    /** What the summary of a compaction says, or what the session is. */ this.quotes = el("div", { class: "fl-present-said", hidden: true });
    /** What the step has to do with what the run forgets. */ this.note = el("p", { class: "fl-present-note", hidden: true });
    /** How many lines there is no room for. */ this.more = el("p", { class: "fl-present-more", hidden: true });
    const parts = [this.kicker, caption, this.rule, this.quotes, this.note, this.more];
    this.root = el("section", { class: "fl-card fl-present-told", "aria-label": "What happens" }, ...parts);
    /** The words and the room for which the size was found. */ this.fitted = "";
    /** The quotes that are drawn. @type {{who: string, said: string}[]} */ this.lines = [];
    this.resized = new ResizeObserver(() => this.fit());
    this.resized.observe(this.root);
  }

  /** Find the size; measured only where the words or the room are others, not at each frame. */
  fit() {
    const { root } = this;
    const of = () => `${root.clientWidth} ${root.clientHeight} ${document.fonts?.status} ${root.innerHTML}`;
    if (of() === this.fitted) return;
    const lines = /** @type {HTMLElement[]} */ ([...this.quotes.children]);
    const whole = (/** @type {Element} */ node) => node.scrollHeight <= node.clientHeight + 1;
    const fits = (/** @type {number} */ by) => {
      root.style.setProperty("--fit", by.toFixed(2));
      return [root, ...root.querySelectorAll("h1, p, q, s")].every(whole);
    };
    const names = () => [...root.querySelectorAll(".fl-present-name:not(:has(.fl-present-name))")].every(inOneLine);
    const sizes = SIZES.filter((by) => by < 1 || by * HEIGHT <= root.clientHeight);
    for (const node of [...lines, this.more]) node.hidden = node === this.more;
    if (!sizes.some((by) => by >= NAMED && fits(by) && names())) {
      for (let left = 1; !sizes.some(fits) && lines.length > 2; left += 1) this.#leaveOut(/** @type {HTMLElement} */ (lines.pop()), left);
    }
    this.fitted = of();
  }

  /** The last lines matter least. @param {HTMLElement} line @param {number} left  how many are left out by now */
  #leaveOut(line, left) {
    line.hidden = true;
    this.more.hidden = false;
    write(this.more, `and ${left} more`);
  }

  /** @param {{who: string, said: string}[]} lines  who says it, or what it is, and the words */
  drawQuotes(lines) {
    if (lines === this.lines) return; // as they stand, and fit
    this.lines = lines;
    const words = lines.map(({ who, said }) => [el("span", { class: "fl-present-who", text: who && `${who} ` }), large(said)]);
    this.quotes.replaceChildren(...words.map((parts) => el("p", {}, ...parts)));
    this.quotes.hidden = !lines.length;
  }

  /** @param {string} note */
  drawNote(note) {
    writeLarge(this.note, note);
    this.note.hidden = !note;
  }

  /** What is known of a session, or of a recorded compaction. @param {Slide} slide @param {boolean} lost  whether its title is that of losses */
  drawTold({ title, said, lines }, lost) {
    this.kicker.hidden = !title;
    write(this.kicker, title);
    attribute(this.root, "data-lost", lost && title !== "");
    this.drawNote("");
    this.drawQuotes(lines);
    writeLarge(this.caption, said);
  }

  destroy() {
    this.resized.disconnect();
    this.root.remove();
  }
}
