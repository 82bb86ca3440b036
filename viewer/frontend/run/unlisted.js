// What the record says of compactions of which it lists nothing: how much they cleared, and whether the prompts around them shrank. Pure.

import { int } from "../lib/format.js";
import { figures } from "./compactionfigures.js";
import { clearedAsSaid, clearedWords, deniedBy } from "./recordedsums.js";
/** @import { Run } from "./model.js" */
/** @import { CompactionLosses } from "./types.js" */

/** Of so many compactions: the tokens that some of them cleared, as the file says, and around how many of the others the prompts did not shrink. @typedef {{of: number, cleared: number, clearing: number, unshrunk: number}} Unlisted */

/** One of which nothing is said. @type {Unlisted} */
export const UNTOLD = { of: 1, cleared: 0, clearing: 0, unshrunk: 0 };

/** @param {Run} run @param {Pick<CompactionLosses, "index">[]} rows @returns {Unlisted} */
export function unlistedOf(run, rows) {
  const told = { ...UNTOLD, of: rows.length };
  if (run.view.kind !== "replay") return told;
  for (const { index } of rows) {
    const made = figures(run, index);
    const [cleared, prompts] = [clearedAsSaid(run, made), deniedBy(run, made)];
    told.cleared += cleared;
    if (cleared) told.clearing++;
    else if (prompts && prompts[1] >= prompts[0]) told.unshrunk++;
  }
  return told;
}

/** "2,000 tokens cleared, as the file says; it does not say which"; else that nothing is listed, and what the prompts show. @param {Unlisted} unlisted */
export function unlistedWords({ of, cleared, clearing, unshrunk }) {
  if (cleared) return clearedWords(cleared, { by: clearing < of ? ` by ${int(clearing)} of the ${int(of)}` : "" });
  return `the transcript lists nothing as removed${unshrunk ? `, and ${unshrunkWords(unshrunk, of)}` : ""}`;
}

/** Whether a clearing that took nothing is likely: the prompts around all of them did not shrink. @param {Unlisted} unlisted */
export const likelyNothing = ({ of, unshrunk }) => unshrunk > 0 && unshrunk === of;

/** That prompts did not shrink. @param {number} unshrunk @param {number} of */
const unshrunkWords = (unshrunk, of) =>
  unshrunk < of
    ? `around ${int(unshrunk)} of the ${int(of)} the prompts did not shrink`
    : `the prompts around ${of === 1 ? "it" : "them"} did not shrink`;
