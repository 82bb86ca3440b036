// The window at a step as sections of rows: pinned, summary, compactable, recent, and what has left it. Pure:
// no nodes.

import { counted, number } from "./dom.js";
import { Numbered, common, pairs, size, without } from "./ranges.js";

/** @typedef {import("./layout.js").Section} Section */
/** @typedef {import("./layout.js").Row} Row */
/** @typedef {import("./ranges.js").Range} Range */

/** The summaries at the front of a window are few; no need to look further than this. */
const LOOK = 64;

/** The header of a run's store. @param {any} run */
export const header = (run) => run.store.header ?? run.store;

/** "~" where the meter only estimates for this model. @param {any} run */
export const tilde = (run) => (header(run).approximate ? "~" : "");

/**
 * "~" for a number that holds messages a compaction put in: where the others are recorded, nobody recorded those.
 * @param {any} run
 */
export const tildeAdded = (run) =>
  header(run).approximate || (header(run).how === "recorded" && run.view.kind !== "replay") ? "~" : "";

/** The meter that a "~" stands for. @param {any} run */
export const guessedBy = (run) => (header(run).approximate ? header(run).meter : "o200k_base");

/**
 * The pool index of a row's key, or -1: "m12" is message 12, "c3.0" the first message that compaction 3
 * added.
 * @param {any} run
 * @param {string | null} key
 */
export function poolOf(run, key) {
  const message = /^m(\d+)$/.exec(key ?? "");
  if (message) return Number(message[1]) < run.n ? Number(message[1]) : -1;
  const added = /^c(\d+)\.(\d+)$/.exec(key ?? "");
  if (!added) return -1;
  const [c, m] = [Number(added[1]), Number(added[2])];
  return c < run.compactions && m < run.view.c.added[c].length ? run.n + run.firstAdded[c] + m : -1;
}

/**
 * How many rows from `k` on have this region.
 * @param {any} window
 * @param {number} k
 * @param {string} region
 */
function lead(window, k, region) {
  let end = k;
  while (end < Math.min(window.size, k + LOOK) && window.row(end).region === region) end += 1;
  return end;
}

/**
 * Where the window's parts end: head, summary, compactable.
 * @param {any} run
 * @param {any} window
 */
export function bounds(run, window) {
  const head = run.view.policy ? window.head : lead(window, 0, "system");
  const summary = lead(window, head, "summary");
  const tail = run.view.policy ? Math.max(summary, Math.min(window.tail, window.size)) : window.size;
  return { head, summary, tail };
}

/**
 * The row with its region as it is called: without a policy nothing is "next to be folded", it is a message.
 * @param {any} run
 * @param {Row} row
 * @returns {Row}
 */
export const named = (run, row) =>
  run.view.policy || !["compactable", "recent"].includes(row.region) ? row : { ...row, region: "message" };

/**
 * The window at a step.
 * @param {any} run
 * @param {number} step
 * @returns {Section[]}
 */
export function windowSections(run, step) {
  const window = run.window(step);
  const { head, summary, tail } = bounds(run, window);
  const part = (
    /** @type {string} */ id,
    /** @type {string} */ title,
    /** @type {number} */ from,
    /** @type {number} */ to,
  ) => slice(run, window, step, { id, title, from, to });
  const next = run.view.policy ? "Compactable: next to be folded" : "Messages: as recorded, no policy";
  return [
    part(
      "system",
      head > 0 && window.row(0).region === "summary" ? "Pinned: in front" : "Pinned: system",
      0,
      head,
    ),
    part("summary", "Summary", head, summary),
    part("compactable", next, summary, tail),
    part("recent", `Pinned: recent ${number(window.size - tail)}`, tail, window.size),
  ].filter((section) => section.count > 0);
}

/**
 * @param {any} run
 * @param {any} window
 * @param {number} step
 * @param {{id: string, title: string, from: number, to: number}} what
 * @returns {Section}
 */
