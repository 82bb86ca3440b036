// What the numbers of a card do not say by themselves: notes that open, one idea a line.

import { coded, el } from "../lib/dom.js";

/** Whether they are open: they stay so from card to card. */
let open = false;

/** @param {string[]} notes  sentences, fields in backticks @returns {Node[]} */
export function cardNotes(notes) {
  if (!notes.length) return [];
  const list = el("ul", {}, ...notes.map((text) => el("li", {}, ...coded(text))));
  const toggled = (/** @type {Event} */ event) => {
    open = /** @type {HTMLDetailsElement} */ (event.currentTarget).open;
  };
  return [el("details", { class: "fl-about-numbers", open, on: { toggle: toggled } }, el("summary", { text: "About these numbers" }), list)];
}
