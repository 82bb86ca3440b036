// The pool: the session's messages from 0, what compactions added from ADDED, cleared copies from SPACE. Ranges over it make a window.
import { FLAG, ROLES, runningSum } from "./decode.js";
import { lowerBound } from "./bisect.js";
/** @import { Added, View } from "./types.js" */

/** The k-th message that compactions added stands at ADDED + k, however many messages there are. */
export const ADDED = 50_000_000;

/** Copy s of message i, as a policy leaves it when it clears messages in place, stands at (s + 1) * SPACE + i. */
export const SPACE = 100_000_000;

/** @param {number} p  the session's message that a pool index stands for, emptied or not; itself for what was added */
export const originOf = (p) => (p >= SPACE ? p % SPACE : p);

/** Message classes that no cut decides: what is itself a summary, and what was emptied. */
const PLAIN = 0,
  SUMMARY = 1,
  CLEARED = 2;

/** What a compaction puts in beside summaries, as rows name it; a message that stayed in short is put in anew, and never left. */
const LABELS = { ack: "reply", digest: "results as text", marker: "marker", again: "repeated request", shortened: "shortened by the agent" };

/** Whether an agent put it in beside its summary, as files that it shows the model again. @param {{injected: string, of: number}} added */
export const isPutBack = ({ injected, of }) => of < 0 && injected !== "" && injected !== "summary" && injected !== "cleared" && !(injected in LABELS);

/** Every message a run can show, by its pool index, with running sums of tokens for each class. */
export class Pool {
  /** @param {import("./decode.js").Store} store @param {View} view */
  constructor(store, view) {
    this.store = store;
    this.view = view;
    this.n = store.n;
    /** @type {{c: number, m: number, role: number, injected: string, tokens: number, preview: string, of: number}[]} */
    this.added = view.c.added.flatMap(addedOf);
    this.numbers = view.c.number;
    /** Where summaries stand that nobody can read. */
    this.sealed = new Set(this.added.flatMap((a, k) => (a.injected === "summary" && view.c.unreadable?.[a.c] ? [ADDED + k] : [])));
    this.classes = classesOf(store, view);
    this.marked = new Set(store.header.marked?.summary ?? []);
    /** Where the emptied copies of a message stand that no shadow holds. */
    this.copies = copiesOf(this.added);
    /** @type {Int32Array | undefined} */ this._results = undefined;
    /** @type {Int32Array | undefined} */ this._systems = undefined;
    /** @type {boolean | undefined} */ this._resultsOnly = undefined;
    /** @type {Map<number, number>[]} the tokens of what is emptied, by place, a shadow each */
    this.shadows = view.shadows.map((s) => new Map([...s.places].map((p, k) => [p, s.tokens[k]])));
    this.emptied = view.pins.emptied && new Set(view.pins.emptied);
    /** What a person pinned by hand: it stays, wherever it stands. */
    this.held = new Set(view.held ?? []);
    this.keepsSystems = view.pins.systems;
    const all = (/** @type {number} */ _p, /** @type {number} */ tokens) => tokens;
    const of = (/** @type {number} */ wanted) => (/** @type {number} */ p, /** @type {number} */ tokens) => (this.classOf(p) === wanted ? tokens : 0);
    this.sums = this._sums(all, store.running);
    this.summary = this._sums(of(SUMMARY), this._has(SUMMARY) ? undefined : null);
    this.cleared = this._sums(of(CLEARED), this._has(CLEARED) ? undefined : null);
    this.free = this._sums((p, tokens) => this._free(p, tokens));
    const pins = this.keepsSystems || this.emptied || this.held.size;
    this.pinned = pins ? this._sums((p, tokens) => (!this.classOf(p) && this.isPinned(p) ? tokens : 0)) : null;
    this.typed = view.spared.length ? this._sums((p, tokens) => (!this.classOf(p) && this.isTyped(p) && !this.isHeld(p) ? tokens : 0)) : null;
  }

  /** @param {number} wanted  whether a message of the session is of this class */
  _has(wanted) {
    return [...this.classes.values()].includes(wanted);
  }

  /** @param {number} p  whether a person pinned it */
  isHeld(p) {
    return this.held.size > 0 && (p < this.n || p >= SPACE) && this.held.has(originOf(p));
  }

  /** @param {number} p  whether it stays in front of the tail for what it is, or because a person said so */
  isPinned(p) {
    if (this.isHeld(p)) return true;
    if (this.keepsSystems && this._roleOf(p) === 0) return true;
    return Boolean(this.emptied && (p >= this.n || !this.emptied.has(p)));
  }

