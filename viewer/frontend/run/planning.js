// What the policy would do next, in one sentence. Pure.
import { deeds, effect } from "./effect.js";
import { nameOf, tokensAt } from "./compactionfigures.js";
import { capitalized, int, pluralize, tokens } from "../lib/format.js";
import { size } from "./ranges.js";
import { betweenPrompts, saidInstead } from "./recordedsums.js";
import { lowerBound } from "./bisect.js";
import { awaitedWords } from "./comesfirst.js";
import { emptiedWord, whatGoes } from "./sections.js";
/** @import { Run, Window } from "./model.js" */
/** @import { Policy } from "./types.js" */

/** When a policy looks at the window, in words. */
const MOMENTS = {
  before_call: "the next model call",
  turn_start: "the next turn",
  turn_begun: "the first model call of the next turn",
  after_tools: "the next model call after tool results",
  turn_end: "the end of the turn",
  on_read: "the next history read",
  on_write: "the next history write",
  manual: "",
};

/** What a policy does to messages: it does so, it would do so. */
const VERBS = {
  summarise: ["summarizes", "summarize"],
  clear: ["clears", "clear"],
  drop: ["drops", "drop"],
  digest: ["converts", "convert"],
  opaque: ["replaces", "replace"],
};

/**
 * @typedef {object} Plan
 * @property {boolean} over     more is counted than the limit
 * @property {number} by        how much more
 * @property {boolean} fires    a compaction follows at the next place where the policy looks
 * @property {number} count     messages it would remove or clear if it fired now
 * @property {number} before    their tokens
 * @property {number} after     tokens of the summary, -1 where nothing is known of its size
 * @property {number} keeps     messages that would stay verbatim: at the end, or spared among those that go
 * @property {number} pinned    messages that would stay verbatim because they are pinned: in front, or between those that go
 * @property {string} lead      the first words, to be set in bold
 * @property {string} text      the whole sentence, `lead` included
 * @property {"calm"|"warn"} tone
 */

/** @param {Run} run @param {number} i @param {boolean} [told]  whether the size of what comes of it may be told yet @returns {Plan} */
export function planOf(run, i, told = true) {
  return run.view.policy ? simulated(run, i, told) : recorded(run, i, told);
}

/** The policy of a simulated run, with the limit in force at a step. @param {Run} run @param {number} [i] */
const policyOf = (run, i) => /** @type {Policy} */ (i === undefined ? run.view.policy : run.policyAt(i));

/**
 * The same for the window that a compaction is about to replace: "Before the compaction: over budget by 2,474. …"
 * @param {Run} run
 * @param {number} i
 * @param {boolean} [told]  whether the size of what comes of it may be told yet
 * @returns {Plan}
 */
export function planBefore(run, i, told = true) {
  const known = planOf(run, i, told);
  if (editNext(run, i)) return known;
  if (!run.view.policy) return { ...known, ...wasRecorded(run, i, told) };
  const rest = known.text.slice(known.lead.length);
  const lead = `Before the compaction: ${known.lead.charAt(0).toLowerCase()}${known.lead.slice(1)}`;
  return { ...known, lead, text: lead + rest };
}

/**
 * The same where an attempt failed, before that is known: "Over budget by 2,474. Summarizing 12 messages…"
 * @param {Run} run
 * @param {number} i
 * @returns {Plan}
 */
export function planTried(run, i) {
  const policy = policyOf(run, i);
  const fold = ifItActed(run, i, run.window(i));
  const by = policy.limit === null ? 0 : run.window(i).counted - policy.limit;
  const lead = by > 0 ? overWords(run, i, by) : acting(policy);
  return plan(fold, { lead, rest: fold.count ? `Summarizing ${pluralize(fold.count, fold.what)}…` : "Summarizing…", tone: "warn" });
}

/** @param {Run} run @param {number} i @param {boolean} told */
function wasRecorded(run, i, told) {
  const sizes = told && recordedSizes(run, run.compaction(run.epochOf(i)));
  const lead = "The window that the compaction found.";
  return { lead, text: sizes ? `${lead} ${capitalized(sizes)}.` : lead };
}

