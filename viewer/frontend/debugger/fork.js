// Forks a transcript: a live run begins with the window of the step on show. The dialog says what the run would be made of.
import { settingsWords } from "./comparison.js";
import { dialogOf } from "../lib/dialog.js";
import { button, el, visible, write } from "../lib/dom.js";
import { pluralize } from "../lib/format.js";
import { problemText } from "../lib/problem.js";
import { tilde } from "../run/sections.js";
import { standing } from "../run/places.js";
/** @import { Run } from "../run/model.js" */
/** @import { App } from "./app.js" */
/** @import { ForkPlan } from "./types.js" */

/** The part: a dialog while `app.open.fork`. @param {HTMLElement} root @param {App} app */
export function part(root, app) {
  const dialog = new ForkDialog(app);
  root.append(dialog.node);
  return { update: () => dialog.show(Boolean(app.open.fork)) };
}

class ForkDialog {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.step = -1;
    this.about = el("p", { class: "fl-forkabout" });
    this.made = el("dl", { class: "fl-forkmade" });
    this.wrong = el("p", { class: "fl-stoperror", role: "alert" });
    this.go = button("Fork", () => this.#fork(), { class: "fl-send", "data-primary": "true" });
    this.node = dialogOf("Fork from here", "fl-fork", this.about, this.made, this.wrong, el("div", { class: "fl-ways" }, this.go));
    this.node.addEventListener("close", () => app.open.fork && app.toggle("fork"));
  }

  /** @param {boolean} open */
  show(open) {
    if (open === this.node.open) return;
    if (open) void this.#open();
    else this.node.close();
  }

  async #open() {
    const { run, step } = this.app;
    this.step = step;
    write(this.about, `${beginning(run, step)}. The transcript stays unchanged. Nothing is sent until you continue the run.`);
    write(this.wrong, "");
    this.made.replaceChildren();
    this.go.disabled = true;
    this.node.showModal();
    const plan = /** @type {ForkPlan | null} */ (await this.#ask("/plan"));
    if (!plan || step !== this.step) return;
    this.made.replaceChildren(
      ...rows(plan, this.app.run.store.header.meter).flatMap(([name, text]) => [el("dt", { text: name }), el("dd", { text: visible(text) })]),
    );
    this.go.disabled = false;
    this.go.focus();
  }

  async #fork() {
    this.go.disabled = true;
    const answer = await this.#ask("");
    this.go.disabled = false;
    if (!answer) return;
    this.node.close();
    this.app.tell("forked", answer.run);
  }

  /** What the server says to the fork; null where it refuses, which the dialog then says. @param {string} what @returns {Promise<any>} */
  async #ask(what) {
    const { policy = "", ...settings } = this.app.rival;
    write(this.wrong, "");
    try {
      return await this.app.post(`api/fork/${encodeURIComponent(this.app.run.view.tid)}${what}`, { step: this.step, policy, settings });
    } catch (error) {
      write(this.wrong, problemText(error));
      return null;
    }
  }
}

/** What a fork begins with, in words. @param {Run} run @param {number} step */
export function beginning(run, step) {
  const { size, tokens } = run.window(step);
  return `A new live run begins with the window ${standing(run, step)}: ${pluralize(size, "message")}, ${tilde(run)}${pluralize(tokens, "token")}`;
}

/** What the run would be made of, in words. @param {ForkPlan} plan @param {string} meter  that counts here @returns {[string, string][]} */
export function rows(plan, meter) {
  const { tools, missing, folder, settings } = plan;
  const made = plan.like ? `as in the run used last, “${plan.like}”` : "no run is open; create one on the Live page to use another";
  const why = plan.simulated ? "as simulated here" : plan.governed ? "as recorded" : "the transcript records none";
  const them = missing.length > 1 ? "them" : "it";
  /** @type {[string, string][]} */ const all = [
    ["Model", `${[plan.agent, plan.model].filter(Boolean).join(" · ")} (${made})`],
    ["Tools", [tools.join(", ") || "none", folder && `in ${folder}`].filter(Boolean).join(" · ")],
    ["Missing", missing.length ? `${missing.join(", ")}: the window has calls to ${them}; the new run cannot call ${them}` : ""],
    ["Policy", [`${plan.policy} (${why})`, settingsWords(settings)].filter(Boolean).join(" · ")],
    ["Tokens", plan.recounted ? `the run counts with ${plan.meter}: ${meter} needs the usage that a transcript records` : ""],
  ];
  return all.filter(([, text]) => text);
}