  /** @param {number} p  whether a person typed it */
  isTyped(p) {
    return p >= SPACE || p < this.n ? Boolean(this.store.flags[originOf(p)] & FLAG.typed) : false;
  }

  /** @param {number} p */
  _roleOf(p) {
    return p >= SPACE || p < this.n ? this.store.role[originOf(p)] : this.added[p - ADDED].role;
  }

  /** @param {number} p  the class of a message: 0 plain, 1 summary, 2 cleared @returns {number} */
  classOf(p) {
    if (p < this.n) return this.classes.get(p) ?? PLAIN;
    if (p >= SPACE) return this._light(p) === undefined ? this.classOf(originOf(p)) : CLEARED;
    const { injected } = this.added[p - ADDED];
    return injected === "cleared" ? CLEARED : injected === "summary" || injected === "ack" ? SUMMARY : PLAIN;
  }

  /** @param {number} p */
  tokens(p) {
    if (p >= SPACE) return this._light(p) ?? this.store.tokens[originOf(p)];
    return p < this.n ? this.store.tokens[p] : this.added[p - ADDED].tokens;
  }

  /** @param {number} p  the message of the session that stands here, emptied or not; itself for what was put in */
  originOf(p) {
    if (p < this.n || p >= SPACE) return originOf(p);
    const { of } = this.added[p - ADDED];
    return of >= 0 ? of : p;
  }

  /**
   * The messages of the session that are emptied or shortened in a range of the pool, in order.
   * @param {number} a
   * @param {number} b
   * @returns {number[]}
   */
  lightIn(a, b) {
    if (a < this.n) return [];
    if (a < SPACE) return this.added.slice(a - ADDED, b - ADDED).flatMap(({ of }) => (of >= 0 ? [of] : []));
    const { places } = this.view.shadows[Math.floor(a / SPACE) - 1];
    return [...places.subarray(lowerBound(places, a % SPACE), lowerBound(places, ((b - 1) % SPACE) + 1))];
  }

  /** @param {number} p  whether a message of the session is emptied or shortened here */
  isLight(p) {
    if (p >= SPACE) return this._light(p) !== undefined;
    return p >= this.n && this.added[p - ADDED].of >= 0;
  }

  /** Whether there is a message at this index. @param {number} p */
  has(p) {
    return (p >= 0 && p < this.n) || (p >= ADDED && p < ADDED + this.added.length);
  }

  /** @param {number} p  whether only the middle of its body is gone */
  isShort(p) {
    return p >= SPACE && Boolean(this.view.shadows[Math.floor(p / SPACE) - 1].short);
  }

  /** @param {number} p  whether only its thinking is left out */
  isThinking(p) {
    return p >= SPACE && Boolean(this.view.shadows[Math.floor(p / SPACE) - 1].thinking);
  }

  /** Whether all that the policy ever leaves out is thinking. @returns {boolean} */
  get thinkingOnly() {
    return this.view.shadows.length > 0 && this.view.shadows.every((s) => s.thinking);
  }

  /** The tool results of the session, in order. @returns {Int32Array} */
  get results() {
    return (this._results ??= placesOf(this.store.role, 3));
  }

  /** Its system messages. @returns {Int32Array} */
  get systems() {
    return (this._systems ??= placesOf(this.store.role, 0));
  }

  /** Whether nothing but tool results can be emptied. @returns {boolean} */
  get emptiesResultsOnly() {
    return (this._resultsOnly ??= [...(this.view.pins.emptied ?? [])].every((p) => this.store.role[p] === 3));
  }

  /** @param {number} p  the tokens of an emptied message; undefined where it is as it came */
  _light(p) {
    return this.shadows[Math.floor(p / SPACE) - 1].get(originOf(p));
  }

  /**
   * What a row shows of a message, whatever window it stands in.
   * @param {number} p
   * @returns {Omit<import("./layout.js").Row, "region">}
   */
  row(p) {
    if (p >= SPACE) return this._shadowRow(p);
    return p < this.n ? this._baseRow(p) : this._addedRow(this.added[p - ADDED], p);
  }

  /** @param {number} p  the same row as before it was emptied, with what is left of it */
  _shadowRow(p) {
    const row = { ...this._baseRow(originOf(p)), pool: p, tokens: this.tokens(p) };
    return this._light(p) === undefined
      ? row
      : { ...row, injected: "cleared", of: originOf(p), short: this.isShort(p), thinking: this.isThinking(p) };
  }

  /** @param {number} p */
  _baseRow(p) {
    const { store } = this;
    const label = store.header.labels[store.label[p]] ?? "";
    const flags = store.flags[p];
    const injected = flags & FLAG.injected ? label : "";
    return {
      key: `m${p}`,
      pool: p,
      added: false,
      role: ROLES[store.role[p]],
      label,
      tokens: store.tokens[p],
      preview: store.preview(p),
      flags,
      injected,
      of: -1,
      ...(this.isHeld(p) && { held: true }),
    };
  }

