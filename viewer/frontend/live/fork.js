// Forks a live run: a new run begins with the window of one step, and may say something else in the message of that step.
import { beginning } from "../debugger/fork.js";
import { pathOf } from "../message/body.js";
import { dialogOf } from "../lib/dialog.js";
import { attribute, button, el, write } from "../lib/dom.js";
import { int } from "../lib/format.js";
import { problemText } from "../lib/problem.js";
import { refusalOf } from "./breakpoints.js";
import { standing } from "../run/places.js";
/** @import { LiveRun } from "./liverun.js" */
/** @import { App } from "../debugger/app.js" */
/** @import { Message } from "../message/types.js" */

export class ForkDialog {
  /** @param {App} app @param {LiveRun} drive */
  constructor(app, drive) {
    this.app = app;
    this.drive = drive;
    this.step = 0;
    /** The text of the step's message, null where it cannot be edited. @type {string | null} */ this.text = null;
    this.about = el("p", { class: "fl-forkabout" });
    this.what = el("label", { for: "fl-fork-text" });
    this.box = el("textarea", { class: "fl-area", id: "fl-fork-text", rows: "9", spellcheck: "false", on: { input: () => this.#changed() } });
    this.wrong = el("p", { class: "fl-stoperror", role: "alert" });
    this.go = button("Fork", () => this.#fork(), { class: "fl-send", "data-primary": "true" });
    this.node = dialogOf("Fork from here", "fl-fork", this.about, this.what, this.box, this.wrong, el("div", { class: "fl-ways" }, this.go));
    drive.on("fork", (step) => void this.open(typeof step === "number" ? step : app.step));
  }

  /** @param {number} step */
  async open(step) {
    if (this.node.open || !this.app.run?.length) return;
    if (this.drive.hindered) return this.app.message(this.drive.hindered);
    this.step = step;
    this.text = null;
    const { messages } = this.app.run.step(step);
    write(
      this.about,
      `${beginning(this.app.run, step)}; with the policy, tools and model in force there and the current breakpoints. This run stays unchanged.`,
    );
    write(this.wrong, "");
    this.box.value = "";
    this.box.hidden = true;
    write(this.what, "Loading…");
    this.node.showModal();
    this.go.focus();
    await this.#load(step, messages - 1);
    this.#changed();
  }

  /** The text of what the step brought: its message, or the summary of its compaction. @param {number} step @param {number} place */
  async #load(step, place) {
    const path = this.#path(step, place);
    if (!path) return write(this.what, "Nothing was written here that could be edited.");
    try {
      const { content, total } = /** @type {Message} */ (await this.app.get(path));
      if (step !== this.step) return;
      if (content.length < total) return write(this.what, `The message has ${int(total)} characters: too many to edit here.`);
      this.text = this.box.value = content;
      this.box.hidden = false;
      write(
        this.what,
        `${this.app.run.step(step).compaction < 0 ? "The newest message" : "The summary"}. Edit it to change what the fork begins with:`,
      );
    } catch (error) {
      write(this.what, problemText(error));
    }
  }

  /** @param {number} step @param {number} place */
  #path(step, place) {
    const { run } = this.app;
    const { compaction } = run.step(step);
    if (compaction < 0) return pathOf(run, place);
    const summary = run.compaction(compaction).added.find((row) => row.label.startsWith("summary"));
    return summary ? pathOf(run, summary.pool) : "";
  }

  #changed() {
    const edited = this.text !== null && this.box.value !== this.text;
    write(this.go, edited ? "Fork with this text" : "Fork");
    attribute(this.box, "data-edited", edited ? "true" : null);
  }

  async #fork() {
    const edit = this.text !== null && this.box.value !== this.text ? this.box.value : null;
    this.go.disabled = true;
    write(this.wrong, await refusalOf(this.drive.order("fork", { step: this.step, edit })));
    this.go.disabled = false;
    if (this.wrong.textContent) return;
    this.node.close();
    this.app.message(`Forked ${standing(this.app.run, this.step)}. This is the new run`);
  }
}
