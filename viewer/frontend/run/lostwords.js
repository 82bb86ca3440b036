// What Why says of the lost texts that it goes through: how much is gone, and how much of it is listed. Pure.

import { int } from "../lib/format.js";
import { nameOf, spanOf } from "./compactionfigures.js";
import { unreadWords } from "./losstable.js";
import { newestAsked, ofTheUsers, usedCount, usedWords } from "./losswords.js";
import { countedTwice } from "./losttexts.js";
/** @import { Run } from "./model.js" */
/** @import { LostText } from "./losttexts.js" */
/** @import { CompactionLosses } from "./types.js" */

/**
 * "Lost: 5 of the user's statements, 16 of the user's requests, 1 of them both. 18 of these 20 are in this list."
 * @param {Run} run @param {CompactionLosses[]} rows  that were looked at @param {number} k  the compaction; -1: all
 * @param {LostText[]} listed  that are gone through
 */
export function listWords(run, rows, k, listed) {
  const some = k < 0 ? rows : rows.filter(({ index }) => index === k);
  const rules = sum(some, (row) => (row.unreadable ? 0 : row.rules[0]));
  const requests = requestsGone(run, rows, k);
  const used = usedCount(some);
  const both = countedTwice(listed);
  const kinds = [
    rules && ofTheUsers(rules, some),
    requests && `${int(requests)} of the user's requests`,
    both && `${int(both)} of them both`,
    used && `${usedWords(some)} that the model used later`,
  ];
  const [of, has] = [rules + requests + used - both, listed.length];
  const rest = has < of ? ` ${int(has)} of these ${int(of)} ${has === 1 ? "is" : "are"} in this list.` : "";
  const unread = k < 0 ? unreadWords(rows) : "";
  return `Lost${whereOf(run, rows, k)}: ${kinds.filter(Boolean).join(", ")}.${rest}${unread && ` ${unread}`}`;
}

/** As the newest compaction left them; of a part of all, those that each took. @param {Run} run @param {CompactionLosses[]} rows @param {number} k */
function requestsGone(run, rows, k) {
  if (k < 0 && rows.length >= run.compactions) return newestAsked(rows)?.requests.gone ?? 0;
  return sum(rows, ({ index, requests }) => (k < 0 || index === k ? requests.here[0] : 0));
}

/** " at compaction 2", " in compactions 1 to 8" where others were not looked at; "" of all. @param {Run} run @param {CompactionLosses[]} rows @param {number} k */
function whereOf(run, rows, k) {
  if (k >= 0) return ` at ${nameOf(run, k)}`;
  return rows.length < run.compactions ? ` in ${spanOf(run, rows[0].index, rows[rows.length - 1].index)}` : "";
}

/** @param {CompactionLosses[]} rows @param {(row: CompactionLosses) => number} of */
const sum = (rows, of) => rows.reduce((all, row) => all + of(row), 0);
