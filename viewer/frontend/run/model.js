// One run under one cursor: a session and a trace, asked step by step. Pure, no DOM.
// A window is a few ranges over the pool, so every question costs a few sums, however long the session.
import { ADDED, Pool, SPACE, originOf } from "./pool.js";
import { hindsight } from "./hindsight.js";
import { planOf } from "./planning.js";
import { lowerBound, upperBound } from "./bisect.js";
/** @import { Added, Policy, View } from "./types.js" */
/** @import { Row } from "./layout.js" */

export const REGIONS = ["system", "summary", "compactable", "recent", "message", "cleared"];
const CLASS_REGION = ["", "summary", "cleared"];

/**
 * The window between two compactions: what the first of them left, and every message since.
 * @typedef {{at: number, ranges: number[], starts: number[], size: number, head: number, body: number}} Epoch
 */

/** A session under a trace. */
export class Run {
  /** @param {import("./decode.js").Store} store @param {View} view  from decodeView */
  constructor(store, view) {
    this.store = store;
    this.view = view;
    this.n = store.n;
    /** @type {number} */
    this.length = view.length;
    this.compactions = view.c.at.length;
    this.pool = new Pool(store, view);
    this.steps = Int32Array.from(view.c.at, (at, k) => at + k);
    /** @type {Epoch[]} */
    this.epochs = [[], ...view.c.layout].map((ranges, e) => this._epoch(ranges, e));
    this.firstAdded = firstOfEach(view.c.added);
    /** @type {Map<number, Window>} */
    this._windows = new Map();
  }

  /**
   * @param {number[]} ranges  a, b, a, b, …
   * @param {number} e
   * @returns {Epoch}
   */
  _epoch(ranges, e) {
    const starts = [0];
    for (let k = 0; k < ranges.length; k += 2) starts.push(starts[k / 2] + ranges[k + 1] - ranges[k]);
    const at = e ? this.view.c.at[e - 1] : 0;
    const { heads, bodies } = this.view;
    return { at, ranges, starts, size: starts[starts.length - 1], head: heads[e] ?? 0, body: bodies[e] ?? 0 };
  }

  /** @param {number} i  the epoch of a step: how many compactions have happened by then */
  epochOf(i) {
    return upperBound(this.steps, i);
  }

  /** The compaction that happened at a step, or -1. @param {number} i */
  compactionAt(i) {
    const k = this.epochOf(i) - 1;
    return this.steps[k] === i ? k : -1;
  }

  /** @param {number} i  the nearest step there is */
  clamp(i) {
    return Math.max(0, Math.min(this.length - 1, Math.round(i) || 0));
  }

  /** @param {number} i */
  step(i) {
    const epoch = this.epochOf(i);
    const window = this.window(i);
    const compaction = this.compactionAt(i);
    const kind = /** @type {"message"|"compaction"} */ (compaction < 0 ? "message" : "compaction");
    const { arrived: messages, tokens, counted } = window;
    const turn = lowerBound(this.store.turnStarts, messages);
    const sealed = this.pool.sealed.size > 0 && window.isSealed;
    return { i, kind, messages, tokens, counted, compaction, epoch, turn, regions: window.regions(), ...(sealed && { sealed }) };
  }

  /** @param {number} i */
  window(i) {
    const known = this._windows.get(i);
    if (known) return known;
    if (this._windows.size > 8) this._windows.clear();
    const made = new Window(this, i);
    this._windows.set(i, made);
    return made;
  }

  /**
   * The messages that had arrived by step i and are not in its window, as ranges [a, b].
   * @param {number} i
   * @returns {[number, number][]}
   */
  ghosts(i) {
    const window = this.window(i);
    /** @type {[number, number][]} */
    const gone = [];
    let next = 0;
    for (const [a, b] of window.shown()) {
      if (a > next) gone.push([next, a]);
      next = Math.max(next, b);
    }
    if (next < window.arrived) gone.push([next, window.arrived]);
    return gone;
  }