/** @param {Run} run @param {number} i @param {boolean} told @returns {Plan} */
function simulated(run, i, told) {
  const policy = policyOf(run, i);
  if (editNext(run, i)) return edited(run, i);
  const fold = { ...ifItActed(run, i, run.window(i)), told };
  const by = policy.limit === null ? 0 : run.window(i).counted - policy.limit;
  const failed = run.failedAt(i);
  if (failed >= 0) return plan(fold, { by: Math.max(0, by), over: by > 0, tone: "warn", ...failedHere(run, failed) });
  if (policy.limit === null && !policy.when) return plan(fold, { lead: "Manual trigger only.", rest: ifTriggered(run, i, fold) });
  if (by > 0) return plan(fold, { by, over: true, tone: "warn", ...overLimit(run, i, by, fold) });
  const fires = fold.exact && nextPlace(run, i) === run.view.c.at[run.epochOf(i)];
  if (fires)
    return plan(fold, { by, fires, tone: "warn", lead: acting(policy), rest: `${capitalized(moment(run, i))} ${doneWords(run, i, fold, 0)}.` });
  if (policy.limit === null || isMore(policy)) return plan(fold, { by, lead: acting(policy), rest: nextOne(run, i, "The next compaction") });
  return plan(fold, { by, ...within(run, i, -by) });
}

/** Whether a person edits the window at the next step, which no policy asks for. @param {Run} run @param {number} i */
const editNext = (run, i) => run.steps[run.epochOf(i)] === i + 1 && run.compaction(run.epochOf(i)).edit;

/** @param {Run} run @param {number} i @returns {Plan} */
function edited(run, i) {
  const k = run.epochOf(i);
  const gone = known(run, i, k);
  const removed = `${pluralize(gone.count, "message")}, ${tokens(gone.before, run.store.header.approximate)} tokens,`;
  return plan(gone, { lead: `Before ${nameOf(run, k)}.`, rest: `The next step removes ${removed} by hand and keeps ${int(gone.keeps)}.` });
}

/** A compaction attempt failed at this place. @param {Run} run @param {number} failed */
function failedHere(run, failed) {
  const { what, why } = failureOf(run, failed);
  return { lead: `${what}.`, rest: `${capitalized(why)}; the window was left unchanged.` };
}

/** What happened at a failed compaction attempt, and why. @param {Run} run @param {number} failed */
export function failureOf(run, failed) {
  const { status, reason, times } = run.view.failed;
  const more = times?.[failed] > 1 ? `, the first of ${pluralize(times[failed], "time")} in a row` : "";
  const refused = run.view.statuses[status[failed]] === "inflated";
  return { what: `${refused ? "A summary was rejected here" : "Summarizing failed here"}${more}`, why: whyFailed(reason[failed]), refused };
}

/** What the engine adds where the real system stops at such a failure. */
export const ENDS = / and the run ends$/;

/** Why no summary came of an attempt, without what led to it. @param {string} reason */
export const whyFailed = (reason) => reason.replace(/^.*?, but /s, "").replace(/^.*?the summarizer failed: /s, "");

/** When the policy next looks, in words; where a stage with a moment of its own acts first, that it is at once. @param {Run} run @param {number} i */
function moment(run, i) {
  const { phase } = policyOf(run);
  const k = run.epochOf(i);
  const own = run.steps[k] === i + 1 && !holds(placesOf(run, phase), run.view.c.at[k], phase, run.n);
  return own ? "the next step" : /** @type {Record<string, string>} */ (MOMENTS)[phase] || "the next look";
}

/** @param {ArrayLike<number>} places @param {number} at @param {string} phase @param {number} n */
const holds = (places, at, phase, n) => places[lowerBound(places, at)] === at || (at === n && /^(turn_end|on_write)$/.test(phase));

/** Whether more than one number of tokens decides when a policy acts. @param {Policy} policy */
export const isMore = ({ when = "" }) => / or | and |, then /.test(when);

/** When a policy acts that asks for nothing else, in words. */
const EVERY = {
  before_call: "Acts before every model call.",
  on_read: "Acts whenever the history is read.",
  after_tools: "Acts after all tool results.",
};

