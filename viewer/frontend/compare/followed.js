// Where a followed text is in a lane, as a cell of the table says it.

import { el } from "../lib/dom.js";
import { stepMark, stepName } from "../run/places.js";
import { isNever } from "../why/lanewords.js";
import { howReworded, stateAt } from "../why/states.js";
/** @import { Run } from "../run/model.js" */
/** @import { Fate } from "../why/types.js" */

/** Where the text is in a few words; of one that is gone also the step since which it is. @typedef {{look: string, words: string, since?: number}} Where */

/** @param {Fate} fate @param {number} step @returns {Where} */
export function whereAt(fate, step) {
  if (isNever(fate)) return { look: "before", words: "never in this file" };
  const stretch = stateAt(fate, step);
  const { state, from, reworded } = stretch;
  if (reworded) return { look: "reworded", words: howReworded(stretch) };
  if (state === "gone") return { look: state, words: "gone since ", since: from };
  return { look: state, words: { verbatim: "in window", summary: "in summary", before: "not said yet" }[state] };
}

/** The step has its name, which may be broken after "micro", and its mark, which the style sheet shows where the name has no room. @param {Run} run @param {Fate} fate @param {number} step */
export function whereCell(run, fate, step) {
  const { look, words, since } = whereAt(fate, step);
  const cell = el("span", { class: `fl-state fl-state-${look}` }, el("i"), words);
  if (since === undefined) return cell;
  cell.dataset.mark = stepMark(run, since);
  cell.append(el("span", { class: "fl-step-name", text: stepName(run, since).replace("micro", "micro\u00ad") }));
  return cell;
}
