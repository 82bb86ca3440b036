// The run as one change would have made it, for a room: it takes the place of the real run on the slide that tells of it, and gives it back.

import { stepLike } from "../run/leftplaces.js";
import { Run } from "../run/model.js";
import { viewOf } from "../run/views.js";
import { nameOf } from "./keepers.js";
/** @import { App } from "./app.js" */
/** @import { Fix } from "../why/types.js" */

/** What of the address says which messages a run has. */
const SESSION = ["source", "session", "lane", "meter"];

export class OtherRun {
  /** @param {App} app @param {() => void} arrived */
  constructor(app, arrived) {
    this.app = app;
    this.arrived = arrived;
    /** The change that is asked about. @type {Fix | null} */ this.fix = null;
    /** What it would have made of the run; null until that is known. @type {Run | null} */ this.run = null;
    /** The runs of the changes that were asked about. @type {Map<Fix, Run>} */ this.runs = new Map();
    /** The run that it stands in for, and the step there. @type {{run: Run, step: number} | null} */ this.real = null;
    /** The step of it that is shown. */ this.step = -1;
  }

  /** Ask for the run of a change; an exported file has none. @param {Fix | null} fix */
  async ask(fix) {
    const { app } = this;
    if (!fix || fix === this.fix || app.alone) return;
    this.fix = fix;
    const run = this.runs.get(fix) ?? (await runWith(app, fix).catch(() => null)); // the slide then names the change alone
    if (this.fix !== fix || !run) return;
    this.runs.set(fix, run);
    this.run = run;
    this.arrived();
  }

  /** The run of another change in place of the one that is shown; until that is known, the real one. @param {Fix | null} fix */
  turn(fix) {
    const { app, real, shown } = this;
    Object.assign(this, { fix: null, run: null, real: null });
    if (real && shown) replaceRun(app, real.run, real.step, "");
    return this.ask(fix);
  }

  /** Whether it is what is shown. */
  get shown() {
    return this.real !== null && this.app.run === this.run;
  }

  /** Show it at the place of a step of the real run. @param {number} step */
  show(step) {
    const { app, run, fix } = this;
    if (!run || !fix || this.shown) return;
    this.real = { run: app.run, step: app.step };
    const { messages, kind } = app.run.step(step);
    this.step = stepLike(run, messages, kind === "compaction");
    replaceRun(app, run, this.step, `, with ${nameOf(app, fix)}`);
  }

  /** Whether the cursor has left the step that is shown. */
  get moved() {
    return this.shown && this.app.step !== this.step;
  }

  /** Back to the real run, at the message that the cursor has moved to: who moves it writes the address. */
  follow() {
    const { app, real } = this;
    if (!real) return;
    this.real = null;
    const { messages, kind } = app.run.step(app.step);
    replaceRun(app, real.run, stepLike(real.run, messages, kind === "compaction"), "");
  }

  /** Back to the real run, unless another one has come. */
  leave() {
    const { app, real, shown } = this;
    this.real = null;
    if (!real) return;
    replaceRun(app, shown ? real.run : app.run, shown ? real.step : app.step, "");
    if (!app.stopped.signal.aborted) app.writeAddress(); // else it is that of another page
  }

  destroy() {
    this.fix = null;
    this.leave();
  }
}

/** @param {App} app @param {Run} run @param {number} step @param {string} change  that the title of the window names */
function replaceRun(app, run, step, change) {
  app.show.end();
  Object.assign(app, { run, step, change });
  app.notify({ run: true, step: true });
}

/** The run of a change, of the messages that are shown; null where it is not the one that was tried. @param {App} app @param {Fix} fix */
async function runWith(app, fix) {
  const { store, view } = app.run;
  const { sid, tid } = await app.get(`api/scene?${sceneQuery(app, fix)}`);
  if (sid !== store.header.sid) return null;
  const found = new Run(store, { ...(await viewOf(tid)), sid, stamp: tid });
  return tid !== view.tid && String(found.view.c.at) === String(fix.compacted_at) ? found : null;
}

/** @param {App} app @param {Fix} fix */
function sceneQuery({ query }, { query: { policy, summaries = "", pin = "", ...settings } }) {
  const session = SESSION.map((name) => [name, String(query[name] ?? "")]);
  return new URLSearchParams([
    ...session,
    ["policy", String(policy)],
    ["summaries", String(summaries)],
    ["pin", String(pin)],
    ["settings", JSON.stringify(settings)],
  ]);
}