/** When a policy acts, in words, where it says more than a number of tokens. @param {Policy} policy */
export function acting({ when, phase, acts }) {
  if (when === "always") return EVERY[/** @type {keyof typeof EVERY} */ (phase)] ?? "Acts at every turn.";
  return acts || `Acts when ${when}.`;
}

/**
 * What would go if the policy acted at this window. Exact where it does so at the very next step.
 * @param {Run} run
 * @param {number} i
 * @param {Window} window
 */
function ifItActed(run, i, window) {
  const k = run.epochOf(i);
  const exact = run.steps[k] === i + 1;
  const { kind = "summarise" } = policyOf(run);
  const clears = kind === "clear";
  if (exact && (clears || deeds(run, k).length > 1 || deeds(run, k)[0] !== kind)) return known(run, i, k);
  const tail = Math.max(window.body, window.tail);
  const due = exact || run.view.c.at[k] === nextPlace(run, i); // then its summary is known, if not all that it will take
  const after = clears ? -1 : due && deeds(run, k)[0] === kind ? run.view.c.summaryTokens[k] : run.view.typicalSummary;
  const [count, what] = whatGoes(run, window, window.body, tail);
  const asText = policyOf(run).tailAsText && count ? window.size - tail : 0;
  const between = window.pinnedIn(window.body, tail);
  const keeps = window.size - window.body - count - asText - between;
  const earlier = !clears && window.body > window.head;
  const before = count ? going(run, window, asText ? window.size : tail) : 0;
  return {
    count: count + asText,
    asText,
    what,
    before,
    after,
    keeps,
    earlier,
    pinned: window.head + between,
    exact,
    deeds: [/** @type {import("./effect.js").Deed} */ (kind)],
  };
}

/**
 * The tokens of what goes in front of the tail, an earlier summary and what was emptied included: not what is pinned or spared.
 * @param {Run} run
 * @param {Window} window
 * @param {number} tail where it begins; the window's size where the tail goes too
 */
function going(run, window, tail) {
  const { sums, summary, cleared } = run.pool;
  const inside = (/** @type {import("./pool.js").Sums} */ sums) => window.upTo(sums, tail) - window.upTo(sums, window.head);
  const { compactable } = window.regions();
  if (tail > Math.max(window.body, window.tail)) return inside(sums);
  return policyOf(run).kind === "clear" ? compactable : compactable + inside(summary) + inside(cleared);
}

/** What the compaction at the next step does, read off it. @param {Run} run @param {number} i @param {number} k */
function known(run, i, k) {
  const did = effect(run, k);
  const gone = size(did.taken) ? did.taken : did.emptied;
  const done = deeds(run, k);
  const cleared = done[0] === "clear" && done.length === 1;
  const before = tokensAt(run, i, gone);
  const after = cleared ? tokensAt(run, i + 1, gone) : run.view.c.summaryTokens[k];
  const what = cleared ? emptiedWord(run) : "message";
  return {
    count: size(gone),
    what,
    before,
    after,
    keeps: size(did.kept),
    earlier: false,
    asText: 0,
    pinned: 0,
    exact: true,
    deeds: done,
    emptied: size(did.emptied),
  };
}

/**
 * @param {Pick<ReturnType<typeof ifItActed>, "count" | "before" | "after" | "keeps" | "pinned">} fold
 * @param {Partial<Plan> & {lead: string, rest: string}} said
 * @returns {Plan}
 */
function plan(fold, { lead, rest, ...known }) {
  const { count, before, after, keeps, pinned } = fold;
  const numbers = { count, before, after, keeps, pinned };
  return { over: false, by: 0, fires: false, tone: "calm", ...numbers, ...known, lead, text: `${lead} ${rest}`.trim() };
}

/** @param {Run} run @param {number} i @param {number} room */
function within(run, i, room) {
  const { limitName, limit, ceiling } = policyOf(run, i);
  const over = Number(ceiling ?? limit) - Number(limit);
  const amount = tokens(room + over, run.store.header.approximate);
  const lead = room || over > 0 ? `${amount} below ${limitName}.` : `Exactly at ${limitName}.`;
  return { lead, rest: nextOne(run, i, "The next compaction") };
}

