// What happened to a text in a run: where it was said, what took it, and whether the summaries kept it. Pure; core/why/events.py and
// core/why/words.py have the rules and the words.
import { capitalized, cutWords, int } from "../lib/format.js";
import { lowerBound } from "../run/bisect.js";
import { nameOf } from "../run/compactionfigures.js";
import { ROLES } from "../run/decode.js";
import { deeds } from "../run/effect.js";
import { ADDED, isPutBack, SPACE } from "../run/pool.js";
import { folded } from "./searching.js";
import { arrivals, before, heldAt, own } from "./textlane.js";
/** @import { EventKind, FateEvent } from "../why/types.js" */
/** @import { Run } from "../run/model.js" */
/** @import { Change, Lane } from "./textlane.js" */

const LONGEST = 120;
const IN_FRONT = 32;
const WHO = ["a system message", "the user", "the assistant", "a tool result"];

/** What is shown first where there is too much, as viewer/wire/fate.py has it. @type {EventKind[]} */
const RANK = ["needed", "left_out", "taken", "in_summary", "read_again", "said"];
const MOST_EVENTS = 1_000;

/** All that happened, in order; without what the messages say around the text. @param {Lane} lane @param {Set<number>} needs  the messages that needed it @returns {FateEvent[]} */
export function eventsOf(lane, needs) {
  const { run } = lane;
  const found = [...run.epochs.keys()].flatMap((e) => arrivals(lane, e).map((place) => arrived(lane, place, place + e, needs)));
  for (let k = 0; k < run.compactions; k++) found.push(...taken(lane, k), ...putIn(lane, k));
  return found.sort((a, b) => a.step - b.step);
}

/** Those that tell most, in order, with what their messages say. @param {FateEvent[]} events @param {string} text @param {(place: number) => string} textAt */
export function shown(events, text, textAt) {
  const ranked = events.length > MOST_EVENTS ? [...events].sort((a, b) => RANK.indexOf(a.kind) - RANK.indexOf(b.kind)) : events;
  const first = ranked.slice(0, MOST_EVENTS).sort((a, b) => a.step - b.step);
  return first.map((event) => (event.kind === "left_out" ? event : { ...event, quote: quote(textAt(event.at), text) }));
}

/** @param {Run} run @param {EventKind} kind @param {number} step @param {number} at @param {number} k @param {string} words @returns {FateEvent} */
function event(run, kind, step, at, k, words) {
  const number = run.view.c.number[k] ?? -1;
  return {
    step,
    kind,
    at,
    k,
    number: number > 0 ? `#${number}` : "",
    role: ROLES[roleAt(run, at)],
    tokens: run.pool.tokens(at),
    quote: "",
    match: "",
    lacked_at: step,
    words,
  };
}

/** @param {Run} run @param {number} at */
const roleAt = (run, at) => (at >= ADDED && at < SPACE ? run.pool.added[at - ADDED].role : run.store.role[run.pool.originOf(at)]);

/** A message with the text. @param {Lane} lane @param {number} place @param {number} step @param {Set<number>} needs */
function arrived({ run, first }, place, step, needs) {
  if (needs.has(place)) return { ...event(run, "needed", step, place, -1, "Needed: the assistant wrote it"), match: "text" };
  const again = step > first;
  if (again && run.store.role[place] === 3)
    return event(run, "read_again", step, place, -1, `Said again by a tool result: ${int(run.store.tokens[place])} tokens`);
  return event(run, "said", step, place, -1, saidWords(run, place, again));
}

/** @param {Run} run @param {number} place @param {boolean} again */
function saidWords(run, place, again) {
  const role = roleAt(run, place);
  const who = role === 1 && run.pool.row(place).injected ? "the harness" : WHO[role];
  return `Said${again ? " again" : ""} by ${who}`;
}

