// Which of the user's requests nothing says any more, or only in other words, and which messages are no requests: a list that a sentence of the
// overview about them opens.

import { attribute, button, el, write } from "../lib/dom.js";
import { int } from "../lib/format.js";
import { nameOf } from "../run/compactionfigures.js";
import { alsoReworded, COUNTED, followedOf, HOW_SAID } from "../run/losswords.js";
import { stepName } from "../run/places.js";
import { lossQuote } from "./lossquote.js";
/** @import { App } from "./app.js" */
/** @import { AskedOf, CompactionLosses, Loss } from "../run/types.js" */

/** What a count of requests leaves open. */
const LEFT_OPEN =
  "A word match tells what is gone and what is there: a summary may say it in words of its own. A request that was answered may be left out with good reason.";

const DONE_WITH = `${COUNTED} A request is gone where no sentence of a summary in the window has enough of its words, the rare ones counting most. ${LEFT_OPEN}`;

export class RequestList {
  /** @param {App} app @param {(step: number) => void} go  moves the cursor @param {(text: Pick<Loss, "followed" | "at">, step: number) => void} why @param {string} [id]  of the list */
  constructor(app, go, why, id = "fl-requests") {
    this.app = app;
    this.go = go;
    this.why = why;
    /** Whether somebody opened it: it stays so for the next run. */ this.open = false;
    /** The sentence. */ this.head = button("", () => this.#toggle(), {
      class: "fl-requests-head",
      "aria-expanded": "false",
      "aria-controls": id,
      title: DONE_WITH,
    });
    this.words = el("span");
    this.head.append(el("i", { "aria-hidden": "true" }), this.words);
    this.list = el("div", { id, class: "fl-requests", hidden: true });
  }

  /** The requests as a compaction left them, under a sentence about them; none where there is no such compaction. @param {CompactionLosses | undefined} row @param {string} words */
  show(row, words) {
    write(this.words, words);
    this.list.hidden = !row || !this.open;
    if (!row) return;
    attribute(this.head, "title", row.requests.gone ? DONE_WITH : `${COUNTED} ${LEFT_OPEN}`);
    const { listed, kept = [], of, others = [], uncounted = {} } = row.requests;
    const about = `As ${nameOf(this.app.run, row.index)} left them. ${COUNTED} ${alsoReworded(row.requests)}${LEFT_OPEN}`;
    const asked = [...listed, ...kept].sort((a, b) => a.at - b.at);
    this.#fill(row.step, about, asked, of);
    if (!others.length) return;
    const all = Object.values(uncounted).reduce((sum, count) => sum + count, 0);
    this.list.append(el("p", { class: "fl-osmall", text: "Not counted as requests:" }), this.#rows(row.step, others, all));
  }

  /** The requests that a compaction took, under a sentence about them. @param {CompactionLosses} row @param {string} words */
  showTook({ step, requests: { took = [], here } }, words) {
    write(this.words, words);
    this.#fill(step, LEFT_OPEN, took, here[0]);
  }

  /** @param {number} step  of the compaction @param {string} about @param {AskedOf[]} listed @param {number} of  how many there are */
  #fill(step, about, listed, of) {
    this.list.replaceChildren(el("p", { class: "fl-osmall", text: about }), ...(of ? [this.#rows(step, listed, of)] : []));
  }

  /** @param {number} step  of the compaction @param {AskedOf[]} listed @param {number} of  how many there are */
  #rows(step, listed, of) {
    const left = of - listed.length;
    const rest = left > 0 ? [el("li", { class: "fl-none", text: `and ${int(left)} more` })] : [];
    return el("ul", {}, ...listed.map((asked) => this.#row(asked, step)), ...rest);
  }

  #toggle() {
    this.open = !this.open;
    this.list.hidden = !this.open;
    attribute(this.head, "aria-expanded", String(this.open));
  }

  /** Where a request is, what became of it, and how it begins. @param {AskedOf} asked @param {number} step  of the compaction that left it so */
  #row(asked, step) {
    const { at, kind, text } = asked;
    const followed = followedOf(asked);
    const { run } = this.app;
    const arrived = run.stepOfMessage(at);
    const place = button(stepName(run, arrived), () => this.go(arrived), { class: "fl-link" });
    const needed = asked.needed_at ?? -1;
    const of = { needed: needed >= 0 };
    const quote = text ? lossQuote(text, followed, () => this.why({ followed, at }, step), of) : ""; // a picture alone has no words
    const note = `${HOW_SAID[kind]}${needed < 0 ? "" : `, but needed again at ${stepName(run, needed)}`}`;
    return el("li", { "data-kind": kind }, el("span", {}, place, el("span", { class: "fl-loss-note", text: note })), quote);
  }
}
