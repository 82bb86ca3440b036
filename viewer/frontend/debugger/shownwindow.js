// What is on show: the window at the cursor, or the one a compaction is about to replace, while its story is told or it is taken
// apart phase by phase.
import { standsAt } from "../run/effect.js";
/** @import { Run } from "../run/model.js" */
/** @import { Moment } from "../run/story.js" */
/** @import { Phase } from "../run/types.js" */
/** @import { App } from "./app.js" */

/**
 * `step` is the one whose window is shown, `before` whether a compaction has yet to replace it; `moment` of the story that is being
 * told, null for a still; `phase` of that or of the still, null for neither.
 * @typedef {{step: number, before: boolean, phase: Phase | null, moment: Moment | null}} Shown
 */

/** @param {App} app @returns {Shown} */
export function shown(app) {
  const { run, step, show } = app;
  const { phase, of } = app.highlights.now;
  if (show.now?.run === run) {
    const { moment, step: at } = show.now;
    return { step: moment.arrived ? at : at - 1, before: !moment.arrived, phase: moment.phase, moment };
  }
  if (phase === null || of < 0 || run.steps[of] !== step) return { step, before: false, phase: null, moment: null };
  const stood = standsAt(run, of, phase);
  return { step: stood, before: stood !== step, phase, moment: null };
}

/** The story of compaction k, where it is being told. @param {App} app @param {number} k */
export const telling = ({ show }, k) => (show.now && show.now.k === k ? show.now : null);
