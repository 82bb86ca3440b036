// What all compactions of a run lost together: a table of a few lines, those that matter most first. Pure.

import { int, pluralize, tokens } from "../lib/format.js";
import { editedWords } from "./broughtback.js";
import {
  doneGone,
  isBlank,
  madeBefore,
  maybeBack,
  maybeThere,
  newestAsked,
  ofTheUsers,
  onlyTyped,
  openGone,
  ruleNouns,
  typedWords,
  uncounted,
  unreadWord,
  usedCount,
  usedWords,
} from "./losswords.js";
import { countedTwice, lostTexts } from "./losttexts.js";
import { likelyNothing, unlistedWords } from "./unlisted.js";
/** @import { CompactionLosses } from "./types.js" */
/** @import { Unlisted } from "./unlisted.js" */

/** @typedef {"Rules" | "Statements" | "Requests" | "Tool results" | "Names" | "Used later" | "Summaries" | "Forgotten"} LossLabel */

/** @typedef {{label: LossLabel, words: string, quiet?: string}} LossLine  `quiet` matters less: requests that were answered */

/** Lines that most runs have: they stand there before the answer comes. @type {LossLabel[]} */
export const AHEAD = ["Rules", "Requests", "Tool results"];

/**
 * A line says what became of one kind of thing; there is none of a kind that the run has not. `about` is whether tokens are
 * estimated, `hidden` whether prompts held tokens that the file does not show, `unlisted` what the record says where it lists nothing.
 * @param {CompactionLosses[]} rows  of every compaction
 * @param {{about: boolean, hidden: boolean, unlisted: Unlisted, within?: string}} run  `within`: " in this file" where there were requests before it
 * @returns {LossLine[]}
 */
export function lossTable(rows, { about, hidden, unlisted, within = "" }) {
  if (rows.every(isBlank)) return [{ label: "Forgotten", words: blankWords(unlisted) }];
  const known = rows.filter(({ unreadable }) => !unreadable);
  /** @type {[LossLabel, string, string?][]} */ const lines = [
    [ruleNouns(known)[0] === "statement" ? "Statements" : "Rules", rulesWords(known, rows)],
    ["Requests", ...requestsWords(rows, within)],
    ["Tool results", resultsWords(rows, known, about)],
    [known.some(({ others = [] }) => others.length) ? "Used later" : "Names", usedLater(known, hidden)],
    ["Summaries", unreadWords(rows)],
  ];
  return lines.filter(([, words]) => words).map(([label, words, quiet]) => ({ label, words, ...(quiet && { quiet }) }));
}

/** How much the table leaves open. */
export const LEAST =
  "More may have been lost. A rule that was broken without a word, or needed in other words, leaves no trace. Nor does what the model no longer knew to ask for.";

/** @param {CompactionLosses[]} rows @param {"results" | "again" | "again_tokens"} name */
const sum = (rows, name) => rows.reduce((all, row) => all + row[name], 0);

/** What became of the rules; that only the quotes of a stand-in keep some is part of it. @param {CompactionLosses[]} known @param {CompactionLosses[]} rows */
function rulesWords(known, rows) {
  if (!known.some(({ taken }) => taken)) return "";
  const [gone, used] = [0, 1].map((i) => known.reduce((all, row) => all + row.rules[i], 0));
  const kept = quotedRulesWords(rows);
  if (!gone) return `No rule of the user's is known to be lost${kept && `, but ${kept}`}.`;
  const all = `${ofTheUsers(gone, known)} ${gone === 1 ? "is" : "are"} gone${neededWords(gone, used)}`;
  return `${all}${kept && `. Of the others, ${kept}`}.`;
}

/** "; 1 of them was needed later"; "" of none: the headline says that. @param {number} gone @param {number} used */
const neededWords = (gone, used) => (used ? `; ${gone === 1 ? "it" : `${int(used)} of them`} ${used === 1 ? "was" : "were"} needed later` : "");

/** What only the quotes of a stand-in keep in the end; "" of none, as where a model wrote the summaries. @param {number} count @param {string} one @param {string} many */
function quotedWords(count, one, many) {
  if (!count) return "";
  const it = count === 1 ? "it" : "them";
  return `${pluralize(count, one, many)} ${count === 1 ? "is" : "are"} kept only by quotes that stand in for a summary: one that a model writes may leave ${it} out`;
}

/** The same of the rules and statements of a run. @param {CompactionLosses[]} rows  of every compaction */
export const quotedRulesWords = (rows) => quotedWords(newestAsked(rows)?.quoted?.[1] ?? 0, "rule or statement", "rules or statements");

/** As the newest compaction of which can be told left them: what the agent was working on, and, in a quiet line, the others. @param {CompactionLosses[]} rows @param {string} within @returns {[words: string, quiet: string]} */
function requestsWords(rows, within) {
  const newest = newestAsked(rows);
  if (!newest) return ["", ""];
  const { requests } = newest;
  const quoted = quotedWords(newest.quoted?.[0] ?? 0, "request", "requests");
  const of = uncounted(newest);
  const made = `${madeBefore(rows, "the compaction", "the last compaction")}${within}`;
  if (!requests.gone) return [stillThere(requests, made, quoted) + of, ""];
  const others = (quoted && ` Of the others, ${quoted}.`) + of;
  const [open, done] = [openGone(requests.open), doneGone(requests, made) + statedIn(rows, requests.gone - requests.open)];
  return done ? [open || "No request that the agent was working on is gone.", done + others] : [open + others, ""];
}

