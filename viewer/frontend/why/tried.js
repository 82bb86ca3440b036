// A change that was tried: what came of it, the list that it is from, and the way back. It stands as long as the picture is the one
// that was tried.

import { attribute, button, el, visible, write } from "../lib/dom.js";
import { int } from "../lib/format.js";
import { nameOf } from "../run/leftplaces.js";
import { changeName, comparedWith, keeperName } from "./fixwords.js";
import { momentOf, outcome, recordedPlaces, sentOnRecord, stepOf } from "./outcome.js";
import { lostBehind, stateAt } from "./states.js";
import { stepName } from "../run/places.js";
/** @import { FixRun } from "./fixruns.js" */
/** @import { PanelHost } from "./host.js" */
/** @import { Moment } from "./outcome.js" */
/** @import { Target } from "./targets.js" */
/** @import { Run } from "../run/model.js" */
/** @import { Fate, Fix, Lane } from "./types.js" */

/** @typedef {PanelHost["query"]} Query */
/** A search: of which text, up to where, and what was found. @typedef {{text: string, target: Target, run: FixRun}} Search */
/**
 * Where a search was made: under which settings, of which texts in Why, at which moment, where the cursor was, and of how many messages the compaction was that lost
 * the text, if it was `gone`; else the one at the cursor.
 * @typedef {{before: Query, asked: Record<string, string>, moment: Moment, step: number, lost: number, gone: boolean}} Base
 */

/**
 * A change that is tried: from which search, what the address is once its picture has come, whether it was undone, how often the app had
 * failed before, how many messages had arrived at the cursor, and whether it is to stand on a compaction there, as it did; `alone`: that run
 * makes none there.
 * @typedef {Search & Base & {fix: Fix, tid: string, after: string, undone: boolean, failures: number, messages: number, compaction: number, lands: boolean, alone: boolean, went: string}} Trial
 */

/** What no trial changes: said where the model would have seen what it did not see. */
const AS_RECORDED = "The replies stay as recorded: what the agent would have done with it in sight, nobody knows.";

/** The change that was tried last in each session, so that it stands there again when its page is come back to. @type {Map<string, Trial>} */
const trials = new Map();

/** What an address holds whatever the policy is. */
const KEPT = ["source", "session", "lane", "meter"];

export class Tried {
  /** @param {PanelHost} app @param {() => void} returns  once it was undone by a key */
  constructor(app, returns) {
    this.app = app;
    this.words = el("span");
    this.about = el("span", { class: "fl-why-replies" });
    this.returns = returns;
    this.back = this.undoing();
    this.rest = el("p");
    this.more = el("details", { class: "fl-why-replies" }, el("summary", { text: "About this try" }), this.rest);
    this.node = el("div", { class: "fl-why-tried", role: "status", hidden: true }, this.words, this.about, " ", this.back);
    /** @type {Trial | null} */ this.now = null;
    /** Whether it was looked for what is tried already. */ this.begun = false;
  }

  /** Apply a change of the settings; another one of the same list takes its place. @param {Fix} fix @param {Search} search */
  begin(fix, search) {
    const { query, run, step } = this.app;
    if (this.now?.fix === fix && this.#pending && this.app.awaits) return;
    const base = this.now?.run === search.run ? this.now : this.#base(search);
    this.now = {
      ...search,
      before: base.before,
      asked: base.asked,
      moment: base.moment,
      step: base.step,
      lost: base.lost,
      gone: base.gone,
      messages: run.step(step).messages,
      compaction: run.step(step).compaction,
      went: "",
      lands: run.step(step).compaction >= 0 || this.#fellOff(base),
      alone: false,
      fix,
      tid: run.view.tid,
      after: "",
      undone: false,
      failures: this.app.failures,
    };
    this.#waits(true);
    this.#say(`Trying ${visible(changeName(fix, base.before))}…`);
    this.#reveal();
    this.app.apply(applied(query, fix.query));
  }

  /** @param {Search} search @returns {Base} */
  #base({ target }) {
    const { query, run, step, why } = this.app;
    return { before: query, asked: why.query, moment: momentOf(run, target.step), step, ...this.#lostAt(step) };
  }

  /** Whether the cursor stands on a message only because the change tried before left no compaction to stand on. @param {Base} base */
  #fellOff(base) {
    return base === this.now && this.now.alone && this.#stays(this.now);
  }

