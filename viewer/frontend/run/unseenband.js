// The hatched band of what recorded prompts held beyond the messages, between two compactions of the run as recorded. Pure.
import { upperBound } from "./bisect.js";
import { sameWindow, windowAfter } from "./recorded.js";
/** @import { Run } from "./model.js" */

/**
 * At a step: the tokens of the prompt, what of them the messages came to where a scale is known, and the
 * window. Between prompts it is what the next one would have held.
 * @typedef {{step: number, sent: number, counted: number, seen: number}} BandPoint
 */

/** The prompts of an epoch, between two compactions of the recorded run; of one without a prompt of its own the last one before it. @typedef {{epoch: number, places: number[]}} Stretch */

/**
 * The stretches over which something is known, in order: those with prompts, and those that microcompactions alone part from them.
 * @param {Run} run @param {number[]} places  of prompts, in order
 * @returns {Stretch[]}
 */
export function stretchesOf(run, places) {
  const { prompts, at } = run.store.header.recorded;
  /** @type {Stretch[]} */ const found = [];
  for (const k of places) {
    const epoch = upperBound(at, prompts.at[k]);
    const last = found.at(-1);
    if (last?.epoch === epoch) last.places.push(k);
    else found.push(...without(run, last, epoch), { epoch, places: [k] });
  }
  return found;
}

/** The stretches without a prompt between two that have some, as far as the window stays the same. @param {Run} run @param {Stretch | undefined} last @param {number} epoch @returns {Stretch[]} */
function without(run, last, epoch) {
  if (!last) return [];
  const between = Array.from({ length: epoch - last.epoch - 1 }, (_, i) => last.epoch + 1 + i);
  return between.filter((one) => sameWindow(run, last.epoch, one)).map((one) => ({ epoch: one, places: last.places.slice(-1) }));
}

/** The prompts that a line joins: those of one window, which microcompactions alone part into stretches. @param {Run} run @param {Stretch[]} stretches @returns {number[][]} */
export function linesOf(run, stretches) {
  /** @type {number[][]} */ const lines = [];
  stretches.forEach(({ epoch, places }, i) => {
    const last = lines.at(-1);
    if (last && sameWindow(run, stretches[i - 1].epoch, epoch)) last.push(...places.filter((k) => k > last[last.length - 1]));
    else lines.push([...places]);
  });
  return lines;
}

/**
 * The line from prompt k up to the next of the same line: what had arrived, and the tokens. Within one window it is the rim of the band.
 * @param {Run} run @param {number} k @param {number} [next] @returns {[arrived: number, tokens: number][]}
 */
export function promptLine(run, k, next) {
  const { prompts, at } = run.store.header.recorded;
  const from = prompts.at[k];
  const until = next !== undefined && upperBound(at, from) === upperBound(at, prompts.at[next]) ? prompts.at[next] : from;
  const between = [...new Set([from + 1, until - 1])].filter((arrived) => from < arrived && arrived < until);
  return [from, ...between].map((arrived) => [arrived, prompts.tokens[k] + run.store.running[arrived] - run.store.running[from]]);
}

/**
 * The band over a stretch: from the compaction before it, or the beginning, to the one behind. It is as high as the window with what is
 * hidden beside it: at a call its prompt, then the reply comes to it and what follows, up to the next call.
 * @param {Run} run @param {Stretch} stretch
 * @returns {BandPoint[]}
 */
export function bandOf(run, { epoch, places }) {
  const { prompts, at } = run.store.header.recorded;
  const [start, end] = [epoch ? at[epoch - 1] : 0, at[epoch] ?? run.n];
  const [first, last] = [places[0], places[places.length - 1]];
  const point = (/** @type {number} */ k, /** @type {number} */ arrived, /** @type {number} */ step) => ({
    step,
    ...pointAt(run, k, arrived, epoch),
  });
  const own = places.filter((k) => prompts.at[k] >= start);
  return [
    point(first, start, epoch ? start + epoch - 1 : 0),
    ...own.flatMap((k, n) => {
      const until = (prompts.at[own[n + 1]] ?? end) - 1;
      const arrived = [prompts.at[k], prompts.at[k] + 1, until].filter((one, i) => one > start && (i < 2 || one > prompts.at[k] + 1));
      return arrived.map((one) => point(k, one, one + epoch - 1));
    }),
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
