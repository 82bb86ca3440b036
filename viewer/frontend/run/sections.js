// The window at a step as sections of rows: pinned, summary, compactable, recent, and what has left it. Pure:
// no nodes.

import { capitalized, int, pluralize } from "../lib/format.js";
import { ADDED, SPACE } from "./pool.js";
import { Numbered } from "./ranges.js";
import { recordedParts } from "./recordedparts.js";
/** @import { Run, Window } from "./model.js" */

/** @typedef {import("./layout.js").Section} Section */
/** @typedef {import("./layout.js").Row} Row */
/** @typedef {import("./ranges.js").Range} Range */

/** The summaries at the front of a window are few; no need to look further than this. */
const LOOK = 64;

/** The header of a run's store. @param {Run} run */
export const header = (run) => run.store.header ?? run.store;

/** "~" where the meter only estimates for this model. @param {Run} run */
export const tilde = (run) => (header(run).approximate ? "~" : "");

/**
 * "~" for a number that holds messages a compaction put in: where the others are recorded, nobody recorded those.
 * @param {Run} run
 */
export const tildeAdded = (run) => (header(run).approximate || (header(run).how === "recorded" && run.view.kind !== "replay") ? "~" : "");

/** The meter that a "~" stands for. @param {Run} run */
export const guessedBy = (run) => (header(run).approximate ? header(run).meter : "o200k_base");

/**
 * The pool index of a row's key, or -1: "m12" is message 12, "c3.0" the first message that compaction 3
 * added.
 * @param {Run} run
 * @param {string | null} key
 */
export function poolOf(run, key) {
  const message = /^m(\d+)$/.exec(key ?? "");
  if (message) return Number(message[1]) < run.n ? Number(message[1]) : -1;
  const added = /^c(\d+)\.(\d+)$/.exec(key ?? "");
  if (!added) return -1;
  const [c, m] = [Number(added[1]), Number(added[2])];
  return c < run.compactions && m < run.view.c.added[c].length ? ADDED + run.firstAdded[c] + m : -1;
}

/** How many rows from `k` on have this region. @param {Window} window @param {number} k @param {string} region */
function lead(window, k, region) {
  let end = k;
  while (end < Math.min(window.size, k + LOOK) && window.row(end).region === region) end += 1;
  return end;
}

/** Where the parts of a window end: head, summary, compactable. @param {Window} window */
export function bounds(window) {
  const { head } = window;
  const summary = lead(window, head, "summary");
  return { head, summary, tail: Math.max(summary, Math.min(window.tail, window.size)) };
}

/** What the policy does next to what is compactable, by what its main stage does. */
const NEXT = { summarise: "summarized", clear: "cleared", drop: "dropped", digest: "converted to text", opaque: "replaced by an opaque item" };

/** @param {Run} run  what the policy does to messages, as a participle: "summarized", "cleared" */
export const nextDone = (run) => (run.pool.thinkingOnly ? "sent without thinking" : NEXT[run.view.policy?.kind ?? "summarise"]);

/** What a policy empties, as a word: "result", "message". @param {Run} run */
export const emptiedWord = (run) => (run.view.pins.emptied && run.pool.emptiesResultsOnly ? "result" : "message");

/**
 * How many messages between two window indexes would go, and what they are called: [12, "result"].
 * @param {Run} run
 * @param {Window} window
 * @param {number} from
 * @param {number} to
 * @returns {[number, string]}
 */
export function whatGoes(run, window, from, to) {
  const { kind } = run.view.policy ?? {};
  if (kind === "digest") return [window.results(from, to), "result"];
  return [window.going(from, to), kind === "clear" ? emptiedWord(run) : "message"];
}

/** The window at a step. @param {Run} run @param {number} step @returns {Section[]} */
export function windowSections(run, step) {
  const window = run.window(step);
  const { head, summary, tail } = bounds(window);
  const part = (/** @type {string} */ id, /** @type {string} */ title, /** @type {number} */ from, /** @type {number} */ to, note = "") =>
    slice(run, window, step, { id, title, from, to, note });
  const front = [{ ...part("system", headTitle(window, head), 0, head), sticks: true }, part("summary", "Summary", head, summary)];
  const rest = run.view.policy
    ? [
        ...compactableParts(run, window, step, summary, tail),
        part("recent", `Recent: ${keptAs(window.stays("recent"))}, ${pluralize(window.size - tail, "message")}`, tail, window.size),
      ]
    : recordedParts(run, window, summary, (k) => lead(window, k, "summary"), summaryAmong(window, summary, window.size)).map((one) => ({
        ...slice(run, window, step, one),
        unit: one.unit,
      }));
  return [...front, ...rest].filter((section) => section.count > 0);
}

