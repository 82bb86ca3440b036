// The tokens around a recorded compaction in parts that add up: what the record says, what of it can be seen, what is unseen. Pure.
import { int } from "../lib/format.js";
import { lowerBound } from "./bisect.js";
import { figures } from "./compactionfigures.js";
import { effect } from "./effect.js";
import { size } from "./ranges.js";
import { NEAR, unseenAt } from "./recorded.js";
/** @import { Figures } from "./compactionfigures.js" */
/** @import { Run } from "./model.js" */
/** @import { Sent } from "./recorded.js" */

/**
 * One side of a compaction: recorded = visible + unseen + rest. -1 and null stand for what is not known; `rest` is what arrived
 * between a prompt and the compaction, or by how much the agent counts otherwise (`own`); `prompt` is the recorded one next to it.
 * @typedef {{recorded: number, visible: number, unseen: number | null, rest: number | null, own: boolean, prompt: number}} Side
 */

/**
 * Both sides of recorded compaction k. What is unseen is what the steps right before it and at it say.
 * @param {Run} run @param {number} k @param {Pick<Figures, "step" | "before" | "after" | "recordedBefore" | "recordedAfter">} figures
 * @returns {[before: Side, after: Side]}
 */
export function sidesOf(run, k, { step, before, after, recordedBefore, recordedAfter }) {
  const arrived = run.step(step).messages;
  const sent = [unseenAt(run, arrived, k, step - 1), unseenAt(run, arrived, k + 1, step)];
  return [side(recordedBefore, before, sent[0]), side(recordedAfter, after, sent[1])];
}

/** Whether the number that is shown of a side is the recorded prompt beside it, and so not that of the window. @param {Side} side */
const isPrompt = ({ recorded, prompt }) => recorded >= 0 && recorded === prompt;

/** Whether that prompt and the window differ by messages that are in the one alone. @param {Side} side */
export const isAhead = (side) => isPrompt(side) && Boolean(side.rest);

/**
 * Whether both sizes that are told of a recorded compaction are prompts: the last one before it, and the next.
 * @param {Run} run @param {Parameters<typeof sidesOf>[2] & {k: number}} made
 */
export const betweenPrompts = (run, made) => run.view.kind === "replay" && made.recordedBefore >= 0 && sidesOf(run, made.k, made).every(isPrompt);

/** @param {number} recorded @param {number} visible @param {Sent | null} sent @returns {Side} */
function side(recorded, visible, sent) {
  const whole = recorded < 0 || recorded >= visible; // else the agent counts only a part of the window
  const unseen = sent && whole && sent.unseen >= 0 ? sent.unseen : null;
  const rest = recorded < 0 || unseen === null ? null : recorded - visible - unseen;
  return { recorded, visible, unseen, rest, own: Boolean(rest) && sent?.prompt !== recorded, prompt: sent?.prompt ?? -1 };
}

/** What of a recorded size no message accounts for; null where that size is not the window's. @param {Side} [side] */
export function asRecorded(side) {
  if (!side || side.rest === null || side.unseen === null || isAhead(side)) return null;
  return Math.abs(side.rest) <= NEAR * side.recorded ? side.recorded - side.visible : null;
}

/** How many tokens of the window the file shows; -1 where nobody knows, and where it is all of them. @param {Side} side */
export const shownOf = ({ unseen, visible }) => (unseen ? visible : -1);

/**
 * The window by what is recorded of it: where messages came between that and a prompt, which are in the one alone, an estimate; `since` says so.
 * @param {Side} side
 */
export function windowOf(side) {
  const since = isAhead(side);
  return { since, words: since ? `~${int(side.recorded - (side.rest ?? 0))}` : int(side.recorded) };
}

/**
 * What is told of a step at which a recorded compaction found its window, or left it: the number that its card has, and whether both are
 * those of prompts. Null where nothing is recorded that has to do with that window.
 * @param {Run} run @param {number} step @returns {{tokens: number, prompt: boolean} | null}
 */