function slice(run, window, step, { id, title, from, to }) {
  const row = (/** @type {number} */ k) => named(run, window.row(from + k));
  const find = (/** @type {number} */ pool) => {
    const index = run.indexInWindow(step, pool);
    return index >= from && index < to ? index - from : -1;
  };
  const note = id === "compactable" ? counted(to - from, "message") : "";
  return { id, title, note, count: Math.max(0, to - from), row, find };
}

/**
 * The messages that had arrived by a step and are not in its window; the heading opens where they are more than `few`.
 * @param {any} run
 * @param {number} step
 * @param {boolean} [opened]
 * @param {number} [few]
 * @returns {Section}
 */
export function ghostSection(run, step, opened = false, few = 6) {
  const ranges = run.ghosts(step);
  const gone = size(ranges);
  const title = `Folded earlier: ${counted(gone, "message")} (ghosts)`;
  const section = rangeSection(run, "ghosts", title, ranges, { ghost: true });
  const opens = gone > few;
  const note = !opens ? "" : opened ? "show fewer" : `${number(gone - few)} more`;
  const row = (/** @type {number} */ k) => {
    const ghost = section.row(k);
    return { ...ghost, region: whereabouts(run, step, ghost.pool).state };
  };
  return { ...section, row, note, opens, open: opened };
}

/**
 * Messages by their pool indexes as a section.
 * @param {any} run
 * @param {string} id
 * @param {string} title
 * @param {Range[]} ranges
 * @param {Partial<Row>} [marks] put on every row
 * @returns {Section}
 */
export function rangeSection(run, id, title, ranges, marks = {}) {
  const places = new Numbered(ranges);
  const row = (/** @type {number} */ k) => ({ ...rowOf(run, places.at(k)), ...marks });
  return { id, title, count: places.size, row, find: (pool) => places.indexOf(pool) };
}

/**
 * The row of any message, in the window or not. Its region is what it is by itself: summary, cleared, or else
 * compactable.
 * @param {any} run
 * @param {number} pool
 * @returns {Row}
 */
export function rowOf(run, pool) {
  const region = ["compactable", "summary", "cleared"][run.pool.classOf(pool)];
  return named(run, { ...run.pool.row(pool), region });
}

/**
 * The compaction that put a message of the pool in.
 * @param {any} run
 * @param {number} pool
 * @returns {number}
 */
export const compactionOf = (run, pool) => run.pool.added[pool - run.n].c;

/**
 * What a compaction did, as ranges over the pool in window order.
 * @param {any} run
 * @param {number} k
 * @returns {{before: Range[], after: Range[], taken: Range[], kept: Range[], added: Range[]}}
 */
export function effect(run, k) {
  const at = run.compaction(k).at;
  const earlier = k > 0 ? pairs(run.view.c.layout[k - 1]) : [];
  const from = k > 0 ? run.compaction(k - 1).at : 0;
  const before = from < at ? [...earlier, /** @type {Range} */ ([from, at])] : earlier;
  const after = pairs(run.view.c.layout[k]);
  return {
    before,
    after,
    taken: without(before, after),
    kept: common(before, after),
    added: without(after, before),
  };
}

/**
 * The step whose window, and tokens, a phase of compaction k shows.
 * @param {any} run
 * @param {number} k
 * @param {number} phase
 * @returns {number}
 */
export function standsAt(run, k, phase) {
  const { step, micro } = run.compaction(k);
  return phase > 3 || (phase === 3 && micro) ? step : Math.max(0, step - 1);
}

/**
 * The window while a compaction is taken apart: 1 trigger, 2 partition (what goes is marked), 3 summarise
 * (the summary beside it); 4, splice, is the window after. Messages that are only emptied are marked where
 * they stand.
 * @param {any} run
 * @param {number} k
 * @param {1 | 2 | 3 | 4} phase
 * @returns {Section[]}
 */
export function phaseSections(run, k, phase) {
  const { step, micro } = run.compaction(k);
  const sections = windowSections(run, standsAt(run, k, phase));
  if (phase === 4 || phase === 1 || step === 0) return sections;
  const did = effect(run, k);
  if (!micro) return takenApart(run, step - 1, did, phase);
  const marked = new Numbered(phase === 2 ? did.taken : did.added);
  return sections.map((section) => ({
    ...section,
    row: (k) => marking(section.row(k), marked, phase === 2),
  }));
}

