// What a room is told of a compaction beside the sentence of each phase: why it happened, what it takes, what it writes, what it
// leaves. All of it is what the compaction's card, its losses and the overview say. Pure.

import { capitalized, int, pluralize } from "../lib/format.js";
import { wholeSentences } from "./beginning.js";
import { SEALED, timeTaken } from "./cardwords.js";
import { figures, tildeBefore } from "./compactionfigures.js";
import { besideUntil } from "./leftout.js";
import { namesNothing } from "./effect.js";
import { typedWords } from "./losswords.js";
import { kindOf, RESULTS } from "./messagekinds.js";
import { besideWords } from "./midway.js";
import { deniedWords } from "./numbernotes.js";
import { clock, stepsOf, turnAt } from "./overviewwords.js";
import { bothInFile } from "./phasesentences.js";
import { isPutBack } from "./pool.js";
import { size } from "./ranges.js";
import { hiddenAt } from "./recorded.js";
import { deniedBy, shownOf, sidesOf, windowOf } from "./recordedsums.js";
import { tildeAdded } from "./sections.js";
import { summaryNotes } from "./summarynotes.js";
import { askedOf } from "./turnparts.js";
import { oneWrittenBy } from "./writtenby.js";
/** @import { Figures } from "./compactionfigures.js" */
/** @import { Run } from "./model.js" */
/** @import { CompactionCard, CompactionLosses, Phase, SessionOverview } from "./types.js" */

/** A line of a slide: who says it, or what it is about, and what is said. @typedef {{who: string, said: string}} Line */

/** What is known of a compaction; null as long as no answer came. @typedef {{card: CompactionCard | null, row: CompactionLosses | null, overview: SessionOverview | null}} Known */

/** Letters of a request, and of one of two. */
const ASKED = 110;
const ONE_OF_TWO = 70;

/** @param {string} said @returns {Line} */
const plain = (said) => ({ who: "", said });

/** Beside the sentence of a phase of compaction k. @param {Run} run @param {number} k @param {Phase} phase @param {Known} known @returns {Line[]} */
export function factsOf(run, k, phase, known) {
  const lines = [triggerFacts, partitionFacts, summaryFacts, spliceFacts][phase - 1];
  return lines(run, k, known).filter(({ said }) => said);
}

/** Who compacted, how full the window was; "" where the card does not know that. @param {Known} known */
export const occasionOf = ({ card }) => card?.occasion ?? "";

/** When it happened and what the user had asked for, how much of the window the file shows, and by which rule. @param {Run} run @param {number} k @param {Known} known */
function triggerFacts(run, k, { card, row, overview }) {
  const time = clock(card?.timestamp ?? "");
  const words = card?.instructions;
  return [
    whenLine(run, k, time, { row, overview }),
    plain(fileShows(run, k)),
    words ? { who: "The user told it:", said: quoted(words, ASKED) } : plain(""),
    plain((card?.rule ?? []).map(withoutFormula).join(" ")),
  ];
}

/** A sentence of a rule: its formula is on the card. @param {string} text */
const withoutFormula = (text) => text.replace(/: window .*(?=\.$)/, "");

/** "2026-01-23 15:42 UTC, in turn 13. The user had asked: “…”"; "after turn 13" where that had ended. @param {Run} run @param {number} k @param {string} time @param {Pick<Known, "row" | "overview">} known @returns {Line} */
function whenLine(run, k, time, { row, overview }) {
  const turns = overview?.turns ?? [];
  const place = overview ? turnAt(stepsOf(run, overview), run.steps[k]) : -1;
  const turn = turns[place];
  const number = turn?.typed ? `${row?.ended ? "after" : "in"} turn ${int(place + Number(turns[0].typed))}` : "";
  const when = capitalized([time, number].filter(Boolean).join(", "));
  if (!turn?.asked) return plain(when && `${when}.`);
  return { who: `${when ? `${when}. ` : ""}${turn.typed ? "The user" : "Another agent"} had asked:`, said: quoted(askedOf(turn), ASKED) };
}

/** How much of the window the file shows, and what the rest is; "" where it shows all, or nobody knows. @param {Run} run @param {number} k */
function fileShows(run, k) {
  const made = figures(run, k);
  const [before] = sidesOf(run, k, made);
  const { since, words } = deniedBy(run, made) ? byPrompt(run, made) : windowOf(before);
  if (!since && shownOf(before) < 0) return "";
  const seen = `${besideUntil(run, made.step - 1) ? "at most " : ""}${tildeBefore(run, k)}${int(made.before)}`;
  const rest = `The others are not: ${besideWords(run, k)}.`;
  if (!since) return `${capitalized(seen)} ${before.recorded < 0 ? "tokens of the window" : "of these tokens"} are in this file. ${rest}`;
  const then = (before.rest ?? -1) < 0 ? "With what came since the last prompt," : "By then";
  return `${then} the window holds ${words} tokens: ${seen} of them are in this file. ${rest}`;
}

/** The window before a compaction whose own count is not its size, as the timeline has it. @param {Run} run @param {Figures} made */
function byPrompt(run, { k, step, before }) {
  const hidden = hiddenAt(run, run.step(step).messages, k, step - 1);
  return { since: hidden > 0, words: `~${int(before + hidden)}` };
}

/** What goes, by kind; the longest; which messages of the user; and what of the user and the model stays. @param {Run} run @param {number} k @param {Known} known */
function partitionFacts(run, k, { row, overview }) {
  const { did } = figures(run, k);
  const places = did.taken.flatMap(([a, b]) => Array.from({ length: Math.max(0, Math.min(b, run.n) - a) }, (_, i) => a + i));
  if (!places.length) return [];
  const typed = typedLines(overview, places);
  return [
    ...(places.length > 1 ? kindLines(run, k, places, typed.length > 0) : []),
    ...typed,
    plain(row && size(did.kept) ? typedWords(row, true) : ""),
  ];
}

