// A run in front of a room: large type, the timeline and the window alone, driven by the keys that a clicker sends. Each press is a
// step, or a phase of a compaction. Esc returns.

import { Asker, lossesPath, messagePath, overviewPath } from "../lib/api.js";
import { attribute, el, visible, write } from "../lib/dom.js";
import { pluralize } from "../lib/format.js";
import { fromBeginning } from "../run/beginning.js";
import { titleWords } from "../run/headerwords.js";
import { headline } from "../run/headline.js";
import { openingLines } from "../run/openingslide.js";
import { phaseSentence, splicedSentence } from "../run/phasesentences.js";
import { forgottenRule, ruleNote, takenNote } from "../run/rulestory.js";
import { tilde } from "../run/sections.js";
import { summaryNotes } from "../run/summarynotes.js";
import { compaction, onward, step } from "./keys.js";
import { PhasePlayer } from "./phaseplayer.js";
import { Room } from "./room.js";
import { shown, takenApart } from "./shownwindow.js";
import { positionWords } from "./transport.js";
/** @import { App } from "./app.js" */
/** @import { Run } from "../run/model.js" */
/** @import { Command, Part } from "./types.js" */
/** @import { Phase } from "../run/types.js" */

/** A room reads while it looks: compactions, and playback, take twice the time. */
const FOR_A_ROOM = 0.5;
/** Characters of a message in the caption, which has six lines. */
const CAPTION = 150;
const SPEEDS = [0.25, 0.5, 1, 2, 4, 8];
const KEYS = [
  ["→", "next"],
  ["←", "back"],
  ["N P", "compaction"],
  ["1 – 4", "phase"],
  ["R", "again"],
  ["Space", "play"],
  ["− +", "speed"],
  ["Esc", "leave"],
];

/** The same, told at length. @type {import("./types.js").KeysHere["keys"]} */
const SHORTCUTS = [
  [["→"], "the next message, or the next phase of a compaction; a clicker's key does the same"],
  [["←"], "the message or compaction before"],
  [["N", "P"], "next, previous compaction"],
  [["1", "2", "3", "4"], "a phase of the compaction: trigger, partition, summarize, splice"],
  [["R"], "play the compaction again"],
  [["Space"], "play, pause"],
  [["−", "+"], "slower, faster"],
  [["Home", "End"], "first, last step"],
  [["Esc"], "leave"],
];

/** The part: what stands around the debugger while `app.presenting`. @param {HTMLElement} _ @param {App} app @returns {Part} */
export function part(_, app) {
  /** @type {Presented | null} */ let now = null;
  const end = () => {
    const was = now;
    now = null;
    was?.destroy();
  };
  const update = () => {
    if (!app.presenting) return end();
    now ??= new Presented(app);
    now.draw();
  };
  return { update, stop: end, commandOf: (event) => (now && app.presenting ? now.commandOf(event) : undefined) };
}

class Presented {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.phases = new PhasePlayer(app);
    this.asker = new Asker(app);
    /** How fast it was, for who comes back from the room. */ this.pace = app.speed;
    app.speed = Math.min(FOR_A_ROOM, app.speed);
    app.keysHere = () => ({ keys: SHORTCUTS, alone: true });
    this.room = new Room(app.root);
    this.room.name(KEYS);
    this.room.follow(app);
    this.room.watch(app, () => app.run?.length && this.#say());
    /** What the summary of a compaction says. */ this.said = el("div", { class: "fl-present-said", hidden: true });
    /** What the step has to do with what the run forgets. */ this.note = el("p", { class: "fl-present-note", hidden: true });
    this.told = el("section", { class: "fl-card fl-present-told", "aria-label": "What happens" }, this.room.caption, this.said, this.note);
    /** What compactions took, once that is known. @type {import("../run/types.js").CompactionLosses[]} */ this.rows = [];
    this.losses = new Asker(app);
    /** The step whose slide is the opening, until the first key; -1 from then on. */ this.opensAt = app.opens ? app.step : -1;
    /** What the opening says. @type {{who: string, said: string}[]} */ this.opening = [];
    this.overview = new Asker(app);
    this.#learn();
    this.#open();
    app.root.prepend(this.room.top, this.told);
    app.grid.after(this.room.foot);
    document.documentElement.dataset.flPresent = "true";
    app.root.toggleAttribute("data-present", true);
  }

