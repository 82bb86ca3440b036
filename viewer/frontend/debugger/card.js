// A compaction's card: why it fired, what it cost and saved, what it took, kept and wrote, step by step if
// wanted.

import { Asker, compactionFindingsPath, compactionPath } from "../lib/api.js";
import { back } from "./backlink.js";
import { tellCard } from "./cardmoment.js";
import { CardTabs } from "./cardtabs.js";
import { CardTop } from "./cardtop.js";
import { PhaseCaption } from "./phasecaption.js";
import { PhaseTiles } from "./phasetiles.js";
import { ScaleFold } from "./scalefold.js";
import { hasPhases } from "./player.js";
import { momentOf } from "./shownwindow.js";
import { button, el, visible } from "../lib/dom.js";
import { int } from "../lib/format.js";
import { RECORD, timeTaken, triggerWords } from "../run/cardwords.js";
import { figures, onlyEmpties, tildeBefore } from "../run/compactionfigures.js";
import { phases } from "../run/phasefigures.js";
import { failure } from "../lib/text.js";
import { originsOf } from "../why/origins.js";
import { chip } from "../lib/tooltip.js";
/** @import { App } from "./app.js" */
/** @import { Figures } from "../run/compactionfigures.js" */
/** @import { CompactionCard, Phase } from "../run/types.js" */

/** Shows cards in a node, one compaction at a time. */
export class CardView {
  /** @param {HTMLElement} head @param {HTMLElement} body @param {App} app */
  constructor(head, body, app) {
    this.head = head;
    this.body = body;
    this.app = app;
    this.asker = new Asker(app);
    this.tabs = new CardTabs(app);
    this.scale = new ScaleFold(app);
    this.stamp = "";
    this.k = -1;
    this.failed = "";
    /** @type {CompactionCard | null} */ this.card = null;
    /** The numbers that are not there yet while the compaction is told. @type {import("./cardmoment.js").Coming[]} */ this.totals = [];
    this.tiles = new PhaseTiles((phase) => this.choose(phase));
    this.caption = new PhaseCaption(app);
    /** Set by `show`, before anything is drawn. @type {Figures} */ this.figures = /** @type {never} */ (null);
    this.above = el("div");
    this.below = el("div");
  }

  /** Show compaction k. @param {number} k */
  show(k) {
    const { run } = this.app;
    const stamp = `${run.view.live ? run.view.tid : run.view.stamp}/${k}`; // what a live run has done it does not take back
    if (this.stamp === stamp && run.view.live) this.figures = figures(run, k);
    if (this.stamp === stamp) return this.tabs.mark(), this.refresh();
    this.stamp = stamp;
    this.k = k;
    this.card = null;
    this.failed = "";
    this.figures = figures(run, k);
    const scrolled = this.body.scrollTop;
    this.#lay();
    this.#draw();
    this.body.scrollTop = scrolled;
    this.#ask();
    originsOf(this.app).follow(k);
  }

  /** Stop waiting for an answer. */
  drop() {
    this.asker.drop();
    if (this.stamp) originsOf(this.app).leave();
    this.stamp = "";
  }

