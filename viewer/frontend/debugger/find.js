// Find over the whole bodies of all messages and summaries, or of calls by what they are ("tool:Grep"), and where each match is at the step
// it was asked from: in the window, gone from it, or yet to come. To see a match the cursor may have to leave that step: Esc comes back to it, "Stay here" does not.

import { Asker, calledPath, findPath } from "../lib/api.js";
import { attribute, button, el, write } from "../lib/dom.js";
import { int, pluralize } from "../lib/format.js";
import { retry } from "../lib/text.js";
import { lowerBound } from "../run/bisect.js";
import { callsIn, messagesOf } from "../run/called.js";
import { nameOf } from "../run/compactionfigures.js";
import { ADDED, SPACE } from "../run/pool.js";
import { compactionOf, header, isEmptied, poolOf, whereabouts } from "../run/sections.js";
import { HitList, hitName } from "./hitlist.js";
import { Snippet } from "./snippet.js";
import { stepName } from "../run/places.js";
/** @import { Run } from "../run/model.js" */
/** @import { App } from "./app.js" */
/** @import { Change } from "./types.js" */

/** The part: a band at the top of the window's pane while `app.open.find`. @param {HTMLElement} root @param {App} app */
export function part(root, app) {
  const find = new Find(root, app);
  return {
    update: (/** @type {App} */ _, /** @type {Change} */ change) => find.update(change ?? {}),
    leave: () => find.close(),
    seek: () => find.seek(),
  };
}

/**
 * Where a text is found, in the order in which it arrives: messages, and what compactions put into the window beside the copies that they
 * emptied of them.
 * @param {Run} run
 * @param {number[]} hits  places of messages
 * @param {[c: number, m: number][]} added  compactions, and places in what they added
 * @returns {number[]} indexes of the pool
 */
export function foundIn(run, hits, added) {
  const pools = added.filter(([c]) => c < run.compactions).map(([c, m]) => ADDED + run.firstAdded[c] + m);
  const own = pools.filter((pool) => run.pool.originOf(pool) === pool);
  return own.length ? [...hits, ...own].sort((a, b) => arrival(run, a) - arrival(run, b) || a - b) : hits;
}

/** Where something arrives among the messages: what a compaction puts in, just before the next message. @param {Run} run @param {number} pool */
const arrival = (run, pool) => (pool < run.n ? pool : run.view.c.at[compactionOf(run, pool)] - 0.5);

/** How many hits are in the window, stand there with their body emptied, have left it, or are yet to come. @param {Run} run @param {number} step @param {number[]} hits in order */
export function tally(run, step, hits) {
  const arrived = hits.filter(arrivedAt(run, step));
  const there = arrived.filter(standsIn(run, step));
  const empties = run.view.shadows.length > 0 || run.pool.copies.size > 0;
  const emptied = empties ? there.filter((i) => hidden(run, step, i)).length : 0;
  return { present: there.length - emptied, emptied, gone: arrived.length - there.length, later: hits.length - arrived.length };
}

/** @param {Run} run @param {number} step @returns {(pool: number) => boolean} */
function arrivedAt(run, step) {
  const { epoch } = run.step(step);
  const { arrived } = run.window(step);
  return (pool) => (pool < run.n ? pool < arrived : compactionOf(run, pool) < epoch);
}

/** Whether a hit is in the window, emptied or not. @param {Run} run @param {number} step @returns {(pool: number) => boolean} */
function standsIn(run, step) {
  const window = run.window(step);
  const added = window.between(0, window.size).filter(([a]) => a >= ADDED && a < SPACE);
  const inside = [...window.shown(), ...added.sort(([a], [b]) => a - b)];
  const ends = inside.map(([, b]) => b);
  return (pool) => {
    const k = lowerBound(ends, pool + 1);
    return k < inside.length && inside[k][0] <= pool;
  };
}

/** Whether a message stands in the window without its body: not where only its thinking, or its middle, is gone. @param {Run} run @param {number} step @param {number} i */
const hidden = (run, step, i) => leftOf(run, step, i) === "cleared";

/** What is missing of a message in the window: "cleared", "shortened", "thinking removed", "" where nothing is. @param {Run} run @param {number} step @param {number} i */
function leftOf(run, step, i) {
  if (!isEmptied(run, step, i)) return "";
  const { short, thinking } = run.window(step).row(run.indexInWindow(step, i));
  return thinking ? "thinking removed" : short ? "shortened" : "cleared";
}

