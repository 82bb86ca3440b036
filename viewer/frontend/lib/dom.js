// Small helpers for making nodes. Text reaches the page through textContent only: a transcript is hostile
// input.

/** @typedef {string | number | boolean | null | undefined} Value */
/** @typedef {{[type in keyof HTMLElementEventMap]?: (event: HTMLElementEventMap[type]) => unknown}} Listeners */
/** @typedef {{class?: string, text?: string, on?: Listeners} & {[attribute: string]: Value | Listeners}} Props */

/**
 * A new element. `class`, `text` and `on` (event listeners) are special; `false`, `null` and `undefined` are
 * left out, the rest are attributes.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Props} [props]
 * @param {...(Node | string | null | undefined | false)} children strings become text nodes
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function el(tag, props = {}, ...children) {
  const node = document.createElement(tag);
  const { on = {}, text, class: name, ...attributes } = props;
  if (name) node.className = name;
  if (text !== undefined) node.textContent = text;
  for (const [key, value] of Object.entries(attributes)) attribute(node, key, /** @type {Value} */ (value));
  for (const [type, listener] of Object.entries(on)) node.addEventListener(type, /** @type {EventListener} */ (listener));
  node.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

/**
 * Set an attribute, or take it away when the value is false, null or undefined; writes only on a change.
 * @param {Element} node
 * @param {string} name
 * @param {Value} value
 */
export function attribute(node, name, value) {
  if (value === false || value === null || value === undefined) {
    if (node.hasAttribute(name)) node.removeAttribute(name);
    return;
  }
  const text = value === true ? "" : String(value);
  if (node.getAttribute(name) !== text) node.setAttribute(name, text);
}

/**
 * Set a node's text; writes only on a change, so that an unchanged row costs no layout. The text that stands there is changed rather
 * than replaced: another one would be styled and laid out from nothing.
 * @param {Node} node
 * @param {string} text
 */
export function write(node, text) {
  const { firstChild: first } = node;
  if (text && first && first === node.lastChild && first.nodeType === Node.TEXT_NODE) {
    if (first.nodeValue !== text) first.nodeValue = text;
  } else if (node.textContent !== text) node.textContent = text;
}

/**
 * A name of code, with places where it may be broken: behind dots and underscores, before capitals.
 * @param {string} name
 * @returns {Node[]}
 */
export function breakable(name) {
  const parts = name.split(/(?<=[._])(?=[^._])|(?<=[a-z])(?=[A-Z])/);
  return parts.flatMap((part, i) => (i ? [document.createElement("wbr"), document.createTextNode(part)] : [document.createTextNode(part)]));
}

/** What stands in backticks, and names that can only be code: max_tokens, keepRecent. */
const CODE = /`([^`]*)`|\b((?:[a-z]+\.)?[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+(?:\.[a-z][a-z_]*)*|[a-z]+[A-Z][A-Za-z0-9]*)\b/;

/** A sentence whose names of fields and parameters are code; a number stays on the line of its %. @param {string} text @returns {(string | Node)[]} */
export function coded(text) {
  const parts = visible(text)
    .replace(/(?<=\d) (?=%)/g, "\u00a0")
    .split(CODE); // a text, what stood in backticks, a name, the next text, …
  return parts.map((part, i) => (i % 3 && part ? el("code", { text: part }) : (part ?? ""))).filter((part) => part !== "");
}

/** What a number belongs to: "compaction 1", "summary #2", "message 1,042". */
const NUMBERED = /((?:compaction|summary|message|turn) #?\d[\d,]*)/i;

/** A sentence in which a number stays on the line of its word. @param {string} text @returns {(string | Node)[]} */
export const unbroken = (text) => text.split(NUMBERED).map((part, k) => (k % 2 ? el("span", { class: "fl-unbroken", text: part }) : part));

/** Set a node's text to a sentence whose names are code; writes only on a change. @param {HTMLElement} node @param {string} text */
export function writeCoded(node, text) {
  const parts = coded(text);
  const said = parts.map((part) => (typeof part === "string" ? part : part.textContent)).join("");
  if (node.textContent !== said) node.replaceChildren(...parts);
}

/** A push button. @param {string} text @param {(event: MouseEvent) => void} click @param {Props} [props] */
export function button(text, click, props = {}) {
  return el("button", { type: "button", text, on: { click }, ...props });
}

// What a reader could not see, or what would turn the text around: controls (ANSI's escape among them),
// format and bidi characters, tags, supplementary variation selectors, lone surrogates, line separators. Line
// breaks and tabs stay.
// biome-ignore lint/suspicious/noMisleadingCharacterClass: each is one character by itself
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029\u115f\u1160\u3164\uffa0\u{e0100}-\u{e01ef}]/gu;
const SHORT = new Map([
  ["\r", "\\r"],
  ["\x1b", "\\e"],
  ["\0", "\\0"],
  ["\b", "\\b"],
  ["\f", "\\f"],
  ["\v", "\\v"],
]);
// What a joiner may follow: symbols and pictographs, Arabic, the scripts of India. Anchored at both ends: in
// Chromium 156 a class of astral characters is not found before a lone `$`.
// biome-ignore lint/suspicious/noMisleadingCharacterClass: each is one character by itself
const JOINED = /^[\u2190-\u2bff\u{1f000}-\u{1faff}\ufe0f\u0600-\u06ff\u0900-\u0dff]$/u;

/**
 * The text with every invisible character written out: "\e" for escape, "\u202e" for a right-to-left
 * override. A joiner inside an emoji or a script that needs it stays; CR LF counts as a line break.
 * @param {string} text
 */
export const visible = (text) => text.replace(/\r\n/g, "\n").replace(INVISIBLE, written);

/** What stands for a character that could not be seen. @param {string} found @param {number} at @param {string} whole */
function written(found, at, whole) {
  if (found === "\n" || found === "\t") return found;
  const joiner = found === "\u200d" || found === "\u200c";
  if (joiner && JOINED.test([...whole.slice(Math.max(0, at - 2), at)].at(-1) ?? "")) return found;
  return SHORT.get(found) ?? escaped(found);
}

/** A function from the places of a text to those in what `visible` makes of it. @param {string} text @returns {(at: number) => number} */
export function visiblePlaces(text) {
  /** Behind which place how much longer the text is. @type {[number, number][]} */ const moves = [];
  let by = 0;
  for (const { 0: found, index } of text.matchAll(INVISIBLE)) {
    const shown = found === "\r" && text[index + 1] === "\n" ? "" : written(found, index, text);
    if (shown.length !== found.length) moves.push([index + found.length, (by += shown.length - found.length)]);
  }
  return (at) => at + (moves.findLast(([from]) => from <= at)?.[1] ?? 0);
}

/** @param {string} found */
function escaped(found) {
  const code = /** @type {number} */ (found.codePointAt(0)).toString(16);
  return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, "0")}`;
}
