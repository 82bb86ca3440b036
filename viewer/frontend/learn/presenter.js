// A lesson in front of a room: large type, a frame around what is in question, driven by the keys that a clicker sends, or by itself.

import { Room } from "../debugger/room.js";
import { attribute, coded, el, write } from "../lib/dom.js";
import { HEADING } from "../run/layout.js";
import { AskView } from "./ask.js";
import { FigureView } from "./figures/figure.js";
import { TaskView } from "./task.js";
/** @import { Driver } from "./driver.js" */
/** @import { Lessons } from "./lessons.js" */
/** @import { Ask } from "./types.js" */
/** @import { Phase } from "../run/types.js" */

const SPEEDS = [0.25, 0.5, 1];
/** The keys that do something at a step, with what they do. @param {Lessons} lessons @returns {string[][]} */
function keysOf(lessons) {
  const { asking, data, place, solvable, rows, watches, moves } = lessons;
  const parts = data?.scene.phase && !asking;
  return [
    ["→", watches || (moves ? "to the end" : asking ? "answer" : solvable ? "solve it" : "next")],
    ["←", "back"],
    ...(asking ? [[saidBy(data?.ask), "the room says"]] : []),
    ...(asking || parts || rows.length < 2 ? [] : [[`Shift 1 – ${rows.length}`, "lesson"]]),
    ...(parts || place.play ? [["Space", "pause"]] : []),
    ...(parts
      ? [
          ["R", "again"],
          ["− +", "speed"],
          ["1 – 4", "phase"],
        ]
      : []),
    ["Esc", "leave"],
  ];
}

/** The keys for what a room says: letters or numbers of choices, else a number. @param {Ask | null | undefined} ask */
function saidBy(ask) {
  const last = ask?.choices?.at(-1)?.key;
  return last ? `A – ${last}, 1 – ${ask?.choices?.length}` : "0 – 9";
}

/** Letters of a caption that have two lines. */
const LONG = 150;

/** In front of the first step of all. */
const FIRST = "The first lesson begins here";

/** Milliseconds, where it plays by itself: to look, for each letter of what is read, and between two moves of a control. */
const LOOK = 2600;
const LETTER = 45;
const MOVE = 900;

/** How large what stands beside may be, the largest that fits first; where not even the last does, the largest of `TIGHT` with a lower drawing. */
const SIZES = [1.5, 1.35, 1.2, 1.1, 1];
const BESIDE = 1.35; // where a question and a drawing share the room
const TIGHT = [1.1, 1.05, 1, 0.95, 0.9, 0.85, 0.8, 0.7, 0.6];

/** How high the curve is over the window: at least, where it is not in question, and at most; and what parts the two, in pixels. */
const CURVE = [110, 150, 240];
const GAP = 10;

/** How large the debugger is: as a rule, and at least where all rows of its window are to be in sight while a compaction is told. */
const STAGE = 1.42;
const SMALL_STAGE = 1.2;
const SLACK = 3; // pixels: sizes are rounded
const SETTLED = 0.02;