  /** Whether the cursor is still at the message it was at. @param {Trial} now */
  #stays({ messages }) {
    const { run, step } = this.app;
    return run.step(step).messages === messages;
  }

  /** How many messages had arrived when the chosen text was lost: `gone` by then, or by the compaction at the cursor. @param {number} step */
  #lostAt(step) {
    const { why, run } = this.app;
    const found = why.chosen?.fate && stateAt(why.chosen.fate, step);
    const from = found?.state === "gone" ? found.from : -1;
    const gone = from >= 0 && run.compactionAt(from) >= 0;
    return { lost: run.step(gone ? from : step).messages, gone };
  }

  /** The verdict, what is said about its run, and what few need to read. @param {string} verdict @param {string} [about] @param {string[]} [more] */
  #say(verdict, about = "", more = []) {
    const rest = more.filter(Boolean).join(" ");
    write(this.words, verdict);
    write(this.about, about && ` ${about}`);
    write(this.rest, rest);
    if (rest) this.node.append(this.more);
    else this.more.remove();
  }

  /** Who stood on a compaction, and stays there, is shown the first one that this run makes behind the same messages, or later. @param {Trial} now */
  #land(now) {
    const { app } = this;
    const { run } = app;
    if (!now.lands || !this.#stays(now)) return;
    const there = run.nextCompaction(run.stepOfMessage(now.lost - 1));
    now.alone = there < 0;
    now.went = there < 0 ? "" : wentWords(run, there, now);
    if (there >= 0) queueMicrotask(() => app.run === run && app.go(there, { jump: false })); // once every part has the run
  }

  /** The panel begins with the answer; farther down it is scrolled only as far as what came of it is in sight. */
  #reveal() {
    requestAnimationFrame(() => {
      this.node.closest(".fl-why-panel")?.scrollTo({ top: 0 });
      this.words.scrollIntoView({ block: "nearest" });
    });
  }

  /** Whether its picture is still to come. */
  get #pending() {
    return this.now !== null && !this.now.after && !this.now.undone;
  }

  /** No picture comes: the button can be pressed again, and Undo gives back the settings as they were. */
  #fail() {
    const { now } = this;
    if (!now || !this.#pending || now.failures === this.app.failures) return;
    now.undone = true;
    this.#waits(false);
    this.#say(`${visible(changeName(now.fix, now.before))} could not be tried.`);
  }

  /** Say at once that a change is under way: there is nothing to undo before its picture comes. @param {boolean} waits */
  #waits(waits) {
    this.node.hidden = false;
    this.back.hidden = waits;
    attribute(this.node, "aria-busy", waits ? "true" : null);
  }

  /** The search that the change is from, from the moment it is tried and while it stands. @param {string} text  that is asked about */
  search(text) {
    const { now } = this;
    return now?.text === text ? now : null;
  }

  /** Another picture may have come: the one that was tried, or another than that. */
  update() {
    this.#follow();
    if (!this.#stands) this.app.highlights.set({ kept: null });
  }

  /** The change whose picture is on screen, by its name: "message 16 pinned"; else "". */
  get name() {
    const { now } = this;
    return now?.after && !now.undone ? keeperName(now.fix, now.before) : "";
  }

  /** Whether the picture of a change is on screen, and its text followed. */
  get #stands() {
    const { why } = this.app;
    return this.name !== "" && why.open && why.chosen?.text === this.now?.text;
  }

  #follow() {
    this.#resume();
    this.#fail();
    const { now } = this;
    if (!now) return;
    const here = JSON.stringify(this.app.query);
    const arrives = !now.after && this.app.run.view.tid !== now.tid;
    if (arrives && !now.undone) now.after = here;
    if (now.undone ? arrives : now.after && now.after !== here) this.now = null;
    if (arrives) this.#keep();
    if (!this.now || arrives) this.node.hidden = !this.now;
    if (!arrives || !this.now) return;
    this.#waits(false);
    this.#say(`Tried ${visible(changeName(now.fix, now.before))}.`);
    this.#land(now);
    this.#takeFocus();
  }

  /** What is on screen was tried before another page was shown: it is told again. */
  #resume() {
    const { app } = this;
    if (this.begun || app.hosted || !Object.keys(app.query).length) return;
    this.begun = true;
    const before = trials.get(nameOf(app.run));
    if (before?.after !== JSON.stringify(app.query)) return;
    this.now = before;
    this.node.hidden = false;
  }

  #keep() {
    const name = nameOf(this.app.run);
    if (this.now && !this.now.undone) trials.set(name, this.now);
    else trials.delete(name);
  }

  /** Say what came of it, once that is known. @param {Lane} lane */
  tell({ text, fate, stale }) {
    const { now } = this;
    if (!now?.after || now.text !== text || !fate || stale) return;
    const step = stepOf(this.app.run, now.moment);
    const { state } = stateAt(fate, step);
    const { run } = this.app;
    this.#mark(fate);
    const lost = lostBehind(fate, step);
    const there = { ...now.target, place: stepName(run, step), state, lost: lost < 0 ? "" : stepName(run, lost) };
    const { verdict, about, more } = outcome(now.fix, comparedWith(now.run.rows), now.before, recordedPlaces(now.run.rows), there);
    if (this.words.textContent === visible(verdict)) return;
    const alone = now.alone ? ` This run makes no compaction after message ${int(now.lost)}.` : "";
    this.#say(visible(verdict), about + alone + now.went, [
      more,
      sentOnRecord(now.fix, now.run.rows),
      state === "verbatim" || state === "summary" ? AS_RECORDED : "",
    ]);
    this.#reveal();
  }

  /** In the window at the cursor the message that has the text is marked; of a summary that alone has it, that. @param {Fate} fate */
  #mark(fate) {
    const { run, step, highlights, why } = this.app;
    const { state, at } = stateAt(fate, step);
    const pool = at.find((pool) => fate.places.includes(run.pool.originOf(pool))) ?? at[0];
    const has = pool !== undefined && (state === "verbatim" || state === "summary") && this.#stands;
    highlights.set({ kept: has ? { pool, text: why.chosen?.text ?? "", scrolls: true } : null });
  }

  /** The button that was pressed goes: the way back takes the focus, unless that is elsewhere by now. */
  #takeFocus() {
    const { activeElement } = /** @type {ShadowRoot | Document} */ (this.node.getRootNode());
    const elsewhere = activeElement && activeElement !== document.body && !this.node.closest(".fl-why-panel")?.contains(activeElement);
    if (!elsewhere) this.back.focus({ preventScroll: true });
  }

  /** A button that undoes it. */
  undoing() {
    const press = (/** @type {MouseEvent} */ { detail }) => {
      this.undo();
      if (detail === 0) this.returns();
    };
    return button("Undo", press, { class: "fl-link" });
  }

  /** Go back to the settings before, to the step at which the change was tried, and to Why with its texts. */
  undo() {
    const { now } = this;
    this.node.hidden = true;
    this.app.root.focus({ preventScroll: true });
    if (!now) return;
    Object.assign(now, { undone: true, after: "", tid: this.app.run.view.tid });
    this.app.highlights.set({ kept: null });
    this.app.apply(now.before, now.step);
    const { why } = this.app;
    why.restore(now.asked);
    why.choose(why.lanes.findIndex(({ text }) => text === now.text));
  }
}

/**
 * Where the cursor was led, if that is another place, and why there: " The cursor went to compaction 2 of this run, after message 360: the
 * first one after message 276, where the text was lost."
 * @param {Run} run @param {number} there @param {Pick<Trial, "messages" | "compaction" | "lost" | "gone">} stood
 */
function wentWords(run, there, stood) {
  const { messages, compaction } = run.step(there);
  if (messages === stood.messages && compaction === stood.compaction) return "";
  const first = `: the first one after message ${int(stood.lost)}${stood.gone ? ", where the text was lost" : ""}`;
  return ` The cursor went to ${stepName(run, there)} of this run, after message ${int(messages)}${messages > stood.lost ? first : ""}.`;
}

/** The address with other settings: what they do not name goes. @param {Query} query @param {Query} settings @returns {Query} */
export function applied(query, settings) {
  const kept = KEPT.map((name) => [name, query[name]]);
  return Object.fromEntries([...kept, ...Object.entries(settings)].filter(([, value]) => value !== "" && value !== null && value !== undefined));
}
