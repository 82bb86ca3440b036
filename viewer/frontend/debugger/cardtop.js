// The top of a compaction's card: why it fired, tokens before and after, what it did in a line. What these leave out is in its notes.

import { cardNotes } from "./cardnotes.js";
import { messageLink } from "./messagelink.js";
import { coded, el, visible } from "../lib/dom.js";
import { int, pluralize } from "../lib/format.js";
import { headlineOf } from "../run/cardheadline.js";
import { lineOf } from "../run/cardline.js";
import { sentence, why } from "../run/cardwords.js";
import { numberNotes } from "../run/numbernotes.js";
import { clock } from "../run/overviewwords.js";
/** @import { App } from "./app.js" */
/** @import { Coming } from "./cardmoment.js" */
/** @import { Figures } from "../run/compactionfigures.js" */
/** @import { CompactionCard } from "../run/types.js" */

/** A text whose words with a hyphen, as names of models are, stay on one line. @param {string} text @returns {(string | Node)[]} */
const whole = (text) => text.split(/(\S*\w-\w\S*)/).map((part, k) => (k % 2 ? el("span", { class: "fl-unbroken", text: part }) : part));

export class CardTop {
  /** @param {App} app @param {number} k @param {Figures} figures @param {CompactionCard | null} card  what the server knows; null until it answers */
  constructor(app, k, figures, card) {
    this.app = app;
    this.run = app.run;
    this.k = k;
    this.figures = figures;
    this.card = card;
    /** The numbers that are not there yet while the compaction is told. @type {Coming[]} */ this.totals = [];
    this.nodes = [...this.#reason(), this.#headline(), this.#line()];
    this.notes = figures.edit ? [] : cardNotes(numberNotes(this.run, k, figures, card).map(visible));
  }

  /** Why it acted, and what a person told it to keep. */
  #reason() {
    const replayed = this.run.view.kind === "replay";
    const words = replayed ? whole(this.#occasion()) : coded(this.#why());
    return [el("p", { class: "fl-occasion" }, ...words), ...this.#asked()];
  }

  /** Of a recorded one, as the server says it. */
  #occasion() {
    return [visible(this.card?.occasion ?? ""), clock(this.card?.timestamp ?? "")].filter(Boolean).join(" ");
  }

  #asked() {
    const words = this.card?.instructions;
    return words ? [el("p", { class: "fl-asked", title: visible(words) }, "The user told it: ", el("q", { dir: "auto", text: visible(words) }))] : [];
  }

  /** Of any other, by its policy; where a person asked for it, in the words of the run. */
  #why() {
    if (this.figures.edit) return "No longer sent to the model. A tool call and its results go together.";
    const before = Math.max(0, this.figures.step - 1);
    const policy = this.run.policyAt(before);
    const asked = this.run.view.live && policy?.limit != null && this.run.step(before).counted <= policy.limit;
    return asked ? sentence(this.card?.reason ?? "") : why(policy, this.figures.fellBack ? null : this.card);
  }

  #headline() {
    const { before_from: before = "", after_from: after = "" } = this.card ?? {};
    const { before: was, after: is, change, grew, whose } = headlineOf(this.run, this.k, this.figures, { before, after });
    const from = was === null ? [] : [el("b", { class: "fl-before", text: was }), el("span", { class: "fl-arrow", text: "→" })];
    const freed = change
      ? [el("span", { class: grew ? "fl-freed fl-over" : "fl-freed", text: change }), el("span", { class: "fl-named", text: " · " })]
      : [];
    return el(
      "div",
      { class: "fl-numbers" },
      ...from,
      el("b", {}, this.#total(is)),
      el("span", {}, ...freed, el("span", { class: "fl-named", text: whose })),
    );
  }

  /** What is left in the end. @param {string} text */
  #total(text) {
    const node = el("span", { class: "fl-after", text });
    node.style.minWidth = `${text.length}ch`; // while the number is not there yet its place is kept
    this.totals.push({ node, text });
    return node;
  }

  #line() {
    if (this.figures.edit) return el("p", { class: "fl-line" }, ...this.#removedByHand());
    const { goes, comes, stays } = lineOf(this.run, this.k, this.figures);
    const made = comes && el("span", { class: "fl-comes", text: comes });
    return el("p", { class: "fl-line" }, goes, made, el("span", { class: made ? "fl-stays" : "", text: stays }));
  }

  /** How many messages a person removed, and which: an edit has no phases, only this. @returns {(string | Node)[]} */
  #removedByHand() {
    const { taken } = this.figures.did;
    const places = taken.flatMap(([a, b]) => Array.from({ length: b - a }, (_, i) => a + i));
    const links = places.slice(0, 12).flatMap((pool, k) => [k ? ", " : "", messageLink(this.app, pool)]);
    const left = places.length > 12 ? ` and ${int(places.length - 12)} more` : "";
    return ["Removed manually: ", el("b", { text: pluralize(places.length, "message") }), ": ", ...links, left];
  }
}
