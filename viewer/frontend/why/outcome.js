// What came of a change that was tried, in one sentence. Pure: no nodes.

import { changeName, difference } from "./fixwords.js";
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
 * "Pin message 2 keeps it: at message 183, where it was needed, the model could see it. Tokens sent +0.9 %."
 * @param {Fix} fix
 * @param {Fix | undefined} base  the run that it is compared with
 * @param {Record<string, unknown>} query  the settings before
 * @param {{id: Target["id"], words: string, place: string, state: State, lost?: string}} there  the moment of the question, where the text is then, and from where on it is gone later
 */
export function outcome(fix, base, query, { id, words, place, state, lost = "" }) {
  const name = changeName(fix, query).replace(/(?:: no compaction removes it)? \(~[\d,]+ tokens\)$/, "");
  const needed = id === "needed";
  const where = `at ${place}${needed ? `,${words.slice(words.indexOf(", ") + 1)},` : ""}`;
  const by = difference(fix.tokens_sent, base?.tokens_sent ?? 0).text;
  const cost = by ? ` ${sentWords(by, Boolean(base?.baseline))}` : "";
  if (state === "gone" || state === "before")
    return `${name} does not keep it: ${where} nothing in the window ${needed ? "said" : "says"} it.${cost}`;
  const seen = state === "summary" ? (needed ? "a summary said it" : "a summary says it") : needed ? "the model could see it" : "the window has it";
  return `${name} keeps it${lost && " for a while"}: ${where} ${seen}${lost && `; from ${lost} on it is gone`}.${cost}`;
}

/** What a change costs, beside the run before, or beside the simulation that a recorded run is measured by. @param {string} by @param {boolean} simulated */
function sentWords(by, simulated) {
  if (by === "same") return `As many tokens are sent${simulated ? " as in the simulation without a change" : ""}.`;
  return `Tokens sent ${by}${simulated ? ", against the simulation without a change" : ""}.`;
}
