// The list of findings, over the window's pane while `app.open.findings`: what deserves attention, and the way there.

import { problemText } from "../lib/problem.js";
import { attribute, button, el, visible, write } from "../lib/dom.js";
import { int } from "../lib/format.js";
import { retry } from "../lib/text.js";
import { icon, jump } from "./findingmarks.js";
import { findingText } from "./findingtext.js";
import { whyButton } from "./findingwhy.js";
import { findingsOf } from "./findingstore.js";
import { CONCERNS, SEVERITY, aboutWords, countWords, kindWords, noneWords, whereWords, worstOf } from "../run/findingwords.js";
/** @import { Run } from "../run/model.js" */
/** @import { App } from "./app.js" */
/** @import { Change, FindingsPage } from "./types.js" */
/** @import { Concern, FindingRow } from "../run/types.js" */

const MORE = 50; // rows that are shown at once

/** The part. @param {HTMLElement} root @param {App} app */
export function part(root, app) {
  const drawer = new Drawer(root, app);
  return { update: (/** @type {App} */ _, /** @type {Change} */ change) => drawer.update(change ?? {}), stop: () => findingsOf(app).stop() };
}

/** The button that opens the list: how many findings there are, with the shape and the color of the worst. @param {App} app */
export function findingsButton(app) {
  const findings = findingsOf(app);
  const [number, noun] = [el("span"), el("span", { class: "fl-roomy" })]; // on a small page the icon says of what
  const text = el("span", {}, number, noun);
  const named = { class: "fl-fact fl-found", "aria-haspopup": "dialog", "aria-expanded": "false", "data-needs": "messages" };
  const node = button("", () => app.toggle("findings"), named);
  const draw = () => {
    const { state, list, stale } = findings;
    const worst = list && worstOf(list.counts);
    const missing = app.alone ? "findings: not in this file" : "findings: failed";
    const known = list && (list.total || !stale);
    const total = known ? totalWords(findings, app.run) : state === "failed" ? missing : "findings…";
    const [count, ...words] = list?.total ? total.split(" ") : [total];
    write(number, count);
    write(noun, words.map((word) => ` ${word}`).join(""));
    node.replaceChildren(...(worst ? [icon(worst)] : []), text);
    attribute(node, "data-worst", worst);
    attribute(node, "aria-label", list?.total ? `${total}: ${countWords(list.counts)}` : total);
    attribute(node, "title", `${list?.total ? severityWords(findings) : "Findings"} (f)`);
  };
  findings.watch(draw);
  draw();
  return node;
}

/** @param {number} total */
const findingCount = (total) => `${int(total)} finding${total === 1 ? "" : "s"}`;

/** How many were found; of a run that goes on, so far. @param {import("./findingstore.js").Findings} findings */
const totalWords = ({ list, soFar }, /** @type {Run} */ run) =>
  `${list?.total ? findingCount(list.total) : run.compactions || soFar ? "no findings" : "nothing to check"}${soFar ? " so far" : ""}`;

/**
 * Why these are other numbers than those on the cards of compactions: what several share is one finding here, and some are of none.
 * @param {FindingRow[]} rows @param {Run} run
 */
function countedWords(rows, run) {
  const apart = rows.filter(({ step }) => step < run.length && run.step(step).compaction < 0).length;
  const shared = rows.some(({ times }) => times > 1) ? "what several compactions share counts once" : "";
  return [shared, apart && run.compactions ? `${int(apart)} of no compaction` : ""].filter(Boolean).join(" · ");
}

/** The same by severity, "" for none. @param {import("./findingstore.js").Findings} findings */
const severityWords = ({ list, soFar }) => (list?.total ? `${countWords(list.counts)}${soFar ? " so far" : ""}` : "");

