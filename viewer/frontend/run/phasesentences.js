// A phase of a compaction as a sentence to be read aloud in front of a room. Pure.

import { capitalized, int } from "../lib/format.js";
import { announcement, sizesOf } from "./announcing.js";
import { figures, tildeAfter, tildeBefore } from "./compactionfigures.js";
import { fellBack } from "./effect.js";
import { besideUntil } from "./leftout.js";
import { phases, phasesOfAttempt, takenWords } from "./phasefigures.js";
import { betweenPrompts, isAhead, saidInstead, shownOf, sidesOf } from "./recordedsums.js";
/** @import { Run } from "./model.js" */
/** @import { Figures } from "./compactionfigures.js" */
/** @import { Phase } from "./types.js" */

/** Of compaction k at a step, or of the attempt that failed there (k is -1). @param {Run} run @param {number} step @param {number} k @param {Phase} phase */
export function phaseSentence(run, step, k, phase) {
  if (phase === 4) return k < 0 ? "The attempt failed: the window stays as it was." : splicedSentence(run, k);
  return (k < 0 ? phasesOfAttempt(run, run.failedAt(step)) : phases(run, k))[phase - 1].spoken;
}

/** What came of it: "Summary 1 takes the place of 21 messages. The window goes from 1,701 to 632 tokens." @param {Run} run @param {number} k */
export function splicedSentence(run, k) {
  const made = figures(run, k);
  const sizes = sizesOf(run, k, made);
  const summary = made.added.find((row) => row.injected === "summary");
  const { taken } = made.did;
  if (!summary || !taken.length || made.begins || fellBack(run, k) || !/^(about |~)?[\d,]+ to /.test(sizes)) return `${announcement(run, k)}.`;
  return `${capitalized(summary.label.replace("#", ""))} takes the place of ${takenWords(run, taken)}. ${wentFrom(run, made, sizes)}`;
}

/** "The window goes from 1,701 to 632 tokens.": the one pair that is told of a compaction everywhere; what is a prompt's is called that. @param {Run} run @param {Figures} made @param {string} sizes */
function wentFrom(run, made, sizes) {
  if (betweenPrompts(run, made)) return `The prompt goes from ${sizes}.`;
  const { recordedBefore: before, recordedAfter: after } = made;
  const recorded = run.view.kind === "replay" && before >= 0 && after >= 0 && !saidInstead(run, made);
  const ahead = recorded && isAhead(sidesOf(run, made.k, made)[1]);
  return `The window goes from ${ahead ? `${int(before)} tokens to ${int(after)} in the next prompt` : sizes}.`;
}

/** How much of the window the file shows on both sides: what the other phases tell of adds up to that alone; "" where that is not known. @param {Run} run @param {Figures} made */
export function bothInFile(run, made) {
  if (run.view.kind !== "replay" || made.recordedBefore < 0 || made.recordedAfter < 0) return "";
  const [before, after] = sidesOf(run, made.k, made).map(shownOf);
  if (before < 0 || after < 0) return "";
  return `This file shows ${besideUntil(run, made.step - 1) ? "at most " : ""}${tildeBefore(run, made.k)}${int(before)} of the window's tokens before and ${tildeAfter(run, made.k)}${int(after)} after.`;
}
