// The clock of a compaction's story. One time at once for every part of the page: each draws the moment it is told, and when the
// show ends, at its end or before, the final picture.
import { clamp } from "../lib/ease.js";
import { storyAt } from "./shownwindow.js";
import { endTime, momentAt, paceOf, stillOf, stillTime } from "../run/story.js";
/** @import { Run } from "../run/model.js" */
/** @import { Moment, Pace, Story } from "../run/story.js" */
/** @import { App } from "./app.js" */

/**
 * What is on show: the compaction, or -1 for an attempt that failed, and the step at which it happened.
 * @typedef {{run: Run, k: number, step: number, story: Story, pace: Pace, back: boolean, moment: Moment}} Showing
 */

/** Moves by hand nearer to each other than this, in milliseconds, are shown at the quickest pace. */
const HURRY = 300;
const QUICKEST = 8;
/** How fast a compaction is told that is told alone: who asks for that wants to see how it happens. */
const SLOWLY = 0.5;
/** How long the list takes to scroll to where the story begins. */
export const LEAD = 160;

export class Show {
  constructor() {
    /** @type {Showing | null} */ this.now = null;
    /** @type {Set<() => void>} */ this.listeners = new Set();
    this.lead = 0;
    this.frame = 0;
    /** When it began; where it stands while it is paused, else -1. */ this.begun = 0;
    this.stands = -1;
    this.moved = -Infinity;
    /** The phase at whose end it stands still; null to go on to the end. @type {1 | 2 | 3 | null} */ this.last = null;
  }

  /** Call a listener at every moment, and when the show is over; gives what ends that. @param {() => void} listener */
  watch(listener) {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /**
   * Take up the story of one step to the next, at its first moment; none where nothing happens there, or too fast to be seen.
   * @param {App} app
   * @param {number} from
   * @param {number} to
   */
  begin(app, from, to) {
    const { run } = app;
    const speed = this.#speed(app);
    const step = Math.max(from, to);
    const k = run.step(step).compaction;
    const failed = k < 0 && to > from && run.failedAt(step) >= 0;
    if (Math.abs(to - from) !== 1 || app.reduced || (k < 0 && !failed)) return;
    const story = /** @type {Story} */ (storyAt(run, step));
    const pace = paceOf(story, to > from ? speed : QUICKEST);
    if (!pace) return;
    const back = to < from;
    this.lead = 0;
    this.last = null;
    this.now = { run, k, step, story, pace, back, moment: momentAt(story, pace, back ? pace.total : 0) };
  }

  /** How fast: playback as it is set; alone slowly; by hand at 1x or slower, and quickly while one key follows the other. @param {App} app */
  #speed({ playing, player, speed, follow, extension }) {
    if (player.alone) return Math.min(SLOWLY, speed);
    if (playing) return speed;
    const now = performance.now();
    const hurried = now - this.moved < HURRY && !(extension && follow);
    this.moved = now;
    return hurried ? QUICKEST : Math.min(1, speed);
  }

  /** Milliseconds from the beginning to the end. */
  get length() {
    return this.now ? this.lead + this.now.pace.total : 0;
  }

  /** Let the time go on from here. */
  start() {
    if (!this.now) return;
    this.begun = performance.now() + this.lead;
    this.stands = -1;
    this.#tick();
  }

  #tick() {
    if (!this.now || this.stands >= 0) return;
    const time = performance.now() - this.begun;
    if (this.last && time >= stillTime(this.now.story, this.now.pace, this.last)) return this.#stand(this.last);
    if (time >= this.now.pace.total) return this.end();
    this.frame = requestAnimationFrame(() => this.#tick());
    this.seek(time);
  }

  /** Go on to the moment that stands for a phase, and stand still there; with null to the end. @param {1 | 2 | 3 | null} phase */
  until(phase) {
    this.last = phase;
    this.pause(false);
  }

  /** The phase at whose end it stands still; null where it stands at none. */
  get rests() {
    return this.now && this.stands >= 0 ? this.last : null;
  }

  /** Whether it goes on by itself. */
  get moves() {
    return this.now !== null && this.stands < 0;
  }

  /** Whether it goes on by itself to what comes of it, not back. */
  get movesOn() {
    return this.moves && !this.now?.back;
  }

  /** @param {1 | 2 | 3} phase */
  #stand(phase) {
    if (!this.now) return;
    const { story, pace } = this.now;
    this.stands = stillTime(story, pace, phase);
    this.now = { ...this.now, moment: { ...stillOf(story, phase), time: this.stands } };
    for (const listener of this.listeners) listener();
  }

  /** Stand still, or go on. @param {boolean} on */
  pause(on) {
    if (!this.now || on === this.stands >= 0) return;
    cancelAnimationFrame(this.frame);
    if (on) this.stands = Math.max(0, performance.now() - this.begun);
    else {
      this.begun = performance.now() - this.stands;
      this.stands = -1;
      this.#tick();
    }
  }

  /** Go on from the end of a phase, where the next one begins: what is before it was seen. @param {1 | 2 | 3} phase */
  skip(phase) {
    if (!this.now) return;
    const time = endTime(this.now.story, this.now.pace, phase);
    this.begun = performance.now() - time;
    this.seek(time); // its first moment is not shown again until the next frame
  }

  /** Show the moment at a time; before 0 the list scrolls to where the story begins. @param {number} time  milliseconds */
  seek(time) {
    if (!this.now) return;
    const { story, pace, back } = this.now;
    this.now = { ...this.now, moment: momentAt(story, pace, back ? pace.total - Math.max(0, time) : time) };
    for (const listener of this.listeners) listener();
  }

  /** How much of the scrolling before the story is done. */
  get scrolled() {
    return this.lead ? clamp(1 + (this.now?.moment.time ?? 0) / this.lead) : 1;
  }

  /** End at once: what is on the page is the final picture. */
  end() {
    cancelAnimationFrame(this.frame);
    if (!this.now) return;
    this.now = null;
    for (const listener of this.listeners) listener();
  }
}
