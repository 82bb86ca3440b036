// A compaction played to the end of one of its phases, where it stands still until more is asked for: in front of a room, and in a lesson.

/** @import { App } from "./app.js" */
/** @import { Phase } from "../run/types.js" */

export class PhasePlayer {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    /** The step of the compaction that plays, and the phase at whose end it stops. @type {{at: number, phase: Phase} | null} */ this.until = null;
    /** Lets go of the clock. */ this.stop = app.show.watch(() => this.#endAtPhase());
  }

  /**
   * Play the compaction at a step to the end of a phase, from its beginning or from the end of one before.
   * @param {number} at @param {Phase} phase @param {Phase | null} [from]
   */
  play(at, phase, from = null) {
    const { app } = this;
    this.halt();
    app.highlights.set({ phase: null, at: -1 });
    app.go(at - 1, { jump: false });
    app.show.moved = -Infinity; // as one who has waited: at the chosen pace
    this.until = { at, phase };
    app.go(at, { animate: true, jump: false });
    if (!app.show.now) return this.still(at, phase);
    if (from && from < 4) app.show.skip(/** @type {1 | 2 | 3} */ (from));
  }

  /** The compaction at a step, standing still at the end of a phase. @param {number} at @param {Phase} phase */
  still(at, phase) {
    this.until = null;
    this.app.go(at, { jump: false });
    this.#mark(at, phase);
  }

  /** End what plays, wherever it was to stop. */
  halt() {
    this.until = null;
    this.app.show.end();
  }

  /** To the end of what plays at once. */
  finish() {
    const { app, until } = this;
    if (!until) return app.show.end();
    this.until = null;
    this.#mark(until.at, until.phase); // before the clock ends, or its end would be drawn as the final picture
    app.show.end();
  }

  /** @param {number} at @param {Phase} phase */
  #mark(at, phase) {
    const { app } = this;
    app.highlights.set(phase === 4 ? { phase: null, at: -1 } : { phase, at });
    if (phase === 3) app.root.querySelector(".fl-slot-window .fl-row[data-region=summary]")?.scrollIntoView({ block: "nearest" });
  }

  /** The story is past the phase it was to be played to, or something else has ended it. */
  #endAtPhase() {
    const { now } = this.app.show;
    const { until } = this;
    if (!until || (now && now.moment.phase <= until.phase)) return;
    if (now) this.finish();
    else this.still(until.at, until.phase);
  }
}
