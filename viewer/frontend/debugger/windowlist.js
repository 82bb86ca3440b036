// The window at the cursor: how full it is, and every message of it in order.

import { attribute, button, el, visible, write } from "../lib/dom.js";
import { int, pluralize } from "../lib/format.js";
import { between, Gauge, withHidden } from "./gauge.js";
import { Gone } from "./gone.js";
import { RowList } from "./rows.js";
import { recordedKey, rowKey, subjectOf } from "./subject.js";
import { SummaryBelow, placeOf } from "./summarybelow.js";
import { partition, phaseSections, unplacedSections } from "./phasewindow.js";
import { shift } from "./shift.js";
import { shown, takenApart } from "./shownwindow.js";
import { firstSeen, sight } from "./sight.js";
import { Telling } from "./telling.js";
import { ToScale } from "./toscale.js";
import { awaitedAt, comesFirst } from "../run/comesfirst.js";
import { onlyEmpties, rank } from "../run/compactionfigures.js";
import { effect, fellBack } from "../run/effect.js";
import { lastGhost, withGhosts } from "../run/ghosts.js";
import { size } from "../run/ranges.js";
import { hasColumns } from "../run/scaleparts.js";
import { header, poolOf, unparted, windowSections } from "../run/sections.js";
import { originsOf } from "../why/origins.js";
import { placesOf } from "../why/originwords.js";
import { Sources } from "../why/sources.js";
import { namedSource, showPlace } from "./origins.js";
import { standing, stepName } from "../run/places.js";
/** @import { Section } from "../run/layout.js" */
/** @import { Run } from "../run/model.js" */
/** @import { Phase } from "../run/types.js" */
/** @import { Shown } from "./shownwindow.js" */
/** @import { App } from "./app.js" */
/** @import { Change } from "./types.js" */

/** The part: fills `root` and shows the window at `app.step`. @param {HTMLElement} root @param {App} app */
export function part(root, app) {
  const list = new WindowList(root, app);
  return {
    update: (/** @type {App} */ _, /** @type {Change} */ change) => list.update(change ?? {}),
    walk: (/** @type {number} */ by) => list.list.walk(by),
  };
}

