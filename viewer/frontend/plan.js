// The plan line: what the policy would do next, in one sentence.
import { attribute, el, write } from "./dom.js";

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
    const plan = app.run.plan(app.step);
    write(lead, plan.lead);
    write(rest, plan.text.slice(plan.lead.length).trim());
    attribute(box, "data-tone", plan.tone);
    attribute(box, "title", plan.text);
    attribute(box, "aria-live", app.playing ? "off" : "polite");
  };
  return { update: (/** @type {any} */ _, /** @type {any} */ change) => (change.run || change.step || change.playing) && update() };
}
