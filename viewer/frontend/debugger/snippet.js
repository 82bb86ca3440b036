// What the shown hit of find says around the text: one line, the text marked in it. Of calls that are looked for it is how the message begins.

import { Asker, snippetPath } from "../lib/api.js";
import { attribute, el, visible } from "../lib/dom.js";
import { callsIn } from "../run/called.js";
import { compactionOf, header, rowOf } from "../run/sections.js";
import { ADDED } from "../run/pool.js";
/** @import { App } from "./app.js" */

/** The part of a message, where it is not what the message says. @type {Record<string, string>} */
const PARTS = { thinking: "thinking: ", name: "name: ", call: "tool call: " };

/** A text on one line. @param {string} text */
const oneLine = (text) => visible(text.replace(/\s+/g, " "));

/** @typedef {{part: string, before: string, match: string, after: string}} Found */

/** The text, and what stands before and after it: the styles cut these two where there is no room, and leave the text whole. @param {Found} found */
function around({ part, before, match, after }) {
  const front = el("span", { class: "fl-before" }, el("span", { text: oneLine(before) }));
  const back = el("span", { class: "fl-after", text: oneLine(after) });
  return [PARTS[part] ?? "", el("bdi", { class: "fl-around" }, front, el("mark", { text: oneLine(match) }), back)];
}

export class Snippet {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.asker = new Asker(app);
    this.node = el("div", { class: "fl-snippet", hidden: true });
    this.path = "";
  }

  /** Show that of a hit, once it is here; none for -1. @param {number} pool */
  show(pool) {
    const path = pool < 0 ? "" : this.#path(pool);
    if (path === this.path) return;
    this.path = path;
    attribute(this.node, "hidden", !path);
    this.asker.drop();
    if (!path) return this.node.replaceChildren();
    if (callsIn(this.app.findQuery)) return this.node.replaceChildren(el("bdi", {}, visible(rowOf(this.app.run, pool).preview)));
    this.node.replaceChildren(" ");
    this.asker.ask(
      path,
      (/** @type {Found} */ found) => this.node.replaceChildren(...around(found)),
      () => attribute(this.node, "hidden", true),
    );
  }

  /** @param {number} pool */
  #path(pool) {
    const { run, findQuery } = this.app;
    const c = pool < run.n ? -1 : compactionOf(run, pool);
    const at = c < 0 ? String(pool) : `${c}/${pool - ADDED - run.firstAdded[c]}`;
    return snippetPath(header(run).sid, findQuery ?? "", run.view.tid, at);
  }
}