  /** @param {number} i @param {number} pool @returns {number}  the window index, -1 where it is not in the window */
  indexInWindow(i, pool) {
    return this.window(i).indexOf(pool);
  }

  /** @param {number} k */
  compaction(k) {
    const { c, statuses } = this.view;
    const added = c.added[k].map((_, m) => this.pool.row(ADDED + this.firstAdded[k] + m));
    return {
      k,
      step: this.steps[k],
      at: c.at[k],
      before: c.before[k],
      after: c.after[k],
      folded: c.folded[k],
      number: c.number[k],
      summaryTokens: c.summaryTokens[k],
      removedTokens: c.removedTokens[k],
      status: statuses[c.status[k]],
      recordedBefore: c.recordedBefore[k],
      recordedAfter: c.recordedAfter[k],
      micro: Boolean(c.micro[k]),
      edit: Boolean(c.edit?.[k]),
      added,
      tiers: c.tiers?.[k] ?? [],
      emptied: c.emptied?.[k] ?? 0,
      setback: c.setback?.[k] ?? "",
      unreadable: c.unreadable?.[k] ?? "",
    };
  }

  /** @param {number} f  the step at which the f-th failed pass was: that of the message that had just arrived */
  stepOfFailed(f) {
    return Math.max(0, this.stepOfMessage(this.view.failed.at[f] - 1));
  }

  /** @param {number} i  the first failed pass after step i, or -1 */
  nextFailed(i) {
    return this._failedSteps().findIndex((step) => step > i);
  }

  /** @param {number} i */
  previousFailed(i) {
    return this._failedSteps().findLastIndex((step) => step < i);
  }

  _failedSteps() {
    return Array.from(this.view.failed.at, (_, f) => this.stepOfFailed(f));
  }

  /** @param {number} i  the failed pass at step i, or -1 */
  failedAt(i) {
    const { at } = this.view.failed;
    const arrived = this._arrived(i);
    const f = lowerBound(at, arrived);
    return f < at.length && at[f] === arrived && this.stepOfFailed(f) === i ? f : -1;
  }

  /** @param {number} m  the step at which message m arrived */
  stepOfMessage(m) {
    return m + upperBound(this.view.c.at, m);
  }

  /** @param {number} i  the first compaction after step i, as a step, or -1 */
  nextCompaction(i) {
    return this.steps[this.epochOf(i)] ?? -1;
  }

  /** @param {number} i */
  previousCompaction(i) {
    return this.steps[lowerBound(this.steps, i) - 1] ?? -1;
  }

  /** @param {number} i  the step at which the next turn begins; the last step where none does */
  nextTurn(i) {
    const turns = this.store.turnStarts;
    const next = turns[lowerBound(turns, this._arrived(i))];
    return next === undefined ? this.length - 1 : this.stepOfMessage(next);
  }

  /** @param {number} i  the step at which this turn began, or the one before it; the first step where none did */
  previousTurn(i) {
    const turns = this.store.turnStarts;
    for (let t = lowerBound(turns, this._arrived(i)) - 1; t >= 0; t--) {
      const step = this.stepOfMessage(turns[t]);
      if (step < i) return step;
    }
    return 0;
  }

  /**
   * The limit in force at step i, as the policy has it: of a live run it may have been changed on the way.
   * @param {number} i
   * @returns {Policy | null}  the policy of the view, with the limit of that step; null where there is none
   */
  policyAt(i) {
    const { policy, eras } = this.view;
    if (!policy || !eras?.length) return policy;
    const starts = eras.map(([from]) => from);
    const [, limit, ceiling, limitName] = eras[Math.max(0, upperBound(starts, i) - 1)];
    return limit === policy.limit && ceiling === policy.ceiling ? policy : { ...policy, limit, ceiling, limitName };
  }

  /** @param {number} i  what the policy would do next */
  plan(i) {
    return planOf(this, i);
  }

