// How long a message stays in the window, and which of its words Why follows. Pure: no nodes.

import { fromBeginning } from "./beginning.js";
import { whereabouts } from "./sections.js";
/** @import { Run } from "./model.js" */

/** Characters of a message that Why is asked about. */
const ASKED = 200;

/**
 * The compaction that takes a message of the window out of it, or its text; -1 where it stays to the end, and `null` where that is not
 * known: while a run is live, where there is no compaction, and where the message comes and goes.
 * @param {Run} run @param {number} step @param {number} pool
 */
export function takenBy(run, step, pool) {
  if (run.view.live || !run.compactions) return null;
  const { compaction } = whereabouts(run, run.length - 1, pool);
  return compaction >= 0 && compaction < run.epochOf(step) ? null : compaction;
}

/** The first sentences of a message, as many as Why is asked about; "" where it says nothing. @param {string} content */
export const questionOf = (content) => fromBeginning("…", content, ASKED).replace(/…$/, "");