/** What is said where nothing is found, by what was looked for. */
const NONE = {
  text: "No matches in messages or summaries",
  tool: "No tool of this name was called",
  wrote: "No tool wrote a file of this name",
  is: "No such calls",
};

const STATES = { window: "in the window", cleared: "in the window", summarised: "summarized", dropped: "dropped", later: "not yet arrived" };

/** Where one hit is, in words. @param {Run} run @param {number} step @param {number} i */
export function described(run, step, i) {
  const { state, compaction } = whereabouts(run, step, i);
  const by = compaction >= 0 ? ` by ${nameOf(run, compaction)}` : "";
  return `${STATES[state]}${state === "cleared" ? `, ${leftOf(run, step, i)}` : ""}${by}`;
}

/** The same in the list, which stays while the cursor goes to a match: what is yet to come is told by the step that it comes after. @param {Run} run @param {number} step @param {number} i */
function listedAs(run, step, i) {
  return whereabouts(run, step, i).state === "later" ? `after ${stepName(run, step)}` : described(run, step, i);
}

/**
 * The hit to begin with: the chosen one or the first that arrives behind it, else the first that is in the window, else the first of all.
 * @param {Run} run
 * @param {number} step
 * @param {number[]} hits
 * @param {number} chosen -1 for none
 */
export function begin(run, step, hits, chosen) {
  const from = chosen >= 0 ? arrival(run, chosen) : 0;
  const at = hits.findIndex(chosen >= 0 ? (i) => arrival(run, i) >= from : standsIn(run, step));
  return hits.length ? Math.max(0, at) : -1;
}

class Find {
  /** @param {HTMLElement} root @param {App} app */
  constructor(root, app) {
    this.root = root;
    this.app = app;
    this.asker = new Asker(app, 160);
    /** @type {number[]} */ this.hits = [];
    /** How many calls they are, where calls are looked for. */ this.calls = 0;
    /** The trace that they were found in. */ this.tid = "";
    this.at = -1;
    this.fresh = true;
    /** Whether the hits are not yet those of the text in the field. */ this.waiting = false;
    /** Which way to go once they are, if Enter was pressed meanwhile. @type {1 | -1 | 0} */ this.due = 0;
    this.failed = "";
    /** Where the question was asked. @type {{step: number, selected: string | null, overview: boolean}} */
    this.origin = { step: 0, selected: null, overview: false };
    /** Whether find itself is moving the cursor. */ this.jumping = false;
    this.input = /** @type {HTMLInputElement} */ (
      el("input", {
        type: "text",
        placeholder: "Find a text, or calls: tool:Grep, wrote:app.py, is:error",
        "aria-label": "Find in messages and summaries",
        spellcheck: "false",
        autocomplete: "off",
      })
    );
    this.place = el("span", { class: "fl-place", role: "status" });
    this.why = button("Why", () => this.#why(), { class: "fl-link fl-findwhy", title: "Where did this text go? (Alt+W)" });
    this.where = el("div", { class: "fl-hit" });
    this.snippet = new Snippet(app);
    this.list = new HitList(app, (k) => this.tid === app.run.view.tid && this.#goTo(k));
    const parts = [this.#line(), this.snippet.node, this.where, this.list.node];
    this.band = el("div", { class: "fl-find", role: "search", hidden: true }, ...parts);
    root.append(this.band);
    this.input.addEventListener("input", () => ((this.due = 0), app.find(this.input.value)));
    this.input.addEventListener("keydown", (event) => this.#key(event));
    this.sizes = new ResizeObserver(() => this.#settle());
    this.sizes.observe(app.root);
  }

  #line() {
    const previous = button("‹", () => this.jump(-1), { class: "fl-icon", title: "Previous (↑, Shift+Enter)", "aria-label": "Previous hit" });
    const next = button("›", () => this.jump(1), { class: "fl-icon", title: "Next (↓, Enter)", "aria-label": "Next hit" });
    const close = button("×", () => this.close(), { class: "fl-icon", title: "Close (Esc)", "aria-label": "Close find" });
    return el("div", { class: "fl-find-line" }, this.input, this.place, previous, next, this.why, close);
  }

  /** @param {Change} change */
  update(change) {
    const open = Boolean(this.app.open?.find);
    const opened = open && this.band.hidden;
    attribute(this.band, "hidden", !open);
    if (!open) return this.#closed();
    if (opened) this.#opened();
    if (opened || change.run || (change.step && !this.jumping)) this.#startHere();
    if (opened || change.findQuery || change.run) this.#ask(!opened && !change.findQuery && Boolean(this.app.run.view.live));
    else this.#say();
  }

  #closed() {
    this.asker.drop();
    this.list.show([], -1, String);
    this.due = 0;
    if (this.app.findQuery) queueMicrotask(() => this.app.find(""));
  }

  #opened() {
    this.input.value = this.app.findQuery ?? "";
    const pane = this.#pane;
    if (pane) this.sizes.observe(pane); // lanes of texts take room above it
    this.#settle();
    this.input.focus();
    this.input.select();
  }

  /** The step at which the question is asked: where find was opened, or where a person has gone since. */
  #startHere() {
    const { step, selected, overview } = this.app;
    this.origin = { step, selected, overview };
  }

  get #pane() {
    return this.app.root.querySelector(".fl-window");
  }

