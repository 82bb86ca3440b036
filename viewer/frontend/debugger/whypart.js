// Asking where a text went: by w, by the button beside a selection, and what is said of the answer.

import { Chip } from "../why/chip.js";
import { selectionIn } from "../why/selection.js";
/** @import { App } from "./app.js" */

/** The part: the button beside a selection. @param {HTMLElement} root @param {App} app */
export function part(root, app) {
  const chip = new Chip(root, app.root, (text) => app.why.ask(text));
  return { update() {}, stop: () => chip.stop() };
}

/** Ask about what is selected; without a selection, about the rule that the overview tells of, else open what was asked about last, else about the message on show. @param {App} app */
export function askWhy(app) {
  const selected = selectionIn(app.root);
  /** @type {HTMLElement | null} */ const told = app.overview && !app.why.front ? app.root.querySelector(".fl-ostory:not([hidden]) .fl-owhy") : null;
  if (!selected && told) return told.focus({ preventScroll: true }), told.click(); // Why takes the keys from it
  if (selected ? app.why.ask(selected.text) : app.why.reopen()) return;
  /** @type {HTMLElement | null} */ const shown = app.root.querySelector(".fl-askwhy:not([hidden])");
  if (shown) return shown.click();
  app.message("Select a text first, then press w");
}

/** Choose the next lane, or the one before, and give it the keys. @param {App} app @param {1 | -1} by */
export function turnLane(app, by) {
  if (!app.why.lanes.length) return app.message("Select a text first, then press w");
  app.why.turn(app.why.open ? by : 0);
  /** @type {HTMLElement | null} */ (app.root.querySelector(".fl-lane[data-chosen] .fl-lane-bar"))?.focus();
}
