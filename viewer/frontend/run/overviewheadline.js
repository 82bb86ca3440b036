// What all compactions of a run took out of the model's sight, in a few sentences: what the user said leads, tool output comes behind it. Pure.

import { int, listed, pluralize } from "../lib/format.js";
import { counted } from "./compactionfigures.js";
import { inThisFile } from "./midway.js";
import { isOnlySimulated } from "./shownas.js";
import { answeredBy, isBlank, madeBefore, maybeThere, newestAsked, ofTheUsers, ruleNouns, sendsBack, stayedWords, usedCount } from "./losswords.js";
import { unknownWords } from "./losstable.js";
/** @import { Run } from "./model.js" */
/** @import { CompactionLosses } from "./types.js" */

/** Needs are found by words: one in other words does not show. */
const WORDS = "Judging by the words alone, ";

/**
 * Its sentences: "3 compactions took 2 of the user's rules and a request that the agent was working on out of the model's sight."; none where
 * nobody can tell.
 * Requests that were answered are told apart: among them are decisions that no words mark as a rule.
 * @param {Run} run @param {CompactionLosses[]} rows  of every compaction
 * @param {boolean} [unsought]  whether nobody looked when sentences were needed @returns {string[]}
 */
export function overviewHeadline(run, rows, unsought = false) {
  const known = rows.filter(({ unreadable }) => !unreadable);
  if (rows.every(isBlank)) return [];
  const who = counted(run);
  const read = readAgain(rows);
  if (!known.length) return [...unreadWords(who, rows), read].filter(Boolean);
  const open = requestsOf(rows);
  const words = [open, rulesGone(known)].filter(Boolean);
  const results = resultsGone(known);
  const took = `${isOnlySimulated(run) ? "would take" : "took"} ${listed([...words, results].flatMap((part) => part || []))} out of the model's sight.`;
  const missed = sum(known, ({ rules }) => rules[1]);
  const sought = !unsought && known.length === rows.length; // of a summary that nobody can read nobody can tell
  const done = answeredGone(run, rows, words.length > 0);
  const kept = words.length ? "" : keptWords(run, who, rows);
  const rest = sought && !missed ? unneeded(known, read !== "" || open !== 0, kept !== "" && done !== "") : "";
  if (kept) return [kept, done, results ? `${alsoThey(who)} ${took}` : "", rest, read].filter(Boolean);
  return [words.length || results ? `${who} ${took}` : "", rest, done, read].filter(Boolean);
}

/**
 * "The compactions also took 22 of the 39 requests that the user made before the last compaction, all of them already answered."; "" where none went.
 * @param {Run} run @param {CompactionLosses[]} rows @param {boolean} too  behind something else that went
 */
function answeredGone(run, rows, too) {
  const { of = 0, gone = 0, open = 0, answered = 0, stopped = 0 } = newestAsked(rows)?.requests ?? {};
  const done = gone - open;
  if (!done) return "";
  const one = run.compactions === 1;
  const [they, also] = too ? [one ? "The compaction" : "The compactions", "also "] : [one ? "it" : "they", ""];
  const took = isOnlySimulated(run) ? `would ${also}take` : `${also}took`;
  const made = madeBefore(rows, "it", "the last compaction");
  const which = of === 1 ? `the request ${made}` : `${int(done)} of the ${int(of)} requests ${made}`;
  return `${too ? "" : WORDS}${they} ${took} ${which}${answeredBy(done, answered, stopped)}.`;
}

/** "1 compaction kept all 7 requests that the user made before it: 4 word for word, 3 only in other words or in part."; "" where there are none. @param {Run} run @param {string} who @param {CompactionLosses[]} rows */
function keptWords(run, who, rows) {
  const would = isOnlySimulated(run);
  const { of = 0, gone = 0, reworded = 0 } = newestAsked(rows)?.requests ?? {};
  if (!of) return "";
  if (gone) return `${who} ${would ? "would take" : "took"} no known rule and no request that the agent was working on.`;
  const made = `${madeBefore(rows, "it", "the last compaction")}${inThisFile(run)}`;
  const which = `${of === 1 ? "the request" : `${of === 2 ? "both" : `all ${int(of)}`} requests`} ${made}`;
  const [same, part] = [of - reworded, "only in other words or in part"];
  const how = !reworded ? "" : same ? `: ${int(same)} word for word, ${int(reworded)} ${part}` : `, but ${part}`;
  return `${who} ${would ? "would keep" : "kept"} ${which}${how}.`;
}

/** Of summaries that nobody can read. @param {string} who @param {CompactionLosses[]} rows */
function unreadWords(who, rows) {
  const kept = stayedWords(rows[rows.length - 1].typed);
  return [kept && `${who} kept ${kept}, word for word.`, unknownWords(rows)];
}

/** @param {CompactionLosses[]} rows @param {(row: CompactionLosses) => number} of */
const sum = (rows, of) => rows.reduce((all, row) => all + of(row), 0);

/** @param {CompactionLosses[]} known */
function rulesGone(known) {
  const gone = sum(known, ({ rules }) => rules[0]);
  return gone && ofTheUsers(gone, known);
}

/** Those that the agent was working on when they went. @param {CompactionLosses[]} rows */
function requestsOf(rows) {
  const open = newestAsked(rows)?.requests.open ?? 0;
  return open && `${open === 1 ? "a request" : `${int(open)} requests`} that the agent was working on`;
}

/** Unless part of it may have been put back. @param {CompactionLosses[]} known */
function resultsGone(known) {
  const gone = sum(known, (row) => (maybeThere(row) ? 0 : row.results));
  return gone && `the text of ${pluralize(gone, "tool result")}`;
}

/** That calls brought back what had gone, and how often the user sends the agent back to it; "" where nothing did. @param {CompactionLosses[]} rows */
function readAgain(rows) {
  const calls = sum(rows, ({ again }) => again);
  if (!calls) return sendsBack(rows, "what had left the window");
  return [`${pluralize(calls, "later call")} read tool output again that had left the window.`, sendsBack(rows, "what had left it")]
    .filter(Boolean)
    .join(" ");
}

/** The compactions, behind what they did to the user's words. @param {string} who */
const alsoThey = (who) => (who.startsWith("1 ") && !who.includes(" and ") ? "It also" : "They also");

/** That nothing needed what went, or at least not the user's rules; "" where something did. @param {CompactionLosses[]} known @param {boolean} needed  whether it needed something else @param {boolean} said  whether it is said already that words alone are judged by */
function unneeded(known, needed, said) {
  const nothing = said ? "Nothing later needed" : `${WORDS}nothing later needed`;
  const rules = sum(known, (row) => row.rules[0]);
  const [one, many] = ruleNouns(known);
  if (!needed && !usedCount(known) && (rules || resultsGone(known))) return `${nothing} any of it.`;
  return rules ? `${nothing} ${rules === 1 ? `this ${one}` : `these ${many}`}.` : "";
}
