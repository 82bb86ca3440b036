// Which rule a run forgot, the one that it then needed first, and what happened to it, step by step. Pure.

import { int, pluralize } from "../lib/format.js";
import { wholeSentences } from "./beginning.js";
import { nameOf } from "./compactionfigures.js";
/** @import { Run } from "./model.js" */
/** @import { CompactionLosses, Loss } from "./types.js" */

/** An earlier compaction took the message of a text that is lost later. */
const CARRIED = "A compaction took this message away; its summary still said it.";

/** @typedef {{loss: Loss, row: CompactionLosses}} Forgotten */
/** @typedef {{step: number, text: string, quote: "rule" | "message" | "", said?: string}} Moment  what is quoted: the rule, the message of the step, or nothing; `said` is what it says, where that is known */

/**
 * The rule or statement to tell of: one that the user had to say again, else one that came up again; null where nothing is seen to have
 * needed one: a text that nobody missed is no story.
 * @param {CompactionLosses[]} rows @returns {Forgotten | null}
 */
export function forgottenRule(rows) {
  const all = rows.flatMap((row) => row.told.map((loss) => ({ loss, row })));
  const rules = all.filter(({ loss }) => loss.followed && (loss.kind === "rule" || loss.kind === "said"));
  const used = rules.filter(({ loss }) => Math.max(loss.used_at, loss.said_again_at) >= 0);
  return used.find(({ loss }) => loss.said_again_at >= loss.used_at) ?? used.find(({ loss }) => loss.kind === "rule") ?? used[0] ?? null;
}

/**
 * What happened to it, in order.
 * @param {Forgotten} forgotten
 * @param {{said: number, summary: boolean}} run  the step at which it was said; whether its compaction put a summary in
 * @returns {Moment[]}
 */
export function momentsOf({ loss, row }, { said, summary }) {
  const took = pluralize(row.taken, "message");
  const lost = summary ? `the summary of ${took} does not say it` : `${took} went, and no other says it`;
  /** @type {Moment[]} */ const found = [
    { step: said, text: "The user said", quote: "rule" },
    ...(loss.carried_at >= 0 ? [{ step: loss.carried_at, text: CARRIED, quote: /** @type {const} */ ("") }] : []),
    { step: row.step, text: `Forgotten: ${lost}.`, quote: "" },
  ];
  if (loss.used_at >= 0 && loss.used_at !== loss.said_again_at)
    found.push({ step: loss.used_at, text: "It came up, and the model could not see it any more:", quote: "message", said: loss.used });
  if (loss.said_again_at >= loss.used_at)
    found.push({ step: loss.said_again_at, text: "The user had to say it again:", quote: "message", said: loss.said_again });
  return found;
}

/** What a step has to do with it, for a room: the rule is set, lost, needed, or said again; "" of every other step. @param {Run} run @param {Forgotten} forgotten @param {number} step */
export function ruleNote(run, { loss, row }, step) {
  const what = loss.kind === "rule" ? "rule" : "statement";
  const lost = `The ${what} said at message ${int(loss.at + 1)} was lost at ${nameOf(run, row.index)}`;
  if (step === run.stepOfMessage(loss.at)) return `${loss.kind === "rule" ? "The user sets a rule" : "The user says"}: “${loss.text}”`;
  if (step === row.step) return `${lost}: “${loss.text}”`;
  if (step === loss.used_at && step !== loss.said_again_at) return `${lost}. The model cannot see it here: “${loss.text}”`;
  return step === loss.said_again_at ? `The user has to say it again. ${lost}.` : "";
}

/** Letters of a note. */
const NOTE = 150;

/** What a compaction took, for a room: a rule, a statement or a request that nothing says any more, else how many results; "" of none. @param {CompactionLosses} row */
export function takenNote({ told, requests, results, unreadable }) {
  if (unreadable) return "";
  const text = told[0]?.text ?? requests.text;
  if (text) return `Nothing in the window says any more: “${wholeSentences(text, NOTE)}”`;
  return results ? `Gone with them: the text of ${pluralize(results, "tool result")}` : "";
}
