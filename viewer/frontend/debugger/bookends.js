// What stands before the first compaction of a presented run and behind its last: the title, the overview's headline, and at the end what came
// of it.

import { Asker, overviewPath } from "../lib/api.js";
import { closingSlide, headlineSlide } from "../run/closingslide.js";
import { openingSlide } from "../run/openingslide.js";
/** @import { App } from "./app.js" */
/** @import { Slide } from "../run/closingslide.js" */
/** @import { SessionOverview } from "../run/types.js" */
/** @import { StoryPath } from "./storypath.js" */

/** One of them, "" where none is on show. @typedef {"" | "title" | "headline" | "end"} Bookend */

/** Those before the first compaction, the nearest first. @type {Bookend[]} */
const FRONT = ["headline", "title"];

export class Bookends {
  /** @param {App} app @param {StoryPath} path */
  constructor(app, path) {
    this.app = app;
    this.path = path;
    this.asker = new Asker(app);
    /** The step of the title; -1 where it was begun elsewhere. */ this.opensAt = app.opens ? app.step : -1;
    /** @type {Bookend} */ this.shown = app.opens ? "title" : "";
    /** @type {SessionOverview | null} */ this.overview = null;
    /** Whether that is on its way. */ this.sought = false;
    /** The slides that were made, by what of. @type {Map<string, Slide | null>} */ this.made = new Map();
  }

  /** Ask what the session is. @param {(found: SessionOverview | null) => void} take  gets null where that cannot be told: the title stands alone */
  learn(take) {
    const arrived = (/** @type {SessionOverview | null} */ found) => {
      this.overview = found;
      this.sought = false;
      take(found);
    };
    this.sought = this.shown !== "" || this.#compacts;
    if (this.sought) this.asker.ask(overviewPath(this.app.run.store.header.sid), arrived, () => arrived(null));
  }

  /** Whether the run has compactions, and nothing is added to it. */
  get #compacts() {
    const { run } = this.app;
    return run.compactions > 0 && !run.view.live;
  }

  /** Whether its compactions are what is told: a story has a beginning and an end of its own. */
  get #frames() {
    return this.#compacts && this.path.known && !this.path.stops.length;
  }

  /** The one that is on show here. @returns {Bookend} */
  get now() {
    const { app, shown } = this;
    return shown && !app.show.now && app.step === this.stepOf(shown) ? shown : "";
  }

  /** Where it stands. @param {Bookend} one */
  stepOf(one) {
    return one === "end" ? this.app.run.length - 1 : this.opensAt;
  }

  /** Whether there is one. @param {Bookend} one */
  #has(one) {
    if (one !== "end" && this.opensAt < 0) return false;
    return one === "title" || (this.#frames && this.#slide(one) !== null);
  }

  /** The one that the next press shows, before the first compaction or behind the last. @returns {Bookend} */
  get next() {
    const { app, now } = this;
    if (now === "title" && this.#has("headline")) return "headline";
    return now !== "end" && app.run.nextCompaction(app.step) < 0 && this.#has("end") ? "end" : "";
  }

  /** What that is called; "" where there is none. */
  get nextTitle() {
    return (this.next && this.#slide(this.next)?.title) || "";
  }

  /** The one that the press back shows. @returns {Bookend} */
  get previous() {
    const { app, now } = this;
    if (now === "headline") return "title";
    if (now || app.run.previousCompaction(app.step) >= 0) return "";
    return FRONT.find((one) => this.#has(one)) ?? "";
  }

  /** Show one, or none: no row is marked while nothing is said of one. @param {Bookend} one */
  show(one) {
    const { app } = this;
    const [opens, whole] = [FRONT.includes(one), one === "headline"];
    this.shown = one;
    if (opens === app.opens && whole === app.whole) return;
    app.opens = opens;
    this.#draw(whole);
    app.notify({ veil: true, selected: true });
  }

  /** The curve of the session in the place of the window, or the window. @param {boolean} whole */
  #draw(whole) {
    this.app.whole = whole;
    this.app.root.toggleAttribute("data-whole", whole);
  }

  /** The cursor has been led elsewhere. */
  follow() {
    if (this.shown && !this.now && !this.app.show.now) this.show("");
  }

  /** The slide of the one that is on show, null of none. @returns {Slide | null} */
  get slide() {
    return this.now ? this.#slide(this.now) : null;
  }

  /** @param {Bookend} one @returns {Slide | null} */
  #slide(one) {
    const { path, overview, made } = this;
    const of = [one, path.rows.length, path.whole, Boolean(overview)].join();
    const slide = made.get(of) ?? this.#make(one);
    made.set(of, slide);
    return slide;
  }

  /** @param {Bookend} one @returns {Slide | null} */
  #make(one) {
    const { app, path, overview } = this;
    if (one === "title") return openingSlide(app.run, overview);
    if (one === "headline") return path.whole ? headlineSlide(app.run, path.rows, path.unsought) : null;
    return overview && closingSlide(app.run, overview);
  }

  destroy() {
    this.asker.drop();
    this.#draw(false);
  }
}
