// A compaction as it happens: the rows it takes lift and fold into one, or leave sideways; those it empties stay, their text and
// tokens going; the tail closes up and the counter runs.
// Web Animations API, on transforms only; a navigation, a scroll or a new picture ends it at once, with the
// picture already the final one.

import { between } from "./gauge.js";
import { Numbered } from "../run/ranges.js";
import { write } from "../lib/dom.js";
import { int } from "../lib/format.js";
import { effect, places } from "../run/effect.js";
/** @import { Run } from "../run/model.js" */
/** @import { App } from "./app.js" */
/** @import { Change } from "./types.js" */

/** @typedef {import("./rows.js").RowList} RowList */
/** @typedef {{rows: Map<string, Seen & {pool: number}>, layout: import("../run/layout.js").Layout, top: number, view: number}} Snapshot */
/** @typedef {{y: number, node: HTMLElement}} Seen a row as it was on screen, its top relative to the list's */

const WHOLE = 900;
const QUICK = 260;
const APPROACH = 240;

/** Milliseconds a compaction's animation takes at a playback speed. @param {number} speed @param {boolean} playing */
export const length = (speed, playing) => (playing ? WHOLE / Math.max(1, speed) : WHOLE);

/**
 * Whether the move just made may be animated: one step forward onto a compaction, and nobody minds.
 * @param {App} app
 * @param {Change} change
 * @param {number} from the step shown before
 */
export function may(app, change, from) {
  if (!change.animate || app.reduced) return false;
  return app.step === from + 1 && app.run.step(app.step).compaction >= 0;
}

const still = () => globalThis.matchMedia?.("(prefers-reduced-motion: reduce)").matches ?? false;

/** Plays compactions in a list and its gauge. */
export class CompactionShow {
  /** @param {RowList} list @param {import("./gauge.js").Gauge} gauge */
  constructor(list, gauge) {
    this.list = list;
    this.gauge = gauge;
    /** @type {Animation[]} */ this.running = [];
    this.frame = 0;
    /** What runs down in a row while it is emptied: where it is written, from and to. @type {{node: Node, from: number, to: number}[]} */
    this.counters = [];
    /** @type {(() => void) | null} */ this.settle = null;
    /** @type {(() => void) | null} */ this.coming = null;
  }

  /** End at once; what is on the page is the final picture. */
  cancel() {
    const { coming } = this;
    this.coming = null;
    for (const animation of this.running) animation.cancel();
    this.running = [];
    this.counters = [];
    cancelAnimationFrame(this.frame);
    this.settle?.();
    this.settle = null;
    if (this.list.flying.childElementCount) this.list.flying.replaceChildren();
    coming?.();
  }

  /**
   * From the picture on screen to the one that `draw` makes, as the compaction at `step`. Where what it takes is
   * out of sight, the list goes there first.
   * @param {Run} run
   * @param {number} step
   * @param {App} app
   * @param {() => void} draw
   */
  play(run, step, app, draw) {
    const { taken, emptied } = effect(run, run.step(step).compaction);
    const from = this.list.top;
    const [first] = taken.length ? taken : emptied;
    const stays = app.playing && run.view.policy?.effect === "view"; // or it would go to and fro at every call
    const to = first && !stays ? this.list.topFor(first[0]) : from;
    if (Math.abs(to - from) < 1) return this.#play(run, step, app, draw);
    this.coming = draw;
    const time = (APPROACH * length(app.speed ?? 1, app.playing)) / WHOLE;
    this.#approach(from, to, time, () => ((this.coming = null), this.#play(run, step, app, draw)));
  }

