// The window at the cursor: how full it is, and every message of it in order.

import { CompactionShow, may } from "./animate.js";
import { attribute, button, el, write } from "../lib/dom.js";
import { int, pluralize } from "../lib/format.js";
import { Gauge } from "./gauge.js";
import { GhostList } from "./ghosts.js";
import { RowList } from "./rows.js";
import { phaseSections } from "./phasewindow.js";
import { effect, standsAt } from "../run/effect.js";
import { header, poolOf, tilde, windowSections } from "../run/sections.js";
/** @import { Run } from "../run/model.js" */
/** @import { App } from "./app.js" */
/** @import { Change } from "./types.js" */

/** The part: fills `root` and shows the window at `app.step`. @param {HTMLElement} root @param {App} app */
export function part(root, app) {
  const list = new WindowList(root, app);
  return { update: (/** @type {App} */ _, /** @type {Change} */ change) => list.update(change ?? {}) };
}

class WindowList {
  /** @param {HTMLElement} root @param {App} app */
  constructor(root, app) {
    this.root = root;
    this.app = app;
    /** @type {{run: Run, step: number} | null} */ this.shown = null;
    this.gauge = new Gauge();
    this.list = new RowList({ label: "Messages in the window", choose: (row) => app.select(row.key), moved: () => this.show?.cancel() });
    this.list.follow = true;
    this.ghostList = new GhostList(app);
    this.show = new CompactionShow(this.list, this.gauge);
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
      el("div", { class: "fl-lists" }, this.ghostList.node, this.list.node),
    );
    new ResizeObserver(() => app.run?.length && this.gauge.fit(app.run)).observe(this.gauge.node);
    app.highlights.watch(() => this.#marked());
  }

  /** @param {Change} change */
  update(change) {
    const { run, step } = this.app;
    if (run.step(step).compaction !== this.app.highlights.now.of) this.app.highlights.set({ phase: null, of: -1 });
    const moved = this.shown?.run !== run || this.shown?.step !== step;
    if (moved || change.ghosts) this.#redraw(change, moved);
    else if (change.selected) this.#select();
    if (change.selected || moved) this.#reveal(change);
  }

  /** @param {Change} change @param {boolean} moved */
  #redraw(change, moved) {
    const { run, step, selected } = this.app;
    const before = this.shown;
    const animate = before !== null && before.run === run && this.#phase() === null && may(this.app, change, before.step);
    this.show.cancel();
    if (before?.run !== run) this.#opened(run, selected);
    this.shown = { run, step };
    if (moved) this.#aim(run, step, before);
    if (animate) this.show.play(run, step, this.app, () => this.#draw());
    else this.#draw();
    if (moved && this.phase !== null) this.#lookAt(this.phase);
  }

  /**
   * What the keyboard starts at, and on a compaction just come to, what stays in sight: what it put in, or else
   * what follows the place it took from.
   * @param {Run} run
   * @param {number} step
   * @param {{run: Run, step: number} | null} before
   */
  #aim(run, step, before) {
    const { compaction, messages } = run.step(step);
    const made = compaction < 0 ? -1 : this.#worthSeeing(run, compaction);
    this.list.cursor = compaction < 0 ? messages - 1 : made;
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
    if (phase !== this.phase) this.show.shift(() => (this.#draw(), this.#lookAt(phase)));
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
    const { run, step, ghosts } = this.app;
    const phase = this.#phase();
    if (phase !== null) this.list.hold = -1;
    const compaction = run.step(step).compaction;
    const stood = phase === null ? step : standsAt(run, compaction, phase);
    this.phase = phase;
    this.#head(run, stood, step, phase);
    this.gauge.update(run, run.step(stood));
    this.list.full = fullBar(run);
    const resized = this.ghostList.show(Boolean(ghosts) && (phase === null || phase === 4), this.list.full);
    if (resized) this.list.viewHeight = undefined;
    this.#select();
    this.list.show(phase !== null ? phaseSections(run, compaction, phase) : windowSections(run, step));
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
    const said = {
      1: "before the compaction",
      2: "what the compaction removes",
      3: phase === 3 && !effect(run, run.step(step).compaction).added.length ? "after clearing" : "what it adds",
    };
    const told = stood === step ? "what the model would be sent" : said[/** @type {1 | 2 | 3} */ (phase ?? 1)];
    write(this.size, pluralize(window.size, "message"));
    const meter = tilde(run) && ` · tokens ~ by ${header(run).meter}`;
    write(this.told, `, ${told}${meter}`);
    attribute(this.root, "data-window-tokens", window.tokens);
    attribute(this.root, "data-window-size", window.size);
    attribute(this.ghosts, "aria-checked", String(Boolean(this.app.ghosts)));
  }

  #select() {
    const { run, selected } = this.app;
    const others = this.app.highlights.now.pairs.map((pool) => `m${pool}`);
    this.list.select(selected, poolOf(run, selected), others);
    this.ghostList.select(selected, others);
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
    if (change.selected && pool >= 0 && !this.list.reveal(pool)) this.ghostList.reveal(pool);
  }

  #followIfAtEnd() {
    const { list } = this;
    list.follow = list.top + list.view >= list.layout.height - 8;
  }
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