class WindowList {
  /** @param {HTMLElement} root @param {App} app */
  constructor(root, app) {
    this.root = root;
    this.app = app;
    /** @type {{run: Run, step: number} | null} */ this.shown = null;
    this.gauge = new Gauge();
    this.list = new RowList({
      label: "Messages in the window",
      choose: (row) => row.blank || app.select(row.key),
      moved: () => {
        this.paused = false;
        app.player.hold();
        app.show.end();
      },
      resized: () => this.#fit(),
    });
    this.list.follow = true;
    /** Whether the list is not at its end for the sake of a message that was pinned alone. */ this.paused = false;
    this.telling = new Telling(this.list, app, ({ step, k }) => this.#showPhase(step, k, 3));
    this.gone = new Gone(app);
    this.toScale = new ToScale(app);
    this.summaryBelow = new SummaryBelow(app);
    this.list.node.append(this.gone.node, this.toScale.node, this.summaryBelow.node);
    /** What a change that is tried keeps. @type {import("./toldrow.js").Told | null} */ this.kept = null;
    /** The phase that is drawn. @type {Phase | null} */ this.phase = null;
    /** Where the window stands. */ this.standing = el("span");
    this.title = el("h2", { class: "fl-title" }, el("span", { class: "fl-lead", text: "Window " }), this.standing);
    this.size = el("span", { class: "fl-size" });
    this.what = el("span", { class: "fl-told" });
    this.ghosts = button("Show removed", () => app.toggle("ghosts"), {
      class: "fl-switch",
      role: "switch",
      title: "Ghosts: messages that have left the window, where they stood",
    });
    this.origins = originsOf(app);
    this.sources = new Sources({
      place: (step) => stepName(app.run, step),
      named: (pool) => namedSource(app, pool),
      select: (pool) => showPlace(app, pool),
      go: (step) => app.go(step),
      clear: () => (this.origins.clear(), app.root.focus({ preventScroll: true })),
    });
    this.lists = el("div", { class: "fl-lists" }, this.sources.node, this.list.node);
    root.classList.add("fl-window");
    root.append(el("div", { class: "fl-whead" }, this.title, this.size, this.what, this.ghosts), this.gauge.node, this.lists);
    new ResizeObserver(() => app.run?.length && this.gauge.fit(app.run)).observe(this.gauge.node);
    app.highlights.watch(() => this.#marked());
    this.origins.watch(() => this.shown && (this.#drawSources(), this.#select()));
    app.show.watch(() => this.telling.begun && this.#tell());
  }

  /** @param {Change} change */
  update(change) {
    const { run, step } = this.app;
    if (this.app.highlights.now.at !== step) this.app.highlights.set({ phase: null, at: -1 });
    this.#drawSources();
    if (change.veil) this.#retold();
    if (change.present) this.#enlarged();
    const moved = this.shown?.run !== run || this.shown?.step !== step;
    if (moved || change.ghosts) this.#redraw(moved);
    else if (change.selected) this.#select();
    if (change.playing && !moved) this.#drawGone();
    if (change.selected || moved) this.#reveal(change);
    if (this.app.follows && (change.follow || change.selected)) this.#toEnd();
    if (change.ghosts && this.app.ghosts) this.list.reveal(lastGhost(run, step));
  }

  /** Another type size: a list that was at its end is there again once it is laid out. A room sees what it is told of. */
  #enlarged() {
    const { list, app } = this;
    const { follow } = list;
    list.fade = app.presenting ? FADE : 0;
    requestAnimationFrame(() => {
      list.follow = follow;
      if (this.shown && !app.show.now) this.#retold();
    });
  }

  /** Something else may be said of the same step, to a room. */
  #retold() {
    const { app } = this;
    if (app.presenting) this.#aim(app.run, app.step, this.shown);
    this.#draw();
  }

  /** @param {boolean} moved */
  #redraw(moved) {
    const { run, step, selected } = this.app;
    const before = this.shown;
    this.list.cover(0);
    if (before?.run !== run) this.#opened(run, selected);
    this.shown = { run, step };
    if (moved) this.#resume();
    if (moved) this.#aim(run, step, before);
    if (before && before.run !== run) this.#pinned(before.run, run, step);
    if (moved && before?.run === run && this.#phase() === null && this.app.show.now) {
      this.telling.begin(() => this.#drawList());
      this.#tell();
    } else this.#draw();
  }

  /** The moment of a compaction that is being told; the final picture when that is over. */
  #tell() {
    const { run, show } = this.app;
    if (!show.now) {
      this.telling.end();
      this.#drawSources();
      return this.#draw();
    }
    const { moment, step, k } = show.now;
    this.summaryBelow.hide();
    this.telling.draw();
    const what = shown(this.app);
    const now = run.step(what.step);
    this.gauge.update(
      run,
      now,
      what.before || k < 0 ? now : between(withHidden(run, run.step(step - 1)), withHidden(run, now), moment.settle),
      written(run, what),
    );
    this.#head(run, what);
    if (show.rests === 3) this.#drawSummary(k, (pool) => this.telling.stage.placeOf(pool));
  }

  /**
   * On a compaction just come to, what stays in sight: what the change that is tried keeps, what it put in, or else
   * what follows the place it took from. In front of a room the message that is told of does.
   * @param {Run} run
   * @param {number} step
   * @param {{run: Run, step: number} | null} before
   */
  #aim(run, step, before) {
    const { compaction } = run.step(step);
    const { kept } = this;
    const keeps = kept && !this.app.presenting && !this.app.playing && run.indexInWindow(step, kept.pool) >= 0;
    const made = compaction < 0 ? this.#toldOf() : keeps ? kept.pool : this.#worthSeeing(run, compaction);
    const other = before !== null && before.run !== run && !this.list.follow;
    const same = other && grown(before.run, run) && !this.app.presenting;
    const stays = other && this.list.atEnd ? run.step(step).messages - 1 : -1; // new headings push no last row half out of sight
    this.list.hold = same || made < 0 ? stays : made;
  }

  /** The message that a room is told of: beside a change that would have kept a rule that of the rule; -1 where it is told of none. */
  #toldOf() {
    const { app } = this;
    if (!app.presenting || app.opens) return -1;
    if (app.change && app.told) return app.told.pool;
    return poolOf(app.run, rowKey(app.run, subjectOf(app)));
  }

