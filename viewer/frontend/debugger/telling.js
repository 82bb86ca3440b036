// A compaction told in the window's list: it scrolls to where that is seen, the stage takes a picture, the list becomes the final
// one under it, and the stage draws one moment after the other.

import { easeOut } from "../lib/ease.js";
import { effect } from "../run/effect.js";
import { takenWords } from "../run/phasefigures.js";
import { nextDone } from "../run/sections.js";
import { beingDone, closesUp, goingNames, partition, weightOf } from "./phasewindow.js";
import { pictureOf } from "./picture.js";
import { closingSceneOf, sceneOf } from "./scene.js";
import { LEAD } from "./show.js";
import { sight } from "./sight.js";
import { Stage } from "./stage.js";
/** @import { App } from "./app.js" */
/** @import { RowList } from "./rows.js" */
/** @import { Showing } from "./show.js" */
/** @import { Words } from "./stage.js" */

export class Telling {
  /** @param {RowList} list @param {App} app @param {(now: Showing) => void} close  draws the list in which what stays has closed up */
  constructor(list, app, close) {
    this.list = list;
    this.app = app;
    this.close = close;
    this.stage = new Stage();
    this.stage.clear();
    list.node.append(this.stage.node);
    this.begun = false;
    /** Draws the final list; null once that is done. @type {(() => void) | null} */ this.finish = null;
    /** Sets the stage for what a fallback does, once what was tried first has failed. @type {(() => void) | null} */ this.instead = null;
    this.from = 0;
    this.to = 0;
  }

  /** Get ready; the list is still the one before. @param {() => void} finish */
  begin(finish) {
    const { now } = this.app.show;
    if (!now) return;
    this.begun = true;
    this.finish = finish;
    if (now.k < 0) finish(); // an attempt that failed changes nothing: the message that had arrived is in its window
    this.from = this.list.top;
    this.to = now.back ? this.from : this.#sight(now);
    if (Math.abs(this.to - this.from) >= 1) this.app.show.lead = LEAD;
  }

  /** Draw the moment the show is at. */
  draw() {
    const { show } = this.app;
    const { now } = show;
    if (!now) return;
    if (this.finish && show.lead) {
      this.list.scrollTo(this.from + (this.to - this.from) * easeOut(show.scrolled));
      this.list.paint();
    }
    if (this.finish && (!show.lead || show.scrolled >= 1)) this.#enter(now, this.finish);
    if (now.moment.phase === 4) this.#fallBack();
    this.stage.draw(now.moment);
  }

  /** Nothing is told any more. */
  end() {
    this.begun = false;
    this.finish = this.instead = null;
    this.stage.clear();
  }

  /** @param {Showing} now @param {() => void} finish */
  #enter(now, finish) {
    this.finish = null;
    const { run, k, step, back, pace, story } = now;
    const [was, tried, again] = Array.from({ length: 3 }, () => pictureOf(this.list));
    const falls = story === "fallback" && !back && !pace.fades;
    const closed = !falls && story !== "failed" && !back && !pace.fades && closesUp(run, step, k) ? this.#closedUp(now) : null;
    if (story === "failed" || falls) this.stage.set(sceneOf(tried, again, partition(run, step, k)), triedWords(now));
    if (story === "failed") return;
    finish();
    const did = effect(run, k);
    const scene = sceneOf(closed?.[1] ?? was, pictureOf(this.list), back || closed ? { ...did, taken: [], emptied: [], added: [] } : did);
    this.instead = () => this.stage.set(scene, wordsOf(now));
    if (closed) this.stage.set(closingSceneOf(was, closed[0], did), wordsOf(now));
    else if (!falls) this.#fallBack();
  }

  /** Two pictures of the list in which what stays has closed up around what is put in; the list is then as it was. @param {Showing} now */
  #closedUp(now) {
    const { list } = this;
    const { top, hold } = list;
    const { sections } = list.layout;
    list.hold = -1;
    this.close(now);
    const pictures = [pictureOf(list), pictureOf(list)];
    list.show(sections);
    list.scrollTo(top);
    list.paint();
    list.hold = hold;
    return pictures;
  }

  /** From what was tried to what is done. */
  #fallBack() {
    this.instead?.();
    this.instead = null;
  }

  /** The top from which the story is seen. @param {Showing} now */
  #sight({ run, k, step }) {
    if (this.app.playing && run.view.policy?.effect === "view") return this.from; // or it would go to and fro at every call
    return sight(this.list, partition(run, step, k), this.from);
  }
}

/** What is told of an attempt, whatever is done then. @param {Showing} now @returns {Words} */
function triedWords({ run, k, step, back, pace }) {
  const did = partition(run, step, k);
  const about = weightOf(run, k < 0 ? step : step - 1, did, k);
  return {
    story: "failed",
    back,
    fades: pace.fades !== null,
    taken: takenWords(run, did.taken),
    goes: 0,
    label: "",
    verb: nextDone(run),
    about,
    names: goingNames(run, step, k, "Being"),
  };
}

/** @param {Showing} now @returns {Words} */
function wordsOf({ run, k, step, story, back, pace }) {
  const { removedTokens, added } = run.compaction(k);
  const did = effect(run, k);
  return {
    story: story === "fallback" ? "drop" : story,
    back,
    fades: pace.fades !== null,
    taken: takenWords(run, did.taken),
    goes: removedTokens,
    label: added[0]?.label ?? "",
    verb: beingDone(run, k),
    about: weightOf(run, step - 1, did, k),
    names: back || pace.fades || story === "fallback" ? new Map() : goingNames(run, step, k, "Being"),
  };
}