class Drawer {
  /** @param {HTMLElement} root @param {App} app */
  constructor(root, app) {
    this.app = app;
    this.findings = findingsOf(app);
    this.kind = "";
    /** @type {FindingRow[]} */ this.rows = [];
    /** @type {Record<string, number>} */ this.matching = {};
    this.turn = 0;
    /** The length of the run when it last stood still. */ this.still = 0;
    /** The finding whose row was pressed, while the cursor stays there. @type {FindingRow | null} */ this.chosen = null;
    /** @type {WeakMap<HTMLElement, FindingRow>} */ this.rowOf = new WeakMap();
    /** @type {HTMLElement | null} */ this.opener = null;
    this.said = el("div", { class: "fl-said", role: "status", "aria-live": "polite" });
    this.count = el("span", { class: "fl-findings-count" });
    this.chips = el("div", { class: "fl-kinds", role: "group", "aria-label": "Filter by kind" });
    this.list = el("div", { class: "fl-findings-list" });
    const dialog = { class: "fl-findings", role: "dialog", "aria-labelledby": "fl-findings-title", tabindex: "-1", hidden: true };
    this.box = el("div", dialog, this.#head(), this.chips, this.list);
    root.append(this.said, this.box);
    this.box.addEventListener("keydown", (event) => this.#key(event));
    this.findings.watch(() => this.#fresh());
    /** @type {Element | null} */ this.pane = null;
    this.sizes = new ResizeObserver(() => this.#settle());
    this.sizes.observe(app.root);
  }

  /** The rows on the page. */
  get #nodes() {
    return /** @type {HTMLElement[]} */ ([...this.list.querySelectorAll(".fl-frow")]);
  }

  /** What has the focus. */
  get #active() {
    return /** @type {HTMLElement | null} */ (/** @type {ShadowRoot | Document} */ (this.app.root.getRootNode()).activeElement);
  }

  #head() {
    const title = el("h2", { id: "fl-findings-title", text: "Findings" });
    const named = { class: "fl-icon", title: "Close (Esc)", "aria-label": "Close findings" };
    const close = button("×", () => this.app.toggle("findings"), named);
    return el("div", { class: "fl-findings-head" }, title, this.count, close);
  }

  /** @param {Change} change */
  update(change) {
    const { open, run } = this.app;
    if (change.run && run.view.tid !== this.findings.tid) this.#choose(null);
    if (change.run || change.busy) this.#recount();
    if (change.open) this.#opened(open);
    if (change.step && this.chosen && !stands(this.chosen, this.app.step)) this.#choose(null);
    if ((change.step || change.run) && !this.box.hidden) this.#here();
  }

  /** Of a live run findings are counted anew with each compaction, and when it stops: others come without one. */
  #recount() {
    const { run, busy } = this.app;
    if (!busy) this.still = run.length;
    this.findings.follow(run.view.tid, run.view.live ? run.compactions + run.view.failed.at.length + this.still : 0, busy);
  }

  /** Find lies over the same pane: the newer of the two puts the other away. @param {{find: boolean, findings: boolean}} open */
  #opened({ find, findings }) {
    const both = find && findings;
    if (both && !this.box.hidden) return queueMicrotask(() => this.#giveWay());
    this.#show(findings);
    if (both) queueMicrotask(() => (this.app.toggle("find"), this.#focusBox()));
  }

  #giveWay() {
    const active = this.#active;
    this.opener = null;
    this.app.toggle("findings");
    active?.focus({ preventScroll: true });
  }

  #focusBox() {
    this.box.focus({ preventScroll: true });
    this.#focus();
  }

