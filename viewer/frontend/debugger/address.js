// The address bar says what is on screen: source, policy, meter, settings and step. Reload or share it and it returns.
/** @import { Query } from "./types.js" */

const DELAY = 150;

/**
 * The query of an address, in the order given, the step last; without one where the newest is followed.
 * @param {Query} query
 * @param {number} step  or -1
 */
export function queryOf(query, step) {
  const said = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== null && value !== undefined && value !== "") said.set(name, String(value));
  }
  if (step >= 0) said.set("step", String(step));
  return said.toString().replace(/%2F/gi, "/").replace(/%3A/gi, ":");
}

/** The step an address asks for, or -1. @param {string | undefined} text */
export function stepIn(text) {
  return /^\d{1,9}$/.test(String(text ?? "").trim()) ? Number(text) : -1;
}

/** Keeps the address bar in step with the cursor. */
export class Address {
  constructor() {
    /** @type {Query} */ this.query = {};
    this.step = 0;
    this.timer = 0;
  }

  /** @param {Query} query @param {number} step */
  set(query, step) {
    this.query = query;
    this.step = step;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.write(), DELAY);
  }

  /** The whole address. */
  get href() {
    const url = new URL(location.href);
    url.search = queryOf(this.query, this.step);
    return url.href;
  }

  write() {
    clearTimeout(this.timer);
    if (this.href !== location.href) history.replaceState(history.state, "", this.href);
  }

  stop() {
    clearTimeout(this.timer);
  }
}
