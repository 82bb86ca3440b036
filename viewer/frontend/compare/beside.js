// What the figures of lanes must be read beside: the usage on record, who wrote the summaries, and the prices. Pure.

import { int, pluralize, short } from "../lib/format.js";
import { listed } from "./words.js";
/** @import { Figures } from "./deltas.js" */

/**
 * Sentences below the figures, as far as they are known.
 * @param {Figures[]} lanes @param {readonly string[]} letters
 * @returns {string[]}
 */
export function caveats(lanes, letters) {
  const prices = lanes.find((lane) => lane.prices)?.prices;
  const summaries = [summaryWords, standInWords, quotedWords, unreadWords].map((words) => words(lanes, letters));
  return [usageWords(lanes), ...summaries, prices ? `Prices: ${prices}.` : ""].filter(Boolean);
}

/** @param {Figures[]} lanes */
function usageWords(lanes) {
  const usage = lanes.find((lane) => lane.usage)?.usage;
  if (!usage) return "";
  return `The usage records of this transcript say that ${short(usage.sent)} tokens were sent in ${pluralize(usage.calls, "call")}.`;
}

/** Misses of a model's summaries and of quotes in their place. @param {Figures[]} lanes @param {readonly string[]} letters */
function summaryWords(lanes, letters) {
  const of = (/** @type {(lane: Figures) => boolean} */ which) => lanes.flatMap((lane, k) => (which(lane) ? [letters[k]] : [])).join(" and ");
  const real = of(({ summaries, unread }) => summaries === "recorded" && !unread);
  const stand = of(({ summaries }) => Boolean(summaries) && summaries !== "recorded");
  const name = lanes.find(({ summaries }) => summaries && summaries !== "recorded")?.summaries;
  if (!real || !stand) return "";
  const instead = name === "structural" ? "quotes that stand in for a summary" : `a stand-in (${name})`;
  return `Misses: in ${real} a model wrote the summaries, in ${stand} they are ${instead}, which may keep fewer names: part of the difference may come from that.`;
}

/** Why what summaries keep does not judge the settings of lanes that have recorded ones sooner than the run had them; "" where none has. @param {Figures[]} lanes @param {readonly string[]} letters */
export function laterWords(lanes, letters) {
  const of = lanes.flatMap(({ later }, k) => (later ? [letters[k]] : []));
  if (!of.length) return "";
  return `${listed(of)} ${of.length > 1 ? "have" : "has"} summaries that the transcript wrote only later, which tell of messages that come after: what they keep, and how long they are, is no result of the settings.`;
}

/** @param {Figures[]} lanes @param {readonly string[]} letters */
function standInWords(lanes, letters) {
  const of = counted(lanes, letters, (lane) => lane.stand_ins);
  return of && `Compactions for which the transcript has no summary, so that quotes stand in for one: ${of}.`;
}

/** "2 in B, 1 in C"; "" of none. @param {Figures[]} lanes @param {readonly string[]} letters @param {(lane: Figures) => number | undefined} count */
const counted = (lanes, letters, count) => lanes.flatMap((lane, k) => (count(lane) ? [`${int(count(lane) ?? 0)} in ${letters[k]}`] : [])).join(", ");

/** The rules that only quotes which stand in for a summary keep: no gain of the settings. @param {Figures[]} lanes @param {readonly string[]} letters */
function quotedWords(lanes, letters) {
  const of = counted(lanes, letters, ({ rules_quoted }) => rules_quoted);
  if (!of) return "";
  return `Only quotes that stand in for a summary keep some rules or statements: ${of}. A summary that a model writes may leave them out.`;
}

/** @param {Figures[]} lanes @param {readonly string[]} letters */
function unreadWords(lanes, letters) {
  const of = lanes.flatMap(({ unread }, k) => (unread ? [letters[k]] : []));
  return of.length ? `What a summary of ${of.join(" and ")} kept cannot be read: the true misses there may be fewer.` : "";
}
