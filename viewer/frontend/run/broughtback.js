// What a call brought back that a compaction had taken, for the card of its message; known once the losses of the run are. Pure.

import { int } from "../lib/format.js";
/** @import { BroughtBack, CompactionLosses } from "./types.js" */
/** @import { Run } from "./model.js" */

/** The calls that are known, by the view of their run and the place of their message. @type {WeakMap<object, Map<number, {k: number, calls: BroughtBack[]}>>} */
const known = new WeakMap();

/** What is known of the losses of a run. @param {Run} run @param {CompactionLosses[]} rows */
export function noteBroughtBack({ view }, rows) {
  const found = known.get(view) ?? new Map();
  known.set(view, found);
  for (const { index: k, again_of: calls = [] } of rows)
    for (const [at] of calls) found.set(at, { k, calls: calls.filter(([other]) => other === at) });
}

/** What the calls of a message brought back, and which compaction had taken it. @param {Run} run @param {number} pool */
export const broughtBackBy = ({ view }, pool) => known.get(view)?.get(pool) ?? null;

/** ", 2 of them in files edited since": what is read for an edit is no cost of a compaction alone; "" where none was. @param {number} again @param {number} edited */
export function editedWords(again, edited) {
  if (!edited) return "";
  if (again === 1) return ", in a file edited since";
  return `, ${edited === again ? "all" : int(edited)} of them in files edited since`;
}

/** Of one call's file, behind who showed it before. @param {number} edits */
export const editsWords = (edits) =>
  edits ? ` The file was edited ${edits === 1 ? "once" : `${int(edits)} times`} since: it may have been read for that.` : "";
