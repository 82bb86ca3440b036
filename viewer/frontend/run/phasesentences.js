// A phase of a compaction as a sentence to be read aloud in front of a room. Pure.

import { capitalized, pluralize } from "../lib/format.js";
import { announcement, sizesOf } from "./announcing.js";
import { DONE, figures } from "./compactionfigures.js";
import { fellBack } from "./effect.js";
import { phases, phasesOfAttempt } from "./phasefigures.js";
import { size } from "./ranges.js";
/** @import { Run } from "./model.js" */
/** @import { Tile } from "./phasefigures.js" */
/** @import { Phase } from "./types.js" */

/** Of compaction k at a step, or of the attempt that failed there (k is -1). @param {Run} run @param {number} step @param {number} k @param {Phase} phase */
export function phaseSentence(run, step, k, phase) {
  const tile = (k < 0 ? phasesOfAttempt(run, run.failedAt(step)) : phases(run, k))[phase - 1];
  if (phase === 1) return triggerSentence(tile.figure);
  if (phase === 2) return partedSentence(tile.figure);
  if (phase === 3) return tile.crossed ? `No summary came of it: ${tile.figure}.` : exchangeSentence(tile);
  return k < 0 ? "The window stays as it was." : splicedSentence(run, k);
}

/** @param {string} figure  "1,701 > 1,600", "155,829", "?" */
function triggerSentence(figure) {
  const [held, limit] = figure.split(/ [>≥] /);
  if (held === "?") return "The file does not say how full the window was.";
  return limit ? `The window is full: ${held} of ${limit} tokens.` : `The window holds ${held} tokens. The agent makes room.`;
}

/** @param {string} figure  "1 pinned · 56 summarized · 8 recent", "269 summarized · 7 kept", "4 of 9 cleared" */
function partedSentence(figure) {
  const parts = figure.split(" · ");
  const goes = parts.findIndex((part) => Object.values(DONE).some((done) => part.endsWith(` ${done}`)));
  if (goes < 0) return `${capitalized(figure)}.`;
  const [, count, done] = /** @type {RegExpExecArray} */ (/^([\d,]+(?: of [\d,]+)?) (.*)$/.exec(parts[goes]));
  const stay = parts.toSpliced(goes, 1).map((part) => part.replace(" kept", ""));
  const what = count === "1" ? "1 older message" : `${count} ${count.includes(" of ") ? "" : "older "}messages`;
  return `${what} will be ${done}${stay.length ? `; ${stay.join(" and ")} ${stay.length < 2 && /^1\b/.test(stay[0]) ? "stays" : "stay"}` : ""}.`;
}

/** @param {Tile} tile  "~1,220 → ~151", "~1,220 removed", "~900 freed" */
function exchangeSentence({ name, figure }) {
  const [was, is] = figure.split(" → ");
  if (!is) return /^\S+ (removed|freed)$/.test(figure) ? `${figure.replace(" ", " tokens are ")}.` : `${capitalized(name)}: ${figure}.`;
  if (name !== "summarize") return `${was} tokens become ${is}.`;
  const of = is === "size unknown" ? "A summary of unknown size" : `A summary of ${is} tokens`;
  return was === "?" ? `${of} is written.` : `${of} is written. It stands for ${was} tokens of messages.`;
}

/** What came of it: "Summary 1 takes the place of 21 messages. The window goes from 1,701 to 632 tokens." @param {Run} run @param {number} k */
export function splicedSentence(run, k) {
  const made = figures(run, k);
  const sizes = sizesOf(run, k, made);
  const summary = made.added.find((row) => row.injected === "summary");
  const taken = size(made.did.taken);
  if (!summary || !taken || made.begins || fellBack(run, k) || !/^(about )?[\d,]+ to /.test(sizes)) return `${announcement(run, k)}.`;
  return `${capitalized(summary.label.replace("#", ""))} takes the place of ${pluralize(taken, "message")}. The window goes from ${sizes}.`;
}
