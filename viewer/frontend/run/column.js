// Columns that grow: typed arrays with room to spare, so that one entry more costs no copy of the others. Pure.

/** @typedef {Uint8Array | Uint16Array | Uint32Array | Int32Array | Float64Array} Numbers */

/**
 * One column; `now` is what is in it, without a copy.
 * @template {Numbers} Kind
 */
export class Column {
  /** @param {new (length: number) => Kind} kind */
  constructor(kind) {
    this.kind = kind;
    this.held = new kind(64);
    this.length = 0;
  }

  /** What is in it: a part of what is held, which later entries do not move. @returns {Kind} */
  get now() {
    return /** @type {Kind} */ (this.held.subarray(0, this.length));
  }

  /** @param {number} value */
  push(value) {
    if (this.length === this.held.length) this.#grow(this.length + 1);
    this.held[this.length++] = value;
  }

  /**
   * Replace everything from `from` on; says whether anything is different now.
   * @param {number} from
   * @param {ArrayLike<number>} values
   */
  put(from, values) {
    const end = from + values.length;
    const same = end === this.length && equal(this.held, from, values);
    if (same) return false;
    if (from < this.length) this.held = /** @type {Kind} */ (this.held.slice()); // runs made before hold on to what they were made of
    if (end > this.held.length) this.#grow(end);
    this.held.set(values, from);
    this.length = end;
    return true;
  }

  /** Keep the first `length` entries. @param {number} length */
  cut(length) {
    if (length >= this.length) return;
    this.held = /** @type {Kind} */ (this.held.slice());
    this.length = length;
  }

  /** @param {number} least */
  #grow(least) {
    const held = new this.kind(Math.max(least, 2 * this.held.length));
    held.set(this.held.subarray(0, this.length));
    this.held = held;
  }
}

/** @param {ArrayLike<number>} held @param {number} from @param {ArrayLike<number>} values */
function equal(held, from, values) {
  for (let k = 0; k < values.length; k++) if (held[from + k] !== values[k]) return false;
  return true;
}