export class Presenter {
  /** @param {HTMLElement} root @param {Lessons} lessons @param {() => Driver | null} driver */
  constructor(root, lessons, driver) {
    this.lessons = lessons;
    this.driver = driver;
    this.host = root;
    this.speed = 1;
    this.paused = false;
    this.stop = new AbortController();
    /** Rows are laid out some frames after a step is shown: as high as they are by then. */ this.laid = new MutationObserver(() => this.arrange());
    /** And as high as what stands above them leaves. */ this.sizes = new ResizeObserver(() => this.arrange());
    /** What stands beside has the room that the others leave, once they are laid out. */ this.beside = new ResizeObserver(() => this.#size());
    /** @type {ReturnType<typeof setTimeout> | undefined} */ this.timer = undefined;
    /** The caption that is shown. */ this.captionText = "";
    /** The step for which the rows of the window were fitted last, and how high they were. */
    this.whole = { data: /** @type {unknown} */ (null), rows: 0 };
    /** The step whose size was found, and how large what stands beside it is. @type {unknown} */ this.sized = null;
    this.large = 1;
    this.room = new Room(root);
    this.steps = el("span", { class: "fl-learn-bars", "aria-hidden": "true" });
    this.room.title.after(this.steps);
    this.ask = new AskView(lessons);
    this.task = new TaskView(lessons);
    this.figure = new FigureView(lessons);
    this.side = el("div", { class: "fl-present-side" }, this.ask.root, this.task.root, this.figure.root);
    root.append(this.room.top, this.room.caption, this.side, this.room.foot);
    this.beside.observe(this.side);
    const on = { signal: this.stop.signal };
    for (const type of ["place", "answer"]) lessons.addEventListener(type, () => this.#draw(type), on);
    lessons.addEventListener("cursor", () => this.room.name(keysOf(lessons)), on);
    this.#draw("place");
  }

  /** What stands beside is as large as there is room for, and all in sight: nobody scrolls in front of a room. An answer makes it no larger. */
  #size() {
    const { side } = this;
    const { data } = this.lessons;
    const alone = side.querySelectorAll(":scope > :not([hidden])").length === 1;
    const first = Math.max(data === this.sized ? SIZES.indexOf(this.large) : 0, alone ? 0 : SIZES.indexOf(BESIDE));
    this.sized = data;
    side.removeAttribute("data-tight");
    const fits = (/** @type {number} */ by) => {
      side.style.setProperty("--side", String(by));
      return side.scrollHeight <= side.clientHeight && side.scrollWidth <= side.clientWidth;
    };
    this.large = SIZES.slice(first).find(fits) ?? 1;
    if (fits(this.large)) return;
    side.dataset.tight = "true";
    TIGHT.find(fits);
  }

  /** The debugger shows the step: of a short window the curve has the room that its messages leave, of a long one no more than it needs. */
  arrange() {
    const { host } = this;
    const { data } = this.lessons;
    const [least, own, most] = CURVE;
    const app = this.driver()?.app;
    const window = app?.root.querySelector(".fl-slot-window .fl-lists");
    const asked = data?.spot === "window";
    const gives = data?.spot === "figures" && !app?.why.lanes.length; // the lanes of followed texts stand in its room
    if (window instanceof HTMLElement) this.laid.observe(window, { attributes: true, attributeFilter: ["style"] });
    if (window instanceof HTMLElement) this.sizes.observe(window);
    this.#fitRows(window);
    if (!(window instanceof HTMLElement) || !(asked || gives) || data?.scene.phase) return host.style.removeProperty("--curve");
    const stands = Number.parseFloat(host.style.getPropertyValue("--curve")) || (asked ? -GAP : own);
    const left = window.clientHeight + stands - Number.parseFloat(window.style.getPropertyValue("--fl-rows"));
    if (Number.isNaN(left) || (asked && left < least)) return host.style.removeProperty("--curve");
    host.style.setProperty("--curve", `${Math.max(least, Math.min(asked ? most : own, Math.floor(left)))}px`);
  }

  /**
   * A compaction takes messages that a room is to see: where only a few rows lack room, all have it. Type that was made smaller stays so
   * until the next step, however few rows are left.
   * @param {Element | null | undefined} window
   */
  #fitRows(window) {
    const { host, whole } = this;
    const { data } = this.lessons;
    const card = window?.closest(".fl-slot-window");
    if (data !== whole.data) host.style.removeProperty("--stage");
    if (!(window instanceof HTMLElement) || !card || !data?.scene.phase) return;
    const rows = Number.parseFloat(window.style.getPropertyValue("--fl-rows"));
    const now = Number.parseFloat(host.style.getPropertyValue("--stage")) || STAGE;
    const last = window.querySelector(".fl-list > .fl-slots:not([hidden])") ? HEADING : 0;
    const by = Math.floor((100 * now * card.clientHeight) / (rows + last + SLACK + card.clientHeight - window.clientHeight)) / 100;
    const to = Math.min(STAGE, by < SMALL_STAGE ? STAGE : by);
    if (to < now || (rows === whole.rows && to > now + SETTLED)) host.style.setProperty("--stage", String(to));
    this.whole = { data, rows };
  }

