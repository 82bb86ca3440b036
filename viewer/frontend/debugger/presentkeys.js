// The keys of a presented run, which are those that a clicker sends, and what they do.

import { namesNothing } from "../run/effect.js";
import { compaction, onward, step } from "./keys.js";
import { hasPhases } from "./player.js";
import { storyAt, takenApart } from "./shownwindow.js";
/** @import { App } from "./app.js" */
/** @import { PhasePlayer } from "./phaseplayer.js" */
/** @import { Phase } from "../run/types.js" */

const SPEEDS = [0.25, 0.5, 1, 2, 4, 8];
/** The keys that a room's page names; ? lists the others. */
export const NAMED_KEYS = [
  ["→", "next"],
  ["←", "back"],
  ["?", "all keys"],
  ["Esc", "leave"],
];

/** The keys that do the same everywhere, as the list on ? has them. @type {import("./types.js").KeysHere["keys"]} */
const SHORTCUTS = [
  [["n", "p"], "next, previous compaction"],
  [["1", "2", "3", "4"], "stay at a phase of the compaction: trigger, partition, summarize, splice"],
  [["r"], "play the compaction again"],
  [["Space"], "play, pause"],
  [["−", "+"], "slower, faster"],
  [["Home", "End"], "the first slide, the last step"],
  [["Esc"], "leave"],
];

/** What a clicker leads through: the stops of a story, all compactions, or all messages. @typedef {"story" | "compactions" | "messages"} Route */

/** @type {[string[], string]} */
const BY_MESSAGE = [["↓", "↑"], "the next message, or the next phase of a compaction; the one before"];

/** What → and ← do. @type {Record<Route, import("./types.js").KeysHere["keys"]>} */
const ROUTE_KEYS = {
  story: [
    [["→", "←"], "the next stop of the story, or phase of its compaction; the one before; a clicker's keys do the same"],
    [["↓", "↑"], `${BY_MESSAGE[1]}; on the last slide the next change, the one before`],
  ],
  compactions: [[["→", "←"], "the next phase of a compaction, then the next compaction; the one before; a clicker's keys do the same"], BY_MESSAGE],
  messages: [
    [["→"], "the next message, or the next phase of a compaction; a clicker's key does the same"],
    [["←"], "the message, or phase of a compaction, before"],
  ],
};

/** To the end of what moves; then to the next phase of a compaction, or to the next step. @param {App} app @param {PhasePlayer} phases */
export function forward(app, phases) {
  if (app.show.now || app.cut) return app.pause(), phases.finish();
  const apart = takenApart(app);
  app.pause();
  if (apart && apart.k >= 0 && apart.phase < 4) return phases.play(app.step, /** @type {Phase} */ (apart.phase + 1), apart.phase);
  const next = app.step + 1;
  if (next >= app.run.length || app.run.step(next).compaction < 0) return onward(app, 1);
  phases.play(next, 1);
}

/** To the step before; of a compaction first to the phase before. @param {App} app @param {PhasePlayer} phases */
function back(app, phases) {
  if (unfold(app, phases)) return;
  phases.halt();
  app.highlights.set({ phase: null, at: -1 });
  onward(app, -1);
}

/** One phase of the compaction at the cursor back; says whether there was one. @param {App} app @param {PhasePlayer} phases */
export function unfold(app, phases) {
  app.pause();
  const over = app.run.step(app.step).compaction >= 0 ? 4 : 1;
  const phase = phases.until?.phase ?? takenApart(app)?.phase ?? over;
  if (phase < 2) return false;
  phases.halt();
  phases.still(app.step, /** @type {Phase} */ (phase - 1));
  return true;
}

/** To the first phase of the next compaction. @param {App} app @param {PhasePlayer} phases */
function toNext(app, phases) {
  const to = app.run.nextCompaction(app.step);
  if (to < 0) return app.message("No later compaction");
  app.pause();
  app.go(to - 1);
  phases.play(to, 1);
}

/** The compaction at the cursor once more, from its first phase. @param {App} app @param {PhasePlayer} phases */
function again(app, phases) {
  const { compaction } = app.run.step(app.step);
  if (compaction < 0 || namesNothing(app.run, compaction)) return phases.halt();
  phases.play(app.step, 1);
}

/** Whether a key is for a phase and nothing has phases at the cursor. @param {App} app @param {string} key */
export const hasNoPhase = ({ run, step }, key) => /^[1-4]$/.test(key) && !storyAt(run, step);

/** Whether a key asks for a compaction that is not there. @param {App} app @param {string} key */
export const leadsNowhere = ({ run, step }, key) =>
  (key === "n" && run.nextCompaction(step) < 0) || (key === "p" && run.previousCompaction(step) < 0);

/** Stay at a phase of what happened at the cursor. @param {App} app @param {PhasePlayer} phases @param {Phase} phase */
function stay(app, phases, phase) {
  const { compaction: k } = app.run.step(app.step);
  if (k >= 0 && !hasPhases(app.run, k)) return app.message("It has no phases to show");
  app.pause();
  phases.halt();
  phases.still(app.step, phase);
}

/** @param {App} app @param {1 | -1} by */
const pacing = (app, by) => app.setSpeed(SPEEDS[Math.max(0, Math.min(SPEEDS.length - 1, SPEEDS.indexOf(app.speed) + by))]);

/** @type {Record<string, (app: App, phases: PhasePlayer) => void>} */
export const COMMANDS = {
  ArrowRight: forward,
  PageDown: forward,
  Enter: forward,
  ArrowLeft: back,
  PageUp: back,
  ArrowDown: forward,
  ArrowUp: back,
  n: toNext,
  p: (app) => compaction(app, app.run.previousCompaction(app.step), "No earlier compaction"),
  g: (app) => step(app, 0),
  Home: (app) => step(app, 0),
  End: (app) => step(app, app.run.length - 1),
  " ": (app, phases) => (phases.halt(), app.playing ? app.pause() : app.play()),
  r: again,
  1: (app, phases) => stay(app, phases, 1),
  2: (app, phases) => stay(app, phases, 2),
  3: (app, phases) => stay(app, phases, 3),
  4: (app, phases) => stay(app, phases, 4),
  "-": (app) => pacing(app, -1),
  "−": (app) => pacing(app, -1),
  "+": (app) => pacing(app, 1),
  "=": (app) => pacing(app, 1),
};

/** The keys that lead to what stands first. */
export const FIRST = ["Home", "g"];

/** The keys that set the pace, and leave the slide where it is. */
export const PACING = ["-", "−", "+", "="];

/** The keys of a clicker, and whether they lead on or back. @type {Record<string, 1 | -1>} */
export const CLICKER = { ArrowRight: 1, PageDown: 1, Enter: 1, ArrowLeft: -1, PageUp: -1 };

/** All keys, as the list on ? has them. @param {Route} route @returns {import("./types.js").KeysHere["keys"]} */
export const helpKeys = (route) => [...ROUTE_KEYS[route], ...SHORTCUTS];
