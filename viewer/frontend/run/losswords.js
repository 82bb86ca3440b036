// What compactions lost, in words. Pure.

import { int, pluralize, tokens } from "../lib/format.js";
/** @import { CompactionLosses, Loss } from "./types.js" */

/**
 * All of it in a few sentences, the one about the requests apart: "16 of the user's 40 requests are not found in the window or a summary, the first
 * one among them; 8 more are there only in other words or in part." and "Gone too: 2 rules the user gave, the text of 200 tool results." Of a name that
 * the model used nobody can say that it was forgotten.
 * @param {CompactionLosses[]} rows
 * @param {boolean} [hidden]  whether prompts held tokens that the file does not show
 * @param {boolean} [judged]  whether `mattered` stands above it: rules and names are told there
 */
export function lossesInAll(rows, hidden = false, judged = false) {
  const known = rows.filter(({ unreadable }) => !unreadable);
  const newest = newestAsked(rows);
  const requests = newest?.requests.gone ? `${requestsGone(newest.requests, whichOf(newest))}${alsoReworded(newest.requests)}.` : "";
  const gone = goneInAll(known, requests !== "", judged);
  const names = sum(known, "names_total");
  const missing = names && !judged ? namesMissing(names, hidden) : "";
  const unread = unreadInAll(rows);
  const listsNone = rows.every(isBlank) ? (judged ? "" : "The transcript lists nothing that went.") : "Nothing is known to be forgotten.";
  const nothing = requests || gone || names || unread ? "" : listsNone;
  return { requests, rest: [gone, missing, nothing, quotedWords(rows), unread].filter(Boolean).join(" ") };
}

/** What only the quotes of a stand-in keep in the end; "" where a model wrote the summaries. @param {CompactionLosses[]} rows */
function quotedWords(rows) {
  const [asked, rules] = newestAsked(rows)?.quoted ?? [0, 0];
  const kept = [asked && pluralize(asked, "request"), rules && (rules === 1 ? "1 rule or statement" : `${int(rules)} rules or statements`)].filter(
    Boolean,
  );
  const them = asked + rules === 1 ? "it" : "them";
  return kept.length ? `Kept by the stand-in's quotes alone: ${kept.join(", ")} of the user; a model's summary may leave ${them} out.` : "";
}

/** The newest compaction of which can be told what became of the requests. @param {CompactionLosses[]} rows */
export const newestAsked = (rows) => rows.findLast(({ requests, unreadable }) => !unreadable && requests.of);

/** @param {CompactionLosses[]} rows @param {"told_total" | "names_total" | "results" | "again" | "again_tokens"} name */
const sum = (rows, name) => rows.reduce((all, row) => all + row[name], 0);

/** What is gone beside the requests; where no request is, all that the user said. @param {CompactionLosses[]} known @param {boolean} beside @param {boolean} judged */
function goneInAll(known, beside, judged) {
  const rules = known.reduce((all, row) => all + row.rules[0], 0);
  const told = sum(known, "told_total");
  const results = sum(known, "results");
  const said = beside
    ? !judged && rules && `${pluralize(rules, "rule")} or ${rules === 1 ? "statement" : "statements"} of the user`
    : told && `${pluralize(told, "thing")} the user said`;
  const gone = [said, results && `the text of ${pluralize(results, "tool result")}`].filter(Boolean);
  return gone.length ? `${beside ? "Gone too" : "Forgotten"}: ${gone.join(", ")}.` : "";
}

/** @param {number} names @param {boolean} hidden */
function namesMissing(names, hidden) {
  const where = hidden ? "not in what this file shows of the window" : "missing from the window";
  return names === 1
    ? `1 name is ${where}, and the model used it all the same.`
    : `${int(names)} names are ${where}, and the model used them all the same.`;
}

/** Of summaries that nobody can read: that the user's messages stayed, and what cannot be known, and why. @param {CompactionLosses[]} rows */
function unreadInAll(rows) {
  const unread = rows.filter(({ unreadable }) => unreadable);
  if (!unread.length) return "";
  const stayed = typedWords(unread[unread.length - 1]);
  const why = unread[0].unreadable === "encrypted" ? "encrypted" : "not in the transcript";
  const all = unread.length === 1 ? "the summary" : "the summaries";
  const which = unread.length < rows.length ? pluralize(unread.length, "summary", "summaries") : all;
  const results = sum(unread, "results");
  const went = results ? ` The text of ${pluralize(results, "tool result")} went into ${unread.length === 1 ? "it" : "them"}.` : "";
  const what = stayed ? "What was forgotten of what the model and its tools said" : `What ${unread.length < rows.length ? "else " : ""}was forgotten`;
  return `${stayed && `${stayed} `}${what} cannot be known: ${which} ${unread.length === 1 ? "is" : "are"} ${why}.${went}`;
}

