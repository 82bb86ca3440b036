// What the numbers of a card do not say by themselves: notes that open, one idea a line.

import { coded, el, visible } from "../lib/dom.js";

/** Whether they are open: they stay so from card to card. */
let open = false;

/** @param {string[]} notes  sentences, fields in backticks @param {string} rule  one that is a note only where the card is narrow @returns {Node[]} */
export function cardNotes(notes, rule) {
  const said = notes.filter(Boolean);
  if (!said.length && !rule) return [];
  const narrow = rule ? [el("li", { class: "fl-narrow", text: visible(rule) })] : [];
  const list = el("ul", {}, ...said.map((text) => el("li", {}, ...coded(text))), ...narrow);
  const toggled = (/** @type {Event} */ event) => {
    open = /** @type {HTMLDetailsElement} */ (event.currentTarget).open;
  };
  return [el("details", { class: "fl-about-numbers", open, on: { toggle: toggled } }, el("summary", { text: "About these numbers" }), list)];
}