  /**
   * The message of a compaction that stays in sight: what it put in, or the first that it emptied. Where the window is
   * worked out anew before every call, playback would jump to and fro: then none.
   * @param {Run} run
   * @param {number} compaction
   */
  #worthSeeing(run, compaction) {
    const { added, emptied } = effect(run, compaction);
    if (added.length) return added[0][0];
    return emptied.length && !(this.app.playing && run.view.policy?.effect === "view") ? emptied[0][0] : -1;
  }

  /**
   * A new run: its newest messages are in sight, unless a message is chosen or a slider moved the run under a
   * reader who had scrolled.
   * @param {Run} run
   * @param {string | null} selected
   */
  #opened(run, selected) {
    this.gauge.fit(run);
    if (selected === null && !grown(this.shown?.run, run)) this.list.follow = true;
  }

  #marked() {
    if (!this.shown) return;
    const { run, step } = this.app;
    if (this.app.highlights.now.kept !== this.kept) this.#keeps();
    if (this.app.show.now || this.#phase() === this.phase) return this.#select();
    this.#aim(run, step, this.shown);
    shift(this.list, () => this.#draw());
  }

  /** The message that has a text because of a change that is tried is marked, and in sight. */
  #keeps() {
    const { highlights, show, presenting } = this.app;
    const { kept } = highlights.now;
    this.kept = kept;
    if (kept && !presenting) this.#holds(kept.pool);
    if (!show.now) this.#draw();
  }

  /** A message stays in sight until the cursor moves. @param {number} pool */
  #holds(pool) {
    this.paused ||= this.list.follow; // the second hold of a step, too
    this.list.follow = false;
    this.list.hold = pool;
  }

  /** What a still is about is in sight in a list of another height, too. */
  #fit() {
    if (this.shown && this.phase !== null && this.#phase() === this.phase) this.#draw();
    else this.#drawGone();
  }

  /** The phase in which what happened at the cursor is taken apart, if it is. */
  #phase() {
    return takenApart(this.app)?.phase ?? null;
  }

  #draw() {
    const { run } = this.app;
    const what = shown(this.app);
    this.telling.end();
    this.summaryBelow.hide();
    this.phase = this.#phase();
    this.#head(run, what);
    const now = run.step(what.step);
    this.gauge.update(run, now, now, written(run, what));
    this.list.full = fullBar(run);
    this.list.told.of = this.app.opens ? null : this.app.presenting ? this.app.told : this.kept;
    if (what.moment && what.phase) this.#drawStill(what, what.phase);
    else this.#drawList();
    this.#drawGone();
    this.#drawSources();
  }

  /** A message that was pinned just now is in sight. @param {Run} before @param {Run} run @param {number} step */
  #pinned(before, run, step) {
    const pinned = [...run.pool.held].find((pool) => !before.pool.held.has(pool) && run.indexInWindow(step, pool) >= 0);
    if (pinned !== undefined) this.#holds(pinned);
  }

  /** After a pin, what arrives next is in sight again, unless a person has scrolled or chosen a message. */
  #resume() {
    if (this.paused) this.list.follow = true;
    this.paused = false;
  }

  /** What has left the window, and how it was before, below its rows as they are in the end. */
  #drawGone() {
    if (!this.shown) return;
    const { app, list, telling, gone, toScale } = this;
    const { view } = list;
    const { height } = list.layout;
    const told = !app.show.now && !telling.begun && (this.phase === null || this.phase === 4);
    const drawBelow = (/** @type {number} */ top) => toScale.draw(top, view, told, () => this.#drawGone());
    const over = this.#pictureOver(told);
    list.cover(over ? view - over : 0);
    gone.draw(over ? view : height, view, told);
    if (over) return drawBelow(over);
    drawBelow(height + gone.height);
    if (!app.presenting || !gone.height || toScale.pictured) return;
    drawBelow(height); // to a room what became of them matters more than how many they are, which the slide says
    gone.node.hidden = !toScale.node.hidden;
  }

  /**
   * In front of a room the last rows make room for the window before and after, where they leave too little and what the slide is about
   * stays in sight: how far down it begins then, else 0. In the story of a rule all rows stay: they show that it is gone.
   * @param {boolean} told  the rows are those of the cursor
   */
  #pictureOver(told) {
    const { app, list, toScale } = this;
    const least = IN_A_ROOM * list.view;
    const k = app.presenting && !app.told ? toScale.compactionOf(told) : -1;
    if (k < 0 || list.view - list.layout.height >= least || !hasColumns(app.run, k)) return 0;
    const top = list.wholeAbove(list.view - least);
    const last = list.layout.sections.at(-1);
    const seen = [list.hold, list.pool, last ? last.row(0).pool : -1].map((pool) => list.endOf(pool));
    return Math.max(...seen) <= top ? top : 0;
  }

  /** @param {Run} run @param {number} step */
  #sections(run, step) {
    const sections = this.#stuck(windowSections(run, step));
    return this.app.unparted && !this.app.presenting ? unparted(sections) : sections;
  }

  /** Of a room in front of which the summaries stay in sight: it sees what the model has instead. @param {Section[]} sections */
  #stuck(sections) {
    return this.app.presenting ? sections.map((one) => (one.id === "summary" ? { ...one, sticks: true } : one)) : sections;
  }

  /** The rows alone, as they are in the end. */
  #drawList() {
    const { run, step, ghosts } = this.app;
    const sections = this.#sections(run, step);
    this.#select();
    this.list.show(ghosts ? withGhosts(run, step, sections) : sections);
  }

  /** A phase of what happened at the cursor, with what it is about in sight. @param {Shown} what @param {Phase} phase */
  #drawStill({ step: stood, k }, phase) {
    const { list } = this;
    const { run, step } = this.app;
    const did = partition(run, step, k);
    list.hold = -1;
    this.#select();
    list.show(this.#sections(run, stood));
    list.scrollTo(this.app.unparted || this.app.unplaced ? list.end : sight(list, did, list.top));
    list.paint();
    if (phase === 1) return;
    this.#showPhase(step, k, phase);
    if (phase === 3) this.#drawSummary(k, (pool) => placeOf(list, pool));
  }

  /** The list in a phase of compaction k, from where it stands in the window before. @param {number} step @param {number} k @param {Phase} phase */
  #showPhase(step, k, phase) {
    const { list, app } = this;
    const { run } = app;
    const [top, first] = [list.top, firstSeen(list, partition(run, step, k))];
    const at = () => list.layout.find(first)?.y ?? 0;
    const before = at();
    list.show(this.#stuck(app.unplaced && phase === 3 ? unplacedSections(run, step, k) : phaseSections(run, step, k, phase, first)));
    list.scrollTo(top + at() - before);
    list.paint();
  }

  /** What the summary of compaction k says, while it is written. @param {number} k @param {(pool: number) => import("./summarybelow.js").Place | null} placeOf  where its row is */
  #drawSummary(k, placeOf) {
    const { app, summaryBelow } = this;
    const [made] = k < 0 ? [] : partition(app.run, app.step, k).added;
    if (made) void summaryBelow.draw(placeOf(made[0]), k);
  }

  /** @param {Run} run @param {Shown} what */
  #head(run, what) {
    const window = run.window(what.step);
    write(this.standing, standing(run, what.step) + this.app.change);
    const told = this.app.unplaced ? "the summary is not in it yet" : during(run, what);
    write(this.size, pluralize(window.size, "message"));
    write(this.what, `, ${told}`);
    attribute(this.root, "data-window-tokens", window.tokens);
    attribute(this.root, "data-window-size", window.size);
    attribute(this.ghosts, "aria-checked", String(Boolean(this.app.ghosts)));
  }

  /** Where the chosen sentence comes from, while nothing moves. */
  #drawSources() {
    this.sources.show(this.app.show.now ? null : this.origins.chosen);
    this.lists.style.setProperty("--fl-rows", `${this.list.layout.height}px`);
  }

  #select() {
    const { run, selected } = this.app;
    const keys = (/** @type {number[]} */ pools) => pools.filter((pool) => run.pool.has(pool)).map((pool) => run.pool.row(pool).key);
    const { opens, highlights } = this.app;
    const { pairs, about } = highlights.now;
    const shown = recordedKey(selected) < 0 && !opens ? rowKey(run, subjectOf(this.app)) : null;
    const { chosen } = this.origins;
    const sources = chosen ? keys(placesOf(chosen.sentence)) : [];
    this.list.select(shown, poolOf(run, shown), { paired: opens ? [] : keys(pairs), about: keys(about), sources }, selected !== null);
  }

  /** @param {Change} change */
  #reveal(change) {
    const { run, selected } = this.app;
    if (selected === null) {
      if (change.selected) this.#followIfAtEnd();
      return;
    }
    this.list.follow = false;
    this.paused = false;
    const pool = poolOf(run, selected);
    if (change.selected && pool >= 0) this.list.reveal(pool);
    if (change.selected) this.list.hold = change.run ? pool : -1; // of a new run, what stands above the list is not laid out yet
  }

  /** Its newest messages are in sight from now on. */
  #toEnd() {
    this.list.follow = true;
    if (!this.app.show.now) this.#draw();
  }

  #followIfAtEnd() {
    const { list } = this;
    if (this.app.whole || !list.view) return; // it is not on show: nobody has scrolled it
    list.follow = list.atEnd;
  }
}

