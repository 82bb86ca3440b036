// The texts that are followed, and what is known of each: asked for at once, and again when another trace has come to rest.

import { problemText } from "../lib/problem.js";
import { ask, fatePath, fixesPath, known } from "../lib/api.js";
import { held as buttonHeld } from "../lib/pressed.js";
import { askable } from "./text.js";
/** @import { FixLine, Lane, Server } from "./types.js" */

/** Texts that are followed at once, at most. */
export const MOST_LANES = 4;
/** Milliseconds a trace stands before it is asked about: while a slider moves nothing is asked. */
const REST = 500;
/** The parameters of the address, one for each text. */
const NAMES = ["why", "why2", "why3", "why4"];

/** What Why shows. Parts draw it, and change it through its commands alone. */
export class WhyStore {
  /** @param {Server} server @param {{rest?: number, held?: () => boolean}} [how] */
  constructor(server, { rest = REST, held = buttonHeld } = {}) {
    this.server = server;
    this.rest = rest;
    this.held = held;
    /** The texts, in the order they were asked about. @type {Lane[]} */ this.lanes = [];
    /** The chosen one, or -1. */ this.at = -1;
    /** Whether Why is shown: the lanes under the timeline, and its tab. */ this.open = false;
    /** Whether its tab is in front of the message's. */ this.front = false;
    this.tid = "";
    /** Of a run that grows, how many steps there are. */ this.seen = 0;
    this.timer = 0;
    /** @type {Set<() => void>} */ this.listeners = new Set();
  }

  /** The lane that is chosen, or null. */
  get chosen() {
    return this.lanes[this.at] ?? null;
  }

  /** Call a listener at every change; gives a function that ends it. @param {() => void} listener */
  watch(listener) {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /**
   * Follow a text, or choose its lane where it is followed already. Of four others the oldest gives way; what was closed stays closed.
   * @param {string} text
   * @param {boolean} [instead]  of the chosen one
   * @returns {boolean}  whether there was anything to ask about
   */
  ask(text, instead = false) {
    const wanted = askable(text);
    if (!wanted) return false;
    if (!this.open) this.lanes = this.lanes.filter(({ text }) => text === wanted);
    const there = this.lanes.findIndex((lane) => lane.text === wanted);
    if (there >= 0) return this.choose(there), true;
    const lane = laneOf(wanted);
    const { chosen } = this;
    const lanes = instead && chosen ? this.lanes.map((one) => (one === chosen ? lane : one)) : [...this.lanes, lane].slice(-MOST_LANES);
    this.#become({ lanes, at: lanes.indexOf(lane), open: true, front: true });
    void this.#ask(lane);
    return true;
  }

  /** Show what was asked about last. @returns {boolean}  whether there is something */
  reopen() {
    if (!this.lanes.length) return false;
    return this.choose(Math.max(0, this.at)), true;
  }

  /** Open it without a text: what stands in its place says what can be asked. */
  offer() {
    this.#become({ lanes: [], at: -1, open: true, front: true });
  }

  /** Choose a lane, and show what is known of it. @param {number} i @param {boolean} [front]  whether its tab comes to the front */
  choose(i, front = true) {
    if (!this.lanes[i]) return;
    const again = !this.open;
    this.#become({ at: i, open: true, front });
    if (again) this.#askAll();
  }

  /** Choose the next lane, or the one before. @param {1 | -1 | 0} by  0: the one that was chosen last */
  turn(by) {
    const { length } = this.lanes;
    if (length) this.choose((this.at + by + length) % length);
  }

  /** Put the tab in front of the message's, or behind it. @param {boolean} front */
  bring(front) {
    if (front !== this.front) this.#become({ front });
  }

  /** Follow a text no longer; without any other Why is closed. @param {number} i */
  remove(i) {
    if (!this.lanes[i]) return;
    this.lanes = this.lanes.filter((_, k) => k !== i);
    const at = Math.min(this.at > i ? this.at - 1 : this.at, this.lanes.length - 1);
    this.#become({ at, ...(this.lanes.length ? {} : { open: false, front: false }) });
  }

  /** Show nothing of it; the texts are kept for `reopen`. */
  close() {
    if (this.open) this.#become({ open: false, front: false });
  }

  /** Another session is on the page, of which nothing was asked: these texts are not its own. */
  forget() {
    if (this.lanes.length || this.open) this.#become({ lanes: [], at: -1, open: false, front: false });
  }

  /** Ask again about a lane that failed. @param {number} i */
  retry(i) {
    const lane = this.lanes[i];
    if (!lane) return;
    lane.failed = "";
    this.#become({});
    void this.#ask(lane);
  }

  /**
   * Another trace is on screen, or the same again.
   * @param {string} tid
   * @param {number} [seen]  of one that grows, how many steps there are
   */
  follow(tid, seen = 0) {
    if (tid === this.tid && seen === this.seen) return;
    const grown = tid === this.tid;
    Object.assign(this, { tid, seen });
    if (!this.lanes.length) return grown ? undefined : this.close();
    for (const lane of this.lanes) this.#renew(lane, grown);
    if (!grown) this.#rest();
    if (!this.timer && this.open) this.#later();
    this.#become({});
  }

  /** What is known already stands at once; what is older stays until it is asked again, of another trace faded. @param {Lane} lane @param {boolean} grown */
  #renew(lane, grown) {
    const kept = known(this.#path(lane));
    Object.assign(lane, { fate: kept ?? lane.fate, stale: kept === undefined && lane.fate !== null && (lane.stale || !grown), failed: "" });
  }

  #rest() {
    clearTimeout(this.timer);
    this.timer = 0;
  }

