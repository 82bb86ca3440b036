// The address bar says what is on screen: source, policy, meter, settings and step. Reload or share it and it returns.

import { isLeft, replaceAddress } from "./leaving.js";

/** @typedef {Record<string, string | number | null | undefined>} Query */

/** The name under which an address says what stands in front of the place. */
const FRONT = "show";

/** What an address says stands in front of the place, such as the overview; "" where nothing does. @param {URLSearchParams} query */
const frontIn = (query) => query.get(FRONT) ?? "";

/** Whether the address asks for the overview. */
export const showsOverview = () => frontIn(addressed()) === "overview";

/** Where the address holds it: "search", or in an exported file "hash", as a file has no query. @type {"search" | "hash"} */
let part = "search";

/** From now on the address is kept behind "#". */
export function keepInHash() {
  part = "hash";
}

/** What the address says, as a query. */
export const addressed = () => new URLSearchParams(location[part].slice(1));

/** Whether the address is that of a page, by the last part of its path; Debug is the first page, and an exported file only one. @param {string} page */
export function isAt(page) {
  if (part === "hash") return true;
  return location.pathname.endsWith(`/${page}`) || (page === "debug" && location.pathname.endsWith("/"));
}

/** The whole address with this query. @param {string} query */
export function addressOf(query) {
  const url = new URL(location.href);
  url[part] = query;
  return url.href;
}

/** Milliseconds after which a change is written. */
const DELAY = 150;
/** Milliseconds at one place after which leaving it makes a new entry of the history. */
const REST = 700;

/**
 * The query of an address, in the order given, the place of the cursor last; without one where the newest is followed.
 * @param {Query} query
 * @param {number} step  or -1
 * @param {string} [name]  of the place
 */
export function queryOf(query, step, name = "step") {
  const said = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) {
    if (value !== null && value !== undefined && value !== "") said.set(key, String(value));
  }
  if (step >= 0) said.set(name, String(step));
  return said.toString().replace(/%2F/gi, "/").replace(/%3A/gi, ":").replace(/%2C/gi, ",").replace(/%3D/gi, "=");
}

/** The names of what differs between two queries, as one text: "" where nothing does. @param {Query} before @param {Query} now */
export function changed(before, now) {
  const names = new Set([...Object.keys(before), ...Object.keys(now)]);
  return [...names].filter((name) => String(before[name] ?? "") !== String(now[name] ?? "")).join();
}

/** The source that the address bar names, if it names one: a link that did not open stays in the history. @returns {Query} */
export function addressSource() {
  const source = addressed().get("source");
  return source ? { source } : {};
}

/** The step an address asks for, or -1. @param {string | undefined} text */
export function stepIn(text) {
  return /^\d{1,9}$/.test(String(text ?? "").trim()) ? Number(text) : -1;
}

/** Of a debugger that is a part of another page, which has an address of its own: nothing is written. */
export class NoAddress {
  set() {}
  write() {}
  flush() {}
  leave() {}
  arrive() {}
  stop() {}

  get href() {
    return location.href;
  }
}

/**
 * Keeps the address bar in step with the cursor, and the browser's history with its jumps: one entry for each place that was
 * rested at, however it was walked to from there.
 */
export class Address {
  /**
   * @param {string} page  that it is the address of
   * @param {(query: string, step: number, front: string) => void} returned  called when Back or Forward has led to another entry of this page
   * @param {string} [name]  of the cursor's place
   */
  constructor(page, returned, name = "step") {
    this.page = page;
    this.name = name;
    /** @type {Query} */ this.query = {};
    this.step = 0;
    /** What stands in front of the place, such as the overview. */ this.front = "";
    this.timer = 0;
    this.resting = 0;
    /** The kind of the last jump, until it has rested. */ this.kind = "";
    /** Whether what is to be written is a new entry. */ this.jumped = false;
    /** Whether the next jump belongs to the arrival. */ this.arriving = false;
    /** Whether it goes back by itself. */ this.leaving = false;
    /** The address of the entry before, if this one was made here. */ this.before = "";
    this.back = (/** @type {PopStateEvent} */ event) => {
      if (!isAt(page)) return; // Streamlit opens it
      event.stopImmediatePropagation(); // and would run this one again
      if (!this.leaving) this.#returned(returned);
      this.leaving = false;
    };
    addEventListener("popstate", this.back, true);
  }

  /**
   * @param {Query} query
   * @param {number} step
   * @param {string} [kind]  of a jump, which Back is to undo; one of the same kind that follows at once belongs to it
   * @param {string} [front]  what stands in front of the place
   */
  set(query, step, kind = "", front = "") {
    if (kind && kind !== this.kind && !this.arriving) {
      const leaves = frontIn(addressed()) !== front; // what is done with it at once is one way, and one entry
      if (this.timer && !leaves) this.write();
      this.jumped = true;
    }
    this.kind = kind || this.kind;
    this.query = query;
    this.step = step;
    this.front = front;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.write(), DELAY);
    this.#rest();
  }

  #rest() {
    clearTimeout(this.resting);
    this.resting = setTimeout(() => {
      if (this.kind) this.arriving = false;
      this.kind = "";
    }, REST);
  }

  /** Debug goes on by itself to what it was opened for: where it is until then is no place to go back to. */
  arrive() {
    this.arriving = true;
  }

  /** Leave the entry that the last jump made or is about to make, if its place is where the one before is. */
  leave() {
    if (this.jumped) this.#forget();
    else if (this.#isBefore) this.#goBack();
  }

  /** Whether what is to be written is what the entry before says. */
  get #isBefore() {
    return this.before === this.href;
  }

  #goBack() {
    this.#forget();
    this.leaving = true;
    history.back();
  }

  /** The whole address. */
  get href() {
    return addressOf(queryOf({ ...this.query, [FRONT]: this.front }, this.step, this.name));
  }

  /** Write what is still to be written: the page is about to be left. */
  flush() {
    if (this.timer) this.write();
  }

  write() {
    clearTimeout(this.timer);
    this.timer = 0;
    const { jumped } = this;
    this.jumped = false;
    if (!isAt(this.page)) return; // Streamlit has opened another page, and removes this one only then
    if (isLeft()) return replaceAddress(this.href);
    if (this.href === location.href) return;
    if (this.front !== frontIn(addressed()) && this.#isBefore) return this.#goBack(); // what was put in front and taken away again, or the other way round
    if (!jumped) return replaceAddress(this.href);
    this.before = location.href;
    history.pushState(history.state, "", this.href);
  }

  /** Nothing is left to be written; the next jump makes an entry. */
  #forget() {
    clearTimeout(this.timer);
    Object.assign(this, { timer: 0, jumped: false, kind: "", before: "" });
  }

  /** @param {(query: string, step: number, front: string) => void} tell */
  #returned(tell) {
    this.#forget();
    const query = addressed();
    const step = stepIn(query.get(this.name) ?? "");
    const front = frontIn(query);
    for (const name of [this.name, FRONT]) query.delete(name);
    tell(queryOf(Object.fromEntries(query), -1), step, front);
  }

  stop() {
    clearTimeout(this.timer);
    clearTimeout(this.resting);
    removeEventListener("popstate", this.back, true);
  }
}
