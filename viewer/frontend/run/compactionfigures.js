// The numbers of a compaction, from what the browser already has. Pure: no nodes.

import { capitalized, int, pluralize } from "../lib/format.js";
import { Numbered, size } from "./ranges.js";
import { deeds, effect } from "./effect.js";
import { tilde, tildeAdded } from "./sections.js";
/** @import { Run } from "./model.js" */
/** @import { Policy } from "./types.js" */
/** @import { Phase } from "./types.js" */

/**
 * The numbers of a compaction's card, from what the browser already has.
 * @typedef {ReturnType<typeof figures>} Figures
 * @param {Run} run
 * @param {number} k
 */
export function figures(run, k) {
  const compaction = run.compaction(k);
  const { before, after, number: n, folded, summaryTokens } = compaction;
  const did = effect(run, k);
  const freed = before - after;
  const share = before > 0 ? Math.round((100 * Math.abs(freed)) / before) : 0;
  const change = freed === 0 ? "unchanged" : `${freed >= 0 ? "−" : "+"}${int(Math.abs(freed))} · ${share} %`;
  const which = n > 0 ? `#${n} of ` : "of ";
  const summary = compaction.added.some((row) => row.injected === "summary");
  const line = summary
    ? { which: `${which}${pluralize(folded, "earlier message")}`, tokens: tildeAdded(run) + pluralize(summaryTokens, "token") }
    : null;
  return {
    ...compaction,
    did,
    deeds: deeds(run, k),
    freed,
    change,
    line,
    begins: begins(run, compaction),
    earlier: earlier(run, k, did),
    place: place(run, k),
  };
}

/** Whether a recorded compaction is where the file begins: what it took is not there. @param {Run} run @param {{step: number, before: number}} c */
const begins = (run, { step, before }) => run.view.kind === "replay" && step === 0 && before === 0;

/**
 * The number of a compaction among those of its kind, and how many of them there are. Those that only empty
 * messages are counted by themselves.
 * @param {Run} run
 * @param {number} k
 */
function rank(run, k) {
  /** @type {number[]} */ const micro = run.view.c.micro;
  const alike = (/** @type {number} */ m) => Boolean(m) === Boolean(micro[k]);
  const name = micro[k] ? "microcompaction" : "compaction";
  return { name, nth: micro.slice(0, k + 1).filter(alike).length, of: micro.filter(alike).length };
}

/** "compaction 2", "microcompaction 1". @param {Run} run @param {number} k */
export function nameOf(run, k) {
  const { name, nth } = rank(run, k);
  return `${name} ${int(nth)}`;
}

/** "Microcompaction 1 of 9". @param {Run} run @param {number} k */
function place(run, k) {
  const { of } = rank(run, k);
  const name = nameOf(run, k);
  return `${capitalized(name)} of ${int(of)}`;
}

/** "~" where the window before compaction k is estimated, if only for an earlier summary. @param {Run} run @param {number} k */
export const tildeBefore = (run, k) => (k > 0 ? tildeAdded(run) : tilde(run));

/** "~" where the window after compaction k is. @param {Run} run @param {number} k */
export const tildeAfter = (run, k) => (run.compaction(k).added.length ? tildeAdded(run) : tildeBefore(run, k));

/**
 * What became of the summary that stood in the window: "merges summary #4".
 * @param {Run} run
 * @param {number} k
 * @param {ReturnType<typeof effect>} did
 */
function earlier(run, k, did) {
  const rows = did.taken.filter(([a]) => a >= run.n).flatMap(([a, b]) => Array.from({ length: Math.min(4, b - a) }, (_, i) => run.pool.row(a + i)));
  const summary = rows.find((row) => row.injected === "summary");
  if (!summary) return "";
  const replaced = run.epochs[k].body > run.epochs[k].head;
  return replaced ? `replaces ${summary.label}` : `merges ${summary.label}`;
}

/** What phase 3 is called, by what was done. */
const DOING = { clear: "clear", drop: "drop", digest: "convert", opaque: "replace", summarise: "summarize" };

/** "16,258 > 16,000", or "160,000 ≥ 160,000" where a policy acts at the number itself. @param {Policy | null} policy @param {string} held @param {number} counts */
function passed(policy, held, counts) {
  const limit = policy?.limit ?? null;
  if (limit === null || counts <= limit) return held;
  const ceiling = policy?.ceiling ?? limit;
  return `${held} ${ceiling > limit ? "≥" : ">"} ${int(ceiling)}`;
}

/**
 * The four phases with their numbers.
 * @param {Run} run
 * @param {number} k
 * @returns {{phase: Phase, name: string, figure: string}[]}
 */
export function phases(run, k) {
  const { step, before, did, deeds } = figures(run, k);
  const counts = step > 0 ? run.step(step - 1).counted : before;
  return [
    { phase: 1, name: "trigger", figure: passed(run.policyAt(Math.max(0, step - 1)), tildeBefore(run, k) + int(counts), counts) },
    { phase: 2, name: "partition", figure: parted(did) },
    { phase: 3, name: deeds.map((deed) => DOING[deed]).join(", "), figure: exchanged(run, k) },
    { phase: 4, name: "splice", figure: pluralize(size(did.after), "message") },
  ];
}

/** What stays in front, what goes, what stays behind; where nothing goes, how many are emptied. @param {ReturnType<typeof effect>} did */
function parted({ before, taken, emptied, kept }) {
  if (!taken.length) return `${int(size(emptied))} of ${int(size(before))}`;
  const stays = size(kept) + size(emptied);
  const front = new Numbered(before).indexOf(taken[0][0]);
  return [front, size(taken), stays - front].map(int).join(" · ");
}

/** The tokens of what went and of what stands for it. @param {Run} run @param {number} k */
function exchanged(run, k) {
  const { before, after, did, deeds, removedTokens, summaryTokens, added } = figures(run, k);
  const was = (/** @type {number} */ tokens) => tildeBefore(run, k) + int(tokens);
  const is = (/** @type {number} */ tokens) => tildeAdded(run) + int(tokens);
  const clears = deeds[0] === "clear";
  if (!clears) return deeds[0] === "drop" && !added.length ? `${was(removedTokens)} removed` : `${was(removedTokens)} → ${is(summaryTokens)}`;
  if (deeds.length > 1) return `${was(before - after)} freed`;
  const left = tokensAt(run, run.steps[k], did.emptied);
  return `${was(before - after + left)} → ${is(left)}`;
}

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