/** How much of the list, in front of a room, the window before and after has at least. */
const IN_A_ROOM = 0.4;

/** The height over which, in front of a room, a list that goes on below fades at its end: as room.css has it. */
const FADE = 22;

/** What is done to a window before it is sent, by what comes next. */
const FIRST = { compaction: "compacted", microcompaction: "cleared", edit: "edited" };

/**
 * What the rows are: a window that a compaction replaces at the next step is in no prompt. Of a session whose prompts are on record,
 * they may be less than what was sent, and so are those of a simulation of it.
 * @param {Run} run @param {number} step
 */
function sentWords(run, step) {
  const awaited = awaitedAt(run, step);
  if (awaited) return `not sent before ${visible(awaited)}`;
  const next = step + 1 < run.length ? run.step(step + 1).compaction : -1;
  if (next >= 0) return `not sent: ${onlyEmpties(run, next) ? "cleared" : FIRST[rank(run, next).kind]} first`;
  if (step === run.length - 1 && comesFirst(run)) return "not sent: compacted first";
  if (run.view.live && step < run.length - 1) return "as the window stood then";
  return header(run).unseen ? "part of the prompt" : "what the model would be sent";
}

/** What the window on show is, while a compaction is told or taken apart. @param {Run} run @param {Shown} what */
function during(run, { step, k, phase, moment }) {
  if (!moment || phase === 1 || (k < 0 && phase === 4)) return sentWords(run, step);
  if ((k < 0 || fellBack(run, k)) && phase !== 4) return phase === 2 ? "what would be removed" : "nothing is removed";
  const { taken, added, emptied } = effect(run, k);
  if (phase === 4) return added.length ? "the new window comes together" : "what stays closes up";
  if (phase === 3 && added.length) return taken.length ? inSummary(size(taken), run.window(step).size) : "a summary is written";
  if (taken.length || !emptied.length) return taken.length ? ofAll(size(taken), run.window(step).size, "go", "goes") : "what the compaction adds to";
  return ofAll(size(emptied), run.window(step).size, "are cleared", "is cleared");
}

