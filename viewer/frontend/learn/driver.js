// Drives the debugger to the scene of a step, covers what is asked for, and plays what the answer is about.

import { App } from "../debugger/app.js";
import { PhasePlayer } from "../debugger/phaseplayer.js";
import { fetchJson } from "../lib/json.js";
import { problemText } from "../lib/problem.js";
import { Run } from "../run/model.js";
import { storeOf, viewOf } from "../run/views.js";
import { keysHere } from "./shortcuts.js";
import { Slots } from "./slots.js";
import { ToCome } from "./tocome.js";
import { Veil } from "./veil.js";
/** @import { Lessons } from "./lessons.js" */
/** @import { FateFigure, Figure, Scene } from "./types.js" */
/** @import { Store } from "../run/decode.js" */
/** @import { Phase } from "../run/types.js" */

export class Driver {
  /** @param {HTMLElement} parent @param {Lessons} lessons */
  constructor(parent, lessons) {
    this.lessons = lessons;
    this.app = new App(parent, null, lessons.alone ? "exported lesson" : "lesson");
    this.app.tell = (name, value) => name === "dropped" && lessons.choose(value);
    this.app.keysHere = () => keysHere(lessons);
    this.veil = new Veil(this.app, lessons, (why) => this.app.message(why));
    this.slots = new Slots(this.app, (key) => lessons.suppose(key));
    this.toCome = new ToCome(this.app);
    this.page = parent.closest(".fl-learn-page");
    this.app.parts.push({ name: "lesson", part: { update: (_, change) => this.#noticed(change) } });
    this.phases = new PhasePlayer(this.app);
    for (const moved of [this.app.show, this.app.highlights]) moved.watch(() => this.#told());
    this.order = 0;
    /** What the debugger shows, as asked of the server. */ this.shown = "";
    /** Whether the scene of the step is on its way; whether it did not come. */ this.comes = false;
    this.failed = false;
    /** Whether it is to be played once it is there. */ this.wanted = false;
    /** Whether a phase is about to play: the compaction does not stand yet where it begins. */ this.begins = false;
    /** The step of a lesson that is shown, and whether its scene stands at the end of its run, however long others are. */
    this.stood = "";
    this.atEnd = false;
  }

  /** Show the step that is open, or the same with other settings. */
  async draw() {
    const { lessons } = this;
    const { scene, data } = lessons;
    if (!scene || !data) return;
    const order = ++this.order;
    const query = sceneQuery(scene);
    Object.assign(this, { comes: true, failed: false, wanted: false });
    try {
      if (query !== this.shown) {
        const { sid, tid } = await fetchJson(`api/scene?${query}`);
        const [store, view] = await Promise.all([storeOf(sid), viewOf(tid)]);
        if (order !== this.order) return;
        this.#open(new Run(shownOf(store, scene), { ...view, sid, stamp: tid }), scene, query);
      }
      this.comes = false;
      this.#stand();
      this.#told();
      if (this.wanted) this.plays();
    } catch (error) {
      if (order !== this.order) return;
      Object.assign(this, { comes: false, failed: true });
      this.app.fail(problemText(error));
    }
  }

  /** @param {Run} run @param {Scene} scene @param {string} query */
  #open(run, scene, query) {
    this.veil.draw(this.#covers, this.#last(run));
    this.app.setRun(run, { query: { source: scene.source }, start: String(scene.step) });
    /** @type {HTMLElement | null} */ (this.page)?.style.setProperty("--rows", String(run.n));
    this.shown = query;
  }

  /** What is covered now. */
  get #covers() {
    return this.lessons.covered;
  }

  /** The last step that a covered timeline shows. @param {Run} run */
  #last(run) {
    const { scene } = this.lessons;
    return scene ? Math.min(scene.step, run.length - 1) : 0;
  }

  /** The cursor goes where the step wants it; a compaction that is taken apart is one phase behind what is asked. */
  #stand() {
    const { app, lessons } = this;
    const { scene, asking, data } = lessons;
    if (!scene || !app.run?.length) return;
    this.phases.halt();
    app.root.toggleAttribute("data-numbered", data?.ask?.kind === "message"); // what is answered by a number shows it
    this.#note(scene.step);
    const places = asking && data?.ask?.kind === "place";
    app.unplaced = places; // what is written is there, where it lands is not seen before
    this.veil.draw(this.#covers, this.#last(app.run));
    if (!data?.task) app.select(null);
    const phase = scene.phase && asking ? /** @type {Phase} */ (Math.max(1, scene.phase - 1)) : scene.phase;
    if (phase) this.still(phase);
    else this.#rest(this.atEnd ? app.run.length - 1 : lessons.resets ? this.#compaction(scene.step) : scene.step);
    this.slots.draw(places ? (data?.ask?.choices ?? []) : [], lessons.guess);
    this.#follow();
  }

  /** @param {number} step */
  #note(step) {
    const { lesson, step: number } = this.lessons.place;
    if (this.stood === `${lesson}.${number}`) return;
    this.stood = `${lesson}.${number}`;
    this.atEnd = this.lessons.resets && step >= this.app.run.length - 1;
  }

  /** The cursor at rest; with other settings the compaction may stand elsewhere. @param {number} step */
  #rest(step) {
    this.app.highlights.set({ phase: null, at: -1 });
    this.app.go(step, { jump: false });
  }

