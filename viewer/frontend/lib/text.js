// Text of a transcript on the page: whole, in pieces, invisible characters written out, what was looked for
// marked.

import { answersByFile } from "./asking.js";
import { button, el, visible } from "./dom.js";
import { int, pluralize } from "./format.js";
import { placed } from "./places.js";
import { anyQuotes, wordsPattern } from "./quotes.js";
/** @import { Span } from "./types.js" */

/** Characters in one node; layout skips the nodes out of sight, so a long body does not freeze the page. */
const PIECE = 8_000;
const MOST_MARKS = 500;

/** Pieces of a text, cut at line breaks where there are any. @param {string} text @param {number} [size] @returns {string[]} */
export function pieces(text, size = PIECE) {
  const parts = [];
  for (let at = 0; at < text.length; ) {
    const end = cut(text, at, size);
    parts.push(text.slice(at, end));
    at = end;
  }
  return parts;
}

/** @param {string} text @param {number} at @param {number} size */
function cut(text, at, size) {
  if (at + size >= text.length) return text.length;
  const line = text.lastIndexOf("\n", at + size);
  if (line >= at + size / 2) return line + 1;
  const code = text.charCodeAt(at + size - 1);
  return at + size + (code >= 0xd800 && code < 0xdc00 ? 1 : 0);
}

/**
 * Where the query is found, whatever the case, the quotes and the white space between its words.
 * @param {string} text
 * @param {string} query
 * @param {number} [most]
 * @returns {Span[]}
 */
export function matches(text, query, most = MOST_MARKS) {
  if (!query) return [];
  const pattern = new RegExp(anyQuotes(wordsPattern(query)), "giu");
  /** @type {Span[]} */ const found = [];
  for (const { index, 0: match } of text.matchAll(pattern)) {
    if (found.length >= most) break;
    found.push([index, index + match.length]);
  }
  return found;
}

/** The text split at each place where the query is found: [plain, found, plain, …]. @param {string} text @param {string} query */
export function parted(text, query) {
  const found = matches(text, query);
  const parts = found.flatMap(([from, to], k) => [text.slice(found[k - 1]?.[1] ?? 0, from), text.slice(from, to)]);
  return [...parts, text.slice(found.at(-1)?.[1] ?? 0)];
}

/** Nodes for a text with the query marked. @param {string} text @param {string} query @param {number} [from] where the text stands in the whole @returns {Node[]} */
export function marked(text, query, from = 0) {
  let at = from;
  return parted(text, query).map((part, k) => {
    const node = placed(part, at);
    at += part.length;
    return k % 2 ? el("mark", {}, node) : node;
  });
}

/** A block of text as it was written. @param {string} text @param {string} [query] */
export function block(text, query = "") {
  const node = el("div", { class: "fl-text" });
  extend(node, text, query);
  return node;
}

/** How much of its text stands in a block. @type {WeakMap<HTMLElement, number>} */
const lengths = new WeakMap();

/** @param {HTMLElement} node @param {string} text @param {string} query */
export function extend(node, text, query) {
  let at = lengths.get(node) ?? 0;
  for (const piece of pieces(visible(text))) {
    node.append(el("div", { class: "fl-piece" }, ...marked(piece, query, at)));
    at += piece.length;
  }
  lengths.set(node, at);
}

/**
 * A block of a text that is here but long: its beginning, and a button for the next part.
 * @param {string} text
 * @param {string} [query]
 * @param {number} [step] characters at a time
 */
export function longBlock(text, query = "", step = 50_000) {
  const node = block(text.slice(0, step), query);
  const box = el("div", {}, node);
  if (text.length > step)
    box.append(more(step, text.length, (at) => (extend(node, text.slice(at, at + step), query), Math.min(text.length, at + step))));
  return box;
}

/**
 * "Show more (200,000 of 5,000,000 characters)". `next` shows what follows and says, now or later, how many
 * are shown then.
 * @param {number} shown
 * @param {number} total
 * @param {(at: number) => number | Promise<number>} next
 */
export function more(shown, total, next) {
  const say = () => `Show more (${int(shown)} of ${int(total)} characters)`;
  const press = async () => {
    node.disabled = true;
    shown = await next(shown);
    node.disabled = false;
    node.textContent = say();
    if (shown >= total) node.replaceWith(el("p", { class: "fl-end", text: `All ${pluralize(total, "character")} shown` }));
  };
  const node = /** @type {HTMLButtonElement} */ (button(say(), press, { class: "fl-more" }));
  return node;
}

/** How an exported file begins what it does not hold, and that it is damaged. */
const [OF_THE_FILE, DAMAGED] = ["This file ", "This file is damaged"];

/** Whose fault it is that something could not be had. @param {string} message */
const faultOf = (message) => (!answersByFile() || !message.startsWith(OF_THE_FILE) ? "page" : message.startsWith(DAMAGED) ? "damage" : "file");

/** A way to ask again; none where a file is at fault, as it leads nowhere there. @param {string} message @param {() => void} again @returns {HTMLElement[]} */
export const retry = (message, again) => (faultOf(message) === "page" ? [button("Try again", again, { class: "fl-link" })] : []);

/** One line that something could not be had, and a way to try again. @param {string} message @param {() => void} again */
export const failure = (message, again) =>
  el("p", { class: "fl-failure", role: "alert", "data-by": faultOf(message) }, el("span", { text: message }), ...retry(message, again));
