// Asking where a text went: by w, and by the button beside a selection.

import { Chip } from "../why/chip.js";
import { selectionIn } from "../why/selection.js";
/** @import { App } from "./app.js" */

/** What to do where nothing is on show that could be meant. */
const FIRST = "Select a text first, then press w";

/** The part: the button beside a selection. @param {HTMLElement} root @param {App} app */
export function part(root, app) {
  const chip = new Chip(root, app.root, (text) => app.why.ask(text));
  return { update() {}, stop: () => chip.stop() };
}

/**
 * Ask about what is selected. Without a selection, on the overview and at a compaction, about what was lost, one text after the other; else
 * it opens what was asked about last, or asks about the message on show.
 * @param {App} app @param {1 | -1} [by]  to the next lost text, or the one before
 */
export function askWhy(app, by = 1) {
  const selected = selectionIn(app.root);
  if (selected && app.why.ask(selected.text)) return;
  const told = app.overview && !app.why.front;
  const k = told ? -1 : app.run.step(app.step).compaction;
  if (app.hosted && app.why.reopen()) return;
  if (told || k >= 0) return void app.lost.ask(k, by);
  if (app.why.front && app.lost.place) return app.lost.turn(by);
  if (app.why.reopen()) return;
  /** @type {HTMLElement | null} */ const shown = app.root.querySelector(".fl-askwhy:not([hidden])");
  if (shown) return shown.click();
  if (app.hosted || app.run.view.live) return app.message(FIRST);
  void app.lost.ask(-1, by);
}

/** Choose the next lane, or the one before, and give it the keys. @param {App} app @param {1 | -1} by */
export function turnLane(app, by) {
  if (!app.why.lanes.length) return app.message(FIRST);
  app.why.turn(app.why.open ? by : 0);
  /** @type {HTMLElement | null} */ (app.root.querySelector(".fl-lane[data-chosen] .fl-lane-bar"))?.focus();
}
