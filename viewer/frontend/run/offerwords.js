// What is said where the compactions lost no text that Why can follow. Pure.

import { capitalized } from "../lib/format.js";
import { begins, spanOf } from "./compactionfigures.js";
import { unreadWords } from "./losstable.js";
import { isBlank, maybeThere, nothingLost, requestsGoneHere } from "./losswords.js";
import { MIDWAY, startsMidway } from "./midway.js";
import { overviewHeadline } from "./overviewheadline.js";
import { stretchWords } from "./recorded.js";
import { isOnlySimulated } from "./shownas.js";
import { unlistedOf } from "./unlisted.js";
/** @import { Run } from "./model.js" */
/** @import { CompactionLosses } from "./types.js" */

/** @typedef {{title: string, text: string}} OfferWords  the answer, and a sentence about what is known */

const BEGINS = "The file begins with its summary: what that stands for is not in the file.";

/** @param {Run} run @param {CompactionLosses[]} rows  that were looked at @param {number} k  the compaction that is asked about; -1: all @returns {OfferWords} */
export function offerWords(run, rows, k) {
  const row = rows.find(({ index }) => index === k);
  if (row) return { title: titleOf(run, [row], "here"), text: rowWords(run, row) };
  if (!run.compactions) return noneWords(run);
  if (rows.length < run.compactions) return partWords(run, rows);
  const [text = nothingLost(rows[0], unlistedOf(run, rows))] = overviewHeadline(run, rows);
  const unread = unreadWords(rows);
  const sentences = rows.every(({ unreadable }) => unreadable) ? [unread] : [text, unread];
  return { title: titleOf(run, rows), text: sentences.filter(Boolean).join(" ") };
}

/** That nothing was lost, as far as that is known. @param {Run} run @param {CompactionLosses[]} rows @param {string} [where] */
function titleOf(run, rows, where = "") {
  if (rows.every((row) => row.unreadable || isBefore(run, row))) return "What was lost cannot be known.";
  const lost = leavesOpen(run, rows) ? "is known to be lost" : isOnlySimulated(run) ? "would be lost" : "was lost";
  return `Nothing that Why can follow ${lost}${where && ` ${where}`}.`;
}

/** Whether more may have been lost than is known. @param {Run} run @param {CompactionLosses[]} rows */
const leavesOpen = (run, rows) =>
  rows.some((row) => isBlank(row) || maybeThere(row) || isBefore(run, row)) || startsMidway(run) || uncertain(run).length > 0;

/** Whether what it took was before the file. @param {Run} run @param {CompactionLosses} row */
const isBefore = (run, { index }) => begins(run, run.compaction(index));

/** The steps at which the recorded window is uncertain. @param {Run} run */
const uncertain = ({ view, store }) => (view.kind === "replay" ? (store.header.recorded.uncertain ?? []) : []);

/** Of very many compactions, the first of which were looked at. @param {Run} run @param {CompactionLosses[]} rows @returns {OfferWords} */
function partWords(run, rows) {
  const last = rows[rows.length - 1].index;
  const title = `In ${spanOf(run, rows[0].index, last)} ${uncapitalized(titleOf(run, rows))}`;
  return { title, text: `${capitalized(spanOf(run, last + 1, run.compactions - 1))}: not looked at. Press w on one of them.` };
}

/** Of a run without compactions. @param {Run} run @returns {OfferWords} */
function noneWords(run) {
  const { n, view, store } = run;
  if (view.live) return { title: "Nothing was lost so far.", text: "No compaction has taken anything out of the window." };
  if (view.kind !== "replay") return { title: "Nothing would be lost.", text: "No compaction takes anything out of the window." };
  const words = stretchWords(uncertain(run), store.header.recorded.at, n);
  if (!words && !startsMidway(run)) return { title: "Nothing was lost.", text: "No compaction took anything out of the window." };
  return { title: "No compaction is recorded.", text: [words && `The window is ${words}.`, startsMidway(run) && MIDWAY].filter(Boolean).join(" ") };
}

/** Why no text of one compaction can be followed. @param {Run} run @param {CompactionLosses} row */
function rowWords(run, row) {
  if (row.unreadable) return nothingLost(row);
  if (isBefore(run, row)) return BEGINS;
  if (isBlank(row)) return nothingLost(row, unlistedOf(run, [row]));
  const requests = requestsGoneHere(row);
  return requests ? `${requests}.` : "";
}

/** @param {string} sentence */
const uncapitalized = (sentence) => sentence[0].toLowerCase() + sentence.slice(1);
