// A compaction's card: why it fired, what it cost and saved, what it took, kept and wrote, step by step if
// wanted.

import { Asker, compactionPath } from "../lib/api.js";
import { back } from "./backlink.js";
import { tellCard, tellTiles } from "./cardmoment.js";
import { telling } from "./shownwindow.js";
import { attribute, button, el, visible, write } from "../lib/dom.js";
import { capitalized, int, lasting, pluralize } from "../lib/format.js";
import { rowAt } from "./phasewindow.js";
import { changeWords, figures, phases, tildeAfter, tildeBefore } from "../run/compactionfigures.js";
import { acting, isMore } from "../run/planning.js";
import { ADDED } from "../run/pool.js";
import { summaryText } from "./summarytext.js";
import { size } from "../run/ranges.js";
import { RowList } from "./rows.js";
import { emptiedWord, guessedBy, header, rangeSection } from "../run/sections.js";
import { failure } from "../lib/text.js";
import { chip } from "../lib/tooltip.js";
import { comparison } from "./comparison.js";
/** @import { Run } from "../run/model.js" */
/** @import { Policy } from "../run/types.js" */
/** @import { App } from "./app.js" */
/** @import { CompactionCard } from "./types.js" */
/** @import { Figures } from "../run/compactionfigures.js" */
/** @import { Row } from "../run/layout.js" */
/** @import { Finding } from "../run/types.js" */

/** @typedef {import("../run/types.js").Phase} Phase */

/** Shows cards in a node, one compaction at a time. */
export class CardView {
  /** @param {HTMLElement} head @param {HTMLElement} body @param {App} app */
  constructor(head, body, app) {
    this.head = head;
    this.body = body;
    this.app = app;
    this.asker = new Asker(app);
    this.tab = "summary";
    this.wanted = "";
    this.stamp = "";
    this.k = -1;
    this.failed = "";
    /** @type {CompactionCard | null} */ this.card = null;
    /** The numbers that run while the compaction is told. @type {import("./cardmoment.js").Running[]} */ this.totals = [];
    /** What each tile says in the end. @type {string[]} */ this.tiles = [];
    /** Set by `show`, before anything is drawn. @type {Figures} */ this.figures = /** @type {never} */ (null);
    this.above = el("div");
    this.phases = el("div");
    this.broken = el("div");
    this.tabs = el("div");
    this.panel = el("div");
    this.lists = this.#lists();
  }

