// Lanes and their differences in words. Pure.

import { int, pluralize } from "../lib/format.js";
import { same, sayable } from "../settings/settings.js";
import { tildeAdded } from "../run/sections.js";
import { lanesIn } from "./sets.js";
/** @import { Run } from "../run/model.js" */
/** @import { LaneData } from "./board.js" */
/** @import { Difference, LaneSet } from "./sets.js" */

export const LETTERS = ["A", "B", "C", "D"];

/** Said wherever a figure of a simulated run is. */
export const CAVEAT = "The recorded agent's later steps are taken as given.";

/** The tokens of a window: "~3,025", "10,813 + ?" with a summary that nobody can read. @param {Run} run @param {number} step */
export const sizeWords = (run, step) => `${tildeAdded(run)}${int(run.window(step).tokens)}${run.step(step).sealed ? " + ?" : ""}`;

/** What a lane is called. @param {LaneData} lane @param {number} [compactions]  of a recorded run */
export function laneName({ name, pinned = [] }, compactions = 1) {
  if (name === "none") return "No compaction";
  if (name === "recorded") return compactions ? "As recorded" : "As recorded, none";
  return pinned.length ? `${name} + ${pinned.length === 1 ? "pin" : pluralize(pinned.length, "pin")}` : name;
}

/** Which messages no compaction takes: "message 16 pinned", "messages 3, 9 and 2 more pinned"; "" for none. @param {LaneData} lane */
export function pinnedWords({ pinned = [] }) {
  if (!pinned.length) return "";
  const named = pinned.length > NAMED + 1 ? pinned.slice(0, NAMED) : pinned;
  const rest = pinned.length > named.length ? [`${int(pinned.length - named.length)} more`] : [];
  return `${pinned.length === 1 ? "message" : "messages"} ${listed([...named.map((place) => int(place + 1)), ...rest])} pinned`;
}

/** Pinned messages that a line names. */
const NAMED = 2;

/** What is pinned, and two of its settings in short, those first that are not the defaults: "budget 60,000 · keep_recent 12". @param {LaneData} lane @param {number} compactions */
export function laneLine(lane, compactions) {
  const { name, panel } = lane;
  if (name === "none") return "every message stays";
  if (name === "recorded") return compactions ? "its own compactions" : "no compactions on record";
  const told = (panel?.params ?? []).filter(({ value, kind }) => value !== null && value !== undefined && AMOUNTS.includes(kind ?? "number"));
  const usual = (/** @type {import("../settings/settings.js").Param} */ param) => Number(same(param.value, param.default));
  const shown = told
    .toSorted((a, b) => usual(a) - usual(b))
    .slice(0, 2)
    .map((param) => `${param.name} ${sayable(param.value, param)}`);
  return [pinnedWords(lane), ...shown].filter(Boolean).join(" · ") || "its defaults";
}

/** The kinds of parameters that tell lanes of one policy apart at a glance. */
const AMOUNTS = ["number", "size", "thresholds"];

/** Letters in a sentence: "A", "A and C", "A, B and C". @param {string[]} letters */
export const listed = (letters) => (letters.length < 2 ? letters.join("") : `${letters.slice(0, -1).join(", ")} and ${letters[letters.length - 1]}`);

/** The name of a set: "Only in A", "In A and C, not in B", "In all". `lanes` are the numbers of the lanes compared. @param {number} mask @param {number[]} lanes */
export function setTitle(mask, lanes) {
  const within = lanesIn(mask).map((k) => LETTERS[lanes[k]]);
  if (within.length === lanes.length) return lanes.length === 2 ? `In ${listed(within)}` : "In all";
  if (within.length === 1) return `Only in ${within[0]}`;
  const others = lanes.filter((_, k) => !(mask & (1 << k))).map((lane) => LETTERS[lane]);
  return `In ${listed(within)}, not in ${listed(others)}`;
}

/** What a lane did to messages that are gone from its window. */
const TOOK = { summarized: "has summarized", lost: "has lost", either: "no longer has" };

/**
 * What the lanes have lost, or have in a summary only, that the baseline still has, as a bold beginning and the rest; no beginning where their windows are alike.
 * @param {Difference} difference  of all lanes @param {number} base @param {number} lanes @param {string} tilde
 * @returns {{lead: string, text: string}}
 */
export function lostWords({ sets, added, left }, base, lanes, tilde) {
  const letter = LETTERS[base];
  const others = Array.from({ length: lanes }, (_, lane) => lane).filter((lane) => lane !== base);
  const said = others
    .map((lane) => ({ lane, lost: sum(sets, base, lane), more: sum(sets, lane, base) }))
    .filter(({ lost, more }) => lost.count || more.count);
  if (!said.length)
    return unlike(added, lanes) ? { lead: "What compactions put in differs,", text: " the other messages are the same." } : { lead: "", text: "" };
  /** Of which messages a lane has those that the baseline has not: of them that the sentence began with, where it has no other. @param {number} lane */
  const which = (lane) => {
    const [{ lane: begun, lost }] = said;
    const others = sets.some(({ mask }) => mask & (1 << lane) && !(mask & ((1 << base) | (1 << begun))));
    return lost.count || others ? ` that ${letter} ${TOOK[left[base]]}` : " of them";
  };
  const [first, ...rest] = said.map(({ lane, lost, more }) => {
    const full = left[lost.count ? lane : base] === "summarized" ? " in full" : "";
    return lost.count
      ? {
          lead: `${LETTERS[lane]} ${TOOK[left[lane]]} ${pluralize(lost.count, "message")} that ${letter} still has${full}`,
          short: `${LETTERS[lane]} ${TOOK[left[lane]]} ${int(lost.count)}${more.count ? ` and has ${int(more.count)} that ${letter} has not` : ""}`,
          tokens: lost.tokens,
        }
      : {
          lead: `${LETTERS[lane]} still has ${pluralize(more.count, "message")}${full} that ${letter} ${TOOK[left[base]]}`,
          short: `${LETTERS[lane]} still has ${int(more.count)}${which(lane)}`,
          tokens: more.tokens,
        };
  });
  const [{ lane, lost, more }] = said;
  const long = `; ${LETTERS[lane]} still has ${int(more.count)} that ${letter} ${TOOK[left[base]]}, ${tilde}${int(more.tokens)}`;
  const short = `, and has ${int(more.count)} that ${letter} has not`; // with more lanes there is no room for more
  const other = lost.count && more.count ? (lanes === 2 ? long : short) : "";
  return { lead: `${first.lead},`, text: ` ${tilde}${int(first.tokens)} tokens${other}${rest.map(({ short }) => `; ${short}`).join("")}.` };
}

/** Whether a lane has a message that a compaction put in and another does not have the same one. @param {import("./sets.js").Added[]} added @param {number} lanes */
const unlike = (added, lanes) => added.some(({ mask }) => mask !== (1 << lanes) - 1);

/** The messages that one lane holds as they came and another does not. @param {LaneSet[]} sets @param {number} one @param {number} other */
function sum(sets, one, other) {
  const own = sets.filter(({ mask }) => mask & (1 << one) && !(mask & (1 << other)));
  return { count: own.reduce((all, { count }) => all + count, 0), tokens: own.reduce((all, { tokens }) => all + tokens, 0) };
}
