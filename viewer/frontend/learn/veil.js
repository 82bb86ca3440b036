// What is covered until it is guessed: everywhere a figure would show, seen or heard. The style sheet draws the covers.
/** @import { App } from "../debugger/app.js" */
/** @import { Lessons } from "./lessons.js" */

/** Where a person may press while they guess: the messages. */
const OPEN = ".fl-slot-window .fl-scroll";
const PRESSED = /** @type {const} */ (["click", "pointerdown", "dblclick", "change"]);

export class Veil {
  /** @param {App} app @param {Lessons} lessons @param {(why: string) => void} refused  something was pressed that would show what is covered */
  constructor(app, lessons, refused) {
    this.app = app;
    this.lessons = lessons;
    /** @type {string[]} */ this.names = [];
    this.stop = new AbortController();
    const on = { capture: true, signal: this.stop.signal };
    for (const type of PRESSED) app.root.addEventListener(type, (event) => this.#pressed(event, refused), on);
  }

  /** Cover these; after a step, on the timeline. @param {string[]} names @param {number} step */
  draw(names, step) {
    const { app } = this;
    this.names = names;
    app.later = !this.lessons.asking;
    app.root.toggleAttribute("data-later", app.later);
    if (names.length) app.root.dataset.veil = names.join(" ");
    else delete app.root.dataset.veil;
    if (names.length && !app.later)
      app.root.dataset.asked = names[0]; // one question at a time: what else is covered waits quietly
    else delete app.root.dataset.asked;
    app.covered = names.includes("timeline-after") ? step + 1 : Infinity;
    app.unparted = names.includes("regions");
    app.notify({ veil: true });
  }

  /** @param {Event} event @param {(why: string) => void} refused */
  #pressed(event, refused) {
    if (!this.lessons.held || (event.target instanceof Element && event.target.closest(OPEN))) return;
    event.stopPropagation();
    event.preventDefault();
    if (event.type === "click") refused(this.lessons.asking ? "Guess first: it is covered until then" : "Covered until the next step");
  }

  destroy() {
    this.stop.abort();
  }
}