/** What kinds of messages go, and the longest. @param {Run} run @param {number} k @param {number[]} places @param {boolean} asked @returns {Line[]} */
const kindLines = (run, k, places, asked) => [
  { who: "Among them:", said: kindsOf(run, k, places, asked) },
  { who: "The longest:", said: longestOf(run, k, places) },
];

/**
 * "48 tool results (~86,031 tokens), 37 assistant messages with tool calls, 14 without and 4 messages that the agent added". A message
 * without a call need not be a reply: it may be thinking that was cut off, or a note of the client in the model's place.
 * @param {Run} run @param {number} k @param {number[]} places @param {boolean} asked  whether the user's are told of beside this */
function kindsOf(run, k, places, asked) {
  const kinds = places.map((place) => kindOf(run, place));
  const results = places.filter((_, i) => kinds[i].startsWith(RESULTS));
  const tokens = results.reduce((sum, place) => sum + run.pool.tokens(place), 0);
  const count = (/** @type {string} */ kind) => kinds.filter((one) => one === kind).length;
  const [calls, others, user, agent] = [count("calls"), count("replies"), asked ? 0 : count("user"), count("agent")];
  const spoken = pluralize(calls || others, "assistant message");
  const parts = [
    results.length && `${pluralize(results.length, "tool result")} (${tildeBefore(run, k)}${pluralize(tokens, "token")})`,
    calls && `${spoken} with tool calls`,
    others && (calls ? `${int(others)} without` : spoken),
    user && `${pluralize(user, "message")} of the user`,
    agent && `${pluralize(agent, "message")} that the agent added`,
  ].filter(Boolean);
  return parts.length ? `${[parts.slice(0, -1).join(", "), parts.at(-1)].filter(Boolean).join(" and ")}.` : "";
}

/** Whose message one is, by its kind. @type {Record<string, string>} */
const WHOSE = { user: " of the user", calls: " of the assistant", replies: " of the assistant" };

/** "message 70, a result of Read, ~5,426 tokens." @param {Run} run @param {number} k @param {number[]} places */
function longestOf(run, k, places) {
  const place = places.reduce((most, one) => (run.pool.tokens(one) > run.pool.tokens(most) ? one : most));
  const kind = kindOf(run, place);
  const whose = kind.startsWith(RESULTS) ? `, a result of ${kind.slice(RESULTS.length)},` : WHOSE[kind] ? `${WHOSE[kind]},` : ",";
  return `message ${int(place + 1)}${whose} ${tildeBefore(run, k)}${pluralize(run.pool.tokens(place), "token")}.`;
}

/** What the user typed among these messages, requests and shorter words: how many, the first and the last. @param {SessionOverview | null} overview @param {number[]} places @returns {Line[]} */
function typedLines(overview, places) {
  const gone = new Set(places);
  const turns = (overview?.turns ?? []).filter(({ typed, asked, at }) => typed && asked && gone.has(at));
  const [first, last] = [turns[0], turns.at(-1)];
  if (!first || !last) return [];
  const whole = (overview?.turns_end ?? -1) < 0;
  if (first === last) return [{ who: whole ? "One message of the user:" : "A message of the user:", said: quoted(first.asked, ASKED) }];
  const all = whole ? `${int(turns.length)} messages` : "Messages";
  return [{ who: `${all} of the user, from`, said: `${quoted(first.asked, ONE_OF_TWO)} to ${quoted(last.asked, ONE_OF_TWO)}` }];
}

/** What the summary says, or why nobody can read it; and of a simulated run who wrote it. @param {Run} run @param {number} k @param {Known} known */
function summaryFacts(run, k, { row }) {
  const { unreadable } = figures(run, k);
  if (unreadable) return [plain(SEALED[unreadable] ?? `Its summary is ${unreadable}.`)];
  return [...(row ? summaryNotes(row) : []), plain(oneWrittenBy(run))];
}

/** What is sent beside what is left, how long the agent waited, and what speaks against the record. @param {Run} run @param {number} k @param {Known} known */
function spliceFacts(run, k, known) {
  const { card } = known;
  const made = figures(run, k);
  const when = namesNothing(run, k) ? [whenLine(run, k, clock(card?.timestamp ?? ""), known)] : []; // its only slide
  const denied = deniedWords(run, made);
  if (denied.length) return [...when, ...denied.map(plain)];
  const hidden = sidesOf(run, k, made)[1].unseen ?? 0;
  const beside = `~${pluralize(hidden, "token")} of what remains ${hidden === 1 ? "is" : "are"} not in this file:`;
  return [
    ...when,
    plain(putBack(run, made)),
    plain(bothInFile(run, made)),
    plain(hidden > 0 ? `${beside} ${made.unreadable ? "the summary, " : ""}${besideWords(run, k + 1)}.` : ""),
    plain(timeTaken(card) && `The agent waited ${timeTaken(card)} for it.`),
  ];
}

/** "The agent puts 9 messages back: ~18,093 tokens.": what the record says stands beside the summary; "" where it says of none. @param {Run} run @param {Figures} made */
function putBack(run, { added }) {
  const back = run.view.kind === "replay" ? added.filter(isPutBack) : [];
  const tokens = back.reduce((sum, row) => sum + row.tokens, 0);
  return back.length ? `The agent puts ${pluralize(back.length, "message")} back: ${tildeAdded(run)}${pluralize(tokens, "token")}.` : "";
}

/** A request, whole sentences of it. @param {string} text @param {number} most */
const quoted = (text, most) => `“${wholeSentences(text, most)}”`;