/** @param {Row} row @param {Numbered} some @param {boolean} taken @returns {Row} */
function marking(row, some, taken) {
  if (some.indexOf(row.pool) < 0) return row;
  return taken ? { ...row, taken } : { ...row, fresh: true };
}

/**
 * The window at a step as what stays in front, what is taken, what is put in its place, what stays behind.
 * @param {any} run
 * @param {number} step
 * @param {ReturnType<typeof effect>} did
 * @param {2 | 3} phase
 * @returns {Section[]}
 */
function takenApart(run, step, { before, taken, added }, phase) {
  const all = new Numbered(before);
  const first = taken.length ? all.indexOf(taken[0][0]) : all.size;
  const rest = without(within(all, first, all.size), taken);
  const marks = { taken: true, ghost: phase === 3 };
  return [
    standing(run, step, rangeSection(run, "head", "Stays: in front", within(all, 0, first))),
    standing(
      run,
      step,
      rangeSection(run, "taken", `Being folded: ${counted(size(taken), "message")}`, taken, marks),
    ),
    rangeSection(run, "fresh", "Put in their place", phase === 3 ? added : [], { fresh: true }),
    standing(run, step, rangeSection(run, "rest", `Stays: newest ${number(size(rest))}`, rest)),
  ].filter((section) => section.count > 0);
}

/**
 * The part of numbered messages from place `a` up to `b`, as ranges.
 * @param {Numbered} all
 * @param {number} a
 * @param {number} b
 * @returns {Range[]}
 */
function within(all, a, b) {
  return all.ranges.flatMap(([from, to], k) => {
    const low = Math.max(from, from + a - all.starts[k]);
    const high = Math.min(to, from + b - all.starts[k]);
    return low < high ? [/** @type {Range} */ ([low, high])] : [];
  });
}

/**
 * The same section with each row's region as it was in the window of a step.
 * @param {any} run
 * @param {number} step
 * @param {Section} section
 * @returns {Section}
 */
function standing(run, step, section) {
  const window = run.window(step);
  const row = (/** @type {number} */ k) => {
    const row = section.row(k);
    const index = run.indexInWindow(step, row.pool);
    return index < 0 ? row : named(run, { ...row, region: window.row(index).region });
  };
  return { ...section, row };
}

/**
 * Where a message stands at a step.
 * @param {any} run
 * @param {number} step
 * @param {number} pool
 * @returns {{state: "window" | "cleared" | "summarised" | "dropped" | "later", index: number, compaction:
 * number}} `compaction` is the one that took it, or -1
 */
export function whereabouts(run, step, pool) {
  const index = run.indexInWindow(step, pool);
  if (index >= 0) return { state: "window", index, compaction: -1 };
  const { messages, epoch } = run.step(step);
  const arrived = pool < run.n ? pool < messages : compactionOf(run, pool) < epoch;
  if (!arrived) return { state: "later", index, compaction: -1 };
  const compaction = takenBy(run, epoch, pool);
  const { added } = run.compaction(compaction);
  if (added.some((/** @type {any} */ one) => one.of === pool)) return { state: "cleared", index, compaction };
  const folded = added.some((/** @type {any} */ one) => one.injected === "summary");
  return { state: folded ? "summarised" : "dropped", index, compaction };
}

/**
 * The first of the compactions done after which the message is gone: once out, it never comes back.
 * @param {any} run
 * @param {number} done
 * @param {number} pool
 */
function takenBy(run, done, pool) {
  let low = pool < run.n ? 0 : compactionOf(run, pool);
  let high = done - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    const arrived = pool >= run.n || run.view.c.at[middle] > pool;
    if (arrived && run.indexInWindow(run.steps[middle], pool) < 0) high = middle;
    else low = middle + 1;
  }
  return low;
}
