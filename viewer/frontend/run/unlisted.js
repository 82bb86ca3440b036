// What the record says of compactions of which it lists nothing: how much each saved, and whether the prompts around them shrank. Pure.

import { int } from "../lib/format.js";
import { figures } from "./compactionfigures.js";
import { asTheFileSays, clearedAsSaid, clearedWords, deniedBy } from "./recordedsums.js";
/** @import { Run } from "./model.js" */
/** @import { CompactionLosses } from "./types.js" */

/** Of so many compactions: the tokens that each of some saved, as the file says, and around how many of all the prompts did not shrink. @typedef {{of: number, saved: number[], unshrunk: number}} Unlisted */

/** One of which nothing is said. @type {Unlisted} */
export const UNTOLD = { of: 1, saved: [], unshrunk: 0 };

/** @param {Run} run @param {Pick<CompactionLosses, "index">[]} rows @returns {Unlisted} */
export function unlistedOf(run, rows) {
  if (run.view.kind !== "replay") return { ...UNTOLD, of: rows.length };
  const made = rows.map(({ index }) => figures(run, index));
  const around = made.map((one) => deniedBy(run, one));
  return {
    of: rows.length,
    saved: made.map((one) => clearedAsSaid(run, one)).filter(Boolean),
    unshrunk: around.filter((prompts) => prompts && prompts[1] >= prompts[0]).length,
  };
}

/** "2,000 tokens saved, as the file says; it names nothing cleared"; else that nothing is listed. Both with what the prompts show. @param {Unlisted} unlisted */
export function unlistedWords({ of, saved, unshrunk }) {
  const told = saved.length ? savedWords(saved, of) : "the transcript lists nothing as removed";
  return `${told}${unshrunk ? `, and ${unshrunkWords(unshrunk, of)}` : ""}`;
}

/** So many different numbers are told one by one. */
const MOST = 3;

/** "2,000 tokens saved by each of 5, 4,000 by each of 4": no sum, because the file has none, and may count the same tokens again. @param {number[]} saved @param {number} of */
function savedWords(saved, of) {
  if (of === 1) return clearedWords(saved[0]);
  const differing = [...new Set(saved)];
  const range = `${int(Math.min(...saved))} to ${int(Math.max(...saved))} tokens saved by each of ${int(saved.length)}`;
  const each = differing.map(
    (tokens, k) => `${int(tokens)}${k ? "" : " tokens saved"} by ${manyOf(saved.filter((other) => other === tokens).length)}`,
  );
  return `${differing.length > MOST ? range : each.join(", ")}${asTheFileSays()}`;
}

/** @param {number} count */
const manyOf = (count) => (count > 1 ? `each of ${int(count)}` : "one");

/** Whether a clearing that took nothing is likely: the file says nothing to the contrary, and the prompts around all of them did not shrink. @param {Unlisted} unlisted */
export const likelyNothing = ({ of, saved, unshrunk }) => !saved.length && unshrunk > 0 && unshrunk === of;

/** That prompts did not shrink. @param {number} unshrunk @param {number} of */
const unshrunkWords = (unshrunk, of) =>
  unshrunk < of
    ? `around ${int(unshrunk)} of the ${int(of)} the prompts did not shrink`
    : `the prompts around ${of === 1 ? "it" : "them"} did not shrink`;
