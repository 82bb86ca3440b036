// A change that was tried: what it is, and the way back. It stands as long as the picture is the one that was tried.

import { button, el, visible, write } from "../lib/dom.js";
/** @import { PanelHost } from "./host.js" */

/** @typedef {PanelHost["query"]} Query */

/** What an address holds whatever the policy is. */
const KEPT = ["source", "session", "lane", "meter"];

export class Tried {
  /** @param {PanelHost} app */
  constructor(app) {
    this.app = app;
    this.words = el("span");
    this.back = button("Undo", () => this.#undo(), { class: "fl-link" });
    this.node = el("p", { class: "fl-why-tried", role: "status", hidden: true }, this.words, " ", this.back);
    /** `after` is the address of the change once its picture has come. @type {{name: string, before: Query, tid: string, after: string} | null} */
    this.now = null;
  }

  /** Apply a change of the settings. @param {string} name  of the change @param {Query} change */
  begin(name, change) {
    const { query, run } = this.app;
    this.now = { name, before: query, tid: run.view.tid, after: "" };
    this.app.apply(applied(query, change));
  }

  /** Another picture may have come: the one that was tried, or another than that. */
  update() {
    const { now } = this;
    if (!now) return;
    const here = JSON.stringify(this.app.query);
    const arrives = !now.after && this.app.run.view.tid !== now.tid;
    if (arrives) now.after = here;
    if (now.after && now.after !== here) this.now = null;
    this.node.hidden = !this.now?.after;
    write(this.words, this.now?.after ? `Tried ${visible(now.name)}.` : "");
    if (arrives) this.#takeFocus();
  }

  /** The button that was pressed goes with its table: the way back takes the focus, unless that is elsewhere by now. */
  #takeFocus() {
    const { activeElement } = /** @type {ShadowRoot | Document} */ (this.node.getRootNode());
    const elsewhere = activeElement && activeElement !== document.body && !this.node.parentElement?.contains(activeElement);
    if (!elsewhere) this.back.focus({ preventScroll: true });
  }

  #undo() {
    const { before } = this.now ?? {};
    this.now = null;
    this.node.hidden = true;
    this.app.root.focus({ preventScroll: true });
    if (before) this.app.apply(before);
  }
}

/** The address with other settings: what they do not name goes. @param {Query} query @param {Query} settings @returns {Query} */
export function applied(query, settings) {
  const kept = KEPT.map((name) => [name, query[name]]);
  return Object.fromEntries([...kept, ...Object.entries(settings)].filter(([, value]) => value !== "" && value !== null && value !== undefined));
}
