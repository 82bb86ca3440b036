// The rule that a run forgot, told at the top of the overview: said, forgotten, needed where it was, and what would have kept it.

import { button, el, visible, write } from "../lib/dom.js";
import { capitalized } from "../lib/format.js";
import { figures } from "../run/compactionfigures.js";
import { forgottenRule, momentsOf } from "../run/rulestory.js";
import { stepName } from "../run/places.js";
import { isOnlySimulated } from "../run/shownas.js";
import { advised, keeperNames, keepers, tries } from "./keepers.js";
/** @import { App } from "./app.js" */
/** @import { Loss } from "../run/types.js" */
/** @import { Moment } from "../run/rulestory.js" */

export class RuleStory {
  /** @param {App} app @param {(step: number) => void} go @param {(loss: Loss, step: number) => void} why */
  constructor(app, go, why) {
    this.app = app;
    this.go = go;
    this.why = why;
    this.node = el("section", { class: "fl-ostory", hidden: true });
    this.kept = el("p");
    /** The rule it is about. @type {Loss | undefined} */ this.told = undefined;
    this.halt = new AbortController();
    /** Whether changes are being tried. */ this.trying = false;
  }

  clear() {
    this.halt.abort();
    this.trying = false;
    this.told = undefined;
    this.node.hidden = true;
    this.node.replaceChildren();
  }

  /** @param {import("../run/types.js").CompactionLosses[]} rows  of all compactions */
  show(rows) {
    this.clear();
    const found = forgottenRule(rows);
    if (!found) return;
    const { run } = this.app;
    const { loss, row } = found;
    this.told = loss;
    const said = run.stepOfMessage(loss.at);
    const would = isOnlySimulated(run);
    const title = `${loss.kind === "rule" ? "The rule" : "The statement"} that ${would ? "would be" : "was"} lost`;
    const moments = momentsOf(found, { said, summary: figures(run, row.index).summary });
    this.node.replaceChildren(el("h3", { text: title }), el("ol", {}, ...moments.map((one) => this.#moment(one, found)), this.#ways(loss, row.step)));
    this.node.hidden = false;
    this.#try(loss);
  }

  /** @param {Moment} moment @param {import("../run/rulestory.js").Forgotten} found */
  #moment({ step, text, quote, said }, { loss, row }) {
    const { run } = this.app;
    const words = { rule: loss.text, message: said || run.pool.row(run.step(step).messages - 1).preview, "": "" }[quote];
    const node = button("", () => this.go(step), { class: "fl-ostep", title: `Go to ${stepName(run, step)}`, "data-step": step });
    node.append(
      el("b", { text: capitalized(stepName(run, step)) }),
      el("span", {}, text, words ? " " : "", words ? el("q", { dir: "auto", text: visible(words) }) : ""),
    );
    return el("li", { class: step === row.step ? "fl-olost" : "" }, node);
  }

  /** What would have kept it, and the way to all of that. @param {Loss} loss @param {number} step */
  #ways(loss, step) {
    const advice = advised(this.app, loss);
    this.kept.replaceChildren(...(advice.length ? [el("b", { text: "What helps: " }), ...advice] : []));
    const words = this.app.alone ? "Why: follow it step by step" : "Why: follow it step by step, and try a change";
    const all = button(words, () => this.why(loss, step), { class: "fl-link fl-owhy" });
    return el("li", { class: "fl-okept" }, this.kept, ...(this.app.hosted ? [] : [all]));
  }

  /** Try changes, where that takes no time worth waiting for. @param {Loss} loss */
  #try(loss) {
    if (!tries(this.app, loss)) return;
    this.halt = new AbortController();
    const { signal } = this.halt;
    this.trying = true;
    write(this.kept, "Trying what would have kept it…");
    keepers(this.app, loss, signal).then((fixes) => signal.aborted || this.#keep(keeperNames(this.app, fixes)));
  }

  /** Name what would have kept it. @param {(Node | string)[]} names */
  #keep(names) {
    this.trying = false;
    this.kept.replaceChildren(...(names.length ? ["What would have kept it: ", ...names, "."] : []));
  }
}
