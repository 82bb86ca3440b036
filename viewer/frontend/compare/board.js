// The lanes as a person arranges them: drawn in the sidebar and on the page, kept by Python. Each change is sent, the newest once a frame.

import { MOST } from "./sets.js";
/** @import { Param } from "../settings/settings.js" */

/**
 * A lane as Python describes it: the trace it shows, what the address says of it, and of a policy its sliders and its card.
 * @typedef {{tid: string, name: string, text: string, panel?: {policy: string, params: Param[], grounds?: string, returns?: number},
 *   card?: import("../settings/chooser.js").Chosen, pin?: string, pinned?: number[]}} LaneData
 * Of a policy also the messages that no compaction takes: as the address names them, and their places.
 */

/** @typedef {{name: string, values: Record<string, unknown> | null, pin?: string}} LaneChoice  `values` null: what suits the session */

let sent = 0;

/** What the sidebar and the page share. */
export class Board {
  constructor() {
    /** @type {LaneData[]} */ this.lanes = [];
    this.place = "";
    /** The baseline. */ this.base = 0;
    /** The lane whose sliders are shown. */ this.chosen = 1;
    /** How many compactions each lane has. @type {number[]} */ this.compactions = [];
    /** @type {((value: {place: string, lanes: LaneChoice[], nth: number}) => void) | null} */ this.send = null;
    /** What was changed and not yet answered. @type {LaneChoice[] | null} */ this.wanted = null;
    this.frame = 0;
    /** The followed texts, once the page is there. @type {import("./pins.js").Pins | null} */ this.pins = null;
    /** @type {Set<() => void>} */ this.listeners = new Set();
  }

  /** Call a listener at every change; gives a function that ends it. @param {() => void} listener */
  watch(listener) {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** What Python sends; `nth` is the change that it answers. @param {string} place @param {LaneData[]} lanes @param {number} nth */
  take(place, lanes, nth) {
    if (place !== this.place) Object.assign(this, { base: 0, chosen: 1 });
    if (nth >= sent && !this.frame) this.wanted = null;
    Object.assign(this, { place, lanes, base: Math.min(this.base, lanes.length - 1), chosen: Math.min(this.chosen, lanes.length - 1) });
    this.tell();
  }

  /** Whether there is room for another lane. */
  get room() {
    return this.lanes.length < MOST;
  }

  /** Show the sliders of a lane. @param {number} k */
  choose(k) {
    if (k === this.chosen || !this.lanes[k]) return;
    this.chosen = k;
    this.tell();
  }

  /** Measure the others against a lane. @param {number} k */
  setBase(k) {
    if (k === this.base || !this.lanes[k]) return;
    this.base = k;
    this.tell();
  }

  /** The values of a lane's sliders. @param {number} k @param {Record<string, unknown>} values */
  change(k, values) {
    this.#become(this.#now.map((lane, i) => (i === k ? { ...lane, values } : lane)));
  }

  /** Another policy for a lane, with what suits the session and the same pins. @param {number} k @param {string} name */
  replace(k, name) {
    this.#become(this.#now.map((lane, i) => (i === k ? { ...lane, name, values: null } : lane)));
  }

  /** Nothing is pinned in a lane any more. @param {number} k */
  unpin(k) {
    this.#become(this.#now.map((lane, i) => (i === k ? { ...lane, pin: "" } : lane)));
  }

  /** @param {string} name */
  add(name) {
    if (!this.room) return;
    this.chosen = this.lanes.length;
    this.#become([...this.#now, { name, values: null }]);
  }

  /** Two lanes always stay. @param {number} k */
  remove(k) {
    if (this.lanes.length <= 2) return;
    if (this.base >= k && this.base > 0) this.base -= 1;
    if (this.chosen >= k && this.chosen > 0) this.chosen -= 1;
    this.#become(this.#now.filter((_, i) => i !== k));
  }

  /** @returns {LaneChoice[]} */
  get #now() {
    return this.wanted ?? this.lanes.map(({ name, panel, pin = "" }) => ({ name, values: panel ? valuesOf(panel.params) : null, pin }));
  }

  /** @param {LaneChoice[]} lanes */
  #become(lanes) {
    this.wanted = lanes;
    if (!this.frame) this.frame = requestAnimationFrame(() => this.#flush());
  }

  #flush() {
    this.frame = 0;
    if (this.wanted) this.send?.({ place: this.place, lanes: this.wanted, nth: ++sent });
  }

  /** Have everything drawn anew. */
  tell() {
    for (const listener of this.listeners) listener();
  }
}

/** @param {Param[]} params */
const valuesOf = (params) => Object.fromEntries(params.map(({ name, value }) => [name, value]));
