// Playback: all in the browser, one step or several a frame.
/** @import { App } from "./app.js" */

const STEPS_A_SECOND = 2;
const ANIMATED_UP_TO = 60;
const HOLD = 400; // milliseconds at 1x that what a compaction left is looked at

export class Player {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.frame = 0;
    this.due = 0;
    this.last = 0;
  }

  start() {
    const { app } = this;
    if (app.playing || !app.run?.length) return;
    if (app.step >= app.run.length - 1) app.go(0);
    app.playing = true;
    this.due = 0;
    this.last = performance.now();
    app.notify({ playing: true });
    this.frame = requestAnimationFrame((now) => this.tick(now));
  }

  stop() {
    cancelAnimationFrame(this.frame);
    if (!this.app.playing) return;
    this.app.playing = false;
    this.app.notify({ playing: true });
  }

  /** @param {number} now */
  tick(now) {
    const { app } = this;
    this.frame = requestAnimationFrame((next) => this.tick(next));
    const rate = STEPS_A_SECOND * app.speed;
    this.due += Math.min(0.25, (now - this.last) / 1000) * rate; // a tab that slept does not leap
    this.last = now;
    const whole = Math.floor(this.due);
    if (whole < 1) return;
    this.due -= whole;
    this.advance(whole, rate);
  }

  /** @param {number} steps @param {number} rate */
  advance(steps, rate) {
    const { app } = this;
    app.go(app.step + steps, { animate: rate <= ANIMATED_UP_TO });
    if (app.show.now) this.due = (-(app.show.length + HOLD / app.speed) / 1000) * rate;
    if (app.step >= app.run.length - 1) this.stop();
  }
}
