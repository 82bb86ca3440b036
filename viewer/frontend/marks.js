// What the window and the inspector tell each other beside the app's own state: the phase of a compaction on
// show, the other half of a tool pair.

/** @typedef {1 | 2 | 3 | 4} Phase trigger, partition, summarise, splice */

/**
 * @typedef {{phase: Phase | null, of: number, pairs: number[]}} Marks the phase is one of compaction `of`;
 * `pairs` are pool indexes
 */

/** @type {WeakMap<object, Board>} */
const boards = new WeakMap();

class Board {
  constructor() {
    /** @type {Marks} */ this.marks = { phase: null, of: -1, pairs: [] };
    /** @type {Set<(marks: Marks) => void>} */ this.listeners = new Set();
  }
}

/** @param {object} app */
function board(app) {
  const found = boards.get(app) ?? new Board();
  boards.set(app, found);
  return found;
}

/** The marks as they stand. @param {object} app */
export const marks = (app) => board(app).marks;

/** Be told of every change. @param {object} app @param {(marks: Marks) => void} listener */
export const watch = (app, listener) => void board(app).listeners.add(listener);

/**
 * Change some marks; tells those who watch, if anything is different.
 * @param {object} app
 * @param {Partial<Marks>} change
 */
export function mark(app, change) {
  const here = board(app);
  const next = { ...here.marks, ...change };
  if (JSON.stringify(next) === JSON.stringify(here.marks)) return;
  here.marks = next;
  for (const listener of here.listeners) listener(next);
}