  /** @param {number} i */
  _arrived(i) {
    return i + 1 - this.epochOf(i);
  }
}

/** What the model would be sent at one step. */
export class Window {
  /** @param {Run} run @param {number} i */
  constructor(run, i) {
    this.run = run;
    this.step = i;
    const e = run.epochOf(i);
    this.epoch = run.epochs[e];
    this.arrived = i + 1 - e;
    this.size = this.epoch.size + this.arrived - this.epoch.at;
    this.head = Math.min(this.epoch.head, this.size);
    this.body = Math.min(this.epoch.body, this.size);
    this.tail = run.view.tails[i];
    this.spared = run.view.spared.length ? run.view.spared[i] : Infinity;
    this.tokens = this.upTo(run.pool.sums, this.size);
    const counts = run.view.policy?.counts;
    const free = counts === "active" || counts === "spoken" || counts === "wordless" ? this.upTo(run.pool.free, this.size) : 0;
    this.counted = counts === "history" ? run.store.running[this.arrived] : this.tokens - free;
  }

  /** The sum over the first k messages of the window. @param {import("./pool.js").Sums} sums @param {number} k */
  upTo(sums, k) {
    const { ranges, starts, size, at } = this.epoch;
    const { pool } = this.run;
    let total = 0;
    for (let r = 0; r < ranges.length && starts[r / 2] < k; r += 2) {
      const taken = Math.min(ranges[r + 1], ranges[r] + k - starts[r / 2]);
      total += pool.span(sums, ranges[r], taken);
    }
    return k > size ? total + pool.span(sums, at, at + k - size) : total;
  }

  /**
   * The sum of plain messages, those that only the cuts tell apart, between two window indexes.
   * @param {number} from
   * @param {number} to
   */
  plain(from, to) {
    const { sums, summary, cleared } = this.run.pool;
    const upTo = (/** @type {number} */ k) => this.upTo(sums, k) - this.upTo(summary, k) - this.upTo(cleared, k);
    return to > from ? upTo(to) - upTo(from) : 0;
  }

  /** What the next recorded compaction took, of a run without a policy; null where nobody knows. */
  get hindsight() {
    return this.run.view.policy ? null : hindsight(this.run, this.run.epochOf(this.step));
  }

  /** Whether a summary that nobody can read stands in it: its size is unknown, and in no sum. */
  get isSealed() {
    const { ranges } = this.epoch;
    const held = (/** @type {number} */ p) => ranges.some((a, r) => r % 2 === 0 && p >= a && p < ranges[r + 1]);
    return [...this.run.pool.sealed].some(held);
  }

  /** Tokens of each region; they add up to `tokens`. */
  regions() {
    return this.run.view.policy ? this.#byPolicy() : this.#asRecorded();
  }

