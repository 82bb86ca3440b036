// The sawtooth as numbers: which steps to draw so that a hundred thousand look like themselves in a thousand pixels. Pure.
import { lowerBound } from "./bisect.js";
import { Window } from "./model.js";
/** @import { Run } from "./model.js" */
/** @import { Region } from "./types.js" */

/** From the bottom up. */
export const STACK = /** @type {const} */ (["system", "summary", "cleared", "compactable", "message", "recent"]);
const ROOM = 1.1;
const LIMIT_UP_TO = 3;
const LIVE_UP_TO = 60;
/** Steps beyond which a live run's axis has no room to spare. */
const ROOMY = 600;
const RECORDED_UP_TO = 3;

/**
 * The lowest and the highest step of one column of pixels, as places in `steps`.
 * @typedef {{low: number, high: number}} Column
 */

/**
 * @typedef {object} Curve
 * @property {Int32Array} steps     where to draw, in order; a compaction's step twice, for the window before it and after
 * @property {Float64Array[]} tops  for each of STACK, the sum of it and what lies below, at each of `steps`
 * @property {number} peak          the highest total
 * @property {Column[]} columns     instead of a line through `steps`, where compactions crowd; else empty
 */

/**
 * What an axis counts: how many places it has, and the first and the last step of each.
 * @typedef {{count: number, first: (place: number) => number, last: (place: number) => number}} Axis
 */

/** An axis of steps. @param {Run} run @returns {Axis} */
const bySteps = (run) => ({ count: run.length, first: (step) => step, last: (step) => step });

/** An axis of messages: a compaction stands where the message before it does. @param {Run} run @returns {Axis} */
export const byMessages = (run) => ({
  count: run.n,
  first: (m) => (m ? run.stepOfMessage(m) : 0),
  last: (m) => (m < run.n - 1 ? run.stepOfMessage(m + 1) : run.length) - 1,
});

/**
 * The curve of a run for so many pixels: every step where they fit, else for each column its first, lowest, highest and last.
 * @param {Run} run
 * @param {number} width
 * @param {Axis} [axis]
 * @returns {Curve}
 */
export function curveOf(run, width, axis = bySteps(run)) {
  const columns = Math.max(1, Math.floor(width));
  const { steps, shown, ends } = run.length <= 2 * columns ? everyStep(run) : envelope(run, columns, axis);
  const tops = STACK.map(() => new Float64Array(steps.length));
  let peak = 0;
  shown.forEach((step, k) => (peak = Math.max(peak, stack(new Window(run, step).regions(), tops, k))));
  const crowded = ends.length && run.compactions > columns / 6;
  return { steps, tops, peak, columns: crowded ? columnsOf(ends, tops[STACK.length - 1]) : [] };
}

/**
 * @param {number[]} ends  how many of the steps belong to each column and those before it
 * @param {Float64Array} totals
 * @returns {Column[]}
 */
function columnsOf(ends, totals) {
  return ends.map((end, c) => {
    const here = { low: ends[c - 1] ?? 0, high: ends[c - 1] ?? 0 };
    for (let k = here.low; k < end; k++) {
      if (totals[k] > totals[here.high]) here.high = k;
      if (totals[k] < totals[here.low]) here.low = k;
    }
    return here;
  });
}

/**
 * Every step, where to draw it and whose window: the window before a compaction stands until the compaction's own step, so that
 * the drop there is upright and the peak is seen.
 * @param {Run} run
 */
function everyStep(run) {
  /** @type {number[]} */ const steps = [];
  /** @type {number[]} */ const shown = [];
  for (let step = 0, k = 0; step < run.length; step++) {
    const drops = run.steps[k] === step;
    if (drops) k++;
    if (drops && step) steps.push(step), shown.push(step - 1);
    steps.push(step), shown.push(step);
  }
  return { steps: Int32Array.from(steps), shown: Int32Array.from(shown), ends: [] };
}

/** @param {Record<Region, number>} regions @param {Float64Array[]} tops @param {number} k */
function stack(regions, tops, k) {
  let sum = 0;
  STACK.forEach((name, r) => (tops[r][k] = sum += regions[name]));
  return sum;
}

/**
 * Between compactions the window only grows, so the extremes of a column are at its borders or at a compaction.
 * @param {Run} run
 * @param {number} columns
 * @param {Axis} axis
 */
