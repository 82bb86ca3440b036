// From one text that the compactions lost to the next, in the order of the overview: which there are, and where Why is among them.

import { ask, known, lossesPath } from "../lib/api.js";
import { problemText } from "../lib/problem.js";
import { ALL, PAGE, pageOf } from "../run/losspages.js";
import { lostTexts } from "../run/losttexts.js";
import { askable } from "../why/text.js";
/** @import { App } from "./app.js" */
/** @import { LostText, LostTexts } from "../run/losttexts.js" */
/** @import { CompactionLosses, LossPage } from "../run/types.js" */

const LOOKING = "Looking for what was lost…";

/** Which text of how many Why is about; `here`: of those that the compaction at the cursor lost. @typedef {LostTexts & {at: number, here: boolean}} Place */

export class LostWalk {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    /** What is known of the losses of a run. @type {{tid: string, rows: CompactionLosses[]}} */ this.found = { tid: "", rows: [] };
    /** The compaction whose losses are gone through, or -1: those of all. */ this.k = -1;
    /** Whether a press waits for an answer. */ this.waits = false;
    /** The run that was asked about without a press. */ this.sought = "";
    /** Of which compaction, or of all, Why can follow no lost text. @type {{rows: CompactionLosses[], k: number}} */ this.nothing = {
      rows: [],
      k: -1,
    };
  }

  /** What is known of the run on the page. */
  get rows() {
    return this.found.tid === this.app.run.view.tid ? this.found.rows : [];
  }

  /** Where the chosen text is among those that are lost; null where it is none of them. @returns {Place | null} */
  get place() {
    const { run, step, why } = this.app;
    const text = why.chosen?.text;
    if (!text || !this.rows.length) return null;
    const here = run.step(step).compaction === this.k && this.k >= 0;
    const among = (/** @type {LostTexts} */ lost) => lost.texts.findIndex((one) => askable(one.text) === text);
    const lost = lostTexts(this.rows, here ? this.k : -1);
    return among(lost) < 0 || (!here && !this.#all) ? null : { ...lost, at: among(lost), here };
  }

  /** Whether all compactions are known: of very many nobody could follow the list. */
  get #all() {
    return this.rows.length >= this.app.run.compactions;
  }

  /**
   * Ask about the first text that a compaction lost, or that all did; where one of them is asked about already, about the next.
   * Where Why can follow none, it opens what was asked last, or says what can be asked.
   * @param {number} k  the compaction; -1: all
   * @param {1 | -1} by  to the next one, or the one before
   */
  async ask(k, by) {
    const { app } = this;
    const before = this.#where;
    if (this.waits) return;
    this.waits = true;
    if (!this.#answered(k)) app.message(LOOKING);
    const rows = await this.#learn(k)
      .catch((error) => app.message(problemText(error)))
      .finally(() => (this.waits = false));
    if (!rows || before !== this.#where) return;
    const { texts } = lostTexts(rows, k);
    const asked = texts.findIndex(({ text }) => askable(text) === app.why.chosen?.text);
    if (!texts.length) return this.#offer(rows, k);
    if (asked >= 0 && app.why.open && app.why.front) return this.turn(by);
    this.k = k;
    this.#show(texts[k < 0 ? 0 : Math.max(0, asked)]);
  }

  /** What a press is about: of an answer that comes when something else is on show nothing is made. */
  get #where() {
    const { run, step, overview, why } = this.app;
    return JSON.stringify([run?.view.tid, step, overview, why.open && why.front, why.chosen?.text ?? ""]);
  }

  /** Ask about the next of them, or the one before. @param {1 | -1} by */
  turn(by) {
    const { place } = this;
    if (!place) return;
    const { length } = place.texts;
    this.#show(place.texts[(place.at + by + length) % length]);
  }

  /** @param {CompactionLosses[]} rows @param {number} k */
  #offer(rows, k) {
    const { app } = this;
    this.#giveKeys();
    if (app.why.reopen()) return;
    this.nothing = { rows, k };
    app.why.offer();
  }

  /** The step where it went, and where it was at every other; it takes the place of one of them that is asked about. @param {LostText} lost */
  #show({ text, step }) {
    const { app } = this;
    this.#giveKeys();
    app.why.ask(text, this.place !== null);
    app.pause();
    app.go(step);
  }

  /** Learn what is lost, if the chosen text is: where Why was opened by a link, or from elsewhere. */
  async learn() {
    const { run, why, hosted } = this.app;
    const { tid, live } = run.view;
    const gone = why.chosen?.fate?.lane.some(({ state }) => state === "gone");
    if (!gone || hosted || live || this.sought === tid || this.rows.length || run.compactions > ALL) return;
    this.sought = tid;
    if (await this.#learn(-1).catch(() => null)) this.app.notify({ why: true }); // a press asks again, and says why not
  }

  /** What is lost: by all compactions, of very many or of a run that grows by those beside one. @param {number} k @returns {Promise<CompactionLosses[]>} */
  async #learn(k) {
    const { run } = this.app;
    /** @type {CompactionLosses[]} */ const rows = [];
    for (const path of this.#paths(k)) {
      /** @type {LossPage} */ const page = await ask(this.app, path);
      rows.push(...page.rows);
    }
    this.found = { tid: run.view.tid, rows };
    return rows;
  }

  /** @param {number} k */
  #answered(k) {
    return this.#paths(k).every((path) => known(path) !== undefined);
  }

  /** Where the losses are asked for. @param {number} k */
  #paths(k) {
    const { view, compactions, length } = this.app.run;
    if (compactions > ALL || view.live) return [lossesPath(view.tid, pageOf(Math.max(0, k)), view.live ? length : 0)];
    return Array.from({ length: Math.ceil(compactions / PAGE) }, (_, page) => lossesPath(view.tid, PAGE * page));
  }

  /** The overview goes behind Why, which then takes the keys. */
  #giveKeys() {
    const { overview, why, root } = this.app;
    const body = /** @type {HTMLElement | null} */ (root.querySelector(".fl-inspector .fl-ibody"));
    if (overview && !why.front) body?.focus({ preventScroll: true });
  }
}
