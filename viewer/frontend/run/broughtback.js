// What a call brought back that a compaction had taken, for the card of its message; known once the losses of the run are. Pure.

import { int } from "../lib/format.js";
/** @import { BroughtBack, CompactionLosses } from "./types.js" */
/** @import { Run } from "./model.js" */

/** @typedef {{k: number, shown: number[], edits: number}} Back  what a call brought back: which compaction took it, who showed it, edits since */

/** What is known, by the view of a run, the place of a message and the compaction. @type {WeakMap<object, Map<number, Map<number, BroughtBack[]>>>} */
const known = new WeakMap();

/** What is known of the losses of a run. @param {Run} run @param {CompactionLosses[]} rows */
export function noteBroughtBack({ view }, rows) {
  const found = known.get(view) ?? new Map();
  known.set(view, found);
  for (const { index: k, again_of: calls = [] } of rows)
    for (const [at] of calls) {
      const taken = found.get(at) ?? new Map();
      const same = calls.filter(([other]) => other === at);
      found.set(at, taken.set(k, same));
    }
}

/** What the calls of a message brought back; what is the same of several of them once. @param {Run} run @param {number} pool @returns {Back[]} */
export function broughtBackBy({ view }, pool) {
  const taken = [...(known.get(view)?.get(pool) ?? [])].sort(([a], [b]) => a - b);
  const all = taken.flatMap(([k, calls]) => calls.map(([, shown, edits]) => ({ k, shown, edits })));
  return [...new Map(all.map((back) => [JSON.stringify(back), back])).values()];
}

/** ", 2 of them in files edited since": what is read for an edit is no cost of a compaction alone; "" where none was. @param {number} again @param {number} edited */
export function editedWords(again, edited) {
  if (!edited) return "";
  if (again === 1) return ", in a file edited since";
  return `, ${edited === again ? "all" : int(edited)} of them in files edited since`;
}

/** Of one call's file, behind who showed it before. @param {number} edits */
export const editsWords = (edits) =>
  edits ? ` The file was edited ${edits === 1 ? "once" : `${int(edits)} times`} since: it may have been read for that.` : "";
