// What is on show: the window at the cursor, or the one a compaction is about to replace, while its story is told or it is taken
// apart in stills. Every part of the page draws this, so that none of them is ahead of the others.

import { deeds, fellBack } from "../run/effect.js";
import { stillOf, storyOf } from "../run/story.js";
/** @import { Run } from "../run/model.js" */
/** @import { Moment, Story } from "../run/story.js" */
/** @import { Phase } from "../run/types.js" */
/** @import { App } from "./app.js" */

/**
 * `step` is the one whose window is shown, `before` whether a compaction has yet to replace it; `k` is that compaction, -1 for none
 * or an attempt that failed; `moment` is that of its story, null where the picture is the final one, and `phase` the one it is in.
 * @typedef {{step: number, before: boolean, k: number, phase: Phase | null, moment: Moment | null}} Shown
 */

/** @param {App} app @returns {Shown} */
export function shown(app) {
  const { run, step, show } = app;
  if (show.now?.run === run) return at(show.now.step, show.now.k, show.now.moment);
  const apart = takenApart(app);
  if (!apart) return { step, before: false, k: run.step(step).compaction, phase: null, moment: null };
  const { k, phase, story } = apart;
  return phase === 4 ? { step, before: false, k, phase, moment: null } : at(step, k, stillOf(story, phase));
}

/** @param {number} step @param {number} k @param {Moment} moment @returns {Shown} */
const at = (step, k, moment) => ({ step: moment.arrived ? step : Math.max(0, step - 1), before: !moment.arrived, k, phase: moment.phase, moment });

/**
 * The compaction at the cursor that is taken apart, or the attempt that failed there (`k` is -1), and the phase that is shown.
 * @param {Pick<App, "run" | "step" | "highlights">} app
 * @returns {{k: number, phase: Phase, story: Story} | null}
 */
export function takenApart({ run, step, highlights }) {
  const { phase, at } = highlights.now;
  if (phase === null || at !== step) return null;
  const story = storyAt(run, step);
  return story && { k: run.step(step).compaction, phase, story };
}

/** The story of what happened at a step: a compaction, or an attempt that failed; null for neither. @param {Run} run @param {number} step @returns {Story | null} */
export function storyAt(run, step) {
  const k = run.step(step).compaction;
  if (k < 0) return run.failedAt(step) >= 0 ? "failed" : null;
  return fellBack(run, k) ? "fallback" : storyOf(deeds(run, k));
}

/** The moment that the card of what happened at a step shows; null for the final picture. @param {App} app @param {number} step */
export function momentOf(app, step) {
  const { now } = app.show;
  if (now) return now.step === step && !now.back ? now.moment : null;
  return app.step === step ? shown(app).moment : null;
}