/** " 2 of these 17 requests contain some of the 7 statements."; "" where none does. @param {CompactionLosses[]} rows @param {number} done */
function statedIn(rows, done) {
  const both = done > 1 ? countedTwice(lostTexts(rows)) : 0;
  const known = rows.filter(({ unreadable }) => !unreadable);
  const gone = known.reduce((all, { rules }) => all + rules[0], 0);
  const [one, many] = ruleNouns(known);
  const what = gone === 1 ? `the ${one}` : `some of the ${int(gone)} ${many}`;
  return both ? ` ${int(both)} of these ${int(done)} requests ${both === 1 ? "contains" : "contain"} ${what}.` : "";
}

/** That every request is still there. @param {CompactionLosses["requests"]} requests @param {string} made @param {string} quoted */
function stillThere({ of, reworded }, made, quoted) {
  const which = "only in other words or in part";
  const found = of === 1 ? `The request ${made} is` : `${of === 2 ? "Both" : `All ${int(of)}`} requests ${made} are`;
  const part = reworded ? `, ${reworded === of ? "" : `${int(reworded)} `}${which}` : "";
  return `${found} still in the window or a summary${part}${quoted && `, but ${quoted}`}.`;
}

/** @param {CompactionLosses[]} rows @param {CompactionLosses[]} known @param {boolean} about */
function resultsWords(rows, known, about) {
  const [gone, calls] = [sum(known, "results"), sum(rows, "again")];
  const maybe = rows.some(maybeThere);
  const how = maybe ? (gone ? "read some of it again" : "read tool output again that had left the window") : "asked again for what was gone";
  const edited = rows.reduce((all, row) => all + (row.again_edited ?? 0), 0);
  const again = `${pluralize(calls, "later call")} ${how}${editedWords(calls, edited)}: ${tokens(sum(rows, "again_tokens"), about)} tokens.`;
  if (!gone) return calls ? again : "";
  const back = backWords(known.filter(maybeBack), rows.length);
  const text = `The text of ${pluralize(gone, "result")} ${known.some(({ unseen }) => unseen) ? "left the window" : "is gone"}`;
  return calls ? `${text}. ${again}${back}` : `${text}. No later call reads mostly that again.${back}`;
}

/** That part of what went may be there again, and why: both numbers where the most came. @param {CompactionLosses[]} grown @param {number} of  all compactions */
function backWords(grown, of) {
  if (!grown.length) return "";
  const { unseen, unseen_more: more } = grown.reduce((most, row) => (row.unseen_more > most.unseen_more ? row : most));
  const [first, after] = [unseen - more, `${grown.length > 1 ? "up to " : ""}~${pluralize(unseen, "token")}`];
  const which = of === 1 ? "the compaction" : `${grown.length === of ? "each" : int(grown.length)} of the ${int(of)} compactions`;
  const before = first ? `, and an early prompt only ~${int(first)}` : "";
  return ` The next prompt after ${which} held ${after} that are not in this file${before}. Part of the text that left may be among them.`;
}

/** Of what the model used nobody can say that it was forgotten. @param {CompactionLosses[]} known @param {boolean} hidden */
function usedLater(known, hidden) {
  const used = usedWords(known);
  const where = hidden ? "not in what this file shows of the window" : "no longer in its window";
  return used && `The model used ${used} that ${usedCount(known) === 1 ? "was" : "were"} ${where}.`;
}

/** Of summaries that nobody can read: that the user's messages stayed, and what cannot be known, and why. @param {CompactionLosses[]} rows */
export function unreadWords(rows) {
  const unread = rows.filter(({ unreadable }) => unreadable);
  if (!unread.length) return "";
  const results = sum(unread, "results");
  const went = results && `${pluralize(results, "tool result")} left the window.`;
  return [typedWords(unread[unread.length - 1]), unknownWords(rows), went].filter(Boolean).join(" ");
}

/** What cannot be known, as nobody can read some of the summaries. @param {CompactionLosses[]} rows */
export function unknownWords(rows) {
  const unread = rows.filter(({ unreadable }) => unreadable);
  const last = unread[unread.length - 1];
  const all = unread.length === 1 ? "the summary" : "the summaries";
  const which = unread.length < rows.length ? pluralize(unread.length, "summary", "summaries") : all;
  const rest = onlyTyped(last) ? "what the model and its tools said" : "the rest";
  const what = typedWords(last) ? `What was forgotten of ${rest}` : `What ${unread.length < rows.length ? "else " : ""}was forgotten`;
  return `${what} cannot be known: ${which} ${unread.length === 1 ? "is" : "are"} ${unreadWord(unread[0].unreadable)}.`;
}

/** What is said where the transcript lists nothing as removed. @param {Unlisted} unlisted */
const blankWords = (unlisted) => `${likelyNothing(unlisted) ? "Probably nothing" : "This is not known"}: ${unlistedWords(unlisted)}.`;