function envelope(run, columns, { count, first, last }) {
  /** @type {number[]} */ const chosen = [];
  /** @type {number[]} */ const ends = [];
  for (let c = 0; c < columns; c++) {
    const from = Math.floor((c * count) / columns);
    const to = Math.max(from, Math.floor(((c + 1) * count) / columns) - 1);
    chosen.push(...extremes(run, candidates(run, first(from), last(to))));
    ends.push(chosen.length);
  }
  const steps = Int32Array.from(chosen);
  return { steps, shown: steps, ends };
}

/** @param {Run} run @param {number} from @param {number} to */
function candidates(run, from, to) {
  const steps = [from];
  for (let k = lowerBound(run.steps, from); k < run.steps.length && run.steps[k] <= to; k++) {
    if (run.steps[k] > from) steps.push(run.steps[k] - 1);
    steps.push(run.steps[k]);
  }
  steps.push(to);
  return steps;
}

/** The first, lowest, highest and last of these steps, in order, each once. @param {Run} run @param {number[]} steps */
function extremes(run, steps) {
  if (steps.length <= 2) return steps[0] === steps[1] ? [steps[0]] : steps;
  const sizes = steps.map((step) => new Window(run, step).tokens);
  const low = sizes.indexOf(Math.min(...sizes));
  const high = sizes.indexOf(Math.max(...sizes));
  return [...new Set([0, low, high, steps.length - 1])]
    .sort((a, b) => a - b)
    .map((k) => steps[k])
    .filter(differs);
}

/** @param {number} step @param {number} k @param {number[]} all */
function differs(step, k, all) {
  return !k || all[k - 1] !== step;
}

/**
 * What the vertical axis holds: the limit, unless it is more than three times the peak, and so the recorded run. A taller one has
 * a scale of its own, up to `recordedTop`; else that is `top`. `together` has one scale for both, however tall.
 * @typedef {ReturnType<typeof scaleOf>} Scale
 * @param {{peak: number, limit: number | null, recorded: number, upTo?: number, together?: boolean}} known  `upTo`: how many times the peak the limit may be
 */
export function scaleOf({ peak, limit, recorded, upTo = LIMIT_UP_TO, together = false }) {
  const base = Math.max(1, peak);
  const limitShown = limit !== null && limit <= upTo * base;
  const high = Math.max(base, limitShown ? Number(limit) : 0);
  const shared = together || recorded <= Math.max(high, RECORDED_UP_TO * base);
  const top = ROOM * Math.max(high, shared ? recorded : 0);
  return { top, limitShown, shared, recordedTop: shared ? top : ROOM * recorded };
}

/**
 * The limits of a run and where each was in force: one, unless a live run's was changed on the way.
 * @param {Run} run
 * @typedef {{from: number, to: number, limit: number, ceiling: number}} LimitPiece  steps; `to` is where the next one begins
 * @returns {LimitPiece[]}
 */
export function limitsOf(run) {
  const { policy, eras } = run.view;
  if (!policy) return [];
  /** @type {[number, number | null, number | null, ...unknown[]][]} */ const all = eras?.length ? eras : [[0, policy.limit, policy.ceiling]];
  const pieces = all.map(([from, limit, ceiling], k) => ({
    from: k ? from : 0,
    to: all[k + 1]?.[0] ?? Math.max(0, run.length - 1),
    limit,
    ceiling: ceiling ?? limit,
  }));
  return pieces.filter(/** @returns {piece is LimitPiece} */ (piece) => piece.limit !== null && piece.to >= piece.from);
}

/** How many times the peak the limit may be to be shown: a live run grows towards it, and shows it in any case before its first message. @param {Run} run */
export function upTo(run) {
  if (!run.view.live) return LIMIT_UP_TO;
  return run.store.turnStarts.length ? LIVE_UP_TO : Infinity;
}

/**
 * For how many steps the horizontal axis has room: a live run has some to come, so that not every message moves all the others.
 * @param {Run} run
 */
export function roomOf(run) {
  if (!run.view.live || run.length > ROOMY) return run.length;
  let room = 30;
  while (room < run.length + 1) room = Math.round(1.5 * room);
  return room;
}

/** How many times the peak a limit of before may be, and still be shown. */
const PAST = 3;

/**
 * The limit the vertical axis makes room for: the highest that lies near the curve, else the one in force now. One of before
 * must lie nearer than that: it would flatten the curve for the rest of the run.
 * @param {Run} run
 * @param {number} peak
 */
