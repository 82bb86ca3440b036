// What a live run sends, piece by piece, put together as a session and a trace: at every moment what `Run` would be given for a
// file that ends there. Pure, no DOM. docs/wire.md is the contract.
import { FLAG, openView } from "../run/decode.js";
import { Column } from "../run/column.js";
import { Run } from "../run/model.js";
/** @import { News } from "./types.js" */
/** @import { View } from "../run/types.js" */

/** In `spared`: no message stays because it was typed. */
const NONE = 0x7fffffff;

/** The columns of a view that have an entry for each compaction. */
const BY_COMPACTION = [
  "at",
  "before",
  "after",
  "folded",
  "number",
  "summaryTokens",
  "removedTokens",
  "status",
  "recordedBefore",
  "recordedAfter",
  "micro",
  "edit",
  "layout",
  "added",
  "tiers",
  "emptied",
  "setback",
  "unreadable",
];

/** A live run as far as it has been heard of. */
export class Feed {
  constructor() {
    this.life = "";
    this.version = 0;
    this.columns = { tokens: new Column(Uint32Array), label: new Column(Uint16Array), role: new Column(Uint8Array), flags: new Column(Uint8Array) };
    this.running = new Column(Float64Array);
    this.running.push(0);
    this.turns = new Column(Int32Array);
    this.calls = new Column(Int32Array);
    this.tails = new Column(Int32Array);
    this.spared = new Column(Int32Array);
    this.heads = new Column(Int32Array);
    this.bodies = new Column(Int32Array);
    /** @type {string[]} */ this.previews = [];
    /** @type {Map<string, number>} */ this.labels = new Map([["", 0]]);
    /** @type {Record<string, unknown[]>} */ this.c = Object.fromEntries(BY_COMPACTION.map((name) => [name, []]));
    /** What was sent whole the last time, as text. */ this.whole = "";
    /** @type {News["header"]} */ this.header = /** @type {never} */ (null);
    /** @type {News["view"]} */ this.view = /** @type {never} */ (null);
  }

  get n() {
    return this.columns.tokens.length;
  }

  /** What to ask for: what is here already. */
  get counts() {
    return { life: this.life, messages: this.n, compactions: this.c.at.length, steps: this.tails.length, version: this.version };
  }

  /** Forget everything: the next answer brings it all. @param {string} [life] */
  forget(life = "") {
    Object.assign(this, new Feed(), { life });
  }

  /**
   * Take an answer; says whether the run is another than before. Where it does not join on to what is here, all is forgotten, and
   * the next question asks for everything.
   * @param {News} news
   * @returns {boolean}
   */
  take(news) {
    if (news.life !== this.life) this.forget(news.life);
    if (!this.#joins(news)) return this.forget(), false;
    const changed = [this.#messages(news.messages), this.#compactions(news.c), this.#cuts(news), this.#rest(news)];
    this.version = news.version;
    return changed.includes(true);
  }

  /** @param {News} news */
  #joins({ messages, c, epochs, steps }) {
    const here = [
      [messages.from, this.n],
      [c.from, this.c.at.length],
      [epochs.from, this.heads.length],
      [steps.from, this.tails.length],
    ];
    return here.every(([from, length]) => from <= length);
  }

  /** @param {News["messages"]} messages */
  #messages({ from, tokens, roles, flags, labels, previews }) {
    const index = labels.map((/** @type {string} */ text) => this.#label(text));
    const { columns } = this;
    const changed = [columns.tokens.put(from, tokens), columns.role.put(from, roles), columns.flags.put(from, flags), columns.label.put(from, index)];
    if (from < this.previews.length) this.previews = this.previews.slice(0, from);
    for (const text of previews) this.previews.push(text);
    if (changed.includes(true)) this.#sums(from);
    return changed.includes(true);
  }

  /** @param {string} text  its place among the labels */
  #label(text) {
    const known = this.labels.get(text);
    if (known !== undefined || this.labels.size >= 0xffff) return known ?? 0;
    this.labels.set(text, this.labels.size);
    return this.labels.size - 1;
  }

  /** What follows from the messages, from one of them on. @param {number} from */
  #sums(from) {
    const { tokens, flags } = this.columns;
    this.running.cut(from + 1);
    for (const places of [this.turns, this.calls]) places.cut(below(places.now, from));
    for (let i = from; i < tokens.length; i++) {
      this.running.push(this.running.held[i] + tokens.held[i]);
      if (flags.held[i] & FLAG.typed) this.turns.push(i);
      if (flags.held[i] & FLAG.modelCall) this.calls.push(i);
    }
  }

  /** @param {News["c"]} c */
  #compactions(c) {
    if (!c.at.length && c.from === this.c.at.length) return false;
    /** @type {Record<string, unknown>} */ const beyond = { tiers: [], emptied: 0, setback: "", unreadable: "" };
    const columns = /** @type {Record<string, unknown[] | undefined>} */ (/** @type {unknown} */ (c));
    this.c = Object.fromEntries(
      BY_COMPACTION.map((name) => {
        const sent = columns[name];
        const some = sent?.length === c.at.length ? sent : c.at.map(() => beyond[name]);
        return [name, [...this.c[name].slice(0, c.from), ...some]];
      }),
    );
    return true;
  }

  /** Where windows are cut, by epoch and by step. @param {News} news */
  #cuts({ epochs, steps }) {
    const { from, tails, spared } = steps;
    const spares = spared.length > 0 || this.spared.length > 0;
    if (spares && this.spared.length < from) this.spared.put(this.spared.length, new Int32Array(from - this.spared.length).fill(NONE));
    const changed = [this.heads.put(epochs.from, epochs.heads), this.bodies.put(epochs.from, epochs.bodies), this.tails.put(from, tails)];
    if (spares) changed.push(this.spared.put(from, spared.length ? spared : new Int32Array(tails.length).fill(NONE)));
    return changed.includes(true);
  }

  /** What is sent whole each time. @param {News} news */
  #rest({ header, view }) {
    const { stamp: _, version: __, ...lasting } = view;
    const whole = JSON.stringify([header, lasting]);
    const changed = whole !== this.whole;
    this.whole = whole;
    this.header = header;
    this.view = view;
    return changed;
  }

  /** The run as it stands. */
  run() {
    return new Run(this.store(), this.opened());
  }

  /** @returns {import("../run/decode.js").Store} */
  store() {
    const { n, columns, previews } = this;
    return {
      header: { ...this.header, n, labels: [...this.labels.keys()] },
      n,
      tokens: columns.tokens.now,
      label: columns.label.now,
      role: columns.role.now,
      flags: columns.flags.now,
      running: this.running.now,
      turnStarts: this.turns.now,
      calls: this.calls.now,
      preview: (i) => previews[i] ?? "",
    };
  }

  /** The view as `decodeView` would give it. @returns {View} */
  opened() {
    const { view } = this;
    const c = /** @type {View["c"]} */ (/** @type {unknown} */ (this.c));
    const deltas = openView({ ...view, version: 1, tails: [], spared: [], c: { ...c, at: [] } });
    return {
      ...deltas,
      live: true,
      stamp: `${this.life}.${this.version}`,
      held: view.held ?? [],
      eras: view.eras ?? [],
      length: this.tails.length,
      tails: this.tails.now,
      spared: this.spared.now,
      heads: this.heads.now,
      bodies: this.bodies.now,
      c: { ...c, at: Int32Array.from(c.at) },
    };
  }
}

/** How many of the places lie below `from`. @param {ArrayLike<number>} places @param {number} from */
function below(places, from) {
  let count = places.length;
  while (count && places[count - 1] >= from) count--;
  return count;
}