/** That compaction k took messages which had the text. @param {Lane} lane @param {number} k */
function taken({ run, changes }, k) {
  const change = changes.get(k);
  const gone = change ? leaving(run, change) : [];
  if (!gone.length) return [];
  const words = run.view.c.edit?.[k] ? "Removed manually" : `${capitalized(nameOf(run, k))} ${deedOf(run, k)} what said it`;
  return [{ ...event(run, "taken", run.steps[k], gone[0], k, words), tokens: gone.reduce((sum, place) => sum + run.pool.tokens(place), 0) }];
}

/** @param {Run} run @param {Change} change */
function leaving(run, { before: one, after }) {
  const stays = new Set(after.map((place) => own(run, place)));
  return one.filter((place) => !stays.has(own(run, place)));
}

/** What a compaction did, in a word. @param {Run} run @param {number} k */
export function deedOf(run, k) {
  const [first] = deeds(run, k);
  if (first === "clear") return run.pool.view.shadows.some(({ short }) => short) ? "shortened" : "cleared";
  return first === "drop" ? "removed" : "summarized";
}

/** @param {number[]} places  in order @param {number} place */
const hasPlace = (places, place) => places[lowerBound(places, place)] === place;

/** What the messages that compaction k put in say of the text. @param {Lane} lane @param {number} k @returns {FateEvent[]} */
function putIn(lane, k) {
  const { run, hits } = lane;
  const first = ADDED + run.firstAdded[k];
  const added = run.view.c.added[k].map(([, injected], m) => ({ place: first + m, injected, has: hasPlace(hits.places, first + m) }));
  const step = run.steps[k];
  const summary = added.find(({ injected }) => injected === "summary");
  const others = added.filter(({ has, injected }) => has && !["summary", "ack", "cleared"].includes(injected));
  const said = others.map(({ place }) => event(run, "said", step, place, k, addedWords(lane, place, step)));
  if (!summary || !(summary.has || summarized(lane, k))) return said;
  const kind = summary.has ? "in_summary" : "left_out";
  return [event(run, kind, step, summary.place, k, summaryWords(lane, k, summary.has)), ...said];
}

/** How a text came with what a compaction put in beside its summary: a policy puts nothing back. @param {Lane} lane @param {number} place @param {number} step */
function addedWords({ run, first }, place, step) {
  const added = run.pool.added[place - ADDED];
  if (added.injected === "shortened") return "Kept, shortened";
  if (run.view.kind !== "replay" || !isPutBack(added)) return saidWords(run, place, step > first);
  return `Put back by ${run.store.header.agent || "the agent"}`;
}

/** Whether compaction k took a message that has the text, to summarize it. @param {Lane} lane @param {number} k */
function summarized(lane, k) {
  const after = new Set(lane.kept[k + 1]);
  return before(lane, k).some((place) => !after.has(place));
}

/** @param {Lane} lane @param {number} k @param {boolean} says */
function summaryWords(lane, k, says) {
  const name = summaryName(lane.run, k);
  const begun = name[0].toUpperCase() + name.slice(1);
  if (says) return `${begun} says it${lane.hits.match === "exact" ? " word for word" : ""}`;
  if (heldAt(lane, lane.run.steps[k]).length) return `${begun} left it out`;
  return lane.unread.has(k) ? `Out of sight: nobody can read whether ${name} says it` : `Gone: ${name} left it out`;
}

/** @param {Run} run @param {number} k */
export function summaryName(run, k) {
  const number = run.view.c.number[k];
  return number > 0 ? `summary #${number}` : `the summary of ${nameOf(run, k)}`;
}

/** What a message says around the text, on one line. @param {string} said @param {string} text */
function quote(said, text) {
  const found = said.indexOf(text);
  const at = found < 0 ? folded(said).indexOf(folded(text)) : found;
  const start = said.lastIndexOf("\n", at) + 1;
  const line = said.slice(start).split("\n", 1)[0];
  if (line.length <= LONGEST) return line;
  const from = Math.max(0, Math.min(at - start - IN_FRONT, line.length - LONGEST + 1));
  const word = from ? line.indexOf(" ", from) + 1 : 0;
  const part = line.slice(word > at - start ? from : word);
  const front = from ? "…" : "";
  return front + cutWords(part, LONGEST - front.length);
}
