// What was done in a turn, parted at the compactions that happened during it: a reader must see what came before and what after. Pure.

import { capitalized, int, pluralize } from "../lib/format.js";
import { announcement } from "./announcing.js";
import { lowerBound } from "./bisect.js";
import { nameOf, spanOf } from "./compactionfigures.js";
import { namesApart } from "./filenames.js";
import { errorWords } from "./errorwords.js";
import { unrunCounts, unrunWords } from "./unrun.js";
/** @import { Run } from "./model.js" */
/** @import { OverviewTurn } from "./types.js" */

/** Compactions of one turn that are told one by one. */
const MOST = 3;

/** @typedef {Pick<OverviewTurn, "calls" | "errors" | "empty_searches" | "unrun" | "commands" | "commits" | "files" | "wrote" | "removed" | "redirected">} Work */
/** A line below a turn: a compaction with its step, or what was done behind one. @typedef {{step: number, text: string}} TurnLine */

/** "46 calls · wrote a.go, b.go and 4 more · removed or moved: rm c.go · 1 commit · 2 errors · 1 call refused by the user". @param {Work} work */
export function workOf(work) {
  const { calls, files, wrote, errors, empty_searches: empty = [], unrun = [], removed = [], redirected = [], commands = [], commits = [] } = work;
  const which = [...new Set(wrote.map(([, file]) => file))];
  const names = namesApart(files);
  const named = which.slice(0, 2).flatMap((file) => (files[file] ? [names[file]] : []));
  const more = which.length - named.length;
  const said = named.length ? `${named.join(", ")}${more > 0 ? ` and ${int(more)} more` : ""}` : pluralize(more, "file");
  return [
    calls.length && pluralize(calls.length, "call"),
    commands.length && pluralize(commands.length, "command"),
    which.length && `wrote ${said}`,
    byShell(redirected),
    goneOf(removed),
    commits.length && pluralize(commits.length, "commit"),
    errorWords(errors.length, empty.length, commands.length && !calls.length ? "failed command" : "error"),
    ...unrunWords(unrunCounts(unrun)),
  ]
    .filter(Boolean)
    .join(" · ");
}

/** The first two files and how many more. @param {[at: number, name: string][]} redirected */
function byShell(redirected) {
  const names = [...new Set(redirected.flatMap(([, name]) => name || []))];
  if (!redirected.length) return "";
  const more = names.length > 2 ? ` and ${int(names.length - 2)} more` : "";
  return names.length
    ? `written by shell commands: ${names.slice(0, 2).join(", ")}${more}`
    : `${pluralize(redirected.length, "file")} written by shell commands`;
}

/** The first command and how many more; of a long turn only the first ones have a text. @param {[at: number, part: string][]} removed */
function goneOf(removed) {
  const more = removed.length - 1;
  if (more < 0) return "";
  const [, part] = removed[0];
  return part ? `removed or moved: ${part}${more ? ` and ${int(more)} more` : ""}` : `removed or moved by ${pluralize(more + 1, "command")}`;
}

/** What was done from one message up to another. @param {Work} work @param {number} from @param {number} to @returns {Work} */
export function workBetween(work, from, to) {
  const { calls, files, wrote, errors, empty_searches: empty = [], unrun = [], removed = [], redirected = [], commands = [], commits = [] } = work;
  const within = (/** @type {number} */ at) => at >= from && at < to;
  const here = {
    calls: calls.filter(within),
    errors: errors.filter(within),
    empty_searches: empty.filter(within),
    commands: commands.filter(within),
    commits: commits.filter(within),
    unrun: unrun.filter(([at]) => within(at)),
  };
  const [gone, written] = [removed, redirected].map((parts) => parts.filter(([at]) => within(at)));
  return { files, wrote: wrote.filter(([at]) => within(at)), removed: gone, redirected: written, ...here };
}

/** What a turn is called: a line of its request, or what it is where it has no text. @param {OverviewTurn} turn */
export function askedOf({ asked, typed, pictures }) {
  if (asked || !typed) return asked || "Before the first request";
  return pictures ? `${pluralize(pictures, "picture")} without text` : "A request without text";
}

/**
 * A turn that begins at one step and ends before another: what was done up to its first compaction, then the compactions and what was done
 * behind each. Many compactions are one line.
 * @param {Run} run @param {Work} turn @param {number} from @param {number} to
 * @returns {{work: string, lines: TurnLine[]}}
 */
export function turnParts(run, turn, from, to) {
  const [first, end] = [lowerBound(run.steps, from), lowerBound(run.steps, to)];
  if (first === end) return { work: workOf(turn), lines: [] };
  const groups = end - first > MOST ? [[first, end - 1]] : Array.from({ length: end - first }, (_, i) => [first + i, first + i]);
  const before = workOf(workBetween(turn, 0, arrivedAt(run, first)));
  const lines = groups.flatMap(([a, b], i) => linesOf(run, turn, a, b, groups[i + 1]?.[0]));
  return { work: before && `before ${nameOf(run, first)}: ${before}`, lines };
}

/** Compactions a to b, and what was done between them and up to the next one. @param {Run} run @param {Work} turn @param {number} a @param {number} b @param {number} [next] */
function linesOf(run, turn, a, b, next) {
  const between = workOf(workBetween(turn, arrivedAt(run, a), arrivedAt(run, b)));
  const after = workOf(workBetween(turn, arrivedAt(run, b), next === undefined ? Infinity : arrivedAt(run, next)));
  return [
    { step: run.steps[a], text: a === b ? announcement(run, a) : capitalized(spanOf(run, a, b)) },
    ...(between ? [{ step: -1, text: `between them: ${between}` }] : []),
    ...(after ? [{ step: -1, text: `after ${nameOf(run, b)}: ${after}` }] : []),
  ];
}

/** How many messages had arrived when a compaction happened. @param {Run} run @param {number} k */
const arrivedAt = (run, k) => run.step(run.steps[k]).messages;
