// Which window is on show: the one at the cursor, or, while a compaction is taken apart, the one it began with.
import { marks } from "./marks.js";
import { standsAt } from "./effect.js";

/**
 * The step whose window is shown, and whether a compaction has yet to replace it.
 * @param {any} app
 * @returns {{step: number, before: boolean}}
 */
export function shownStep(app) {
  const { run, step } = app;
  const { phase, of } = marks(app);
  if (phase === null || of < 0 || run.steps[of] !== step) return { step, before: false };
  const stood = standsAt(run, of, phase);
  return { step: stood, before: stood !== step };
}
