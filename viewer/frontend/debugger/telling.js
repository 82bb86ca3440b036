// A compaction told in the window's list: it scrolls to where that is seen, the stage takes a picture, the list becomes the final
// one under it, and the stage draws one moment after the other.

import { easeOut } from "../lib/ease.js";
import { effect } from "../run/effect.js";
import { beingDone, happened, weightOf } from "./phasewindow.js";
import { pictureOf } from "./picture.js";
import { sceneOf } from "./scene.js";
import { LEAD } from "./show.js";
import { sight } from "./sight.js";
import { Stage } from "./stage.js";
/** @import { App } from "./app.js" */
/** @import { RowList } from "./rows.js" */
/** @import { Showing } from "./show.js" */
/** @import { Words } from "./stage.js" */

export class Telling {
  /** @param {RowList} list @param {App} app */
  constructor(list, app) {
    this.list = list;
    this.app = app;
    this.stage = new Stage();
    this.stage.clear();
    list.node.append(this.stage.node);
    this.begun = false;
    /** Draws the final list; null once that is done. @type {(() => void) | null} */ this.finish = null;
    this.from = 0;
    this.to = 0;
  }

  /** Get ready; the list is still the one before. @param {() => void} finish */
  begin(finish) {
    const { now } = this.app.show;
    if (!now) return;
    this.begun = true;
    this.finish = finish;
    this.from = this.list.top;
    this.to = now.back || now.k < 0 ? this.from : this.#sight(now);
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
    this.stage.draw(now.moment);
  }

  /** Nothing is told any more. */
  end() {
    this.begun = false;
    this.finish = null;
    this.stage.clear();
  }

  /** @param {Showing} now @param {() => void} finish */
  #enter(now, finish) {
    this.finish = null;
    if (now.k < 0) finish();
    const was = pictureOf(this.list);
    if (now.k >= 0) finish();
    const did = happened(now.run, now.step, now.k);
    this.stage.set(sceneOf(was, pictureOf(this.list), now.back ? { ...did, taken: [], emptied: [], added: [] } : did), wordsOf(now));
  }

  /** The top from which the story is seen. @param {Showing} now */
  #sight({ run, k }) {
    if (this.app.playing && run.view.policy?.effect === "view") return this.from; // or it would go to and fro at every call
    return sight(this.list, effect(run, k), this.from);
  }
}

/** @param {Showing} now @returns {Words} */
function wordsOf({ run, k, step, story, back, pace }) {
  const fades = pace.fades !== null;
  if (k < 0) return { story, back, fades, goes: 0, comes: 0, label: "", verb: "summarized", about: "" };
  const { removedTokens, summaryTokens, added } = run.compaction(k);
  const about = weightOf(run, step - 1, effect(run, k), k);
  return { story, back, fades, goes: removedTokens, comes: summaryTokens, label: added[0]?.label ?? "", verb: beingDone(run, k), about };
}
