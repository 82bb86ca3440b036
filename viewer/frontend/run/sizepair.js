// How large the window was before and after a compaction, by the numbers that are told of it. Pure.

import { deniedBy } from "./recordedsums.js";
/** @import { Figures } from "./compactionfigures.js" */
/** @import { Run } from "./model.js" */

/** Tokens before and after: as recorded where they are, unless the prompts around it deny it; null where one is not known. @param {Run} run @param {Figures} made @returns {[number, number] | null} */
export function sizePair(run, made) {
  if (made.begins || made.unnamed || made.unreadable) return recordedPair(run, made);
  return recordedPair(run, made) ?? [made.before, made.after];
}

/** @param {Run} run @param {Figures} made @returns {[number, number] | null} */
function recordedPair(run, made) {
  const { recordedBefore: before, recordedAfter: after } = made;
  if (run.view.kind !== "replay") return null;
  return deniedBy(run, made) ?? (before >= 0 && after >= 0 ? [before, after] : null);
}
