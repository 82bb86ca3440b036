// Playback: all in the browser, one step or several a frame. At 1× and slower it rests at each phase of a compaction as long as its
// sentence takes to be read.

import { namesNothing } from "../run/effect.js";
import { figures } from "../run/compactionfigures.js";
import { phaseSentence } from "../run/phasesentences.js";
import { storyAt, takenApart } from "./shownwindow.js";
/** @import { Run } from "../run/model.js" */
/** @import { Phase } from "../run/types.js" */
/** @import { App } from "./app.js" */

const STEPS_A_SECOND = 2;
const ANIMATED_UP_TO = 60;
const HOLD = 400; // milliseconds at 1x that what a compaction left is looked at
/** The fastest speed at which it rests at phases. */
const READ_AT = 1;
/** Steps between two compactions from which on it rests at the second one: of many in a row nobody reads each. */
const APART = 8;
/** Milliseconds that words take to be found, that each of their letters takes to be read, and that are enough for any sentence. */
const FOUND = 1000;
const LETTER = 35;
const ENOUGH = 5000;

/** Milliseconds that words take to be read. @param {string} words @param {number} enough  for any */
export const timeToRead = (words, enough) => Math.min(enough, FOUND + LETTER * words.length);

export class Player {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.frame = 0;
    this.due = 0;
    /** Milliseconds that it still rests, by the clock: no change of speed makes it longer. */ this.rest = 0;
    this.last = 0;
    /** The step of the compaction that is told phase by phase, and the phase that it comes to or rests at. @type {{at: number, phase: Phase} | null} */ this.telling =
      null;
    /** Whether playback ends with that compaction. */ this.alone = false;
  }

  start() {
    const { app } = this;
    if (app.playing || !app.run?.length) return;
    const apart = takenApart(app);
    if (!apart && app.step >= app.run.length - 1) app.go(0);
    this.telling = apart && { at: app.step, phase: apart.phase };
    this.rest = 0;
    this.#run(this.telling ? 1 : 0);
  }

  /** Tell what happened at a step phase by phase, from its beginning, and stop there. @param {number} step */
  tell(step) {
    const { app } = this;
    this.stop();
    app.show.end();
    if (app.step !== step) app.go(step);
    this.alone = true;
    app.playing = true;
    this.#begin(step);
    this.#run(this.due);
  }

  /** @param {number} due  steps that are due at once */
  #run(due) {
    const { app } = this;
    app.playing = true;
    this.due = due;
    this.last = performance.now();
    app.notify({ playing: true });
    this.frame = requestAnimationFrame((now) => this.tick(now));
  }

  stop() {
    cancelAnimationFrame(this.frame);
    this.hold();
    this.telling = null;
    this.alone = false;
    if (!this.app.playing) return;
    this.app.playing = false;
    this.app.notify({ playing: true });
  }

  /** The phase that is being told stands still: something else is looked at or asked for. */
  hold() {
    const { app, telling } = this;
    if (!telling || !app.show.now) return;
    if (telling.phase < 4) app.highlights.set({ phase: telling.phase, at: telling.at }); // before the clock ends, or its end would be drawn as the final picture
    app.show.end();
  }

  /** @param {number} now */
  tick(now) {
    this.frame = requestAnimationFrame((next) => this.tick(next));
    const passed = Math.min(250, now - this.last); // a tab that slept does not leap
    this.last = now;
    if (this.telling && this.app.show.moves) return; // it rests once that has come to an end
    const awake = passed - this.rest;
    this.rest = Math.max(0, -awake);
    if (awake < 0) return;
    const rate = STEPS_A_SECOND * this.app.speed;
    this.due += (awake / 1000) * rate;
    const whole = Math.floor(this.due);
    if (whole < 1) return;
    this.due -= whole;
    this.advance(whole, rate);
  }

  /** @param {number} steps @param {number} rate */
  advance(steps, rate) {
    const { app } = this;
    if (this.#onward()) return;
    if (this.#rests(app.step + 1)) return this.#begin(app.step + 1);
    app.go(app.step + steps, { animate: rate <= ANIMATED_UP_TO });
    if (app.show.now) Object.assign(this, { due: 0, rest: app.show.length + HOLD / app.speed });
    if (app.step >= app.run.length - 1) this.stop();
  }

  /** Whether playback rests at each phase of what happens at a step. @param {number} step */
  #rests(step) {
    const { run, speed, hosted } = this.app;
    const k = step < run.length ? run.step(step).compaction : -1;
    if (k < 0 || hosted || speed > READ_AT || run.view.policy?.effect === "view" || !hasPhases(run, k)) return false;
    return k === 0 || step - run.steps[k - 1] >= APART;
  }

  /** Tell the first phase of what happens at a step. @param {number} at */
  #begin(at) {
    const { app } = this;
    app.highlights.set({ phase: null, at: -1 });
    if (app.step !== at - 1) app.go(at - 1, { jump: false, scrubbed: true }); // its card stays
    app.show.moved = -Infinity; // as one who has waited: at the chosen pace
    this.telling = { at, phase: 1 };
    app.go(at, { animate: true, jump: false });
    this.#tell(1);
  }

  /** The next phase of what is told; says whether there is one. */
  #onward() {
    const { app, telling, alone } = this;
    if (telling && app.step === telling.at && telling.phase < 4 && storyAt(app.run, app.step)) {
      this.#tell(/** @type {Phase} */ (telling.phase + 1));
      return true;
    }
    this.telling = null;
    if (telling) app.highlights.set({ phase: null, at: -1 });
    if (alone) this.stop();
    return alone;
  }

  /** Tell a phase; where nothing moves it is a still. @param {Phase} phase */
  #tell(phase) {
    const { app } = this;
    const at = app.step;
    this.telling = { at, phase };
    if (app.show.now) app.show.until(phase < 4 ? /** @type {1 | 2 | 3} */ (phase) : null);
    else app.highlights.set({ phase, at });
    const words = phaseSentence(app.run, at, app.run.step(at).compaction, phase);
    this.rest = timeToRead(words, ENOUGH);
    this.due = 1; // it goes on as soon as it has rested
  }
}

/** Whether there is something to tell of each phase of compaction k. @param {Run} run @param {number} k */
export function hasPhases(run, k) {
  const { edit, begins } = figures(run, k);
  return !edit && !begins && !namesNothing(run, k);
}
