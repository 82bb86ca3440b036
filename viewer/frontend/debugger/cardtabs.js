// The tabs of a compaction's card: its summary, the ledger of what it took, what it removed, cleared and kept, its findings, and a
// policy beside a recorded one.

import { wordMeans } from "../lib/glossary.js";
import { comparison } from "./comparison.js";
import { findingNotes } from "./findingnotes.js";
import { el, visible } from "../lib/dom.js";
import { rowAt } from "./phasewindow.js";
import { RowList } from "./rows.js";
import { textIn } from "../run/called.js";
import { NONE, SEALED, UNNAMED } from "../run/cardwords.js";
import { hindsight } from "../run/hindsight.js";
import { typedWords } from "../run/losswords.js";
import { takenWords } from "../run/phasefigures.js";
import { size } from "../run/ranges.js";
import { rangeSection } from "../run/sections.js";
import { Tabs } from "../lib/tabs.js";
import { stepMark, stepName } from "../run/places.js";
import { LedgerView } from "../why/ledgerview.js";
import { originsOf } from "../why/origins.js";
import { showPlace, summaryWords } from "./origins.js";
import { standIn } from "./standin.js";
import { SummaryText } from "./summarytext.js";
/** @import { App } from "./app.js" */
/** @import { Figures } from "../run/compactionfigures.js" */
/** @import { Row } from "../run/layout.js" */
/** @import { CompactionCard } from "../run/types.js" */

/** What the tabs are about; the card is null until the server answers, `failed` why it does not. @typedef {{k: number, figures: Figures, card: CompactionCard | null, failed: string}} About */

/** What is among what stayed. */
const KEPT = "What stayed in the window as it was, with pinned messages such as the system message.";

/** What the ledger is. */
const LEDGER = wordMeans("Ledger");

export class CardTabs {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.tab = "summary";
    /** The tab that a person opened last. */ this.wanted = "";
    /** Set by `show`, before anything is drawn. @type {About} */ this.about = /** @type {never} */ (null);
    this.bar = new Tabs("", () => {});
    this.origins = originsOf(app);
    /** The text of the summary, while it is shown. @type {SummaryText | null} */ this.summary = null;
    this.ledger = new LedgerView({
      go: (step) => app.go(step),
      place: (step) => stepName(app.run, step),
      mark: (step) => stepMark(app.run, step),
      select: (pool) => showPlace(app, pool),
      why: (text) => app.why.ask(text),
    });
    this.origins.watch(() => this.#learned());
    const choose = (/** @type {Row} */ row) => this.app.select(row.key);
    this.lists = {
      removed: new RowList({ label: "Messages removed", choose }),
      cleared: new RowList({ label: "Messages cleared", choose }),
      kept: new RowList({ label: "Messages kept", choose }),
    };
  }

  /** Lay out the tabs of another compaction. @param {About} about */
  show(about) {
    this.about = about;
    const ids = this.#names().map(([id]) => id);
    this.tab = ids.includes(this.wanted) ? this.wanted : about.figures.summary ? "summary" : (ids.find((id) => id !== "ledger") ?? ids[0]);
    this.bar = new Tabs("About this compaction", (id) => this.#turn(id));
    this.bar.lay(ids);
  }

  /** The tabs, and what the open one shows. */
  get tabs() {
    return this.bar.node;
  }

  get panel() {
    return this.bar.panel;
  }

  /** Draw what is known now. @param {About} about */
  draw(about) {
    this.about = about;
    this.#drawTabs();
    if (this.tab !== "versus" || !this.panel.firstChild) this.#fill();
  }

  /** Find looks for another text: the summary marks it where it stands. */
  mark() {
    if (!this.summary || this.summary.query === this.#query) return;
    this.#fill();
    this.panel.querySelector("mark")?.scrollIntoView({ block: "center" });
  }

  /** What find looks for. */
  get #query() {
    return textIn(this.app.findQuery);
  }

  /** @returns {import("../lib/tabs.js").Tab[]} */
  #names() {
    const { did, micro, summary, begins, edit, unnamed } = this.about.figures;
    const [taken, emptied] = [size(did.taken), size(did.emptied)];
    const clears = emptied > 0 || micro;
    /** @type {[string, string, number | null, unknown][]} */ const all = [
      ["summary", "Summary", -1, summary || !(clears || taken)],
      ["ledger", "Ledger", this.#entries, summary || (taken && !edit)],
      ["cleared", this.app.run.pool.thinkingOnly ? "Without thinking" : "Cleared", unnamed ? -1 : emptied, clears],
      ["removed", "Removed", unnamed ? -1 : taken, taken || !clears],
      ["kept", "Kept", size(did.kept), true],
      ["findings", "Findings", this.#found, true],
      ["versus", "Compare", -1, this.app.run.view.kind === "replay" && !begins],
    ];
    /** @type {Record<string, string>} */ const about = { ledger: LEDGER, removed: withEarlier(takenWords(this.app.run, did.taken)), kept: KEPT };
    return all.flatMap(([id, name, count, shown]) => (shown ? [[id, name, count, about[id] || undefined]] : []));
  }

  /** How many entries the ledger has; null while that is asked. */
  get #entries() {
    if (this.about.figures.unreadable || this.origins.failed) return -1;
    return this.#answer?.ledger.length ?? null;
  }

  /** How many findings there are; null while that is asked. */
  get #found() {
    const { card, failed } = this.about;
    return this.#looksOn || (!card && !failed) ? null : (card?.findings?.length ?? -1);
  }

