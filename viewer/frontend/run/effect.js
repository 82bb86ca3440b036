// What a compaction did: which messages it took, which it emptied where they stand, what it put in. Pure: no nodes.

import { ADDED } from "./pool.js";
import { common, cut, joined, pairs, size, without } from "./ranges.js";
/** @import { Run, Window } from "./model.js" */

/** @typedef {import("./ranges.js").Range} Range */

/**
 * Ranges over the pool in window order; a message that was emptied is named by its place in the session, as if it were
 * as it came.
 * @typedef {object} Effect
 * @property {Range[]} before   the window it found
 * @property {Range[]} after    the window it left
 * @property {Range[]} taken    what left the window
 * @property {Range[]} emptied  what was emptied or shortened and stays
 * @property {Range[]} short    those of them that were only shortened
 * @property {Range[]} kept     what stays as it was
 * @property {Range[]} added    what was put in
 * @property {Range[]} returned what is back: only where the window is worked out anew each time
 */

/** @type {WeakMap<object, {k: number, did: Effect}>} */
const latest = new WeakMap();

/** @param {Run} run @param {number} k @returns {Effect} */
export function effect(run, k) {
  const known = latest.get(run);
  if (known?.k === k) return known.did;
  const did = workedOut(run, k);
  latest.set(run, { k, did });
  return did;
}

/** Whether a record names no message that compaction k did something to. @param {Run} run @param {number} k */
export function namesNothing(run, k) {
  const { taken, emptied, added } = effect(run, k);
  return !taken.length && !emptied.length && !added.length;
}

/** @type {WeakMap<object, {step: number, did: Effect}>} */
const latestTried = new WeakMap();

/** What an attempt that failed at the window of a step was about to take. @param {Run} run @param {number} step @returns {Effect} */
export function attempted(run, step) {
  const known = latestTried.get(run);
  if (known?.step === step) return known.did;
  const window = run.window(step);
  const before = origins(run, window.between(0, window.size));
  const taken = origins(run, joined(goingAt(window)));
  const did = { before, after: before, taken, emptied: [], short: [], kept: without(before, taken), added: [], returned: [] };
  latestTried.set(run, { step, did });
  return did;
}

/** What is compactable in a window, and the earlier summary that goes with it, one by one. @param {Window} window @returns {Range[]} */
function goingAt(window) {
  /** @type {Range[]} */ const found = [];
  for (let k = window.head; k < Math.min(window.tail, window.size); k++) {
    const pool = window.poolAt(k);
    if (["compactable", "summary"].includes(window.regionAt(k))) found.push([pool, pool + 1]);
  }
  return found;
}

/** @param {Run} run @param {number} k @returns {Effect} */
function workedOut(run, k) {
  const at = run.view.c.at[k];
  const earlier = k > 0 ? pairs(run.view.c.layout[k - 1]) : [];
  const from = k > 0 ? run.view.c.at[k - 1] : 0;
  const was = from < at ? [...earlier, /** @type {Range} */ ([from, at])] : earlier;
  const is = pairs(run.view.c.layout[k]);
  const [before, after] = [origins(run, was), origins(run, is)];
  const fresh = without(is, was);
  const emptied = emptiedIn(run, k, fresh);
  const put = without(after, before);
  return {
    before,
    after,
    taken: without(before, after),
    emptied,
    short: common(
      emptied,
      origins(
        run,
        fresh.filter(([a]) => run.pool.isShort(a)),
      ),
    ),
    kept: without(common(before, after), emptied),
    added: put.filter(([a]) => a >= run.n),
    returned: put.filter(([a]) => a < run.n),
  };
}

/** The same messages by their places in the session. @param {Run} run @param {Range[]} ranges @returns {Range[]} */
export function origins(run, ranges) {
  const one = (/** @type {number} */ p) => /** @type {Range} */ ([run.pool.originOf(p), run.pool.originOf(p) + 1]);
  const each = (/** @type {Range} */ [a, b]) => {
    if (a < run.n) return [/** @type {Range} */ ([a, b])];
    const [first, last] = [one(a), one(b - 1)];
    if (last[1] - first[0] === b - a) return [/** @type {Range} */ ([first[0], last[1]])];
    return Array.from({ length: b - a }, (_, i) => one(a + i));
  };
  return joined(ranges.flatMap(each));
}

/**
 * Of these stretches of the new window the messages that were as they came in the one before.
 * @param {Run} run
 * @param {number} k
 * @param {Range[]} fresh
 * @returns {Range[]}
 */
function emptiedIn(run, k, fresh) {
  const light = fresh.flatMap(([a, b]) => run.pool.lightIn(a, b));
  if (!light.length || run.steps[k] < 1) return [];
  const window = run.window(run.steps[k] - 1);
  const whole = (/** @type {number} */ p) => {
    const index = window.indexOf(p);
    return index >= 0 && !run.pool.isLight(window.poolAt(index));
  };
  return joined(light.filter(whole).map((p) => /** @type {Range} */ ([p, p + 1])));
}

/** Whether no summary came of compaction k, and the policy made room in another way. @param {Run} run @param {number} k */
export function fellBack(run, k) {
  const { setback, added } = run.compaction(k);
  return setback !== "" && !added.some((row) => row.injected === "summary");
}

/**
 * Where what was put in stands: each message with the last one of the session that stays in front of it, -1 where none does.
 * What an earlier compaction put in may lie in the same range.
 * @param {Effect} did
 * @returns {{from: number, pool: number}[]}
 */
export function places({ after, added }) {
  /** @type {{from: number, pool: number}[]} */ const found = [];
  let from = -1;
  for (const {
    range: [a, b],
    inside,
  } of cut(after, added)) {
    if (inside) for (let pool = a; pool < b; pool++) found.push({ from, pool });
    else if (a < ADDED) from = Math.max(from, b - 1);
  }
  return found;
}

/** What a compaction can do, in order. @typedef {"clear" | "drop" | "digest" | "opaque" | "summarise"} Deed */

/**
 * What a compaction did, in order: one thing, or several where a policy acts in tiers.
 * @param {Run} run
 * @param {number} k
 * @returns {Deed[]}
 */
export function deeds(run, k) {
  const { micro, added } = run.compaction(k);
  const did = effect(run, k);
  const put = new Set(added.map((row) => row.injected));
  /** @type {Deed[]} */ const found = [];
  if (did.emptied.length || micro) found.push("clear");
  if (put.has("digest")) found.push("digest");
  if (put.has("summary")) found.push(run.view.policy?.kind === "opaque" ? "opaque" : "summarise");
  else if (size(did.taken) && !put.has("digest")) found.push("drop");
  return found.length ? found : ["summarise"];
}
