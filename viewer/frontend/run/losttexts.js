// The texts that compactions lost and that Why can follow, in the order in which the overview tells of them. Pure.

import { quotedRules } from "./losstable.js";
import { newestAsked, ruleNouns } from "./losswords.js";
import { forgottenRule } from "./rulestory.js";
/** @import { AskedOf, CompactionLosses, Loss } from "./types.js" */

/** A text as its message has it, and the step of the compaction that took it. @typedef {{text: string, step: number}} LostText */
/** All of one kind; `of` is what the kind is called. @typedef {{texts: LostText[], of: string}} LostTexts */

/**
 * What all compactions lost of the kind that matters most, or one of them: rules and statements, else requests, else names.
 * @param {CompactionLosses[]} rows @param {number} [k]  the compaction; -1: all
 * @returns {LostTexts}
 */
export function lostTexts(rows, k = -1) {
  const some = k < 0 ? rows : rows.filter(({ index }) => index === k);
  const said = k < 0 ? rulesOf(rows) : some.flatMap((row) => row.told.flatMap(lostAt(row)));
  const asked = k >= 0 && some.some(({ told }) => told.some(({ kind }) => kind === "newest" || kind === "first"));
  const kinds = [
    { texts: said, of: asked ? "the user's requests and statements" : `the user's ${ruleNouns(some)[1]}` },
    { texts: requestsOf(rows, k), of: "the user's requests" },
    { texts: some.flatMap((row) => row.names.flatMap(lostAt(row))), of: "the names that the model used later" },
  ];
  return kinds.find(({ texts }) => texts.length) ?? { texts: [], of: "" };
}

/** @param {{step: number}} row @returns {(loss: Loss) => LostText[]} */
const lostAt =
  ({ step }) =>
  ({ followed }) =>
    followed ? [{ text: followed, step }] : [];

/** The rules and statements: the one that a story is told of, then the others by how much they matter. @param {CompactionLosses[]} rows @returns {LostText[]} */
function rulesOf(rows) {
  const told = forgottenRule(rows);
  const { first, others } = quotedRules(rows, told?.loss);
  const all = [...(told ? [{ loss: told.loss, step: told.row.step }] : []), ...first, ...others];
  return all.flatMap(({ loss, step }) => lostAt({ step })(loss));
}

/** The requests that nothing says any more, of each compaction first the one that it quotes; what the agent was working on before all. @param {CompactionLosses[]} rows @param {number} k @returns {LostText[]} */
function requestsOf(rows, k) {
  const listed = newestAsked(rows)?.requests.listed.filter(isGone) ?? [];
  const taken = rows.flatMap((row) => (k < 0 || row.index === k ? takenBy(row, listed) : []));
  const still = k < 0 ? taken.filter(({ at }) => listed.some((one) => one.at === at)) : taken;
  const open = still.filter(({ kind }) => kind === "open");
  const all = [...open, ...still.filter(({ kind }) => kind !== "open")];
  return all.flatMap(({ text, followed, step }) => (followed ? [{ text: text.replace(/…$/, ""), step }] : []));
}

/** Those that one compaction took: a single one is not listed there. @param {CompactionLosses} row @param {AskedOf[]} listed  those that are gone in the end */
function takenBy({ step, requests: { at: first, took = [] } }, listed) {
  const all = took.length ? took.filter(isGone) : listed.filter(({ at }) => at === first);
  return [...all.filter(({ at }) => at === first), ...all.filter(({ at }) => at !== first)].map((one) => ({ ...one, step }));
}

/** The requests that are there only in other words or in part, as Why follows them. @param {CompactionLosses[]} rows */
export const changedRequests = (rows) => (newestAsked(rows)?.requests.listed ?? []).filter((one) => !isGone(one) && one.followed);

/** @param {AskedOf} asked */
const isGone = ({ kind }) => kind !== "partly" && kind !== "reworded";
