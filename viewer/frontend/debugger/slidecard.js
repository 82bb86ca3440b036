// The card of a slide in front of a room: a kicker, the caption, the rule that the story is about, quotes and a note. Its words are as large as
// the card has room for.

import { attribute, el, visible, write } from "../lib/dom.js";
/** @import { Slide } from "./compactiontelling.js" */

/** How large the words may be: the largest that fits; and beside the whole curve, where they have the whole height. */
const SIZES = Array.from({ length: 17 }, (_, k) => 1.4 - 0.04 * k);
const TALL = [1.8, 1.7, 1.6, 1.5, ...SIZES];

/** Where a long name is broken first: behind a mark, before a letter; "__init__" stays whole. */
const MARKS = /(?<=\S{3}\/)(?=[\p{L}_.]\S{2})|(?<=\S{2}[\p{L}\p{N}][_.-])(?=\p{L}{2}[\p{L}\p{N}_])/u;

/** Set a node's text in large type: a path or the name of a file is broken behind a mark first. Writes only on a change. @param {HTMLElement} node @param {string} text */
export function writeLarge(node, text) {
  const shown = visible(text);
  if (node.textContent !== shown) node.replaceChildren(...shown.split(MARKS).flatMap((part, k) => (k ? [el("wbr"), part] : [part])));
}

/** A node with such a text. @param {string} text @param {"span" | "q" | "s"} [tag] */
export function large(text, tag = "span") {
  const node = el(tag, { dir: "auto" });
  writeLarge(node, text);
  return node;
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
    const sizes = root.closest("[data-whole]") ? TALL : SIZES;
    for (const node of [...lines, this.more]) node.hidden = node === this.more;
    for (let left = 1; !sizes.some(fits) && lines.length > 2; left += 1) this.#leaveOut(/** @type {HTMLElement} */ (lines.pop()), left);
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