  /** The compaction at this step, or the next one; the step itself without one. @param {number} step */
  #compaction(step) {
    const { run } = this.app;
    if (run.step(run.clamp(step)).compaction >= 0) return step;
    const next = run.nextCompaction(step - 1);
    return next >= 0 ? next : step;
  }

  /** The compaction of the scene, standing still at a phase. @param {Phase} phase */
  still(phase) {
    this.phases.still(this.#compaction(this.lessons.scene?.step ?? 0), phase);
  }

  /** The answer is shown: what was covered is there, and the compaction plays as far as the step is about. */
  reveal() {
    const { app, lessons } = this;
    const { scene } = lessons;
    if (!scene || !app.run) return;
    app.unplaced = false;
    this.veil.draw(this.#covers, this.#last(app.run));
    this.slots.draw([], null);
    if (lessons.data?.ask?.kind === "message") app.select(`m${lessons.data.ask.answer}`);
    else app.select(null);
    if (typeof lessons.data?.then === "number") this.#rest(scene.step);
    this.#follow();
    if (scene.phase)
      this.play(scene.phase, scene.phase > 1 ? /** @type {Phase} */ (scene.phase - 1) : null); // what came before was seen
    else app.root.focus({ preventScroll: true });
  }

  /** Why follows the texts of an answer: their lines stand below the timeline, the cursor where the first of them was lost. */
  #follow() {
    const { app, lessons } = this;
    const fates = lessons.revealed ? fatesOf(lessons.figure) : [];
    while (app.why.lanes.length) app.why.remove(0);
    for (const { text } of fates) app.why.ask(text);
    app.why.choose(0);
    const lost = fates.flatMap(({ marks }) => marks.filter((mark) => mark.is !== "held")).at(0);
    if (lost) app.go(lost.step, { jump: false });
  }

  /** What is to be watched plays, or, where it plays, is at its end at once; one that is on its way plays when it is there. @returns {boolean}  whether there was something */
  plays() {
    const { app, lessons } = this;
    if (!lessons.watches || this.failed || (!this.comes && lessons.grows && app.step >= app.run.length - 1)) return false;
    if (this.comes) this.wanted = true;
    else if (lessons.apart) this.#parts();
    else if (app.playing) app.go(app.run.length - 1, { jump: false });
    else app.play();
    return true;
  }

  /** The next phase of the compaction plays, or is at its end at once. */
  #parts() {
    const { phase } = this.lessons;
    if (this.app.show.now) this.phases.finish();
    else this.play(/** @type {Phase} */ (phase + 1), /** @type {Phase} */ (phase));
  }

  /** What moves, and how far the compaction of the step was told, for who says what → does. */
  #told() {
    const { app, lessons } = this;
    if (this.comes || this.begins || !app.run?.length || !lessons.scene) return;
    const moves = app.playing || app.show.now !== null;
    const here = app.step === this.#compaction(lessons.scene.step);
    const phase = here && !moves ? (app.highlights.now.phase ?? 4) : lessons.phase;
    if (moves !== lessons.moves || phase !== lessons.phase) lessons.stood({ moves, phase });
  }

  /** Play the compaction of the scene to the end of a phase, from its beginning or from the end of one before. @param {Phase} phase @param {Phase | null} [from] */
  play(phase, from = null) {
    this.begins = true;
    this.phases.play(this.#compaction(this.lessons.scene?.step ?? 0), phase, from);
    this.begins = false;
    this.#told();
  }

  /** @param {import("../debugger/types.js").Change} change */
  #noticed(change) {
    const { lessons, app } = this;
    if (change.step) lessons.stood({ cursor: app.step });
    this.#told();
    const [, index] = /^m(\d+)$/.exec(app.selected ?? "") ?? [];
    if (change.selected && index && lessons.asking && lessons.data?.ask?.kind === "message") lessons.suppose(Number(index));
    if (change.selected) lessons.read(this.#reads);
    if (this.slots.shown) requestAnimationFrame(() => this.slots.place());
    requestAnimationFrame(() => this.toCome.draw(this.lessons.tells));
  }

  /** Whether what is chosen is there to be read, and is no answer. */
  get #reads() {
    const { app, lessons } = this;
    const { ask = null } = lessons.data ?? {};
    if (ask?.kind !== "message") return app.selected !== null;
    return app.selected !== null && !lessons.asking && app.selected !== `m${ask.answer}`;
  }

  destroy() {
    this.order++;
    this.phases.stop();
    this.veil.destroy();
    this.app.destroy();
  }
}

/** The threads of a figure. @param {Figure | null} figure @returns {FateFigure[]} */
const fatesOf = (figure) => (figure?.kind === "many" ? figure.figures.flatMap(fatesOf) : figure?.kind === "fate" ? [figure] : []);

/** The session of a scene: behind another policy than its own it is shown without what it recorded. @param {Store} store @param {Scene} scene @returns {Store} */
function shownOf(store, { policy }) {
  const { header } = store;
  if (policy === "recorded") return store;
  const recorded = { ...header.recorded, at: [], before: [], after: [], left: [], edits: [], prompts: { at: [], tokens: [] } };
  return { ...store, header: { ...header, recorded } };
}

/** @param {Scene} scene */
function sceneQuery({ source, session, policy, settings, meter, summaries }) {
  const query = { source, policy, settings: JSON.stringify(settings), meter, summaries, ...(session ? { session } : {}) };
  return new URLSearchParams(query).toString();
}
