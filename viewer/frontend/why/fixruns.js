// What would have kept a text, as it streams in: one question at a time, and what was answered is kept.

/** @import { Fix, FixLine } from "./types.js" */
/** @import { WhyStore } from "./store.js" */

/** What is known so far of one question; it grows as the answer comes. @typedef {{rows: Fix[], progress: [number, number] | null, done: boolean, note: string, failed: string}} FixRun */

/** Milliseconds that a question stands before it is asked: the cursor may go on. */
const REST = 250;
/** Answers that are kept. */
const KEPT = 24;
/** The answers to questions that are done with, the oldest first: a page that is come back to has them. @type {Map<string, FixRun>} */
const kept = new Map();

export class FixRuns {
  /** @param {() => WhyStore} store @param {() => void} changed @param {number} [rest] */
  constructor(store, changed, rest = REST) {
    this.store = store;
    this.changed = changed;
    this.rest = rest;
    this.key = "";
    /** @type {FixRun | null} */ this.now = null;
    this.timer = 0;
    this.halt = () => {};
  }

  /**
   * Ask what would have kept a text up to a step, unless that is asked or known already; null asks nothing.
   * @param {{text: string, step: number} | null} wanted
   */
  want(wanted) {
    const key = wanted ? JSON.stringify([this.store().tid, wanted.text, wanted.step]) : "";
    if (key === this.key) return;
    this.stop();
    this.key = key;
    this.now = kept.get(key) ?? null;
    if (!wanted || this.now) return;
    this.now = { rows: [], progress: null, done: false, note: "", failed: "" };
    this.timer = setTimeout(() => this.#ask(wanted, key), this.rest);
  }

  /** Ask again what failed. */
  again() {
    this.key = "";
    this.want(this.asked ?? null);
    this.changed();
  }

  /** @param {{text: string, step: number}} wanted @param {string} key */
  #ask(wanted, key) {
    const why = this.store();
    const lane = why.lanes.findIndex(({ text }) => text === wanted.text);
    if (lane < 0) return;
    this.asked = wanted;
    this.halt = why.fixes(lane, wanted.step, (line) => {
      if (key !== this.key || !this.now) return;
      Object.assign(this.now, read(this.now, line));
      if (this.now.done && !this.now.failed) this.#keep(key, this.now);
      this.changed();
    });
  }

  /** @param {string} key @param {FixRun} run */
  #keep(key, run) {
    kept.set(key, run);
    for (const oldest of [...kept.keys()].slice(0, -KEPT)) kept.delete(oldest);
  }

  /** Nobody looks any more: the work ends. A list that somebody still has says so. */
  stop() {
    clearTimeout(this.timer);
    this.halt();
    if (this.now && !this.now.done) Object.assign(this.now, { done: true, note: "The search stopped here; Undo starts it again." });
    this.halt = () => {};
    this.key = "";
    this.now = null;
  }
}

/** @param {FixRun} run @param {FixLine} line @returns {Partial<FixRun>} */
function read({ rows }, { progress, row, done, note = "", failed = "" }) {
  if (failed) return { done: true, failed };
  if (row) return { rows: [...rows, row] };
  return done ? { done, note } : progress ? { progress } : {};
}
