// The model calls of a live run that were made: which one belongs to a message, and what is said of each. Pure: no nodes.
import { int, pluralize } from "../lib/format.js";
import { ADDED } from "../run/pool.js";
/** @import { Run } from "../run/model.js" */
/** @import { Attempt, CallRow, KeptCall } from "./types.js" */

/**
 * The call that a message comes from; of one that no model wrote, the first that was sent it. Null where there is none.
 * @param {CallRow[]} calls in order
 * @param {Run} run
 * @param {number} pool  the place of the message
 */
export function callOf(calls, run, pool) {
  if (pool >= ADDED) return writing(calls, run.view.c.at[run.pool.added[pool - ADDED].c]);
  const replies = calls.filter((call) => call.purpose === "reply");
  const wrote = replies.find((call) => call.at === pool && call.outcome === "answered");
  return wrote ?? replies.find((call) => call.at > pool) ?? null;
}

/** The call that wrote the summary of a compaction, after so many messages. @param {CallRow[]} calls @param {number} at */
const writing = (calls, at) => calls.findLast((call) => call.purpose === "summary" && call.at === at) ?? null;

/** "0.4 s", "12 s", "2 min 5 s". @param {number} seconds */
export function took(seconds) {
  if (seconds < 10) return `${seconds.toFixed(seconds < 0.1 ? 2 : 1)} s`;
  return seconds < 60 ? `${Math.round(seconds)} s` : `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}

/** How often it was sent again. @param {CallRow} call */
const retries = ({ attempts }) => Math.max(0, attempts.length - 1);

/** What a call came to, in a word or two. @param {CallRow} call */
export function outcomeWords(call) {
  const again = retries(call) ? pluralize(retries(call), "retry", "retries") : "";
  return [call.outcome === "answered" ? "" : call.outcome, again].filter(Boolean).join(", ");
}

/** A call in a line: its number, as the bar counts it, what for, how long, what came of it. @param {CallRow} call */
export function callLine(call) {
  const what =
    call.purpose === "summary" ? `Summary for a compaction, after message ${int(call.at)}` : `Reply to the window after message ${int(call.at)}`;
  const first = call.first === null ? "" : `first text after ${took(call.first)}`;
  return [`Call ${int(call.number)}`, what, `took ${took(call.seconds)}`, first, outcomeWords(call)].filter(Boolean).join(" · ");
}

/** One attempt: "1: after 0.0 s: HTTP 429 in 0.2 s: rate limit". @param {Attempt} attempt @param {number} k */
export function attemptLine({ at, seconds, status, error }, k) {
  const came = status === null ? "no answer" : `HTTP ${status}`;
  return `Attempt ${int(k + 1)}, at ${took(at)}: ${came} after ${took(seconds)}${error ? `. ${error}` : ""}`;
}

/** What there is to know of a text that is shown: its size, and that it is not whole. @param {string} text @param {number} whole */
export function sizeWords(text, whole) {
  return whole > text.length ? `the first ${int(text.length)} of ${int(whole)} characters` : pluralize(whole, "character");
}

/** Why there is no reply to show. @param {CallRow} call @param {KeptCall} kept */
export function noReply(call, kept) {
  if (kept.reply) return "";
  return call.problem || (call.outcome === "stopped" ? "Stopped before a reply arrived." : "No reply arrived.");
}
