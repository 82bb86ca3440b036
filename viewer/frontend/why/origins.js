// Where the summary on show comes from: asked for once its card has rested, and the sentence that is chosen.

import { known, provenancePath } from "../lib/api.js";
import { nextOf } from "./originwords.js";
import { RestingAsker } from "./resting.js";
/** @import { Run } from "../run/model.js" */
/** @import { Choice, Provenance, Verdict } from "./provenance.js" */

/** @typedef {import("./resting.js").Moving & {run: Run, step: number}} Debugger */

/** @type {WeakMap<object, Origins>} */
const all = new WeakMap();

/** Those of a debugger. @param {Debugger} app @returns {Origins} */
export function originsOf(app) {
  const found = all.get(app) ?? new Origins(app);
  all.set(app, found);
  return found;
}

/** Parts draw it, and change it through its commands alone. */
export class Origins {
  /** @param {Debugger} app @param {{rest?: number, held?: () => boolean}} [how] */
  constructor(app, how) {
    this.app = app;
    this.asker = new RestingAsker(app, how);
    this.tid = "";
    /** The compaction whose card is on show, or -1. */ this.k = -1;
    this.path = "";
    /** What is known of it. @type {Provenance | null} */ this.answer = null;
    /** Why nothing is known, else "". */ this.failed = "";
    /** The sentence that was chosen last. @type {Choice | null} */ this.choice = null;
    /** Whether the chosen sentence has yet to be brought into view. */ this.reveals = false;
    /** @type {Set<() => void>} */ this.listeners = new Set();
  }

  /** Call a listener at every change; gives a function that ends it. @param {() => void} listener */
  watch(listener) {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** The card of a compaction is on show. @param {number} k */
  follow(k) {
    const { view, length } = this.app.run;
    if (k === this.k && view.tid === this.tid) return;
    Object.assign(this, { k, tid: view.tid, path: provenancePath(view.tid, k, view.live ? length : 0) });
    this.#become({ answer: known(this.path) ?? null, failed: "" });
    if (!this.answer) this.#ask();
  }

  /** No card is on show. */
  leave() {
    this.asker.drop();
    Object.assign(this, { k: -1, path: "", answer: null, failed: "" });
  }

  /** Ask again about what failed. */
  retry() {
    this.#become({ failed: "" });
    this.#ask();
  }

  #ask() {
    const then = (/** @type {Provenance} */ answer) => this.#become({ answer, failed: "" });
    this.asker.ask(this.path, then, (failed) => this.#become({ failed }));
  }

  /** The chosen sentence, while the cursor is where it was chosen; else null. */
  get chosen() {
    const { choice, app } = this;
    return choice && choice.tid === app.run.view.tid && choice.step === app.step ? choice : null;
  }

  /** The number of the chosen sentence of this card, from 0; -1 where none is. */
  get at() {
    return this.chosen?.k === this.k ? this.chosen.n : -1;
  }

  /** Choose a sentence of this card. @param {number} n from 0 @param {boolean} [reveals] whether it is brought into view and gets the focus */
  choose(n, reveals = false) {
    const sentence = this.answer?.sentences[n];
    if (!sentence) return;
    const { tid, k } = this;
    this.#become({ choice: { tid, k, n, step: this.app.step, sentence }, reveals });
  }

  /** Choose the next sentence of a verdict. @param {Verdict} verdict */
  next(verdict) {
    const n = nextOf(this.answer?.sentences ?? [], verdict, this.at);
    if (n >= 0) this.choose(n, true);
  }

  /** Let go of the chosen sentence; says whether there was one. */
  clear() {
    const { chosen } = this;
    if (chosen) this.#become({ choice: null, reveals: false });
    return chosen !== null;
  }

  /** @param {Partial<Origins>} change */
  #become(change) {
    Object.assign(this, change);
    for (const listener of this.listeners) listener();
  }

  stop() {
    this.asker.drop();
    this.listeners.clear();
  }
}