  /** @param {boolean} open */
  #show(open) {
    if (open === !this.box.hidden) return;
    this.box.hidden = !open;
    this.app.root.querySelector(".fl-found")?.setAttribute("aria-expanded", String(open));
    if (!open) return this.#closed();
    const active = this.#active;
    this.opener = active?.classList.contains("fl-found") ? active : null;
    this.#settle();
    this.box.focus({ preventScroll: true }); // the rows are not here yet
    this.#fresh();
  }

  /** Where the list was opened from has the focus again. */
  #closed() {
    const { opener } = this;
    if (opener?.isConnected) queueMicrotask(() => opener.focus({ preventScroll: true }));
  }

  /** The first rows that come take the focus from the list as a whole: on that of where the cursor is, else on the first. */
  #focus() {
    if (this.#active !== this.box) return;
    const row = ["[aria-current]", "[data-here]", "*"].map((which) => this.#nodes.find((node) => node.matches(which))).find(Boolean);
    row?.focus();
  }

  /** The list lies over the window's pane: the timeline and the card stay in sight. */
  #settle() {
    const pane = this.app.root.querySelector(".fl-slot-window");
    if (this.box.hidden || !pane) return;
    this.#follow(pane);
    const [over, here] = [pane.getBoundingClientRect(), this.app.root.getBoundingClientRect()];
    const place = { left: over.left - here.left, top: over.top - here.top, width: over.width, "max-height": over.height };
    for (const [name, value] of Object.entries(place)) this.box.style.setProperty(name, `${value}px`);
  }

  /** Settle again when the pane moves: lanes that come under the timeline push it down. Observing it twice would never end. @param {Element} pane */
  #follow(pane) {
    if (this.pane === pane) return;
    this.pane = pane;
    this.sizes.observe(pane);
  }

  /** Another list, or none yet. */
  #fresh() {
    const { list, state, stale } = this.findings;
    if (stale) return;
    if (state === "here" && list)
      write(this.said, [totalWords(this.findings, this.app.run), severityWords(this.findings)].filter(Boolean).join(": "));
    if (this.box.hidden) return;
    if (list && !list.kinds.some((k) => k.kind === this.kind)) this.kind = "";
    write(this.count, severityWords(this.findings));
    this.#drawChips();
    void this.#load(0);
  }

  /** Rows from a place on, put behind those that are shown. @param {number} from */
  async #load(from) {
    const { list, state } = this.findings;
    const turn = ++this.turn;
    const failed = state === "failed";
    if (!list) return this.#instead(failed ? this.findings.error : "Checking the compactions…", failed);
    try {
      const { matching, findings } = await this.findings.rows(this.kind, from);
      if (turn !== this.turn) return;
      Object.assign(this, { matching, rows: [...this.rows.slice(0, from), ...findings] });
      this.#draw(Math.min(this.rows.length, from + MORE));
    } catch (error) {
      if (turn === this.turn) this.#instead(problemText(error), true);
    }
  }

  /** Words where the rows would be. @param {string} text @param {boolean} failed */
  #instead(text, failed) {
    const again = () => (this.findings.list ? this.#load(0) : this.findings.retry());
    this.#replace(el("p", { class: "fl-none", text }), ...(failed ? retry(text, again) : []));
  }

  #drawChips() {
    const { list } = this.findings;
    const kinds = list && list.kinds.length > 1 ? [{ kind: "", total: list.total, severity: null }, ...list.kinds] : [];
    const chip = (/** @type {FindingsPage["kinds"][number]} */ { kind, total, severity }) => {
      const pressed = String(kind === this.kind);
      const node = button("", () => this.#filter(kind), { class: "fl-kind", "aria-pressed": pressed, "data-kind": kind });
      node.append(...(severity ? [icon(severity)] : []), kind ? kindWords(kind) : "all", el("b", { text: int(total) }));
      return node;
    };
    this.chips.hidden = !kinds.length;
    this.chips.replaceChildren(...kinds.map(chip));
  }

  /** @param {string} kind  again: all */
  #filter(kind) {
    this.kind = kind === this.kind ? "" : kind;
    for (const node of this.chips.children) attribute(node, "aria-pressed", String(node.getAttribute("data-kind") === this.kind));
    void this.#load(0);
  }

  /** What is not looked for, as the session is too long. */
  #limits() {
    return (this.findings.list?.limits ?? []).map((text) => el("p", { class: "fl-none fl-limits", text: visible(text) }));
  }

  /** @param {number} shown  how many rows */
  #draw(shown) {
    this.shown = shown;
    if (!this.rows.length) return this.#replace(el("p", { class: "fl-none", text: noneWords(this.app.run) }), ...this.#limits());
    const here = this.rows.slice(0, shown);
    const concerns = /** @type {Concern[]} */ (Object.keys(CONCERNS));
    const groups = concerns.map((concern) => {
      const own = here.filter((row) => row.concern === concern);
      return this.#group(concern, own);
    });
    if (!this.kind) write(this.count, [severityWords(this.findings), countedWords(this.rows, this.app.run)].filter(Boolean).join(" · "));
    const left = Object.values(this.matching).reduce((sum, count) => sum + count, 0) - shown;
    const said = `Show ${int(Math.min(MORE, left))} more of ${int(left)}`;
    this.#replace(...groups.flat(), ...(left > 0 ? [button(said, () => this.#more(), { class: "fl-link fl-more" })] : []), ...this.#limits());
    this.#here();
    this.#focus();
  }

  async #more() {
    const at = this.shown ?? 0;
    if (at < this.rows.length) this.#draw(Math.min(this.rows.length, at + MORE));
    else await this.#load(at);
    this.#nodes[at]?.focus();
  }

  /** @param {Concern} concern @param {FindingRow[]} rows */
  #group(concern, rows) {
    if (!rows.length) return [];
    const { name, about } = CONCERNS[concern];
    const words = [el("span", { text: name }), el("b", { text: int(this.matching[concern]) }), el("span", { class: "fl-about", text: about })];
    const head = el("h3", { class: "fl-fgroup", "data-concern": concern }, ...words);
    return [head, el("ul", { "aria-label": name }, ...rows.map((row) => this.#item(row)))];
  }

  /** A row, and beside it the way to the text it is about. @param {FindingRow} row */
  #item(row) {
    const node = this.#row(row);
    const why = whyButton(this.app, row, () => this.#why(row));
    return el("li", { class: why ? "fl-has-why" : "" }, node, why ?? "");
  }

  /** To the finding, and what became of its text: the window, which shows it, is no longer covered. @param {FindingRow} row */
  #why(row) {
    if (!row.subject) return;
    this.#go(row);
    this.opener = null;
    this.app.toggle("findings");
    this.app.why.ask(row.subject);
  }

  /** @param {FindingRow} row */
  #row(row) {
    const { letter, word, about: means } = SEVERITY[row.severity];
    const named = { class: `fl-frow fl-${row.severity}`, "data-step": row.step, "data-kind": row.kind };
    const node = button("", () => this.#go(row), named);
    const about = aboutWords(row, this.app.run);
    const where = el("span", { class: "fl-where", text: ` · ${whereWords(row, this.app.run)}${about && ` · ${about}`}` });
    this.rowOf.set(node, row);
    node.append(
      el("span", { class: "fl-letter", "aria-hidden": "true", text: letter }),
      el("b", { text: visible(row.title) }),
      el("span", { class: "fl-fline" }, el("span", { class: "fl-word", text: word, title: means }), where),
      el("span", { class: "fl-ftext" }, row.times > 1 && el("i", { text: "The first time: " }), ...findingText(row.text)),
    );
    return node;
  }

  /** @param {FindingRow} row */
  #go(row) {
    jump(this.app, row.step);
    this.#choose(row);
    this.#here();
  }

  /** The finding that is looked at, or null: its messages are marked in the window. @param {FindingRow | null} row */
  #choose(row) {
    this.chosen = row;
    this.app.highlights.set({ about: row?.messages ?? [] });
  }

  /** New content; the focus, if it was on the old, stays in the list. @param {...Node} nodes */
  #replace(...nodes) {
    const held = this.list.contains(this.#active);
    const top = this.list.scrollTop;
    this.list.replaceChildren(...nodes);
    this.list.scrollTop = top;
    if (held) this.box.focus({ preventScroll: true });
  }

  /** Mark the finding that was chosen; of the others, only say which are of the step that the cursor is at. */
  #here() {
    for (const node of this.#nodes) {
      const row = /** @type {FindingRow} */ (this.rowOf.get(node));
      attribute(node, "aria-current", this.chosen && same(row, this.chosen) ? "true" : null);
      attribute(node, "data-here", stands(row, this.app.step) ? "true" : null);
    }
  }

  /** Ask about the text of a row's finding. @param {HTMLElement | undefined} node @returns {boolean}  whether it is about one */
  #asks(node) {
    const why = /** @type {HTMLElement | null | undefined} */ (node?.parentElement?.querySelector(".fl-finding-why"));
    why?.click();
    return Boolean(why);
  }

  /** @param {KeyboardEvent} event  up and down move in the list; left and right stay the debugger's own */
  #key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const rows = this.#nodes;
    const at = rows.findIndex((row) => row.parentElement?.contains(/** @type {Node} */ (event.target))); // on it, or on its Why
    if (event.key === "w" && this.#asks(rows[at])) {
      event.preventDefault();
      return event.stopPropagation();
    }
    const to = { ArrowDown: at + 1, ArrowUp: at < 0 ? rows.length - 1 : at - 1, Home: 0, End: rows.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const row = rows[Math.max(0, Math.min(rows.length - 1, to))];
    row?.focus();
  }
}

/** Whether the cursor at this step is where the finding is. @param {FindingRow} row @param {number} step */
const stands = (row, step) => row.step <= step && step <= row.last_step;

/** Whether two rows, perhaps of two answers, are one finding. @param {FindingRow} one @param {FindingRow} other */
const same = (one, other) => one.kind === other.kind && one.step === other.step && one.text === other.text;
