// What the record says of compactions of which it lists nothing: how much each saved, and whether the prompts around them shrank. Pure.

import { capitalized, int, listed } from "../lib/format.js";
import { figures } from "./compactionfigures.js";
import { clearedAsSaid, deniedBy } from "./recordedsums.js";
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

/** "the file says that it saved 2,000 tokens, but not what it cleared"; else that the transcript does not say what went. Both with what the prompts show. @param {Unlisted} unlisted */
export function unlistedWords({ of, saved, unshrunk }) {
  if (!saved.length) return `the transcript does not say what was removed${unshrunk ? `, but ${unshrunkWords(unshrunk, of)}` : ""}`;
  return `${savedWords(saved, of)}${unshrunk ? `. ${capitalized(unshrunkWords(unshrunk, of))}` : ""}`;
}

/** So many different numbers are told one by one. */
const MOST = 3;

/** "the file says that 5 of them saved 2,000 tokens each and 4 saved 4,000 each": no sum, because the file has none, and may count the same tokens again. @param {number[]} saved @param {number} of */
function savedWords(saved, of) {
  const differing = [...new Set(saved)];
  const range = `${int(saved.length)} saved ${int(Math.min(...saved))} to ${int(Math.max(...saved))} tokens each`;
  const each = differing.map((tokens, k) => savedBy(saved.filter((other) => other === tokens).length, `${int(tokens)}${k ? "" : " tokens"}`));
  const all = of === 1 ? `it saved ${int(saved[0])} tokens` : differing.length > MOST ? range : listed(each);
  return `the file says that ${all}, but not what ${of === 1 ? "it" : "they"} cleared`;
}

/** @param {number} count @param {string} tokens */
const savedBy = (count, tokens) => (count > 1 ? `${int(count)} saved ${tokens} each` : `one saved ${tokens}`);

/** Whether a clearing that took nothing is likely: the file says nothing to the contrary, and the prompts around all of them did not shrink. @param {Unlisted} unlisted */
export const likelyNothing = ({ of, saved, unshrunk }) => !saved.length && unshrunk > 0 && unshrunk === of;

/** That prompts did not shrink. @param {number} unshrunk @param {number} of */
function unshrunkWords(unshrunk, of) {
  const some = `${int(unshrunk)} of ${int(of)} times the next prompt was no smaller than the one before`;
  if (unshrunk < of) return some;
  return of === 1 ? "the next prompt was no smaller than the one before" : "the next prompt was never smaller than the one before";
}
