// Asking where a text went: by w, and by the button at a selection.

import { Chip } from "../why/chip.js";
import { selectionIn } from "../why/selection.js";
import { askMessage } from "./askmessage.js";
import { recordedKey, subjectOf } from "./subject.js";
/** @import { App } from "./app.js" */

/** What to do where nothing is on show that could be meant. */
const FIRST = "Select a text first, then press w";

/** The part: the button at a selection. @param {HTMLElement} root @param {App} app */
export function part(root, app) {
  const chip = new Chip(root, app.root, (text) => app.why.ask(text));
  return { update() {}, stop: () => chip.stop() };
}

/**
 * Ask about what is selected; while Why goes through what was lost, about the next of it. Else about what is on show: on the overview
 * and at a compaction about what was lost, on a message about its first words, unless something was asked before: that comes back.
 * @param {App} app @param {1 | -1} [by]  to the next lost text, or the one before
 */
export function askWhy(app, by = 1) {
  const { why, lost } = app;
  const selected = selectionIn(app.root);
  if (selected && why.ask(selected.text)) return;
  if (lost.walk) return lost.turn(by);
  const shown = app.hosted || recordedKey(app.selected) >= 0 ? null : subjectOf(app);
  if (app.overview) return void lost.begin(-1, by);
  if (shown && "card" in shown) return void lost.begin(shown.card, by);
  if (!why.open && why.reopen()) return;
  if (shown && "message" in shown && !why.front) return void askMessage(app, shown.message);
  app.message(FIRST);
}

/** Choose the next lane, or the one before, and give it the keys. @param {App} app @param {1 | -1} by */
export function turnLane(app, by) {
  if (!app.why.lanes.length) return app.message(FIRST);
  app.why.turn(app.why.open ? by : 0);
  /** @type {HTMLElement | null} */ (app.root.querySelector(".fl-lane[data-chosen] .fl-lane-bar"))?.focus();
}
