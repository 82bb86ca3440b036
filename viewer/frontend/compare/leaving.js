// How messages have left a lane's window: into summaries, without one, or both. Pure.
import { onlyEmpties } from "../run/compactionfigures.js";
/** @import { Run } from "../run/model.js" */

/** @typedef {"summarized" | "lost" | "either"} Leaving */

/** The first compaction of a run that writes a summary, and the first that takes messages without one. @type {WeakMap<Run, {summary: number, none: number}>} */
const known = new WeakMap();

/** How what is gone after so many compactions has left the window. @param {Run} run @param {number} done @returns {Leaving} */
export function leavingOf(run, done) {
  const first = known.get(run) ?? firstsOf(run);
  known.set(run, first);
  if (first.summary >= done) return "lost";
  return first.none >= done ? "summarized" : "either";
}

/** @param {Run} run */
function firstsOf(run) {
  const all = Array.from(run.view.c.at, (_, k) => k).filter((k) => !onlyEmpties(run, k));
  const writes = (/** @type {number} */ k) => run.compaction(k).added.some(({ injected }) => ["summary", "digest"].includes(injected));
  const first = (/** @type {boolean} */ summary) => all.find((k) => writes(k) === summary) ?? Number.POSITIVE_INFINITY;
  return { summary: first(true), none: first(false) };
}
