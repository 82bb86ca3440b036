// What has left the window, told below its last message where the list ends long before the card does.

import { button, el, write } from "../lib/dom.js";
import { int, pluralize } from "../lib/format.js";
import { goneFrom } from "../run/ghosts.js";
import { tilde } from "../run/sections.js";
/** @import { App } from "./app.js" */

/** Pixels that the list has to leave free. */
const ROOM = 84;
/** Pixels between the last message and this. */
const GAP = 12;

export class Gone {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.words = el("b");
    this.tokens = el("span");
    const badge = el("span", { class: "fl-badge fl-is-ghost", text: "·", "aria-hidden": "true" });
    const title = "Show messages that have left the window, where they stood";
    const show = button("Show", () => app.toggle("ghosts"), { class: "fl-link", title });
    this.node = el("div", { class: "fl-gone fl-ghost", hidden: true }, badge, el("p", {}, this.words, this.tokens), show);
  }

  /** Below rows of this height, in a list of that; or nowhere. @param {number} height @param {number} view @param {boolean} told  the rows are those of the cursor */
  draw(height, view, told) {
    const { run, step, ghosts } = this.app;
    const found = told && !ghosts && view - height >= ROOM ? goneFrom(run, step) : { count: 0, tokens: 0 };
    this.node.hidden = !found.count;
    if (!found.count) return;
    write(this.words, `${pluralize(found.count, "message")} left the window`);
    write(this.tokens, `: ${tilde(run)}${int(found.tokens)} tokens`);
    this.node.style.top = `${height + GAP}px`;
  }
}
