// The numbers of a compaction, from what the browser already has. Pure: no nodes.

import { counted, number } from "./dom.js";
import { Numbered, size } from "./ranges.js";
import { effect } from "./sections.js";

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
    freed === 0 ? "unchanged" : `${freed >= 0 ? "−" : "+"}${number(Math.abs(freed))} · ${share} %`;
  const which = n > 0 ? `#${n} of ` : "of ";
  const summary = compaction.added.some((/** @type {any} */ row) => row.injected === "summary");
  const line = summary
    ? { which: `${which}${counted(folded, "earlier message")}`, tokens: counted(summaryTokens, "token") }
    : null;
  return {
    ...compaction,
    did,
    freed,
    change,
    line,
    earlier: earlier(run, k, did),
    place: `Compaction ${number(k + 1)} of ${number(run.compactions)}`,
  };
}

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
  const over = limit && counts > limit ? `${number(counts)} > ${number(limit)}` : number(counts);
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
      figure: `${number(gone)} → ${number(micro ? addedTokens(run, k) : summaryTokens)}`,
    },
    { phase: 4, name: "splice", figure: counted(size(did.after), "message") },
  ];
}

/** @param {any} run @param {number} k @returns {number} */
const addedTokens = (run, k) =>
  run.compaction(k).added.reduce((/** @type {number} */ sum, /** @type {any} */ row) => sum + row.tokens, 0);
