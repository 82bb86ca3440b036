// The overview of a session in words. Pure.

import { lasting, pluralize } from "../lib/format.js";
import { lowerBound } from "./bisect.js";
import { errorWords } from "./errorwords.js";
import { unrunParts } from "./unrun.js";
/** @import { Run } from "./model.js" */
/** @import { OverviewSums, SessionOverview, OverviewTurn } from "./types.js" */

/**
 * "40 turns", "214 tool calls", "12 files written", "61 shell commands", "3 commits", "9 tool errors" (or "18 failed commands" in replies), "1 call refused by the user": each with
 * what opens it, a section of the overview or what Find looks for. What there is none of is left out, but for commits of a session that wrote
 * files. What came before the first request is no turn.
 * @param {OverviewSums} sums
 * @returns {[words: string, opens: string][]}
 */
export function sumParts({ typed, calls, files, shell, commits, commands, errors, empty_searches: empty, unrun }) {
  /** @type {[string | number | undefined, string][]} */ const all = [
    [typed && pluralize(typed, "turn"), "turns"],
    [calls && pluralize(calls, "tool call"), "tools"],
    [files && `${pluralize(files, "file")} written`, "files"],
    [shell && `${pluralize(shell, "shell command")}${files && !commits ? `, ${shell === 1 ? "no" : "none of them a"} commit` : ""}`, "is:shell"],
    [commits && pluralize(commits, "commit"), "sent"],
    [commands && `${pluralize(commands, "command")} in replies`, ""],
    [errorWords(errors, empty, commands && !calls ? "failed command" : "tool error"), "is:error"],
    ...unrunParts(unrun).map(([why, words]) => /** @type {[string, string]} */ ([words, `is:${why}`])),
  ];
  return all.flatMap(([words, opens]) => (words ? [[String(words), opens]] : []));
}

/** "40 turns · 214 tool calls · 12 files written", "1 turn · 100 commands in replies". @param {OverviewSums} sums */
export const sumWords = (sums) =>
  sumParts(sums)
    .map(([words]) => words)
    .join(" · ");

/** What the session did itself: what it has a copy of, another one did. @param {Pick<SessionOverview, "copied" | "sums">} found */
export const ownSums = ({ copied, sums }) => copied?.own ?? sums;

/** A time that is recorded without its zone, which nobody can know then. */
const ZONELESS = /T\d\d:\d\d(:\d\d(\.\d+)?)?$/;

/** Milliseconds since 1970; of a time without a zone, as if it were in UTC: only what it says is shown. @param {string} time */
const instant = (time) => Date.parse(ZONELESS.test(time) ? `${time}Z` : time);

/** The zone of what is shown, where it is known. @param {string} time */
const zone = (time) => (ZONELESS.test(time) ? "" : " UTC");

/** Of the time from first to last, the share that pauses must have for them to be told. */
const IDLE = 0.1;

/** How much of a pause is counted as active: core/measure/active.py. */
const PAUSES = "a pause counts 5 min at most";

/** "3 h 30 min", "43 h 13 min, some 1 h 22 min of it active"; "" where no times are recorded, and of a moment. @param {Pick<SessionOverview, "began" | "ended" | "active">} found */
export function lastedWords({ began, ended, active }) {
  const [all, time] = [lasted(began, ended), instant(ended) - instant(began)];
  const pauses = all && active !== undefined && active * 1000 < (1 - IDLE) * time;
  return pauses ? `${all}, ${active < 60 ? "less than a minute" : `some ${spent(active / 60)}`} of it active` : all;
}

/** "2026-01-23 14:21 to 17:51 UTC, 3 h 30 min", with how much of it was active; "" where no times are recorded. @param {string} began @param {string} ended @param {number} [active]  seconds */
export function when(began, ended, active) {
  const [from, to] = [instant(began), instant(ended)];
  if (Number.isNaN(from) || Number.isNaN(to) || to < from) return "";
  const [start, end] = [from, to].map((time) => new Date(time).toISOString().slice(0, 16).replace("T", " "));
  const until = start.slice(0, 10) === end.slice(0, 10) ? end.slice(11) : end;
  const length = lastedWords({ began, ended, active });
  return start === end ? `${start}${zone(began)}` : `${start} to ${until}${zone(began)}, ${length}${/ active$/.test(length) ? ` (${PAUSES})` : ""}`;
}

