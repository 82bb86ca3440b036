// Which window is on show: the one at the cursor, or, while a compaction is taken apart, the one it began with.
import { standsAt } from "../run/effect.js";
/** @import { App } from "./app.js" */

/**
 * The step whose window is shown, and whether a compaction has yet to replace it.
 * @param {App} app
 * @returns {{step: number, before: boolean}}
 */
export function shownStep(app) {
  const { run, step } = app;
  const { phase, of } = app.highlights.now;
  if (phase === null || of < 0 || run.steps[of] !== step) return { step, before: false };
  const stood = standsAt(run, of, phase);
  return { step: stood, before: stood !== step };
}
