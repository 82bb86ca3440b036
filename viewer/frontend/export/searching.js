// Find over whole messages: content, thinking, names and arguments, without regard to case and to how quotes are written. Pure.
import { cutWords } from "../lib/format.js";
import { straightQuotes, wordsPattern } from "../lib/quotes.js";
/** @import { Message } from "../message/types.js" */

/** A text without case; "ß" is "ss" and "ς" is "σ", as in Python's casefold. @param {string} text */
export const folded = (text) => (ASCII.test(text) ? text.toLowerCase() : text.toUpperCase().toLowerCase().replaceAll("ς", "σ"));

// biome-ignore lint/suspicious/noControlCharactersInRegex: a text of ASCII may hold them
const ASCII = /^[\x00-\x7f]*$/;

/** The same with straight quotes. @param {string} text */
const looked = (text) => straightQuotes(folded(text));

/** What is looked for; "" finds nothing. @param {string} query */
export const wantedIn = (query) => looked(query.trim()).replace(/\s+/g, " ");

/** A message as a file holds it. @typedef {Message & {name?: string | null}} Body */

/** At most so many characters of a text stand before and after what was found in it, cut at a word, as viewer/wire/search.py has it. */
const [BEFORE, AFTER] = [40, 160];

/** Whether a message has it. @param {Body} body @param {string} wanted  as `wantedIn` gives it */
export const holds = (body, wanted) => textsOf(body).some(([, text]) => found(text, wanted));

/** Where a text has it, in the text without case; null where it does not. @param {string} text @param {string} wanted */
const found = (text, wanted) => (wanted ? new RegExp(wordsPattern(wanted), "u").exec(looked(text)) : null);

/** The first place in a message that has it, as viewer/wire/search.py gives it. @param {Body} body @param {string} wanted */
export function snippet(body, wanted) {
  const [part, text] = textsOf(body).find(([, text]) => found(text, wanted)) ?? ["", ""];
  const match = found(text, wanted);
  if (!match) return undefined;
  const at = match.index;
  const begin = firstWhere(text, (k) => folded(text.slice(0, k + 1)).length > at);
  const end = firstWhere(text, (k) => folded(text.slice(0, k)).length >= at + match[0].length);
  const [before, after] = [[...text.slice(Math.max(0, begin - 3 * BEFORE), begin)], [...text.slice(end, end + 3 * AFTER)]];
  return {
    part,
    before: turned(
      cutWords(
        before
          .slice(-BEFORE - 1)
          .reverse()
          .join(""),
        BEFORE,
      ),
    ),
    match: text.slice(begin, end),
    after: cutWords(after.slice(0, AFTER + 1).join(""), AFTER),
  };
}

/** @param {string} text */
const turned = (text) => [...text].reverse().join("");

/** The first index of a text for which this holds, as it does for all behind it. @param {string} text @param {(k: number) => boolean} holds */
function firstWhere(text, holds) {
  let [low, high] = [0, text.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The texts of a message, each with the part of it that says it. @param {Body} body @returns {[part: string, text: string][]} */
function textsOf(body) {
  const calls = (body.tool_calls ?? []).flatMap((call) => [call.name, call.raw ?? "", ...texts(call.arguments ?? "")]);
  return [
    ["content", body.content],
    ["thinking", body.thinking ?? ""],
    ["name", body.name ?? ""],
    ...calls.map((text) => /** @type {[string, string]} */ (["call", text])),
  ];
}

/** The keys and values in the arguments of a call. @param {string} pretty  JSON @returns {string[]} */
function texts(pretty) {
  try {
    return [...inside(JSON.parse(pretty))];
  } catch {
    return [pretty];
  }
}

/** @param {unknown} value @returns {Generator<string>} */
function* inside(value) {
  if (Array.isArray(value)) for (const one of value) yield* inside(one);
  else if (value && typeof value === "object") {
    for (const [key, one] of Object.entries(value)) {
      yield key;
      yield* inside(one);
    }
  } else if (value !== null && value !== undefined) yield typeof value === "boolean" ? (value ? "True" : "False") : String(value);
}