/** That the user's messages are still in the window, where all of them are or some; "" where none is. @param {{typed?: [stayed: number, of: number]}} row */
export function typedWords({ typed: [stayed, of] = [0, 0] }) {
  if (!stayed) return "";
  if (stayed < of) return `${int(stayed)} of the user's ${int(of)} messages stayed in the window, word for word.`;
  return of === 1 ? "The user's message stayed in the window, word for word." : `The user's ${int(of)} messages stayed in the window, word for word.`;
}

/** Whether every message of the user stayed. @param {Pick<CompactionLosses, "typed">} row */
const allStayed = ({ typed: [stayed, of] }) => of > 0 && stayed === of;

/** @typedef {CompactionLosses["requests"]} Asked */

/** "9 of the user's 23 requests are not found in the window or a summary, the first one among them". @param {Asked} asked @param {string} [so] */
export function requestsGone({ of, gone, first }, so = "") {
  const which = of === 1 ? `The user's request${so} is` : `${int(gone)} of the user's ${int(of)} requests${so} ${gone === 1 ? "is" : "are"}`;
  return `${which} not found in the window or a summary${of > 1 && first ? (gone === 1 ? ": the first one" : ", the first one among them") : ""}`;
}

/** Of the others those that stand in other words. @param {Asked} asked */
const alsoReworded = ({ reworded }) =>
  reworded ? `; ${int(reworded)} more ${reworded === 1 ? "is" : "are"} there only in other words or in part` : "";

/** What became of a request. @type {Record<import("./types.js").AskedOf["kind"], string>} */
export const HOW_SAID = { gone: "gone", partly: "in part", reworded: "in other words" };

/** Which requests are counted, where the user also typed some that say too little to be looked for, such as "go on". @param {CompactionLosses} row */
const whichOf = ({ requests, typed: [, typed] = [0, 0] }) => (typed > requests.of ? " of a few words or more" : "");

/** The same of one compaction, and how many of them it took. @param {CompactionLosses} row */
export const requestsGoneHere = (row) => {
  const { requests: asked } = row;
  return requestsGone(asked, `${whichOf(row)} so far`) + wentHere(asked) + alsoReworded(asked);
};

/** @param {Asked} asked */
const wentHere = (asked) => (asked.lost === asked.gone ? "" : asked.lost ? `; ${int(asked.lost)} of them went here` : "; all of them went before");

/**
 * Whether it mattered, as far as the record shows: what was read again, rules that are gone, names that were used.
 * @param {CompactionLosses[]} rows @param {boolean} about  whether tokens are estimated @param {boolean} hidden
 * @param {number} [unshrunk]  around how many of the compactions the prompts did not shrink
 */
export function mattered(rows, about, hidden, unshrunk = 0) {
  const known = rows.filter(({ unreadable }) => !unreadable);
  const size = sum(rows, "again_tokens");
  const read = size ? `${tokens(size, about)} tokens were read again afterwards (${pluralize(sum(rows, "again"), "call")}).` : "";
  const rules = known.some(({ taken }) => taken) ? rulesWords(known) : "";
  const names = sum(known, "names_total");
  const used = names
    ? `The model used ${pluralize(names, "name")} that ${names === 1 ? "was" : "were"} no longer in its window${hidden ? ", as far as this file shows it" : ""}.`
    : "";
  const unread = known.length < rows.length ? unknownWords(rows.filter(({ unreadable }) => unreadable)) : "";
  const nothing = rows.every(isBlank) ? blankWords(rows.length, unshrunk) : "";
  return [read || (nothing ? "" : "No call asked again for what was gone."), rules, used, unread, nothing].filter(Boolean).join(" ");
}

