// The plan line: what the policy would do next, in one sentence; while a compaction is taken apart, what led to it.
import { attribute, el, write } from "./dom.js";
import { watch } from "./marks.js";
import { planBefore } from "./planning.js";
import { shownStep } from "./standing.js";

/**
 * @param {HTMLElement} root
 * @param {any} app
 */
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
    attribute(box, "aria-live", app.playing || (app.drive && app.follow) ? "off" : "polite"); // the live bar says how the run stands
  };
  watch(app, () => app.run?.length && update());
  return { update: (/** @type {any} */ _, /** @type {any} */ change) => (change.run || change.step || change.playing) && update() };
}
