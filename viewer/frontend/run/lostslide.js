// What a recorded compaction lost, as a slide for a room: the user's own words first, those that a later message needed in front. It says what the overview says of it. Pure.

import { capitalized, int } from "../lib/format.js";
import { wholeSentences } from "./beginning.js";
import { nameOf } from "./compactionfigures.js";
import {
  askedAgain,
  isBlank,
  isNeeded,
  lossNote,
  lostResults,
  maybeBack,
  maybeThere,
  nothingLost,
  ofTheUsers,
  requestsGoneHere,
  ruleNouns,
  sendsBack,
  USED,
  usedCount,
  usedWords,
} from "./losswords.js";
import { stepName } from "./places.js";
import { tilde } from "./sections.js";
/** @import { Slide } from "./closingslide.js" */
/** @import { Line } from "./roomfacts.js" */
/** @import { Run } from "./model.js" */
/** @import { CompactionLosses, Loss } from "./types.js" */

/** Letters below a caption that are large enough to be read from the last row. */
const ROOM = 360;

/** Texts of the user's that are quoted, and one more where that is the last; letters of each. */
const QUOTED = 2;
const LETTERS = 100;

/** Letters of two names and where each was used. */
const NAMES = 160;

/** What a request that is gone is called in the caption. @type {Record<string, string>} */
const REQUESTS = { newest: "the request that the agent was working on", first: "the user's first request" };

/** The titles of what was lost, and of what was lost as well. */
const [LOST, ALSO] = ["What was lost", "What else was lost"];

/** The user's own words first, then requests, names and tool output; these on a slide of their own where all of it is too much for one. @param {Run} run @param {CompactionLosses} row @returns {Slide[]}  none of a compaction of which nothing is known */
export function lostSlides(run, row) {
  if (isBlank(row)) return [];
  const [words, asked] = [wordLines(run, row), requestLine(row)];
  const own = isOpen(row) && !row.told.some(isNeeded) ? [...asked, ...words] : [...words, ...asked];
  const [used, output] = [[...readAgain(row), ...usedLines(run, row)], resultLine(run, row)];
  const first = { title: LOST, said: headlineOf(run, row) };
  const [caption, ...rest] = [...output, ...used];
  const all = [...own, ...used, ...output];
  if (!own.length || !caption || lettersOf(all) <= ROOM) return [{ ...first, lines: all }];
  const also = { title: ALSO, said: [caption.who, caption.said].filter(Boolean).join(" "), lines: rest };
  return [{ ...first, lines: own }, also];
}

/** @param {Line[]} lines */
const lettersOf = (lines) => lines.reduce((sum, { who, said }) => sum + who.length + said.length, 0);

/** In a sentence. @param {Run} run @param {CompactionLosses} row */
function headlineOf(run, row) {
  const nothing = nothingLost(row);
  if (nothing) return nothing;
  const what = capitalized(nameOf(run, row.index));
  const [gone, needed] = row.rules;
  if (needed) return `${what} lost ${neededWords(needed, row)} of the user's that a later message needed.`;
  if (isOpen(row)) return `${what} lost the request that the agent was working on.`;
  const requests = row.told.flatMap(({ kind }) => REQUESTS[kind] ?? []);
  if (row.told_total) return `${what} lost ${[gone && ofTheUsers(gone, [row]), ...requests].filter(Boolean).join(" and ")}.`;
  if (row.again) return `${what} took no known rule of the user's, but tool output. ${againWords(row)}.`;
  if (!usedCount([row])) return sendsBack([row], `what ${nameOf(run, row.index)} took`);
  return `${what} lost ${usedWords([row])} that the model used later${maybeThere(row) ? ", as far as this file shows" : ""}.`;
}

/** "a statement", "2 rules". @param {number} count @param {CompactionLosses} row */
function neededWords(count, row) {
  const [one, many] = ruleNouns([row]);
  return count === 1 ? `a ${one}` : `${int(count)} ${many}`;
}

/** Whether it took a request that the agent was working on. @param {CompactionLosses} row */
const isOpen = ({ requests }) => requests.here[1] > 0;

/** Whether the user's own words are what is told. @param {CompactionLosses} row */
const hasWords = (row) => row.told_total > 0 || isOpen(row);

/** The user's words that matter most, and how many more are gone. @param {Run} run @param {CompactionLosses} row @returns {Line[]} */
function wordLines(run, row) {
  const told = row.told.filter((loss) => !isTheOpenOne(row, loss));
  const all = row.told_total - (row.told.length - told.length);
  const quotes = told.slice(0, all === QUOTED + 1 ? all : QUOTED);
  const more = all - quotes.length;
  const tail = more > 0 ? `, and ${int(more)} more` : "";
  return quotes.flatMap((loss, k) => quoteLines(run, row, loss, k === quotes.length - 1 ? tail : ""));
}

