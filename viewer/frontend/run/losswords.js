// What compactions lost, in words. Pure.

import { int, pluralize, tokens } from "../lib/format.js";
/** @import { CompactionLosses, Loss } from "./types.js" */

/**
 * All of it in a sentence or two: "Forgotten: 3 things the user said, the text of 200 tool results. 4 names are missing from the window, and
 * the model used them all the same." Of a name that it used nobody can say that it was forgotten.
 * @param {CompactionLosses[]} rows
 */
export function lossesInAll(rows) {
  const unread = rows.filter(({ unreadable }) => unreadable);
  const known = rows.filter(({ unreadable }) => !unreadable);
  const sum = (/** @type {"told_total" | "names_total" | "results"} */ name, of = known) => of.reduce((all, row) => all + row[name], 0);
  const [told, names, results] = [sum("told_total"), sum("names_total"), sum("results")];
  const gone = [told && `${pluralize(told, "thing")} the user said`, results && `the text of ${pluralize(results, "tool result")}`].filter(Boolean);
  const unknown = sum("results", unread);
  const went = unknown ? ` of the text of ${pluralize(unknown, "tool result")}` : "";
  const rest = unread.length ? ` What ${pluralize(unread.length, "summary", "summaries")} kept${went} nobody can read.` : "";
  const missing =
    names === 1
      ? "1 name is missing from the window, and the model used it all the same."
      : `${int(names)} names are missing from the window, and the model used them all the same.`;
  const first = gone.length || !names ? [gone.length ? `Forgotten: ${gone.join(", ")}.` : "Nothing is known to be forgotten."] : [];
  return [...first, ...(names ? [missing] : [])].join(" ") + rest;
}

/** What is said of a text that is gone, behind it. @param {Loss} loss */
export function lossNote({ kind, kept, words, used_at: used }) {
  if (kind === "newest") return "the agent was still working on it";
  if (kind === "first") return words ? `the first request; the summary has ${int(kept)} of its ${pluralize(words, "word")}` : "the first request";
  const needed = used >= 0 ? `needed again at step ${int(used)}` : "";
  if (kind === "name") return needed && `used at step ${int(used)}`;
  return [kind === "rule" && "an instruction", needed].filter(Boolean).join(", ");
}

/** The text of tool results that is gone. @param {CompactionLosses} row @param {boolean} about  whether tokens are estimated */
export const lostResults = ({ results, result_tokens: size }, about) =>
  `the text of ${pluralize(results, "result")}, ${tokens(size, about)} ${size === 1 ? "token" : "tokens"}`;

/** Calls that asked again for what was gone, and what they brought. @param {CompactionLosses} row @param {boolean} about  whether tokens are estimated */
export function askedAgain({ again, again_at: first, again_tokens: size }, about) {
  const where = again === 1 ? `at step ${int(first)}` : `the first at step ${int(first)}`;
  return `${pluralize(again, "later call")} asked again for what was gone, ${where}: ${tokens(size, about)} ${size === 1 ? "token" : "tokens"} came back`;
}

/** What is said where no text is known to be lost; "" where one is. @param {CompactionLosses} row */
export function nothingLost({ taken, told_total: told, names_total: names, again, unreadable }) {
  if (unreadable) return `Its summary is ${unreadable === "encrypted" ? "encrypted" : "not in the transcript"}: nobody can tell what it kept.`;
  if (told || names || again) return "";
  return taken ? "Nothing that was used again later is missing." : "The transcript does not say what went.";
}

/** Whether nothing is known of what a compaction took. @param {CompactionLosses} row */
const isBlank = ({ taken, again, unreadable }) => !taken && !again && !unreadable;

/** The compactions in order, those in a row of which nothing is known together. @param {CompactionLosses[]} rows @returns {CompactionLosses[][]} */
export function lossGroups(rows) {
  /** @type {CompactionLosses[][]} */ const groups = [];
  for (const row of rows) {
    const last = groups.at(-1);
    if (last && isBlank(row) && isBlank(last[0])) last.push(row);
    else groups.push([row]);
  }
  return groups;
}