  /** @param {string} why */
  #draw(why) {
    const { lessons, host } = this;
    const { lesson, place, data, length } = lessons;
    if (!lesson) return;
    write(this.room.title, `${lesson.number} · ${lesson.title}`);
    write(this.room.count, lessons.ended ? "the end" : `${place.step} of ${length}`);
    this.steps.replaceChildren(
      ...lesson.steps.map((_, k) => el("i", { "data-done": k + 1 < place.step ? "true" : null, "data-now": k + 1 === place.step ? "true" : null })),
    );
    const text = lessons.ended ? "What you saw" : forRoom(data?.empty ?? data?.caption ?? "");
    if (this.captionText !== text) this.room.caption.replaceChildren(...coded(text));
    this.captionText = text;
    attribute(this.room.caption, "data-long", text.length > LONG);
    this.room.name(keysOf(lessons));
    this.room.ask(lessons.asking ? (data?.scene.phase ?? null) : null);
    const stays = data?.scene.phase ? "fold" : "run";
    host.dataset.picture = stays;
    attribute(host, "data-spot", data?.spot);
    this.#drawPace();
    if (data && why === "place") requestAnimationFrame(() => this.#follow());
    this.#size();
    if (lessons.place.play && (data || lessons.ended)) this.#soon();
  }

