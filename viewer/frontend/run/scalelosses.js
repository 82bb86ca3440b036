// What a compaction lost, beside the picture of it: each text with the part of the window that it was in. Pure: no nodes.

import { int, pluralize } from "../lib/format.js";
import { answeredBy, followedHere, lossNote, moreGone, nothingLost, requestsGoneHere, usedWords } from "./losswords.js";
import { kindOf } from "./messagekinds.js";
import { stepName } from "./places.js";
import { partId } from "./tally.js";
import { unlistedOf } from "./unlisted.js";
/** @import { Run } from "./model.js" */
/** @import { CompactionLosses } from "./types.js" */
/** @import { Part } from "./tally.js" */

/** Texts that are named, and one more where that is the last. */
const NAMED = 3;

/**
 * A text that is gone: what is said in front of it and behind it, in quotes where it is one, and the part of the window that it was in,
 * "" where that is none; what Why follows of a quote, "" for nothing, and its message, -1 for none.
 * @typedef {{lead?: string, quote: string, note: string, part: string, followed?: string, at?: number}} Lost
 */

/**
 * @param {Run} run @param {CompactionLosses} row @param {Part[]} before  the parts of the window that it found
 * @param {boolean} [untold]  what comes behind it is not named: in front of a room that is a slide of its own
 * @returns {Lost[]}
 */
export function lostAt(run, row, before, untold = false) {
  const named = row.told.slice(0, row.told_total === NAMED + 1 ? NAMED + 1 : NAMED);
  const told = named.map((loss) => ({
    quote: loss.text,
    note: lossNote(untold ? { ...loss, used_at: -1, said_again_at: -1 } : loss, (step) => stepName(run, step)),
    part: partOf(run, row.step, loss.at, before),
    followed: loss.followed,
    at: loss.at,
  }));
  const more = row.told_total - told.length;
  const others = more > 0 ? [{ quote: "", note: moreGone(row, more, named), part: "" }] : [];
  return [...told, ...others, ...(untold ? [] : neededLater(run, row, before)), ...request(run, row, before), ...results(row)];
}

/** What is said where nothing is known to be lost. @param {Run} run @param {CompactionLosses} row */
export const nothingWords = (run, row) => nothingLost(row, unlistedOf(run, [row])) || "No rule or request of the user is lost here.";

/** The names, commands and the like that the model used later, as one of them. @param {Run} run @param {CompactionLosses} row @param {Part[]} before @returns {Lost[]} */
function neededLater(run, row, before) {
  const [first, ...more] = [...row.names, ...(row.others ?? [])];
  if (!first) return [];
  const lead = `${usedWords([row])}, needed later${more.length ? ", such as" : ":"} `;
  return [{ lead, quote: first.text, note: "", part: partOf(run, row.step, first.at, before), followed: first.followed, at: first.at }];
}

/** Which requests went, and the one of them that matters most. @param {Run} run @param {CompactionLosses} row @param {Part[]} before @returns {Lost[]} */
function request(run, row, before) {
  const { text, at, here } = row.requests;
  const note = row.unreadable ? "" : requestsGoneHere(row);
  if (!note) return [];
  const part = partOf(run, row.step, at, before);
  const quote = row.told.some((loss) => loss.at === at) ? "" : text;
  if (!quote) return [{ quote, note, part }];
  const gone = { quote, part, followed: followedHere(row), at };
  return [here[0] > 1 && !here[1] ? { lead: suchAs(here), ...gone, note: "" } : { ...gone, note }];
}

/** "8 answered requests, such as ": several that are gone, in front of one of them. @param {CompactionLosses["requests"]["here"]} here */
const suchAs = ([gone, , answered, stopped]) =>
  answered === gone ? `${int(gone)} answered requests, such as ` : `${pluralize(gone, "request")}${answeredBy(gone, answered, stopped)}, such as `;

/** @param {CompactionLosses} row @returns {Lost[]} */
const results = ({ results, unreadable }) =>
  results && !unreadable ? [{ quote: "", note: `the text of ${pluralize(results, "tool result")}`, part: "" }] : [];

/** The part of those that go which said it: a message, or the summary that stood for it. @param {Run} run @param {number} step @param {number} at @param {Part[]} before */
function partOf(run, step, at, before) {
  if (at < 0 || at >= run.n) return "";
  if (run.indexInWindow(step - 1, at) < 0) return before.find(({ deed, kind }) => deed === "gone" && kind === "summary")?.id ?? "";
  const id = partId({ deed: "gone", kind: kindOf(run, at), region: "compactable" });
  return before.some((part) => part.id === id) ? id : "";
}
