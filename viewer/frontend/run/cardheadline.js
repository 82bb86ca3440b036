// The two large numbers of a compaction's card: how many tokens it found and left, and who counted them. Pure: no nodes.

import { int } from "../lib/format.js";
import { changeWords, tildeAfter, tildeBefore } from "./compactionfigures.js";
import { clearedAsSaid, clearedUnit, deniedBy, listsCleared } from "./recordedsums.js";
import { guessedBy, header } from "./sections.js";
/** @import { Run } from "./model.js" */
/** @import { Figures } from "./compactionfigures.js" */

/** Where the numbers of a record are from, as core words it. @typedef {{before: string, after: string}} Origins */
/** `before` is null where there is one number alone, `change` "" where it cannot be told; `grew` where the window became larger. @typedef {{before: string | null, after: string, change: string, grew: boolean, whose: string}} Headline */

/** @param {Run} run @param {number} k @param {Figures} figures @param {Origins} origins @returns {Headline} */
export function headlineOf(run, k, figures, origins) {
  const cleared = clearedAsSaid(run, figures);
  if (cleared) return alone(int(cleared), clearedUnit(listsCleared(run, figures)));
  const recorded = run.view.kind === "replay" && (figures.recordedBefore >= 0 || figures.recordedAfter >= 0);
  return recorded ? recordedLine(run, figures, origins) : windowLine(run, k, figures);
}

/** @param {string} after @param {string} whose @returns {Headline} */
const alone = (after, whose) => ({ before: null, after, change: "", grew: false, whose });

/** What the record says, or the prompts that deny it. @param {Run} run @param {Figures} figures @param {Origins} origins @returns {Headline} */
function recordedLine(run, figures, origins) {
  const { recordedBefore: before, recordedAfter: after } = figures;
  const prompts = deniedBy(run, figures);
  if (prompts) return { ...alone(int(prompts[1]), "tokens in the prompts around it"), before: int(prompts[0]) };
  const change = before >= 0 && after >= 0 ? changeWords(before, after) : "";
  return { before: known(before), after: known(after), change, grew: after > before, whose: recordedBy(origins) };
}

/** A number of the record; -1 for one that is not known. @param {number} tokens */
const known = (tokens) => (tokens < 0 ? "?" : int(tokens));

/** @param {Origins} origins */
function recordedBy({ before, after }) {
  const both = (/** @type {RegExp} */ begins) => begins.test(before) && begins.test(after);
  if (both(/^prompt of the model call /)) return "tokens in the last prompt before it and the first one after";
  return both(/^the agent's own counts? /) ? "tokens by the agent's count" : "tokens as recorded";
}

/** The window by the meter. @param {Run} run @param {number} k @param {Figures} figures @returns {Headline} */
function windowLine(run, k, { before, after, begins, unnamed, unreadable }) {
  const [was, is] = [tildeBefore(run, k), tildeAfter(run, k)];
  const whose = countedBy(run, is);
  const left = `${is}${int(after)}${unreadable ? " + ?" : ""}`;
  if (begins) return alone(left, whose);
  const change = unreadable || unnamed ? "" : changeWords(before, after);
  return { before: unnamed ? "?" : was + int(before), after: left, change, grew: after > before, whose };
}

/** Who counted the tokens of a window. @param {Run} run @param {string} tilde  "~" where they are estimated */
export const countedBy = (run, tilde) => (tilde ? `tokens estimated by ${guessedBy(run)}` : `tokens counted by ${header(run).meter}`);
