// What the next recorded compaction took of the windows in front of it: the regions of a run as recorded, with hindsight. Pure.
import { lowerBound, upperBound } from "./bisect.js";
import { SPACE } from "./pool.js";
import { pairs } from "./ranges.js";
/** @import { Run, Window } from "./model.js" */

/**
 * How it is known what a compaction took: its record says so; or its record names no message that stayed, so all are taken to have left;
 * or no compaction is recorded, and later prompts show it.
 * @typedef {"recorded" | "unnamed" | "prompts"} Known
 */

/** @type {WeakMap<Run, Map<number, Hindsight | null>>} */
const known = new WeakMap();

/**
 * What compaction `e` took of the windows of the epoch in front of it; null where none follows, or the transcript does not say.
 * @param {Run} run
 * @param {number} e
 */
export function hindsight(run, e) {
  const all = known.get(run) ?? new Map();
  known.set(run, all);
  if (!all.has(e)) all.set(e, e < run.compactions ? made(run, e) : null);
  return /** @type {Hindsight | null} */ (all.get(e));
}

/** What the messages of an epoch are called that no recorded compaction is known to take. @param {Run} run @param {number} e */
export const messageWords = (run, e) => (run.compactions && e === run.compactions && !run.view.live ? "no later compaction" : "messages");

/** @param {Run} run @param {number} e */
function made(run, e) {
  const taken = takenAt(run, e);
  return taken.length ? new Hindsight(taken, knownBy(run, e)) : null;
}

/** How it is known what a recorded compaction took. @param {Run} run @param {number} e @returns {Known} */
export function knownBy(run, e) {
  const { fidelity, micro, layout } = run.view.c;
  if (fidelity?.[e] === "inferred") return "prompts";
  return fidelity?.[e] === "partial" && !micro[e] && !pairs(layout[e]).some((part) => names(run, part)) ? "unnamed" : "recorded";
}

/** Whether a part of a new window has a message that is there because a record says so: no system message stays for that. @param {Run} run @param {[number, number]} part */
function names({ n, store }, [a, b]) {
  if (a >= n) return a >= SPACE;
  return store.role.subarray(a, Math.min(b, n)).some((role) => role !== 0);
}

/**
 * The stretches of window indexes that compaction `e` took or emptied: until then the window only grows, so they hold at every step.
 * @param {Run} run
 * @param {number} e
 */
function takenAt(run, e) {
  const stayed = pairs(run.view.c.layout[e]).sort((x, y) => x[0] - y[0]);
  const starts = stayed.map(([a]) => a);
  const { ranges, at } = run.epochs[e];
  /** @type {[number, number][]} */ const taken = [];
  let first = 0;
  for (const [a, b] of [...pairs(ranges), /** @type {[number, number]} */ ([at, run.view.c.at[e]])]) {
    let from = a;
    for (let k = Math.max(0, upperBound(starts, a) - 1); k < stayed.length && starts[k] < b; k++) {
      if (stayed[k][1] <= from) continue;
      add(taken, first + from - a, first + Math.max(from, starts[k]) - a);
      from = stayed[k][1];
    }
    add(taken, first + from - a, first + b - a);
    first += b - a;
  }
  return taken;
}

/** @param {[number, number][]} taken @param {number} from @param {number} to */
function add(taken, from, to) {
  const last = taken.at(-1);
  if (from >= to) return;
  if (last?.[1] === from) last[1] = to;
  else taken.push([from, to]);
}

export class Hindsight {
  /** @param {[number, number][]} taken  in order @param {Known} by */
  constructor(taken, by) {
    this.by = by;
    this.froms = Int32Array.from(taken, ([from]) => from);
    this.tos = Int32Array.from(taken, ([, to]) => to);
    this.counts = [0];
    for (const [from, to] of taken) this.counts.push(this.counts[this.counts.length - 1] + to - from);
    /** Tokens of the first so many stretches. @type {number[]} */ this.tokens = [0];
  }

  /** Whether the k-th message of the window was taken. @param {number} k */
  took(k) {
    const s = upperBound(this.froms, k) - 1;
    return s >= 0 && k < this.tos[s];
  }

  /**
   * From the first to behind the last message that was taken between two window indexes; null where none was.
   * @param {number} from @param {number} to @returns {[number, number] | null}
   */
  stretch(from, to) {
    const first = upperBound(this.tos, from);
    const end = lowerBound(this.froms, to) - 1;
    return first <= end ? [Math.max(from, this.froms[first]), Math.min(to, this.tos[end])] : null;
  }

  /** How many of the first `size` messages were taken. @param {number} size */
  count(size) {
    const s = lowerBound(this.froms, size);
    return this.counts[s] - (s ? Math.max(0, this.tos[s - 1] - size) : 0);
  }

  /** The tokens of plain messages of a window of this epoch that were taken. @param {Window} window */
  plain(window) {
    const s = lowerBound(this.froms, window.size);
    if (!s) return 0;
    while (this.tokens.length < s) {
      const j = this.tokens.length - 1; // a stretch that lies whole in this window, so in each later one
      this.tokens.push(this.tokens[j] + window.plain(this.froms[j], this.tos[j]));
    }
    return this.tokens[s - 1] + window.plain(this.froms[s - 1], Math.min(this.tos[s - 1], window.size));
  }
}
