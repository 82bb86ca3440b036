// Playback in front of a room: → is pressed again and again, each time when the slide that it led to could be read.

import { timeToRead } from "./player.js";
import { takenApart } from "./shownwindow.js";
/** @import { App } from "./app.js" */
/** @import { SlideCard } from "./slidecard.js" */

/** Milliseconds that are enough for any slide. */
const ENOUGH = 8000;

/** `press` leads on, `again` to the beginning; `sought` says whether it is not known yet what a press leads to, `changed` hears when it starts or stops, `rested` which part of its time the slide has stood. @typedef {{press: () => void, again: () => void, sought: () => boolean, changed: () => void, rested: (part: number) => void}} Told */

export class RoomPlayer {
  /** @param {App} app @param {SlideCard} card @param {Told} told */
  constructor(app, card, told) {
    this.app = app;
    this.card = card;
    this.told = told;
    this.on = false;
    this.frame = 0;
    this.last = 0;
    /** Milliseconds that the slide has stood. */ this.stood = 0;
    /** Milliseconds that it takes to be read; null until it is laid out for that. @type {number | null} */ this.takes = null;
    /** The step that the last press led to. */ this.at = -1;
    /** Whether nothing was pressed yet. */ this.begins = false;
    /** Whether it ends with the compaction at the cursor. */ this.alone = false;
  }

  /** @param {boolean} [alone]  only to the end of the compaction at the cursor, whose first phase is there to be read */
  start(alone = false) {
    Object.assign(this, { on: true, alone, begins: !alone, at: this.app.step, stood: alone ? 0 : Infinity, last: performance.now() });
    this.frame = requestAnimationFrame((now) => this.#tick(now));
    this.told.changed();
  }

  /** The slide has other words. */
  drawn() {
    this.takes = null;
  }

  stop() {
    if (!this.on) return;
    this.destroy();
    this.told.changed();
  }

  destroy() {
    this.on = false;
    cancelAnimationFrame(this.frame);
  }

  /** A press has led nowhere: the first one begins anew; says whether one of these did. */
  ends() {
    if (!this.on) return false;
    if (this.begins) this.told.again();
    else this.stop();
    return true;
  }

  /** @param {number} now */
  #tick(now) {
    const { app, told, card } = this;
    if (app.step !== this.at) return this.stop(); // a person has led elsewhere
    this.frame = requestAnimationFrame((next) => this.#tick(next));
    const passed = Math.min(250, now - this.last); // a tab that slept does not leap
    this.last = now;
    if (app.show.moves || told.sought()) return;
    if (this.alone && !takenApart(app)) return this.stop();
    this.stood += passed;
    this.takes ??= timeToRead(card.root.innerText, ENOUGH);
    const part = this.stood / (this.takes / Math.max(1, app.speed));
    told.rested(part < 1 ? part : 0);
    if (part < 1) return;
    this.stood = 0;
    told.press();
    Object.assign(this, { at: app.step, begins: false });
  }
}
