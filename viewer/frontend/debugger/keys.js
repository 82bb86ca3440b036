// Keys to commands. The table is what help shows; docs and README say the same.

import { OWN_ARROWS, onButton, within } from "../lib/keys.js";
import { enterInspector } from "./entering.js";
import { takenApart } from "./shownwindow.js";
import { recordedKey } from "./subject.js";
import { askWhy, turnLane } from "./whypart.js";
/** @import { App } from "./app.js" */
/** @import { Command } from "./types.js" */
/** @import { Phase } from "../run/types.js" */

/** Text that is not wrapped: the keys scroll it. */
const LONG_LINES = ".fl-ibody [data-kind][tabindex], .fl-md-code, .fl-md-table";

/** @type {Record<string, Command>} */
const COMMANDS = {
  ArrowRight: (app) => onward(app, 1),
  ArrowLeft: (app) => onward(app, -1),
  "Shift+ArrowRight": (app) => step(app, app.run.nextTurn(app.step)),
  "Shift+ArrowLeft": (app) => step(app, app.run.previousTurn(app.step)),
  ArrowDown: (app) => app.walk(1),
  ArrowUp: (app) => app.walk(-1),
  " ": (app) => (app.playing ? app.pause() : app.play()),
  n: (app) => compaction(app, app.run.nextCompaction(app.step), "No later compaction"),
  p: (app) => compaction(app, app.run.previousCompaction(app.step), "No earlier compaction"),
  x: (app) => failure(app, app.run.nextFailed(app.step), "No later failed attempt"),
  X: (app) => failure(app, app.run.previousFailed(app.step), "No earlier failed attempt"),
  r: (app) => recordedOne(app, 1),
  R: (app) => recordedOne(app, -1),
  t: (app) => (app.grows ? app.setFollow(!app.follows) : app.message("Only a file opened by its path can be followed")),
  g: (app) => step(app, 0),
  Home: (app) => step(app, 0),
  G: (app) => toLast(app),
  End: (app) => toLast(app),
  "/": (app) => app.open.find || app.toggle("find"),
  f: (app) => app.toggle("findings"),
  F: (app) => app.toggle("fork"),
  S: (app) => app.toggle("share"),
  P: (app) => app.present(true),
  v: (app) => app.compare(),
  o: (app) => app.toggleOverview(),
  i: enterInspector,
  w: (app) => askWhy(app),
  W: (app) => askWhy(app, -1),
  "]": (app) => turnLane(app, 1),
  "[": (app) => turnLane(app, -1),
  "?": (app) => app.toggle("help"),
  Escape: (app) => closeNewest(app),
};

/** What a key does, or nothing. @param {KeyboardEvent} event */
export function commandOf(event) {
  const name = event.shiftKey && event.key.startsWith("Arrow") ? `Shift+${event.key}` : event.key;
  if (event.key === " " && onButton(event)) return undefined; // Space presses a button that has the focus
  if (/^Arrow(Up|Down)$/.test(event.key) && within(event, OWN_ARROWS)) return undefined;
  if (/^Arrow(Left|Right)$/.test(name) && within(event, LONG_LINES)) return undefined;
  return Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
}

/** Move by hand: playback stops, and a compaction that is stepped onto may be animated. @param {App} app @param {number} to */
export function step(app, to) {
  app.pause();
  app.go(to, { animate: true });
}

/** To the last step; where a run may be followed, to its newest message from now on. @param {App} app */
export function toLast(app) {
  if (!app.extension && !app.follow) return step(app, app.run.length - 1);
  app.pause();
  app.setFollow(true);
}

/**
 * One step on or back; while a compaction is taken apart, to its next or previous phase first. While it moves, on is to the end of
 * what moves, and back to what was there before.
 * @param {App} app @param {1 | -1} by
 */
export function onward(app, by) {
  const { telling } = app.player;
  const cut = app.cutShort();
  if (cut && by > 0) return;
  const shown = takenApart(app)?.phase ?? (cut && telling ? 4 : 0);
  const phase = shown && shown + by;
  if (phase < 1 || phase > 4) return app.go(app.step + by, { animate: !cut });
  app.highlights.set({ phase: /** @type {Phase} */ (phase), at: app.step });
}

/**
 * To a compaction; forward, by way of the step before it, so that it is seen to happen.
 * @param {App} app
 * @param {number} to
 * @param {string} none
 */
export function compaction(app, to, none) {
  if (to < 0) return app.message(none);
  app.pause();
  if (to > app.step) app.go(to - 1);
  app.go(to, { animate: true, jump: true });
}

/** To a failed compaction attempt, by way of the step before it too. @param {App} app @param {number} f @param {string} none */
function failure(app, f, none) {
  if (f < 0) return app.message(app.run.view.failed.at.length ? none : "No compaction attempt has failed in this run");
  compaction(app, app.run.stepOfFailed(f), "");
}

/**
 * To the next or previous compaction that the transcript recorded, and beside it what the policy would have done.
 * @param {App} app
 * @param {1 | -1} way
 */
function recordedOne(app, way) {
  const { at } = app.run.store.header.recorded;
  if (!at.length) return app.message("The transcript has no recorded compactions");
  const none = `No ${way > 0 ? "later" : "earlier"} recorded compaction`;
  if (app.run.view.kind === "replay") return compaction(app, way > 0 ? app.run.nextCompaction(app.step) : app.run.previousCompaction(app.step), none);
  const here = recordedKey(app.selected);
  const arrived = app.run.step(app.step).messages;
  const k = here >= 0 ? here + way : way > 0 ? at.findIndex((a) => a >= arrived) : at.findLastIndex((a) => a < arrived);
  if (k < 0 || k >= at.length) return app.message(none);
  goToRecorded(app, k);
}

/** Show recorded compaction k beside the policy. @param {App} app @param {number} k */
export function goToRecorded(app, k) {
  app.pause();
  app.go(app.run.stepOfMessage(Math.max(0, app.run.store.header.recorded.at[k] - 1)));
  app.select(`r${k}`);
}

/** @param {App} app  closes what is open, the newest first; then lets go of the selection */
function closeNewest(app) {
  if (!app.layers.close()) app.select(null);
}