  /**
   * Scroll from one height to another, then go on.
   * @param {number} from
   * @param {number} to
   * @param {number} time
   * @param {() => void} then
   */
  #approach(from, to, time, then) {
    const begun = performance.now();
    const tick = () => {
      const part = Math.min(1, (performance.now() - begun) / time);
      this.list.scrollTo(from + (to - from) * part * (2 - part));
      this.list.paint();
      if (part >= 1) then();
      else this.frame = requestAnimationFrame(tick);
    };
    tick();
  }

  /** @param {Run} run @param {number} step @param {App} app @param {() => void} draw */
  #play(run, step, app, draw) {
    const did = effect(run, run.step(step).compaction);
    const gone = new Numbered(did.taken);
    const emptied = new Numbered(did.emptied);
    const before = this.#snapshot();
    draw();
    const time = length(app.speed ?? 1, app.playing);
    const targets = this.#targets(places(did));
    const came = new Numbered([...did.added, ...did.returned]);
    this.list.flying.replaceChildren();
    this.#takeAway(before, (pool) => gone.indexOf(pool) >= 0, targets, time);
    this.#empty(before, (pool) => emptied.indexOf(pool) >= 0, time);
    this.#arrive(before, came, time);
    this.#closeUp(before, came, time);
    this.#count(run, step, time);
  }

  /**
   * Where what is taken folds into: the message put in next behind it, at its height on screen. None where nothing is put in.
   * @param {{from: number, pool: number}[]} put
   * @returns {(pool: number) => number | null}
   */
  #targets(put) {
    if (!put.length) return () => null;
    const most = this.list.view + 28;
    const at = (/** @type {number} */ pool) => Math.max(-28, Math.min(most, this.#screen(pool) ?? -28));
    return (pool) => at(((put.length > 1 && put.findLast(({ from }) => from < pool)) || put[0]).pool);
  }

  /** From one picture to another without a story: what stays moves, what is new fades in. @param {() => void} draw */
  shift(draw) {
    this.cancel();
    const before = this.#snapshot();
    draw();
    if (still()) return;
    for (const [key, view] of this.list.live) {
      const was = before.rows.get(key);
      const now = this.#top(view.node);
      if (!was) this.#run(view.node, [{ opacity: 0 }, { opacity: 1 }], { duration: QUICK });
      else if (Math.abs(was.y - now) > 1) this.#move(view.node, was.y, now, { duration: QUICK, easing: "ease-in-out" });
    }
  }

  /** The rows on screen, copied, and where every other one was. */
  #snapshot() {
    /** @type {Map<string, Seen & {pool: number}>} */ const rows = new Map();
    const { layout, top, view } = this.list;
    for (const item of layout.between(top, top + view)) {
      if (item.k < 0) continue;
      const row = layout.row(item);
      const node = this.list.live.get(row.key)?.node;
      if (node) rows.set(row.key, { y: item.y - top, node: copy(node), pool: row.pool });
    }
    return { rows, layout, top, view };
  }

  /** Where a message is on screen now, or null. @param {number} pool */
  #screen(pool) {
    const item = pool < 0 ? null : this.list.layout.find(pool);
    return item && item.y - this.list.top;
  }

  /** @param {HTMLElement} node */
  #top(node) {
    return Number.parseFloat(node.style.transform.slice(11)) - this.list.scroller.scrollTop;
  }

  /**
   * The rows taken lift, then fold into what stands for them; where nothing does, they leave sideways.
   * @param {{rows: Map<string, Seen & {pool: number}>}} before
   * @param {(pool: number) => boolean} gone
   * @param {(pool: number) => number | null} target
   * @param {number} time
   */
  #takeAway(before, gone, target, time) {
    const leaving = [...before.rows.values()].filter((seen) => gone(seen.pool));
    this.list.flying.append(...leaving.map((seen) => seen.node));
    leaving.forEach((seen, k) => {
      const wait = leaving.length > 1 ? (0.12 * time * k) / (leaving.length - 1) : 0;
      const to = target(seen.pool);
      const frames = to === null ? leavingSideways(seen.y) : folding(seen.y, to);
      this.#run(seen.node, frames, { duration: 0.52 * time, delay: wait, easing: "ease-in-out", fill: "both" });
    });
  }

  /**
   * The rows that are emptied stay: a picture of each as it was lies over it, its text struck out, its bar shrinking and its
   * tokens running down, until it has faded and what is left is seen.
   * @param {{rows: Map<string, Seen & {pool: number}>}} before
   * @param {(pool: number) => boolean} emptied
   * @param {number} time
   */
  #empty(before, emptied, time) {
    for (const [key, view] of this.list.live) {
      const seen = before.rows.get(key);
      if (!seen || !emptied(seen.pool)) continue;
      const picture = seen.node;
      this.list.flying.append(picture);
      const now = this.#top(view.node);
      this.#run(picture, emptying(seen.y, now), { duration: 0.94 * time, fill: "both" });
      this.#shrink(picture, view.node, time);
    }
  }

  /** @param {HTMLElement} picture @param {HTMLElement} row @param {number} time */
  #shrink(picture, row, time) {
    const [preview, bar, tokens] = [".fl-preview", ".fl-meter i", ".fl-tokens"].map(
      (name) => /** @type {HTMLElement} */ (picture.querySelector(name)),
    );
    const width = (/** @type {Element | null} */ node) => Number.parseFloat(/** @type {HTMLElement} */ (node)?.style.width) || 1;
    const least = Math.min(1, width(row.querySelector(".fl-meter i")) / width(bar));
    bar.style.transformOrigin = "100% 50%";
    const options = { duration: 0.5 * time, delay: 0.1 * time, easing: "ease-in-out", fill: /** @type {FillMode} */ ("both") };
    this.#run(bar, [{ transform: "none" }, { transform: `scaleX(${least})` }], options);
    if (!row.classList.contains("fl-silent")) {
      preview.style.textDecoration = "line-through";
      this.#run(preview, [{ opacity: 1 }, { opacity: 0.15 }], options);
    }
    const read = (/** @type {Node} */ node) => Number((node.textContent ?? "").replace(/\D/g, ""));
    this.counters.push({ node: tokens, from: read(tokens), to: read(/** @type {Node} */ (row.querySelector(".fl-tokens"))) });
  }

  /**
   * What was put in appears while the others fold into it.
   * @param {Snapshot} before
   * @param {Numbered} added
   * @param {number} time
   */
  #arrive(before, added, time) {
    for (const [key, view] of this.list.live) {
      if (before.rows.has(key)) continue;
      const pool = this.#poolOf(view.node);
      if (pool < 0 || added.indexOf(pool) < 0) continue;
      const at = view.node.style.transform;
      const frames = [
        { opacity: 0, transform: `${at} scaleY(.3)` },
        { opacity: 1, transform: at },
      ];
      this.#run(view.node, frames, { duration: 0.22 * time, delay: 0.42 * time, easing: "ease-out", fill: "backwards" });
    }
  }

  /**
   * What stays moves to its new place, from where it was, on screen or off.
   * @param {Snapshot} before
   * @param {Numbered} added
   * @param {number} time
   */
  #closeUp(before, added, time) {
    for (const view of this.list.live.values()) {
      const pool = this.#poolOf(view.node);
      if (added.indexOf(pool) >= 0) continue;
      const item = before.layout.find(pool);
      if (!item) continue;
      const was = Math.max(-56, Math.min(before.view + 56, item.y - before.top));
      const now = this.#top(view.node);
      if (Math.abs(was - now) > 1)
        this.#move(view.node, was, now, { duration: 0.38 * time, delay: 0.56 * time, easing: "cubic-bezier(.2,.7,.2,1)", fill: "backwards" });
    }
    for (const node of this.list.headings.values())
      this.#run(node, [{ opacity: 0 }, { opacity: 1 }], { duration: 0.3 * time, delay: 0.6 * time, fill: "backwards" });
  }

  /** @param {HTMLElement} node */
  #poolOf(node) {
    return Number(node.dataset.pool ?? -1);
  }

  /** @param {HTMLElement} node @param {number} was @param {number} now @param {KeyframeAnimationOptions} options */
  #move(node, was, now, options) {
    const at = now + this.list.scroller.scrollTop;
    const frames = [{ transform: `translateY(${at + was - now}px)` }, { transform: `translateY(${at}px)` }];
    this.#run(node, frames, options);
  }

  /** @param {Element} node @param {Keyframe[]} frames @param {KeyframeAnimationOptions} options */
  #run(node, frames, options) {
    const animation = node.animate(frames, options);
    this.running.push(animation);
    animation.onfinish = () => node.parentElement === this.list.flying && node.remove();
  }

  /** The gauge runs from before to after, then everything is over. @param {Run} run @param {number} step @param {number} time */
  #count(run, step, time) {
    const [from, to] = [run.step(step - 1), run.step(step)];
    const begun = performance.now();
    this.settle = () => this.gauge.update(run, to);
    const tick = () => {
      const part = (performance.now() - begun) / time;
      if (part >= 1) return this.cancel();
      const done = Math.min(1, Math.max(0, part - 0.25) / 0.7);
      this.gauge.update(run, between(from, to, done * (2 - done)));
      const left = Math.min(1, Math.max(0, part - 0.1) / 0.5);
      for (const { node, from, to } of this.counters) write(node, int(Math.round(from + (to - from) * left)));
      this.frame = requestAnimationFrame(tick);
    };
    tick();
  }
}