  /** A button held at either end of the rest makes it start again. */
  #later() {
    const held = this.held();
    this.timer = setTimeout(() => (held || this.held() ? this.#later() : this.#askAll()), this.rest);
  }

  #askAll() {
    this.#rest();
    for (const lane of this.lanes) void this.#ask(lane);
  }

  /** @param {Lane} lane */
  async #ask(lane) {
    if (!this.tid) return;
    const path = this.#path(lane);
    const current = () => this.lanes.includes(lane) && path === this.#path(lane);
    try {
      const fate = await ask(this.server, path);
      if (current() || this.#older(lane, path)) this.#learn(lane, { fate, stale: false, failed: "" });
    } catch (error) {
      if (current()) this.#learn(lane, { failed: problemText(error), stale: false });
    }
  }

  /** Whether an answer is about this trace as it was a while ago: better than one from longer ago. @param {Lane} lane @param {string} path */
  #older(lane, path) {
    return this.seen > 0 && this.lanes.includes(lane) && path.startsWith(fatePath(this.tid, lane.text)) && lane.fate === null;
  }

  /** @param {Lane} lane @param {Partial<Lane>} news */
  #learn(lane, news) {
    Object.assign(lane, news);
    this.#become({});
  }

  /** @param {Lane} lane */
  #path(lane) {
    return fatePath(this.tid, lane.text, this.seen);
  }

  /**
   * What would have kept the text of a lane up to a step: each line as it comes, the last one `done` or `failed`.
   * @param {number} i
   * @param {number} step
   * @param {(line: FixLine) => void} each
   * @returns {() => void}  stops the work
   */
  fixes(i, step, each) {
    const stopped = new AbortController();
    const given = (/** @type {FixLine} */ line) => stopped.signal.aborted || each(line);
    const { text } = this.lanes[i];
    this.server.lines(fixesPath(this.tid, text, step), given, stopped.signal).catch((error) => given({ failed: problemText(error) }));
    return () => stopped.abort();
  }

  /** What the address holds of it: nothing while it is closed. @returns {Record<string, string>} */
  get query() {
    return this.open ? Object.fromEntries(this.lanes.map(({ text }, i) => [NAMES[i], text])) : {};
  }

  /**
   * Follow the texts of an address instead of those there are; the chosen one stays chosen.
   * @param {Record<string, string>} query
   */
  restore(query) {
    const { lanes, chosen } = this;
    const texts = [...new Set(NAMES.map((name) => askable(query[name] ?? "")).filter(Boolean))];
    if (!texts.length) return this.close();
    if (texts.length === (this.open ? lanes.length : 0) && texts.every((text, i) => text === lanes[i].text)) return;
    this.lanes = texts.map((text) => lanes.find((lane) => lane.text === text) ?? laneOf(text));
    const at = this.lanes.findIndex((lane) => lane.text === chosen?.text);
    this.#become({ at: Math.max(0, at), open: true, front: true });
    for (const lane of this.lanes) if (!lane.fate) void this.#ask(lane);
  }

  /** @param {Partial<WhyStore>} change */
  #become(change) {
    Object.assign(this, change);
    for (const listener of this.listeners) listener();
  }

  stop() {
    this.#rest();
    this.listeners.clear();
    this.tid = "";
  }
}

/** A query without what Why put into it. @template {Record<string, unknown>} Query @param {Query} query @returns {Query} */
export const withoutWhy = (query) => /** @type {Query} */ (Object.fromEntries(Object.entries(query).filter(([name]) => !NAMES.includes(name))));

/** @param {string} text @returns {Lane} */
const laneOf = (text) => ({ text, fate: null, stale: false, failed: "" });
