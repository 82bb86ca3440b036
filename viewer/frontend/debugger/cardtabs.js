// The tabs of a compaction's card: its summary, the ledger of what it took, what it removed, cleared and kept, its findings, and a
// policy beside a recorded one.

import { comparison } from "./comparison.js";
import { attribute, button, el, visible, write } from "../lib/dom.js";
import { int } from "../lib/format.js";
import { messageLink } from "./messagelink.js";
import { rowAt } from "./phasewindow.js";
import { RowList } from "./rows.js";
import { NONE } from "../run/cardwords.js";
import { ADDED } from "../run/pool.js";
import { size } from "../run/ranges.js";
import { rangeSection } from "../run/sections.js";
import { LedgerView } from "../why/ledgerview.js";
import { originsOf } from "../why/origins.js";
import { showPlace, summaryWords } from "./origins.js";
import { SummaryText } from "./summarytext.js";
/** @import { App } from "./app.js" */
/** @import { Figures } from "../run/compactionfigures.js" */
/** @import { Row } from "../run/layout.js" */
/** @import { CompactionCard, Finding } from "../run/types.js" */

/** What the tabs are about; the card is null until the server answers, `failed` why it does not. @typedef {{k: number, figures: Figures, card: CompactionCard | null, failed: string}} About */

export class CardTabs {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.tab = "summary";
    /** The tab that a person opened last. */ this.wanted = "";
    /** Set by `show`, before anything is drawn. @type {About} */ this.about = /** @type {never} */ (null);
    this.tabs = el("div");
    this.panel = el("div");
    this.origins = originsOf(app);
    /** The text of the summary, while it is shown. @type {SummaryText | null} */ this.summary = null;
    this.ledger = new LedgerView({ go: (step) => app.go(step), select: (pool) => showPlace(app, pool), why: (text) => app.why.ask(text) });
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
    this.tab = ids.includes(this.wanted) ? this.wanted : about.figures.line ? "summary" : (ids.find((id) => id !== "ledger") ?? ids[0]);
    this.tabs = el("div", { class: "fl-tabs", role: "tablist", "aria-label": "About this compaction", on: { keydown: (e) => this.#key(e) } });
    this.panel = el("div", { class: "fl-tabpanel", role: "tabpanel", id: "fl-tabpanel", tabindex: 0 });
    for (const id of ids) {
      const tab = button("", () => this.#open(id), { class: "fl-tab", role: "tab", "data-tab": id, "aria-controls": "fl-tabpanel" });
      tab.append(el("span"), el("span", { class: "fl-count" }));
      this.tabs.append(tab);
    }
  }

  /** Draw what is known now. @param {About} about */
  draw(about) {
    this.about = about;
    this.#drawTabs();
    if (this.tab !== "versus" || !this.panel.firstChild) this.#fill();
  }

  /** The tabs: id, name, and how many there are of what it shows; -1 where that is not known or no number. @returns {[string, string, number][]} */
  #names() {
    const { card, figures } = this.about;
    const { did, micro, line, begins, edit } = figures;
    const [taken, emptied] = [size(did.taken), size(did.emptied)];
    const clears = emptied > 0 || micro;
    /** @type {[string, string, number, unknown][]} */ const all = [
      ["summary", "Summary", -1, line || !(clears || taken)],
      ["ledger", "Ledger", this.#answer?.ledger.length ?? -1, line || (taken && !edit)],
      ["cleared", this.app.run.pool.thinkingOnly ? "Without thinking" : "Cleared", emptied, clears],
      ["removed", "Removed", taken, taken || !clears],
      ["kept", "Kept", size(did.kept), true],
      ["findings", "Findings", card ? card.findings.length : -1, true],
      ["versus", "Compare", -1, this.app.run.view.kind === "replay" && !begins],
    ];
    return all.flatMap(([id, name, count, shown]) => (shown ? [[id, name, count]] : []));
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
    for (const [id, name, count] of this.#names()) {
      const tab = /** @type {HTMLElement} */ (this.tabs.querySelector(`[data-tab="${id}"]`));
      attribute(tab, "aria-selected", String(id === this.tab));
      attribute(tab, "tabindex", id === this.tab ? 0 : -1);
      write(tab.children[0], name);
      write(tab.children[1], count >= 0 ? ` ${int(count)}` : "");
    }
  }

  /** @param {string} id */
  #turn(id) {
    this.tab = this.wanted = id;
    this.#drawTabs();
    this.#fill();
  }

  /** @param {string} id */
  #open(id) {
    this.#turn(id);
    /** @type {HTMLElement | null | undefined} */ (this.tabs.querySelector('[aria-selected="true"]'))?.focus({ preventScroll: true });
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const ids = this.#names().map(([id]) => id);
    const at = ids.indexOf(this.tab);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: ids.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    this.#open(ids[(to + ids.length) % ids.length]);
  }

  #fill() {
    const makers = {
      summary: () => this.#summary(),
      ledger: () => this.#ledger(),
      removed: () => this.#rows("removed"),
      cleared: () => this.#rows("cleared"),
      kept: () => this.#rows("kept"),
      findings: () => this.#findings(),
      versus: () => [comparison(this.app, this.about.k)],
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
    const preview = figures.added.find((row) => row.injected === "summary")?.preview ?? "";
    const text = card?.summary ?? preview;
    if (text) {
      this.summary = new SummaryText(this.app, text, (this.app.findQuery ?? "").trim());
      return [this.summary.node];
    }
    return [el("p", { class: "fl-none", text: card || !preview ? "No summary was added." : "…" })];
  }

  #ledger() {
    const answer = this.#answer;
    if (!answer) return [el("p", { class: "fl-none", text: this.origins.failed || "…" })];
    const { k, figures } = this.about;
    const where = figures.line ? `in ${summaryWords(this.app.run, k)}` : "after it";
    queueMicrotask(() => this.ledger.show(answer, where));
    return [this.ledger.node];
  }

