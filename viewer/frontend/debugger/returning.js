// What Python was asked to show by an address, until its picture has come. Until then the address bar is the browser's alone: a
// picture that comes in between is of an entry of the history that has been left.

/**
 * A question, and what is to be done with its answer: the step to go to, -1 for where the cursor is; the kind of a jump that was
 * made since, which Back is to undo; whether the overview is to be shown, null for as it is.
 * @typedef {{nth: number, step: number, kind: string, overview: boolean | null}} Asked
 */

export class Returning {
  constructor() {
    /** How often Python was asked. */ this.asked = 0;
    /** @type {Asked | null} */ this.awaited = null;
  }

  /** Ask anew, whatever is awaited. @param {number} step @param {string} [kind] @param {boolean | null} [overview] @returns {number} the number of the question */
  ask(step, kind = "", overview = null) {
    this.awaited = { nth: ++this.asked, step, kind, overview };
    return this.asked;
  }

  /** The cursor was moved: there it stays. */
  moved() {
    if (this.awaited) Object.assign(this.awaited, { step: -1, overview: null });
  }

  /** A jump of this kind is to be written once the answer is there. @param {string} kind */
  postpone(kind) {
    if (this.awaited && kind) this.awaited.kind = kind;
  }

  /** What to do with a picture that answers the question of this number; null if it is not the one that is awaited. @param {number | undefined} nth */
  answered(nth) {
    const { awaited } = this;
    if (!awaited || nth !== awaited.nth) return null;
    this.awaited = null;
    return awaited;
  }
}
