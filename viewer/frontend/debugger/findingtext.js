// The text of a finding: its sentences, and its list where it has one (core/analyse/finding.py), in a button or beside links.

import { el, visible } from "../lib/dom.js";

/** How a line of a list begins. */
const ITEM = "• ";

/** @param {string} text @returns {(string | Node)[]} */
export function findingText(text) {
  const [first, ...rest] = text.split("\n");
  const line = (/** @type {string} */ said) => {
    const listed = said.startsWith(ITEM);
    return el("span", { class: listed ? "fl-fitem" : "fl-fmore", text: visible(listed ? said.slice(ITEM.length) : said) });
  };
  return [visible(first), ...rest.map(line)];
}
