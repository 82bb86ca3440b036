// Findings as words and as places along the timeline. Pure.

import { counted, number } from "./dom.js";

/** @typedef {"error" | "warning" | "info"} Severity */

/** The worst first. @type {Severity[]} */
export const SEVERITIES = ["error", "warning", "info"];

/** @type {Record<Severity, {letter: string, word: string, many: string, about: string}>} */
export const SEVERITY = {
  error: { letter: "E", word: "error", many: "Errors", about: "the run breaks, or what was known is gone" },
  warning: { letter: "W", word: "warning", many: "Warnings", about: "tokens, calls or something asked for are lost" },
  info: { letter: "I", word: "good to know", many: "Good to know", about: "may be meant so" },
};

/**
 * A square, a triangle or a ring about a point, six pixels wide: not told apart by colour alone.
 * @param {Severity} severity
 * @param {number} x
 * @param {number} y
 */
export function shapeAt(severity, x, y) {
  if (severity === "error") return `M${x - 3} ${y - 3}h6v6h-6z`;
  if (severity === "warning") return `M${x} ${y - 3.5}l4 6.5h-8z`;
  const ring = (/** @type {number} */ r) => `M${x} ${y - r}a${r} ${r} 0 1 0 .01 0z`;
  return ring(3.25) + ring(1.5);
}

/** A kind's name as words. @param {string} kind */
export const kindWords = (kind) => kind.replaceAll("_", " ");

/** "1 error, 4 warnings, 2 good to know"; what there is none of is left out. @param {Record<Severity, number>} counts */
export function countWords(counts) {
  const named = { error: (/** @type {number} */ n) => counted(n, "error"), warning: (/** @type {number} */ n) => counted(n, "warning") };
  const of = (/** @type {Severity} */ s) => (s === "info" ? `${number(counts.info)} good to know` : named[s](counts[s]));
  return SEVERITIES.filter((s) => counts[s]).map(of).join(", ");
}

/** The worst there is, or null. @param {Record<Severity, number>} counts @returns {Severity | null} */
export const worstOf = (counts) => SEVERITIES.find((s) => counts[s]) ?? null;

/**
 * Where a finding is: "compaction 3 of 9 · step 212", "compactions 3 to 40 of 50, 38 times · steps 212 to 900". A pass
 * that came to nothing is no compaction.
 * @param {any} row
 * @param {number} compactions how many there are
 */
export function whereWords({ failed, first, last, times, step, last_step }, compactions) {
  const steps = step === last_step ? `step ${number(step)}` : `steps ${number(step)} to ${number(last_step)}`;
  if (failed) return `no compaction came of it${times > 1 ? `, ${number(times)} times` : ""} · ${steps}`;
  const of = `of ${number(compactions)}`;
  if (times === 1) return `compaction ${number(first + 1)} ${of} · ${steps}`;
  return `compactions ${number(first + 1)} to ${number(last + 1)} ${of}, ${number(times)} times · ${steps}`;
}

/**
 * What an empty list says.
 * @param {number} compactions
 */
export function noneWords(compactions) {
  if (!compactions) return "No compaction happened, so there is nothing to look at.";
  const looked = compactions === 1 ? "The one compaction was" : `All ${number(compactions)} compactions were`;
  return `Nothing stood out. ${looked} looked at; whether a summary is true to what it stands for cannot be told from here.`;
}

/** @typedef {{severity: number, text: string}} Title */

/**
 * A compaction that has findings: how bad the worst is, the first titles, how many there are.
 * @typedef {{compaction: number, severity: number, titles: Title[], count: number}} Mark
 */

/** The marks as the wire has them, one object each. @param {any} wire @returns {Mark[]} */
export function marksOf(wire) {
  const titles = wire.titles.map((/** @type {[number, string]} */ [severity, text]) => ({ severity, text }));
  let compaction = 0;
  return wire.at.map((/** @type {number} */ delta, /** @type {number} */ k) => {
    const first = wire.first[k].map((/** @type {number} */ i) => titles[i]);
    return { compaction: (compaction += delta), severity: first[0].severity, titles: first, count: wire.count[k] };
  });
}

/**
 * Marks that stand too close for one each, as one. `worst` is the first of the worst of them.
 * @typedef {{x: number, severity: number, marks: Mark[], worst: Mark}} Column
 */

/**
 * @param {Mark[]} marks in order
 * @param {(compaction: number) => number} x pixels
 * @param {number} gap pixels between two columns, at least
 * @returns {Column[]}
 */
export function columnsOf(marks, x, gap) {
  /** @type {Column[]} */ const columns = [];
  for (const mark of marks) {
    const at = x(mark.compaction);
    const last = columns[columns.length - 1];
    if (!last || at - last.x >= gap) {
      columns.push({ x: at, severity: mark.severity, marks: [mark], worst: mark });
      continue;
    }
    last.marks.push(mark);
    if (mark.severity < last.severity) Object.assign(last, { severity: mark.severity, worst: mark });
  }
  return columns;
}

/** The column under the pointer, or null. @param {Column[]} columns @param {number} x @param {number} reach pixels */
export function columnAt(columns, x, reach) {
  const near = columns.filter((column) => Math.abs(column.x - x) <= reach);
  return near.sort((a, b) => Math.abs(a.x - x) - Math.abs(b.x - x))[0] ?? null;
}

const TITLES = 3;

/**
 * What is said of a column: which compactions, and the first titles, the worst first.
 * @param {Column} column
 * @returns {{head: string, lines: {severity: Severity, text: string}[], rest: string}}
 */
export function tipOf({ marks }) {
  const [first, last] = [marks[0].compaction + 1, marks[marks.length - 1].compaction + 1];
  const head = marks.length === 1 ? `compaction ${number(first)}` : `compactions ${number(first)} to ${number(last)}`;
  const titles = [...new Set(marks.flatMap((mark) => mark.titles))].sort((a, b) => a.severity - b.severity);
  const lines = titles.slice(0, TITLES).map(({ severity, text }) => ({ severity: SEVERITIES[severity], text }));
  const more = marks.reduce((sum, { count }) => sum + count, 0) - lines.length;
  return { head, lines, rest: more > 0 ? `and ${number(more)} more` : "" };
}
