// The story of a text: a row for each thing that happened to it, with its mark, its step, and words; and where the cursor is.

import { attribute, button, el, visible, write } from "../lib/dom.js";
import { LongList } from "../lib/longlist.js";
import { draw } from "../lib/svg.js";
import { stepMark, stepName } from "../run/places.js";
import { walkable } from "./focuswalk.js";
import { marksOf, shapeOf } from "./marks.js";
import { selectionIn } from "./selection.js";
import { foldedWords, storyRows } from "./storyrows.js";
/** @import { Mark } from "./marks.js" */
/** @import { PanelHost } from "./host.js" */
/** @import { StoryRow } from "./storyrows.js" */
/** @import { Fate } from "./types.js" */

/** Height of a row of the whole story, and rows of it that are in sight. */
const ROW = 24;
const IN_SIGHT = 12;

export class Story {
  /** @param {PanelHost} app */
  constructor(app) {
    this.app = app;
    this.list = el("ol", { class: "fl-why-story", "aria-label": "What happened to it" });
    walkable(this.list, "button");
    /** All of it, once that is asked for. */
    this.whole = new LongList({
      label: "What happened to it, all of it",
      id: "fl-why-all",
      height: ROW,
      row: (row) => [this.#line(row, false)],
      take: (row) => "mark" in row && this.#go(row.mark),
      point: () => attribute(this.whole.node, "aria-activedescendant", this.whole.active),
    });
    this.whole.node.classList.add("fl-why-all");
    attribute(this.whole.node, "tabindex", 0);
    this.whole.node.addEventListener("keydown", (event) => this.#key(event));
    this.less = button("Show less", () => this.#unfold(false), { class: "fl-link" });
    this.node = el("div", {}, this.list, this.whole.node, this.less);
    /** @type {Fate | null} */ this.fate = null;
    /** @type {Mark[]} */ this.marks = [];
    this.unfolded = false;
    /** @type {Map<string, HTMLElement>} */ this.nodes = new Map();
  }

  /** @param {Fate} fate @param {number} step */
  show(fate, step) {
    if (fate !== this.fate) this.#take(fate);
    this.step = step;
    const rows = storyRows(this.marks, step, this.unfolded);
    for (const node of [this.whole.node, this.less]) node.hidden = !this.unfolded;
    this.list.hidden = this.unfolded || !this.marks.length;
    if (this.unfolded) this.#showAll(rows);
    else this.#arrange(rows);
  }

  /** @param {Fate} fate */
  #take(fate) {
    if (fate.text !== this.fate?.text) this.unfolded = false;
    this.fate = fate;
    this.marks = marksOf(this.app.run, fate);
    this.nodes.clear();
    this.list.replaceChildren();
  }

  /** Show all of it, or what matters. @param {boolean} unfolded */
  #unfold(unfolded) {
    this.unfolded = unfolded;
    if (!this.fate || this.step === undefined) return;
    this.show(this.fate, this.step);
    const next = unfolded ? this.whole.node : this.list.querySelector(".fl-why-more");
    if (next instanceof HTMLElement) next.focus({ preventScroll: true });
  }

  /** Show all of it. */
  unfold() {
    this.#unfold(true);
  }

  /** @param {StoryRow[]} rows */
  #showAll(rows) {
    this.whole.node.style.height = `${Math.min(rows.length, IN_SIGHT) * ROW + 2}px`;
    const here = rows.findIndex((row) => "here" in row || ("when" in row && row.when === "now"));
    if (this.whole.items.length === rows.length) this.whole.replace(rows, this.whole.at);
    else this.whole.show(rows, Math.max(0, here));
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (!this.whole.key(event)) return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Put the rows in order, without taking out one that stays: it may be pressed just now. @param {StoryRow[]} rows */
  #arrange(rows) {
    const wanted = rows.map((row) => this.#node(row));
    const place = wanted.findIndex((node) => node.classList.contains("fl-why-here"));
    const here = this.list.querySelector(".fl-why-here");
    if (here && this.list.children[place] !== here) here.remove();
    for (const node of [...this.list.children]) if (!wanted.includes(/** @type {HTMLElement} */ (node))) node.remove();
    wanted.forEach((node, i) => this.list.children[i] !== node && this.list.insertBefore(node, this.list.children[i] ?? null));
  }

  /** @param {StoryRow} row */
  #node(row) {
    const node =
      this.nodes.get(row.key) ?? el("li", { on: { click: (/** @type {MouseEvent} */ event) => this.#press(row, event) } }, this.#line(row));
    this.nodes.set(row.key, node);
    node.classList.toggle("fl-why-here", "here" in row);
    if ("here" in row) write(/** @type {Node} */ (node.querySelector(".fl-why-at")), stepMark(this.app.run, row.here));
    if ("uses" in row) write(/** @type {Node} */ (node.querySelector(".fl-why-more")), foldedWords(this.app.run, row));
    attribute(node, "data-when", "when" in row ? row.when : null);
    attribute(node, "aria-current", "here" in row || ("when" in row && row.when === "now") ? "step" : null);
    return node;
  }

  /** Wherever a row is pressed, it leads to its step; who selects words in it does not press it. @param {StoryRow} row @param {Event} event */
  #press(row, { target }) {
    if ("mark" in row && ((target instanceof HTMLElement && target.matches("button")) || !selectionIn(this.node))) this.#go(row.mark);
  }

  /** @param {StoryRow} row @param {boolean} [pressed]  whether the step is a button; a row of the whole story is pressed itself */
  #line(row, pressed = true) {
    if ("uses" in row)
      return line(
        "",
        el("span"),
        button("", () => this.#unfold(true), { class: "fl-link fl-why-more" }),
      );
    if ("here" in row)
      return line("", el("span", { class: "fl-why-at", text: stepMark(this.app.run, row.here) }), el("span", { text: "you are here" }));
    const { mark } = row;
    const { run } = this.app;
    const name = `Go to ${stepName(run, mark.step)}`;
    const at = { class: "fl-link fl-why-at", "aria-label": name, title: name };
    const go = pressed
      ? el("button", { type: "button", text: stepMark(run, mark.step), ...at })
      : el("span", { class: at.class, text: stepMark(run, mark.step) });
    return line(mark.kind, go, wordsOf(mark));
  }

  /** To the step: what happened there is what the other tab shows. @param {Mark} mark */
  #go({ step }) {
    this.app.pause();
    this.app.go(step);
    this.app.select(null);
  }

  stop() {
    this.whole.stop();
  }
}

/** @param {import("./marks.js").MarkKind | ""} kind @param {...Node} rest */
function line(kind, ...rest) {
  const mark = draw("svg", { viewBox: "0 0 13 20", "aria-hidden": "true" });
  if (kind) mark.append(draw("path", { d: shapeOf(kind, 6.5, 10), class: `fl-why-mark fl-why-${kind}` }));
  return el("div", { class: "fl-why-line" }, mark, ...rest);
}

/** What happened, its first word set off where it matters, and as evidence of a use what the message says around it. @param {Mark} mark */
function wordsOf({ kind, event }) {
  const { words, quote } = event;
  const lead = /^(dropped|needed)$/.test(kind) ? (/^\w+[.:]?/.exec(words)?.[0] ?? "") : "";
  const evidence = /^(needed|used)$/.test(kind) ? visible(quote) : "";
  const node = el("span", { class: "fl-why-words", title: evidence ? `${visible(words)} “${evidence}”` : null });
  if (lead) node.append(el("b", { class: kind === "needed" ? "fl-why-bad" : "", text: lead }));
  node.append(visible(words.slice(lead.length)), ...(evidence ? [" ", el("q", { dir: "auto", text: evidence })] : []));
  return node;
}
