// The plan line: what the policy would do next, in one sentence; while a compaction is taken apart, what led to it.
import { attribute, el, write } from "../lib/dom.js";
import { planBefore } from "../run/planning.js";
import { shownStep } from "./shownwindow.js";
/** @import { App } from "./app.js" */
/** @import { Change } from "./types.js" */

/** @param {HTMLElement} root @param {App} app */
export function part(root, app) {
  const lead = el("b");
  const rest = el("span");
  const line = el("p", {}, lead, " ", rest);
  const box = el("div", { class: "fl-plan", role: "status" }, el("span", { class: "fl-diamond", "aria-hidden": "true" }), line);
  root.append(box);
  const update = () => {
    const { step, before } = shownStep(app);
    const plan = before ? planBefore(app.run, step) : app.run.plan(step);
    write(lead, plan.lead);
    write(rest, plan.text.slice(plan.lead.length).trim());
    attribute(box, "data-tone", plan.tone);
    attribute(box, "title", plan.text);
    attribute(box, "aria-live", app.playing || (app.extension && app.follow) ? "off" : "polite"); // the live bar announces the status
  };
  app.highlights.watch(() => app.run?.length && update());
  return { update: (/** @type {App} */ _, /** @type {Change} */ change) => (change.run || change.step || change.playing) && update() };
}
