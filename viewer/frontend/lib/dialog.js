// A dialog over the page: a title, a way to close it, and the debugger's own keys kept quiet while it is open.
import { button, el } from "./dom.js";

let dialogs = 0;

/**
 * @param {string} title
 * @param {string} kind  its class
 * @param {...Node} content
 * @returns {HTMLDialogElement}
 */
export function dialogOf(title, kind, ...content) {
  const id = `fl-dialog-${++dialogs}`;
  const node = el("dialog", { class: `fl-help fl-dialog ${kind}`, "aria-labelledby": id });
  const close = button("×", () => node.close(), { class: "fl-icon", "aria-label": "Close", title: "Close (Esc)" });
  node.append(el("div", { class: "fl-help-box" }, el("div", { class: "fl-help-head" }, el("h2", { id, text: title }), close), ...content));
  node.addEventListener("click", (event) => event.target === node && node.close());
  node.addEventListener("keydown", (event) => event.stopPropagation());
  return node;
}
