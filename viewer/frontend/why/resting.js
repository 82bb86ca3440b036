// One question at a time to the server, asked once nothing moves: no playback, no compaction that is being told, no button held.

import { problemText } from "../lib/problem.js";
import { ask, known } from "../lib/api.js";
import { held as buttonHeld } from "../lib/pressed.js";

/** What has to rest, and answers. @typedef {{playing: boolean, show: {now: unknown}, get: (path: string) => Promise<any>}} Moving */

/** Milliseconds that it has to rest. */
const REST = 250;

export class RestingAsker {
  /** @param {Moving} app @param {{rest?: number, held?: () => boolean}} [how] */
  constructor(app, { rest = REST, held = buttonHeld } = {}) {
    this.app = app;
    this.rest = rest;
    this.held = held;
    this.path = "";
    this.timer = 0;
  }

  /** Ask, at once if the answer is here already; whatever was asked before is put aside. @param {string} path @param {(value: any) => void} then @param {(message: string) => void} fail */
  ask(path, then, fail) {
    this.drop();
    this.path = path;
    const kept = known(path);
    if (kept !== undefined) then(kept);
    else this.#later(then, fail);
  }

  /** Put aside whatever was asked. */
  drop() {
    clearTimeout(this.timer);
    this.path = "";
  }

  /** @param {(value: any) => void} then @param {(message: string) => void} fail */
  #later(then, fail) {
    const moves = () => this.app.playing || Boolean(this.app.show.now) || this.held();
    const moved = moves();
    this.timer = setTimeout(() => (moved || moves() ? this.#later(then, fail) : this.#ask(then, fail)), this.rest);
  }

  /** @param {(value: any) => void} then @param {(message: string) => void} fail */
  async #ask(then, fail) {
    const { path } = this;
    const [value, failure] = await ask(this.app, path).then(
      (answer) => [answer, null],
      (error) => [null, problemText(error)],
    );
    if (path !== this.path) return;
    if (failure === null) then(value);
    else fail(failure);
  }
}
