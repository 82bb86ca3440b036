// What is open over the page or beside it, in the order it was opened: Esc closes the newest.

import { originsOf } from "../why/origins.js";
import { takenApart } from "./shownwindow.js";
/** @import { App } from "./app.js" */

/** Whether each is open, and what closes it. @type {Record<string, {open: (app: App) => boolean, close: (app: App) => unknown}>} */
const LAYERS = {
  help: { open: (app) => app.open.help, close: (app) => app.toggle("help") },
  notes: { open: (app) => app.open.notes, close: (app) => app.toggle("notes") },
  findings: { open: (app) => app.open.findings, close: (app) => app.toggle("findings") },
  find: { open: (app) => app.open.find, close: (app) => app.leaveFind() },
  phase: { open: (app) => takenApart(app) !== null, close: (app) => app.highlights.set({ phase: null, at: -1 }) },
  sentence: { open: (app) => originsOf(app).chosen !== null, close: (app) => originsOf(app).clear() },
  why: { open: (app) => app.why.open, close: (app) => app.why.close() },
};

/** Keeps in which order they were opened. */
export class Layers {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    /** The newest first. */ this.order = Object.keys(LAYERS);
    /** @type {Set<string>} */ this.standing = new Set();
  }

  /** Something was opened or closed. */
  note() {
    for (const name of Object.keys(LAYERS)) {
      const open = LAYERS[name].open(this.app);
      if (open && !this.standing.has(name)) this.order = [name, ...this.order.filter((other) => other !== name)];
      if (open) this.standing.add(name);
      else this.standing.delete(name);
    }
  }

  /** Close the newest of what is open. @returns {boolean}  whether anything was */
  close() {
    this.note();
    const name = this.order.find((one) => this.standing.has(one));
    if (name) LAYERS[name].close(this.app);
    return name !== undefined;
  }
}
