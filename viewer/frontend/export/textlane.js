// The lane of a text: at every step of a run, whether the window has it, and in which messages. Pure; core/why/lane.py has the rules.
import { lowerBound, upperBound } from "../run/bisect.js";
import { ADDED, SPACE } from "../run/pool.js";
/** @import { Run } from "../run/model.js" */
/** @import { State } from "../why/types.js" */
/** @import { Hits } from "./saying.js" */

/** The hits in the window before a compaction, and after it. @typedef {{before: number[], after: number[]}} Change */
/** `kept` are the hits in the window with which each epoch begins, `changes` what compactions changed, `first` the step that first has it, `unread` the compactions whose summaries nobody can read. @typedef {{run: Run, hits: Hits, starts: number[], kept: number[][], changes: Map<number, Change>, first: number, unread: Set<number>}} Lane */
/** Steps at which the same messages have it: the first ones, and how many there are. @typedef {{from: number, to: number, state: State, at: number[], count: number}} Row */

/** As viewer/wire/fate.py has them. */
const MOST_PLACES = 500;
const MOST_STRETCHES = 2_000;

/** @param {Run} run @param {Hits} hits @param {Set<number>} unread @returns {Lane} */
export function laneOf(run, hits, unread) {
  const kept = run.epochs.map(({ ranges }) => inside(hits.places, ranges));
  /** @type {Lane} */ const lane = { run, hits, kept, starts: [], changes: new Map(), first: run.length, unread };
  const starts = new Set([0]);
  for (const e of run.epochs.keys()) {
    const change = e ? changed(lane, e) : null;
    const start = e ? run.steps[e - 1] : 0;
    if (change) lane.changes.set(e - 1, change);
    if (change) starts.add(start);
    if (kept[e].length) lane.first = Math.min(lane.first, start);
    for (const place of arrivals(lane, e)) {
      lane.first = Math.min(lane.first, place + e);
      starts.add(place + e);
    }
  }
  return { ...lane, starts: [...starts] };
}

/** The hits in ranges of the pool, in their order. @param {number[]} places @param {number[]} ranges */
function inside(places, ranges) {
  const found = [];
  for (let r = 0; r < ranges.length; r += 2) {
    for (let k = lowerBound(places, ranges[r]); k < places.length && places[k] < ranges[r + 1]; k++) found.push(places[k]);
  }
  return found;
}

/** The messages with the text that arrive in an epoch. @param {Lane} lane @param {number} e */
export function arrivals({ run, hits: { base } }, e) {
  return base.slice(lowerBound(base, run.epochs[e].at), e + 1 < run.epochs.length ? lowerBound(base, run.epochs[e + 1].at) : base.length);
}

/** The hits in the window that compaction k acted on. @param {Lane} lane @param {number} k */
export const before = (lane, k) => [...lane.kept[k], ...arrivals(lane, k)];

/** What compaction e - 1 changed: null where the same messages have it as before, and as before. @param {Lane} lane @param {number} e @returns {Change | null} */
function changed(lane, e) {
  const [one, other] = [before(lane, e - 1), lane.kept[e]];
  const same = one.length === other.length && one.every((place, i) => own(lane.run, place) === own(lane.run, other[i]));
  return same && stateOf(lane.run, one) === stateOf(lane.run, other) ? null : { before: one, after: other };
}

/** Which message a hit is: one that was emptied in place is the session's. @param {Run} run @param {number} place */
export const own = (run, place) => run.pool.originOf(place);

/** @param {Run} run @param {number[]} held @returns {State} */
function stateOf(run, held) {
  if (!held.length) return "gone";
  return held.some((place) => !isSummary(run, place)) ? "verbatim" : "summary";
}

/** Whether a message stands for others that went. @param {Run} run @param {number} place */
function isSummary({ pool, store: { header } }, place) {
  if (place >= ADDED && place < SPACE) return ["summary", "ack"].includes(pool.added[place - ADDED].injected);
  const of = pool.originOf(place);
  return Boolean(header.marked?.summary?.includes(of) || header.marked?.ack?.includes(of));
}

/** The hits in the window at a step. @param {Lane} lane @param {number} step */
export function heldAt(lane, step) {
  const e = lane.run.epochOf(step);
  return [...lane.kept[e], ...arrivals(lane, e).filter((place) => place + e <= step)];
}

/** What the window has at the steps of an epoch: it grows message by message. `at` are the first ones. @typedef {{e: number, coming: number[], taken: number, at: number[], count: number, said: boolean}} Growing */

/** @param {Lane} lane @param {number} e @returns {Growing} */
function growing(lane, e) {
  const grown = { e, coming: arrivals(lane, e), taken: 0, at: /** @type {number[]} */ ([]), count: 0, said: false };
  for (const place of lane.kept[e]) add(lane.run, grown, place);
  return grown;
}

/** @param {Run} run @param {Growing} grown @param {number} place */
function add(run, grown, place) {
  if (grown.count < MOST_PLACES) grown.at.push(place);
  grown.said ||= !isSummary(run, place);
  grown.count += 1;
}

/** The stretches; those that follow one another in one state as one, where there are too many to draw. Each hit is looked at once. @param {Lane} lane @returns {Row[]} */
export function stretchesOf(lane) {
  const { run, starts, first } = lane;
  const merge = starts.length > MOST_STRETCHES;
  /** @type {Row[]} */ const rows = [];
  let grown = growing(lane, 0);
  for (const [k, from] of starts.entries()) {
    const e = run.epochOf(from);
    if (e !== grown.e) grown = growing(lane, e);
    const { coming } = grown;
    while (grown.taken < coming.length && coming[grown.taken] + e <= from) add(run, grown, coming[grown.taken++]);
    const state = /** @type {State} */ (grown.count ? (grown.said ? "verbatim" : "summary") : from < first ? "before" : "gone");
    const last = rows[rows.length - 1];
    const to = (starts[k + 1] ?? run.length) - 1;
    if (merge && last?.state === state) last.to = to;
    else rows.push({ from, to, state, at: grown.at.slice(), count: grown.count });
  }
  return rows.slice(0, MOST_STRETCHES);
}

/** The whole run as one stretch, of a text that is too common to follow. @param {Run} run @param {Hits} hits @returns {Omit<Row, "count">} */
export function onlyStretch(run, { base, places }) {
  const e = run.epochOf(0);
  const held = [...inside(places, run.epochs[e].ranges), ...base.filter((place) => place >= run.epochs[e].at && place + e <= 0)];
  return { from: 0, to: run.length - 1, state: held.length ? stateOf(run, held) : "before", at: [] };
}

/** How many messages with the text had arrived by a step. @param {Lane} lane @param {number} step */
export const arrivedBy = ({ run, hits: { base } }, step) => upperBound(base, step - run.epochOf(step));
