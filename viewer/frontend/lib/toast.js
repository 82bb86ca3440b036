// A text at the bottom of the page for a moment, where it can be undone with a button that does so.
import { button } from "./dom.js";

/** Milliseconds that it is shown; with a button, while neither the pointer nor the focus is on it. */
const SHOWN = 2600;
export const SHOWN_WITH_UNDO = 8000;

/** @type {WeakMap<HTMLElement, number>} */
const fading = new WeakMap();

/** @param {HTMLElement} toast @param {string} text @param {() => void} [undo] */
export function showToast(toast, text, undo) {
  toast.replaceChildren(text, ...(undo ? [button("Undo", () => (hideToast(toast), undo()))] : []));
  toast.dataset.shown = "true";
  rest(toast, undo ? SHOWN_WITH_UNDO : SHOWN);
}

/** @param {HTMLElement} toast */
export function hideToast(toast) {
  clearTimeout(fading.get(toast));
  toast.dataset.shown = "false";
}

/** @param {HTMLElement} toast @param {number} time */
function rest(toast, time) {
  clearTimeout(fading.get(toast));
  const over = () => (toast.matches(":hover, :focus-within") ? rest(toast, SHOWN) : hideToast(toast));
  fading.set(toast, window.setTimeout(over, time));
}