/** A row's picture, for showing only. @param {HTMLElement} node */
function copy(node) {
  const picture = /** @type {HTMLElement} */ (node.cloneNode(true));
  picture.className = picture.className.replace("fl-row", "fl-picture");
  for (const { name } of [...picture.attributes]) if (name !== "class" && name !== "style") picture.removeAttribute(name);
  return picture;
}

/** @param {number} y @param {number} target @returns {Keyframe[]} */
const folding = (y, target) => [
  { transform: `translate(0, ${y}px)`, opacity: 1, offset: 0 },
  { transform: `translate(10px, ${y - 2}px) scale(1.005)`, opacity: 1, boxShadow: "0 3px 10px rgb(0 0 0 / 25%)", offset: 0.4 },
  { transform: `translate(10px, ${target}px) scaleY(.15)`, opacity: 0, boxShadow: "0 0 0 rgb(0 0 0 / 0%)", offset: 1 },
];

/** @param {number} y @returns {Keyframe[]} */
const leavingSideways = (y) => [
  { transform: `translate(0, ${y}px)`, opacity: 1, offset: 0 },
  { transform: `translate(8px, ${y}px)`, opacity: 1, offset: 0.3 },
  { transform: `translate(55%, ${y}px)`, opacity: 0, offset: 1 },
];

/** @param {number} was @param {number} now @returns {Keyframe[]} */
const emptying = (was, now) => [
  { transform: `translateY(${was}px)`, opacity: 1, offset: 0, easing: "linear" },
  { transform: `translateY(${was}px)`, opacity: 1, offset: 0.6, easing: "cubic-bezier(.2,.7,.2,1)" },
  { transform: `translateY(${now}px)`, opacity: 0, offset: 1 },
];
