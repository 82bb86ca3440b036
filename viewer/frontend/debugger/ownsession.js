// On a sample, below the overview: the way to a session of one's own.

import { chooseFiles } from "../lib/drop.js";
import { button, el } from "../lib/dom.js";
/** @import { App } from "./app.js" */

export class OwnSession {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    const open = button("Open your own session…", () => chooseFiles(app), { class: "fl-link" });
    this.node = el(
      "div",
      { class: "fl-own", hidden: true },
      el("span", { class: "fl-roomy", text: "This is a sample. " }),
      open,
      " or drop its file here.",
    );
  }

  /** Stand below the overview of a sample. */
  update() {
    const { app } = this;
    const sample = String(app.query.source ?? "").startsWith("sample:");
    this.node.hidden = !(app.overview && sample) || app.alone || app.hosted || Boolean(app.extension);
  }
}
