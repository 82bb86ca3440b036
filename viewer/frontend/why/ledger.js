// What was said in what a compaction took, and what became of it in the summary: filters and groups. Pure: no nodes.

import { int, pluralize } from "../lib/format.js";
import { shareWords } from "../run/losswords.js";
/** @import { Entry, Kind } from "./provenance.js" */

/** A filter of the ledger. @typedef {"all" | "verbatim" | "reworded" | "gone" | "missed"} Filter */
/** A line of the list: the heading of a kind, an entry, or what there is beyond them. @typedef {{heading: string} | {entry: Entry} | {more: string}} Line */

/** The kinds in the order they are listed. @type {Record<Kind, string>} */
const KINDS = {
  constraint: "Constraints",
  decision: "Decisions",
  file: "Files",
  identifier: "Identifiers",
  number: "Numbers",
  command: "Commands",
  error: "Errors",
  task: "Open tasks",
};

/** What the overview calls an entry of each kind. @type {Record<Kind, string>} */
const NAMES = {
  constraint: "statement",
  decision: "statement",
  file: "name",
  identifier: "name",
  number: "name",
  command: "command",
  error: "error",
  task: "open task",
};

/** Kinds that are written as code. */
const CODE = ["file", "identifier", "command", "error"];

/** @type {Record<Filter, [name: string, test: (entry: Entry) => boolean]>} */
const FILTERS = {
  all: ["All", () => true],
  verbatim: ["Verbatim", ({ in_summary: state }) => state === "verbatim"],
  reworded: ["Reworded", ({ in_summary: state }) => state === "reworded"],
  gone: ["Gone", ({ in_summary: state }) => state === "gone"],
  missed: ["Needed without it", (entry) => isMissed(entry)],
};

/** Whether it was needed after it was gone. @param {Entry} entry */
export const isMissed = ({ in_summary: state, needed_at: step }) => state === "gone" && step >= 0;

/** What the entries are that were needed after they were gone, where they are of several kinds: "1 name, 2 commands"; else "". @param {Entry[]} ledger */
export function missedWords(ledger) {
  const counts = new Map();
  for (const { kind } of ledger.filter(isMissed)) counts.set(NAMES[kind], (counts.get(NAMES[kind]) ?? 0) + 1);
  return counts.size > 1 ? [...counts].map(([name, count]) => pluralize(count, name)).join(", ") : "";
}

/** What became of it: "5 of 12 words" where the summary has a part of it. @param {Entry} entry */
export const keptWords = ({ in_summary: state, kept = 0, words = 0 }) => (words ? `${int(kept)} of ${int(words)} words` : state);

/** What its count of words is of, behind it; "" of one without. @param {Entry} entry */
export const keptOf = ({ kept = 0, words = 0 }) => (words ? shareWords(kept, words) : "");

/** Whether an entry is written as code. @param {Entry} entry */
export const isCode = ({ kind }) => CODE.includes(kind);

/** The filters, and how many entries each leaves. @param {Entry[]} ledger @returns {{filter: Filter, name: string, count: number}[]} */
export const filters = (ledger) =>
  /** @type {[Filter, [string, (entry: Entry) => boolean]][]} */ (Object.entries(FILTERS)).map(([filter, [name, test]]) => ({
    filter,
    name,
    count: ledger.filter(test).length,
  }));

/**
 * The lines that a filter leaves, by kind, each kind under its heading, in the order the server gave them.
 * @param {Entry[]} ledger
 * @param {Filter} filter
 * @param {number} [leftOut]  how many more there are that are not listed
 * @returns {Line[]}
 */
export function lines(ledger, filter, leftOut = 0) {
  const left = ledger.filter(FILTERS[filter][1]);
  const more = leftOut && filter === "all" ? [{ more: `${int(leftOut)} more, which say less, are not listed` }] : [];
  const groups = Object.entries(KINDS).flatMap(([kind, heading]) => {
    const entries = left.filter((entry) => entry.kind === kind);
    return entries.length ? [{ heading }, ...entries.map((entry) => ({ entry }))] : [];
  });
  return [...groups, ...more];
}

/** The heading that stands over a line, or "". @param {Line[]} all @param {number} at */
export function headingOver(all, at) {
  for (let k = Math.min(at, all.length - 1); k >= 0; k -= 1) {
    const line = all[k];
    if ("heading" in line) return line.heading;
  }
  return "";
}

/** The nearest entry to a line in a direction, else in the other; -1 where there is none. @param {Line[]} all @param {number} at @param {1 | -1} way */
export function entryNear(all, at, way) {
  const is = (/** @type {number} */ k) => all[k] !== undefined && "entry" in all[k];
  for (let k = at; k >= 0 && k < all.length; k += way) if (is(k)) return k;
  for (let k = at; k >= 0 && k < all.length; k -= way) if (is(k)) return k;
  return -1;
}

/** An entry for those who listen. @param {Entry} entry @param {string} where "in summary #2" @param {(step: number) => string} place  what a step is called */
export function entryWords(entry, where, place) {
  const needed = entry.needed_at < 0 ? "" : `, needed at ${place(entry.needed_at)}${isMissed(entry) ? " without it" : ""}`;
  return `${entry.text}, said at ${place(entry.said_at)}, ${keptOf(entry) || entry.in_summary} ${where}${needed}`;
}
