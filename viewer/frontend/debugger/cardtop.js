// The top of a compaction's card: tokens before and after, what it did in a line, why it fired.

import { cardNotes } from "./cardnotes.js";
import { change, recordedNumbers } from "./recordednumbers.js";
import { messageLink } from "./messagelink.js";
import { coded, el, visible } from "../lib/dom.js";
import { int, pluralize } from "../lib/format.js";
import { done, remarks, sentence, why } from "../run/cardwords.js";
import { clock } from "../run/overviewwords.js";
import { tildeAfter, tildeBefore } from "../run/compactionfigures.js";
import { guessedBy } from "../run/sections.js";
/** @import { App } from "./app.js" */
/** @import { Coming } from "./cardmoment.js" */
/** @import { Figures } from "../run/compactionfigures.js" */
/** @import { CompactionCard } from "../run/types.js" */

/** Where a recorded number is from, as one would say it. @param {string} from */
const plain = (from) =>
  from.replace(/^prompt of the model call before/, "the last prompt sent").replace(/^prompt of the model call after/, "the first prompt sent then");

/** A text whose words with a hyphen, as names of models are, stay on one line. @param {string} text @returns {(string | Node)[]} */
const unbroken = (text) => text.split(/(\S*\w-\w\S*)/).map((part, k) => (k % 2 ? el("span", { class: "fl-unbroken", text: part }) : part));

export class CardTop {
  /** @param {App} app @param {number} k @param {Figures} figures @param {CompactionCard | null} card  what the server knows; null until it answers */
  constructor(app, k, figures, card) {
    this.app = app;
    this.run = app.run;
    this.k = k;
    this.figures = figures;
    this.card = card;
    /** The numbers that are not there yet while the compaction is told. @type {Coming[]} */ this.totals = [];
    this.nodes = [...this.#recorded(), ...this.#numbers(), this.#line(), this.#why(), ...this.#remarks()];
  }

  /** Of a recorded compaction, why it happened, its numbers, and where they come from. */
  #recorded() {
    if (!this.#replayed) return [];
    const time = clock(this.card?.timestamp ?? "");
    const said = [visible(this.card?.occasion ?? ""), time].filter(Boolean).join(" ");
    const above = [el("p", { class: "fl-occasion" }, ...unbroken(said)), ...this.#asked()];
    if (!this.#known) return [...above, ...this.#rule(), ...cardNotes(this.#origins, this.#ruleWords)];
    const total = (/** @type {number} */ to, /** @type {string} */ mark) => this.#total(to, mark);
    const { node, notes } = recordedNumbers(this.run, this.k, this.figures, total, this.#sources);
    return [...above, node, ...this.#rule(), ...cardNotes([...this.#origins, ...notes], this.#ruleWords)];
  }

  /** What a person told it to keep. */
  #asked() {
    const words = this.card?.instructions;
    return words ? [el("p", { class: "fl-asked", title: visible(words) }, "Asked for it: ", el("q", { dir: "auto", text: visible(words) }))] : [];
  }

  get #replayed() {
    return this.run.view.kind === "replay";
  }

  /** Whether the transcript records its tokens. */
  get #known() {
    return this.figures.recordedBefore >= 0 || this.figures.recordedAfter >= 0;
  }

  /** Where the recorded numbers were found, and why a summary cannot be read. */
  get #origins() {
    const { before_from: before, after_from: after, unreadable } = this.card ?? {};
    const texts = [
      before ? `Before: ${plain(before)}` : "",
      after ? `After: ${plain(after)}` : "",
      unreadable ? `The summary is ${unreadable}, so its size is unknown` : "",
    ];
    return texts.flatMap((text) => (text ? [`${text}.`] : []));
  }

  get #sources() {
    const { before_from: before = "", after_from: after = "" } = this.card ?? {};
    return { before, after, text: this.#origins.join(" ") };
  }

  /** At how many tokens the agent's known rule acts. */
  get #ruleWords() {
    return this.card?.rule ? `${this.card.rule}.` : "";
  }

