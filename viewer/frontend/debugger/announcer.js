// Tells those who listen of the compaction that was come to: one region of the page speaks of it, no faster than it can be heard.

import { el, write } from "../lib/dom.js";
import { capitalized, int } from "../lib/format.js";
import { announcement, phaseAnnouncement } from "../run/announcing.js";
import { answerWords } from "../why/lanewords.js";
import { takenApart } from "./shownwindow.js";
/** @import { App } from "./app.js" */
/** @import { Change } from "./types.js" */

/** Milliseconds that a sentence takes to be heard. */
const HEARD = 5000;

/** @param {HTMLElement} root @param {App} app */
export function part(root, app) {
  const announcer = new Announcer(root, app);
  return { update: (/** @type {App} */ _, /** @type {Change} */ change) => announcer.update(change), stop: () => clearTimeout(announcer.waiting) };
}

class Announcer {
  /** @param {HTMLElement} root @param {App} app */
  constructor(root, app) {
    this.app = app;
    this.node = el("div", { class: "fl-said fl-announced", role: "status", "aria-live": "polite" });
    root.append(this.node);
    for (const clock of [app.highlights, app.show]) clock.watch(() => this.#phase());
    /** What was heard of each followed text. @type {WeakMap<object, "answer" | "failure">} */ this.heard = new WeakMap();
    /** The text whose answer was said last. @type {object | null} */ this.answered = null;
    /** What Why said last where it could follow nothing. @type {object | null} */ this.offered = null;
    /** The trace that was spoken of. */ this.tid = "";
    this.last = -HEARD;
    this.next = "";
    /** The phase that was told last. @type {import("../run/types.js").Phase | null} */ this.phase = null;
    /** @type {ReturnType<typeof setTimeout> | undefined} */ this.waiting = undefined;
  }

  /** @param {Change} change */
  update(change) {
    const { run, step, playing } = this.app;
    const anew = Boolean(change.run) && this.#renew(run.view.tid);
    if (change.step || change.run) this.#arrive(run.step(step).compaction, playing || Boolean(change.run));
    if (change.playing && !playing && this.next) this.#say();
    if (change.why || anew) this.#answer();
    if (change.earlier) this.#rested();
  }

  /** Of another trace nothing that was said before is true for sure: the answer that was said last is heard again as it is there. @param {string} tid */
  #renew(tid) {
    if (tid === this.tid) return false;
    this.tid = tid;
    if (this.answered) this.heard.delete(this.answered);
    this.#leave();
    return true;
  }

  /** What a slider has changed is heard once it rests. */
  #rested() {
    const [news] = this.app.earlier.words;
    if (!news) return;
    this.next = capitalized(news.replaceAll("→", "to"));
    this.#say();
  }

  /** The answer to a question is heard once; not that to one that came with the address. */
  #answer() {
    const { why, lost, run, shownStep, questions } = this.app;
    if (questions.restoring) for (const lane of why.lanes) this.heard.set(lane, "answer");
    if (why.open && !why.chosen) return this.#offer();
    const lane = why.open && why.chosen;
    if (!lane || lane.stale || (!lane.fate && !lane.failed)) return;
    const heard = lane.failed ? "failure" : "answer";
    if (this.heard.get(lane) === heard) return;
    this.heard.set(lane, heard);
    this.next = `Why: ${lostPlace(lost.walk)}${lane.failed || answerWords(run, lane, shownStep)}`;
    this.#say();
    this.answered = lane;
  }

  /** What Why says where it can follow nothing is heard once. */
  #offer() {
    const { offer } = this.app.lost;
    if (!offer || this.offered === offer) return;
    this.offered = offer;
    this.next = `Why: ${offer.title}`;
    this.#say();
  }

  /** @param {number} k  the compaction at the cursor, or -1 @param {boolean} fast  whether more may follow at once */
  #arrive(k, fast) {
    if (k < 0 && !fast) this.#leave();
    if (k < 0) return;
    this.next = announcement(this.app.run, k);
    const wait = fast ? this.last + HEARD - performance.now() : 0;
    if (wait <= 0) return this.#say();
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.#say(), wait);
  }

  /** The phase in which a compaction is taken apart, or at which playback rests, is heard at once. */
  #phase() {
    const { now, rests } = this.app.show;
    const apart = now && rests ? { k: now.k, phase: rests } : takenApart(this.app);
    if (apart?.phase === this.phase) return;
    this.phase = apart?.phase ?? null;
    if (!apart) return;
    this.next = phaseAnnouncement(this.app.run, this.app.step, apart.k, apart.phase);
    this.#say();
  }

  /** The same sentence is heard again when the same compaction is come to again. */
  #leave() {
    clearTimeout(this.waiting);
    this.next = "";
    this.answered = null;
    write(this.node, "");
  }

  #say() {
    clearTimeout(this.waiting);
    if (!this.next) return;
    this.answered = null;
    this.last = performance.now();
    write(this.node, this.next);
    this.next = "";
  }
}

/** "lost text 1 of 5: " of the text that Why has come to; "" of another. @param {import("./lostwalk.js").Walk | null} walk */
const lostPlace = (walk) => (walk ? `lost text ${int(walk.at + 1)} of ${int(walk.texts.length)}: ` : "");
