// What each compaction lost, most important first: the first thing the overview says. Each text leads to Why, each head to the card.

import { Asker, lossesPath } from "../lib/api.js";
import { button, el, visible, write } from "../lib/dom.js";
import { capitalized, int } from "../lib/format.js";
import { failure } from "../lib/text.js";
import { sizesOf } from "../run/announcing.js";
import { figures, spanOf } from "../run/compactionfigures.js";
import { lossesInAll, lossGroups, lossNote, lostResults, askedAgain, nothingLost } from "../run/losswords.js";
import { tilde } from "../run/sections.js";
/** @import { App } from "./app.js" */
/** @import { CompactionLosses, Loss, LossPage } from "../run/types.js" */

/** Milliseconds a run stands before it is asked about: while a slider moves nothing is asked, and findings, which are shown first, are. */
const REST = 900;
const SOON = 80;

/** Compactions whose heads stand there before the answer comes. */
const AHEAD = 8;

export class LossesView {
  /** @param {App} app @param {(step: number) => void} open  shows a compaction's card @param {(step: number) => void} go  moves the cursor */
  constructor(app, open, go) {
    this.app = app;
    this.open = open;
    this.go = go;
    this.asker = new Asker(app, SOON);
    this.all = el("p", { class: "fl-oall", role: "status" });
    this.list = el("ol", { class: "fl-losses" });
    this.more = button("Show what the next ones lost", () => this.#ask(this.rows.length), { class: "fl-link" });
    this.head = el("h3");
    this.node = el("section", {}, this.head, this.all, this.list, this.more);
    /** @type {CompactionLosses[]} */ this.rows = [];
  }

  /** Another run is on the page. */
  place() {
    const { run } = this.app;
    this.drop(); // an answer about the run before would be drawn over this one, which may have no compactions
    this.rows = [];
    this.node.hidden = !run.compactions;
    write(this.head, run.view.kind === "simulate" && !run.view.live ? "What would have been forgotten, and when" : "What was forgotten, and when");
    this.more.hidden = true;
    write(this.all, "");
    this.list.replaceChildren(
      ...Array.from({ length: Math.min(AHEAD, run.compactions) }, (_, k) => this.#item(k, [el("p", { class: "fl-none", text: "…" })])),
    );
    if (run.compactions) this.#ask(0);
  }

  drop() {
    this.asker.drop();
  }

  /** @param {number} from */
  #ask(from) {
    const { run } = this.app;
    this.asker.delay = run.view.kind === "simulate" ? REST : SOON; // nothing is turned in a run as recorded
    const path = lossesPath(run.view.tid, from, run.view.live ? run.length : 0);
    this.asker.ask(
      path,
      (page) => this.#draw(page),
      (said) =>
        this.list.replaceChildren(
          el(
            "li",
            {},
            failure(said, () => this.#ask(from)),
          ),
        ),
    );
  }

  /** @param {LossPage} page */
  #draw({ total, from, rows }) {
    this.rows = [...this.rows.slice(0, from), ...rows];
    const whole = this.rows.length >= total;
    write(this.all, whole ? lossesInAll(this.rows) : "");
    this.more.hidden = whole || !rows.length;
    this.list.replaceChildren(...lossGroups(this.rows).map((rows) => this.#item(rows[0].index, this.#lines(rows[0]), rows.length)));
  }

  /** A compaction, or several of which nothing is known. @param {number} k @param {(Node | string)[]} lines @param {number} [count] */
  #item(k, lines, count = 1) {
    const { run } = this.app;
    const made = figures(run, k);
    const sizes = made.begins ? "the file begins with its summary" : sizesOf(run, k, made);
    const about = count > 1 ? "" : ` · step ${int(made.step)} · ${sizes}`;
    const head = button("", () => this.open(made.step), { class: "fl-loss-head", "data-step": made.step, title: "Open its card" });
    head.append(el("i", { "aria-hidden": "true", text: "◆ " }), el("b", { text: capitalized(spanOf(run, k, k + count - 1)) }), about);
    return el("li", { class: "fl-loss" }, head, ...lines);
  }

  /** @param {CompactionLosses} row */
  #lines(row) {
    const said = nothingLost(row);
    return [
      ...(said ? [el("p", { class: "fl-none", text: said })] : []),
      ...this.#texts("The user said", row.told, row.told_total, row.step),
      ...this.#texts("Missing, used", row.names, row.names_total, row.step),
      ...this.#results(row),
    ];
  }

  /** @param {string} label @param {Loss[]} texts @param {number} total @param {number} step */
  #texts(label, texts, total, step) {
    if (!texts.length) return [];
    const rest = total > texts.length ? [el("li", { class: "fl-none", text: `and ${int(total - texts.length)} more` })] : [];
    return [line(label, el("ul", { class: "fl-loss-texts" }, ...texts.map((text) => this.#text(text, step)), ...rest))];
  }

  /** @param {Loss} loss @param {number} step  of the compaction that took it */
  #text(loss, step) {
    const note = lossNote(loss);
    const named = loss.kind === "name";
    const text = visible(loss.text);
    const node = button("", () => this.#why(loss, step), {
      class: "fl-loss-text",
      "data-kind": loss.kind,
      title: loss.followed ? "Why: where it went" : "Go to its message",
    });
    node.append(el(named ? "code" : "q", { dir: "auto", text }));
    return el("li", {}, node, ...(note ? [el("span", { class: "fl-loss-note", text: ` ${note}` })] : []));
  }

  /** The step where it went, and where its text was at every other. @param {Loss} loss @param {number} step */
  #why({ followed, at }, step) {
    const { app } = this;
    if (app.hosted || !followed) return this.go(app.run.stepOfMessage(at));
    this.go(step);
    app.why.ask(followed);
  }

  /** @param {CompactionLosses} row */
  #results(row) {
    if (!row.results && !row.again) return [];
    const about = tilde(this.app.run) !== "";
    const said = row.results ? [lostResults(row, about)] : [];
    const again = row.again ? [button(askedAgain(row, about), () => this.go(row.again_at), { class: "fl-link" })] : [];
    return [line("Tool output", el("p", {}, ...said, said.length && again.length ? "; " : "", ...again))];
  }
}

/** @param {string} label @param {HTMLElement} content */
const line = (label, content) => el("div", { class: "fl-loss-line" }, el("span", { class: "fl-loss-label", text: label }), content);
