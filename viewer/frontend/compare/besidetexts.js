// What compactions put into the window of each lane, side by side.

import { ask } from "../lib/api.js";
import { dialogOf } from "../lib/dialog.js";
import { el } from "../lib/dom.js";
import { int, pluralize } from "../lib/format.js";
import { problemText } from "../lib/problem.js";
import { failure } from "../lib/text.js";
import { awaitedText, contentOf, pathOf } from "../message/body.js";
import { MarkdownSwitch } from "../message/reading.js";
import { rowOf, tildeAdded } from "../run/sections.js";
import { writtenBy } from "../run/writtenby.js";
import { lanesIn } from "./sets.js";
import { LETTERS, laneName } from "./words.js";
/** @import { Message } from "../message/types.js" */
/** @import { Run } from "../run/model.js" */
/** @import { Compare } from "./app.js" */

export class BesideTexts {
  /** @param {Compare} app */
  constructor(app) {
    this.app = app;
    this.lanes = el("div", { class: "fl-beside" });
    this.markdown = new MarkdownSwitch(() => this.#draw());
    this.node = dialogOf("Summaries side by side", "fl-beside-texts", this.lanes);
    this.title = /** @type {HTMLElement} */ (this.node.querySelector("h2"));
    this.title.after(this.markdown.node);
    this.node.addEventListener("close", () => (app.reader.key ? app.windows.list.focus() : app.root.focus({ preventScroll: true })));
  }

  open() {
    if (this.node.open) return;
    const { app } = this;
    if (!app.difference().added.length) return app.message("No window has a summary here");
    this.title.textContent = `Summaries after message ${int(app.at)}`;
    this.#draw();
    this.node.showModal();
    /** @type {HTMLElement} */ (this.lanes.querySelector(".fl-ibody")).focus({ preventScroll: true }); // the arrow keys scroll it
  }

  #draw() {
    const { app } = this;
    this.lanes.replaceChildren(...app.shown.map((lane, k) => this.#lane(lane, k)));
    this.markdown.show("said", "text");
  }

  /** What the window of a lane has from compactions. @param {number} lane @param {number} k  which of those compared it is */
  #lane(lane, k) {
    const { app } = this;
    const run = app.runs[lane];
    const pools = app.difference().added.flatMap(({ mask, pools }) => (lanesIn(mask).includes(k) ? [pools[k]] : []));
    const name = laneName(app.board.lanes[lane], run.compactions);
    const head = el("h3", {}, el("b", { class: "fl-letter", text: LETTERS[lane] }), " ", name);
    const texts = pools.flatMap((pool) => this.#text(run, pool));
    const none = el("p", { class: "fl-none", text: "Its window has no summary." });
    if (texts.length) head.append(el("span", { class: "fl-none", text: writtenBy(run, true) }));
    const body = el("div", { class: "fl-ibody fl-inspector", tabindex: "0", role: "region", "aria-label": `${LETTERS[lane]}, ${name}` });
    body.append(...(texts.length ? texts : [none]));
    return el("section", {}, head, body);
  }

  /** A summary with its size, and its text once it has come. @param {Run} run @param {number} pool */
  #text(run, pool) {
    const row = rowOf(run, pool);
    const size = row.sealed ? "size unknown" : `${tildeAdded(run)}${pluralize(row.tokens, "token")}`;
    const node = el("div", {}, awaitedText(row));
    const fill = () =>
      ask(this.app, pathOf(run, pool)).then(
        (/** @type {Message} */ message) => node.replaceChildren(...contentOf(this.app, run, pool, message, "")),
        (/** @type {Error} */ error) => node.replaceChildren(failure(problemText(error), fill)),
      );
    void fill();
    return [el("h4", { class: "fl-was", text: `${row.label || row.role} · ${size}` }), node];
  }
}