  #lists() {
    const choose = (/** @type {Row} */ row) => this.app.select(row.key);
    return {
      removed: new RowList({ label: "Messages removed", choose }),
      cleared: new RowList({ label: "Messages cleared", choose }),
      kept: new RowList({ label: "Messages kept", choose }),
    };
  }

  /** Show compaction k. @param {number} k */
  show(k) {
    const { run } = this.app;
    const stamp = `${run.view.live ? run.view.tid : run.view.stamp}/${k}`; // what a live run has done it does not take back
    if (this.stamp === stamp && run.view.live) this.figures = figures(run, k);
    if (this.stamp === stamp) return this.refresh();
    this.stamp = stamp;
    this.k = k;
    this.card = null;
    this.failed = "";
    this.figures = figures(run, k);
    const ids = this.#names().map(([id]) => id);
    this.tab = ids.includes(this.wanted) ? this.wanted : this.figures.line ? "summary" : ids[0];
    const scrolled = this.body.scrollTop;
    this.#lay(run);
    this.#draw();
    this.body.scrollTop = scrolled;
    this.#ask();
  }

  /** Stop waiting for an answer. */
  drop() {
    this.asker.drop();
    this.stamp = "";
  }

  #ask() {
    const { run } = this.app;
    const here = this.stamp;
    const then = (/** @type {CompactionCard} */ card) => {
      if (here !== this.stamp) return;
      this.card = card;
      this.#draw();
    };
    this.asker.ask(compactionPath(run.view.tid, this.k), then, (said) => {
      this.failed = said;
      this.#draw();
    });
  }

  /** Lay out the nodes that stay while the answer arrives: a click on a button that is replaced meanwhile is lost. @param {Run} run */
  #lay(run) {
    this.above = el("div", { class: "fl-flat" });
    this.phases = this.figures.begins || this.figures.edit ? el("div") : this.#phases(run);
    this.broken = el("div", { class: "fl-flat" });
    this.tabs = el("div", { class: "fl-tabs", role: "tablist", "aria-label": "About this compaction", on: { keydown: (e) => this.#tabKey(e) } });
    this.panel = el("div", { class: "fl-tabpanel", role: "tabpanel", id: "fl-tabpanel", tabindex: 0 });
    for (const [id] of this.#names()) {
      const tab = button("", () => this.#open(id), { class: "fl-tab", role: "tab", "data-tab": id, "aria-controls": "fl-tabpanel" });
      tab.append(el("span"), el("span", { class: "fl-count" }));
      this.tabs.append(tab);
    }
    this.body.replaceChildren(el("div", { class: "fl-comp" }, this.above, this.phases, this.broken, this.tabs, this.panel));
  }

  #draw() {
    const { run } = this.app;
    this.totals = [];
    this.#drawHead(run);
    this.above.replaceChildren(...this.#recorded(run), ...this.#numbers(run), this.#line(), this.#why(run), ...this.#remarks(run));
    const again = () => {
      this.failed = "";
      this.panel.replaceChildren();
      this.#draw();
      this.#ask();
    };
    this.broken.replaceChildren(...(this.failed ? [failure(this.failed, again)] : []));
    this.#drawTabs();
    if (this.tab !== "versus" || !this.panel.firstChild) this.#fill();
    if (this.card?.unreadable) this.tiles = this.tiles.map((said, k) => (k === 2 ? said.replace(/→.*/u, "→ size unknown") : said));
    this.refresh();
  }

  /** @param {Run} run */
  #drawHead(run) {
    const { place, step, status } = this.figures;
    const card = this.card;
    const recorded = card ? card.recorded : run.view.kind === "replay";
    const kinds = [
      recorded ? "recorded" : run.view.live ? "live" : "simulated",
      card?.recorded ? card.fidelity : "",
      status === "compacted" ? "" : status.replaceAll("_", " "),
    ];
    const chips = kinds.map((text, i) => text && chip(text, i === 1 ? RECORD[text] : "", i === 2 ? "fl-chip fl-warn" : "fl-chip"));
    const when = [`step ${int(step)}`, trigger(run, card), waited(card)].filter(Boolean).join(" · ");
    const title = el("h2", { class: "fl-title", text: place });
    this.head.replaceChildren(
      el("div", { class: "fl-hline" }, ...back(this.app, this.k), title, ...chips, el("span", { class: "fl-when", text: when })),
    );
  }

  /** The transcript's own numbers come first where it has them, under a sentence on why it compacted. @param {Run} run */
  #recorded(run) {
    const { recordedBefore: before, recordedAfter: after } = this.figures;
    if (run.view.kind !== "replay") return [];
    const said = el("p", { class: "fl-occasion", text: visible(this.card?.occasion ?? "") });
    if (before < 0 && after < 0) return [said, ...this.#origins()];
    const known = (/** @type {number} */ tokens) => (tokens < 0 ? "?" : int(tokens));
    const arrow = el("span", { class: "fl-arrow", text: "→" });
    const numbers = [el("b", { text: known(before) }), arrow, this.#total(before, after, "")];
    const freed = before >= 0 && after >= 0 ? [change(before, after)] : [];
    return [said, el("div", { class: "fl-numbers fl-recorded" }, ...numbers, ...freed, el("span", { class: "fl-named", text: "recorded" }))];
  }

  /** Where the recorded numbers were found, and why a summary cannot be read. */
  #origins() {
    const { before_from: before, after_from: after, unreadable } = this.card ?? {};
    const texts = [before ? `before: ${before}` : "", after ? `after: ${after}` : "", unreadable ? `the summary is ${unreadable}` : ""];
    const said = texts.filter(Boolean).join(" · ");
    return said ? [el("p", { class: "fl-why fl-origin", text: visible(said) })] : [];
  }

  /** @param {Run} run */
  #numbers(run) {
    const { before, after, begins, recordedBefore, recordedAfter } = this.figures;
    if (run.view.kind === "replay" && (recordedBefore >= 0 || recordedAfter >= 0)) return [this.#visible(run), ...this.#origins()];
    const [was, is] = [tildeBefore(run, this.k), tildeAfter(run, this.k)];
    const named = is ? `~ estimated by ${guessedBy(run)}` : "";
    const from = [el("b", { class: "fl-before", text: was + int(before) }), el("span", { class: "fl-arrow", text: "→" })];
    return [
      el(
        "div",
        { class: "fl-numbers" },
        ...(begins ? [] : from),
        this.#total(before, after, is),
        !begins && change(before, after),
        named && el("span", { class: "fl-named fl-meters", text: named }),
      ),
    ];
  }

  /** What of the recorded numbers is in the transcript, by the meter. @param {Run} run */
  #visible(run) {
    const { before, after, recordedBefore, recordedAfter } = this.figures;
    const within = (recordedBefore < 0 || before <= recordedBefore) && (recordedAfter < 0 || after <= recordedAfter);
    const [was, is] = [tildeBefore(run, this.k), tildeAfter(run, this.k)];
    return el(
      "p",
      { class: "fl-why fl-seen" },
      within ? "of which " : "",
      el("b", { class: "fl-before", text: was + int(before) }),
      " → ",
      this.#total(before, after, is),
      ` ${within ? "are in" : "tokens in"} this transcript, ${is || was ? "estimated" : "counted"} by ${header(run).meter}`,
    );
  }

  /** What is left in the end, to which the number runs while the compaction is told; -1 where it is not known. @param {number} from @param {number} to @param {string} mark */
  #total(from, to, mark) {
    const node = el("b", { class: "fl-after", text: to < 0 ? "?" : mark + int(to) });
    this.totals.push({ node, from: Math.max(from, 0), to, mark });
    return node;
  }

  #line() {
    const { line, earlier, begins, deeds, edit } = this.figures;
    if (edit) return el("p", { class: "fl-line" }, ...this.#removedByHand());
    if (begins) return el("p", { class: "fl-line", text: "The file begins with a summary of what came before it (not in this file)." });
    if (this.app.run.view.kind === "replay" && line && !this.figures.folded && !this.figures.micro)
      return el("p", { class: "fl-line", text: "The summary replaces messages that are not in this file." });
    const did = done(this.app.run, this.figures);
    const told = this.card?.unreadable ? "size unknown" : line?.tokens;
    const comes = el("span", { class: "fl-comes", text: ` · ${told}` });
    const parts = line ? [[deeds.includes("opaque") ? "opaque item " : "summary ", line.which, comes], ...did] : did;
    const nodes = parts.flatMap(([before, bold, after], k) => [k ? " · " : "", before, el("b", { text: String(bold) }), after]);
    return el("p", { class: "fl-line" }, ...nodes, earlier ? ` · ${earlier}` : "");
  }

  /** How many messages a person removed, and which: an edit has no phases, only this. @returns {(string | Node)[]} */
  #removedByHand() {
    const { taken } = this.figures.did;
    const places = taken.flatMap(([a, b]) => Array.from({ length: b - a }, (_, i) => a + i));
    const links = places.slice(0, 12).flatMap((pool, k) => [k ? ", " : "", this.#link(this.app.run, pool)]);
    const left = places.length > 12 ? ` and ${int(places.length - 12)} more` : "";
    return ["Removed manually: ", el("b", { text: pluralize(places.length, "message") }), ": ", ...links, left];
  }

  /** What is peculiar to this one: which tiers acted, what was never read, what nobody knows. @param {Run} run */
  #remarks(run) {
    const said = remarks(run.view.policy, this.figures, this.card);
    return said.map((text) => el("p", { class: "fl-why fl-remark", text: visible(text) }));
  }

  /** @param {Run} run */
  #why(run) {
    return el("p", { class: "fl-why", text: visible(this.#reason(run)) });
  }

  /** Why it acted; where a person asked for it, in the words of the run. @param {Run} run */
  #reason(run) {
    if (this.figures.edit) return "No longer sent to the model. A tool call and its results go together.";
    const before = Math.max(0, this.figures.step - 1);
    const policy = run.policyAt(before);
    const asked = run.view.live && policy?.limit != null && run.step(before).counted <= policy.limit;
    return asked ? sentence(this.card?.reason ?? "") : why(policy, this.card);
  }

  /** @param {Run} run */
  #phases(run) {
    const node = el("div", { class: "fl-phases", role: "group", "aria-label": "Phases of this compaction" });
    this.tiles = [];
    for (const { phase, name, figure } of phases(run, this.k)) {
      const choose = button("", () => this.choose(phase), {
        class: "fl-phase",
        "data-phase": phase,
        title: `Show the window at this phase (key ${phase})`,
      });
      this.tiles.push(figure.replace(/(\d) (?=\p{L})/gu, "$1\u00a0")); // a count stays with its word
      choose.append(el("b", { text: `${phase} ${name}` }), el("span", { text: this.tiles.at(-1) }));
      node.append(choose);
    }
    return node;
  }

  /** Show the window in a phase; goes to the compaction first if the cursor is elsewhere. @param {Phase} phase */
  choose(phase) {
    const { step, edit } = this.figures;
    if (edit) return this.app.message("An edit has no phases");
    if (this.app.playing) this.app.pause();
    this.app.highlights.set({ phase, of: this.k });
    if (this.app.step !== step) this.app.go(step, { animate: false });
  }

  /** Bring what depends on the cursor up to date. */
  refresh() {
    const at = this.app.step === this.figures.step;
    const { phase, of } = this.app.highlights.now;
    const now = telling(this.app, this.k);
    const moment = now && !now.back ? now.moment : null;
    const lit = moment ? moment.phase : at ? (of === this.k && phase) || 4 : 0;
    tellTiles(this.phases, this.tiles, lit, moment, moment && this.#exchange());
    const comp = /** @type {HTMLElement | null} */ (this.body.firstElementChild);
    if (comp) tellCard(comp, this.totals, moment);
  }

  /** What goes and what is put in for it, where something is. @returns {import("./cardmoment.js").Running | null} */
  #exchange() {
    const { run } = this.app;
    const { added, removedTokens, summaryTokens } = this.figures;
    if (!added.length || removedTokens <= 0 || this.card?.unreadable) return null;
    return { node: this.phases, from: removedTokens, to: summaryTokens, mark: tildeBefore(run, this.k) };
  }

  /** The tabs: id, name, and how many there are of what it shows; -1 where that is not known or no number. @returns {[string, string, number][]} */
  #names() {
    const { did, micro, line } = this.figures;
    const found = this.card ? this.card.findings.length : -1;
    const [taken, emptied] = [size(did.taken), size(did.emptied)];
    const clears = emptied > 0 || micro;
    /** @type {[string, string, number, unknown][]} */ const all = [
      ["summary", "Summary", -1, line || !(clears || taken)],
      ["cleared", this.app.run.pool.thinkingOnly ? "Without thinking" : "Cleared", emptied, clears],
      ["removed", "Removed", taken, taken || !clears],
      ["kept", "Kept", size(did.kept), true],
      ["findings", "Findings", found, true],
      ["versus", "Compare", -1, this.app.run.view.kind === "replay" && !this.figures.begins],
    ];
    return all.flatMap(([id, name, count, shown]) => (shown ? [[id, name, count]] : []));
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
  #open(id) {
    this.tab = this.wanted = id;
    this.#drawTabs();
    this.#fill();
    /** @type {HTMLElement | null | undefined} */ (this.tabs.querySelector('[aria-selected="true"]'))?.focus({ preventScroll: true });
  }

  /** @param {KeyboardEvent} event */
  #tabKey(event) {
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
      removed: () => this.#rows("removed"),
      cleared: () => this.#rows("cleared"),
      kept: () => this.#rows("kept"),
      findings: () => this.#findings(),
      versus: () => [comparison(this.app, this.k)],
    };
    this.panel.replaceChildren(...makers[/** @type {keyof typeof makers} */ (this.tab)]());
    this.panel.dataset.tab = this.tab;
    this.panel.classList.toggle("fl-listed", this.panel.querySelector(".fl-list") !== null);
  }

  #summary() {
    const { added } = this.figures;
    const preview = added.find((row) => row.injected === "summary")?.preview ?? "";
    const text = this.card?.summary ?? preview;
    if (text) return [summaryText(text, (this.app.findQuery ?? "").trim())];
    return [el("p", { class: "fl-none", text: this.card || !preview ? "No summary was added." : "…" })];
  }

  /** @param {"removed" | "cleared" | "kept"} which */
  #rows(which) {
    const { run } = this.app;
    const { did, step } = this.figures;
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
    if (!this.card) return [el("p", { class: "fl-none", text: this.failed ? "" : "…" })];
    if (!this.card.findings.length) return [el("p", { class: "fl-none", text: "No findings" })];
    return this.card.findings.map((finding) => this.#finding(finding));
  }

  /** @param {Run} run @param {number} pool */
  #link(run, pool) {
    const { key, label } = run.pool.row(pool);
    return button(pool < run.n ? `message ${int(pool + 1)}` : label, () => this.app.select(key), { class: "fl-link" });
  }

  /** @param {Finding} finding */
  #finding({ severity, title, text, messages }) {
    const { run } = this.app;
    const known = [...new Set(/** @type {number[]} */ (messages ?? []))].filter((i) => i >= 0 && i < ADDED + run.pool.added.length);
    const links = known.slice(0, 12).map((i) => this.#link(run, i));
    const left = known.length - links.length;
    const said = el(
      "div",
      {},
      el("b", { text: visible(title) }),
      ` ${visible(text)} `,
      ...links.flatMap((link, k) => (k ? [", ", link] : [link])),
      left > 0 && ` and ${int(left)} more`,
    );
    return el(
      "div",
      { class: `fl-finding fl-${severity ?? "warning"}`, role: "note" },
      el("span", { class: "fl-sign", "aria-hidden": "true", text: "▲" }),
      said,
    );
  }
}

