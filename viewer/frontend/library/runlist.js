// What the Runs page lists: the runs that match, in order. No DOM.
import { dollars, int, pluralize } from "../lib/format.js";
import { compared } from "../lib/table.js";
import { beforeReason, reasonWords, statusTitle } from "../run/statuswords.js";
/** @import { Sort } from "../lib/table.js" */

/**
 * A run as it arrives; docs/wire.md.
 * @typedef {{id: string, title: string, status: string, why: string, problem: string, open: boolean, agent: string, model: string, policy: string, settings: string, messages: number, compactions: number,
 * calls: number, prompt: number, output: number, cost: number | null, free: boolean, priced: number, began: string, changed: string, fork: string, parent: string, parent_title: string, forked_at: string}} RunRow
 */

/** The status and why, as the Live page says it of the run. @param {RunRow} run */
export function statusText({ status, why, problem }) {
  const reason = reasonWords(status, why, problem);
  return [beforeReason(statusTitle(status), status, reason), reason].filter(Boolean).join(" ");
}

/** Whether a turn of the run is unfinished and nothing works on it. @param {RunRow} run */
export const resumable = ({ status }) => ["paused", "failed", "stopped"].includes(status);

/** What the run cost, as far as the server reported it for its calls. @param {RunRow} run */
export function costText({ cost, priced, calls, free }) {
  if (cost === null) return free ? "free" : "–";
  return priced < calls ? `≥ ${dollars(cost)}` : dollars(cost);
}

/** Why it shows no amount, or a part of it. @param {RunRow} run */
export function costWhy({ cost, priced, calls, free }) {
  if (cost !== null) return `The server reported it for ${int(priced)} of ${pluralize(calls, "model call")}`;
  return free ? "The demo agent is a script: it costs nothing" : "The server reported no cost";
}

/** All that is known of a run, line by line. @param {RunRow} run */
export function about(run) {
  const { title, id, model, agent, policy, settings, fork, prompt, output, cost, priced, calls } = run;
  const used = `${int(prompt)} tokens in, ${int(output)} out, in ${pluralize(calls, "model call")}`;
  const paid = cost === null ? "" : `${costText(run)}, reported for ${int(priced)} of ${pluralize(calls, "model call")}`;
  const where = [model, agent, [policy, settings].filter(Boolean).join(", ")].filter(Boolean).join(" · ");
  return [title || "Untitled", where, fork && `fork of ${fork}`, statusText(run), used, paid, id].filter(Boolean).join("\n");
}

/** The numbers that tell a run and its forks, or runs of one title, apart, by id: the oldest is 1. A run that stands alone is not numbered. @param {RunRow[]} runs @returns {Map<string, number>} */
export function numbered(runs) {
  /** @type {Map<string, RunRow[]>} */ const twins = new Map();
  for (const run of runs) {
    const title = run.title.replace(/^Fork of /, "");
    twins.set(title, [...(twins.get(title) ?? []), run]);
  }
  const age = (/** @type {RunRow} */ a, /** @type {RunRow} */ b) => (a.began + a.id < b.began + b.id ? -1 : 1);
  const several = [...twins.values()].filter(({ length }) => length > 1);
  return new Map(several.flatMap((same) => same.sort(age).map(({ id }, k) => [id, k + 1])));
}

/** What a run was forked from: its number where it has one, else its title as it is now. @param {RunRow} run @param {RunRow[]} runs @param {Map<string, number>} numbers */
export function parentName({ parent, parent_title: then }, runs, numbers) {
  const number = numbers.get(parent);
  return number ? `run ${int(number)}` : `“${runs.find(({ id }) => id === parent)?.title || then}”`;
}

/** What is typed: words, and texts in quotes. */
const TYPED = /"[^"]*"?|[^\s"]+/g;

/** The runs that hold every word, and every text in quotes, of the query in title, agent, model, policy and its settings, status, parent or id, in order. @param {RunRow[]} runs @param {string} query @param {Sort} sort */
export function listed(runs, query, sort) {
  const words = (query.toLowerCase().match(TYPED) ?? []).map((word) => word.replaceAll('"', "").trim()).filter(Boolean);
  const text = (/** @type {RunRow} */ run) =>
    [run.title, run.agent, run.model, run.policy, run.settings, run.fork, statusText(run), run.id].join(" ").toLowerCase();
  const found = words.length ? runs.filter((run) => words.every((word) => text(run).includes(word))) : [...runs];
  return found.sort((a, b) => compared(runValue(a, sort.column), runValue(b, sort.column), sort.down));
}

/** The value of a column; null where the run has none. @param {RunRow} run @param {string} column @returns {string | number | null} */
function runValue(run, column) {
  if (column === "status") return statusText(run);
  if (column === "tokens") return run.prompt || null;
  if (column === "cost") return run.cost ?? (run.free ? 0 : null);
  if (column === "policy" || column === "changed") return run[column];
  if (column === "messages" || column === "calls" || column === "compactions") return run[column];
  return run.title;
}
