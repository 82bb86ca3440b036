// The sentences of a summary, each underlined by what it comes from. One of them can be reached with Tab, the others with the arrows.

import { attribute, button, el, visible, visiblePlaces } from "../lib/dom.js";
import { pluralize } from "../lib/format.js";
import { wrapSpans } from "../lib/spans.js";
import { retry } from "../lib/text.js";
import { noteParts, sentenceWords, tally } from "./originwords.js";
/** @import { Span } from "../lib/types.js" */
/** @import { Origins } from "./origins.js" */
/** @import { Provenance, Sentence } from "./provenance.js" */

/** Pixels that the pointer may move in a click; farther, and text was selected. */
const STILL = 4;

/** Draws on a summary that stands on the page: `words` are its nodes, `line` is what is said above it. */
export class Sentences {
  /** @param {Origins} origins @param {string} text of the summary @param {(sentence: Sentence) => (Node | string)[]} places links to what a sentence comes from */
  constructor(origins, text, places) {
    this.origins = origins;
    this.text = text;
    this.places = places;
    this.line = el("div", { class: "fl-tally" });
    /** @type {HTMLElement} */ this.words = el("div");
    /** What is drawn on them. @type {Provenance | null} */ this.answer = null;
    this.note = el("span", { class: "fl-peek", role: "note" });
    /** @type {Span[]} */ this.spans = [];
    /** The elements of each sentence, in order. @type {HTMLElement[][]} */ this.parts = [];
    this.observer = new MutationObserver(() => this.answer && !this.#busy && (this.#wrap(), this.#drawChoice()));
    this.pressedAt = [0, 0];
  }

  /** Underline what is drawn here from now on. @param {HTMLElement} words */
  attach(words) {
    this.observer.disconnect();
    this.words = words;
    this.answer = null;
    this.parts = [];
    words.addEventListener("keydown", (event) => this.#key(event));
    words.addEventListener("pointerdown", ({ clientX, clientY }) => (this.pressedAt = [clientX, clientY]));
    words.addEventListener("click", (event) => this.#clicked(event));
    this.draw();
    this.observer.observe(words, { childList: true, subtree: true, attributeFilter: ["aria-busy"] });
  }

  /** Draw what is known now. */
  draw() {
    const { answer } = this.origins;
    this.#drawLine();
    if (!answer) return;
    if (answer !== this.answer) this.#learn(answer);
    this.#drawChoice();
  }

  /** @param {Provenance} answer */
  #learn(answer) {
    const places = visiblePlaces(this.text);
    this.answer = answer;
    this.spans = answer.sentences.map(({ from, to }) => [places(from), places(to)]);
    if (!this.#busy) this.#wrap();
  }

  /** Whether more of the text is drawn in the next frames. */
  get #busy() {
    return this.words.querySelector("[aria-busy]") !== null;
  }

  /** Underline what is drawn by now, and go on with what is drawn later. */
  #wrap() {
    const make = (/** @type {number} */ n) => el("span", { class: "fl-s", "data-n": n, "data-verdict": this.#sentences[n].verdict });
    wrapSpans(this.words, this.spans, make, ".fl-s, .fl-peek");
    this.parts = this.spans.map(() => []);
    for (const part of this.#inOrder()) this.parts[Number(part.dataset.n)]?.push(part);
    for (const [n, [first]] of this.parts.entries()) if (first) this.#name(first, n);
    this.observer.takeRecords();
  }

  #inOrder() {
    return /** @type {NodeListOf<HTMLElement>} */ (this.words.querySelectorAll(".fl-s"));
  }

  /** Those that the spans are of: by now the origins may be about another summary. */
  get #sentences() {
    return this.answer?.sentences ?? [];
  }

  /** The first part of a sentence stands for it. @param {HTMLElement} part @param {number} n */
  #name(part, n) {
    const { at } = this.origins;
    attribute(part, "role", "button");
    attribute(part, "aria-description", sentenceWords(this.#sentences[n], n, this.#sentences.length));
    attribute(part, "tabindex", n === Math.max(0, at) ? 0 : -1);
  }

  #drawLine() {
    const { answer, failed } = this.origins;
    if (failed) {
      return this.line.replaceChildren(el("span", { role: "alert", text: failed }), ...retry(failed, () => this.origins.retry()));
    }
    if (!answer?.sentences.length) return this.line.replaceChildren();
    const focused = /** @type {HTMLElement | null} */ (this.line.querySelector(":focus"))?.dataset.verdict;
    const buttons = tally(answer).map(({ verdict, text, title }) =>
      button(text, () => this.origins.next(verdict), {
        class: "fl-tallied",
        "data-verdict": verdict,
        title,
        "aria-label": `${text}: go to the next`,
      }),
    );
    const all = el("span", {}, `${pluralize(answer.sentences.length, "sentence")}:`);
    this.line.replaceChildren(all, ...buttons);
    buttons.find((one) => one.dataset.verdict === focused)?.focus({ preventScroll: true });
  }

  #drawChoice() {
    const { at } = this.origins;
    for (const [n, parts] of this.parts.entries()) {
      for (const part of parts) attribute(part, "data-chosen", n === at);
      if (!parts[0]) continue;
      attribute(parts[0], "aria-pressed", String(n === at));
      attribute(parts[0], "tabindex", n === Math.max(0, at) ? 0 : -1);
    }
    this.#drawNote(at);
    this.observer.takeRecords();
    if (this.origins.reveals && this.parts[at]?.[0]?.isConnected) this.#reveal(this.parts[at][0]);
  }

  /** @param {HTMLElement} part */
  #reveal(part) {
    this.origins.reveals = false;
    part.focus({ preventScroll: true });
    part.scrollIntoView({ block: "nearest" });
    if (this.note.isConnected) this.note.scrollIntoView({ block: "nearest" });
  }

