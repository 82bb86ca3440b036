// The window at the cursor: how full it is, and every message of it in order.

import { attribute, button, el, write } from "../lib/dom.js";
import { int, pluralize } from "../lib/format.js";
import { between, Gauge } from "./gauge.js";
import { recordedKey } from "./keys.js";
import { RowList } from "./rows.js";
import { rowKey, subjectOf } from "./subject.js";
import { phaseSections } from "./phasewindow.js";
import { shift } from "./shift.js";
import { shown } from "./shownwindow.js";
import { Telling } from "./telling.js";
import { effect, standsAt } from "../run/effect.js";
import { lastGhost, withGhosts } from "../run/ghosts.js";
import { header, poolOf, tilde, windowSections } from "../run/sections.js";
/** @import { Run } from "../run/model.js" */
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
    this.list = new RowList({ label: "Messages in the window", choose: (row) => app.select(row.key), moved: () => app.show.end() });
    this.list.follow = true;
    this.telling = new Telling(this.list, app);
    /** @type {import("../run/types.js").Phase | null} */ this.phase = null;
    this.title = el("h2", { class: "fl-title" });
    this.size = el("span", { class: "fl-size" });
    this.told = el("span", { class: "fl-told" });
    this.ghosts = button("Ghosts", () => app.toggle("ghosts"), {
      class: "fl-switch",
      role: "switch",
      title: "Show messages that have left the window",
    });
    root.classList.add("fl-window");
    root.append(
      el("div", { class: "fl-whead" }, this.title, this.size, this.told, this.ghosts),
      this.gauge.node,
      el("div", { class: "fl-lists" }, this.list.node),
    );
    new ResizeObserver(() => app.run?.length && this.gauge.fit(app.run)).observe(this.gauge.node);
    app.highlights.watch(() => this.#marked());
    app.show.watch(() => this.telling.begun && this.#tell());
  }

  /** @param {Change} change */
  update(change) {
    const { run, step } = this.app;
    if (run.step(step).compaction !== this.app.highlights.now.of) this.app.highlights.set({ phase: null, of: -1 });
    const moved = this.shown?.run !== run || this.shown?.step !== step;
    if (moved || change.ghosts) this.#redraw(moved);
    else if (change.selected) this.#select();
    if (change.selected || moved) this.#reveal(change);
    if (change.ghosts && this.app.ghosts) this.list.reveal(lastGhost(run, step));
  }

  /** @param {boolean} moved */
  #redraw(moved) {
    const { run, step, selected } = this.app;
    const before = this.shown;
    if (before?.run !== run) this.#opened(run, selected);
    this.shown = { run, step };
    if (moved) this.#aim(run, step, before);
    if (moved && before?.run === run && this.#phase() === null && this.app.show.now) {
      this.telling.begin(() => this.#drawList());
      this.#tell();
    } else this.#draw();
    if (moved && this.phase !== null) this.#lookAt(this.phase);
  }

  /** The moment of a compaction that is being told; the final picture when that is over. */
  #tell() {
    const { run, show } = this.app;
    if (!show.now) {
      this.telling.end();
      return this.#draw();
    }
    const { moment, step, k } = show.now;
    this.telling.draw();
    const { step: stood, before } = shown(this.app);
    this.gauge.update(run, before || k < 0 ? run.step(stood) : between(run.step(step - 1), run.step(step), moment.settle));
    this.#head(run, stood, stood, moment.phase === 1 ? null : moment.phase);
  }

  /**
   * On a compaction just come to, what stays in sight: what it put in, or else
   * what follows the place it took from.
   * @param {Run} run
   * @param {number} step
   * @param {{run: Run, step: number} | null} before
   */
  #aim(run, step, before) {
    const { compaction } = run.step(step);
    const made = compaction < 0 ? -1 : this.#worthSeeing(run, compaction);
    const same = before !== null && before.run !== run && grown(before.run, run) && !this.list.follow;
    this.list.hold = same ? -1 : made;
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
    const phase = this.#phase();
    if (phase !== this.phase) shift(this.list, () => (this.#draw(), this.#lookAt(phase)));
    else this.#select();
  }

  /** Bring what a phase is about into view: the end, the last message taken, the summary. @param {number | null} phase */
  #lookAt(phase) {
    const { run, step } = this.app;
    const { compaction } = run.step(step);
    if (phase === null || compaction < 0) return;
    const { taken, added, emptied } = effect(run, compaction);
    const [goes, comes] = [taken.length ? taken : emptied, added.length ? added : emptied];
    const ranges = phase === 2 ? goes : phase > 2 ? comes : [];
    if (ranges.length) this.list.reveal(ranges[phase === 2 ? ranges.length - 1 : 0][phase === 2 ? 1 : 0] - Number(phase === 2));
    else this.list.scrollTo(this.list.end), this.list.paint();
  }

  /** The phase to show, if one was chosen and it is one of the compaction under the cursor. */
  #phase() {
    const { phase, of } = this.app.highlights.now;
    return of === this.app.run.step(this.app.step).compaction ? phase : null;
  }

  #draw() {
    const { run, step } = this.app;
    const phase = this.#phase();
    this.telling.end();
    if (phase !== null) this.list.hold = -1;
    const compaction = run.step(step).compaction;
    const stood = phase === null ? step : standsAt(run, compaction, phase);
    this.phase = phase;
    this.#head(run, stood, step, phase);
    this.gauge.update(run, run.step(stood));
    this.list.full = fullBar(run);
    this.#drawList();
  }

  /** The rows alone, as they are in the end. */
  #drawList() {
    const { run, step, ghosts } = this.app;
    const phase = this.#phase();
    this.#select();
    const sections = phase !== null ? phaseSections(run, run.step(step).compaction, phase) : windowSections(run, step);
    const whole = phase === null || phase === 4;
    this.list.show(ghosts && whole ? withGhosts(run, step, sections) : sections);
  }

  /**
   * @param {Run} run
   * @param {number} stood the step whose window is shown
   * @param {number} step
   * @param {number | null} phase
   */
  #head(run, stood, step, phase) {
    const window = run.window(stood);
    write(this.title, `Window at step ${int(step)}`);
    const told = phase === null || (stood === step && !this.app.show.now) ? sentWords(run) : this.#during(run, phase);
    write(this.size, pluralize(window.size, "message"));
    const meter = tilde(run) && ` · tokens ~ by ${header(run).meter}`;
    write(this.told, `, ${told}${meter}`);
    attribute(this.root, "data-window-tokens", window.tokens);
    attribute(this.root, "data-window-size", window.size);
    attribute(this.ghosts, "aria-checked", String(Boolean(this.app.ghosts)));
  }

  /** What is on show in a phase of the compaction at the cursor. @param {Run} run @param {number} phase */
  #during(run, phase) {
    const { show, step } = this.app;
    const k = show.now?.k ?? run.step(step).compaction;
    const adds = k >= 0 && effect(run, k).added.length > 0;
    if (show.now?.moment.arrived && k >= 0) return sentWords(run);
    if (show.now && phase === 4) return adds ? "the new window comes together" : "what stays closes up";
    const removes = show.now?.story === "clear" ? "what the compaction clears" : "what the compaction removes";
    return ["before the compaction", removes, adds ? "what the compaction adds" : show.now ? removes : "after clearing"][Math.min(3, phase) - 1];
  }

  #select() {
    const { run, selected } = this.app;
    const keys = (/** @type {number[]} */ pools) => pools.filter((pool) => run.pool.has(pool)).map((pool) => run.pool.row(pool).key);
    const { pairs, about } = this.app.highlights.now;
    const shown = recordedKey(selected) < 0 ? rowKey(run, subjectOf(this.app)) : null;
    this.list.select(shown, poolOf(run, shown), { paired: keys(pairs), about: keys(about) }, selected !== null);
  }

  /** @param {Change} change */
  #reveal(change) {
    const { run, selected } = this.app;
    if (selected === null) {
      if (change.selected) this.#followIfAtEnd();
      return;
    }
    this.list.follow = false;
    const pool = poolOf(run, selected);
    if (change.selected && pool >= 0) this.list.reveal(pool);
  }

  #followIfAtEnd() {
    const { list } = this;
    list.follow = list.top + list.view >= list.layout.height - 8;
  }
}

/** What the rows are; of a recorded run whose prompts are on record, they may be less than what was sent. @param {Run} run */
const sentWords = (run) => (run.view.kind === "replay" && header(run).unseen ? "the visible part of the prompt" : "what the model would be sent");

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
