// A compaction told to a room: beside each phase stands what its card, its losses and the overview know of it, and behind the last phase
// comes what it lost.

import { ask, compactionPath } from "../lib/api.js";
import { figures } from "../run/compactionfigures.js";
import { lostSlides } from "../run/lostslide.js";
import { phaseSentence } from "../run/phasesentences.js";
import { factsOf, occasionOf } from "../run/roomfacts.js";
import { takenApart } from "./shownwindow.js";
/** @import { App } from "./app.js" */
/** @import { StoryPath } from "./storypath.js" */
/** @import { CompactionCard, Phase, SessionOverview } from "../run/types.js" */
/** @import { Line } from "../run/roomfacts.js" */

/** A slide: `title` stands above its caption, "" of a phase. @typedef {{title: string, said: string, lines: Line[]}} Slide */

export class CompactionTelling {
  /** @param {App} app @param {StoryPath} path @param {() => void} changed */
  constructor(app, path, changed) {
    this.app = app;
    this.path = path;
    this.changed = changed;
    /** Cards by compaction; null for one that is asked for. @type {Map<number, CompactionCard | null>} */ this.cards = new Map();
    /** @type {SessionOverview | null} */ this.overview = null;
    /** The step of the compaction whose losses are on show, or -1. */ this.lostAt = -1;
    /** Which of their slides. */ this.lostPart = 0;
    /** The slide that was made last, and of what. @type {{of: string, slide: Slide | null}} */ this.made = { of: "", slide: null };
  }

  /** Ask for the cards of the recorded compaction behind the cursor and of the next: what they say is there when it is told. */
  bring() {
    const { run, step } = this.app;
    if (this.lostAt !== step) this.lostAt = -1;
    const next = run.epochOf(step);
    for (const k of [next - 1, next]) if (k >= 0 && k < run.compactions && this.#isRecorded(k)) this.#ask(k);
  }

  /** @param {number} k */
  async #ask(k) {
    const { app, cards } = this;
    if (cards.has(k)) return;
    cards.set(k, null);
    const card = await ask(app, compactionPath(app.run.view.tid, k)).catch(() => null); // the sentences of the phases stand alone
    if (this.cards !== cards) return;
    if (!card) return void cards.delete(k); // it is asked for again when the slide is drawn next
    cards.set(k, card);
    this.changed();
  }

  /** @param {number} k */
  #isRecorded(k) {
    const { run } = this.app;
    if (k < 0 || run.view.kind !== "replay" || run.view.live) return false;
    const { edit, begins } = figures(run, k);
    return !edit && !begins;
  }

  /** Whether compaction k is told by what is known of it, once what it lost is; those of a simulated run only where no story leads on. @param {number} k */
  #tells(k) {
    const { app, path } = this;
    const simulated = k >= 0 && app.run.view.kind === "simulate" && !app.run.view.live;
    return path.known && (simulated ? !path.stops.length : this.#isRecorded(k));
  }

  /** What is told of a phase of compaction k, or of what it lost; null where that is not known. @param {number} k @param {Phase} phase @param {boolean} rests @returns {Slide | null} */
  slideOf(k, phase, rests) {
    if (!this.#tells(k)) return null;
    const { app, path, cards, made } = this;
    const lost = rests && this.lostAt === app.step;
    const of = [k, lost ? `lost ${this.lostPart}` : phase, Boolean(cards.get(k)), path.rows.length, Boolean(this.overview)].join();
    if (made.of !== of) this.made = { of, slide: lost ? (this.#lost(k)[this.lostPart] ?? null) : this.#phase(k, phase) };
    return this.made.slide;
  }

  /** @param {number} k @param {Phase} phase @returns {Slide} */
  #phase(k, phase) {
    const { app, path, cards, overview } = this;
    const known = { card: cards.get(k) ?? null, row: path.rows[k] ?? null, overview };
    const said = (phase === 1 && occasionOf(known)) || phaseSentence(app.run, app.run.steps[k], k, phase);
    return { title: "", said, lines: factsOf(app.run, k, phase, known) };
  }

  /** The slides of what compaction k lost. @param {number} k */
  #lost(k) {
    const row = this.path.rows[k];
    return row ? lostSlides(this.app.run, row) : [];
  }

  /** The title of what a press at a step leads to, of what its compaction lost; "" where it leads elsewhere. @param {number} step */
  leadsToLost(step) {
    const k = this.app.run.step(step).compaction;
    return (this.#tells(k) && this.#lost(k)[this.lostAt === step ? this.lostPart + 1 : 0]?.title) || "";
  }

  /** Show what the compaction at the cursor lost, or what else it lost; says whether there is that to show. */
  toLost() {
    const { app } = this;
    if (app.show.now || (takenApart(app)?.phase ?? 4) < 4 || !this.leadsToLost(app.step)) return false;
    this.lostPart = this.lostAt === app.step ? this.lostPart + 1 : 0;
    this.lostAt = app.step;
    return true;
  }

  /** Show the last of it, as who comes from behind does. */
  toLastLost() {
    while (this.toLost());
  }

  /** Back from it to the slide before, or to the last phase; says whether it was on show. */
  fromLost() {
    if (this.lostAt !== this.app.step) return false;
    if (this.lostPart) this.lostPart -= 1;
    else this.lostAt = -1;
    return true;
  }

  destroy() {
    this.cards = new Map();
  }
}