  /** @param {"removed" | "cleared" | "kept"} which */
  #rows(which) {
    const { run } = this.app;
    const { did, step } = this.about.figures;
    const ranges = { removed: did.taken, cleared: did.emptied, kept: did.kept }[which];
    if (!size(ranges)) return [el("p", { class: "fl-none", text: NONE[which] })];
    const list = this.lists[which];
    const section = rangeSection(run, which, "", ranges);
    const row = (/** @type {number} */ i) => rowAt(run, which === "removed" ? step - 1 : step, section.row(i));
    list.full = Math.max(1, (run.store.running[run.n] / Math.max(1, run.n)) * 5);
    queueMicrotask(() => list.show([{ ...section, row }]));
    return [list.node];
  }

  #findings() {
    const { card, failed } = this.about;
    if (!card) return [el("p", { class: "fl-none", text: failed ? "" : "…" })];
    if (!card.findings.length) return [el("p", { class: "fl-none", text: "No findings" })];
    return card.findings.map((finding) => this.#finding(finding));
  }

  /** @param {Finding} finding */
  #finding({ severity, title, text, messages }) {
    const { run } = this.app;
    const known = [...new Set(/** @type {number[]} */ (messages ?? []))].filter((i) => i >= 0 && i < ADDED + run.pool.added.length);
    const links = known.slice(0, 12).map((i) => messageLink(this.app, i));
    const left = known.length - links.length;
    const said = el(
      "div",
      {},
      el("b", { text: visible(title) }),
      ` ${visible(text)} `,
      ...links.flatMap((link, k) => (k ? [", ", link] : [link])),
      left > 0 && ` and ${int(left)} more`,
    );
    const sign = el("span", { class: "fl-sign", "aria-hidden": "true", text: "▲" });
    return el("div", { class: `fl-finding fl-${severity ?? "warning"}`, role: "note" }, sign, said);
  }
}
