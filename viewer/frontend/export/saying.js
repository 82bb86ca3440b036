// Which messages of a run say a text, worked out from what the file holds. Pure; core/entities/search.py and core/why/hits.py have the rules.
import { ADDED, SPACE } from "../run/pool.js";
import { folded } from "./searching.js";
/** @import { Body } from "./held.js" */
/** @import { Run } from "../run/model.js" */

/** @typedef {"exact" | "case" | "none"} Match */
/** What the messages of a part of the pool say, by their places there: their texts on one line each. @typedef {Map<number, string>} Texts */
/** The messages that have a text, by their places in the pool, in order, and how it matched. @typedef {{match: Match, base: number[], places: number[]}} Hits */

/** White space as Python's `split` knows it. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: a text may hold them
const SPACES = /[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/g;

/** A text with every run of white space as one space, and none at its ends. @param {string} text */
export const normalized = (text) => text.replace(SPACES, " ").replace(/^ | $/g, "");

/** Strings and numbers in JSON: a string that a colon follows is a key. */
const VALUES = /"([^"\\]*(?:\\.[^"\\]*)*)"(\s*:)?|-?\d[\d.eE+-]*/g;

/** What a message says: its content, then the values of its calls, each on a line. @param {Body} body */
export function saidIn({ content, tool_calls: calls }) {
  const values = (calls ?? []).flatMap((call) => [call.raw ?? "", ...valuesOf(call.arguments ?? "")]);
  return [content, ...values].filter(Boolean).map(normalized).join("\n");
}

/** @param {string} pretty  JSON @returns {string[]} */
function valuesOf(pretty) {
  return [...pretty.matchAll(VALUES)].flatMap(([whole, string, key]) => (key ? [] : [string === undefined ? whole : JSON.parse(`"${string}"`)]));
}

/** The text with its first letter in the other case, if it is three words or more. @param {string} text */
function begun(text) {
  const [first = ""] = text;
  const other = first === first.toLowerCase() ? first.toUpperCase() : first.toLowerCase();
  return text.split(" ").length > 2 ? other + text.slice(first.length) : text;
}

/**
 * @param {Texts} texts @param {string} wanted @param {Match} match  "none": as it is written, else without regard to case
 * @returns {{match: Match, places: number[]}}
 */
function among(texts, wanted, match) {
  if (match !== "case") {
    const places = [...texts].flatMap(([place, text]) => (text.includes(wanted) ? [place] : []));
    if (places.length || match === "exact") return { match: places.length ? "exact" : match, places };
  }
  const low = folded(wanted);
  const places = [...texts].flatMap(([place, text]) => (folded(text).includes(low) ? [place] : []));
  return { match: places.length ? "case" : match, places };
}

/**
 * @param {Run} run @param {string} text
 * @param {{base: Texts, added: Texts, copies: Texts[]}} said  of copies those that a policy emptied or shortened
 * @returns {Hits}
 */
export function hitsIn(run, text, { base, added, copies }) {
  const wanted = normalized(text);
  const first = among(base, wanted, "none");
  const second = among(added, wanted, first.match);
  const inAdded = new Set(second.places);
  if (second.match === "exact")
    for (const k of among(added, begun(wanted), "exact").places) if (run.pool.added[k].injected === "summary") inAdded.add(k);
  const put = [...inAdded].sort((a, b) => a - b).map((k) => ADDED + k);
  const still = copies.map((left) => among(left, wanted, second.match));
  const rest = copies.flatMap((left, s) => copied(first.places, left, still[s].places).map((i) => (s + 1) * SPACE + i));
  const match = [second, ...still].find((one) => one.match !== "none")?.match ?? "none";
  return { match, base: first.places, places: [...first.places, ...put, ...rest] };
}

/** The messages of a copy that have it: those it leaves alone as before, the others where they have it still. @param {number[]} base @param {Texts} left @param {number[]} still */
const copied = (base, left, still) => [...base.filter((i) => !left.has(i)), ...still].sort((a, b) => a - b);
