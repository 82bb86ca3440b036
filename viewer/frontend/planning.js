// What the policy would do next, in one sentence. Pure.
import { count, int, tokens } from "./format.js";
import { lowerBound } from "./search.js";

/** When a policy looks at the window, in words. */
const MOMENTS = { before_call: "the next model call", turn_start: "the next turn", turn_end: "the end of the turn", manual: "" };

/**
 * @typedef {object} Plan
 * @property {boolean} over     more is counted than the limit
 * @property {number} by        how much more
 * @property {boolean} fires    a compaction follows at the next place where the policy looks
 * @property {number} count     messages it would fold if it fired now
 * @property {number} before    their tokens
 * @property {number} after     tokens of the summary, -1 where nothing is known of its size
 * @property {number} keeps     messages that would stay verbatim at the end
 * @property {number} pinned    messages that would stay verbatim in front of the summary
 * @property {string} lead      the first words, to be set in bold
 * @property {string} text      the whole sentence, `lead` included
 * @property {"calm"|"warn"} tone
 */

/**
 * @param {import("./model.js").Run} run
 * @param {number} i
 * @returns {Plan}
 */
export function planOf(run, i) {
  return run.view.policy ? simulated(run, i) : recorded(run, i);
}

/**
 * The same for the window that a compaction is about to replace: "Before the compaction: over budget by 2,474. …"
 * @param {import("./model.js").Run} run
 * @param {number} i
 * @returns {Plan}
 */
export function planBefore(run, i) {
  const known = planOf(run, i);
  if (!run.view.policy) return { ...known, ...wasRecorded(run, i) };
  const rest = known.text.slice(known.lead.length);
  const lead = `Before the compaction: ${known.lead.charAt(0).toLowerCase()}${known.lead.slice(1)}`;
  return { ...known, lead, text: lead + rest };
}

/** @param {import("./model.js").Run} run @param {number} i */
function wasRecorded(run, i) {
  const sizes = recordedSizes(run.compaction(run.epochOf(i)));
  const lead = "Before the compaction.";
  return { lead, text: sizes ? `${lead} Recorded${sizes}.` : lead };
}

/**
 * @param {import("./model.js").Run} run
 * @param {number} i
 * @returns {Plan}
 */
function simulated(run, i) {
  const { policy } = run.view;
  const window = run.window(i);
  const fold = foldNow(run, i, window);
  const by = policy.limit === null ? 0 : window.counted - policy.limit;
  if (policy.limit === null) return plan(fold, { lead: "Acts only when asked.", rest: asked(run, i, fold) });
  if (by <= 0) return plan(fold, { by, ...within(run, i, -by) });
  return plan(fold, { by, over: true, tone: "warn", ...overLimit(run, i, by, fold) });
}

/**
 * What would be folded if the policy fired at this window. Exact where it does so at the very next step.
 * @param {import("./model.js").Run} run
 * @param {number} i
 * @param {import("./model.js").Window} window
 */
function foldNow(run, i, window) {
  const { sums } = run.pool;
  const exact = run.steps[run.epochOf(i)] === i + 1;
  const after = exact ? run.view.c.summaryTokens[run.epochOf(i)] : run.view.typicalSummary;
  const tail = Math.max(window.body, window.tail);
  const before = tail > window.body ? window.upTo(sums, tail) - window.upTo(sums, window.head) : 0;
  return { count: tail - window.body, before, after, keeps: window.size - tail, pinned: window.head, exact };
}

/**
 * @param {ReturnType<typeof foldNow>} fold
 * @param {Partial<Plan> & {lead: string, rest: string}} said
 * @returns {Plan}
 */
function plan(fold, { lead, rest, ...known }) {
  const { exact: _, ...numbers } = fold;
  return { over: false, by: 0, fires: false, tone: "calm", ...numbers, ...known, lead, text: `${lead} ${rest}`.trim() };
}

/**
 * @param {import("./model.js").Run} run
 * @param {number} i
 * @param {number} room
 */
function within(run, i, room) {
  const { limitName } = run.view.policy;
  const amount = tokens(room, run.store.header.approximate);
  const lead = room ? `${amount} below ${limitName}.` : `Exactly at ${limitName}.`;
  return { lead, rest: nextOne(run, i, "The next compaction") };
}

/**
 * @param {import("./model.js").Run} run
 * @param {number} i
 * @param {string} name
 */
function nextOne(run, i, name) {
  const next = run.nextCompaction(i);
  if (next < 0) return run.compactions ? "No compaction follows." : "Nothing is compacted in this run.";
  return `${name} is ${count(next - i, "step")} away.`;
}

