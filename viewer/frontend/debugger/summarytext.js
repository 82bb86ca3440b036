// A summary on its card: as Markdown, or as it is written, with what each sentence comes from.

import { el, visiblePlaces } from "../lib/dom.js";
import { markdown } from "../lib/markdownnodes.js";
import { wrapSpans } from "../lib/spans.js";
import { longBlock } from "../lib/text.js";
import { ofKind } from "../lib/wrap.js";
import { originsOf } from "../why/origins.js";
import { Sentences } from "../why/sentences.js";
import { sourceLinks } from "./origins.js";
import { isMarkdown, MarkdownSwitch } from "../message/reading.js";
/** @import { App } from "./app.js" */
/** @import { Span } from "../lib/types.js" */

/** The id of a message in brackets, as a structural summary quotes it: whole, or by its two ends; core/summaries/quotes.py. */
const ID = /(?<=\s)\[(?=[^\]\s]{0,79}\d)[\w.:+@/#~…–-]{2,80}\]/g;

/** A tag on a line of its own, which an agent puts around a summary: `<SYSTEM_NOTICE>`. */
const TAG = /^[ \t]*<\/?[A-Za-z][\w-]{0,40}>[ \t]*$/gm;

/** Ids, and tags around the text, stand back behind what is said. @param {HTMLElement} words @param {string} text */
function fadeIds(words, text) {
  const place = visiblePlaces(text);
  const found = [...text.matchAll(ID), ...text.matchAll(TAG)].sort((a, b) => a.index - b.index);
  const spans = found.map(({ 0: { length }, index }) => /** @type {Span} */ ([place(index), place(index + length)]));
  wrapSpans(words, spans, () => el("span", { class: "fl-id" }), ".fl-id");
}

/** A summary and the switch of how it is read. */
export class SummaryText {
  /** @param {App} app @param {string} text @param {string} query */
  constructor(app, text, query) {
    this.text = text;
    this.query = query;
    const origins = originsOf(app);
    this.sentences = new Sentences(origins, text, (sentence) => sourceLinks(app, origins.k, sentence));
    this.reading = new MarkdownSwitch(() => (this.#draw(), this.reading.node.focus()));
    this.words = el("div", { class: "fl-summary-text" });
    this.node = el("div", { class: "fl-summary" }, this.sentences.line, this.words);
    this.#draw();
  }

  #draw() {
    const { text, query, reading } = this;
    const words = el("div", { class: "fl-flat" }, isMarkdown(text, "said") ? markdown(text, query, true) : ofKind(longBlock(text, query), "prose"));
    this.words.replaceChildren(reading.node, words);
    fadeIds(words, text);
    reading.show("said", text);
    this.sentences.attach(words);
  }

  /** What its sentences come from is known, or another one is chosen. */
  drawOrigins() {
    this.sentences.draw();
  }

  stop() {
    this.sentences.stop();
  }
}
