// What was shown before a setting was changed: its curve stays on the timeline until the next step, so that one sees what a slider does.

import { held } from "../lib/pressed.js";
import { differenceWords, settingWords } from "../run/earlier.js";
/** @import { Query } from "../lib/address.js" */
/** @import { Run } from "../run/model.js" */

/** A run, and the address it was shown by. @typedef {{run: Run, query: Query}} Picture */

/** Milliseconds after which a slider that is not held has come to rest: where it goes from there is compared with where it rested. */
const REST = 700;

export class Earlier {
  /** @param {() => void} rested  told when the settings have come to rest */
  constructor(rested) {
    this.tell = rested;
    /** @type {Picture | null} */ this.before = null;
    /** @type {Picture | null} */ this.now = null;
    /** What was compared with last, when it is no longer. @type {Picture | null} */ this.past = null;
    this.rested = true;
    /** @type {ReturnType<typeof setTimeout> | undefined} */ this.timer = undefined;
  }

  /** A picture takes the place of another one. Of the same session simulated otherwise, that one stays in sight. @param {Picture} before @param {Picture} now */
  take(before, now) {
    if (before.run.view.tid === now.run.view.tid) return;
    if (!comparable(before.run, now.run)) return this.forget();
    if (this.rested || !this.before) this.before = before;
    this.now = now;
    this.rested = false;
    this.#wait();
  }

  #wait() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      if (held()) return this.#wait();
      this.rested = true;
      this.tell();
    }, REST);
  }

  /** What was shown before is compared no longer. @returns {boolean}  whether it was */
  leave() {
    clearTimeout(this.timer);
    const shown = this.before !== null;
    Object.assign(this, { past: this.before ?? this.past, before: null, now: null, rested: true });
    return shown;
  }

  /** Another session is shown. */
  forget() {
    this.leave();
    this.past = null;
  }

  /** The address of the same session before its settings were changed last; null where they were not. */
  get query() {
    return (this.before ?? this.past)?.query ?? null;
  }

  /** The run to compare with; null where there is none, and where the settings are what they were. */
  get run() {
    const { before, now } = this;
    return before && now && before.run.view.tid !== now.run.view.tid ? before.run : null;
  }

  /** What has changed, and what the curve of before is. @returns {string[]} */
  get words() {
    const { before, now, run } = this;
    if (!run || !before || !now) return [];
    const setting = settingWords(before.query, now.query);
    return [differenceWords(run, now.run), `dashes: before${setting && `, ${setting}`}`];
  }
}

/** Whether two runs are simulations of the same messages, counted alike. @param {Run} before @param {Run} now */
const comparable = (before, now) => before.store === now.store && [before, now].every(({ view, length }) => view.kind === "simulate" && length > 0);
