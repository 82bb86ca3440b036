// What the numbers of a compaction's card do not say by themselves: where they are from, what they leave out, how sure they are. Pure.

import { capitalized, int, pluralize } from "../lib/format.js";
import { recordWords, remarks } from "./cardwords.js";
import { besideUntil, hiddenTokens, leftOutWords } from "./leftout.js";
import { besideWords } from "./midway.js";
import { asRecorded, clearedAsSaid, deniedBy, sidesOf, windowOf } from "./recordedsums.js";
import { guessedBy, tildeAdded } from "./sections.js";
/** @import { Run } from "./model.js" */
/** @import { Figures } from "./compactionfigures.js" */
/** @import { Side } from "./recordedsums.js" */
/** @import { CompactionCard } from "./types.js" */

/** Whole sentences, an idea each, fields in backticks. @param {Run} run @param {number} k @param {Figures} figures @param {CompactionCard | null} card @returns {string[]} */
export function numberNotes(run, k, figures, card) {
  const others = remarks(run.view.policy, figures, card);
  if (run.view.kind !== "replay") return others;
  const sides = sidesOf(run, k, figures);
  const denied = deniedWords(run, figures);
  const said = [
    ...(denied.length ? denied : originWords(figures, card)),
    tildeAdded(run) && `Numbers with ~ are estimated by ${guessedBy(run)}.`,
    ...unseenWords(run, figures),
    ...ownWords(sides),
    ...arrivedWords(sides),
    figures.unreadable && `The summary is ${figures.unreadable}, so its size is unknown.`,
    ...(card?.rule ?? []),
    recordWords(card),
    ...others,
  ];
  return said.flatMap((text) => text || []);
}

/** What each of the two numbers of the record is. @param {Figures} figures @param {CompactionCard | null} card */
function originWords({ recordedBefore, recordedAfter }, card) {
  const one = (/** @type {number} */ tokens, from = "") => {
    if (tokens < 0 || !from) return [];
    const [source, count] = from.split("; ");
    return [`${int(tokens)} is ${plain(source)}.`, ...(count ? [`${capitalized(count).replace(/: ([\d,]+)$/, " is $1")}.`] : [])];
  };
  return [...one(recordedBefore, card?.before_from), ...one(recordedAfter, card?.after_from)];
}

/** A source as one would say it. @param {string} from */
const plain = (from) =>
  from
    .replace(/^prompt of the model call before/, "the last prompt sent")
    .replace(/^prompt of the model call after/, "the first prompt sent after it")
    .replace(/^prompt /, "the prompt ");

/** What speaks against the record. @param {Run} run @param {Figures} figures */
export function deniedWords(run, figures) {
  const prompts = deniedBy(run, figures);
  if (!prompts) return [];
  const { recordedBefore: before, recordedAfter: after } = figures;
  const held = `The prompts before and after it held ${int(prompts[0])} and ${int(prompts[1])} tokens`;
  const saved = clearedAsSaid(run, figures);
  if (saved)
    return [
      `By the agent's own count it saved ${int(saved)} of ${int(before)} tokens.`,
      `${held}${prompts[1] < prompts[0] ? "" : ", so they did not shrink"}. Messages came in between.`,
    ];
  return [`By the agent's own count the window went from ${int(before)} to ${int(after)} tokens.`, `${held}: they do not show that anything went.`];
}

const MINUS = "\u2212";

/** So many more tokens unseen than before are no slip of the meter; fewer tokens of a change are not worth a word. */
const LARGE = 1000;

/** What was sent and is not in the file, before and after. @param {Run} run @param {Figures} figures @returns {string[]} */
function unseenWords(run, figures) {
  const { step } = figures;
  const [before, after] = sidesOf(run, figures.k, figures).map((side) => asRecorded(side) ?? side.unseen);
  const most = Math.max(before ?? 0, besideUntil(run, step - 1));
  const more = before !== null && after !== null && after - most > Math.max(LARGE, 0.1 * most);
  const [kinds, laterKinds] = kindsUnseen(run, figures, before);
  const again = more ? "; perhaps the agent put files, lists or skills in again" : "";
  return [
    before ? `Before it, ${hiddenTokens(before, most)} that were sent are not in this file: ${kinds}.` : "",
    leftOutWords(run, step - 1),
    after ? `After it, ~${int(after)} are not in this file: ${laterKinds}${again}.` : "",
  ];
}

/** What that is, before and after: the second time only what is new. @param {Run} run @param {Figures} figures @param {number | null} before  tokens of it */
function kindsUnseen(run, { k, unreadable }, before) {
  const [kinds, later] = [k, k + 1].map((epoch) => besideWords(run, epoch));
  if (!before || kinds !== later) return [kinds, besideWords(run, k + 1, Boolean(unreadable))];
  return [kinds, unreadable ? "the summary and the same kinds as before" : "the same kinds as before"];
}

/** How the agent's own count differs from the prompt beside it, as a sum. @param {[Side, Side]} sides */
function ownWords(sides) {
  return sides.flatMap(({ recorded, own, rest, prompt }, k) => {
    const [whole, counted] = [recorded - (rest ?? 0), `the agent counted ${int(recorded)}`];
    const apart = Math.abs(whole - prompt);
    const [start, between] = k ? ["The next prompt held", "that came only then"] : ["The last prompt held", "that came since"];
    const sum = apart ? ` ${whole > prompt ? "+" : MINUS} ~${int(apart)} ${between} = ~${int(whole)}` : "";
    return own ? [`${start} ${int(prompt)}${sum}; ${counted}.`] : [];
  });
}

/** Messages that are in the window of one moment, and in the prompt of another: with them the numbers add up. @param {[Side, Side]} sides */
function arrivedWords(sides) {
  const [before, after] = sides.map((side, k) => {
    const rest = (side.rest ?? 0) * (k ? 1 : -1);
    return side.own || rest <= 0 ? null : { ...side, by: pluralize(rest, "token") };
  });
  return [
    before &&
      `Messages of ~${before.by} came after the prompt of ${int(before.recorded)}: with them the window held ${windowOf(before).words} when it was compacted.`,
    after &&
      `Messages of ~${after.by} that came before the next prompt are in ${int(after.recorded)}: without them the compaction left ${windowOf(after).words}.`,
  ];
}
