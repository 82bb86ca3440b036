// The rules and statements that all compactions of a run took: those to quote first, and the others. Pure.

import { int } from "../lib/format.js";
/** @import { CompactionLosses, Loss } from "./types.js" */

/** Rules and statements that are quoted before somebody opens the others. */
const QUOTED = 2;

/** @typedef {{loss: Loss, step: number}} Quoted  a text, and the step of the compaction that took it */

/**
 * The rules and statements that are gone, by how much they matter: those to quote at first, and the others, which `more` opens. `note` says where
 * those are that are not among them: `told` stands above already, and a compaction names so many texts.
 * @param {CompactionLosses[]} rows @param {Loss} [told] @returns {{first: Quoted[], others: Quoted[], more: string, note: string}}
 */
export function quotedRules(rows, told) {
  const all = rows
    .flatMap((row) => row.told.map((loss) => ({ loss, step: row.step })))
    .filter(({ loss }) => loss.kind === "rule" || loss.kind === "said");
  const gone = rows.reduce((sum, row) => sum + (row.unreadable ? 0 : row.rules[0]), 0);
  const rules = all.filter(({ loss }) => loss !== told).sort((a, b) => a.loss.rank - b.loss.rank);
  const above = all.length - rules.length;
  const [first, others] = [rules.slice(0, QUOTED), rules.slice(QUOTED)];
  const left = gone - all.length;
  const notes = [
    above && (gone === 1 ? "It is told above." : `${int(above)} of them is told above.`),
    left > 0 && `${int(left)} more ${left === 1 ? "is" : "are"} not quoted.`,
  ];
  return { first, others, more: others.length ? `${int(first.length + above)} of ${int(gone)} shown` : "", note: notes.filter(Boolean).join(" ") };
}