  /** @param {Pool["added"][number]} a @param {number} p */
  _addedRow(a, p) {
    if (a.of >= 0) return { ...this._baseRow(a.of), pool: p, added: true, tokens: a.tokens, injected: a.injected, of: a.of };
    return {
      key: `c${a.c}.${a.m}`,
      pool: p,
      added: true,
      role: ROLES[a.role],
      label: this._addedLabel(a),
      tokens: a.tokens,
      preview: a.preview,
      flags: FLAG.injected,
      injected: a.injected,
      of: -1,
      ...(this.sealed.has(p) && { sealed: true }),
    };
  }

  /** @param {Pool["added"][number]} a */
  _addedLabel(a) {
    const known = /** @type {Record<string, string>} */ (LABELS)[a.injected];
    if (known) return known;
    if (isPutBack(a)) return `put back: ${a.injected}`;
    const number = this.numbers[a.c];
    return number > 0 ? `summary #${number}` : "summary";
  }

  /**
   * Running sums over every part of the pool of what `amount` makes of a message and its tokens. `base` are those over
   * the session where they are known; null where they are nothing at all.
   * @param {(p: number, tokens: number) => number} amount
   * @param {Float64Array | null} [base]
   * @returns {Sums}
   */
  _sums(amount, base) {
    const { n } = this;
    const over = (/** @type {number} */ at) => {
      const values = new Float64Array(n);
      for (let i = 0; i < n; i++) values[i] = amount(at + i, this.tokens(at + i));
      return runningSum(values);
    };
    const added = runningSum(this.added.map((a, k) => amount(ADDED + k, a.tokens)));
    return { base: base === undefined ? over(0) : base, added, shadows: this.shadows.map((_, s) => over((s + 1) * SPACE)) };
  }

  /** @param {number} p @param {number} tokens  how many a policy that does not count all leaves out; less than none where it counts more */
  _free(p, tokens) {
    if (this.view.policy?.counts !== "wordless") return this._isFree(p) ? tokens : 0;
    return (p >= SPACE || p < this.n) && this.store.flags[originOf(p)] & FLAG.wordless ? -1 : 0;
  }

  /** @param {number} p  whether a policy that does not count all leaves it out: system messages and, if "active", summaries */
  _isFree(p) {
    const active = this.view.policy?.counts === "active";
    if (p >= SPACE || p < this.n) return this.store.role[originOf(p)] === 0 || (active && this.marked.has(originOf(p)));
    const { role, injected } = this.added[p - ADDED];
    return role === 0 || (active && injected === "summary");
  }

  /** @param {Sums} sums @param {number} a @param {number} b  a range that lies in one part of the pool */
  span(sums, a, b) {
    if (a >= SPACE) {
      const shadow = sums.shadows[Math.floor(a / SPACE) - 1];
      return shadow[((b - 1) % SPACE) + 1] - shadow[a % SPACE];
    }
    if (a >= ADDED) return sums.added[b - ADDED] - sums.added[a - ADDED];
    return sums.base ? sums.base[b] - sums.base[a] : 0;
  }
}

/** @typedef {{base: Float64Array | null, added: Float64Array, shadows: Float64Array[]}} Sums */

/**
 * @param {Added[]} list  what one compaction added
 * @param {number} c
 */
function addedOf(list, c) {
  return list.map(([role, injected, tokens, preview, of = -1], m) => ({ c, m, role, injected, tokens, preview, of }));
}

/** @param {Pool["added"]} added */
function copiesOf(added) {
  /** @type {Map<number, number[]>} */
  const copies = new Map();
  added.forEach(({ of }, k) => of >= 0 && copies.set(of, [...(copies.get(of) ?? []), ADDED + k]));
  return copies;
}

/** @param {Uint8Array} roles @param {number} role */
function placesOf(roles, role) {
  const places = [];
  for (let i = 0; i < roles.length; i++) if (roles[i] === role) places.push(i);
  return Int32Array.from(places);
}

/**
 * Which of the transcript's own messages are summaries or emptied.
 * @param {import("./decode.js").Store} store
 * @param {View} view
 */
function classesOf(store, view) {
  const marked = store.header.marked ?? {};
  const classes = new Map();
  for (const p of view.worded ?? []) classes.set(p, SUMMARY);
  for (const p of [...(marked.summary ?? []), ...(marked.ack ?? [])]) classes.set(p, SUMMARY);
  for (const p of marked.cleared ?? []) classes.set(p, CLEARED);
  return classes;
}