  /** The debugger has come: at the speed of the room, and its phases are told below. */
  #follow() {
    const app = this.driver()?.app;
    if (!app) return;
    app.setSpeed(SPEEDS[this.speed]);
    this.room.follow(app);
  }

  #drawPace() {
    this.room.drawPace(SPEEDS[this.speed], this.paused ? "paused" : "");
  }

  /** @param {KeyboardEvent} event @returns {(() => void) | undefined} */
  commandOf({ key, code, shiftKey }) {
    this.room.wake(); // Learn sees the key first, and keeps it
    const name = key.length === 1 ? key.toUpperCase() : key;
    if (key === "P" && shiftKey) return () => this.lessons.present(false);
    const choice = this.lessons.choiceOf(key);
    if (choice) return () => this.lessons.suppose(choice.key);
    if (name === "Backspace") return () => this.#takeBack();
    if (/^\d$/.test(name)) return () => this.#digit(name);
    const [, number = ""] = (shiftKey && /^Digit(\d)$/.exec(code)) || [];
    if (this.lessons.rows.some((row) => row.number === Number(number))) return () => this.lessons.open(Number(number));
    return COMMANDS[name]?.(this);
  }

  /** What the room says, where a number or a message is asked for; a phase of what is taken apart. Typed too early it does nothing. @param {string} digit */
  #digit(digit) {
    const { asking, data } = this.lessons;
    const number = Number(digit);
    if (asking) return data?.ask?.kind === "message" ? this.#message(digit) : this.lessons.type(digit);
    if (data?.scene.phase && number >= 1 && number <= 4) this.#phase(/** @type {Phase} */ (number));
  }

  /** Choose a message by its number: a second digit goes on with the first where there is such a message. @param {string} digit */
  #message(digit) {
    const app = this.driver()?.app;
    const { guess } = this.lessons;
    const numbers = [guess === null ? digit : `${Number(guess) + 1}${digit}`, digit].map(Number);
    const number = numbers.find((one) => app && one >= 1 && one <= app.step + 1);
    if (number) app?.select(`m${number - 1}`);
  }

  /** The last digit of what the room says. */
  #takeBack() {
    const { data, guess } = this.lessons;
    if (data?.ask?.kind !== "message") return this.lessons.type("");
    const number = guess === null ? 0 : Math.floor((Number(guess) + 1) / 10);
    this.driver()?.app.select(number ? `m${number - 1}` : null);
    if (!number) this.lessons.suppose(null);
  }

  /** First to the end of what moves, then the answer, or what solves the task, or the next phase, then the next step. */
  forward() {
    const { lessons } = this;
    const app = this.driver()?.app;
    if (lessons.ended) return lessons.next();
    if (app?.show.now) return this.driver()?.phases.finish();
    if (this.driver()?.plays()) return;
    if (lessons.asking) return lessons.reveal(lessons.guess === null);
    if (lessons.solvable) return lessons.give();
    lessons.next();
  }

  back() {
    const { place, before } = this.lessons;
    if (place.step > 1 || before) this.lessons.previous();
    else this.driver()?.app.message(FIRST);
  }

  pause() {
    this.paused = !this.paused;
    this.driver()?.app.show.pause(this.paused);
    this.#drawPace();
    if (this.lessons.place.play) this.#soon();
  }

  /** The answer once more, or the compaction as far as it has been taken apart. */
  again() {
    const { lessons } = this;
    const driver = this.driver();
    const phase = lessons.data?.scene.phase;
    if (!driver || lessons.asking || !phase) return;
    driver.play(lessons.data?.ask ? phase : (driver.app.highlights.now.phase ?? 4));
  }

  /** @param {1 | -1} by */
  pacing(by) {
    this.speed = Math.max(0, Math.min(SPEEDS.length - 1, this.speed + by));
    this.driver()?.app.setSpeed(SPEEDS[this.speed]);
    this.#drawPace();
  }

  /** @param {Phase} phase */
  #phase(phase) {
    const driver = this.driver();
    if (this.lessons.asking || !driver?.app.run) return;
    driver.still(phase);
  }

  /** By itself: what a hand would do next, after the time it takes to read what is there. */
  #soon() {
    clearTimeout(this.timer);
    if (this.paused) return;
    const { lessons } = this;
    const { data } = lessons;
    const read =
      (lessons.ended ? (lessons.lesson?.saw.join(" ").length ?? 0) : (data?.caption.length ?? 0)) +
      (lessons.revealed ? (data?.ask?.because.length ?? 0) : (data?.ask?.question.length ?? 0));
    const tries = Boolean(data?.task) && lessons.check?.passed === false;
    this.timer = setTimeout(() => this.#byItself(), tries ? MOVE : LOOK + LETTER * read);
  }

  #byItself() {
    const { lessons } = this;
    if (this.driver()?.app.show.now || this.driver()?.app.playing || lessons.unchecked || (lessons.data?.task && !lessons.check)) return this.#soon();
    if (lessons.data?.task && lessons.check?.passed === false && this.#tried()) return;
    if (lessons.ended && !lessons.after) return lessons.open(lessons.rows[0].number);
    this.forward();
    if (lessons.data) this.#soon();
  }

  /** Move a control of the task to its next value; says whether there was one. */
  #tried() {
    const { lessons } = this;
    const { controls = [], ranges = {} } = lessons.data?.task ?? {};
    const name = controls.find((one) => typeof ranges[one]?.[0] === "number");
    if (!name) return false;
    const [least, most, step] = /** @type {number[]} */ (ranges[name]);
    const to = Number(lessons.controls[name]) + step;
    if (lessons.tries > (most - least) / step) return false;
    lessons.set(name, to > most ? least : to);
    return true;
  }

  destroy() {
    this.stop.abort();
    this.laid.disconnect();
    this.sizes.disconnect();
    this.beside.disconnect();
    clearTimeout(this.timer);
    for (const part of [this.ask, this.task, this.figure]) part.destroy();
    this.room.followed?.setSpeed(1);
    this.room.destroy();
    this.side.remove();
    for (const name of ["--curve", "--stage"]) this.host.style.removeProperty(name);
    delete this.host.dataset.picture;
    delete this.host.dataset.spot;
  }
}

/** A caption for a room: it has no transport and no pointer. @param {string} caption */
const forRoom = (caption) => caption.replace(" Press ▶.", "").replace(" Its tiles show how.", "").replace(" Choose a row to read it.", "");

/** @type {Record<string, (presenter: Presenter) => () => void>} */
const COMMANDS = {
  ArrowRight: (presenter) => () => presenter.forward(),
  PageDown: (presenter) => () => presenter.forward(),
  Enter: (presenter) => () => presenter.forward(),
  ArrowLeft: (presenter) => () => presenter.back(),
  PageUp: (presenter) => () => presenter.back(),
  " ": (presenter) => () => presenter.pause(),
  R: (presenter) => () => presenter.again(),
  S: (presenter) => () => presenter.lessons.give(),
  "-": (presenter) => () => presenter.pacing(-1),
  "−": (presenter) => () => presenter.pacing(-1),
  "+": (presenter) => () => presenter.pacing(1),
  "=": (presenter) => () => presenter.pacing(1),
  Escape: (presenter) => () => presenter.lessons.present(false),
};