/** How far the record of a compaction can be trusted, in a sentence. @type {Record<string, string>} */
const RECORD = {
  exact: "Exact: the transcript records what this compaction removed and kept, and the summary it wrote.",
  partial: "Partial: the transcript records this compaction, but not everything about it: what it kept or the text of its summary may be missing.",
  inferred: "Inferred: the transcript records no compaction here. foldline worked it out from what later model calls were sent.",
};

/** How much smaller, or larger, the window became. @param {number} before @param {number} after */
const change = (before, after) =>
  el("span", { class: after < before ? "fl-freed" : after > before ? "fl-freed fl-over" : "fl-named", text: changeWords(before, after) });

const NONE = { removed: "Nothing was removed.", cleared: "The file does not say what was cleared.", kept: "Nothing was kept." };

/**
 * What was done beside writing a summary, each as what comes before, in bold, and after.
 * @param {Run} run
 * @param {Figures} figures
 * @returns {[string, string, string][]}
 */
export function done(run, { did, deeds, micro, added, line }) {
  const [taken, emptied, short] = [size(did.taken), size(did.emptied), size(did.short)];
  const what = emptiedWord(run);
  /** @type {[string, string, string][]} */ const said = [];
  if (emptied && run.pool.thinkingOnly) said.push(["thinking removed from ", pluralize(emptied, "reply", "replies"), ""]);
  else if (emptied > short) said.push(["", pluralize(emptied - short, what), " cleared in place"]);
  if (short) said.push(["", pluralize(short, what), " shortened in place"]);
  if (deeds.includes("digest")) said.push(["", pluralize(added.length, "tool group"), " converted to text"]);
  if (deeds.includes("drop")) said.push(["", pluralize(taken, "message"), " dropped, no summary"]);
  if (size(did.returned)) said.push(["", pluralize(size(did.returned), "message"), " back in the window"]);
  if (said.length || line) return said;
  const nothing = micro ? NONE.cleared : added.length ? NONE.removed : "The file does not say what left the window.";
  return [[nothing, "", ""]];
}