/** What is said where the transcript lists nothing that went. @param {number} of @param {number} unshrunk */
function blankWords(of, unshrunk) {
  const told = "it lists nothing that went";
  if (!unshrunk) return `The transcript does not let anyone tell: ${told}.`;
  if (unshrunk < of) return `The transcript does not let anyone tell: ${told}, and ${unshrunkWords(unshrunk, of)}.`;
  return `Probably not: the transcript lists nothing that went, and ${unshrunkWords(unshrunk, of)}.`;
}

/** That prompts did not shrink. @param {number} unshrunk @param {number} of */
const unshrunkWords = (unshrunk, of) =>
  unshrunk < of
    ? `around ${int(unshrunk)} of the ${int(of)} the prompts did not shrink`
    : `the prompts around ${of === 1 ? "it" : "them"} did not shrink`;

/** What nobody can tell, as summaries cannot be read. @param {CompactionLosses[]} unread */
function unknownWords(unread) {
  if (!unread.every(allStayed)) return "Whether rules or names were lost cannot be known.";
  return "What the user said stayed, word for word. Whether names that the model or its tools brought up were lost cannot be known.";
}

/** @param {CompactionLosses[]} known */
function rulesWords(known) {
  const [gone, used] = [0, 1].map((i) => known.reduce((all, row) => all + row.rules[i], 0));
  if (!gone) return "No rule of the user's was seen to be lost.";
  const again = used ? `${int(used)} of them came up again` : "none of them was seen to come up again";
  if (gone === 1) return `1 rule or statement of the user's is gone; it ${used ? "came up again" : "was not seen to come up again"}.`;
  return `${int(gone)} rules or statements of the user's are gone; ${again}.`;
}

/** How sure that is; "" where nothing was told. @param {CompactionLosses[]} rows */
export const howSure = (rows) => (rows.every(isBlank) ? "" : LEAST);

const LEAST = "A lower bound: a rule that was broken in silence, and what the model no longer knew to ask for, leave no trace.";

/** What is said of a text that is gone, behind it. @param {Loss} loss @param {(step: number) => string} named  what a step is called */
export function lossNote({ kind, kept, words, used_at: used }, named) {
  if (kind === "newest") return "the agent was still working on it";
  if (kind === "first") return words ? `the first request; the summary has ${int(kept)} of its ${pluralize(words, "word")}` : "the first request";
  const needed = used >= 0 ? `needed again at ${named(used)}` : "";
  if (kind === "name") return needed && `used at ${named(used)}`;
  return [kind === "rule" && "an instruction", needed].filter(Boolean).join(", ");
}

/** The text of tool results that is gone. @param {CompactionLosses} row @param {boolean} about  whether tokens are estimated */
export const lostResults = ({ results, result_tokens: size }, about) =>
  `the text of ${pluralize(results, "result")}, ${tokens(size, about)} ${size === 1 ? "token" : "tokens"}`;

/** Calls that asked again for what was gone, and what they brought. @param {CompactionLosses} row @param {boolean} about  whether tokens are estimated @param {string} first  where the first is */
export function askedAgain({ again, again_tokens: size }, about, first) {
  const where = again === 1 ? `at ${first}` : `the first at ${first}`;
  return `${pluralize(again, "later call")} asked again for what was gone, ${where}: ${tokens(size, about)} ${size === 1 ? "token" : "tokens"} came back`;
}

/**
 * What is said where no text is known to be lost; "" where one is.
 * @param {CompactionLosses} row @param {number} [unshrunk]  around how many of `of` compactions like it the prompts did not shrink @param {number} [of]
 */
export function nothingLost(row, unshrunk = 0, of = 1) {
  const { taken, told_total: told, names_total: names, again, unreadable, quoted = [0, 0] } = row;
  if (unreadable) {
    const stayed = typedWords(row);
    const which = allStayed(row) ? "The summary of what the model and its tools said" : "Its summary";
    return `${stayed && `${stayed} `}${which} is ${unreadable === "encrypted" ? "encrypted" : "not in the transcript"}: nobody can tell what it kept.`;
  }
  if (told || names || again) return "";
  if (taken && quoted.some(Boolean))
    return "Nothing that was used again later is missing, with a stand-in's quotes in the place of a model's summary.";
  if (taken) return "Nothing that was used again later is missing.";
  return `The transcript lists nothing that went${unshrunk ? `, and ${unshrunkWords(unshrunk, of)}` : ""}.`;
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