  /** Ask what the session is, for its opening. */
  #open() {
    const { run } = this.app;
    const take = (/** @type {import("../run/types.js").SessionOverview} */ found) => {
      this.opening = openingLines(run, found);
      this.#say();
    };
    if (this.opensAt >= 0) this.overview.ask(overviewPath(run.store.header.sid), take, () => {}); // the title stands alone
  }

  /** Ask what is lost; a run that still grows is not asked about. */
  #learn() {
    const { run } = this.app;
    if (!run?.compactions || run.view.live) return;
    const take = (/** @type {import("../run/types.js").LossPage} */ { rows }) => {
      this.rows = rows;
      this.#say();
    };
    this.losses.ask(lossesPath(run.view.tid), take, () => {}); // the story is told without it
  }

  draw() {
    const { room, app } = this;
    const { header } = app.run.store;
    write(room.title, titleWords(header.title) || "Untitled session");
    write(room.count, positionWords(app.run, app.step));
    room.drawPace(app.speed, app.playing ? "playing" : "");
    this.#say();
  }

  /** What happens at the cursor: a compaction, the phase of it that is shown, or the message that arrived. */
  #say() {
    const { room, app } = this;
    const { run } = app;
    const { k, phase, step: at } = shown(app);
    attribute(room.foot, "data-on", String(k >= 0));
    if (k < 0) write(room.ahead, ahead(run, app.step));
    if (k < 0 && app.step === this.opensAt) return this.#begin();
    const rests = k < 0 || (phase ?? 4) === 4;
    const note = rests ? this.#noted(at) : "";
    write(this.note, visible(note));
    this.note.hidden = !note;
    const took = rests ? this.#rowAt(at) : undefined;
    this.#quote(took ? summaryNotes(took) : []);
    if (phase) return write(room.caption, phaseSentence(run, app.step, k, phase));
    if (k >= 0) return write(room.caption, splicedSentence(run, k));
    const place = run.step(at).messages - 1;
    const row = run.pool.row(place);
    const { who, said } = headline(row, tilde(run));
    const words = el("span", { dir: "auto", text: visible(said) });
    room.caption.replaceChildren(el("span", { class: "fl-present-who", text: `${visible(who)} ` }), words);
    if (said === row.preview) this.#complete(words, place, said);
  }

  /** What the step has to do with the rule that is forgotten; of another compaction, what it took. @param {number} at */
  #noted(at) {
    const forgotten = forgottenRule(this.rows);
    const row = this.#rowAt(at);
    return (forgotten && ruleNote(this.app.run, forgotten, at)) || (row ? takenNote(row) : "");
  }

  /** What was lost at the compaction of a step. @param {number} at */
  #rowAt(at) {
    return this.rows.find(({ step }) => step === at);
  }

  /** The opening: which session this is, and what the user asked for. */
  #begin() {
    write(this.room.caption, titleWords(this.app.run.store.header.title) || "Untitled session");
    this.note.hidden = true;
    this.#quote(this.opening);
  }

  /** What a summary says, of which the window has one cut line; or what the session is. @param {{who: string, said: string}[]} lines */
  #quote(lines) {
    const words = lines.map(({ who, said }) => [
      el("span", { class: "fl-present-who", text: who && `${who} ` }),
      el("span", { dir: "auto", text: visible(said) }),
    ]);
    this.said.replaceChildren(...words.map((parts) => el("p", {}, ...parts)));
    this.said.hidden = !lines.length;
  }

  /** A beginning that is cut goes on to the end of its sentence, once the message is here. @param {HTMLElement} said @param {number} place @param {string} preview */
  #complete(said, place, preview) {
    const { app, asker } = this;
    asker.drop();
    if (!preview.endsWith("…") || app.run.view.live) return;
    const path = messagePath(app.run.store.header.sid, place);
    asker.ask(
      path,
      (/** @type {{content?: string}} */ { content = "" }) => write(said, visible(fromBeginning(preview, content, CAPTION))),
      () => {}, // the beginning stands
    );
  }

  /** What a key does in front of a room; those that would open what is hidden there do nothing. @param {KeyboardEvent} event @returns {Command} */
  commandOf({ key, shiftKey }) {
    const name = key.length === 1 ? key.toLowerCase() : key;
    if (name === "?") return (app) => app.toggle("help");
    if (name === "Escape" || (name === "p" && shiftKey)) return (app) => app.present(false);
    return Object.hasOwn(COMMANDS, name) ? (app) => this.#do(COMMANDS[name], app) : () => {};
  }

  /** A key ends the opening. @param {(app: App, phases: PhasePlayer) => void} command @param {App} app */
  #do(command, app) {
    this.opensAt = -1;
    command(app, this.phases);
    this.#say();
  }

  destroy() {
    for (const asker of [this.asker, this.losses, this.overview]) asker.drop();
    this.room.destroy();
    this.told.remove();
    this.phases.halt();
    this.phases.stop();
    this.app.setSpeed(this.pace);
    this.app.keysHere = null;
    this.app.root.toggleAttribute("data-present", false);
    delete document.documentElement.dataset.flPresent;
  }
}

