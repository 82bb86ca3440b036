// What a list shows, kept in the address and in the tab: a reload, a shared link, Back and the links between pages return to it.
import { isAt } from "./address.js";
import { replaceAddress } from "./leaving.js";

/** What was chosen, by its name in the address. @typedef {{[name: string]: string}} Chosen */
/** How far the list is scrolled, and which row is highlighted. @typedef {{top: number, at: string}} Place */

export class ListPlace {
  /** @param {string} page  the last part of the page's path @param {string[]} names  what may be chosen */
  constructor(page, names) {
    this.page = page;
    this.names = names;
    this.key = `foldline-${page}`;
  }

  /** What the address names, else what was last chosen in this tab; with the place there, if that is the same. @returns {{chosen: Chosen, place: Place}} */
  read() {
    const kept = this.#kept();
    const asked = this.#fromAddress();
    const named = Object.keys(asked).length > 0;
    const same = !named || this.query(asked) === this.query(kept.chosen);
    return { chosen: named ? asked : kept.chosen, place: same ? kept.place : { top: 0, at: "" } };
  }

  /** Keep this. @param {Chosen} chosen @param {Place} place */
  write(chosen, place) {
    if (!this.#here) return; // another page has taken the address over
    sessionStorage.setItem(this.key, JSON.stringify({ chosen, place }));
    const url = new URL(location.href);
    url.search = this.query(chosen);
    if (url.href !== location.href) replaceAddress(url.href);
  }

  /** What is chosen as a query. @param {Chosen} chosen */
  query(chosen) {
    return new URLSearchParams(this.names.filter((name) => chosen[name]).map((name) => [name, chosen[name]])).toString();
  }

  get #here() {
    return isAt(this.page);
  }

  /** @returns {Chosen} */
  #fromAddress() {
    const query = new URLSearchParams(this.#here ? location.search : "");
    return Object.fromEntries(this.names.filter((name) => query.get(name)).map((name) => [name, query.get(name) ?? ""]));
  }

  /** @returns {{chosen: Chosen, place: Place}} */
  #kept() {
    try {
      const { chosen, place } = JSON.parse(sessionStorage.getItem(this.key) ?? "{}");
      return { chosen: chosen ?? {}, place: place ?? { top: 0, at: "" } };
    } catch {
      return { chosen: {}, place: { top: 0, at: "" } };
    }
  }
}
