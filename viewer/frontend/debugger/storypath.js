// The path through a presented run: the few stops of the rule that it forgot, and what would have kept that. A run that forgot no rule that
// it needed has none.

import { Asker, lossesPath } from "../lib/api.js";
import { ALL } from "../run/losspages.js";
import { forgottenRule } from "../run/rulestory.js";
import { stopsOf } from "../run/storyslides.js";
import { advised, keeperNames, keepers, tries } from "./keepers.js";
/** @import { App } from "./app.js" */
/** @import { Stop } from "../run/storyslides.js" */
/** @import { Fix } from "../why/types.js" */
/** @import { CompactionLosses, LossPage } from "../run/types.js" */

export class StoryPath {
  /** @param {App} app @param {() => void} changed */
  constructor(app, changed) {
    this.app = app;
    this.changed = changed;
    this.asker = new Asker(app);
    this.halt = new AbortController();
    /** What compactions took, as far as that is known. @type {CompactionLosses[]} */ this.rows = [];
    /** Whether that is all: until then nobody knows whether there is a story. */ this.known = false;
    /** Whether it is known of every compaction. */ this.whole = false;
    /** Whether nobody looked when sentences were needed, as the session is too long. */ this.unsought = false;
    /** Stops in the order of the run. @type {Stop[]} */ this.stops = [];
    /** What would have kept it, named; null while that is being tried. @type {(Node | string)[] | null} */ this.kept = [];
    /** The changes that would have kept it, as far as that is known. @type {Fix[]} */ this.keepers = [];
    /** Which of them is shown. */ this.chosen = 0;
    /** Whether that is what the makers of the agent advise. */ this.advice = false;
    /** Whether the slide is the last: what would have kept it. */ this.ended = false;
  }

  /** Ask what is lost; a run that still grows is not asked about. */
  learn() {
    if (this.sought) this.#ask(0);
  }

  /** Whether it is still being worked out. */
  get sought() {
    const { run } = this.app;
    return run.compactions > 0 && !run.view.live && !this.known;
  }

  /** @param {number} from */
  #ask(from) {
    const take = (/** @type {LossPage} */ { total, rows, unsought = false }) => {
      this.rows = [...this.rows, ...rows];
      this.unsought = unsought;
      this.whole = this.rows.length >= total;
      if (rows.length && this.rows.length < Math.min(total, ALL)) this.#ask(this.rows.length);
      else this.known = true;
      if (this.whole) this.#tell();
      this.changed();
    };
    const without = () => {
      this.known = true;
      this.changed();
    };
    this.asker.ask(lossesPath(this.app.run.view.tid, from), take, without);
  }

  #tell() {
    const { app, rows } = this;
    this.stops = stopsOf(app.run, rows);
    const found = forgottenRule(rows);
    if (!this.stops.length || !found) return;
    this.kept = advised(app, found.loss);
    this.advice = this.kept.length > 0;
    if (!tries(app, found.loss)) return;
    this.kept = null;
    keepers(app, found.loss, this.halt.signal).then((fixes) => {
      if (this.halt.signal.aborted) return;
      this.kept = keeperNames(app, fixes);
      this.keepers = fixes;
      this.ended &&= fixes.length > 0;
      this.changed();
    });
  }

  /** The change that is shown, null where none is known. */
  get keeper() {
    return this.keepers[this.chosen] ?? null;
  }

  /** Show another of the changes; says whether there is one at that place. @param {number} to */
  choose(to) {
    if (to === this.chosen || !this.keepers[to]) return false;
    this.chosen = to;
    return true;
  }

  /** How many slides it has. */
  get length() {
    return this.stops.length + Number(this.kept === null || this.kept.length > 0);
  }

  /** The slide of a step: its place, counted from 0, or -1. @param {number} step */
  placeOf(step) {
    const place = this.stops.findIndex((stop) => stop.step === step);
    return this.ended && place === this.stops.length - 1 ? place + 1 : place;
  }

  /** The slide behind a step: its place; -1 where the story is over. @param {number} step */
  after(step) {
    const here = this.placeOf(step);
    if (here >= 0) return here + 1 < this.length ? here + 1 : -1;
    return this.stops.findIndex((stop) => stop.step > step);
  }

  /** The slide in front of a step: its place, -1 where none is. @param {number} step */
  before(step) {
    const here = this.placeOf(step);
    return here >= 0 ? here - 1 : this.stops.findLastIndex((stop) => stop.step < step);
  }

  /** The step of a slide. @param {number} place */
  stepOf(place) {
    return this.stops[Math.min(place, this.stops.length - 1)].step;
  }

  /** The step before the rule is needed: the window that the model is sent there. */
  get stepBeforeNeed() {
    const lost = this.stops.findIndex(({ gone }) => gone);
    return Math.max(0, (this.stops[lost + 1] ?? this.stops[lost]).step - 1);
  }

  destroy() {
    this.asker.drop();
    this.halt.abort();
  }
}
