// The card of an attempt to compact that failed: why it was made, why nothing came of it, what it was about to take, its findings.

import { Asker, attemptPath } from "../lib/api.js";
import { tellCard } from "./cardmoment.js";
import { findingNotes } from "./findingnotes.js";
import { RowList } from "./rows.js";
import { momentOf } from "./shownwindow.js";
import { PhaseCaption } from "./phasecaption.js";
import { PhaseTiles } from "./phasetiles.js";
import { rowAt } from "./phasewindow.js";
import { el, visible } from "../lib/dom.js";
import { int } from "../lib/format.js";
import { countedBy } from "../run/cardheadline.js";
import { attemptRemarks, attemptWords, triggerWords, why } from "../run/cardwords.js";
import { attempted } from "../run/effect.js";
import { phasesOfAttempt } from "../run/phasefigures.js";
import { size } from "../run/ranges.js";
import { nextDone, rangeSection, tilde, tildeAdded } from "../run/sections.js";
import { Tabs } from "../lib/tabs.js";
import { failure } from "../lib/text.js";
import { chip } from "../lib/tooltip.js";
/** @import { App } from "./app.js" */
/** @import { Finding, Phase } from "../run/types.js" */

/** Shows cards in a node, one attempt at a time. */
export class AttemptView {
  /** @param {HTMLElement} head @param {HTMLElement} body @param {App} app */
  constructor(head, body, app) {
    this.head = head;
    this.body = body;
    this.app = app;
    this.stamp = "";
    this.f = -1;
    this.step = -1;
    /** @type {import("./cardmoment.js").Coming[]} */ this.totals = [];
    this.tiles = new PhaseTiles((phase) => this.choose(phase));
    this.caption = new PhaseCaption(app);
    this.asker = new Asker(app);
    /** Null until the server answers. @type {Finding[] | null} */ this.findings = null;
    this.failed = "";
    this.tab = "taken";
    this.tabs = new Tabs("About this attempt", (id) => ((this.tab = id), this.#panel()));
    this.tabs.lay(["taken", "findings"]);
    this.list = new RowList({ label: "Messages that would have gone", choose: (row) => app.select(row.key) });
  }

  /** Show the f-th attempt that failed. @param {number} f */
  show(f) {
    const { run } = this.app;
    const stamp = `${run.view.live ? run.view.tid : run.view.stamp}/${f}/${run.view.failed.times?.[f]}`;
    if (this.stamp === stamp) return this.refresh();
    this.stamp = stamp;
    this.f = f;
    this.step = run.stepOfFailed(f);
    this.tiles.lay(phasesOfAttempt(run, f));
    this.caption.lay(this.step, "attempt");
    this.#drawHead();
    this.findings = null;
    const parts = [this.tiles.node, this.caption.node, this.tabs.node, this.tabs.panel];
    this.body.replaceChildren(el("div", { class: "fl-comp fl-attempt" }, ...this.#top(), ...parts));
    this.#panel();
    this.#ask();
    this.refresh();
  }

  #ask() {
    const { run } = this.app;
    const show = (/** @type {{findings: Finding[] | null, failed: string}} */ found) => {
      Object.assign(this, found);
      this.#panel();
    };
    const path = attemptPath(run.view.tid, this.f, run.view.failed.times?.[this.f] ?? 1);
    const here = (/** @type {{findings: Finding[]}} */ { findings }) => show({ findings, failed: "" });
    this.asker.ask(path, here, (failed) => show({ findings: null, failed }));
  }

  drop() {
    this.asker.drop();
    this.stamp = "";
  }

  #drawHead() {
    const { run } = this.app;
    const all = run.view.failed.at.length;
    const title = el("h2", { class: "fl-title", text: `Failed attempt ${int(this.f + 1)} of ${int(all)}` });
    const kind = chip(run.view.live ? "live" : "simulated", "", "fl-chip");
    const when = [`after message ${int(run.step(this.step).messages)}`, triggerWords(run, null)].filter(Boolean).join(" · ");
    this.head.replaceChildren(el("div", { class: "fl-hline" }, title, kind, el("span", { class: "fl-when", text: when, title: when })));
  }

  #top() {
    const { run } = this.app;
    const { tokens, epoch } = run.step(this.step);
    const mark = epoch > 0 ? tildeAdded(run) : tilde(run);
    const after = el("span", { class: "fl-after", text: mark + int(tokens) });
    this.totals = [{ node: after, text: mark + int(tokens) }];
    const numbers = [el("b", { class: "fl-before", text: mark + int(tokens) }), el("span", { class: "fl-arrow", text: "→" }), el("b", {}, after)];
    const named = [el("span", { class: "fl-named", text: `unchanged · ${countedBy(run, mark)}` })];
    return [
      el("p", { class: "fl-occasion", text: visible(why(run.policyAt(this.step), null)) }),
      el("div", { class: "fl-numbers" }, ...numbers, el("span", {}, ...named)),
      el("p", { class: "fl-line", text: visible(attemptWords(run, this.f)) }),
      ...attemptRemarks(run, this.f).map((text) => el("p", { class: "fl-why fl-remark", text: visible(text) })),
    ];
  }

  /** The tabs and what the open one shows. */
  #panel() {
    const { taken } = attempted(this.app.run, this.step);
    const { panel } = this.tabs;
    const gone = `Would have been ${nextDone(this.app.run)}`;
    this.tabs.draw(
      [
        ["taken", gone, size(taken)],
        ["findings", "Findings", this.findings?.length ?? (this.failed ? -1 : null)],
      ],
      this.tab,
    );
    panel.dataset.tab = this.tab;
    panel.classList.toggle("fl-listed", this.tab === "taken");
    panel.replaceChildren(...(this.tab === "taken" ? this.#taken() : this.#findings()));
  }

  /** What it was about to take. */
  #taken() {
    const { run } = this.app;
    const section = rangeSection(run, "taken", "", attempted(run, this.step).taken);
    const row = (/** @type {number} */ k) => rowAt(run, this.step, section.row(k));
    this.list.full = Math.max(1, (run.store.running[run.n] / Math.max(1, run.n)) * 5);
    queueMicrotask(() => this.list.show([{ ...section, row }]));
    return [this.list.node];
  }

  #findings() {
    if (this.failed) return [failure(this.failed, () => this.#ask())];
    return this.findings ? findingNotes(this.app, this.findings) : [el("p", { class: "fl-none", text: "…" })];
  }

  /** Show the window in a phase; goes to the attempt first if the cursor is elsewhere. @param {Phase} phase */
  choose(phase) {
    this.app.pause();
    this.app.show.end();
    this.app.highlights.set({ phase, at: this.step });
    if (this.app.step !== this.step) this.app.go(this.step, { animate: false });
  }

  /** Tell the phases one after the other, or stop. */
  play() {
    this.caption.press();
  }

  /** Bring what depends on the cursor up to date. */
  refresh() {
    const moment = momentOf(this.app, this.step);
    this.tiles.tell(moment ? moment.phase : this.app.step === this.step ? 4 : 0, moment);
    this.caption.tell();
    const comp = /** @type {HTMLElement | null} */ (this.body.firstElementChild);
    if (comp) tellCard(comp, this.totals, moment, true);
  }
}