  /** Whether the findings of a long session are still looked for, when the rest of its card is here. */
  get #looksOn() {
    const { card, failed } = this.about;
    return Boolean(card) && !card?.findings && !failed && !this.app.alone;
  }

  /** What is known of where the summary comes from; null until it is. */
  get #answer() {
    return this.origins.k === this.about.k ? this.origins.answer : null;
  }

  /** What the summary comes from is known, or a sentence was chosen: from elsewhere too, then it is shown. */
  #learned() {
    if (!this.about || this.origins.k !== this.about.k || !this.tabs.isConnected) return;
    this.#drawTabs();
    if (this.origins.reveals && this.tab !== "summary") return this.#turn("summary");
    if (this.tab === "summary") this.summary?.drawOrigins();
    else if (this.tab === "ledger") this.#fill();
  }

  #drawTabs() {
    this.bar.draw(this.#names(), this.tab);
  }

  /** @param {string} id */
  #turn(id) {
    this.tab = this.wanted = id;
    this.#drawTabs();
    this.#fill(id);
    this.#reveal();
  }

  /** Scroll as far as what was opened needs: the top of the card may leave it a line or two. A summary is read from its beginning. */
  #reveal() {
    if (this.tab === "summary") return;
    this.panel.scrollIntoView({ block: "nearest" });
    this.tabs.scrollIntoView({ block: "nearest" }); // a panel higher than the card leaves them in sight
  }

  /** @param {string} [opened]  the tab that a person has just opened */
  #fill(opened) {
    const makers = {
      summary: () => this.#summary(),
      ledger: () => this.#ledger(),
      removed: () => this.#rows("removed"),
      cleared: () => this.#rows("cleared"),
      kept: () => this.#rows("kept"),
      findings: () => this.#findings(),
      versus: () => [comparison(this.app, this.about.k, () => this.tab === opened && this.#reveal())],
    };
    this.#leave();
    this.panel.replaceChildren(...makers[/** @type {keyof typeof makers} */ (this.tab)]());
    if (this.origins.reveals) this.summary?.drawOrigins();
    this.panel.dataset.tab = this.tab;
    this.panel.classList.toggle("fl-listed", this.panel.querySelector(".fl-list, .fl-ledger-box") !== null);
  }

  /** The text that was shown is drawn on no longer. */
  #leave() {
    this.summary?.stop();
    this.summary = null;
  }

  #summary() {
    const { card, figures } = this.about;
    if (figures.unreadable) {
      const said = SEALED[figures.unreadable] ?? visible(figures.unreadable);
      return [el("p", { class: "fl-none", text: [said, card ? typedWords(card) : ""].filter(Boolean).join(" ") })];
    }
    const preview = figures.added.find((row) => row.injected === "summary")?.preview ?? "";
    const text = card?.summary ?? preview;
    if (text) {
      this.summary = new SummaryText(this.app, text, this.#query);
      const line = standIn(this.app, card);
      return line ? [line, this.summary.node] : [this.summary.node];
    }
    return [el("p", { class: "fl-none", text: card || !preview ? "No summary was added." : "…" })];
  }

  #ledger() {
    const answer = this.#answer;
    if (!answer) return [el("p", { class: "fl-none", text: this.origins.failed || "…" })];
    const { k, figures, card } = this.about;
    const where = figures.summary ? `in ${summaryWords(this.app.run, k)}` : "after it";
    queueMicrotask(() => this.ledger.show(answer, where, card?.unreadable, card ? typedWords(card) : ""));
    return [this.ledger.node];
  }

  /** Whether the record names no message that stayed. */
  get #unnamed() {
    const { run } = this.app;
    return !run.view.policy && hindsight(run, this.about.k)?.by === "unnamed";
  }

  /** @param {"removed" | "cleared" | "kept"} which */
  #rows(which) {
    const { run } = this.app;
    const { did, step } = this.about.figures;
    const ranges = { removed: did.taken, cleared: did.emptied, kept: did.kept }[which];
    if (!size(ranges)) return [el("p", { class: "fl-none", text: which === "kept" && this.#unnamed ? UNNAMED : NONE[which] })];
    const list = this.lists[which];
    const section = rangeSection(run, which, "", ranges);
    const row = (/** @type {number} */ i) => rowAt(run, which === "removed" ? step - 1 : step, section.row(i));
    list.full = Math.max(1, (run.store.running[run.n] / Math.max(1, run.n)) * 5);
    queueMicrotask(() => list.show([{ ...section, row }]));
    return [list.node];
  }

  #findings() {
    const { card, failed } = this.about;
    if (this.#looksOn) return [el("p", { class: "fl-none", text: "Looking for findings…" })];
    if (!card || failed) return [el("p", { class: "fl-none", text: failed ? "" : "…" })];
    if (!card.findings) return [el("p", { class: "fl-none", text: "This file does not hold the findings of these settings." })];
    return findingNotes(this.app, card.findings);
  }
}

/** What a tab's count is of, where not all of it are messages; else "". @param {string} words */
const withEarlier = (words) => (words.includes("earlier") ? words : "");
