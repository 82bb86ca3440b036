// The texts that compactions lost and that Why can follow, in the order in which the overview tells of them. Pure.

import { newestAsked } from "./losswords.js";
import { quotedRules } from "./quotedrules.js";
import { forgottenRule } from "./rulestory.js";
/** @import { Quoted } from "./quotedrules.js" */
/** @import { AskedOf, CompactionLosses } from "./types.js" */

/** What each kind of loss is called. */
const KINDS = {
  newest: "request",
  first: "request",
  rule: "rule",
  said: "statement",
  name: "name",
  command: "command",
  error: "error",
  task: "open task",
};

/** A text as its message has it, what it is, that message, and the step of the compaction that took it; `answered` is whether a reply had come to it by then, a request; `request` is the request that a statement is of, "" where it is of none. @typedef {{text: string, kind: string, at: number, step: number, answered?: boolean, request?: string}} LostText */

/**
 * What all compactions lost of what the user said, or one of them: rules and statements, then requests, then what the model used later.
 * @param {CompactionLosses[]} rows @param {number} [k]  the compaction; -1: all
 * @returns {LostText[]}
 */
export function lostTexts(rows, k = -1) {
  const some = k < 0 ? rows : rows.filter(({ index }) => index === k);
  const statements = k < 0 ? rulesOf(rows) : some.flatMap((row) => row.told.map((loss) => ({ loss, step: row.step })));
  const quoted = new Set(statements.flatMap(({ loss }) => (loss.followed && (loss.kind === "newest" || loss.kind === "first") ? [loss.at] : [])));
  const texts = merged(
    statements.flatMap(lostText),
    requestsOf(rows, k).filter(({ at }) => !quoted.has(at)),
  );
  const used = some.flatMap(({ names, others = [], step }) => [...names, ...others].flatMap((loss) => lostText({ loss, step })));
  return [...texts, ...used];
}

/** How many of these messages ask for something and state something that is among them. @param {LostText[]} texts */
export const countedTwice = (texts) => new Set(texts.flatMap(({ request, at }) => (request ? [at] : []))).size;

/** A request that a statement is part of is told with it. @param {LostText[]} statements @param {LostText[]} requests @returns {LostText[]} */
function merged(statements, requests) {
  const requestOf = (/** @type {LostText} */ { at, text }) => requests.find((one) => one.at === at && contains(one.text, text));
  const told = new Set(statements.map(requestOf));
  return [...statements.map((one) => ({ ...one, request: requestOf(one)?.text ?? "" })), ...requests.filter((one) => !told.has(one))];
}

/** Whether one has the other: of a long request only the beginning is known. @param {string} one @param {string} other */
const contains = (one, other) => one.includes(other) || other.includes(one);

/** @param {Quoted} lost @returns {LostText[]} */
const lostText = ({ loss: { followed, kind, at }, step }) => (followed ? [{ text: followed, kind: KINDS[kind], at, step }] : []);

/** The rules and statements: the one that a story is told of, then the others by how much they matter. @param {CompactionLosses[]} rows @returns {Quoted[]} */
function rulesOf(rows) {
  const told = forgottenRule(rows);
  const { first, others } = quotedRules(rows, told?.loss);
  return [...(told ? [{ loss: told.loss, step: told.row.step }] : []), ...first, ...others];
}

/** The requests that nothing says any more, of each compaction first the one that it quotes; what the agent was working on before all. @param {CompactionLosses[]} rows @param {number} k @returns {LostText[]} */
function requestsOf(rows, k) {
  const { gone = 0, listed: all = [] } = newestAsked(rows)?.requests ?? {};
  const listed = all.filter(isGone);
  const taken = rows.flatMap((row) => (k < 0 || row.index === k ? takenBy(row) : []));
  const ends = k < 0 && (!gone || listed.length); // the newest compaction of a run lists them, which is not among those of its beginning
  const still = ends ? taken.filter(({ at }) => listed.some((one) => one.at === at)) : taken;
  const open = still.filter(({ kind }) => kind === "open");
  const ordered = [...open, ...still.filter(({ kind }) => kind !== "open")];
  return ordered.flatMap(({ text, followed, at, step, kind }) =>
    followed ? [{ text: text.replace(/…$/, ""), kind: "request", at, step, answered: kind === "answered" }] : [],
  );
}

/** Those that one compaction took. @param {CompactionLosses} row */
function takenBy({ step, requests: { at: first, took = [] } }) {
  const all = took.filter(isGone);
  return [...all.filter(({ at }) => at === first), ...all.filter(({ at }) => at !== first)].map((one) => ({ ...one, step }));
}

/** The requests that are there only in other words or in part, as Why follows them. @param {CompactionLosses[]} rows */
export const changedRequests = (rows) => (newestAsked(rows)?.requests.listed ?? []).filter((one) => !isGone(one) && one.followed);

/** @param {AskedOf} asked */
const isGone = ({ kind }) => kind !== "partly" && kind !== "reworded";