/** How sure it is that recent messages stay, in a word: "kept", "may stay". They are no pinned ones. @param {string} [stays] */
export const keptAs = (stays = "pinned") => (stays === "pinned" ? "kept" : stays);

/** The same messages under no heading and of no region: where what goes begins and ends is not to be seen. @param {Section[]} sections @returns {Section[]} */
export function unparted(sections) {
  const starts = sections.map((_, i) => sections.slice(0, i).reduce((sum, { count }) => sum + count, 0));
  const at = (/** @type {number} */ k) => starts.findLastIndex((start) => start <= k);
  const row = (/** @type {number} */ k) => ({ ...sections[at(k)].row(k - starts[at(k)]), region: "message" });
  const find = (/** @type {number} */ pool) =>
    sections.reduce((found, section, i) => (found < 0 && section.find(pool) >= 0 ? starts[i] + section.find(pool) : found), -1);
  const count = sections.reduce((sum, section) => sum + section.count, 0);
  return count ? [{ id: "all", title: "", count, row, find }] : [];
}

/** @param {Window} window @param {number} head */
function headTitle(window, head) {
  const rows = Array.from({ length: Math.min(head, LOOK) }, (_, k) => window.row(k));
  const plain = rows.every(({ region, role, stays }) => region === "system" && role === "system" && stays === "pinned");
  return plain ? "Pinned: system" : `${capitalized(window.stays("system"))}: front`;
}

/**
 * What may go, in parts: a summary that stands among it has a heading of its own, and so has what is pinned.
 * @param {Run} run @param {Window} window @param {number} step @param {number} from @param {number} to
 * @returns {Section[]}
 */
function compactableParts(run, window, step, from, to) {
  const part = (/** @type {string} */ id, /** @type {number} */ a, /** @type {number} */ b) => {
    const [title, note] = id === "among" ? ["Summary", ""] : compactable(run, window, a, b);
    const mixed = title.startsWith(MIXED) ? { unit: "message" } : {}; // not each of them may go
    return { ...slice(run, window, step, { id, title, note, from: a, to: b }), ...mixed };
  };
  const parts = (/** @type {string} */ id, /** @type {number} */ a, /** @type {number} */ b) =>
    pinnedApart(run, window, a, b).map(([x, y], k) => part(k ? `${id}-${k}` : id, x, y));
  const at = summaryAmong(window, from, to);
  if (at < 0) return parts("compactable", from, to);
  const end = Math.min(lead(window, at, "summary"), to);
  return [...parts("before", from, at), { ...part("among", at, end), unit: "summary" }, ...parts("compactable", end, to)];
}

/** How a heading begins over messages of which only some may go. */
const MIXED = "Of these, C is";
/** So many messages that a person pinned have headings of their own. */
const PINS = 6;

/** What is between two window indexes, cut where messages stand that a person pinned, if these are few. @param {Run} run @param {Window} window @param {number} from @param {number} to @returns {Range[]} */
function pinnedApart(run, window, from, to) {
  const { held } = run.pool;
  if (!held.size || held.size > PINS) return [[from, to]];
  const places = new Set([...held].map((pool) => window.indexOf(pool)));
  const turns = [...places].flatMap((k) => [k, k + 1]).filter((k) => k > from && k < to && places.has(k - 1) !== places.has(k));
  const cuts = [from, ...turns.sort((a, b) => a - b), to];
  return cuts.slice(1).map((end, k) => [cuts[k], end]);
}

/** Where the first summary stands that a compaction put in between two window indexes, or -1. @param {Window} window @param {number} from @param {number} to */
function summaryAmong(window, from, to) {
  let first = from;
  for (const [a, b] of window.between(from, to)) {
    if (a >= ADDED && a < SPACE && window.regionAt(first) === "summary") return first;
    first += b - a;
  }
  return -1;
}

/**
 * The title and the note of what may go: how many of its messages do.
 * @param {Run} run
 * @param {Window} window
 * @param {number} from
 * @param {number} to
 * @returns {[string, string]}
 */
