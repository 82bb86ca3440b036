// Below the tiles of a card: the button that plays them one after the other, and a sentence on the phase that is shown.

import { attribute, button, el, write } from "../lib/dom.js";
import { icon } from "../lib/icons.js";
import { phaseSentence } from "../run/phasesentences.js";
import { momentOf, takenApart } from "./shownwindow.js";
/** @import { App } from "./app.js" */
/** @import { Phase } from "../run/types.js" */

/** What else there is to do, while no phase is shown. */
const HINT = "or press a phase (keys 1 to 4) to see the window as it is then; → leads on";

export class PhaseCaption {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.step = -1;
    this.label = el("span");
    /** What it plays. */ this.what = "";
    this.icon = el("span", { class: "fl-play-icon" });
    this.play = button("", () => this.press(), { class: "fl-play-phases" });
    this.play.append(this.icon, this.label);
    /** The hint, then a sentence of each phase: all take their room, so that nothing moves. @type {HTMLElement[]} */ this.words = [];
    this.said = el("div", { class: "fl-phase-said" });
    this.node = el("div", { class: "fl-phase-caption", hidden: true }, this.play, this.said);
  }

  /** Lay out the sentences of what happened at a step; a lesson says its own. @param {number} step @param {string} what  "compaction", "attempt" */
  lay(step, what) {
    const { run, hosted } = this.app;
    this.node.hidden = hosted;
    if (hosted) return;
    const { compaction } = run.step(step);
    this.step = step;
    this.what = what;
    const sentences = [1, 2, 3, 4].map((phase) => phaseSentence(run, step, compaction, /** @type {Phase} */ (phase)));
    this.words = [el("span", { text: HINT }), ...sentences.map(inTwo)];
    this.said.replaceChildren(...this.words);
  }

  /** There is nothing to play. */
  leave() {
    this.node.hidden = true;
    this.words = [];
    this.said.replaceChildren();
  }

  /** Play, or stop. */
  press() {
    if (this.node.hidden) return;
    if (this.#plays) this.app.pause();
    else this.app.player.tell(this.step);
  }

  /** Whether it is played alone now. */
  get #plays() {
    const { player } = this.app;
    return player.alone && player.telling?.at === this.step;
  }

  /** Say what the phase on show is, and what the button does. */
  tell() {
    if (this.node.hidden) return;
    const shown = phaseOf(this.app, this.step);
    for (const [phase, node] of this.words.entries()) attribute(node, "data-on", phase === shown);
    const name = this.#plays ? "stop" : "play";
    if (this.play.dataset.icon !== name) this.icon.replaceChildren(icon(name));
    this.play.dataset.icon = name;
    write(this.label, this.#plays ? "Stop" : `Play this ${this.what}`);
    attribute(this.play, "title", this.#plays ? "Stop at this phase (key 0)" : "Play it slowly: it rests at each phase (key 0)");
  }
}

/** A sentence, and what follows it: a narrow card has room for the first alone. @param {string} text */
function inTwo(text) {
  const [first = text] = /^.*?\.(?= \p{Lu})/u.exec(text) ?? [];
  return el("span", {}, first, el("span", { class: "fl-phase-rest", text: text.slice(first.length) }));
}

/** The phase of what happened at a step that is told, or shown in a still; 0 for none. @param {App} app @param {number} step */
function phaseOf(app, step) {
  const { telling } = app.player;
  if (app.step !== step) return 0;
  if (telling?.at === step) return momentOf(app, step)?.phase ?? telling.phase;
  return takenApart(app)?.phase ?? 0;
}
