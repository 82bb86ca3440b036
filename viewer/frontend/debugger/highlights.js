// What the window and the inspector share beside the app's own state: which phase of a compaction is shown, the other half of
// a tool pair, what the chosen finding is about, and the message that has a text because of the change that is tried.
/** @import { Phase } from "../run/types.js" */
/** @import { Told } from "./toldrow.js" */

/** The phase is one of what happened at step `at`; `pairs` and `about` are pool indexes. @typedef {{phase: Phase | null, at: number, pairs: number[], about: number[], kept: Told | null}} Highlight */

export class Highlights {
  constructor() {
    /** @type {Highlight} */ this.now = { phase: null, at: -1, pairs: [], about: [], kept: null };
    /** @type {Set<() => void>} */ this.listeners = new Set();
  }

  /** Call a listener at every change; gives what ends that. @param {() => void} listener */
  watch(listener) {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Change some of them; calls the listeners if anything is different. @param {Partial<Highlight>} change */
  set(change) {
    const next = { ...this.now, ...change };
    if (JSON.stringify(next) === JSON.stringify(this.now)) return;
    this.now = next;
    for (const listener of this.listeners) listener();
  }
}