/**
 * @param {import("./model.js").Run} run
 * @param {number} i
 * @param {number} by
 * @param {ReturnType<typeof foldNow>} fold
 */
function overLimit(run, i, by, fold) {
  const { limitName, phase } = run.view.policy;
  const lead = `Over ${limitName} by ${tokens(by, run.store.header.approximate)}.`;
  const place = nextPlace(run, i);
  const moment = /** @type {any} */ (MOMENTS)[phase] || "the next look";
  if (place < 0) return { lead, rest: `The transcript ends before ${moment}.` };
  if (!fold.count) return { lead, rest: "All of it is pinned: nothing can be folded." };
  const fires = run.view.c.at[run.epochOf(i)] === place;
  const verbs = fires ? ["folds", "keeps"] : ["would fold", "keep"];
  const rest = `${capital(moment)} ${foldWords(run, i, fold, verbs)}${fires ? "" : ", but did not"}.`;
  return { lead, rest, fires };
}

/**
 * "folds 34 messages, 16,364 → ~830 tokens, and keeps 8 and 1 pinned"
 * @param {import("./model.js").Run} run
 * @param {number} i
 * @param {ReturnType<typeof foldNow>} fold
 * @param {string[]} verbs
 */
function foldWords(run, i, fold, [folds, keeps]) {
  const guess = run.store.header.approximate;
  const sizes = fold.after < 0 ? "tokens → a summary" : `→ ${tokens(fold.after, guess || !fold.exact)} tokens`;
  return `${folds} ${count(fold.count, "message")}, ${tokens(fold.before, guess)} ${sizes}, and ${keeps} ${keptWords(run, i, fold)}`;
}

/**
 * What stays as it is: together, as many messages as the compaction's card counts as kept.
 * @param {import("./model.js").Run} run
 * @param {number} i
 * @param {ReturnType<typeof foldNow>} fold
 */
function keptWords(run, i, { keeps, pinned }) {
  if (keeps && pinned) return `${int(keeps)} and ${int(pinned)} pinned`;
  if (keeps || !pinned) return keeps ? int(keeps) : "nothing";
  const all = Array.from({ length: pinned }, (_, k) => run.window(i).row(k).region);
  if (!all.every((region) => region === "system")) return `${int(pinned)} pinned`;
  return pinned > 1 ? `the ${int(pinned)} system messages` : "the system message";
}

/**
 * @param {import("./model.js").Run} run
 * @param {number} i
 * @param {ReturnType<typeof foldNow>} fold
 */
function asked(run, i, fold) {
  if (!fold.count) return "Now there is nothing to fold.";
  return `Asked now, it would ${foldWords(run, i, fold, ["fold", "keep"])}.`;
}

/**
 * How many messages have arrived when the policy next looks at the window, or -1 where it does not again.
 * @param {import("./model.js").Run} run
 * @param {number} i
 */
function nextPlace(run, i) {
  const done = run.epochOf(i);
  const looked = done && run.steps[done - 1] === i ? 1 : 0; // at a compaction it has just looked
  const from = i + 1 - done + looked;
  const { calls, turnStarts } = run.store;
  const { phase } = run.view.policy;
  const places = phase === "before_call" ? calls : phase === "turn_start" ? turnStarts : turnStarts.subarray(1);
  return places[lowerBound(places, from)] ?? (phase === "turn_end" && from <= run.n ? run.n : -1);
}

/**
 * @param {import("./model.js").Run} run
 * @param {number} i
 * @returns {Plan}
 */
function recorded(run, i) {
  const nothing = { count: 0, before: 0, after: -1, keeps: run.window(i).size, pinned: 0, exact: false };
  if (!run.compactions) return plan(nothing, { lead: "As recorded.", rest: "This transcript holds no compaction." });
  const next = run.nextCompaction(i);
  if (next < 0) return plan(nothing, { lead: "As recorded.", rest: "No compaction follows." });
  const known = run.compaction(run.epochOf(i));
  const rest = `The next ${known.micro ? "microcompaction" : "compaction"} is ${count(next - i, "step")} away${recordedSizes(known)}.`;
  return plan({ ...nothing, count: known.folded }, { lead: "As recorded.", rest });
}

/** @param {{recordedBefore: number, recordedAfter: number}} known */
function recordedSizes({ recordedBefore: before, recordedAfter: after }) {
  if (before < 0) return "";
  return after < 0 ? `, at ${int(before)} tokens` : `: ${int(before)} → ${int(after)} tokens`;
}

/** @param {string} text */
function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
