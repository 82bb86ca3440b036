// The window before and after a compaction, to scale, folded up in its card: there it is however many rows the window has.

import { el } from "../lib/dom.js";
import { hasColumns } from "../run/scaleparts.js";
import { ToScale } from "./toscale.js";
/** @import { App } from "./app.js" */

export class ScaleFold {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.k = -1;
    this.picture = new ToScale(app);
    this.node = el(
      "details",
      { class: "fl-tsfold" },
      el("summary", {}, "Before and after", el("span", { class: "fl-tsways", text: ", to scale" })),
      this.picture.node,
    );
    this.node.addEventListener("toggle", () => this.#draw());
    new ResizeObserver(() => this.#draw()).observe(this.node);
  }

  /** Of compaction k; nothing where the file does not tell what it changed, and in a lesson, which asks that. @param {number} k */
  show(k) {
    this.k = k;
    this.node.hidden = this.app.hosted || !hasColumns(this.app.run, k);
    if (this.node.isConnected) this.#draw();
  }

  #draw() {
    const { node } = this;
    if (node.hasAttribute("open") && !node.hidden && this.k >= 0) this.picture.place(this.k);
  }
}
