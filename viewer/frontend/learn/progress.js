// What a person has done of the lessons: kept in this browser alone, in no cookie, until it is cleared.
/** @import { Answer, Said } from "./types.js" */

const KEY = "foldline-lessons";

/** How somebody came to an answer: by a guess, or by asking for it. @typedef {"right" | "wrong" | "shown"} Standing */

/** @param {Said} said @returns {Standing} */
export const standingOf = ({ guess, right }) => (right ? "right" : guess === null ? "shown" : "wrong");

/** How they came to their first answer. @param {Said} said @returns {Standing} */
const firstOf = (said) => said.first ?? standingOf(said);

/**
 * For each lesson by its key: the steps that are done, what was said at each, the step it was left at.
 * @typedef {{done: number[], said: Record<string, Said>, at: number}} Kept
 */

export class Progress {
  constructor() {
    /** @type {Record<string, Kept>} */ this.lessons = read();
  }

  /** @param {string} key @returns {Kept} */
  of(key) {
    const found = this.lessons[key];
    return found ?? { done: [], said: {}, at: 1 };
  }

  /** The lesson is left at this step. @param {string} key @param {number} step */
  stand(key, step) {
    this.#keep(key, { at: step });
  }

  /** The step is done. @param {string} key @param {number} step */
  finish(key, step) {
    const { done } = this.of(key);
    if (!done.includes(step)) this.#keep(key, { done: [...done, step] });
  }

  /** What was said at a step, and how they came to their first answer there. @param {string} key @param {number} step @param {Answer | null} guess @param {boolean} right */
  say(key, step, guess, right) {
    const { said } = this.of(key);
    const first = firstOf(said[step] ?? { guess, right });
    this.#keep(key, { said: { ...said, [step]: { guess, right, first } } });
  }

  /** A task passes: by what they did, or as it was shown to them; what they solved once stays solved. @param {string} key @param {number} step @param {boolean} shown */
  solve(key, step, shown) {
    if (!this.of(key).said[step]?.right) this.say(key, step, null, !shown);
  }

  /** How they came to the answer of a step; undefined where nothing was asked, or not yet. @param {string} key @param {number} step @returns {Standing | undefined} */
  standing(key, step) {
    const said = this.of(key).said[step];
    return said && standingOf(said);
  }

  /** How many steps of a lesson were first answered each way: a guess behind the answer does not count. @param {string} key @returns {Record<Standing, number>} */
  tally(key) {
    const count = { right: 0, wrong: 0, shown: 0 };
    for (const said of Object.values(this.of(key).said)) count[firstOf(said)]++;
    return count;
  }

  clear() {
    this.lessons = {};
    write(this.lessons);
  }

  /** @param {string} key @param {Partial<Kept>} change */
  #keep(key, change) {
    this.lessons = { ...this.lessons, [key]: { ...this.of(key), ...change } };
    write(this.lessons);
  }
}

/** @returns {Record<string, Kept>} */
function read() {
  try {
    const found = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    const rows = Object.entries(found ?? {}).filter(([, kept]) => isKept(kept));
    return Object.fromEntries(/** @type {[string, Kept][]} */ (rows));
  } catch {
    return {}; // no storage, or not what was written here
  }
}

/** @param {any} kept */
const isKept = (kept) => Array.isArray(kept?.done) && typeof kept.said === "object" && Number.isInteger(kept.at);

/** @param {Record<string, Kept>} lessons */
function write(lessons) {
  try {
    localStorage.setItem(KEY, JSON.stringify(lessons));
  } catch {
    // without storage it lasts as long as the page
  }
}
