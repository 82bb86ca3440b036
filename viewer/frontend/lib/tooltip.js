// A word that explains itself: pointed at, or focused with the keyboard, a tooltip says what it means.
import { attribute, el } from "./dom.js";

let made = 0;

/**
 * A chip with a word; with an explanation it can be focused, and says it while it is, or is pointed at. Escape closes it.
 * @param {string} text
 * @param {string} [explanation]
 * @param {string} [name]  the class of the chip
 */
export function chip(text, explanation = "", name = "fl-chip") {
  const word = el("span", { class: name, text });
  return explanation ? explained(word, explanation) : word;
}

/**
 * The node with its tooltip behind it: it can now be focused, unless it stands in something that can, which then says it.
 * @param {HTMLElement} node
 * @param {string} explanation
 * @param {HTMLElement} [host]  what is focused
 */
export function explained(node, explanation, host = node) {
  made += 1;
  const id = `fl-tooltip-${made}`;
  const tooltip = el("span", { class: "fl-tooltip", role: "tooltip", id, text: explanation });
  if (host === node) attribute(node, "tabindex", 0);
  attribute(host, "aria-describedby", id);
  const whole = el("span", { class: "fl-explained" }, node, tooltip);
  const close = (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== "Escape" || whole.classList.contains("fl-closed")) return;
    event.stopPropagation();
    whole.classList.add("fl-closed");
  };
  node.addEventListener("keydown", close);
  for (const type of ["pointerleave", "focusout"]) whole.addEventListener(type, () => whole.classList.remove("fl-closed"));
  return whole;
}
