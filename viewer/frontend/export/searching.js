// Find over whole messages: content, thinking, names and arguments, without regard to case. Pure.
/** @import { Message } from "../debugger/types.js" */

/** A text without case; "ß" is "ss" and "ς" is "σ", as in Python's casefold. @param {string} text */
export const folded = (text) => (ASCII.test(text) ? text.toLowerCase() : text.toUpperCase().toLowerCase().replaceAll("ς", "σ"));

// biome-ignore lint/suspicious/noControlCharactersInRegex: a text of ASCII may hold them
const ASCII = /^[\x00-\x7f]*$/;

/** What is looked for; "" finds nothing. @param {string} query */
export const wantedIn = (query) => folded(query.trim());

/** Whether a message has it. @param {Message & {name?: string | null}} body @param {string} wanted  as `wantedIn` gives it */
export function holds(body, wanted) {
  if (!wanted) return false;
  const has = (/** @type {string} */ text) => folded(text).includes(wanted);
  if (has(body.content) || has(body.thinking ?? "") || has(body.name ?? "")) return true;
  return (body.tool_calls ?? []).some((call) => [call.name, call.raw ?? "", ...texts(call.arguments ?? "")].some(has));
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
