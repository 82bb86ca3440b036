// What stands around the picture in front of a room: a title, the keys and the speed above it, a caption, and the phases of a compaction below.

import { attribute, el, write } from "../lib/dom.js";
import { leaveArrows } from "../lib/keys.js";
import { roomPhases } from "../run/roomphases.js";
import { shown } from "./shownwindow.js";
/** @import { App } from "./app.js" */

/** Milliseconds without use after which the keys are no longer named. */
const QUIET = 3000;
/** What a key is called by the browser, where it is named in another way. @type {Record<string, string>} */
const KEYS = { "→": "ArrowRight", "←": "ArrowLeft", Esc: "Escape" };
const SPEED_WORDS = new Map([
  [0.25, "¼×"],
  [0.5, "½×"],
]);

export class Room {
  /** @param {HTMLElement} host  what fills the screen @param {((key: string) => void) | null} [press]  does what a key does: what names one is a button */
  constructor(host, press = null) {
    this.host = host;
    this.press = press;
    this.stop = new AbortController();
    /** The debugger whose phases are told. @type {App | null} */ this.followed = null;
    /** The phase that is asked about. @type {import("../run/types.js").Phase | null} */ this.asked = null;
    /** The keys that are named. */ this.named = "";
    this.title = el("b");
    this.count = el("span");
    this.pace = el("span", { class: "fl-present-pace" });
    this.keys = el("p");
    this.top = el("header", { class: "fl-present-top" }, this.title, this.count, this.keys, this.pace);
    this.caption = el("h1", { class: "fl-present-caption", "aria-live": "polite" });
    this.phases = [1, 2, 3, 4].map((phase) => this.#pressed(`${phase}`));
    /** What they are called. */ this.called = "";
    /** What is said where no compaction is told. */ this.ahead = this.#pressed("ArrowRight", "fl-present-ahead");
    /** What a word of the picture means. */ this.word = el("p", { class: "fl-present-ahead fl-present-word" });
    const phases = el("div", { class: "fl-present-phases", "aria-hidden": "true" }, ...this.phases);
    this.foot = el("footer", { class: "fl-present-foot" }, phases, this.ahead, this.word);
    /** That it plays, and how long the slide has stood of the time that it takes to be read. */ this.rest = el("i");
    this.line = el("div", { class: "fl-present-rest", hidden: true, "aria-hidden": "true" }, this.rest);
    addEventListener("resize", () => this.#fit(), { signal: this.stop.signal });
    for (const type of ["pointermove", "keydown"]) addEventListener(type, () => this.wake(), { capture: true, signal: this.stop.signal });
    /** @type {ReturnType<typeof setTimeout> | undefined} */ this.timer = undefined;
    this.#fit();
    this.wake();
  }

  /** What does as a key does where it is pressed; words alone where nothing is. @param {string} key @param {string} [name]  its class */
  #pressed(key, name) {
    const { press } = this;
    if (!press) return el("span", { class: name });
    return el("button", { class: name, type: "button", tabindex: -1, on: { click: () => press(key), mousedown: leaveArrows } });
  }

  /** Say what comes: where that is a place, a press leads there. @param {string} words */
  say(words) {
    write(this.ahead, words);
    attribute(this.ahead, "disabled", !words.startsWith("→"));
  }

  /** Name the keys for a while: something was pressed or moved. */
  wake() {
    clearTimeout(this.timer);
    attribute(this.top, "data-quiet", null);
    this.timer = setTimeout(() => attribute(this.top, "data-quiet", "true"), QUIET);
  }

  /** Name the keys, each with what it does here. @param {string[][]} keys */
  name(keys) {
    const named = keys.flat().join(" ");
    if (this.named === named) return;
    this.named = named;
    this.keys.replaceChildren(...keys.map(([key, text]) => this.#named(key, text)));
  }

  /** A key, and what it does here. @param {string} key @param {string} text */
  #named(key, text) {
    const node = this.#pressed(KEYS[key] ?? key);
    node.replaceChildren(el("kbd", { text: key }), ` ${text}`);
    return node;
  }

  /** As large as the screen is: the sizes are those for 1280 × 720. */
  #fit() {
    this.host.style.setProperty("--by", String(Math.max(0.5, Math.min(innerWidth / 1280, innerHeight / 720)).toFixed(3)));
  }

  /** Tell the phases of a debugger's compactions below. @param {App} app */
  follow(app) {
    if (this.followed === app) return;
    this.followed = app;
    this.watch(app, () => this.#drawPhases());
    this.#drawPhases();
  }

  /** The phase that is asked about: the picture is still that of the one before. @param {import("../run/types.js").Phase | null} phase */
  ask(phase) {
    this.asked = phase;
    this.#drawPhases();
  }

  /** Call a listener at every moment of a debugger's compactions, until this is destroyed. @param {App} app @param {() => void} listener */
  watch(app, listener) {
    const ends = [app.show.watch(listener), app.highlights.watch(listener)];
    this.stop.signal.addEventListener("abort", () => ends.forEach((end) => end()));
  }

  #drawPhases() {
    const app = this.followed;
    if (!app) return;
    if (app.run?.length) this.#call(roomPhases(app.run, app.step, shown(app).k));
    const lit = this.asked ?? app.show.now?.moment.phase ?? app.highlights.now.phase ?? 4; // at the end of a splice none is chosen
    this.phases.forEach((node, k) => attribute(node, "data-lit", k + 1 === lit));
  }

  /** Call the phases what they are of this compaction. @param {import("../run/roomphases.js").RoomPhase[]} phases */
  #call(phases) {
    if (this.called === phases.join()) return;
    this.called = phases.join();
    phases.forEach(([name, means], k) => {
      this.phases[k].replaceChildren(el("i", { text: `${k + 1}` }), ` ${name}`, el("small", { text: `: ${means}` }));
    });
  }

  /** @param {number} speed @param {string} [how]  "paused", "playing" */
  drawPace(speed, how = "") {
    write(this.pace, `${SPEED_WORDS.get(speed) ?? `${speed}×`} speed${how && ` · ${how}`}`);
    attribute(this.pace, "data-how", how || null);
    this.line.hidden = how !== "playing";
  }

  /** @param {number} part  of the time for which the slide stands: 0 to 1 */
  drawRest(part) {
    this.rest.style.setProperty("--part", part.toFixed(4));
  }

  destroy() {
    this.stop.abort();
    clearTimeout(this.timer);
    for (const node of [this.top, this.caption, this.foot, this.line]) node.remove();
    this.host.style.removeProperty("--by");
  }
}
