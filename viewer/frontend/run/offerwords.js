// What is said where the compactions lost no text that Why can follow. Pure.

import { isBlank, nothingLost, requestsGoneHere } from "./losswords.js";
import { overviewHeadline } from "./overviewheadline.js";
import { unlistedOf } from "./unlisted.js";
/** @import { Run } from "./model.js" */
/** @import { CompactionLosses } from "./types.js" */

/**
 * The answer, and a sentence about what is known.
 * @param {Run} run @param {CompactionLosses[]} rows  that were looked at @param {number} k  the compaction that is asked about; -1: all
 * @returns {{title: string, text: string}}
 */
export function offerWords(run, rows, k) {
  const row = rows.find(({ index }) => index === k);
  if (row) return { title: row.unreadable ? UNKNOWN : "Nothing that Why can follow was lost here.", text: rowWords(run, row) };
  if (!run.compactions) return { title: "Nothing was lost.", text: "No compaction took anything out of the window." };
  const unread = rows.length > 0 && rows.every(({ unreadable }) => unreadable);
  const [text = nothingLost(rows[0], unlistedOf(run, rows))] = overviewHeadline(run, rows);
  return { title: unread ? UNKNOWN : "Nothing that Why can follow was lost.", text };
}

const UNKNOWN = "What was lost cannot be known.";

/** Why no text of one compaction can be followed. @param {Run} run @param {CompactionLosses} row */
function rowWords(run, row) {
  if (row.unreadable) return nothingLost(row);
  if (isBlank(row)) return nothingLost(row, unlistedOf(run, [row]));
  const requests = requestsGoneHere(row);
  return requests ? `${requests}.` : "";
}