/** What comes: "The next compaction is 12 steps ahead: key N". @param {Run} run @param {number} step */
function ahead(run, step) {
  const next = run.nextCompaction(step);
  if (next < 0) return run.compactions ? "No later compaction" : "No compaction in this run";
  return `The next compaction is ${pluralize(next - step, "step")} ahead: key N`;
}

/** To the end of what moves; then to the next phase of a compaction, or to the next step. @param {App} app @param {PhasePlayer} phases */
function forward(app, phases) {
  if (app.show.now) return phases.finish();
  const apart = takenApart(app);
  if (apart && apart.k >= 0 && apart.phase < 4) return phases.play(app.step, /** @type {Phase} */ (apart.phase + 1), apart.phase);
  const next = app.step + 1;
  if (next >= app.run.length || app.run.step(next).compaction < 0) return onward(app, 1);
  app.pause();
  phases.play(next, 1);
}

/** @param {App} app @param {PhasePlayer} phases */
function back(app, phases) {
  phases.halt();
  onward(app, -1);
}

/** To the first phase of the next compaction. @param {App} app @param {PhasePlayer} phases */
function toNext(app, phases) {
  const to = app.run.nextCompaction(app.step);
  if (to < 0) return app.message("No later compaction");
  app.pause();
  app.go(to - 1);
  phases.play(to, 1);
}

/** The compaction at the cursor once more, without a stop. @param {App} app @param {PhasePlayer} phases */
function again(app, phases) {
  if (app.run.step(app.step).compaction < 0) return phases.halt();
  phases.play(app.step, 4);
}

/** @param {App} app @param {1 | -1} by */
const pacing = (app, by) => app.setSpeed(SPEEDS[Math.max(0, Math.min(SPEEDS.length - 1, SPEEDS.indexOf(app.speed) + by))]);

/** @type {Record<string, (app: App, phases: PhasePlayer) => void>} */
const COMMANDS = {
  ArrowRight: forward,
  PageDown: forward,
  Enter: forward,
  ArrowLeft: back,
  PageUp: back,
  n: toNext,
  p: (app) => compaction(app, app.run.previousCompaction(app.step), "No earlier compaction"),
  g: (app) => step(app, 0),
  Home: (app) => step(app, 0),
  End: (app) => step(app, app.run.length - 1),
  " ": (app, phases) => (phases.halt(), app.playing ? app.pause() : app.play()),
  r: again,
  "-": (app) => pacing(app, -1),
  "−": (app) => pacing(app, -1),
  "+": (app) => pacing(app, 1),
  "=": (app) => pacing(app, 1),
};
