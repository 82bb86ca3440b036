// What Why shows where nothing that it can follow was lost: that it is so, and what can be asked about.

import { attribute, button, el, visible } from "../lib/dom.js";
import { int } from "../lib/format.js";
import { newestAsked, HOW_SAID } from "../run/losswords.js";
import { changedRequests } from "../run/losttexts.js";
import { askMessage } from "./askmessage.js";
/** @import { App } from "./app.js" */
/** @import { CompactionLosses } from "../run/types.js" */

/** Messages of the user that are offered, the newest. */
const NEWEST = 5;

const SELECT = "Or select any text and press w: Why follows it.";

export class WhyOffer {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    const named = { id: "fl-why-panel", "aria-labelledby": "fl-why-tab" }; // as the panel of a text: one of the two is on the page
    this.node = el("div", { class: "fl-why-panel", role: "tabpanel", ...named, tabindex: 0, hidden: true });
    /** What is drawn. @type {unknown} */ this.drawn = null;
    this.node.addEventListener("blur", () => attribute(this.node, "data-given", null));
  }

  /** Take the keys from what was pressed elsewhere: no ring is around what nobody went to. */
  take() {
    attribute(this.node, "data-given", "true");
    this.node.focus({ preventScroll: true });
  }

  update() {
    const { offer } = this.app.lost;
    if (!offer || this.drawn === offer) return;
    this.drawn = offer;
    const { title, text, rows, k } = offer;
    this.node.replaceChildren(
      el("h2", { class: "fl-why-answer", text: title }),
      el("p", { class: "fl-why-lines", text }),
      ...this.#asks(rows, k),
      el("p", { class: "fl-osmall", text: SELECT }),
    );
  }

  /** The requests that are there only in part, else the user's newest messages. @param {CompactionLosses[]} rows @param {number} k */
  #asks(rows, k) {
    const newest = newestAsked(rows);
    const changed = newest && (k < 0 || newest.index === k) ? changedRequests(rows) : [];
    if (newest && changed.length) {
      const asks = changed.map(({ text, kind }) => this.#ask(text, HOW_SAID[kind], () => this.#follow(text.replace(/…$/, ""), newest.step)));
      return list("Still there in part or in other words", asks);
    }
    const asks = this.#typed(k).map((at) =>
      this.#ask(this.app.run.pool.row(at).preview, `message ${int(at + 1)}`, () => void askMessage(this.app, at)),
    );
    return asks.length ? list("The user's newest messages", asks) : [];
  }

  /** @param {string} text @param {string} note @param {() => void} press */
  #ask(text, note, press) {
    const quote = button("", press, { class: "fl-loss-text", "data-why": "1", title: "Why: where it went" });
    quote.append(el("q", { dir: "auto", text: visible(text) }));
    return el("li", {}, quote, el("span", { class: "fl-loss-note", text: ` ${note}` }));
  }

  /** The places of the user's newest messages: of all, or up to a compaction. @param {number} k */
  #typed(k) {
    const { run } = this.app;
    const end = k < 0 ? run.n : run.step(run.steps[k]).messages;
    /** @type {number[]} */ const found = [];
    for (let at = end - 1; at >= 0 && found.length < NEWEST; at--) if (run.pool.isTyped(at)) found.push(at);
    return found;
  }

  /** @param {string} text @param {number} step */
  #follow(text, step) {
    this.app.why.ask(text);
    this.app.pause();
    this.app.go(step);
  }
}

/** @param {string} title @param {HTMLElement[]} asks */
const list = (title, asks) => [
  el("div", { class: "fl-why-h" }, el("h3", { text: title })),
  el("ul", { class: "fl-loss-texts fl-why-asks" }, ...asks),
];