/** Why nothing ever is, as far as it can be told from here. @param {Run} run */
function whyNothing(run) {
  const { limit, kind, when = "" } = policyOf(run);
  const { counted } = run.window(run.length - 1);
  if (limit !== null) return counted > limit ? "" : `: the whole run counts ${tokens(counted, run.store.header.approximate)}`;
  if (when.startsWith("minutes")) return ": no pause is that long";
  return kind === "clear" ? `: what could be ${run.pool.thinkingOnly ? "removed" : "cleared"} is too small or too recent` : "";
}

/** @param {Run} run @param {number} i @param {string} name */
function nextOne(run, i, name) {
  const next = run.nextCompaction(i);
  const awaited = awaitedWords(run, i);
  if (awaited) return `${awaited} before the next model call.`;
  if (next < 0 && run.view.live && i === run.length - 1) return `${capitalized(moment(run, i))} is sent this window unchanged.`;
  if (next < 0 && run.view.live) return run.compactions ? "No compaction has followed so far." : "Nothing has been compacted so far.";
  if (next < 0) return run.compactions ? "No compaction follows." : `Nothing is compacted in this run${whyNothing(run)}.`;
  const edit = run.compaction(run.epochOf(i)).edit;
  return `${edit ? capitalized(nameOf(run, run.epochOf(i))) : name} is ${pluralize(next - i, "step")} away.`;
}

/** @param {Run} run @param {number} i @param {number} by @param {ReturnType<typeof ifItActed>} fold */
function overLimit(run, i, by, fold) {
  const lead = overWords(run, i, by);
  const place = nextPlace(run, i);
  if (place < 0 && run.view.live) return { lead, rest: toCome(run, i, fold) };
  if (place < 0) return { lead, rest: `The transcript ends before ${moment(run, i)}.` };
  const next = run.view.c.at[run.epochOf(i)] ?? Infinity;
  const fires = next === place;
  if (viewed(run) && !(fires && fold.count))
    return {
      lead,
      rest: `${fires ? `Nothing new is ${policyOf(run).kind === "clear" && !run.pool.thinkingOnly ? "cleared" : "removed"} so far.` : nothingNew(run, i)} ${nextOne(run, i, "The next change")}`,
      fires,
      tone: /** @type {const} */ ("calm"),
    };
  if (!fires && isMore(policyOf(run))) return { lead, rest: `${acting(policyOf(run))} ${nextOne(run, i, "The next compaction")}` };
  if (next < place) return { lead, rest: nextOne(run, i, "The policy's next look that compacts") }; // at a moment of its own, before the next look
  if (!fold.count) return { lead, rest: `Everything is pinned: nothing can be ${fold.deeds[0] === "clear" ? "cleared" : "summarized"}.` };
  const rest = `${capitalized(moment(run, i))} ${doneWords(run, i, fold, fires ? 0 : 1)}${fires ? "" : ", but did not"}.`;
  return { lead, rest, fires };
}

/** What comes of a window that is over the limit where a live run has not got any further yet. @param {Run} run @param {number} i @param {ReturnType<typeof ifItActed>} fold */
function toCome(run, i, fold) {
  if (isMore(policyOf(run))) return acting(policyOf(run));
  if (!fold.count) return `Everything is pinned: nothing can be ${fold.deeds[0] === "clear" ? "cleared" : "summarized"}.`;
  const awaited = awaitedWords(run, i);
  if (awaited) return `${awaited} first; then ${moment(run, i)} compacts.`; // how much that takes depends on it
  return `${capitalized(moment(run, i))} ${doneWords(run, i, fold, 0)}.`;
}

/** @param {Run} run @param {number} i @param {number} by */
function overWords(run, i, by) {
  const { limitName, counts, ceiling, limit } = policyOf(run, i);
  const amount = tokens(by + Number(limit) - Number(ceiling ?? limit), run.store.header.approximate);
  const whole = counts === "history" ? "The whole history is over" : "Over";
  return amount.replace("~", "") === "0" ? `At ${limitName}.` : `${whole} ${limitName} by ${amount}.`;
}

