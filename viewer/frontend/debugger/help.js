// The shortcuts and the glossary, on "?".

import { button, coded, el } from "../lib/dom.js";
import { letter } from "./row.js";
import { keyGroups } from "./helpkeys.js";
import { REGIONS, WORDS } from "../lib/glossary.js";
/** @import { App } from "./app.js" */
/** @import { KeyRow } from "./helpkeys.js" */

/** The part: a dialog while `app.open.help`. @param {HTMLElement} root @param {App} app */
export function part(root, app) {
  const dialog = el("dialog", { class: "fl-help", "aria-labelledby": "fl-help-title" });
  const shut = () => app.open?.help && app.toggle("help");
  dialog.addEventListener("close", shut);
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  dialog.addEventListener("keydown", (event) => key(event, dialog));
  root.append(dialog);
  return { update: () => show(dialog, app) };
}

/** @param {HTMLDialogElement} dialog @param {App} app */
function show(dialog, app) {
  const open = Boolean(app.open?.help);
  if (!open && dialog.open) dialog.close();
  if (!open || dialog.open) return;
  dialog.replaceChildren(content(() => dialog.close(), app));
  dialog.showModal();
}

/** The debugger's own keys stay quiet while the dialog is open. @param {KeyboardEvent} event @param {HTMLDialogElement} dialog */
function key(event, dialog) {
  event.stopPropagation();
  if (event.key === "?") dialog.close();
}

/** The keys here, and the glossary; in front of a room the keys alone. @param {() => void} close @param {App} app */
function content(close, app) {
  const { keys: here, alone } = app.keysHere?.() ?? { keys: [], alone: false };
  const parts = alone ? [keysList(here)] : [shortcuts(app, here), words()];
  const head = el(
    "div",
    { class: "fl-help-head" },
    el("h2", { id: "fl-help-title", text: alone ? "Shortcuts" : "Shortcuts and glossary" }),
    button("×", close, { class: "fl-icon", "aria-label": "Close", autofocus: true }),
  );
  return el("div", { class: "fl-help-box" }, head, el("div", { class: "fl-help-columns" }, ...parts));
}

/** Those that one needs first, and the others in groups that open. @param {App} app @param {KeyRow[]} here */
function shortcuts(app, here) {
  const [first, ...groups] = keyGroups(app, here);
  const folded = groups.map(({ title, rows, open = false }) =>
    el("details", { class: "fl-keygroup", open }, el("summary", { text: title }), keysList(rows)),
  );
  return el("section", {}, el("h3", { text: "Shortcuts" }), keysList(first.rows), ...folded);
}

/** @param {KeyRow[]} all */
function keysList(all) {
  const rows = all.map(([names, text]) => [el("dt", {}, ...names.flatMap((name) => [el("kbd", { text: name }), " "])), el("dd", { text })]);
  return el("dl", { class: "fl-keys" }, ...rows.flat());
}

/** The regions, and the other words, which open. */
function words() {
  const badge = (/** @type {string} */ region) => el("span", { class: `fl-badge fl-is-${region}`, text: letter(region) });
  const rows = REGIONS.map(([region, name, text]) => [el("dt", {}, badge(region), ` ${name}`), el("dd", { text })]);
  const more = WORDS.map(([name, text]) => [el("dt", { text: name }), el("dd", {}, ...coded(text))]);
  const list = (/** @type {HTMLElement[][]} */ some) => el("dl", { class: "fl-words" }, ...some.flat());
  const folded = el("details", { class: "fl-keygroup" }, el("summary", { text: "All words" }), list(more));
  return el("section", {}, el("h3", { text: "Glossary" }), list(rows), folded);
}
