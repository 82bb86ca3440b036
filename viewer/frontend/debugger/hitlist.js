// The matches of find as a short list: who says each, the line around it, and where it is. The user's own stand out.

import { attribute, button, el, write } from "../lib/dom.js";
import { int, pluralize } from "../lib/format.js";
import { rowOf } from "../run/sections.js";
import { Snippet } from "./snippet.js";
/** @import { Run } from "../run/model.js" */
/** @import { App } from "./app.js" */

/** So many are listed at most. */
const MOST = 6;

/** "message 12, user", "summary #2". @param {Run} run @param {number} pool */
export function hitName(run, pool) {
  const name = whoseName(run, pool);
  return pool < run.n ? `message ${int(pool + 1)}, ${name}` : name;
}

/** @param {Run} run @param {number} pool */
function whoseName(run, pool) {
  const row = rowOf(run, pool);
  return row.label || row.role;
}

/** Whether the user said it. @param {Run} run @param {number} pool */
const isUsers = (run, pool) => pool < run.n && whoseName(run, pool) === "user";

/**
 * Which matches are listed, in order: the one on show, then the user's, then the others, the nearest first.
 * @param {Run} run
 * @param {number[]} hits
 * @param {number} at  the one on show
 * @param {number} [most]
 * @returns {number[]} places in `hits`
 */
export function listed(run, hits, at, most = MOST) {
  const rank = (/** @type {number} */ k) => (k === at ? 0 : isUsers(run, hits[k]) ? 1 : 2);
  const order = hits.map((_, k) => ({ k, rank: rank(k), away: Math.abs(k - at) }));
  const first = order.sort((a, b) => a.rank - b.rank || a.away - b.away).slice(0, most);
  return first.map(({ k }) => k).sort((a, b) => a - b);
}

export class HitList {
  /**
   * @param {App} app
   * @param {(k: number) => void} choose  one of the hits
   */
  constructor(app, choose) {
    this.app = app;
    /** The hits that are listed, by row. @type {number[]} */ this.places = [];
    this.rows = Array.from({ length: MOST }, (_, row) => new HitRow(app, () => choose(this.places[row])));
    this.list = el("ul", { "aria-label": "Matches" }, ...this.rows.map(({ node }) => node));
    this.more = el("p", { class: "fl-hits-more" });
    this.node = el("div", { class: "fl-hitlist", hidden: true }, this.list, this.more);
  }

  /** @param {number[]} hits @param {number} at  the one on show @param {(pool: number) => string} where  in words */
  show(hits, at, where) {
    const { run } = this.app;
    this.places = hits.length > 1 ? listed(run, hits, at) : [];
    attribute(this.node, "hidden", !this.places.length);
    this.rows.forEach((row, k) => {
      const place = this.places[k];
      if (place === undefined) row.clear();
      else row.show(hits[place], place === at, where(hits[place]));
    });
    const rest = hits.length - this.places.length;
    write(this.more, this.places.length && rest ? `${pluralize(rest, "more match", "more matches")}: Enter goes through all` : "");
  }
}

class HitRow {
  /** @param {App} app @param {() => void} choose */
  constructor(app, choose) {
    this.app = app;
    this.name = el("b");
    this.snippet = new Snippet(app);
    this.where = el("span", { class: "fl-hit-where" });
    this.button = button("", choose);
    this.button.append(this.name, this.snippet.node, this.where);
    this.node = el("li", { hidden: true }, this.button);
  }

  /** @param {number} pool @param {boolean} current @param {string} where */
  show(pool, current, where) {
    const { run } = this.app;
    attribute(this.node, "hidden", false);
    attribute(this.node, "data-user", isUsers(run, pool) ? "true" : null);
    attribute(this.button, "aria-current", current ? "true" : null);
    write(this.name, hitName(run, pool));
    write(this.where, where);
    this.snippet.show(pool);
  }

  clear() {
    attribute(this.node, "hidden", true);
    this.snippet.show(-1);
  }
}
