// A summary as text: as it was written, with the words that begin its lines set off.

import { el, visible } from "../lib/dom.js";
import { marked, more } from "../lib/text.js";

const MOST = 40_000;

/**
 * A summary: lines that begin with a word and a colon have the word set off, the rest is as written.
 * @param {string} text
 * @param {string} query
 */
export function prose(text, query) {
  const node = el("div", { class: "fl-prose" });
  const add = (/** @type {number} */ at) => {
    for (const line of visible(text.slice(at, at + MOST)).split("\n")) node.append(proseLine(line, query));
    return Math.min(text.length, at + MOST);
  };
  const shown = add(0);
  return shown < text.length ? el("div", {}, node, more(shown, text.length, add)) : node;
}

/** @param {string} line @param {string} query */
function proseLine(line, query) {
  const found = /^(\s*(?:#+ )?)([A-Z][\w'’ /-]{0,28}):(?=\s|$)(.*)$/u.exec(line);
  if (!found) return el("p", {}, ...marked(line || "\u00a0", query));
  const [, lead, name, rest] = found;
  return el("p", {}, lead, el("b", {}, ...marked(`${name}:`, query)), ...marked(rest, query));
}
