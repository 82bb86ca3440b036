// Following a live run: the cursor walks to what is new, a compaction on the way is seen to happen, and never is it more than
// about a second behind.
/** @import { App } from "../debugger/app.js" */
/** @import { Run } from "../run/model.js" */

/** Milliseconds that what has arrived may wait to be shown. */
export const BEHIND = 1000;
/** A compaction as it is told, with the way to it. */
const ANIMATED = 1800;
/** Worth beginning only with so much time. */
const ENOUGH = 700;
const STEP = 110;

/**
 * How to go on from a step: how many steps at once, whether to animate, and how long to rest after it, in milliseconds.
 * @param {Run} run
 * @param {number} step  short of the last
 * @param {number} left  milliseconds until what has waited longest must be shown
 * @returns {{steps: number, animate: boolean, rest: number}}
 */
export function stride(run, step, left) {
  const last = run.length - 1;
  const next = run.nextCompaction(step);
  const ahead = run.compactions - run.epochOf(step);
  const alone = next === last;
  if (next === step + 1) {
    const animate = alone || left / ahead >= ENOUGH;
    return { steps: 1, animate, rest: animate ? ANIMATED : 0 };
  }
  if (left <= 0) return { steps: (alone ? next - 1 : last) - step, animate: false, rest: 0 };
  const rest = Math.min(STEP, left / (last - step));
  const most = (next < 0 ? last : next - 1) - step;
  return { steps: Math.min(most, Math.max(1, Math.round(16 / Math.max(rest, 0.01)))), animate: false, rest };
}

/** Takes newer runs, and the cursor to their end. */
export class Follower {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.frame = 0;
    this.until = 0;
    this.since = 0;
    /** @type {{make: () => Run, same: boolean} | null} */ this.waiting = null;
  }

  /**
   * A run is there; it is made and shown with the next frame, or when the animation under way is over.
   * @param {() => Run} make
   * @param {boolean} same  whether it is the run on show, grown
   * @param {boolean} [anew]  whether what is on show is no longer its past: nothing of that is told on
   */
  arrive(make, same, anew = false) {
    if (anew) this.until = 0;
    this.waiting = { make, same: same && (this.waiting?.same ?? true) };
    this.since ||= performance.now();
    this.wake();
  }

  /** A compaction is told: nothing is to cut it short. @param {number} time  milliseconds that takes */
  hold(time) {
    this.until = performance.now() + time;
  }

  wake() {
    if (!this.frame) this.frame = requestAnimationFrame((now) => this.#tick(now));
  }

  /** @param {number} now */
  #tick(now) {
    this.frame = 0;
    if (now >= this.until || this.app.reduced) this.#show(now);
    if (this.waiting || this.#behind) this.wake();
    else this.since = 0;
  }

  /** @param {number} now */
  #show(now) {
    const { app, waiting } = this;
    this.waiting = null;
    if (waiting) app.setLive(waiting.make(), waiting.same);
    if (!this.#behind) return;
    if (app.reduced) return app.go(app.run.length - 1, { walked: true });
    const { steps, animate, rest } = stride(app.run, app.step, this.since + BEHIND - now);
    this.until = now + rest;
    app.go(app.step + steps, { animate, walked: true });
  }

  /** Whether the cursor has some way to go. */
  get #behind() {
    const { run, follow, step, playing } = this.app;
    return Boolean(run?.length && follow && !playing && step < run.length - 1);
  }

  stop() {
    cancelAnimationFrame(this.frame);
    this.waiting = null;
  }
}