/** Whether the window is worked out anew before each call. @param {Run} run */
const viewed = (run) => policyOf(run).effect === "view";

/** @param {Run} run @param {number} i */
const nothingNew = (run, i) => `${capitalized(moment(run, i))} is sent this window: nothing new is removed.`;

/**
 * "summarizes 34 messages, 16,364 → ~830 tokens, and keeps the 8 recent and 1 pinned"; of what would happen: "would summarize …, and keep …".
 * @param {Run} run
 * @param {number} i
 * @param {ReturnType<typeof ifItActed>} fold
 * @param {0 | 1} would
 */
function doneWords(run, i, fold, would) {
  const modal = would ? "would " : "";
  const verbs = fold.deeds.map((deed) => VERBS[deed][would]);
  const emptied = "emptied" in fold ? /** @type {number} */ (fold.emptied) : 0;
  const first = fold.deeds.length > 1 && fold.deeds[0] === "clear" ? `${verbs[0]} ${pluralize(emptied, "message")}, ` : "";
  if (fold.deeds.length === 1 && run.pool.thinkingOnly) return thoughtless(run, fold, would);
  const rest = run.window(i).size - fold.count;
  const untouched = `${would ? "leave" : "leaves"} ${int(rest)} unchanged`;
  const keep = fold.deeds.at(-1) === "clear" ? untouched : `${would ? "keep" : "keeps"} ${keptWords(run, i, fold)}`;
  const also =
    (fold.deeds.at(-1) === "digest" ? " to text" : "") +
    (fold.earlier ? " and the earlier summary" : "") +
    (fold.asText ? `, ${int(fold.asText)} of them as text` : "");
  return `${modal}${first}${verbs.at(-1)} ${pluralize(fold.count, fold.what)}${also}, ${sizes(run, fold)}, and ${keep}`;
}

/** Of a policy that leaves out nothing but thinking. @param {Run} run @param {ReturnType<typeof ifItActed>} fold @param {0 | 1} would */
function thoughtless(run, fold, would) {
  return `${would ? "would remove" : "removes"} the thinking from ${pluralize(fold.count, "reply", "replies")}, ${sizes(run, fold)}; their text stays`;
}

/** @param {Run} run @param {ReturnType<typeof ifItActed> & {told?: boolean}} fold */
function sizes(run, { before, after, exact, deeds, told = true }) {
  const guess = run.store.header.approximate;
  const deed = deeds.at(-1);
  const was = tokens(before, guess);
  if (!told || deed === "drop" || (deed === "clear" && after < 0)) return `${was} tokens`;
  if (after < 0) return `${was} tokens → ${deed === "opaque" ? "an opaque item" : deed === "digest" ? "text" : "a summary"}`;
  return `${was} → ${tokens(after, guess || !exact)} tokens`;
}

/**
 * What stays as it is: together, as many messages as the compaction's card counts as kept.
 * @param {Run} run
 * @param {number} i
 * @param {{keeps: number, pinned: number}} fold
 */
function keptWords(run, i, { keeps, pinned }) {
  if (keeps && pinned) return `${keeps === 1 ? "1" : `the ${int(keeps)}`} recent and ${int(pinned)} pinned`;
  if (keeps || !pinned) return keeps ? int(keeps) : "nothing";
  const window = run.window(i);
  const all = Array.from({ length: window.head }, (_, k) => window.regionAt(k));
  if (pinned > window.head || !all.every((region) => region === "system")) return `${int(pinned)} pinned`;
  return pinned > 1 ? `the ${int(pinned)} system messages` : "the system message";
}

/** @param {Run} run @param {number} i @param {ReturnType<typeof ifItActed>} fold */
function ifTriggered(run, i, fold) {
  if (!fold.count) return "There is nothing to compact now.";
  return `Triggered now, it ${doneWords(run, i, fold, 1)}.`;
}

/**
 * How many messages have arrived when the policy next looks at the window, or -1 where it does not again.
 * @param {Run} run
 * @param {number} i
 */
