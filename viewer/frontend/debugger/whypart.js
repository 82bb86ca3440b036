// Asking where a text went: by w, by the button beside a selection, and what is said of the answer.

import { Asker, lossesPath } from "../lib/api.js";
import { pageOf } from "../run/losspages.js";
import { isBlank, nothingLost, requestsGoneHere, unreadWord } from "../run/losswords.js";
import { whereabouts } from "../run/sections.js";
import { unlistedOf } from "../run/unlisted.js";
import { Chip } from "../why/chip.js";
import { selectionIn } from "../why/selection.js";
/** @import { App } from "./app.js" */
/** @import { CompactionLosses, LossPage } from "../run/types.js" */
/** @import { Run } from "../run/model.js" */

/** What to do where nothing is on show that could be meant. */
const FIRST = "Select a text first, then press w";

/** The part: the button beside a selection. @param {HTMLElement} root @param {App} app */
export function part(root, app) {
  const chip = new Chip(root, app.root, (text) => app.why.ask(text));
  return { update() {}, stop: () => chip.stop() };
}

/** Ask about what is selected; without a selection, about what the overview tells of, else open what was asked about last, else about the message on show, or what its compaction lost. @param {App} app */
export function askWhy(app) {
  const selected = selectionIn(app.root);
  const told = app.overview && !app.why.front ? toldOf(app.root) : null;
  if (!selected && told) return told.focus({ preventScroll: true }), told.click(); // Why takes the keys from it
  if (selected ? app.why.ask(selected.text) : app.why.reopen()) return;
  /** @type {HTMLElement | null} */ const shown = app.root.querySelector(".fl-askwhy:not([hidden])");
  if (shown) return shown.click();
  if (app.run?.length && app.run.step(app.step).compaction >= 0) return askLost(app, app.run.step(app.step).compaction);
  app.message(FIRST);
}

/** The button of what the overview tells of: its rule, else the first statement that is gone, else the first request. @param {HTMLElement} root @returns {HTMLElement | null} */
const toldOf = (root) =>
  root.querySelector(".fl-ostory:not([hidden]) .fl-owhy") ?? root.querySelector(".fl-lwhole:not([hidden]) .fl-ltable [data-why]");

/** Follow the text that matters most of those that the compaction on show lost. @param {App} app @param {number} k */
function askLost(app, k) {
  const { run } = app;
  const take = (/** @type {LossPage} */ { rows }) => {
    if (app.run !== run || app.run.step(app.step).compaction !== k) return;
    const row = rows.find(({ index }) => index === k);
    const lost = row && (lostText(row) || requestLost(run, row));
    if (lost) app.why.ask(lost);
    else app.message(`${noneWords(run, row)} ${FIRST}`);
  };
  new Asker(app, 0).ask(lossesPath(run.view.tid, pageOf(k), run.view.live ? run.length : 0), take, (said) => app.message(said));
}

/** The first rule, statement or name that is gone and can be followed; "" of none. @param {CompactionLosses} row */
const lostText = ({ told, names }) => [...told, ...names].find(({ followed }) => followed)?.followed ?? "";

/** The request that matters most of those that this compaction took and that can be followed: the list is of all that are gone by now. @param {Run} run @param {CompactionLosses} row */
function requestLost(run, { index, step, requests: { at: first, listed } }) {
  const gone = listed.filter(({ kind, followed }) => followed && kind !== "partly" && kind !== "reworded");
  const here = gone.filter(({ at }) => whereabouts(run, step, at).compaction === index);
  return (here.find(({ at }) => at === first) ?? here[0])?.text.replace(/…$/, "") ?? "";
}

/** Why no text can be followed. @param {Run} run @param {CompactionLosses | undefined} row */
function noneWords(run, row) {
  if (row?.unreadable) return `The summary is ${unreadWord(row.unreadable)}: nobody can tell what it kept.`;
  if (row && isBlank(row)) return nothingLost(row, unlistedOf(run, [row]));
  const requests = row && requestsGoneHere(row);
  return requests ? `${requests}.` : "Nothing that can be followed was lost here.";
}

/** Choose the next lane, or the one before, and give it the keys. @param {App} app @param {1 | -1} by */
export function turnLane(app, by) {
  if (!app.why.lanes.length) return app.message(FIRST);
  app.why.turn(app.why.open ? by : 0);
  /** @type {HTMLElement | null} */ (app.root.querySelector(".fl-lane[data-chosen] .fl-lane-bar"))?.focus();
}
