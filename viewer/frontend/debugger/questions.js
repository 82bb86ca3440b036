// Which texts are followed in which session: as the address says, or as it was when the session was left.

import { addressed as here, queryOf } from "../lib/address.js";
/** @import { Run } from "../run/model.js" */
/** @import { App } from "./app.js" */

/** What was asked about in each session, as the address holds it. @type {Map<string, Record<string, string>>} */
const kept = new Map();

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
    const texts = (addressed && whyIn(here())) || (brought.why ? brought : kept.get(nameOf(run))) || {};
    this.#quietly(() => {
      why.follow(run.length ? run.view.tid : "", run.view.live ? run.length : 0); // of nothing, nothing is asked
      if (same) return;
      if (texts.why) why.restore(texts);
      else why.forget();
    });
    this.#remember("");
  }

  /** Follow the texts of an address that Back has led to. @param {Record<string, string>} query */
  restore(query) {
    this.#quietly(() => this.app.why.restore(query));
    kept.set(nameOf(this.app.run), this.app.why.query);
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
    const before = queryOf(kept.get(nameOf(run)) ?? {}, -1);
    kept.set(nameOf(run), why.query);
    this.app.writeAddress(before === queryOf(why.query, -1) ? "" : kind);
  }
}

/** What an address asks about, or null. @param {URLSearchParams} search */
function whyIn(search) {
  const query = Object.fromEntries(search);
  return query.why ? query : null;
}

/** @param {Run} run  what its session is called, whichever meter counts it */
export function nameOf(run) {
  const { session, sid } = run.store.header;
  return session ?? sid;
}