export function limitToShow(run, peak) {
  const all = limitsOf(run).map(({ limit }) => limit);
  const most = (/** @type {number} */ k) => (k < all.length - 1 ? PAST : upTo(run)) * Math.max(1, peak);
  const near = all.filter((limit, k) => limit <= most(k));
  return near.length ? Math.max(...near) : (run.view.policy?.limit ?? null);
}

/** Pixels that a number of an axis needs at least: a followed text that takes room below leaves the axis its numbers. */
const TICK = 18;
/** More intervals are no easier to read. */
const MOST = 9;

/** How many intervals an axis so high has room for. @param {number} height */
export const intervalsIn = (height) => Math.min(MOST, Math.floor(height / TICK));

/** Round values for an axis, 0 first. @param {number} top @param {number} most  how many intervals there is room for */
export function ticksOf(top, most) {
  const rough = Math.max(1, top / Math.max(1, most));
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= rough) ?? rough;
  const high = step > top ? ([5, 2, 1, 0.5].map((m) => m * power).find((s) => s <= top) ?? top) : step; // one beside 0 at least
  return Array.from({ length: Math.floor(top / high) + 1 }, (_, k) => k * high).slice(0, high === step ? undefined : 2);
}

/** Marks nearer than this are one, in pixels. */
const NEAR = 3;

/**
 * Marks that would lie upon each other, as one: of places in order, the first and the last of each group. A group is no wider
 * than that either, so that a crowd stays a row of marks.
 * @param {ArrayLike<number>} xs  pixels, in order
 * @returns {{first: number, last: number}[]}
 */
export function merged(xs) {
  /** @type {{first: number, last: number}[]} */ const groups = [];
  for (let k = 0; k < xs.length; k++) {
    const group = groups[groups.length - 1];
    if (group && xs[k] - xs[group.first] < NEAR) group.last = k;
    else groups.push({ first: k, last: k });
  }
  return groups;
}

/**
 * Whether the last mark, which has no room for its label behind it, has that in front of it.
 * @param {number[]} xs @param {number[]} widths @param {boolean[]} labels  which have theirs behind them
 */
export function lastInFront(xs, widths, labels) {
  const [last, before] = [xs.length - 1, xs.length - 2];
  if (last < 0 || labels[last] || (before >= 0 && !labels[before])) return false;
  return xs[last] - 8 - widths[last] >= (before < 0 ? 0 : xs[before] + 8 + widths[before] + 8);
}

/** Pixels from the middle of a mark to its label, and from the label to the next mark. */
export const BESIDE = 7;
const CLEAR = 5.5;

/** Which labels end before the next mark. @param {number[]} xs @param {number[]} widths @param {number} right */
const clearOf = (xs, widths, right) => xs.map((x, k) => x + BESIDE + widths[k] <= (k + 1 < xs.length ? xs[k + 1] - CLEAR : right));

/**
 * How to mark compactions at these places: a diamond each while they have room, else a thin line each; labels where they fit.
 * @param {number[]} xs     pixels, in order
 * @param {number[]} widths  of the labels
 * @param {number} right    where the last label must end
 * @returns {{diamonds: boolean, labels: boolean[]}}
 */
export function marksOf(xs, widths, right) {
  const gap = xs.length > 1 ? (xs[xs.length - 1] - xs[0]) / (xs.length - 1) : Infinity;
  const clear = clearOf(xs, widths, right);
  const enough = gap >= 11 && clear.filter(Boolean).length * 3 >= xs.length;
  return { diamonds: gap >= 7, labels: enough ? clear : clear.map(() => false) };
}

/**
 * Labels that fit: where "micro 3" has no room, "3" alone, where its kind stands in full beside another mark.
 * @param {number[]} xs @param {string[]} names @param {(name: string) => number} width @param {number} right
 * @returns {{diamonds: boolean, names: string[]}}  "" for none
 */
export function labelsOf(xs, names, width, right) {
  const whole = clearOf(xs, names.map(width), right);
  const kinds = new Set(names.flatMap((name, k) => (whole[k] && name.includes(" ") ? [name.split(" ")[0]] : [])));
  const short = (/** @type {string} */ name) => (kinds.has(name.split(" ")[0]) ? name.split(" ").slice(1).join(" ") : name);
  const shown = names.map((name, k) => (whole[k] ? name : short(name)));
  const { diamonds, labels } = marksOf(xs, shown.map(width), right);
  return { diamonds, names: shown.map((name, k) => (labels[k] ? name : "")) };
}
