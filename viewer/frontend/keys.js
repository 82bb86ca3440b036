// Keys to commands. The table is what help shows; docs and README say the same.

import { failureOf } from "./planning.js";

/** @type {{[key: string]: (app: any) => void}} */
const COMMANDS = {
  ArrowRight: (app) => step(app, app.step + 1),
  ArrowLeft: (app) => step(app, app.step - 1),
  "Shift+ArrowRight": (app) => step(app, app.run.nextTurn(app.step)),
  "Shift+ArrowLeft": (app) => step(app, app.run.previousTurn(app.step)),
  " ": (app) => (app.playing ? app.pause() : app.play()),
  n: (app) => compaction(app, app.run.nextCompaction(app.step), "No compaction follows"),
  p: (app) => compaction(app, app.run.previousCompaction(app.step), "No compaction before this"),
  x: (app) => failure(app, app.run.nextFailed(app.step), "No failed pass follows"),
  X: (app) => failure(app, app.run.previousFailed(app.step), "No failed pass before this"),
  g: (app) => step(app, 0),
  Home: (app) => step(app, 0),
  G: (app) => step(app, app.run.length - 1),
  End: (app) => step(app, app.run.length - 1),
  "/": (app) => app.open.find || app.toggle("find"),
  f: (app) => app.toggle("findings"),
  "?": (app) => app.toggle("help"),
  Escape: (app) => escape(app),
};

/**
 * What a key does, or nothing.
 * @param {KeyboardEvent} event
 */
export function commandOf(event) {
  const name = event.shiftKey && event.key.startsWith("Arrow") ? `Shift+${event.key}` : event.key;
  if (event.key === " " && onButton(event)) return undefined; // Space presses a button that has the focus
  return Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
}

/**
 * Move by hand: playback stops, and a compaction that is stepped onto may be animated.
 * @param {any} app
 * @param {number} to
 */
export function step(app, to) {
  app.pause();
  app.go(to, { animate: true });
}

/**
 * To a compaction; forward, by way of the step before it, so that it is seen to happen.
 * @param {any} app
 * @param {number} to
 * @param {string} none
 */
export function compaction(app, to, none) {
  if (to < 0) return app.message(none);
  app.pause();
  if (to > app.step) app.go(to - 1);
  app.go(to, { animate: true });
}

/**
 * To a pass that came to nothing, and what came of it.
 * @param {any} app
 * @param {number} f
 * @param {string} none
 */
function failure(app, f, none) {
  const { at } = app.run.view.failed;
  if (f < 0) return app.message(at.length ? none : "No pass has failed in this run");
  step(app, app.run.stepOfFailed(f));
  const { what, why } = failureOf(app.run, f);
  app.message(at.length > 1 ? `${what} (× ${f + 1} of ${at.length}): ${why}` : `${what}: ${why}`);
}

/** @param {any} app  closes what is open, the newest first; then lets go of the selection */
function escape(app) {
  const name = ["help", "notes", "findings", "find"].find((n) => app.open[n]);
  if (name) app.toggle(name);
  else app.select(null);
}

/** @param {Event} event  whether a person is typing or choosing in a field */
export function typing(event) {
  const at = /** @type {any} */ (event.composedPath()[0]);
  if (at?.isContentEditable || ["TEXTAREA", "SELECT"].includes(at?.tagName)) return true;
  return at?.tagName === "INPUT" && !["checkbox", "radio", "button"].includes(at.type);
}

/** @param {Event} event */
function onButton(event) {
  const at = /** @type {any} */ (event.composedPath()[0]);
  return at?.tagName === "BUTTON" || at?.tagName === "SUMMARY" || at?.getAttribute?.("role") === "tab";
}