/** Whether the line of requests quotes it. @param {CompactionLosses} row @param {Loss} loss */
const isTheOpenOne = (row, { kind, at }) => isOpen(row) && kind in REQUESTS && at === row.requests.at && row.requests.text !== "";

/** A text that is gone, and what the message says that needed it. @param {Run} run @param {CompactionLosses} row @param {Loss} loss @param {string} tail  what follows the text @returns {Line[]} */
function quoteLines(run, row, loss, tail) {
  const named = (/** @type {number} */ step) => stepName(run, step);
  const isCalledRule = loss.kind === "rule" && ruleNouns([row])[0] === "rule"; // by the caption
  const note = lossNote(isCalledRule ? { ...loss, kind: "said" } : loss, named);
  const used = loss.used_at >= 0 && loss.used ? [{ who: `${capitalized(named(loss.used_at))}:`, said: quoted(loss.used) }] : [];
  return [{ who: `Gone, from message ${int(loss.at + 1)}:`, said: `${quoted(loss.text)}${note && ` (${note})`}${tail}` }, ...used];
}

/** The requests that it took; the one of them that matters most is quoted where no other words of the user are, and where the agent was working on it. @param {CompactionLosses} row @returns {Line[]} */
function requestLine(row) {
  const words = row.unreadable ? "" : requestsGoneHere(row, "seem");
  if (!words) return [];
  const { at, text, here } = row.requests;
  const above = isOpen(row) ? row.told.some((loss) => loss.at === at && !isTheOpenOne(row, loss)) : row.told_total > 0;
  if (!text || above) return [{ who: "", said: `${words}.` }];
  return [{ who: `${words}${here[0] > 1 && !here[1] ? ", among them" : ":"}`, said: quoted(text) }];
}

/** The first names, commands and errors that were used again. @param {Run} run @param {CompactionLosses} row @returns {Line[]} */
function usedLines(run, row) {
  const { names, names_total: total, others = [], unseen } = row;
  const caveat = unseen > 0 && (hasWords(row) || row.again > 0); // else the caption has it
  return Object.entries(USED).flatMap(([kind, noun]) => {
    const all = kind === "name" ? names : others.filter((one) => one.kind === kind);
    if (!all.length) return [];
    const count = kind === "name" ? total : all.length;
    const said = all.slice(0, QUOTED).map((one) => usedOne(run, one));
    const told = said.slice(0, said.join("; ").length > NAMES ? 1 : QUOTED);
    return [{ who: `${countWords(told.length, count, noun)}${caveat ? ", as far as this file shows" : ""}:`, said: `${told.join("; ")}.` }];
  });
}

/** “name”, used again at message 11. @param {Run} run @param {Loss} loss */
function usedOne(run, loss) {
  const note = lossNote(loss, (step) => stepName(run, step));
  return `“${loss.text}”${note && `, ${note}`}`;
}

/** "A name", "2 names", "The first of 3 names", "The first 2 of 5 names". @param {number} told @param {number} count @param {string} noun */
function countWords(told, count, noun) {
  if (count === 1) return `${/^[aeo]/.test(noun) ? "An" : "A"} ${noun}`;
  if (told === count) return `${int(count)} ${noun}s`;
  return `The first ${told > 1 ? `${int(told)} ` : ""}of ${int(count)} ${noun}s`;
}

/** The text of tool results, the calls that brought some back where the caption does not say that, and whether the agent may have had it. @param {Run} run @param {CompactionLosses} row @returns {Line[]} */
function resultLine(run, row) {
  const said = hasWords(row) || nothingLost(row) !== "";
  const again = row.again && said ? againWords(hasWords(row) ? { ...row, again_edited: 0 } : row) : "";
  const back = maybeBack(row) && row.results ? "the agent may have put part of it back" : "";
  const parts = [row.results ? lostResults(row, tilde(run) !== "") : "", again, back].filter(Boolean).join("; ");
  return parts ? [{ who: "", said: `${capitalized(parts)}.` }] : [];
}

/** What was read again, where no words of the user's are told. @param {CompactionLosses} row @returns {Line[]} */
function readAgain(row) {
  const { again_files: files = [], again_files_total: total = 0 } = row;
  if (hasWords(row)) return [];
  const more = total - files.length;
  const tail = (/** @type {number} */ k) => (more > 0 && k === files.length - 1 ? `; and ${int(more)} more` : "");
  return files.map((words, k) => ({ who: "", said: `${words}${tail(k)}.` }));
}

/** The calls that brought some back. @param {CompactionLosses} row */
const againWords = (row) => askedAgain(row).replace(/: $/, "");

/** @param {string} text */
const quoted = (text) => `“${wholeSentences(text, LETTERS)}”`;
