// What came of a change that was tried: of the text, and of the compactions. Pure: no nodes.

import { capitalized, int, pluralize } from "../lib/format.js";
import { brief, changeName, difference, isRecord } from "./fixwords.js";
/** @import { Run } from "../run/model.js" */
/** @import { Target } from "./targets.js" */
/** @import { Fix, State } from "./types.js" */

/** A moment that runs of the same messages share: so many have arrived, and a compaction behind them is `after` or not. @typedef {{messages: number, after: boolean}} Moment */

/** @param {Run} run @param {number} step @returns {Moment} */
export function momentOf(run, step) {
  const { messages, compaction } = run.step(run.clamp(step));
  return { messages, after: compaction >= 0 };
}

/** The step of a moment in another run. @param {Run} run @param {Moment} moment */
export function stepOf(run, { messages, after }) {
  const next = messages < run.n ? run.stepOfMessage(messages) : run.length;
  return run.clamp(after ? next - 1 : run.stepOfMessage(Math.max(0, messages - 1)));
}

/**
 * "Pin message 2 keeps it: at message 183, where it was needed, the model could see it." Then about the run, and what few need to read.
 * @typedef {{verdict: string, about: string, more: string}} Outcome
 */

/**
 * @param {Fix} fix
 * @param {Fix | undefined} base  the run that it is compared with
 * @param {Record<string, unknown>} query  the settings before
 * @param {number[]} recorded  where the recorded run compacted
 * @param {{id: Target["id"], words: string, place: string, state: State, lost?: string}} there  the moment of the question, where the text is then, and from where on it is gone later
 * @returns {Outcome}
 */
export function outcome(fix, base, query, recorded, { id, words, place, state, lost = "" }) {
  const name = changeName(fix, query).replace(/(?:: no compaction removes it)? \(~[\d,]+ tokens\)$/, "");
  const needed = id === "needed";
  const where = `at ${place}${needed ? `,${words.slice(words.indexOf(", ") + 1)},` : ""}`;
  const rest = { about: base ? costWords(fix, base) : "", more: "", ...(apart(base, recorded) && base && simulatedWords(fix, base, recorded)) };
  if (state === "gone" || state === "before")
    return { verdict: `${name} does not keep it: ${where} nothing in the window ${needed ? "said" : "says"} it.`, ...rest };
  const seen = state === "summary" ? (needed ? "a summary said it" : "a summary says it") : needed ? "the model could see it" : "the window has it";
  return { verdict: `${name} keeps it${lost && " for a while"}: ${where} ${seen}${lost && `; from ${lost} on it is gone`}.`, ...rest };
}

/** Where the run that is on screen before a change compacted. @param {Fix[]} rows */
export const recordedPlaces = (rows) => rows.find(({ now }) => now)?.compacted_at ?? [];

/** What a change did to the compactions and costs, beside the run before, or beside the simulation that a recorded run is measured by. @param {Fix} fix @param {Fix} base */
function costWords(fix, base) {
  const sent = sentWords(fix, base);
  const did = [movedWords(base.compacted_at, fix.compacted_at), sent].filter(Boolean).join("; ");
  const beside = base.baseline || isRecord(base) ? (sent === SAME ? ` as in ${WITHOUT}` : `, against ${WITHOUT}`) : "";
  return did && `${capitalized(did)}${beside}.`;
}

const SAME = "as many tokens are sent";
const WITHOUT = "the run without a change";

/** @param {Fix} fix @param {Fix} base */
function sentWords(fix, base) {
  const by = difference(fix.tokens_sent, base.tokens_sent).text;
  return by && (by === "same" ? SAME : `tokens sent ${by}`);
}

/** Whether a simulation of the agent, without a change, compacts elsewhere than the recorded run. @param {Fix | undefined} base @param {number[]} recorded */
export const apart = (base, recorded) => Boolean(base?.baseline) && `${base?.compacted_at}` !== `${recorded}`;

/** For who comes from a recorded run: that this is a simulation, where it and the record compact, then what the change itself did. @param {Fix} fix @param {Fix} base @param {number[]} recorded */
function simulatedWords(fix, base, recorded) {
  const [before, now] = [base.compacted_at, fix.compacted_at];
  const about = `A simulation: it ${oftenWords("compacts", now)}; the record ${oftenWords("did", recorded)}.`;
  const sent = sentWords(fix, base);
  const same = sent === SAME ? `${SAME} as without it` : sent;
  const limit = before.length && !fix.other ? LIMIT : "";
  if (now.length && `${before}` === `${now}`)
    return { about, more: `The change itself moves none of ${now.length > 1 ? "them" : "its compactions"}${same && `; ${same}`}.${limit}` };
  const moved = movedWords(before, now);
  const did = [moved && moved[0].toLowerCase() + moved.slice(1), sent].filter(Boolean).join("; ");
  return { about, more: (did && `Against ${WITHOUT}: ${did}.`) + limit };
}

/** What was sent, as recorded and in the run of a change, where costs are told against neither. @param {Fix} fix @param {Fix[]} rows */
export function sentOnRecord(fix, rows) {
  const record = rows.some(({ baseline }) => baseline) && rows.find(isRecord);
  return record ? `The record sent ${brief(record.tokens_sent)} tokens of these messages in all, this run ${brief(fix.tokens_sent)}.` : "";
}

/** Why a simulation of the agent has another limit than the agent: core/why/fitted.py. */
const LIMIT = " Its limit is the one with which it compacts as near to the record as it can, as it counts only what this file shows.";

/** @param {string} verb @param {number[]} places */
function oftenWords(verb, places) {
  if (!places.length) return `never ${verb}`;
  return `${verb} ${places.length > LISTED ? `${int(places.length)} times, first after message ${int(places[0])}` : `after ${listWords(places)}`}`;
}

/** So many places are listed; of more the first is told. */
const LISTED = 4;

/** What a change did to the compactions, by their places before and now: "1 of 3 compactions moved, from message 116 to 98" @param {number[]} before @param {number[]} now */
export function movedWords(before, now) {
  if (!before.length && !now.length) return "";
  if (before.length !== now.length) return `${pluralize(now.length, "compaction")} instead of ${int(before.length)}${placeWords(before, now)}`;
  const moved = before.flatMap((_, k) => (now[k] === before[k] ? [] : [k]));
  const all = ["", "The compaction", "Both compactions"][before.length] ?? `All ${int(before.length)} compactions`;
  if (!moved.length) return `${all} ${before.length > 1 ? "stay where they were" : "stays where it was"}`;
  const some = moved.length === before.length ? all : `${int(moved.length)} of ${int(before.length)} compactions`;
  const [first] = moved;
  return `${some} moved, ${moved.length > 1 ? "the first of them " : ""}from message ${int(before[first])} to ${int(now[first])}`;
}

/** @param {number[]} before @param {number[]} now */
function placeWords(before, now) {
  if (!now.length) return "";
  const first = `, ${now.length > 1 ? "the first " : ""}after message ${int(now[0])}`;
  if (!before.length || Math.max(before.length, now.length) > LISTED) return first;
  return `, after ${listWords(now)} instead of ${listWords(before).replace(/^messages? /, "")}`;
}

/** "messages 116, 276 and 480". @param {number[]} places */
function listWords(places) {
  const [last, ...rest] = places.map(int).reverse();
  return rest.length ? `messages ${rest.reverse().join(", ")} and ${last}` : `message ${last}`;
}