  /** The band lies over the top of the window's pane. */
  #settle() {
    const pane = this.#pane;
    if (this.band.hidden || !pane) return;
    const [over, here] = [pane.getBoundingClientRect(), this.app.root.getBoundingClientRect()];
    Object.assign(this.band.style, { left: `${over.left - here.left}px`, top: `${over.top - here.top}px`, width: `${over.width}px` });
  }

  /** @param {boolean} [grown] the run has only got longer: the hit that is shown stays */
  #ask(grown = false) {
    const query = this.app.findQuery ?? "";
    if (this.input.value !== query) this.input.value = query;
    const kept = grown && !this.waiting ? (this.hits[this.at] ?? -1) : -1;
    if (!grown) Object.assign(this, { fresh: true, waiting: true });
    this.failed = "";
    if (!query) return this.asker.drop(), this.#showHits({ hits: [] });
    const failed = (/** @type {string} */ said) => ((this.failed = said), this.#showHits({ hits: [] }));
    const { run } = this.app;
    const { sid } = header(run);
    const seen = run.view.live ? run.n : 0;
    const wanted = callsIn(query);
    const path = wanted ? calledPath(sid, seen) : findPath(sid, query, run.view.tid, seen);
    this.asker.ask(path, (answer) => this.#showHits(wanted ? messagesOf(answer, wanted) : answer, kept), failed);
  }

  /** @param {{hits: number[], added?: [number, number][], calls?: number}} answer @param {number} [kept] the hit to stay at, or -1 */
  #showHits({ hits, added = [], calls = 0 }, kept = -1) {
    const { run, selected, step } = this.app;
    this.tid = run.view.tid;
    this.hits = foundIn(run, hits, added);
    this.calls = calls;
    const stays = kept < 0 ? -1 : this.hits.indexOf(kept);
    const first = calls && this.origin.overview ? 0 : begin(run, step, this.hits, poolOf(run, selected)); // no step is in front there
    this.at = stays >= 0 ? stays : first;
    this.fresh ||= this.waiting; // also where a match of the text before was gone to in the meantime
    this.#say();
    const { due } = this;
    Object.assign(this, { waiting: false, due: 0 });
    if (due) this.jump(due);
  }

  /** Go to the first hit of a text that was not typed here: it is not selected, as what is selected Why would be offered for. */
  seek() {
    this.input.setSelectionRange(this.input.value.length, this.input.value.length);
    this.jump(1);
  }

  /** Go to the next or previous hit; the first time, to the one shown, once it is known. @param {1 | -1} by */
  jump(by) {
    if (this.waiting) this.due = by;
    if (this.waiting || !this.hits.length) return;
    this.#goTo(this.fresh ? this.at : (this.at + by + this.hits.length) % this.hits.length);
  }

  /** Go to one of the hits. @param {number} k */
  #goTo(k) {
    this.at = k;
    this.fresh = false;
    this.app.pause();
    this.app.highlights.set({ phase: null, at: -1 });
    this.#show(this.hits[this.at]);
    this.#say();
  }

  /** Show a match: at the step it was asked from if it is in the window there, else at the step where it arrived. @param {number} i */
  #show(i) {
    const { run } = this.app;
    const { step } = this.origin;
    const { state } = whereabouts(run, step, i);
    const there = state === "window" || state === "cleared";
    const to = there ? step : i < run.n ? run.stepOfMessage(i) : run.steps[compactionOf(run, i)];
    this.jumping = true;
    if (to === step) this.#back();
    else this.app.go(to, { jump: this.app.step === step });
    this.jumping = false;
    this.app.select(run.pool.row(i).key);
  }

  /** Whether what was on show when the question was asked no longer is. */
  get #left() {
    const { app, origin } = this;
    return app.step !== origin.step || (origin.overview && !app.overview);
  }

  /** The step at which the matches are described: where the question was asked; from the overview, which is at no step, the one that is shown. */
  get #viewpoint() {
    return this.origin.overview ? this.app.step : this.origin.step;
  }

  /** Return to the step the question was asked from. */
  #back() {
    if (this.app.step !== this.origin.step) this.app.undo(this.origin.step);
  }

  #say() {
    const query = this.app.findQuery ?? "";
    const { hits, at } = this;
    write(this.place, query === "" ? "" : this.failed ? "failed" : hits.length ? `${int(at + 1)} of ${int(hits.length)}` : "none");
    this.snippet.show(hits[at] ?? -1);
    const wanted = callsIn(query);
    attribute(this.why, "hidden", wanted !== null);
    this.list.show(hits, at, (pool) => listedAs(this.app.run, this.#viewpoint, pool));
    if (this.failed) return this.where.replaceChildren(el("span", { text: this.failed }), ...retry(this.failed, () => this.#ask(false)));
    if (!hits.length) return this.where.replaceChildren(...(query ? [el("span", { text: NONE[wanted?.kind ?? "text"] })] : []));
    const { run } = this.app;
    const step = this.#viewpoint;
    const { present, emptied, gone, later } = tally(run, step, hits);
    const sum = `${int(present)} in the window, ${emptied ? `${int(emptied)} cleared, ` : ""}${int(gone)} removed, ${int(later)} later`;
    const several = this.calls > hits.length ? `${pluralize(this.calls, "call")} in ${pluralize(hits.length, "message")} · ` : "";
    const then = this.app.step === step ? "" : ` (at ${stepName(run, step)})`;
    this.where.replaceChildren(
      el("span", {}, `${hitName(run, hits[at])}: `, el("b", { text: described(run, step, hits[at]) }), then),
      el("span", { class: "fl-tally", text: `${several}at ${stepName(run, step)}: ${sum}` }),
      ...this.#away(),
    );
  }

  /** Where the cursor has gone to show the match, and the two ways on. */
  #away() {
    const { app, origin } = this;
    if (!this.#left) return [];
    const back = button(`Back to ${origin.overview ? "the overview" : stepName(app.run, origin.step)}`, () => this.close(), {
      class: "fl-link",
      title: "Close find and return (Esc)",
    });
    const stay = button("Stay here", () => this.stay(), { class: "fl-link", title: "Close find at this match (Ctrl+Enter)" });
    return [el("span", { class: "fl-away" }, `Shown at ${stepName(app.run, app.step)}. `, back, " · ", stay)];
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    event.stopPropagation();
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) this.stay();
    else if (event.altKey && event.code === "KeyW") this.#why();
    else if (event.key === "Enter") this.jump(event.shiftKey ? -1 : 1);
    else if (event.key === "ArrowDown" || event.key === "ArrowUp") this.jump(event.key === "ArrowUp" ? -1 : 1);
    else if (event.key === "Escape") this.close();
    else return;
    event.preventDefault();
  }

  /** Ask where the text went, or what is selected of it; the place that is shown stays. */
  #why() {
    const { value, selectionStart: from, selectionEnd: to } = this.input;
    const part = value.slice(from ?? 0, to ?? 0).trim() ? value.slice(from ?? 0, to ?? 0) : value;
    if (callsIn(value)) this.app.message("Why follows a text: enter one");
    else if (this.app.why.ask(part)) this.stay();
    else this.app.message("Enter a text first");
  }

  /** Close the band at the match that is shown. */
  stay() {
    if (this.app.open.find) this.app.toggle("find");
  }

  /** Close the band and return to the step the question was asked from. */
  close() {
    if (!this.app.open.find) return;
    const left = this.#left;
    const { step, overview, selected } = this.origin;
    this.stay();
    if (!left) return;
    this.app.undo(step, overview);
    this.app.select(selected, overview);
  }
}
