// What is no row of the window, told below its last message where the list ends long before the card does: what was sent beside it and
// is not in the file, and what has left.

import { button, el, write } from "../lib/dom.js";
import { int, pluralize } from "../lib/format.js";
import { goneFrom } from "../run/ghosts.js";
import { besideUntil, hiddenLeast } from "../run/leftout.js";
import { besideWords } from "../run/midway.js";
import { hiddenAt } from "../run/recorded.js";
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
    this.beside = el("b");
    this.what = el("span");
    const also = el("p", {}, this.beside, this.what);
    this.sent = el("div", { class: "fl-goneline" }, el("span", { class: "fl-gonehatch", "aria-hidden": "true" }), also);
    const badge = el("span", { class: "fl-badge fl-is-ghost", text: "·", "aria-hidden": "true" });
    const title = "Show messages that have left the window, where they stood";
    const show = button("Show", () => app.toggle("ghosts"), { class: "fl-link", title });
    this.left = el("div", { class: "fl-goneline fl-ghost" }, badge, el("p", {}, this.words, this.tokens), show);
    this.node = el("div", { class: "fl-gone", hidden: true }, this.sent, this.left);
  }

  /** Below rows of this height, in a list of that; or nowhere. @param {number} height @param {number} view @param {boolean} told  the rows are those of the cursor */
  draw(height, view, told) {
    const { run, step, ghosts } = this.app;
    const room = told && view - height >= ROOM;
    const found = room && !ghosts ? goneFrom(run, step) : { count: 0, tokens: 0 };
    const hidden = room ? hiddenAt(run, run.window(step).arrived, run.epochOf(step), step) : 0;
    this.node.hidden = !found.count && !hidden;
    this.left.hidden = !found.count;
    this.sent.hidden = !hidden;
    if (this.node.hidden) return;
    const { sealed } = run.step(step);
    const where = sealed ? "not readable in this file" : "not in this file";
    write(this.beside, `Sent too, but ${where}, ${hiddenLeast(hidden, besideUntil(run, step))} ${hidden === 1 ? "token" : "tokens"}`);
    write(this.what, `: ${besideWords(run, run.epochOf(step), sealed)}`);
    write(this.words, `${pluralize(found.count, "message")} have left the window so far`);
    write(this.tokens, `: ${tilde(run)}${int(found.tokens)} tokens`);
    this.node.style.top = `${height + GAP}px`;
  }

  /** The room it takes below the rows. */
  get height() {
    return this.node.hidden ? 0 : GAP + this.node.offsetHeight;
  }
}
