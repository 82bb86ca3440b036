// From one text that the compactions lost to the next, in the order of the overview. A press begins the walk; it holds while Why shows its text.

import { ask, known, lossesPath } from "../lib/api.js";
import { ALL, PAGE, pageOf } from "../run/losspages.js";
import { lostTexts } from "../run/losttexts.js";
import { listWords } from "../run/lostwords.js";
import { offerWords } from "../run/offerwords.js";
import { askable } from "../why/text.js";
/** @import { App } from "./app.js" */
/** @import { LostText } from "../run/losttexts.js" */
/** @import { CompactionLosses, LossPage } from "../run/types.js" */

const LOOKING = "Looking for what was lost…";

/** The texts that are gone through in a run, each once, `words` about all of them, and which of them Why is about. @typedef {{tid: string, texts: LostText[], words: string, at: number}} Walk */
/** That Why can follow nothing which compaction `k` lost, or all of them where it is -1. @typedef {{rows: CompactionLosses[], k: number, title: string, text: string}} Offer */

export class LostWalk {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    /** The walk that was begun last. @type {Walk | null} */ this.begun = null;
    /** What Why says where it has no text. @type {Offer | null} */ this.offer = null;
    /** The run and the text that were looked for without a press. */ this.sought = "";
  }

  /** The walk, while Why is in front with its text; else null. */
  get walk() {
    const { begun } = this;
    const { run, why } = this.app;
    return begun && why.front && run.view.tid === begun.tid && isOf(begun.texts[begun.at], why.chosen?.text) ? begun : null;
  }

  /**
   * Go through what a compaction lost, or all of them did; where one of the lost texts is in front already, go on from that one.
   * @param {number} k  the compaction; -1: all
   * @param {1 | -1} by  to the next one, or the one before
   */
  async begin(k, by) {
    const { app } = this;
    const { why } = app;
    if (!this.#answered(k)) app.message(LOOKING);
    const rows = await app.newest.answer(this.#learn(k));
    if (!rows) return;
    const goesOn = why.front && rows.length >= app.run.compactions && this.#among(rows, -1) >= 0;
    const of = goesOn ? -1 : k;
    const texts = textsOf(rows, of);
    if (!texts.length) return this.#offer(rows, k);
    const place = of < 0 && !why.front ? -1 : this.#among(rows, of);
    this.#begin(rows, of, Math.max(0, place));
    if (place >= 0 && why.front) this.turn(by);
    else this.#show();
  }

  /** Ask about the next of them, or the one before. @param {1 | -1} by */
  turn(by) {
    const { walk } = this;
    if (!walk) return;
    walk.at = (walk.at + by + walk.texts.length) % walk.texts.length;
    this.#show();
  }

  /** Where Why was opened by a link, or from elsewhere, with a text that is lost: go through all of them from there. */
  async join() {
    const { run, why, hosted } = this.app;
    const { chosen } = why;
    const gone = chosen && !chosen.stale && chosen.fate?.lane.some(({ state }) => state === "gone");
    if (!gone || this.walk || hosted || run.view.live || run.compactions > ALL || this.sought === run.view.tid + chosen.text) return;
    this.sought = run.view.tid + chosen.text;
    const rows = await this.#learn(-1).catch(() => null); // a press asks again, and says why not
    const at = rows && this.app.run === run && why.chosen === chosen && !this.walk ? this.#among(rows, -1) : -1;
    if (!rows || at < 0) return;
    this.#begin(rows, -1, at);
    this.app.notify({ why: true });
  }

  /** Where the chosen text is among the lost ones; -1 where it is none of them. @param {CompactionLosses[]} rows @param {number} k */
  #among(rows, k) {
    return textsOf(rows, k).findIndex((one) => isOf(one, this.app.why.chosen?.text));
  }

  /** @param {CompactionLosses[]} rows @param {number} k @param {number} at */
  #begin(rows, k, at) {
    const { run } = this.app;
    const texts = textsOf(rows, k);
    this.begun = { tid: run.view.tid, texts, words: listWords(run, rows, k, texts), at };
  }

  /** The step where it went, and where it was at every other; it takes the place of one of them that is asked about. */
  #show() {
    const { app, begun } = this;
    if (!begun) return;
    const { text, step } = begun.texts[begun.at];
    this.#giveKeys();
    app.why.ask(
      text,
      begun.texts.some((one) => isOf(one, app.why.chosen?.text)),
    );
    app.pause();
    app.go(step);
  }

  /** Say that there is nothing to follow; where something was asked before that stays as it is. @param {CompactionLosses[]} rows @param {number} k */
  #offer(rows, k) {
    const { app } = this;
    const words = offerWords(app.run, rows, k);
    if (app.why.lanes.length) return app.message(words.title);
    this.#giveKeys();
    this.offer = { rows, k, ...words };
    app.why.offer();
  }

  /** What is lost: by all compactions, of very many or of a run that grows by those beside one. @param {number} k @returns {Promise<CompactionLosses[]>} */
  async #learn(k) {
    /** @type {CompactionLosses[]} */ const rows = [];
    for (const path of this.#paths(k)) {
      /** @type {LossPage} */ const page = await ask(this.app, path);
      rows.push(...page.rows);
    }
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

/** Whether a text is one of the lost ones, or the request that a statement is of. @param {LostText} lost @param {string} [text] */
const isOf = (lost, text) => text !== undefined && (lost.text === text || lost.request === text);

/** The lost texts as Why asks about them, each once. @param {CompactionLosses[]} rows @param {number} k @returns {LostText[]} */
function textsOf(rows, k) {
  const texts = lostTexts(rows, k).map((one) => ({ ...one, text: askable(one.text), request: askable(one.request ?? "") }));
  return texts.filter(({ text }, i) => texts.findIndex((one) => one.text === text) === i);
}
