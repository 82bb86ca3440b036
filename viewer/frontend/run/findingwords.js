// Findings as words and as places along the timeline. Pure.
import { int, pluralize } from "../lib/format.js";
import { counted, rank, spanOf } from "./compactionfigures.js";
import { spanName, stepName } from "./places.js";
/** @import { Run } from "./model.js" */
/** @import { Concern, FindingRow, Severity, WireMarks } from "./types.js" */

/** The worst first. @type {Severity[]} */
export const SEVERITIES = ["error", "warning", "info"];

/** @type {Record<Severity, {letter: string, word: string, about: string}>} */
export const SEVERITY = {
  error: { letter: "E", word: "error", about: "The run breaks, or information is lost" },
  warning: { letter: "W", word: "warning", about: "Tokens, calls or requested content are wasted or lost" },
  info: { letter: "I", word: "info", about: "Possibly intentional" },
};

/** What findings are about, in the order in which a person asks. @type {Record<Concern, {name: string, about: string}>} */
export const CONCERNS = {
  lost: { name: "Signs of forgetting", about: "What had left the window was needed, asked for or done again" },
  summary: { name: "Doubtful summaries", about: "Failed, empty, or not what was said" },
  record: { name: "Gaps in the transcript", about: "The model may have been sent less than the window shown" },
  structure: { name: "Windows that an API may reject", about: "Calls, results or roles are out of place" },
  cost: { name: "Cost and budget", about: "Compactions that came often or freed little" },
};

/**
 * A square, a triangle or a ring about a point, six pixels wide: not told apart by color alone.
 * @param {Severity} severity
 * @param {number} x
 * @param {number} y
 */
export function shapeAt(severity, x, y) {
  if (severity === "error") return `M${x - 3} ${y - 3}h6v6h-6z`;
  if (severity === "warning") return `M${x} ${y - 3.5}l4 6.5h-8z`;
  const ring = (/** @type {number} */ r) => `M${x} ${y - r}a${r} ${r} 0 1 0 .01 0z`;
  return ring(3.25) + ring(1.5);
}

/** What each kind is called, in the words of the titles of its findings: the one name of a kind wherever one is chosen. @type {Map<string, string>} */
const WORDS = new Map([
  ["decision_reversed", "an edit is undone"],
  ["empty_summary", "empty summary"],
  ["error_shaped_summary", "the summary looks like an error"],
  ["failed_again", "the same call fails again"],
  ["first_user_message_lost", "first user message"],
  ["inflated", "the result was no smaller"],
  ["instruction_gone", "a rule of the user is gone"],
  ["kept_tail_loss", "kept messages lost"],
  ["last_user_message_summarised", "newest user message"],
  ["leading_assistant", "the conversation begins without a user message"],
  ["lost_reference", "names that were needed later are gone"],
  ["net_negative", "the compaction freed nothing"],
  ["orphaned_call", "tool call without its result"],
  ["orphaned_later", "a result arrives after its call is gone"],
  ["prompt_shrank", "prompt shrank"],
  ["rework", "read or asked again"],
  ["role_alternation_broken", "two messages of a role in a row"],
  ["statement_gone", "a statement of the user is gone"],
  ["summarizer_failed", "summary failed"],
  ["summary_without_source", "the summary names something that no earlier message says"],
  ["thrash", "compactions in quick succession"],
  ["threshold_differs", "different thresholds"],
  ["user_sends_back", "the user brings it back"],
]);

/** A kind's name. @param {string} kind */
export const kindWords = (kind) => WORDS.get(kind) ?? kind.replaceAll("_", " ");

/** "1 error, 4 warnings, 2 info"; what there is none of is left out. @param {Record<Severity, number>} counts */
export function countWords(counts) {
  const named = { error: (/** @type {number} */ n) => pluralize(n, "error"), warning: (/** @type {number} */ n) => pluralize(n, "warning") };
  const of = (/** @type {Severity} */ s) => (s === "info" ? `${int(counts.info)} info` : named[s](counts[s]));
  return SEVERITIES.filter((s) => counts[s])
    .map(of)
    .join(", ");
}

/** The worst there is, or null. @param {Record<Severity, number>} counts @returns {Severity | null} */
export const worstOf = (counts) => SEVERITIES.find((s) => counts[s]) ?? null;

/**
 * Where a finding is: "compaction 3 of 9", "compactions 3 to 40 of 50, 38 times". A failed
 * attempt is no compaction, and a model call none either.
 * @param {FindingRow} row
 * @param {Run} run
 */
export function whereWords({ failed, call, first, last, times, step, last_step }, run) {
  const span = spanName(run, step, last_step);
  if (failed) return `compaction attempt failed${times > 1 ? `, ${int(times)} times` : ""} · after ${span}`;
  if (call) return `model call · ${span}`;
  const where = `${spanOf(run, first, last)} of ${int(rank(run, last).of)}`;
  return times === 1 ? where : `${where}, ${int(times)} times`;
}

const NAMED = 6; // messages

/** @param {number[]} places */
const listWords = (places) => places.map((pool) => int(pool + 1)).join(", ");