function nextPlace(run, i) {
  const done = run.epochOf(i);
  const looked = done && run.steps[done - 1] === i ? 1 : 0; // at a compaction it has just looked
  const from = i + 1 - done + looked;
  const { phase } = policyOf(run);
  const next = run.view.c.at[done] ?? Infinity; // where a tier has a moment of its own, it acts there
  const places = placesOf(run, phase);
  const found = places[lowerBound(places, from)] ?? (phase === "turn_end" && from <= run.n ? run.n : -1);
  return run.steps[done] === i + 1 && (found < 0 || next < found) ? next : found;
}

/** @type {WeakMap<object, Map<string, ArrayLike<number>>>} */
const looks = new WeakMap();

/**
 * Where a policy of this phase looks: how many messages have arrived each time.
 * @param {Run} run
 * @param {string} phase
 * @returns {ArrayLike<number>}
 */
function placesOf(run, phase) {
  const { calls, turnStarts, role } = run.store;
  if (phase === "before_call" || phase === "on_read") return calls;
  if (phase === "turn_start") return turnStarts;
  if (phase !== "turn_begun" && phase !== "after_tools") return turnStarts.subarray(1);
  const known = looks.get(run.store) ?? new Map();
  looks.set(run.store, known);
  const first = (/** @type {number} */ start) => calls[lowerBound(calls, start)];
  const work = () =>
    phase === "after_tools"
      ? calls.filter((i) => i > 0 && role[i - 1] === 3)
      : [...new Set([...turnStarts].map(first))].filter((i) => i !== undefined);
  if (!known.has(phase)) known.set(phase, work());
  return known.get(phase) ?? [];
}

/** @param {Run} run @param {number} i @param {boolean} told @returns {Plan} */
function recorded(run, i, told) {
  const nothing = { count: 0, before: 0, after: -1, keeps: run.window(i).size, pinned: 0, exact: false };
  if (run.view.kind !== "replay") return plan(nothing, { lead: "No compaction.", rest: "The window only grows." });
  if (!run.compactions) return plan(nothing, { lead: "As recorded.", rest: "This transcript has no compactions." });
  const next = run.nextCompaction(i);
  if (next < 0) return plan(nothing, { lead: "As recorded.", rest: "No compaction follows." });
  const known = run.compaction(run.epochOf(i));
  const sizes = told ? recordedSizes(run, known) : "";
  const away = `The next ${known.micro ? "microcompaction" : "compaction"} is ${pluralize(next - i, "step")} away`;
  const rest = `${away}${sizes && `${saidInstead(run, known) ? ";" : ","} ${sizes}`}${takes(run, i)}.`;
  return plan({ ...nothing, count: known.folded }, { lead: "As recorded.", rest });
}

/**
 * How much of the window of step i the next recorded compaction takes; empty where the record does not say, and where a compaction
 * has just made it: hardly anything of what will go is there.
 * @param {Run} run @param {number} i
 */
function takes(run, i) {
  const window = run.window(i);
  if (!window.hindsight || run.step(i).kind === "compaction") return "";
  const taken = window.hindsight.count(window.size);
  const of = `of these ${pluralize(window.size, "message")}`;
  const what = taken < window.size ? `${int(taken)} ${of}` : taken > 1 ? `all ${of}` : "this message";
  const { micro } = run.compaction(run.epochOf(i));
  const { by } = window.hindsight;
  if (by === "unnamed") return "; its record names no message that it kept";
  if (by === "prompts") return micro ? `; later prompts may hold ${what} cleared` : `; later prompts may leave out ${what}`;
  return `; as it turns out, it ${micro ? "clears" : "removes"} ${what}`;
}

/** What is on record of a compaction's size, or what is said instead of it. @param {Run} run @param {ReturnType<Run["compaction"]>} known */
function recordedSizes(run, known) {
  const { recordedBefore: before, recordedAfter: after } = known;
  const instead = saidInstead(run, known);
  if (instead || before < 0) return instead;
  return after < 0
    ? `recorded, at ${int(before)} tokens`
    : `recorded: ${betweenPrompts(run, known) ? "prompt " : ""}${int(before)} → ${int(after)} tokens`;
}