/**
 * Remarks on what is peculiar to a compaction.
 * @param {Policy | null} policy
 * @param {Figures} figures
 * @param {CompactionCard | null} card what the server knows; null until it answers
 * @returns {string[]}
 */
export function remarks(policy, { tiers, did, deeds }, card) {
  const acted = card?.tiers ?? tiers ?? [];
  const unread = card?.unread ?? 0;
  const gone = size(did.taken);
  return [
    acted.length ? `${acted.length > 1 ? "stages" : "stage"}: ${acted.join(", then ")}` : "",
    unread ? `The summarizer was given ${int(gone - unread)} of ${pluralize(gone, "message")}.` : "",
    deeds.includes("opaque") ? "An opaque item: its content is unknown, its size assumed." : "",
    policy?.effect === "view" ? "Recomputed before each model call; the stored history is unchanged." : "",
  ].filter(Boolean);
}

/**
 * Why the policy acted, in words known before the server answers; then also what kept it from doing more. Of a
 * recorded one nothing is known but what started it, which the head says.
 * @param {Policy | null} policy
 * @param {CompactionCard | null} card
 */
export function why(policy, card) {
  if (!policy) return "";
  const rest = /(, but | ?; ).*$/s.exec(card?.reason ?? "")?.[0] ?? "";
  if (policy.limit === null || policy.limit === undefined || isMore(policy))
    return card?.reason && policy.when !== "always"
      ? `${capitalized(card.reason)}.`.replace(/(\d\.\d)\d+/g, "$1")
      : policy.when
        ? acting(policy)
        : "";
  const counted =
    { active: "What the policy counts", spoken: "What the policy counts", wordless: "What the policy counts", history: "The whole history" }[
      /** @type {string} */ (policy.counts)
    ] ?? "The window";
  const ceiling = policy.ceiling ?? policy.limit;
  const passed = ceiling > policy.limit ? "had reached" : "was over";
  return `${counted} ${passed} ${policy.limitName || "the limit"} (${int(ceiling)})${rest}.`;
}

/** @param {string} text */
const sentence = (text) => (text ? `${capitalized(text)}.` : "");

/** When a policy looks, in words. */
const PHASES = {
  before_call: "before a model call",
  turn_begun: "at a turn's first model call",
  after_tools: "after tool results",
  on_read: "when the history is read",
  on_write: "when the history is written",
};

/** How long the agent waited for a recorded one; empty where that is not recorded. @param {CompactionCard | null} card */
function waited(card) {
  const ms = card?.duration_ms;
  return ms ? `waited ${lasting(ms / 1000) || "less than 1 s"}` : "";
}

/** @param {Run} run @param {CompactionCard | null} card */
function trigger(run, card) {
  if (card?.trigger === "manual" && run.view.live) return "manual";
  if (run.view.kind === "replay") return visible(card?.trigger ?? "").replaceAll("_", " ");
  const phase = run.view.policy?.phase ?? "";
  return PHASES[/** @type {keyof typeof PHASES} */ (phase)] ?? phase.replaceAll("_", " ");
}