  #ask() {
    const { run } = this.app;
    const here = this.stamp;
    const then = (/** @type {CompactionCard} */ card) => {
      if (here !== this.stamp) return;
      this.card = card;
      this.#draw();
      if (!card.findings && !this.app.alone)
        this.asker.ask(compactionFindingsPath(run.view.tid, this.k), ({ findings }) => then({ ...card, findings }), fail);
    };
    const fail = (/** @type {string} */ said) => {
      this.failed = said;
      this.#draw();
    };
    this.asker.ask(compactionPath(run.view.tid, this.k), then, fail);
  }

  /** Lay out the nodes that stay while the answer arrives: a click on a button that is replaced meanwhile is lost. */
  #lay() {
    this.above = el("div", { class: "fl-flat" });
    this.tiles.lay(this.figures.begins || this.figures.edit ? [] : phases(this.app.run, this.k), onlyEmpties(this.app.run, this.k));
    if (hasPhases(this.app.run, this.k)) this.caption.lay(this.figures.step, "compaction");
    else this.caption.leave();
    this.below = el("div", { class: "fl-flat fl-below" });
    this.tabs.show(this);
    this.scale.show(this.k);
    this.body.replaceChildren(
      el("div", { class: "fl-comp" }, this.above, this.tiles.node, this.caption.node, this.below, this.scale.node, this.tabs.tabs, this.tabs.panel),
    );
  }

  #draw() {
    this.#drawHead();
    const top = new CardTop(this.app, this.k, this.figures, this.card);
    this.totals = top.totals;
    this.above.replaceChildren(...top.nodes);
    const again = () => {
      this.failed = "";
      this.tabs.panel.replaceChildren();
      this.#draw();
      this.#ask();
    };
    this.below.replaceChildren(...top.notes, ...(this.failed ? [failure(this.failed, again)] : []));
    this.tabs.draw(this);
    this.refresh();
  }

  #drawHead() {
    const { run } = this.app;
    const { place, step, status } = this.figures;
    const card = this.card;
    const recorded = card ? card.recorded : run.view.kind === "replay";
    const kinds = [
      recorded ? (card?.fidelity === "inferred" ? "inferred" : "recorded") : run.view.live ? "live" : "simulated",
      status === "compacted" ? "" : status.replaceAll("_", " "),
    ];
    const chips = kinds.map((text, i) => text && chip(text, RECORD[text], i ? "fl-chip fl-warn" : "fl-chip"));
    const when = [
      `after message ${int(this.app.run.step(step).messages)}`,
      visible(triggerWords(run, card)),
      timeTaken(card) && `took ${timeTaken(card)}`,
    ]
      .filter(Boolean)
      .join(" · ");
    const title = el("h2", { class: "fl-title", text: place });
    this.head.replaceChildren(
      el("div", { class: "fl-hline" }, ...this.#ways(), title, ...chips, el("span", { class: "fl-when", text: when, title: when })),
    );
  }

  /** Back to the compaction under the cursor, else to the overview where this page has one. */
  #ways() {
    const { app, k } = this;
    const to = back(app, k);
    if (to.length || app.extension || app.hosted) return to;
    const title = "What happened in this session (o)";
    return [button("‹ Overview", () => app.setOverview(true), { class: "fl-link fl-back", title })];
  }

  /** Show the window in a phase; goes to the compaction first if the cursor is elsewhere. @param {Phase} phase */
  choose(phase) {
    const { step } = this.figures;
    if (this.#unphased) return this.app.message(this.#unphased);
    this.app.pause();
    this.app.show.end();
    this.app.highlights.set({ phase, at: step });
    if (this.app.step !== step) this.app.go(step, { animate: false });
  }

  /** Why there are no phases to show; "" where there are. */
  get #unphased() {
    const { edit, begins } = this.figures;
    if (edit) return "An edit has no phases";
    return begins ? "This compaction happened before the file begins: its phases are not known" : "";
  }

  /** Tell the phases one after the other, or stop; where that would tell nothing, say why. */
  play() {
    if (hasPhases(this.app.run, this.k)) this.caption.press();
    else this.app.message(this.#unphased || "The file names no message that this compaction took: there is nothing to play");
  }

  /** Bring what depends on the cursor up to date. */
  refresh() {
    const moment = momentOf(this.app, this.figures.step);
    const lit = moment ? moment.phase : this.app.step === this.figures.step ? 4 : 0;
    this.tiles.tell(lit, moment, this.#exchange());
    this.caption.tell();
    const comp = /** @type {HTMLElement | null} */ (this.body.firstElementChild);
    if (comp) tellCard(comp, this.totals, moment, this.figures.fellBack);
    if (moment && !this.app.show.now) this.#revealTiles();
  }

  /** All four tiles are in sight while one of them is shown. */
  #revealTiles() {
    const below = this.tiles.node.getBoundingClientRect().bottom - this.body.getBoundingClientRect().bottom;
    if (below > 0) this.body.scrollTop += Math.ceil(below) + 8;
  }

  /** "~14,972 → …" while a summary is written; null where no size is told, undefined where no summary came of it. @returns {string | null | undefined} */
  #exchange() {
    const { run } = this.app;
    const { added, removedTokens, unreadable } = this.figures;
    if (this.figures.fellBack) return undefined;
    if (!added.length || removedTokens <= 0 || unreadable) return null;
    return `${tildeBefore(run, this.k)}${int(removedTokens)} → …`;
  }
}
