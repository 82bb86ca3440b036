// The findings of the trace on screen: asked for once the picture has rested, kept, thrown away when another trace comes.

import { problemText } from "../lib/problem.js";
import { ask, awaited, findingsPath, known } from "../lib/api.js";
import { held as buttonHeld } from "../lib/pressed.js";
import { marksOf } from "../run/findingwords.js";
/** @import { App } from "./app.js" */
/** @import { FindingsPage } from "./types.js" */
/** @import { FindingRow } from "../run/types.js" */

/** Milliseconds a trace stands before it is asked about: while a slider moves nothing is asked. */
const REST = 500;

/** What is in sight, and so comes first: what happened, what the first compactions lost, a compaction's card. */
const FIRST = /^api\/(overview\/|compaction\/|losses\/[^?]*(\?seen=\d+)?$)/;

/** @type {WeakMap<object, Findings>} */
const all = new WeakMap();

/** Those of an app. @param {App} app @returns {Findings} */
export function findingsOf(app) {
  const found = all.get(app) ?? new Findings(app);
  all.set(app, found);
  return found;
}

/** What is known of one trace's findings: the first page of the list, and the marks. */
export class Findings {
  /** @param {App} app @param {{rest?: number, held?: () => boolean}} [how] */
  constructor(app, { rest = REST, held = () => buttonHeld() || awaited(FIRST) } = {}) {
    this.app = app;
    this.rest = rest;
    this.held = held;
    this.tid = "";
    this.seen = 0;
    /** @type {"waiting" | "here" | "failed"} */ this.state = "waiting";
    /** @type {FindingsPage | null} */ this.list = null;
    /** @type {import("../run/findingwords.js").Mark[]} */ this.marks = [];
    /** Whether the run goes on: what is found is what was found so far. */ this.going = false;
    /** Whether `list` was of a run that went on. */ this.soFar = false;
    /** Whether there is more to find than `list` was made of. */ this.stale = false;
    this.error = "";
    this.timer = 0;
    /** @type {Set<() => void>} */ this.listeners = new Set();
  }

  /** Be told of every change. @param {() => void} listener */
  watch(listener) {
    this.listeners.add(listener);
  }

  /**
   * Another trace is on screen, or the same again.
   * @param {string} tid
   * @param {number} [seen]  of one that grows, how much there is to find; what was found before stands until it is asked about anew
   * @param {boolean} [going]  whether it grows now
   */
  follow(tid, seen = 0, going = false) {
    if (tid === this.tid && seen === this.seen && going === this.going) return;
    const grown = tid === this.tid && this.state === "here";
    Object.assign(this, { tid, seen, going });
    if (!grown) return this.retry();
    clearTimeout(this.timer);
    this.#become({ stale: true });
    this.#later();
  }

  /** Ask, once the picture has rested; at once if the answer is here already. */
  retry() {
    clearTimeout(this.timer);
    const kept = known(findingsPath(this.tid, "", 0, this.seen));
    if (kept !== undefined) return this.#here(kept);
    this.#become({ state: "waiting", list: null, marks: [], error: "" });
    this.#later();
  }

  /** A button held at either end of the rest makes it start again: the last place of a slider can come after the release. So does a first screen that waits. */
  #later() {
    const held = this.held();
    this.timer = setTimeout(() => (held || this.held() ? this.#later() : this.#ask()), this.rest);
  }

  async #ask() {
    const { tid, seen } = this;
    try {
      const answer = await ask(this.app, findingsPath(tid, "", 0, seen));
      if (tid === this.tid && seen === this.seen) this.#here(answer);
    } catch (error) {
      const said = problemText(error);
      if (tid === this.tid) this.#become({ state: "failed", error: said });
    }
  }

  /** @param {FindingsPage} list */
  #here(list) {
    this.#become({ state: "here", list, marks: marksOf(list.marks), soFar: this.going, stale: false, error: "" });
  }

  /** @param {Partial<Findings>} change */
  #become(change) {
    Object.assign(this, change);
    for (const listener of this.listeners) listener();
  }

  /**
   * Rows of one kind ("": of all) from a place on. What the first page holds already is not asked for again.
   * @param {string} kind
   * @param {number} from
   * @returns {Promise<{matching: Record<string, number>, findings: FindingRow[]}>}  the page, and how many of the kind there are
   */
  async rows(kind, from) {
    const { list } = this;
    if (list && list.findings.length === list.total) {
      const findings = list.findings.filter((row) => !kind || row.kind === kind);
      return { matching: tally(findings), findings: findings.slice(from) };
    }
    return kind || from ? ask(this.app, findingsPath(this.tid, kind, from, this.seen)) : (list ?? { matching: {}, findings: [] });
  }

  stop() {
    clearTimeout(this.timer);
    this.listeners.clear();
    this.tid = "";
  }
}

/** How many there are of each concern. @param {FindingRow[]} rows */
function tally(rows) {
  /** @type {Record<string, number>} */ const counts = {};
  for (const { concern } of rows) counts[concern] = (counts[concern] ?? 0) + 1;
  return counts;
}
