// The plan line: what the policy would do next, in one sentence; while a compaction is shown or taken apart, what led to it.
import { attribute, el, visible, writeCoded } from "../lib/dom.js";
import { planBefore, planOf, planTried } from "../run/planning.js";
import { shown, takenApart } from "./shownwindow.js";
/** @import { Run } from "../run/model.js" */
/** @import { Shown } from "./shownwindow.js" */
/** @import { App } from "./app.js" */
/** @import { Change } from "./types.js" */

/** @param {HTMLElement} root @param {App} app */
export function part(root, app) {
  const lead = el("b");
  const rest = el("span");
  const line = el("p", {}, lead, " ", rest);
  const box = el("div", { class: "fl-plan", role: "status" }, el("span", { class: "fl-diamond", "aria-hidden": "true" }), line);
  root.append(box);
  let said = "";
  const update = () => {
    const { step, before, phase, moment } = shown(app);
    const stamp = `${step} ${before} ${phase}`;
    if (moment && stamp === said) return; // a sentence may be work: not in every frame
    said = stamp;
    attribute(box, "aria-live", quiet(app) ? "off" : "polite");
    const tried = moment && !before && Number(phase) < 3;
    const plan = tried ? planTried(app.run, step) : planNow(app.run, shown(app));
    writeCoded(lead, plan.lead);
    writeCoded(rest, visible(plan.text.slice(plan.lead.length).trim()));
    attribute(box, "data-tone", plan.tone);
    attribute(box, "title", plan.text);
  };
  app.highlights.watch(() => app.run?.length && update());
  app.show.watch(() => app.run?.length && update());
  return { update: (/** @type {App} */ _, /** @type {Change} */ change) => (change.run || change.step || change.playing) && update() };
}

/** What comes of a compaction is told once its story has. @param {Run} run @param {Shown} what */
function planNow(run, { step, before, phase, moment }) {
  if (!before) return run.plan(step);
  return moment && phase === 1 ? planOf(run, step, false) : planBefore(run, step, !moment);
}

/**
 * Whether something else is announced: while playing nothing is, of a live run its status by the bar, a compaction and its phases by
 * the announcer.
 * @param {App} app
 */
function quiet(app) {
  const { playing, extension, follow, run, step } = app;
  return playing || run.step(step).compaction >= 0 || takenApart(app) !== null || (extension !== null && follow);
}