/** "3 h 30 min", as the times say that are shown beside it; "" where none are recorded, and of a moment. @param {string} began @param {string} ended */
function lasted(began, ended) {
  const [from, to] = [instant(began), instant(ended)];
  const minutes = Math.floor(to / 60_000) - Math.floor(from / 60_000);
  return to > from ? spent(to - from < 60_000 ? (to - from) / 60_000 : minutes) : "";
}

/** "2026-01-23 15:42 UTC", or the time alone on the day of the one before; "" where none is recorded. @param {string} time @param {string} [before] */
export function clock(time, before = "") {
  const at = instant(time);
  if (Number.isNaN(at)) return "";
  const said = new Date(at).toISOString().slice(0, 16).replace("T", " ");
  const last = instant(before);
  const same = !Number.isNaN(last) && new Date(last).toISOString().slice(0, 10) === said.slice(0, 10);
  return `${same ? said.slice(11) : said}${zone(time)}`;
}

/** "2026-01-23 15:42 to 16:17 UTC": from the first to the last of several. @param {string} first @param {string} last @param {string} [before] */
export function clocks(first, last, before = "") {
  const [begin, end] = [clock(first, before), clock(last, first)];
  return !end || begin.endsWith(end) ? begin : `${begin.replace(/ UTC$/, "")} to ${end}`;
}

/** "3 h 30 min", "8 s"; "" of less than a second. @param {number} minutes */
export function spent(minutes) {
  const whole = Math.round(minutes);
  if (whole < 1) return lasting(minutes * 60);
  if (whole < 60) return `${whole} min`;
  const hours = Math.floor(whole / 60);
  return hours < 48 ? `${hours} h ${whole % 60} min` : `${Math.round(hours / 24)} days`;
}

/** What the turns behind the last request are; "" where it begins the last turn. @param {{turn: number, of: number}} later */
export const afterLast = ({ turn, of }) => (turn < of ? "Only short replies, such as “yes” or “go on”, come after it." : "");

/** The beginning of a message without the marks of Markdown that stand around words, and in front of it. @param {string} text */
export const unmarked = (text) =>
  text
    .replace(/^#{1,6} /, "")
    .replace(/\*\*(\S(?:[^*]*[^\s*])?)\*\*/g, "$1")
    .replace(/```(?:\w+ )?(.*?) ?```/gs, "$1")
    .replace(/`([^`]+)`/g, "$1");

/** What a session ended with, where that is no answer of the model; a message of another kind says it itself. @type {Record<string, string>} */
export const ENDS = {
  finish: "The agent's call to finish",
  call: "A tool call without a result",
  result: "A tool result that the model does not answer",
  request: "A request that the model does not answer",
  failure: "A model call that failed",
  command: "A command that the user ran",
  stop: "The user stopped the agent",
  submission: "What the agent submitted",
};

/** What the model's newest words are called: those of a session that ends in the middle of its work are no reply. @param {string} last  what the session ends with */
export const closingName = (last) => (last === "call" || last === "result" ? "Last words" : "Last reply");

/** Where no message of a session has words of the model. */
export const WORDLESS = "The model never answers in words.";

/** The steps at which the turns begin, and where the last of them ends. @param {Run} run @param {Pick<SessionOverview, "turns" | "turns_end">} found */
export function stepsOf(run, { turns, turns_end: end = -1 }) {
  const stepAt = (/** @type {number} */ at) => run.stepOfMessage(Math.min(at, run.n - 1));
  return [...turns.map(({ at }) => stepAt(at)), end < 0 ? run.length : stepAt(end)];
}

/** The turn that a step is in, -1 of one in front of all of them or behind those that are told. @param {number[]} steps  as `stepsOf` has them @param {number} step */
export const turnAt = (steps, step) => (step < (steps.at(-1) ?? 0) ? lowerBound(steps.slice(0, -1), step + 1) - 1 : -1);
