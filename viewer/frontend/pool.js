// The pool: the session's messages and, behind them, what compactions added. Ranges over it make a window.
import { FLAG, ROLES, runningSum } from "./decode.js";

/** Message classes that no cut decides: what is itself a summary, and what was emptied. */
const PLAIN = 0, SUMMARY = 1, CLEARED = 2;

/** Every message a run can show, by its pool index, with running sums of tokens for each class. */
export class Pool {
  /**
   * @param {import("./decode.js").Store} store
   * @param {any} view
   */
  constructor(store, view) {
    this.store = store;
    this.n = store.n;
    /** @type {{c: number, m: number, role: number, injected: string, tokens: number, preview: string, of: number}[]} */
    this.added = view.c.added.flatMap(addedOf);
    this.numbers = view.c.number;
    this.classes = classesOf(store, view);
    const counts = this.added.map((a) => a.tokens);
    this.sums = { base: store.running, added: runningSum(counts) };
    this.summary = this._sums(SUMMARY, counts);
    this.cleared = this._sums(CLEARED, counts);
    this.free = this._free(counts);
  }

  /** @param {number} p  the class of a message: 0 plain, 1 summary, 2 cleared */
  classOf(p) {
    if (p < this.n) return this.classes.get(p) ?? PLAIN;
    const { injected } = this.added[p - this.n];
    return injected === "cleared" ? CLEARED : injected === "summary" || injected === "ack" ? SUMMARY : PLAIN;
  }

  /** @param {number} p */
  tokens(p) {
    return p < this.n ? this.store.tokens[p] : this.added[p - this.n].tokens;
  }

  /**
   * What a row shows of a message, whatever window it stands in.
   * @param {number} p
   */
  row(p) {
    return p < this.n ? this._baseRow(p) : this._addedRow(this.added[p - this.n], p);
  }

  /** @param {number} p */
  _baseRow(p) {
    const { store } = this;
    const label = store.header.labels[store.label[p]] ?? "";
    const flags = store.flags[p];
    const injected = flags & FLAG.injected ? label : "";
    return {
      key: `m${p}`, pool: p, added: false, role: ROLES[store.role[p]], label, tokens: store.tokens[p],
      preview: store.preview(p), flags, injected, of: -1,
    };
  }

  /**
   * @param {Pool["added"][number]} a
   * @param {number} p
   */
  _addedRow(a, p) {
    const flags = FLAG.injected | (a.of >= 0 ? this.store.flags[a.of] : 0);
    return {
      key: `c${a.c}.${a.m}`, pool: p, added: true, role: ROLES[a.role], label: this._addedLabel(a), tokens: a.tokens,
      preview: a.preview, flags, injected: a.injected, of: a.of,
    };
  }

  /** @param {Pool["added"][number]} a */
  _addedLabel(a) {
    if (a.injected === "ack") return "reply";
    if (a.of >= 0) return this.store.header.labels[this.store.label[a.of]] ?? "";
    const number = this.numbers[a.c];
    return number > 0 ? `summary #${number}` : "summary";
  }

  /**
   * Running sums of the tokens of one class, or null where it has no message at all in that half of the pool.
   * @param {number} wanted
   * @param {number[]} counts
   */
  _sums(wanted, counts) {
    const added = counts.map((t, k) => (this.classOf(this.n + k) === wanted ? t : 0));
    return { base: this._baseSums(wanted), added: runningSum(added) };
  }

  /** @param {number} wanted */
  _baseSums(wanted) {
    const places = [...this.classes].filter(([, kind]) => kind === wanted);
    if (!places.length) return null;
    const counts = new Float64Array(this.n);
    for (const [p] of places) counts[p] = this.store.tokens[p];
    return runningSum(counts);
  }

  /**
   * Sums of what a policy that counts only the active window leaves out: system messages and summaries.
   * @param {number[]} counts
   */
  _free(counts) {
    const { store, n } = this;
    const marked = new Set(store.header.marked?.summary ?? []);
    const base = new Float64Array(n);
    for (let i = 0; i < n; i++) if (store.role[i] === 0 || marked.has(i)) base[i] = store.tokens[i];
    const left = this.added.map((a, k) => (a.role === 0 || a.injected === "summary" ? counts[k] : 0));
    return { base: runningSum(base), added: runningSum(left) };
  }

  /**
   * @param {{base: Float64Array|null, added: Float64Array}} sums
   * @param {number} a
   * @param {number} b  a range that lies on one side of n
   */
  span(sums, a, b) {
    if (a >= this.n) return sums.added[b - this.n] - sums.added[a - this.n];
    return sums.base ? sums.base[b] - sums.base[a] : 0;
  }
}

/**
 * @param {any[][]} list  what one compaction added
 * @param {number} c
 */
function addedOf(list, c) {
  return list.map(([role, injected, tokens, preview, of = -1], m) => ({ c, m, role, injected, tokens, preview, of }));
}

/**
 * Which of the transcript's own messages are summaries or emptied.
 * @param {import("./decode.js").Store} store
 * @param {any} view
 */
function classesOf(store, view) {
  const marked = store.header.marked ?? {};
  const classes = new Map();
  for (const p of view.worded ?? []) classes.set(p, SUMMARY);
  for (const p of [...(marked.summary ?? []), ...(marked.ack ?? [])]) classes.set(p, SUMMARY);
  for (const p of marked.cleared ?? []) classes.set(p, CLEARED);
  return classes;
}
