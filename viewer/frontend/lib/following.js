// Looks at an open file from time to time. Streamlit could (`run_every`), but it takes an answer that comes after a change of page
// for one of the page before, and clears the new one.
import { fetchJson } from "./json.js";
/** @import { Python } from "./types.js" */

/** @typedef {{name: string, seconds: number}} Followed  what to ask `api/followed` by, and how long to wait between two questions */

export class Following {
  /** @param {Python} python  `changed` is triggered with each new stamp, once */
  constructor(python) {
    this.python = python;
    this.told = "";
  }

  /** @param {Followed} followed */
  update(followed) {
    this.destroy();
    this.followed = followed;
    this.#wait();
  }

  destroy() {
    clearTimeout(this.timer);
    this.followed = undefined;
  }

  #wait() {
    const { followed } = this;
    if (followed) this.timer = setTimeout(() => void this.#look(followed), followed.seconds * 1000);
  }

  /** @param {Followed} followed */
  async #look(followed) {
    const { stamp } = await fetchJson(`api/followed/${followed.name}`).catch(() => ({ stamp: "" })); // it may be back at the next look
    if (followed !== this.followed) return;
    if (stamp && stamp !== this.told) this.python.trigger("changed", (this.told = stamp));
    this.#wait();
  }
}