export function recordedAt(run, step) {
  if (run.view.kind !== "replay") return null;
  const here = run.compactionAt(step);
  const k = here < 0 ? run.compactionAt(step + 1) : here;
  const found = k < 0 ? null : figures(run, k);
  if (!found || deniedBy(run, found)) return null;
  const side = sidesOf(run, k, found)[here < 0 ? 0 : 1];
  const near = side.rest !== null && Math.abs(side.rest) <= NEAR * side.recorded;
  const paired = isPrompt(side) && found.recordedBefore >= 0 && found.recordedAfter >= 0;
  return paired || near ? { tokens: side.recorded, prompt: betweenPrompts(run, found) } : null;
}

/** The share of what is said to be saved that must be missing from the next prompt, else the prompts deny it (core/trace/denied.py). */
const LEAST = 0.25;

/**
 * The recorded prompts around a compaction, where they did not shrink though the record counts fewer tokens after it, and what arrived
 * between them does not hide that they did: what it says it saved was not seen. Also those around a microcompaction that counts clearly
 * fewer tokens than the last prompt held. Null otherwise.
 * @param {Run} run @param {Pick<Figures, "k" | "micro" | "step" | "recordedBefore" | "recordedAfter">} figures @returns {[number, number] | null}
 */
export function deniedBy(run, { k, micro, step, recordedBefore, recordedAfter }) {
  if (recordedBefore < 0 || recordedAfter < 0 || recordedAfter >= recordedBefore) return null;
  const { prompts } = run.store.header.recorded;
  if (!prompts) return null;
  const next = lowerBound(prompts.at, run.step(step).messages);
  const [before, after] = [prompts.tokens[next - 1] ?? 0, prompts.tokens[next] ?? 0];
  if (!(before > 0 && after > 0) || prompts.at[next - 1] < windowBegins(run, k)) return null;
  if (micro && recordedBefore < (1 - NEAR) * before) return [before, after];
  if (after < before) return null;
  const arrived = run.store.running[prompts.at[next]] - run.store.running[prompts.at[next - 1]];
  return before + arrived - after < LEAST * (recordedBefore - recordedAfter) ? [before, after] : null;
}

/** How many messages had arrived when the newest compaction before k began a new window. @param {Run} run @param {number} k */
function windowBegins({ view: { c } }, k) {
  for (let j = k - 1; j >= 0; j--) if (!c.micro[j]) return c.at[j];
  return 0;
}

/**
 * The tokens that a recorded microcompaction says it saved, where the prompts around it do not show it; else 0. They grew by what
 * arrived in between: their difference is not what it did.
 * @param {Run} run @param {Parameters<typeof deniedBy>[1]} figures
 */
export function clearedAsSaid(run, figures) {
  const { micro, recordedBefore, recordedAfter } = figures;
  return run.view.kind === "replay" && micro && deniedBy(run, figures) ? recordedBefore - recordedAfter : 0;
}

/** "2,000 tokens saved, as the file says; it names nothing cleared": the same words wherever it is told. @param {number} tokens @param {boolean} [listed]  whether the file names what was cleared */
export const clearedWords = (tokens, listed) => `${int(tokens)} ${clearedUnit(listed)}`;

/** The same behind its number. @param {boolean} [listed] */
export const clearedUnit = (listed) => `tokens saved${asTheFileSays(listed)}`;

/** @param {boolean} [listed] */
export const asTheFileSays = (listed = false) => `, as the file says${listed ? "" : "; it names nothing cleared"}`;

/** Whether the file names what a compaction cleared. @param {Run} run @param {{k: number}} figures */
export const listsCleared = (run, { k }) => size(effect(run, k).emptied) > 0;

/**
 * What is said in place of sizes that the prompts deny; "" where they do not.
 * @param {Run} run @param {Parameters<typeof deniedBy>[1]} figures
 */
export function saidInstead(run, figures) {
  const cleared = clearedAsSaid(run, figures);
  if (cleared) return clearedWords(cleared, listsCleared(run, figures));
  const prompts = deniedBy(run, figures);
  return prompts ? `the prompts around it held ${int(prompts[0])} and ${int(prompts[1])} tokens` : "";
}
