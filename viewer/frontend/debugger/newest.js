// A press that waits for an answer: only the newest one gets it, and none once something else is on show.

import { problemText } from "../lib/problem.js";
/** @import { App } from "./app.js" */

export class Newest {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    /** Presses so far. */ this.presses = 0;
  }

  /**
   * What a press waits for; null where it failed, which is said, and where a newer press or another place has made it stale.
   * @template T @param {Promise<T>} answer @returns {Promise<T | null>}
   */
  async answer(answer) {
    const press = ++this.presses;
    const before = this.#where;
    const current = () => press === this.presses && before === this.#where;
    try {
      const found = await answer;
      return current() ? found : null;
    } catch (error) {
      if (current()) this.app.message(problemText(error));
      return null;
    }
  }

  /** What is on show. */
  get #where() {
    const { run, step, overview, selected, why } = this.app;
    return JSON.stringify([run?.view.tid, step, overview, selected, why.open, why.front, why.chosen?.text]);
  }
}
