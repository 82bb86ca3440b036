// The numbers of a compaction, from what the browser already has. Pure: no nodes.

import { capitalized, int, percent, pluralize } from "../lib/format.js";
import { deeds, effect, fellBack } from "./effect.js";
import { size } from "./ranges.js";
import { tilde, tildeAdded } from "./sections.js";
/** @import { Run } from "./model.js" */

/**
 * The numbers of a compaction's card, from what the browser already has.
 * @typedef {ReturnType<typeof figures>} Figures
 * @param {Run} run
 * @param {number} k
 */
export function figures(run, k) {
  const compaction = run.compaction(k);
  const did = effect(run, k);
  return {
    ...compaction,
    did,
    deeds: deeds(run, k),
    fellBack: fellBack(run, k),
    summary: compaction.added.some((row) => row.injected === "summary"),
    begins: begins(run, compaction),
    unnamed: unnamed(run, compaction, did),
    earlier: earlier(run, did),
    place: capitalized(placeOf(run, k)),
  };
}

/** "−48 %": by what share a window became smaller. @param {number} before @param {number} after */
export function changeWords(before, after) {
  if (before === after) return "unchanged";
  return `${before > after ? "−" : "+"}${percent(Math.abs(before - after), before)}`;
}

/** Whether a recorded compaction is where the file begins: what it took is not there. @param {Run} run @param {{step: number, before: number}} c */
export const begins = (run, { step, before }) => run.view.kind === "replay" && step === 0 && before === 0;

/**
 * Whether the file has nothing of what a recorded compaction took or emptied: what its messages came to before it is no window then.
 * @param {Run} run @param {{step: number, before: number, edit: boolean, folded: number}} c @param {ReturnType<typeof effect>} did
 */
const unnamed = (run, c, did) => run.view.kind === "replay" && !c.edit && !c.folded && !begins(run, c) && !size(did.taken) && !size(did.emptied);

/** Whether a compaction takes nothing out and puts nothing in. @param {Run} run @param {number} k */
export function onlyEmpties(run, k) {
  const { micro, folded, added, emptied } = run.view.c;
  return micro[k] === 1 || ((emptied?.[k] ?? 0) > 0 && !folded[k] && !added[k]?.some(([, , , , of = -1]) => of < 0));
}

/** What rewrites a window: a compaction, one that only empties messages, or a person. Each kind is counted by itself. */
const KINDS = /** @type {const} */ (["compaction", "microcompaction", "edit"]);

/** How each is called beside its number on the timeline. */
const MARKS = { compaction: "#", microcompaction: "micro ", edit: "edit " };

/** @typedef {{kinds: Uint8Array, nth: Int32Array, of: number[]}} Ranks */

/** The ranks of a run's columns, worked out once. @type {WeakMap<number[], Ranks>} */
const known = new WeakMap();

/** The kind of each, as a place in KINDS, its number among those of its kind, and how many of each kind there are. @param {Run} run @returns {Ranks} */
function ranks(run) {
  const { micro, edit = [] } = run.view.c;
  const found = known.get(micro);
  if (found) return found;
  const kinds = Uint8Array.from(micro, (m, k) => (edit[k] ? 2 : m ? 1 : 0));
  const of = [0, 0, 0];
  const nth = Int32Array.from(kinds, (kind) => ++of[kind]);
  const made = { kinds, nth, of };
  known.set(micro, made);
  return made;
}

/** @param {Run} run @param {number} k */
export function rank(run, k) {
  const { kinds, nth, of } = ranks(run);
  return { kind: KINDS[kinds[k]], nth: nth[k], of: of[kinds[k]] };
}

/** "compaction 2", "microcompaction 1", "edit 1". @param {Run} run @param {number} k */
export function nameOf(run, k) {
  const { kind, nth } = rank(run, k);
  return `${kind} ${int(nth)}`;
}

/** "compaction 2 of 9", "edit 1 of 2". @param {Run} run @param {number} k */
export const placeOf = (run, k) => `${nameOf(run, k)} of ${int(rank(run, k).of)}`;

/** "compactions 3 to 40", "compaction 3 to edit 1". @param {Run} run @param {number} first @param {number} last */
export function spanOf(run, first, last) {
  const [a, b] = [rank(run, first), rank(run, last)];
  if (first === last) return nameOf(run, first);
  return a.kind === b.kind ? `${a.kind}s ${int(a.nth)} to ${int(b.nth)}` : `${nameOf(run, first)} to ${nameOf(run, last)}`;
}

/** What stands beside a mark on the timeline: "#2", "#2–5", "edit 1". @param {Run} run @param {number} k @param {number} [last]  of those that share the mark */
export function markOf(run, k, last = k) {
  const [a, b] = [rank(run, k), rank(run, last)];
  const from = MARKS[a.kind] + int(a.nth);
  if (last === k) return from;
  return a.kind === b.kind ? `${from}–${int(b.nth)}` : `${from}–${MARKS[b.kind]}${int(b.nth)}`;
}

/** "3 compactions and 1 edit", of those before epoch `end`; "" where there are none. @param {Run} run @param {number} [end] */
export function counted(run, end = run.compactions) {
  const { kinds } = ranks(run);
  const counts = KINDS.map((_, kind) => kinds.subarray(0, end).reduce((sum, one) => sum + Number(one === kind), 0));
  return KINDS.flatMap((kind, k) => (counts[k] ? [pluralize(counts[k], kind)] : [])).join(" and ");
}

/** Whether a person made edits of the window. @param {Run} run */
export const edited = (run) => ranks(run).of[2] > 0;

/** "~" where the window before compaction k is estimated, if only for an earlier summary. @param {Run} run @param {number} k */
export const tildeBefore = (run, k) => (k > 0 ? tildeAdded(run) : tilde(run));

/** "~" where the window after compaction k is. @param {Run} run @param {number} k */
export const tildeAfter = (run, k) => (run.compaction(k).added.length ? tildeAdded(run) : tildeBefore(run, k));

/** The summary that stood in the window and went: "summary #4"; "" where there was none. @param {Run} run @param {ReturnType<typeof effect>} did */
function earlier(run, did) {
  const rows = did.taken.filter(([a]) => a >= run.n).flatMap(([a, b]) => Array.from({ length: Math.min(4, b - a) }, (_, i) => run.pool.row(a + i)));
  return rows.find((row) => row.injected === "summary")?.label ?? "";
}

/** What is done to messages, as a participle. @type {Record<import("./effect.js").Deed, string>} */
export const DONE = { summarise: "summarized", opaque: "replaced", digest: "converted to text", drop: "dropped", clear: "cleared" };

/** The tokens of messages of the session as they stand in the window of a step. @param {Run} run @param {number} step @param {[number, number][]} ranges */
export function tokensAt(run, step, ranges) {
  const window = run.window(step);
  let total = 0;
  for (const [a, b] of ranges)
    for (let p = a; p < b; p++) {
      const index = window.indexOf(p);
      if (index >= 0) total += run.pool.tokens(window.poolAt(index));
    }
  return total;
}
