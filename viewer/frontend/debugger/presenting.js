// A run in front of a room: large type, the timeline and the window alone, driven by the keys that a clicker sends. Esc returns.

import { attribute, el, visible, write } from "../lib/dom.js";
import { int } from "../lib/format.js";
import { announcement, phaseAnnouncement } from "../run/announcing.js";
import { titleWords } from "../run/headerwords.js";
import { compaction, onward, step } from "./keys.js";
import { Room } from "./room.js";
import { shown } from "./shownwindow.js";
/** @import { App } from "./app.js" */
/** @import { Command, Part } from "./types.js" */

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

/** The part: what stands around the debugger while `app.presenting`. @param {HTMLElement} _ @param {App} app @returns {Part} */
export function part(_, app) {
  /** @type {Presented | null} */ let now = null;
  const end = () => {
    now?.destroy();
    now = null;
  };
  const update = () => {
    if (!app.presenting) return end();
    now ??= new Presented(app);
    now.draw();
  };
  return { update, stop: end, commandOf: (event) => (now && app.presenting ? commandOf(event) : undefined) };
}

class Presented {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.room = new Room(app.root);
    this.room.name(KEYS);
    this.room.follow(app);
    this.room.watch(app, () => app.run?.length && this.#say());
    app.root.prepend(this.room.top, this.room.caption);
    app.grid.after(this.room.foot);
    document.documentElement.dataset.flPresent = "true";
    app.root.toggleAttribute("data-present", true);
  }

  draw() {
    const { room, app } = this;
    const { header } = app.run.store;
    write(room.title, titleWords(header.title) || "Untitled session");
    write(room.count, `step ${int(app.step)} of ${int(app.run.length - 1)}`);
    room.drawPace(app.speed, app.playing ? "playing" : "");
    this.#say();
  }

  /** What happens at the cursor: a compaction, the phase of it that is shown, or the message that arrived. */
  #say() {
    const { room, app } = this;
    const { run } = app;
    const { k, phase, step: at } = shown(app);
    attribute(room.foot, "data-on", String(k >= 0));
    if (k >= 0 && phase) return write(room.caption, phaseAnnouncement(run, app.step, k, phase));
    if (k >= 0) return write(room.caption, announcement(run, k));
    const row = run.pool.row(run.step(at).messages - 1);
    const who = el("span", { class: "fl-present-who", text: `${visible(row.label || row.role)} ` });
    room.caption.replaceChildren(who, el("span", { dir: "auto", text: visible(row.preview) }));
  }

  destroy() {
    this.room.destroy();
    this.app.root.toggleAttribute("data-present", false);
    delete document.documentElement.dataset.flPresent;
  }
}

/** What a key does in front of a room; those that would open what is hidden there do nothing. @param {KeyboardEvent} event @returns {Command} */
function commandOf({ key, shiftKey }) {
  const name = key.length === 1 ? key.toLowerCase() : key;
  if (name === "Escape" || (name === "p" && shiftKey)) return (app) => app.present(false);
  return Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : () => {};
}

/** To the end of what moves, then on. @param {App} app */
const forward = (app) => (app.show.now ? app.show.end() : onward(app, 1));

/** The compaction at the cursor once more. @param {App} app */
function again(app) {
  if (app.run.step(app.step).compaction < 0) return;
  const at = app.step;
  app.highlights.set({ phase: null, at: -1 });
  app.go(at - 1, { jump: false });
  app.show.moved = -Infinity; // as one who has waited: at the chosen pace
  app.go(at, { animate: true, jump: false });
}

/** @param {App} app @param {1 | -1} by */
const pacing = (app, by) => app.setSpeed(SPEEDS[Math.max(0, Math.min(SPEEDS.length - 1, SPEEDS.indexOf(app.speed) + by))]);

/** @type {Record<string, Command>} */
const COMMANDS = {
  ArrowRight: forward,
  PageDown: forward,
  Enter: forward,
  ArrowLeft: (app) => onward(app, -1),
  PageUp: (app) => onward(app, -1),
  n: (app) => compaction(app, app.run.nextCompaction(app.step), "No later compaction"),
  p: (app) => compaction(app, app.run.previousCompaction(app.step), "No earlier compaction"),
  g: (app) => step(app, 0),
  Home: (app) => step(app, 0),
  End: (app) => step(app, app.run.length - 1),
  " ": (app) => (app.playing ? app.pause() : app.play()),
  r: again,
  "-": (app) => pacing(app, -1),
  "−": (app) => pacing(app, -1),
  "+": (app) => pacing(app, 1),
  "=": (app) => pacing(app, 1),
};