  #asRecorded() {
    const { head, size, run, hindsight } = this;
    const rest = this.plain(head, size);
    const taken = hindsight?.plain(this) ?? 0;
    return {
      system: this.plain(0, head),
      summary: this.upTo(run.pool.summary, size),
      compactable: taken,
      recent: hindsight ? rest - taken : 0,
      message: hindsight ? 0 : rest,
      cleared: this.upTo(run.pool.cleared, size),
    };
  }

  #byPolicy() {
    const { head, size, run } = this;
    const tail = Math.max(head, this.tail);
    const pinned = run.pool.pinned ? this.upTo(run.pool.pinned, tail) - this.upTo(run.pool.pinned, head) : 0;
    const { typed } = run.pool;
    const spared = typed ? this.sparedTokens(typed, head, tail) : 0;
    return {
      system: this.plain(0, head) + pinned,
      summary: this.upTo(run.pool.summary, size),
      compactable: this.plain(head, tail) - pinned - spared,
      recent: this.plain(tail, size) + spared,
      message: 0,
      cleared: this.upTo(run.pool.cleared, size),
    };
  }

  /**
   * Tokens of the typed messages between two window indexes that stay all the same.
   * @param {import("./pool.js").Sums} typed
   * @param {number} from
   * @param {number} to
   */
  sparedTokens(typed, from, to) {
    let total = 0;
    for (const [a, b] of this.between(from, to)) {
      const start = originOf(a) < this.spared ? Math.min(b, a + this.spared - originOf(a)) : a;
      if ((a < this.run.n || a >= SPACE) && start < b) total += this.run.pool.span(typed, start, b);
    }
    return total;
  }

  /** The ranges of the pool between two window indexes. @param {number} from @param {number} to @returns {[number, number][]} */
  between(from, to) {
    const { ranges, starts, size, at } = this.epoch;
    /** @type {[number, number][]} */
    const parts = [];
    const add = (/** @type {number} */ first, /** @type {number} */ a, /** @type {number} */ b) => {
      const [x, y] = [Math.max(a, a + from - first), Math.min(b, a + to - first)];
      if (x < y) parts.push([x, y]);
    };
    for (let r = 0; r < ranges.length; r += 2) add(starts[r / 2], ranges[r], ranges[r + 1]);
    add(size, at, this.arrived);
    return parts;
  }

  /** @param {number} k  the pool index of the k-th message */
  poolAt(k) {
    const { ranges, starts, size, at } = this.epoch;
    if (k >= size) return at + k - size;
    const r = upperBound(starts, k) - 1;
    return ranges[2 * r] + k - starts[r];
  }

  /** @param {number} k  the region of the k-th message */
  regionAt(k) {
    const { pool } = this.run;
    const p = this.poolAt(k);
    const kind = pool.classOf(p);
    if (kind) return CLASS_REGION[kind];
    if (k < this.head) return "system";
    if (!this.run.view.policy) return this.hindsight ? (this.hindsight.took(k) ? "compactable" : "recent") : "message";
    if (k >= this.tail) return "recent";
    if (pool.isHeld(p) || (pool.keepsSystems && pool.isPinned(p))) return "system";
    if (originOf(p) >= this.spared && pool.isTyped(p)) return "recent";
    return pool.isPinned(p) ? "system" : "compactable";
  }

  /** @param {number} k @returns {Row} */
  row(k) {
    const [row, region] = [this.run.pool.row(this.poolAt(k)), this.regionAt(k)];
    const stays = row.held || this.#leads(k) ? "pinned" : this.stays(region);
    return { ...row, region, stays, ...(this.hindsight && { hindsight: this.hindsight.by }) };
  }

  /** How sure it is that what the cut keeps stays: all but the leading system messages. @param {string} region */
  stays(region) {
    const { mayTakeMore = false, tailAsText = false } = this.run.view.policy ?? {};
    if (region === "recent" && tailAsText) return "next converted to text";
    return mayTakeMore ? "may stay" : "pinned";
  }

  /** Whether the k-th message is one of the system messages that the window begins with. @param {number} k */
  #leads(k) {
    const { store, pool } = this.run;
    let i = k;
    while (i >= 0 && store.role[originOf(this.poolAt(i))] === 0 && !pool.classOf(this.poolAt(i))) i -= 1;
    return i < 0;
  }

  /** @param {number} pool @returns {number} */
  indexOf(pool) {
    const { ranges, starts, size, at } = this.epoch;
    const base = pool < this.run.n; // one of the session's own: emptied, it is still there
    for (let r = 0; r < ranges.length; r += 2) {
      const a = base ? originOf(ranges[r]) : ranges[r];
      const b = a + ranges[r + 1] - ranges[r];
      if (pool >= a && pool < b) return starts[r / 2] + pool - a;
    }
    if (pool >= at && pool < this.arrived) return size + pool - at;
    const copies = base ? (this.run.pool.copies.get(pool) ?? []) : [];
    return copies.map((copy) => this.indexOf(copy)).find((index) => index >= 0) ?? -1;
  }

  /**
   * How many messages between two window indexes would go, or be emptied: not what is pinned or spared there, nor what is
   * emptied already.
   * @param {number} from
   * @param {number} to
   */
  going(from, to) {
    const { pool, n } = this.run;
    const { emptied } = this.run.view.pins;
    const within = (/** @type {Int32Array} */ all, /** @type {number} */ a, /** @type {number} */ b) => lowerBound(all, b) - lowerBound(all, a);
    let count = 0;
    for (const [a, b] of this.between(from, to)) {
      const own = a < n || a >= SPACE;
      if (emptied) count += a < n ? within(emptied, a, b) : 0;
      else count += b - a;
      if (own) count -= this.heldIn(a, b);
      if (!own || pool.emptied) continue;
      const [start, stop] = [originOf(a), originOf(b - 1) + 1];
      if (pool.keepsSystems) count -= within(pool.systems, start, stop);
      if (this.spared < stop) count -= within(this.run.store.turnStarts, Math.max(start, this.spared), stop);
    }
    return count;
  }

  /**
   * How many messages of a range of the session, or of a shadow, stay only because a person pinned them.
   * @param {number} a
   * @param {number} b
   */
  heldIn(a, b) {
    const { pool, store } = this.run;
    const [start, stop] = [originOf(a), originOf(b - 1) + 1];
    const stays = (/** @type {number} */ p) =>
      pool.emptied ? a >= SPACE || !pool.emptied.has(p) : (pool.keepsSystems && store.role[p] === 0) || (p >= this.spared && pool.isTyped(p));
    let count = 0;
    for (const p of pool.held) if (p >= start && p < stop && !stays(p)) count += 1;
    return count;
  }

  /** How many messages between two window indexes are pinned: by a person, or as system messages where the policy keeps all. @param {number} from @param {number} to */
  pinnedIn(from, to) {
    const { pool } = this.run;
    if (!pool.held.size && !pool.keepsSystems) return 0;
    let count = 0;
    for (const [a, b] of this.between(from, to)) {
      if (a >= this.run.n && a < SPACE) continue; // what compactions wrote
      const [start, stop] = [originOf(a), originOf(b - 1) + 1];
      count += this.heldIn(a, b) + (pool.keepsSystems ? lowerBound(pool.systems, stop) - lowerBound(pool.systems, start) : 0);
    }
    return count;
  }

  /** How many tool results stand between two window indexes as they came. @param {number} from @param {number} to */
  results(from, to) {
    const { pool, n } = this.run;
    const inside = this.between(from, to).filter(([a]) => a < n);
    const kept = [...pool.held].filter((p) => this.run.store.role[p] === 3 && inside.some(([a, b]) => p >= a && p < b)).length;
    return inside.reduce((sum, [a, b]) => sum + lowerBound(pool.results, b) - lowerBound(pool.results, a), -kept);
  }

  /** The transcript's messages that are in the window, emptied ones too, as ranges in order. @returns {[number, number][]} */
  shown() {
    const { run, epoch } = this;
    /** @type {[number, number][]} */
    const parts = epoch.at < this.arrived ? [[epoch.at, this.arrived]] : [];
    for (let r = 0; r < epoch.ranges.length; r += 2) {
      const [a, b] = [originOf(epoch.ranges[r]), originOf(epoch.ranges[r + 1] - 1) + 1];
      if (a < run.n) parts.push([a, b]);
      else for (let p = a; p < b; p++) if (run.pool.added[p - ADDED].of >= 0) parts.push(oneAt(run.pool.added[p - ADDED].of));
    }
    return parts.sort((x, y) => x[0] - y[0]);
  }
}

/** @param {number} p @returns {[number, number]} */
function oneAt(p) {
  return [p, p + 1];
}

/** @param {Added[][]} added  where what each compaction added begins, counted from the end of the session */
function firstOfEach(added) {
  let next = 0;
  return added.map((list) => (next += list.length) - list.length);
}
