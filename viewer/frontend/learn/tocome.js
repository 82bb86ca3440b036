// The messages that are still to come, pale below the window at a step that only tells: what a run will hold is seen before it grows.

import { RowView } from "../debugger/row.js";
import { el } from "../lib/dom.js";
import { HEADING, ROW } from "../run/layout.js";
/** @import { App } from "../debugger/app.js" */

export class ToCome {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.node = el("div", { class: "fl-to-come", "aria-hidden": "true", hidden: true });
    this.scroller = app.root.querySelector(".fl-slot-window .fl-scroll");
    this.scroller?.append(this.node);
  }

  /** Draw those for which the window leaves room, or none. @param {boolean} wanted */
  draw(wanted) {
    const { run, step } = this.app;
    const top = this.#end();
    const room = Math.floor(((this.scroller?.clientHeight ?? 0) - top - HEADING) / ROW);
    const first = wanted && run ? run.step(step).messages : 0;
    const count = first && run ? Math.min(room, run.n - first) : 0;
    this.node.hidden = count <= 0;
    const rows = Array.from({ length: Math.max(0, count) }, (_, k) => this.#row(first + k, top + HEADING + k * ROW));
    const heading = el("h3", { text: "still to come" });
    heading.style.transform = `translateY(${top}px)`;
    this.node.replaceChildren(heading, ...rows);
  }

  /** Where the window's last row ends. */
  #end() {
    const rows = /** @type {HTMLElement[]} */ ([...(this.scroller?.querySelectorAll(".fl-row[data-pool]") ?? [])]);
    return Math.max(0, ...rows.map((row) => Number(/translateY\(([-\d.]+)px/.exec(row.style.transform)?.[1] ?? 0) + ROW));
  }

  /** @param {number} place @param {number} y */
  #row(place, y) {
    const { pool } = this.app.run;
    const view = new RowView();
    const row = pool.row(place);
    view.fill({ ...row, region: "message" }, row.tokens);
    for (const name of view.node.getAttributeNames()) if (name !== "class") view.node.removeAttribute(name);
    view.node.className = view.node.className.replace("fl-row", "fl-picture");
    view.node.style.transform = `translateY(${y}px)`;
    return view.node;
  }
}
