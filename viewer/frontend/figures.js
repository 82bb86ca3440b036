// The numbers of a compaction, from what the browser already has. Pure: no nodes.

import { counted, number } from "./dom.js";
import { Numbered, size } from "./ranges.js";
import { effect, tilde, tildeAdded } from "./sections.js";

/** @typedef {import("./marks.js").Phase} Phase */

/**
 * The numbers of a compaction's card, from what the browser already has.
 * @param {any} run
 * @param {number} k
 */
export function figures(run, k) {
  const compaction = run.compaction(k);
  const { before, after, number: n, folded, summaryTokens } = compaction;
  const did = effect(run, k);
  const freed = before - after;
  const share = before > 0 ? Math.round((100 * Math.abs(freed)) / before) : 0;
  const change =
    freed === 0
      ? "unchanged"
      : `${freed >= 0 ? "−" : "+"}${number(Math.abs(freed))} · ${share} %`;
  const which = n > 0 ? `#${n} of ` : "of ";
  const summary = compaction.added.some((/** @type {any} */ row) => row.injected === "summary");
  const line = summary
    ? {
        which: `${which}${counted(folded, "earlier message")}`,
        tokens: tildeAdded(run) + counted(summaryTokens, "token"),
      }
    : null;
  return {
    ...compaction,
    did,
    freed,
    change,
    line,
    begins: begins(run, compaction),
    earlier: earlier(run, k, did),
    place: place(run, k),
  };
}

/** Whether a recorded compaction is where the file begins: what it took is not there. @param {any} run @param {any} c */
const begins = (run, { step, before }) => run.view.kind === "replay" && step === 0 && before === 0;

/**
 * The number of a compaction among those of its kind, and how many of them there are. Those that only empty
 * messages are counted by themselves.
 * @param {any} run
 * @param {number} k
 */
function rank(run, k) {
  /** @type {number[]} */ const micro = run.view.c.micro;
  const alike = (/** @type {number} */ m) => Boolean(m) === Boolean(micro[k]);
  const name = micro[k] ? "microcompaction" : "compaction";
  return { name, nth: micro.slice(0, k + 1).filter(alike).length, of: micro.filter(alike).length };
}

/** "compaction 2", "microcompaction 1". @param {any} run @param {number} k */
export function nameOf(run, k) {
  const { name, nth } = rank(run, k);
  return `${name} ${number(nth)}`;
}

/** "Microcompaction 1 of 9". @param {any} run @param {number} k */
function place(run, k) {
  const { of } = rank(run, k);
  const name = nameOf(run, k);
  return `${name[0].toUpperCase()}${name.slice(1)} of ${number(of)}`;
}

/** "~" where the window before compaction k is estimated, if only for an earlier summary. @param {any} run @param {number} k */
export const tildeBefore = (run, k) => (k > 0 ? tildeAdded(run) : tilde(run));

/** "~" where the window after compaction k is. @param {any} run @param {number} k */
export const tildeAfter = (run, k) => (run.compaction(k).added.length ? tildeAdded(run) : tildeBefore(run, k));

/**
 * What became of the summary that stood in the window: "folds summary #4 in".
 * @param {any} run
 * @param {number} k
 * @param {ReturnType<typeof effect>} did
 */
function earlier(run, k, did) {
  const rows = did.taken
    .filter(([a]) => a >= run.n)
    .flatMap(([a, b]) => Array.from({ length: Math.min(4, b - a) }, (_, i) => run.pool.row(a + i)));
  const summary = rows.find((row) => row.injected === "summary");
  if (!summary) return "";
  const replaced = run.epochs[k].body > run.epochs[k].head;
  return replaced ? `replaces ${summary.label}` : `folds ${summary.label} in`;
}

/**
 * The four phases with their numbers.
 * @param {any} run
 * @param {number} k
 * @returns {{phase: Phase, name: string, figure: string}[]}
 */
export function phases(run, k) {
  const { step, before, after, did, micro, removedTokens, summaryTokens } = figures(run, k);
  const limit = run.view.policy?.limit ?? 0;
  const counts = step > 0 ? run.step(step - 1).counted : before;
  const [first] = did.taken;
  const kept = size(did.kept);
  const front = first ? new Numbered(did.before).indexOf(first[0]) : kept;
  const gone = micro ? before - after + addedTokens(run, k) : removedTokens;
  const held = tildeBefore(run, k) + number(counts);
  const over = limit && counts > limit ? `${held} > ${number(limit)}` : held;
  return [
    { phase: 1, name: "trigger", figure: over },
    {
      phase: 2,
      name: "partition",
      figure: micro
        ? `${number(size(did.taken))} of ${number(size(did.before))}`
        : [front, size(did.taken), kept - front].map(number).join(" · "),
    },
    {
      phase: 3,
      name: micro ? "clear" : "summarise",
      figure: `${tildeBefore(run, k)}${number(gone)} → ${tildeAdded(run)}${number(micro ? addedTokens(run, k) : summaryTokens)}`,
    },
    { phase: 4, name: "splice", figure: counted(size(did.after), "message") },
  ];
}

/** @param {any} run @param {number} k @returns {number} */
const addedTokens = (run, k) =>
  run.compaction(k).added.reduce((/** @type {number} */ sum, /** @type {any} */ row) => sum + row.tokens, 0);
