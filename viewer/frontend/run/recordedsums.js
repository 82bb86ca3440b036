// The tokens around a recorded compaction in parts that add up: what the record says, what of it can be seen, what is unseen. Pure.
import { int } from "../lib/format.js";
import { lowerBound } from "./bisect.js";
import { unseenAt } from "./recorded.js";
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

/** @param {number} recorded @param {number} visible @param {Sent | null} sent @returns {Side} */
function side(recorded, visible, sent) {
  const whole = recorded < 0 || recorded >= visible; // else the agent counts only a part of the window
  const unseen = sent && whole && sent.unseen >= 0 ? sent.unseen : null;
  const rest = recorded < 0 || unseen === null ? null : recorded - visible - unseen;
  return { recorded, visible, unseen, rest, own: Boolean(rest) && sent?.prompt !== recorded, prompt: sent?.prompt ?? -1 };
}

/** The share of what is said to be saved that must be missing from the next prompt, else the prompts deny it (core/trace/denied.py). */
const LEAST = 0.25;

/** An agent's count is that of the window whose prompt was recorded where it differs from it by no more than this share (core/model/session.py). */
const NEAR = 0.05;

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

/** What is said in place of sizes that the prompts deny. @param {[number, number]} prompts */
export const promptsAround = ([before, after]) => `the prompts around it held ${int(before)} and ${int(after)} tokens`;

/** Where the record's two numbers are from, and that as a text. @typedef {{before: string, after: string, text: string}} Origins */

/** What the two numbers are, in a few words: "the agent's count, then the next prompt". @param {Pick<Origins, "before" | "after">} from */
export function sourceWords({ before, after }) {
  const [was, is] = [kindOf(before, "the last prompt"), kindOf(after, "the next prompt")];
  return was && is ? (was === is ? "by the agent's count" : `${was}, then ${is}`) : "";
}

/** @param {string} from @param {string} prompt */
const kindOf = (from, prompt) =>
  /^prompt of the model call (before|after)/.test(from) ? prompt : from.startsWith("the agent's own count") ? "the agent's count" : "";

/** A growth of what is unseen that is worth a word: as a share, and in tokens. */
const MUCH = { share: 0.1, tokens: 1000 };

/** What the rows do not say by themselves, a note each: how the agent counts otherwise, why unseen is not the same on both sides. @param {[Side, Side]} sides */
export function sumNotes(sides) {
  return [...ownWords(sides), changeOfUnseen(sides)].filter(Boolean);
}

/**
 * What there is between what the record says and the rows below it, in a few words and in more: messages that came between a prompt and
 * the compaction, or how the agent counts otherwise. Null where the rows add up without.
 * @param {[Side, Side]} sides @returns {{words: string, more: string, title: string} | null}
 */
export function betweenWords(sides) {
  const differ = sides.filter(({ rest }) => rest);
  if (!differ.length) return null;
  const own = differ.filter((side) => side.own).length;
  const words = own === differ.length ? "counted otherwise" : "in between";
  const more = own === 0 ? " these prompts" : own === differ.length ? " by the agent" : ", or counted otherwise";
  return { words, more, title: [...arrivedWords(sides), ...ownWords(sides)].join(" ") };
}

/** Messages that are in the window of one moment, and in the prompt of another. @param {[Side, Side]} sides */
function arrivedWords(sides) {
  const [before, after] = sides.map(({ own, rest }) => (own ? 0 : (rest ?? 0)));
  return [
    before && `${tokensOf(-before)} of messages came after the last prompt: the window in front of the compaction has them.`,
    after && `${tokensOf(after)} of messages came before the next prompt: the window behind the compaction does not have them yet.`,
  ].filter((said) => said !== 0);
}

/** How the agent's own count differs from the rows, and what the prompt beside it held. @param {[Side, Side]} sides */
function ownWords(sides) {
  return sides.flatMap(({ own, rest, prompt }, k) => {
    const by = `~${int(Math.abs(rest ?? 0))} ${(rest ?? 0) < 0 ? "lower" : "higher"}`;
    const which = k ? "The next prompt, with what had arrived by then, held" : "The last prompt sent held";
    return own ? [`The agent's own count ${k ? "after" : "before"} is ${by} than the two rows add up to. ${which} ${int(prompt)}.`] : [];
  });
}

/** How much more is unseen after than before, where it is worth a word; else 0. @param {[Side, Side]} sides */
export function growthOfUnseen([{ unseen: before }, { unseen: after }]) {
  if (before === null || after === null) return 0;
  const more = after - before;
  return Math.abs(more) < Math.max(MUCH.tokens, MUCH.share * before) ? 0 : more;
}

/** Why much more, or less, is unseen after than before. @param {[Side, Side]} sides */
function changeOfUnseen(sides) {
  const more = growthOfUnseen(sides);
  if (!more) return "";
  const tokens = `~${int(Math.abs(more))}`;
  return more > 0
    ? `After the compaction ${tokens} more tokens are not in this file: the agent may have put files, lists or skills in again beside the summary.`
    : `After the compaction ${tokens} fewer tokens are not in this file: the meter may have counted the messages before it too low.`;
}

/** @param {number} tokens */
const tokensOf = (tokens) => `~${int(Math.abs(tokens))} ${Math.abs(tokens) === 1 ? "token" : "tokens"}`;