/** "message 57", "messages 57, 58". @param {number[]} places */
const messagesWords = (places) => `message${places.length > 1 ? "s" : ""} ${listWords(places)}`;

/**
 * The messages that a finding is about: "message 57", "messages 57, 58 and 9 more"; "" where it names none. Those that came
 * before its compaction are told apart from those that came after: "messages 12, 30 before, 140 after".
 * @param {{messages?: number[], messages_total?: number, step?: number}} row
 * @param {Run} run
 */
export function aboutWords({ messages = [], messages_total: total = messages.length, step = Infinity }, run) {
  const known = messages.filter((pool) => run.pool.has(pool)).sort((a, b) => a - b);
  const arrived = step < run.length ? run.step(step).messages : run.n;
  const before = known.filter((pool) => pool < arrived);
  const after = known.filter((pool) => pool >= arrived && pool < run.n);
  const most = before.length && after.length ? NAMED / 2 : NAMED;
  const added = known.filter((pool) => pool >= run.n).map((pool) => run.pool.row(pool).label);
  const plain = [before, after].map((places) => places.slice(0, most)).filter(({ length }) => length);
  const named = plain.length > 1 ? [`${messagesWords(plain[0])} before`, `${listWords(plain[1])} after`] : plain.map(messagesWords);
  const left = total - plain.flat().length - added.length;
  const said = [...named, ...new Set(added)].join(", ");
  return said && left > 0 ? `${said} and ${int(left)} more` : said;
}

/** What an empty list says. @param {Run} run */
export function noneWords(run) {
  if (!run.compactions) return "No compactions, so nothing to check.";
  return `No findings in ${counted(run)}. Whether a summary is accurate is not checked.`;
}

/** @typedef {{severity: number, text: string}} Title */

/**
 * A compaction that has findings, or the model call whose reply came at `step`: how bad the worst is, the first titles, how many there are.
 * @typedef {{compaction: number, step?: number, severity: number, titles: Title[], count: number}} Mark
 */

/** The marks as the wire has them, one object each. @param {WireMarks} wire @returns {Mark[]} */
export function marksOf(wire) {
  const titles = wire.titles.map(([severity, text]) => ({ severity, text }));
  const marked = (/** @type {number[]} */ first) => ({ severity: titles[first[0]].severity, titles: first.map((i) => titles[i]) });
  let compaction = 0;
  const own = wire.at.map((delta, k) => ({ compaction: (compaction += delta), ...marked(wire.first[k]), count: wire.count[k] }));
  const { at = [], first = [] } = wire.calls ?? {};
  return [...own, ...at.map((step, k) => ({ compaction: -1, step, ...marked(first[k]), count: first[k].length }))];
}

/** The step of a mark. @param {Run} run @param {Mark} mark */
export const stepOfMark = (run, { compaction, step }) => step ?? run.steps[compaction];

/**
 * Marks that stand too close for one each, as one. `worst` is the first of the worst of them.
 * @typedef {{x: number, severity: number, marks: Mark[], worst: Mark}} Column
 */

/**
 * @param {Mark[]} marks in order
 * @param {(mark: Mark) => number} x pixels
 * @param {number} gap pixels between two columns, at least
 * @returns {Column[]}
 */
export function columnsOf(marks, x, gap) {
  /** @type {Column[]} */ const columns = [];
  for (const mark of marks) {
    const at = x(mark);
    const last = columns[columns.length - 1];
    if (!last || at - last.x >= gap) {
      columns.push({ x: at, severity: mark.severity, marks: [mark], worst: mark });
      continue;
    }
    last.marks.push(mark);
    if (mark.severity < last.severity) Object.assign(last, { severity: mark.severity, worst: mark });
  }
  return columns;
}

/** The column under the pointer, or null. @param {Column[]} columns @param {number} x @param {number} reach pixels */
export function columnAt(columns, x, reach) {
  const near = columns.filter((column) => Math.abs(column.x - x) <= reach);
  return near.sort((a, b) => Math.abs(a.x - x) - Math.abs(b.x - x))[0] ?? null;
}

const TITLES = 3;

/**
 * What is said of a column: which compactions and messages, and the first titles, the worst first.
 * @param {Run} run
 * @param {Column} column
 * @returns {{head: string, lines: {severity: Severity, text: string}[], rest: string}}
 */
export function tipOf(run, { marks }) {
  const [own, calls] = [marks.filter(({ step }) => step === undefined), marks.filter(({ step }) => step !== undefined)];
  const span = own.length ? [spanOf(run, own[0].compaction, own[own.length - 1].compaction)] : [];
  const replies = calls.length === 1 ? [stepName(run, stepOfMark(run, calls[0]))] : calls.length ? [`${int(calls.length)} model calls`] : [];
  const head = [...span, ...replies].join(", ");
  const titles = [...new Set(marks.flatMap((mark) => mark.titles))].sort((a, b) => a.severity - b.severity);
  const lines = titles.slice(0, TITLES).map(({ severity, text }) => ({ severity: SEVERITIES[severity], text }));
  const more = marks.reduce((sum, { count }) => sum + count, 0) - lines.length;
  return { head, lines, rest: more > 0 ? `and ${int(more)} more` : "" };
}
