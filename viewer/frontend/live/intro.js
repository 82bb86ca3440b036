// What the page of a run shows before its first message: what will be where, and what to do.
import { el, visible, write } from "../lib/dom.js";
import { int } from "../lib/format.js";
/** @import { LiveRun } from "./liverun.js" */
/** @import { App } from "../debugger/app.js" */

export class Intro {
  /** @param {App} app @param {LiveRun} drive */
  constructor(app, drive) {
    this.app = app;
    this.drive = drive;
    this.limit = el("span");
    this.file = el("p", { class: "fl-file" });
    const start = el("li", {}, el("b", { text: "Start" }), " sends the task below; the agent then works until it answers.");
    const step = el("li", {}, el("b", { text: "Step" }), " sends it, too, and pauses after one model call; breakpoints (b) pause where you say.");
    this.node = el(
      "div",
      { class: "fl-intro", hidden: true },
      el("h3", { text: "Nothing sent yet" }),
      el(
        "ul",
        {},
        start,
        step,
        el("li", {}, "Here: every message the model is sent, as it arrives. Above: their tokens, call by call", this.limit, "."),
      ),
      this.file,
    );
  }

  draw() {
    const { state, empty, lost } = this.drive;
    this.node.hidden = !state || Boolean(lost) || !empty || !this.app.run;
    const limit = this.app.run?.view.policy?.limit;
    write(this.limit, limit === null || limit === undefined ? "" : `, up to the ${this.app.run.view.policy?.limitName || "limit"} of ${int(limit)}`);
    write(this.file, state?.file ? `The run is saved as ${visible(state.file)} with its first message.` : "");
  }
}
