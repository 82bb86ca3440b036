// The matches of find as a short list: who says each, the line around it, and where it is. The user's own stand out.

import { attribute, button, el, write } from "../lib/dom.js";
import { int, pluralize } from "../lib/format.js";
import { ROLES } from "../run/decode.js";
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

/** Whether the user said it, without the row: asked of every match. @param {Run} run @param {number} pool */
function isUsers(run, pool) {
  const { header, label, role } = run.store;
  return pool < run.n && (header.labels[label[pool]] || ROLES[role[pool]]) === "user";
}

/**
 * Which matches are listed, in order: the one on show, then the user's, then the others, the nearest first.
 * @param {Run} run
 * @param {number[]} hits
 * @param {number} at  the one on show
 * @param {number} [most]
 * @returns {number[]} places in `hits`
 */
export function listed(run, hits, at, most = MOST) {
  /** @type {number[]} */ const users = [];
  /** @type {number[]} */ const others = [];
  const last = Math.max(at, hits.length - 1 - at);
  for (let away = 1; away <= last && users.length < most - 1; away++)
    for (const k of [at - away, at + away]) {
      const nearest = k in hits && isUsers(run, hits[k]) ? users : others;
      if (k in hits && nearest.length < most) nearest.push(k);
    }
  return [at, ...users, ...others].slice(0, most).sort((a, b) => a - b);
}

export class HitList {
  /**
   * @param {App} app
   * @param {(k: number) => void} choose  one of the hits
   */
  constructor(app, choose) {
    this.app = app;
    this.choose = choose;
    /** The hits that are listed, by row. @type {number[]} */ this.places = [];
    this.rows = Array.from({ length: MOST }, (_, row) => new HitRow(app, () => this.#choose(this.places[row])));
    this.list = el("ul", { "aria-label": "Matches" }, ...this.rows.map(({ node }) => node));
    this.more = el("p", { class: "fl-hits-more" });
    this.node = el("div", { class: "fl-hitlist", hidden: true }, this.list, this.more);
  }

  /** The rows may move: the focus stays with the match. @param {number} place */
  #choose(place) {
    this.choose(place);
    this.rows[this.places.indexOf(place)]?.button.focus();
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
    /** The match in the row, and which one it was when the pointer was pressed: other matches may have come since. */ this.pool = this.pressed = -1;
    this.button = button("", (event) => (!event.detail || this.pressed === this.pool) && choose());
    this.button.addEventListener("pointerdown", () => (this.pressed = this.pool));
    this.button.append(this.name, this.snippet.node, this.where);
    this.node = el("li", { hidden: true }, this.button);
  }

  /** @param {number} pool @param {boolean} current @param {string} where */
  show(pool, current, where) {
    const { run } = this.app;
    this.pool = pool;
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
