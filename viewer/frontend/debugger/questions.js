// Which texts are followed in which session: as the address says, or as it was when the session was left.

import { addressed as here, queryOf } from "../lib/address.js";
import { askedBy, askedIn, rememberStore } from "../why/asked.js";
/** @import { App } from "./app.js" */

/** Takes the texts from run to run, and into the address. */
export class Questions {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    /** Whether the texts are those of an address or a session, not of a person's question. */ this.restoring = false;
    app.why.watch(() => this.#asked());
  }

  /**
   * The texts are asked about in this run; in another session, what was asked there.
   * @param {boolean} same  session as before
   * @param {boolean} addressed  whether the address bar is already about this run
   * @param {Record<string, string>} [brought]  what was asked of it where it ran, as the address would hold it
   */
  follow(same, addressed, brought = {}) {
    const { run, why } = this.app;
    const before = askedIn(run);
    const texts = (addressed && askedBy(here())) || (brought.why ? brought : before.query);
    this.#quietly(() => {
      why.follow(run.length ? run.view.tid : "", run.view.live ? run.length : 0); // of nothing, nothing is asked
      if (same) return;
      if (!texts.why) return why.forget();
      why.restore(texts);
      if (queryOf(why.query, -1) === queryOf(before.query, -1)) why.choose(before.at, before.front);
    });
    this.#remember("");
  }

  /** Follow the texts of an address that Back has led to. @param {Record<string, string>} query */
  restore(query) {
    this.#quietly(() => this.app.why.restore(query));
    rememberStore(this.app.run, this.app.why);
  }

  /** @param {() => void} act */
  #quietly(act) {
    this.restoring = true;
    act();
    this.restoring = false;
  }

  /** A person has asked, or an answer has come. */
  #asked() {
    if (!this.app.run) return;
    if (!this.restoring) this.#remember("why");
    this.app.layers.note();
    this.app.notify({ why: true });
  }

  /** @param {string} kind  of a change that Back undoes */
  #remember(kind) {
    const { run, why } = this.app;
    const before = queryOf(askedIn(run).query, -1);
    rememberStore(run, why);
    this.app.writeAddress(before === queryOf(why.query, -1) ? "" : kind);
  }
}