function compactable(run, window, from, to) {
  const [goes, what] = whatGoes(run, window, from, to);
  const done = nextDone(run);
  const of = goes < to - from ? ` of ${pluralize(to - from, "message")}` : "";
  const said = what === "message" && of ? int(goes) : pluralize(goes, what);
  const staged = / \(.*\), then /.test(run.view.policy?.when ?? "");
  const when = `${staged ? "" : "first "}to be ${done}${staged ? " in the last stage" : ""}`;
  const mixed = window.going(from, to) < to - from; // what stays stands between those that go: the heading is not about it
  if (goes) return [mixed ? `${MIXED} ${when}` : `Compactable: ${when}`, said + of];
  const emptied = emptiedIn(run, window, from, to);
  const all = pluralize(to - from, "message");
  const pinned = !emptied && allPinned(window, from, to);
  return [
    pinned ? `Pinned: not to be ${done}` : `Nothing ${emptied ? "new" : "here"} to be ${done}`,
    emptied ? `${int(emptied)} of ${all} ${run.pool.thinkingOnly ? "without thinking" : "cleared"}` : all,
  ];
}

/** Whether all of a few messages are pinned, for what they are or by a person. @param {Window} window @param {number} from @param {number} to */
const allPinned = (window, from, to) =>
  to - from <= LOOK && Array.from({ length: to - from }, (_, k) => window.regionAt(from + k)).every((region) => region === "system");

/** How many messages between two window indexes are emptied already. @param {Run} run @param {Window} window @param {number} from @param {number} to */
const emptiedIn = (run, window, from, to) => window.between(from, to).reduce((sum, [a, b]) => sum + run.pool.lightIn(a, b).length, 0);

/**
 * @param {Run} run
 * @param {Window} window
 * @param {number} step
 * @param {{id: string, title: string, from: number, to: number, note: string}} what
 * @returns {Section}
 */
function slice(run, window, step, { id, title, from, to, note }) {
  const row = (/** @type {number} */ k) => {
    const row = window.row(from + k);
    return { ...row, pool: run.pool.originOf(row.pool), spared: /^(compactable|before)/.test(id) && row.region === "recent" };
  };
  const find = (/** @type {number} */ pool) => {
    const index = run.indexInWindow(step, pool);
    return index >= from && index < to ? index - from : -1;
  };
  return { id, title, note, from, count: Math.max(0, to - from), row, find };
}

/**
 * Messages by their pool indexes as a section.
 * @param {Run} run
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
 * The row of any message, in the window or not. Its region is what it is by itself: summary, cleared, or else compactable, as
 * recorded a message.
 * @param {Run} run
 * @param {number} pool
 * @returns {Row}
 */
export function rowOf(run, pool) {
  const region = [run.view.policy ? "compactable" : "message", "summary", "cleared"][run.pool.classOf(pool)];
  return { ...run.pool.row(pool), region };
}

/** The compaction that put a message of the pool in. @param {Run} run @param {number} pool @returns {number} */
export const compactionOf = (run, pool) => run.pool.added[pool - ADDED].c;

/**
 * Where a message stands at a step.
 * @param {Run} run
 * @param {number} step
 * @param {number} pool
 * @returns {{state: "window" | "cleared" | "summarised" | "dropped" | "later", index: number, compaction:
 * number}} `compaction` is the one that took or emptied it, or -1; one that is emptied is still in the window
 */
export function whereabouts(run, step, pool) {
  const index = run.indexInWindow(step, pool);
  const { messages, epoch } = run.step(step);
  if (index >= 0 && !isEmptied(run, step, pool)) return { state: "window", index, compaction: -1 };
  if (index >= 0) return { state: "cleared", index, compaction: firstOf(run, epoch, pool, (s) => isEmptied(run, s, pool)) };
  const arrived = pool < run.n ? pool < messages : compactionOf(run, pool) < epoch;
  if (!arrived) return { state: "later", index, compaction: -1 };
  const compaction = firstOf(run, epoch, pool, (s) => run.indexInWindow(s, pool) < 0);
  const { added } = run.compaction(compaction);
  const folded = added.some((one) => ["summary", "digest"].includes(one.injected));
  return { state: folded ? "summarised" : "dropped", index, compaction };
}

/** Whether a message of the session is in the window of a step with its body emptied. @param {Run} run @param {number} step @param {number} pool */
export function isEmptied(run, step, pool) {
  const index = run.indexInWindow(step, pool);
  return index >= 0 && run.pool.isLight(run.window(step).poolAt(index));
}

/**
 * The first of the compactions done after which this holds of a message: once out, or emptied, it stays so. Where a window
 * is worked out anew each time it may come back; then it is one of those that took it.
 * @param {Run} run
 * @param {number} done
 * @param {number} pool
 * @param {(step: number) => boolean} holds
 */
function firstOf(run, done, pool, holds) {
  let low = pool < run.n ? 0 : compactionOf(run, pool);
  let high = done - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    const arrived = pool >= run.n || run.view.c.at[middle] > pool;
    if (arrived && holds(run.steps[middle])) high = middle;
    else low = middle + 1;
  }
  return low;
}
