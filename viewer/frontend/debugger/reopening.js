// The server keeps a few sessions open. Where it has closed the one that is shown, the page opens it anew, and asks once more.
import { fetchJson } from "../lib/json.js";

/** Milliseconds between two questions, and how many are asked. */
const [PAUSE, MOST] = [300, 50];

export class Reopening {
  /** @param {() => void} reopen  lets Python open the session anew */
  constructor(reopen) {
    this.reopen = reopen;
    /** How many questions wait for that. */ this.waiting = 0;
  }

  /** JSON from the server, as `fetchJson` gives it. @param {string} path @returns {Promise<any>} */
  async get(path) {
    for (let asked = 1; ; asked += 1) {
      try {
        return await fetchJson(path);
      } catch (error) {
        if (!isClosed(error) || asked > MOST) throw error;
      }
      if (asked === 1 && !this.waiting) this.reopen();
      this.waiting += 1;
      await new Promise((then) => setTimeout(then, PAUSE));
      this.waiting -= 1;
    }
  }
}

/** @param {unknown} error */
const isClosed = (error) => error instanceof Error && "closed" in error && error.closed === true;