  #rule() {
    const said = this.#ruleWords;
    return said ? [el("p", { class: "fl-why fl-rule", text: visible(said) })] : [];
  }

  #numbers() {
    const { before, after, begins, unreadable } = this.figures;
    if (this.#replayed && this.#known) return [];
    const [was, is] = [tildeBefore(this.run, this.k), tildeAfter(this.run, this.k)];
    const named = is ? `~ estimated by ${guessedBy(this.run)}` : "";
    const from = [
      el("b", { class: "fl-before", text: this.figures.unnamed ? "?" : was + int(before) }),
      el("span", { class: "fl-arrow", text: "→" }),
    ];
    return [
      el(
        "div",
        { class: "fl-numbers" },
        ...(begins ? [] : from),
        el("b", {}, this.#total(after, is), unreadable && " + ?"),
        !begins && !unreadable && !this.figures.unnamed && change(before, after),
        named && el("span", { class: "fl-named fl-meters", text: named }),
      ),
    ];
  }

  /** What is left in the end; -1 where it is not known. @param {number} to @param {string} mark */
  #total(to, mark) {
    const text = to < 0 ? "?" : mark + int(to);
    const node = el("span", { class: "fl-after", text });
    node.style.minWidth = `${text.length}ch`; // while the number is not there yet its place is kept
    this.totals.push({ node, text });
    return node;
  }

  /** Whether what a recorded compaction took is not in the file. */
  get #unnamed() {
    const { line, folded, micro } = this.figures;
    return this.#replayed && Boolean(line) && !folded && !micro;
  }

  #line() {
    const { line, earlier, begins, deeds, edit } = this.figures;
    if (edit) return el("p", { class: "fl-line" }, ...this.#removedByHand());
    if (begins) return el("p", { class: "fl-line", text: "The file begins with a summary of what came before it (not in this file)." });
    if (this.#unnamed) return el("p", { class: "fl-line", text: "The summary replaces messages that are not in this file." });
    const did = done(this.run, this.figures);
    const comes = el("span", { class: "fl-comes", text: ` · ${line?.tokens}` });
    const parts = line ? [[deeds.includes("opaque") ? "opaque item " : "summary ", line.which, comes], ...did] : did;
    const nodes = parts.flatMap(([before, bold, after], k) => [k ? " · " : "", before, el("b", { text: String(bold) }), after]);
    return el("p", { class: "fl-line" }, ...nodes, earlier ? ` · ${earlier}` : "");
  }

  /** How many messages a person removed, and which: an edit has no phases, only this. @returns {(string | Node)[]} */
  #removedByHand() {
    const { taken } = this.figures.did;
    const places = taken.flatMap(([a, b]) => Array.from({ length: b - a }, (_, i) => a + i));
    const links = places.slice(0, 12).flatMap((pool, k) => [k ? ", " : "", messageLink(this.app, pool)]);
    const left = places.length > 12 ? ` and ${int(places.length - 12)} more` : "";
    return ["Removed manually: ", el("b", { text: pluralize(places.length, "message") }), ": ", ...links, left];
  }

  #why() {
    return el("p", { class: "fl-why" }, ...coded(this.#reason()));
  }

  /** Why it acted; where a person asked for it, in the words of the run. */
  #reason() {
    if (this.figures.edit) return "No longer sent to the model. A tool call and its results go together.";
    const before = Math.max(0, this.figures.step - 1);
    const policy = this.run.policyAt(before);
    const asked = this.run.view.live && policy?.limit != null && this.run.step(before).counted <= policy.limit;
    return asked ? sentence(this.card?.reason ?? "") : why(policy, this.figures.fellBack ? null : this.card);
  }

  /** What is peculiar to this one: which tiers acted, what was never read, what nobody knows. */
  #remarks() {
    const said = remarks(this.run.view.policy, this.figures, this.card);
    return said.map((text) => el("p", { class: "fl-why fl-remark", text: visible(text) }));
  }
}