  /** What is to be said of a sentence, below it. @param {number} n */
  #drawNote(n) {
    this.note.remove();
    const last = this.parts[n]?.at(-1);
    if (!last) return;
    const sentence = this.#sentences[n];
    attribute(this.note, "data-verdict", sentence.verdict);
    const [lead, rest] = noteParts(sentence).map(visible);
    this.note.replaceChildren(...(lead ? [el("b", { text: lead }), " "] : []), rest ? `${rest} ` : "", ...this.places(sentence));
    if (this.note.textContent?.trim()) behindSpace(last).after(this.note);
  }

  /** @param {MouseEvent} event */
  #clicked(event) {
    const n = numberOf(event.target);
    const [x, y] = this.pressedAt;
    if (n < 0 || event.detail > 1 || Math.hypot(event.clientX - x, event.clientY - y) > STILL) return;
    this.#turn(n);
  }

  /** Choose a sentence, or let go of it. @param {number} n */
  #turn(n) {
    if (n === this.origins.at) this.origins.clear();
    else this.origins.choose(n);
    this.parts[n]?.[0]?.focus({ preventScroll: true });
    if (this.note.isConnected) this.note.scrollIntoView({ block: "nearest" });
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const n = numberOf(event.target);
    if (n < 0 || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (event.key === "Escape" && !this.origins.clear()) return;
    if (event.key === "Enter" || event.key === " ") this.#turn(n);
    else if (event.key !== "Escape" && !this.#walk(n, event.key)) return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Go to another sentence; while one is chosen, choose it. Says whether the key does that. @param {number} n @param {string} key */
  #walk(n, key) {
    const last = this.parts.length - 1;
    const to = { ArrowDown: n + 1, ArrowRight: n + 1, ArrowUp: n - 1, ArrowLeft: n - 1, Home: 0, End: last }[key];
    if (to === undefined) return false;
    const part = this.parts[Math.max(0, Math.min(last, to))]?.[0];
    if (!part) return true;
    if (this.origins.at >= 0) this.origins.choose(Number(part.dataset.n), true);
    else this.#reveal(part);
    return true;
  }

  stop() {
    this.observer.disconnect();
  }
}

/** Which sentence a node is of, or -1. @param {EventTarget | null} target */
const numberOf = (target) => Number(/** @type {HTMLElement | null} */ (/** @type {Element | null} */ (target)?.closest?.(".fl-s"))?.dataset.n ?? -1);

/** The end of the line behind a node, or its white space: what comes below does not begin with it. @param {HTMLElement} node @returns {ChildNode} */
function behindSpace(node) {
  const next = /** @type {Text | null} */ (node.nextSibling);
  if (next?.nodeType !== Node.TEXT_NODE) return node;
  const space = /^[ \t]*\n?/.exec(next.data)?.[0].length ?? 0;
  if (!space) return node;
  if (next.data.length > space) next.splitText(space);
  return next;
}