/** "296 of them go", "all of them go". @param {number} some @param {number} all @param {string} many @param {string} one */
const ofAll = (some, all, many, one) => (all === 1 ? `it ${one}` : `${some < all ? int(some) : "all"} of them ${some === 1 ? one : many}`);

/** How many of a window's messages a summary stands for; where that is all of them, their number is said already. @param {number} taken @param {number} all */
export const inSummary = (taken, all) => `${taken < all ? `${int(taken)} ` : all > 1 ? "all " : ""}in the summary`;

/** How far the number of a summary has come when it stands. */
const WRITTEN = 0.9;

/** "67 became 41": what a summary is written for, and its tokens, while it waits to take their place; else "". @param {Run} run @param {Shown} what */
function written(run, { before, k, moment }) {
  if (k < 0 || !before || !moment || moment.phase !== 3 || moment.number < WRITTEN) return "";
  const { removedTokens, summaryTokens, unreadable, added } = run.compaction(k);
  return !unreadable && added.some((row) => row.injected === "summary") ? `${int(removedTokens)} became ${int(summaryTokens)}` : "";
}

/** Whether a run is the one before with nothing but more at its end, or under other settings. @param {Run | undefined} before @param {Run} run */
const grown = (before, run) => before?.store === run.store || (run.view.live && before?.view.live && before.view.tid === run.view.tid);

/** @type {WeakMap<object, number>} */
const bars = new WeakMap();

/**
 * Tokens of a full bar: what 99 of 100 messages stay under, so that one giant does not make the rest
 * invisible.
 * @param {Run} run
 */
function fullBar(run) {
  const found = bars.get(run.store);
  if (found !== undefined) return found;
  const tokens = Uint32Array.from(run.store.tokens).sort();
  const full = Math.max(1, tokens[Math.floor(0.99 * (tokens.length - 1))] ?? 1);
  bars.set(run.store, full);
  return full;
}
