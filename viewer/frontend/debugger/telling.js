// A compaction told in the window's list: it scrolls to where that is seen, the stage takes a picture, the list becomes the final
// one under it, and the stage draws one moment after the other.

import { pluralize } from "../lib/format.js";
import { easeOut } from "../lib/ease.js";
import { effect } from "../run/effect.js";
import { HEADING, ROW } from "../run/layout.js";
import { beingDone } from "./phasewindow.js";
import { pictureOf } from "./picture.js";
import { sceneOf } from "./scene.js";
import { LEAD } from "./show.js";
import { Stage } from "./stage.js";
/** @import { Effect } from "../run/effect.js" */
/** @import { Range } from "../run/ranges.js" */
/** @import { App } from "./app.js" */
/** @import { RowList } from "./rows.js" */
/** @import { Showing } from "./show.js" */
/** @import { Words } from "./stage.js" */

/** Rows that go which are enough to tell the story by. */
const FEW = 4;
/** The share of the view that rows which go may take, where what stays would not fit beside them. */
const SHARE = 0.45;

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
    const did = effectOf(now);
    this.stage.set(sceneOf(was, pictureOf(this.list), now.back ? { ...did, taken: [], emptied: [], added: [] } : did), wordsOf(now));
  }

  /**
   * The top from which the story is seen: the end, where what stays is, with some of what goes in front of it; or what is emptied.
   * @param {Showing} now
   */
  #sight({ run, k }) {
    const { list } = this;
    const { taken, emptied } = effect(run, k);
    if (this.app.playing && run.view.policy?.effect === "view") return this.from; // or it would go to and fro at every call
    if (!taken.length) return emptied.length ? list.topFor(emptied[0][0], list.follow ? list.end : this.from) : this.from;
    const [first, last] = [list.layout.find(taken[0][0]), list.layout.find(taken[taken.length - 1][1] - 1)];
    if (!first || !last) return this.from;
    const top = list.roof + HEADING;
    if (last.y + ROW - Math.max(first.y, list.end + top) >= Math.min(FEW * ROW, last.y + ROW - first.y)) return list.end;
    return Math.min(list.end, list.rest(Math.max(0, Math.max(first.y, last.y + ROW - SHARE * list.view) - top)));
  }
}

/** What the compaction on show did; of an attempt that failed, what it was about to take. @param {Showing} now @returns {Effect} */
function effectOf({ run, k, step }) {
  if (k >= 0) return effect(run, k);
  const window = run.window(step);
  const taken = /** @type {Range[]} */ (window.between(window.body, Math.max(window.body, Math.min(window.tail, window.size))));
  const before = /** @type {Range[]} */ (window.between(0, window.size));
  return { before, after: before, taken, emptied: [], short: [], kept: [], added: [], returned: [] };
}

/** @param {Showing} now @returns {Words} */
function wordsOf({ run, k, story, back, pace }) {
  const fades = pace.fades !== null;
  if (k < 0) return { story, back, fades, goes: 0, comes: 0, label: "", verb: "summarized", about: "" };
  const { removedTokens, summaryTokens, added } = run.compaction(k);
  const about = removedTokens > 0 ? pluralize(removedTokens, "token") : "";
  return { story, back, fades, goes: removedTokens, comes: summaryTokens, label: added[0]?.label ?? "", verb: beingDone(run, k), about };
}
