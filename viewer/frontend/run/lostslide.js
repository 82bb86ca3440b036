// What a recorded compaction lost, as a slide for a room: what the user said that a later message needed first. It says what the overview says of it. Pure.

import { capitalized, int, pluralize } from "../lib/format.js";
import { wholeSentences } from "./beginning.js";
import { nameOf } from "./compactionfigures.js";
import { headline } from "./headline.js";
import { askedAgain, isBlank, lossNote, lostResults, maybeBack, maybeThere, nothingLost, requestsGoneHere, sendsBack } from "./losswords.js";
import { stepName } from "./places.js";
import { tilde } from "./sections.js";
/** @import { Line } from "./roomfacts.js" */
/** @import { Run } from "./model.js" */
/** @import { CompactionLosses, Loss } from "./types.js" */

/** Texts that are quoted that a later message needed, and letters of each. */
const QUOTED = 2;
const LETTERS = 100;

/** The caption, and what is said below it. @typedef {{said: string, lines: Line[]}} LostSlide */

/** @param {Run} run @param {CompactionLosses} row @returns {LostSlide | null}  null of a compaction of which nothing is known */
export function lostSlide(run, row) {
  if (isBlank(row)) return null;
  const needed = row.told.filter(isNeeded).slice(0, QUOTED);
  const lines = [...needed.flatMap((loss) => neededLines(run, loss)), ...nameLines(run, row), ...requestLine(row), ...otherTexts(row, needed)];
  return { said: headlineOf(run, row), lines: [...lines, ...resultLine(run, row), ...firstCall(run, row)] };
}

/** In a sentence. @param {Run} run @param {CompactionLosses} row */
function headlineOf(run, row) {
  const nothing = nothingLost(row);
  if (nothing) return nothing;
  const what = capitalized(nameOf(run, row.index));
  const needed = row.told.filter(isNeeded).length;
  if (needed) return `${what} lost ${needed === 1 ? "a text" : `${int(needed)} texts`} of the user's that a later message needed.`;
  if (row.requests.here[1]) return `${what} lost the request that the agent was working on.`;
  if (row.told_total) return `${what} lost ${pluralize(row.told_total, "text")} of the user's.`;
  if (row.again) return `${what} took no rule of the user's, but tool output. ${againWords(row)}.`;
  if (!row.names_total) return sendsBack([row], `what ${nameOf(run, row.index)} took`);
  return `${what} lost ${pluralize(row.names_total, "name")} that the model used later${maybeThere(row) ? ", as far as this file shows" : ""}.`;
}

/** @param {Loss} loss */
const isNeeded = ({ used_at, said_again_at }) => Math.max(used_at, said_again_at) >= 0;

/** A text that was needed, and what the message says that needed it. @param {Run} run @param {Loss} loss @returns {Line[]} */
function neededLines(run, loss) {
  const named = (/** @type {number} */ step) => stepName(run, step);
  const used = loss.used_at >= 0 && loss.used ? [{ who: `${capitalized(named(loss.used_at))}:`, said: quoted(loss.used) }] : [];
  return [{ who: `Gone, from message ${int(loss.at + 1)}:`, said: `${quoted(loss.text)} (${lossNote(loss, named)})` }, ...used];
}

/** The texts that nothing is known to have needed: the first of them, and how many. @param {CompactionLosses} row @param {Loss[]} needed @returns {Line[]} */
function otherTexts({ told, told_total: all }, needed) {
  const first = told.find((loss) => !isNeeded(loss));
  const count = all - needed.length;
  if (!first || count < 1) return [];
  const which = count === 1 ? "Gone too, of the user's:" : `${int(count)} ${needed.length ? "more " : ""}texts of the user's are gone, among them`;
  return [{ who: which, said: quoted(first.text) }];
}

/** The requests that it took, and the one of them that matters most. @param {CompactionLosses} row @returns {Line[]} */
function requestLine(row) {
  const words = row.unreadable ? "" : requestsGoneHere(row);
  if (!words) return [];
  const { at, text, here } = row.requests;
  if (!text || row.told.some((loss) => loss.at === at)) return [{ who: "", said: `${words}.` }];
  return [{ who: `${words}${here[0] > 1 && !here[1] ? ", among them" : ":"}`, said: quoted(text) }];
}

/** The first name that was used again. @param {Run} run @param {CompactionLosses} row @returns {Line[]} */
function nameLines(run, { names, unseen }) {
  const [name] = names;
  if (!name) return [];
  const note = [lossNote(name, (step) => stepName(run, step)), unseen > 0 && "though this file does not show it in the window"].filter(Boolean);
  return [{ who: "A name:", said: `“${name.text}”${note.length ? `, ${note.join(", ")}` : ""}.` }];
}

/** The text of tool results, the calls that brought some back where the caption does not say that, and whether the agent may have had it. @param {Run} run @param {CompactionLosses} row @returns {Line[]} */
function resultLine(run, row) {
  const said = row.told_total > 0 || row.requests.here[1] > 0 || nothingLost(row) !== "";
  const again = row.again && said ? againWords(row) : "";
  const back = maybeBack(row) && row.results ? "part of it may have been put back, in what this file does not show" : "";
  const parts = [row.results ? lostResults(row, tilde(run) !== "") : "", again, back].filter(Boolean).join("; ");
  return parts ? [{ who: "", said: `${capitalized(parts)}.` }] : [];
}

/** The first call that read something again. @param {Run} run @param {CompactionLosses} row @returns {Line[]} */
function firstCall(run, { again_steps: [step] }) {
  if (step === undefined) return [];
  const { who, said } = headline(run.pool.row(run.step(step).messages - 1), tilde(run));
  return [{ who: `The first of these calls, ${stepName(run, step)}:`, said: `${who} ${wholeSentences(said, LETTERS)}` }];
}

/** The calls that brought some back. @param {CompactionLosses} row */
const againWords = (row) => askedAgain(row).replace(/: $/, "");

/** @param {string} text */
const quoted = (text) => `“${wholeSentences(text, LETTERS)}”`;
