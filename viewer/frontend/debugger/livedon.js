// What of a message that was summarized lived on: the sentences of the summary that come from it.

import { provenancePath } from "../lib/api.js";
import { button, el } from "../lib/dom.js";
import { int, pluralize } from "../lib/format.js";
import { comingFrom } from "../why/originwords.js";
import { RestingAsker } from "../why/resting.js";
import { goToSentence, summaryWords } from "./origins.js";
/** @import { Run } from "../run/model.js" */
/** @import { Provenance } from "../why/provenance.js" */
/** @import { App } from "./app.js" */

/** Links that are shown at most. */
const MOST = 12;

/** A line for the summary that took the message, and one for the newest, each in its place before it is known. */
export class LivedOn {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.about = "";
    this.lines = [new Line(app), new Line(app)];
    this.node = el("div", {}, ...this.lines.map(({ node }) => node));
  }

  /** Another message is shown. @param {number} pool @param {{state: string, compaction: number}} place where it stands now */
  follow(pool, { state, compaction: k }) {
    const { run, step } = this.app;
    const summaries = state === "summarised" ? [k, run.step(step).epoch - 1].filter((one) => wrote(run, one)) : [];
    const asked = [...new Set(summaries)];
    const about = `${run.view.tid}/${pool}/${asked}`;
    if (about === this.about) return;
    this.about = about;
    for (const [i, line] of this.lines.entries()) line.follow(pool, asked[i] ?? -1);
  }

  drop() {
    this.about = "";
    for (const line of this.lines) line.drop();
  }
}

/** Whether a compaction wrote a summary. @param {Run} run @param {number} k */
const wrote = (run, k) => run.compaction(k).added.some((row) => row.injected === "summary");

/** One line: "2 sentences of summary #1 come from this message: 3, 6". */
class Line {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.asker = new RestingAsker(app);
    this.node = el("p", { class: "fl-pairs fl-lived", hidden: true });
  }

  /** @param {number} pool @param {number} k of the summary, or -1 */
  follow(pool, k) {
    const { view, length } = this.app.run;
    this.drop();
    this.node.hidden = k < 0;
    this.node.textContent = "\u00a0";
    if (k < 0) return;
    const draw = (/** @type {Provenance} */ answer) => this.#draw(answer, pool, k);
    this.asker.ask(provenancePath(view.tid, k, view.live ? length : 0), draw, () => (this.node.hidden = true));
  }

  drop() {
    this.asker.drop();
  }

  /** @param {Provenance} provenance @param {number} pool @param {number} k */
  #draw(provenance, pool, k) {
    const found = comingFrom(provenance, pool);
    const summary = summaryWords(this.app.run, k);
    if (!found.length) return this.node.replaceChildren(`No sentence of ${summary} comes from this message.`);
    const said = `${pluralize(found.length, "sentence")} of ${summary} ${found.length === 1 ? "comes" : "come"} from this message: `;
    const links = found.slice(0, MOST).flatMap((n, i) => [i ? ", " : "", this.#link(n, k, summary)]);
    const left = found.length - MOST;
    this.node.replaceChildren(said, ...links, left > 0 ? ` and ${int(left)} more` : "");
  }

  /** @param {number} n @param {number} k @param {string} summary */
  #link(n, k, summary) {
    const go = () => goToSentence(this.app, k, n);
    return button(int(n + 1), go, { class: "fl-link", "aria-label": `sentence ${int(n + 1)} of ${summary}` });
  }
}
