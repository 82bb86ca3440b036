// The story of a rule that a run forgot, as slides for a room: it is said, a compaction loses it, it is needed, what would have kept it. Pure.

import { capitalized, pluralize } from "../lib/format.js";
import { wholeSentences } from "./beginning.js";
import { figures, nameOf } from "./compactionfigures.js";
import { forgottenRule, momentsOf } from "./rulestory.js";
import { stepName } from "./places.js";
import { isOnlySimulated } from "./shownas.js";
import { summaryNotes } from "./summarynotes.js";
/** @import { Run } from "./model.js" */
/** @import { Forgotten } from "./rulestory.js" */
/** @import { CompactionLosses } from "./types.js" */

/** Letters of a rule on a slide. */
const RULE = 180;

/**
 * Where the story stops. `title` names it, `said` is its sentence, "" where that is the message of the step; `gone` is where the rule was
 * lost, "" as long as the window has it; `backSince` says since when it is there in other words; `carried` where only a summary has it; `lines` is
 * what the window says in its place; `words` are those of the step's message that matter, where they are known.
 * @typedef {{step: number, title: string, said: string, rule: string, gone: string, backSince?: string, carried?: boolean, lines: {who: string, said: string}[], words?: string}} Stop
 */

/** The stops of a rule that was needed when it was gone; none where there is no such rule. @param {Run} run @param {CompactionLosses[]} rows @returns {Stop[]} */
export function stopsOf(run, rows) {
  const found = forgottenRule(rows);
  if (!found) return [];
  const { loss, row } = found;
  const made = figures(run, row.index).summary;
  const rule = wholeSentences(loss.text, RULE);
  const [said, ...behind] = momentsOf(found, { said: run.stepOfMessage(loss.at), summary: made });
  const place = behind.findIndex(({ step }) => step === row.step);
  const [carried, [lost, ...needed]] = [behind.slice(0, place), behind.slice(place)];
  const gone = capitalized(`${isOnlySimulated(run) ? "would be gone" : "gone"} since ${nameOf(run, row.index)}`);
  const there = { rule, gone: "", lines: [] };
  return [
    { step: said.step, ...begins(found), ...there },
    ...carried.map(({ step, text }) => ({ step, title: "The message goes, a summary keeps it", said: text, ...there, carried: true })),
    { step: lost.step, ...loses(run, found, made), rule, gone, lines: summaryNotes(row) },
    ...needed.map(({ step, said: words }) => ({ step, ...needs(run, found, step), rule, gone, lines: instead(run, rows, step), words })),
  ];
}

/** @param {Forgotten} found */
const begins = ({ loss }) =>
  loss.kind === "rule" ? { title: "The rule is said", said: "The user sets a rule." } : { title: "It is said", said: "The user says how it is." };

/** @param {Run} run @param {Forgotten} found @param {boolean} summary */
function loses(run, { loss, row }, summary) {
  const it = loss.kind === "rule" ? "the rule" : "it";
  const would = isOnlySimulated(run) ? "would lose" : "loses";
  const took = pluralize(row.taken, "earlier message");
  const name = capitalized(nameOf(run, row.index));
  const said = summary
    ? `${name} replaces ${took} with a summary. The summary does not say ${it}.`
    : `${name} takes ${took} away. Nothing that is left says ${it}.`;
  return { title: `A compaction ${would} it`, said };
}

/** @param {Run} run @param {Forgotten} found @param {number} step */
function needs(run, { loss }, step) {
  if (step === loss.said_again_at)
    return { title: "The user has to say it again", said: "", backSince: `Back in other words, since ${stepName(run, step)}` };
  return { title: `It is needed, and the model ${isOnlySimulated(run) ? "could not" : "cannot"} see it`, said: "", backSince: "" };
}

/** What the newest compaction before a step left in its place. @param {Run} run @param {CompactionLosses[]} rows @param {number} step */
function instead(run, rows, step) {
  const row = rows.findLast((one) => one.step < step);
  if (!row || !figures(run, row.index).summary) return [];
  const said = summaryNotes(row).at(-1)?.said ?? "";
  return [
    { who: said ? "The summary that the model has instead says:" : "", said: said || "The summary that the model has instead does not say it." },
  ];
}
