// A compaction in one sentence, to be heard. Pure.

import { capitalized, int, pluralize } from "../lib/format.js";
import { figures, nameOf, tildeAfter, tildeBefore } from "./compactionfigures.js";
import { phases, phasesOfAttempt, takenWords } from "./phasefigures.js";
import { fellBack } from "./effect.js";
import { size } from "./ranges.js";
import { betweenPrompts, saidInstead } from "./recordedsums.js";
import { emptiedWord } from "./sections.js";
/** @import { Run } from "./model.js" */
/** @import { Phase } from "./types.js" */

/** @typedef {ReturnType<typeof figures>} Figures */

/**
 * "Compaction 2: 16,258 to 1,873 tokens, 56 messages became summary 1". Tokens as recorded where they are.
 * @param {Run} run
 * @param {number} k
 */
export function announcement(run, k) {
  const made = figures(run, k);
  if (made.begins) return `${capitalized(nameOf(run, k))}: the file begins with a summary of what came before it`;
  const failed = fellBack(run, k) ? ["the summary failed"] : [];
  return [
    `${capitalized(nameOf(run, k))}: ${betweenPrompts(run, made) ? "prompt " : ""}${sizesOf(run, k, made)}`,
    ...failed,
    ...deedsOf(run, made),
  ].join(", ");
}

/**
 * A phase of compaction k at a step, or of the attempt that failed there (k is -1): "Phase 2 of 4, partition: 1 pinned · 56 summarized
 * · 8 recent".
 * @param {Run} run @param {number} step @param {number} k @param {Phase} phase
 */
export function phaseAnnouncement(run, step, k, phase) {
  const { name, figure, crossed } = (k < 0 ? phasesOfAttempt(run, run.failedAt(step)) : phases(run, k))[phase - 1];
  return `Phase ${phase} of 4, ${name}${crossed ? " failed" : ""}: ${figure}`;
}

/** "16,258 to 1,873 tokens", as recorded where they are, unless the prompts around it deny it. @param {Run} run @param {number} k @param {Figures} made */
export function sizesOf(run, k, made) {
  const { before, after, recordedBefore, recordedAfter, unreadable } = made;
  if (run.view.kind === "replay" && recordedBefore >= 0 && recordedAfter >= 0) {
    return saidInstead(run, made) || `${int(recordedBefore)} to ${int(recordedAfter)} tokens`;
  }
  const more = unreadable ? " and a summary of unknown size" : "";
  if (made.unnamed && !made.micro) return `left ${tildeAfter(run, k) ? "about " : ""}${pluralize(after, "token")}${more}`;
  const about = (/** @type {string} */ tilde) => (tilde ? "about " : "");
  const [was, is] = [about(tildeBefore(run, k)), about(tildeAfter(run, k))];
  if (unreadable && !after) {
    const known = run.view.kind === "replay" && recordedBefore >= 0;
    return `${known ? pluralize(recordedBefore, "token") : `${was}${pluralize(before, "token")}`} to a summary of unknown size`;
  }
  return `${was}${int(before)} to ${was === is ? "" : is}${pluralize(after, "token")}${more}`;
}

/** What was done, in order. @param {Run} run @param {Figures} made @returns {string[]} */
function deedsOf(run, made) {
  const { did, deeds, added, unnamed } = made;
  const [taken, emptied] = [size(did.taken), size(did.emptied)];
  const alone = unnamed ? "stands for messages that are not in this file" : "was added";
  const became = (/** @type {string} */ what) => (taken ? `${takenWords(run, did.taken)} became ${what}` : `${what} ${alone}`);
  return deeds.flatMap((deed) => {
    if (deed === "clear") return emptied ? [cleared(run, emptied)] : [];
    if (deed === "drop") return [`dropped ${pluralize(taken, "message")}`];
    if (deed === "opaque") return [became("an opaque item")];
    if (deed === "digest") return [became("text")];
    const [summary] = added.filter((row) => row.injected === "summary");
    return summary ? [became(summary.label.replace("#", ""))] : [];
  });
}

/** @param {Run} run @param {number} count */
const cleared = (run, count) =>
  run.pool.thinkingOnly
    ? `removed the thinking from ${pluralize(count, "reply", "replies")}`
    : `cleared ${pluralize(count, emptiedWord(run))} in place`;
