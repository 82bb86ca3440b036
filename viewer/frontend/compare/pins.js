// The texts that are followed through every lane: one store of Why for each lane, all with the same texts.

import { selectionIn } from "../why/selection.js";
import { WhyStore } from "../why/store.js";
/** @import { Run } from "../run/model.js" */
/** @import { Fate } from "../why/types.js" */
/** @import { Compare } from "./app.js" */

export class Pins {
  /** @param {Compare} app */
  constructor(app) {
    this.app = app;
    /** @type {WhyStore[]} */ this.stores = [];
    /** @type {Record<string, string>} */ this.query = {};
    /** Which text has the strips under the lanes. */ this.at = 0;
    /** @type {Set<() => void>} */ this.listeners = new Set();
  }

  /** @param {() => void} listener */
  watch(listener) {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** The texts, in the order they were pinned. */
  get texts() {
    return this.stores[0]?.lanes.map(({ text }) => text) ?? [];
  }

  /** What is known of a text in a lane; null until it is. @param {number} lane @param {number} i @returns {Fate | null} */
  fate(lane, i = this.at) {
    const found = this.stores[lane]?.lanes[i];
    return found && !found.stale ? found.fate : null;
  }

  /** Why nothing is known of a text in a lane, "" where that may still come. @param {number} lane @param {number} i */
  failed(lane, i) {
    return this.stores[lane]?.lanes[i]?.failed ?? "";
  }

  /** Other lanes: each of them is asked about the same texts. @param {Run[]} runs */
  follow(runs) {
    for (const store of this.stores.splice(runs.length)) store.stop();
    while (this.stores.length < runs.length) this.#add();
    runs.forEach((run, lane) => this.stores[lane].follow(run.view.tid));
  }

  #add() {
    const store = new WhyStore(this.app);
    store.watch(() => this.#tell());
    this.stores.push(store);
    store.restore(this.query);
  }

  /** @param {string} text */
  pin(text) {
    let known = false;
    for (const store of this.stores) known = store.ask(text) || known;
    this.at = Math.max(0, this.stores[0]?.at ?? 0);
    this.#changed();
    return known;
  }

  /** Pin what is selected on the page. */
  selection() {
    const text = selectionIn(this.app.root)?.text ?? "";
    if (!text || !this.pin(text)) this.app.message("Select a text, then press w to follow it in each lane");
  }

  /** Show the strips of another text. @param {number} i */
  choose(i) {
    this.at = i;
    this.#changed();
  }

  /** @param {number} i */
  remove(i) {
    for (const store of this.stores) store.remove(i);
    this.at = Math.max(0, Math.min(this.at, this.texts.length - 1));
    this.#changed();
  }

  /** The texts of an address, and which of them has the strips. @param {Record<string, string>} query @param {number} [at] */
  restore(query, at = 0) {
    this.query = Object.fromEntries(Object.entries(query).filter(([name]) => name.startsWith("why")));
    this.at = Object.keys(this.query).length > at ? at : 0;
    for (const store of this.stores) store.restore(this.query);
    this.#changed();
  }

  #changed() {
    this.query = this.stores[0]?.query ?? this.query;
    this.#tell();
  }

  #tell() {
    for (const listener of this.listeners) listener();
  }

  stop() {
    for (const store of this.stores) store.stop();
    this.listeners.clear();
  }
}
