// The hatched band of what recorded prompts held beyond the messages, between two compactions of the run as recorded. Pure.
import { upperBound } from "./bisect.js";
import { windowAfter } from "./recorded.js";
/** @import { Run } from "./model.js" */

/**
 * At a step: the tokens of the prompt, what of them the messages came to where a scale is known, and the
 * window. Between prompts it is what the next one would have held.
 * @typedef {{step: number, sent: number, counted: number, seen: number}} BandPoint
 */

/**
 * The band over prompts between which no compaction lies: from the compaction before them, or the beginning, to the one behind.
 * @param {Run} run @param {number[]} places  of the prompts, in order
 * @returns {BandPoint[]}
 */
export function bandOf(run, places) {
  const { prompts, at } = run.store.header.recorded;
  const epoch = upperBound(at, prompts.at[places[0]]);
  const [start, end] = [epoch ? at[epoch - 1] : 0, at[epoch] ?? run.n];
  const [first, last] = [places[0], places[places.length - 1]];
  const point = (/** @type {number} */ k, /** @type {number} */ arrived, /** @type {number} */ step) => ({
    step,
    ...pointAt(run, k, arrived, epoch),
  });
  return [
    point(first, start, epoch ? start + epoch - 1 : 0),
    ...places.map((k) => point(k, prompts.at[k], prompts.at[k] + epoch)),
    point(last, end, Math.min(end + epoch, run.length - 1)),
  ];
}

/** What prompt k held, with what arrived since, or without what came only later. @param {Run} run @param {number} k @param {number} arrived @param {number} epoch @returns {Omit<BandPoint, "step">} */
function pointAt(run, k, arrived, epoch) {
  const { prompts } = run.store.header.recorded;
  const since = run.store.running[arrived] - run.store.running[prompts.at[k]];
  const sent = prompts.tokens[k] + since;
  const seen = Math.min(sent, windowAfter(run, arrived, epoch));
  const scaled = prompts.scaled?.length ? prompts.scaled[k] + since : seen;
  return { sent, seen, counted: Math.min(sent, Math.max(seen, scaled)) };
}
