// Where a person is in the lessons, what was guessed and tried: the one state that the page and its sidebar share.

import { addressed, addressOf, isAt } from "../lib/address.js";
import { fetchJson } from "../lib/json.js";
import { problemText } from "../lib/problem.js";
import { placeIn, searchOf } from "./place.js";
import { Progress } from "./progress.js";
/** @import { Answer, Check, Figure, LessonRow, PageData, Scene, Settings, Step } from "./types.js" */
/** @import { Place } from "./place.js" */

/** Milliseconds that a control rests before the engine is asked. */
const REST = 60;
/** Controls that are no settings of a policy. */
const NO_SETTING = new Set(["cut", "keep", "cached"]);

/** Tells "place" (another step, or the list), "answer" (a guess, its answer, a task's state), "wanted" (somebody wants to go on where
 *  an answer is waited for), "read" (a message is read, or no longer), "problem". */
export class Lessons extends EventTarget {
  constructor() {
    super();
    /** @type {LessonRow[]} */ this.rows = [];
    /** Whether this is an exported file, which holds one lesson and no list. */ this.alone = false;
    /** @type {Place} */ this.place = placeIn(addressed());
    /** What the server says of the step; null while it is asked. @type {Step | null} */ this.data = null;
    this.failed = "";
    /** @type {Answer | null} */ this.guess = null;
    /** Whether the answer is shown. */ this.revealed = false;
    /** What the controls of a task are at. @type {Settings} */ this.controls = {};
    /** @type {Check | null} */ this.check = null;
    this.tries = 0;
    /** What solves the task: not asked for, asked for, or what the controls are at. @type {"" | "asked" | "shown"} */ this.solution = "";
    /** Whether what solves the task was shown since the step was opened. */ this.helped = false;
    /** Whether a blind task is scored. */ this.scored = false;
    /** The board that was played last, and what was kept there; whether that was shown. */ this.picked = "";
    this.pickedShown = false;
    /** Whether the engine has yet to say what it says of the controls as they are. */ this.unchecked = false;
    /** The step that the debugger is at. */ this.cursor = 0;
    /** The phase up to which the compaction of the step was told: 4 for all of it. */ this.phase = 4;
    /** Whether something moves in the debugger. */ this.moves = false;
    /** Whether a message was chosen in the debugger, to be read. */ this.reads = false;
    /** The session that is open. @type {PageData} */ this.own = { source: "", session: "", name: "" };
    /** Leads to the Library, to choose the session of the last step there; null where there is none. @type {(() => void) | null} */ this.toLibrary =
      null;
    this.progress = new Progress();
    this.openOrder = 0;
    this.checkOrder = 0;
    /** @type {ReturnType<typeof setTimeout> | undefined} */ this.resting = undefined;
    this.back = (/** @type {PopStateEvent} */ event) => {
      if (!isAt("learn")) return; // Streamlit opens the other page
      event.stopImmediatePropagation(); // and would run this one again
      this.place = placeIn(addressed());
      void this.#open();
    };
    addEventListener("popstate", this.back, true);
  }

  /** @param {PageData} own */
  async start(own) {
    this.own = own;
    if (this.rows.length) return;
    try {
      const { lessons, alone = false } = await fetchJson("api/lessons");
      Object.assign(this, { rows: lessons, alone });
      await this.#open();
    } catch (error) {
      this.#fail(problemText(error));
    }
  }

  /** The lesson to be done next. @returns {LessonRow | undefined} */
  get begun() {
    return this.rows.find(({ key, steps }) => this.progress.of(key).done.length < steps.length);
  }

  /** The lesson that is open. */
  get lesson() {
    return this.rows.find(({ number }) => number === this.place.lesson) ?? null;
  }

  /** How many steps the lesson has. */
  get length() {
    return this.lesson?.steps.length ?? 0;
  }

  /** The steps of the lesson that are not done. @returns {number[]} */
  get openSteps() {
    const { lesson } = this;
    const done = lesson ? this.progress.of(lesson.key).done : [];
    return (lesson?.steps ?? []).map((_, k) => k + 1).filter((step) => !done.includes(step));
  }

  /** The lesson behind this one, or null. */
  get after() {
    return this.rows.find(({ number }) => number > this.place.lesson) ?? null;
  }

  /** The lesson in front of this one, or null. */
  get before() {
    return this.rows.findLast(({ number }) => number < this.place.lesson) ?? null;
  }

  get last() {
    return this.place.step === this.length;
  }

  /** Whether the lesson is over: behind its last step stands what there was to see. */
  get ended() {
    return this.lesson !== null && this.place.step > this.length;
  }

  /** Whether an answer is waited for: until then figures are covered. */
  get asking() {
    return Boolean(this.data?.ask) && !this.revealed;
  }

  /** Whether nothing keeps from going on; a task may be left for later, and a run need not be watched. */
  get done() {
    return this.data !== null && !this.asking && !this.blind && !this.grows && !this.apart && (!this.data.task || this.check?.passed === true);
  }

  /** Whether how good a choice is stays covered. */
  get blind() {
    return Boolean(this.data?.task?.blind) && !this.scored;
  }

  /** What is covered now: until it is guessed, and behind the answer what the next step asks for. @returns {string[]} */
  get covered() {
    if (!this.data?.ask) return [];
    return this.revealed ? (this.data.still ?? []) : this.data.veil;
  }

  /** Whether the debugger stands still: a move would show what is covered. */
  get held() {
    return this.asking ? this.covered.length > 0 : this.covered.includes("timeline-after");
  }

  /** Whether a room sees what is drawn, and beside it no question and no task. */
  get stage() {
    return this.place.present && !this.data?.ask && !this.data?.task;
  }

  /** Whether a step only tells of a run, at a place where more is to come. */
  get tells() {
    const { data } = this;
    return Boolean(data) && !data?.ask && !data?.task && !data?.scene.phase && !this.last;
  }

  /** Whether a run is there to be seen as it grows, and has not grown to its end. */
  get grows() {
    const { data } = this;
    return data?.figures?.kind === "sent" && !data.ask && !data.task && this.cursor < (data.figures.calls.at(-1)?.step ?? 0);
  }

  /** Whether a compaction is there to be seen phase by phase, and was not told to its end. */
  get apart() {
    const { data } = this;
    return Boolean(data?.scene.phase && !data.ask && !data.task) && this.phase < 4;
  }

  /** What a press of → does with what is to be watched; "" where nothing is. */
  get watches() {
    if (!this.grows && !this.apart) return "";
    return this.moves ? "to the end" : this.grows ? "play" : "next phase";
  }

  /** What is drawn beside the caption. @returns {Figure | null} */
  get figure() {
    return this.check?.figures ?? this.data?.figures ?? null;
  }

  /** The scene, as the controls have it, and the answer. @returns {Scene | null} */
  get scene() {
    const { scene: known = null, then = null } = this.data ?? {};
    const own = known && this.revealed && then !== null ? { ...known, step: then } : known;
    const scene = own && own.source === this.subject.source && this.last ? { ...own, ...this.subject } : own;
    if (!scene || !this.data?.task) return scene;
    const { policy, summaries, ...rest } = this.tried;
    const settings = Object.fromEntries(Object.entries(rest).filter(([name]) => !NO_SETTING.has(name)));
    return {
      ...scene,
      policy: typeof policy === "string" ? policy : scene.policy,
      summaries: typeof summaries === "string" ? summaries : scene.summaries,
      settings: { ...scene.settings, ...settings },
    };
  }

  /** The controls as far as they mean something: without a policy there are no settings of one. */
  get tried() {
    const { controls } = this;
    if (controls.policy !== "none" && controls.policy !== "recorded") return controls;
    return Object.fromEntries(Object.entries(controls).filter(([name]) => name === "policy" || NO_SETTING.has(name)));
  }

  /** Whether the task sets what the debugger shows: another compaction may come of it. */
  get resets() {
    return Object.keys(this.controls).some((name) => !NO_SETTING.has(name));
  }

  /** Whether these figures are covered now. @param {string} name */
  covers(name) {
    return this.covered.includes(name);
  }

  /** Open a lesson, or with 0 the list. @param {number} lesson @param {number} [step] */
  open(lesson, step = 1) {
    const found = this.rows.find(({ number }) => number === lesson);
    if (lesson && !found) return;
    const to = found ? { lesson, step: Math.max(1, Math.min(found.steps.length + 1, step)) } : this.#otherwise;
    this.#go({ ...this.place, ...to });
  }

  /** The next step; behind the last one the end of the lesson, behind that the next, then the list, in a file its beginning. What is passed over is not done, nor what a room answers. */
  next() {
    const { lesson, ended, place } = this;
    if (!lesson) return;
    if (ended) return this.open(this.after?.number ?? 0);
    const room = place.present && Boolean(this.data?.ask || this.data?.task);
    if (this.done && !room) this.progress.finish(lesson.key, place.step);
    this.open(place.lesson, place.step + 1);
  }

  /** The step before; before the first one the list, in front of a room the lesson before. */
  previous() {
    const { place } = this;
    if (place.step > 1) return this.open(place.lesson, place.step - 1);
    const { before } = this;
    if (place.present) return before && this.open(before.number, before.steps.length);
    if (!this.alone) this.open(0);
  }

  /** @param {boolean} on */
  present(on) {
    const lesson = this.place.lesson || this.rows[0]?.number || 0;
    this.#go({ ...this.place, lesson, step: this.place.step || 1, present: on, play: on && this.place.play });
  }

  /** The last step of a lesson is about this session from now on. @param {string} source */
  choose(source) {
    this.#go({ ...this.place, source, session: "" });
  }

  /** @param {Place} place */
  #go(place) {
    this.place = place;
    history.pushState(history.state, "", addressOf(searchOf(place)));
    void this.#open();
  }

  async #open() {
    const order = ++this.openOrder;
    this.checkOrder++;
    clearTimeout(this.resting);
    Object.assign(this, {
      guess: null,
      revealed: false,
      controls: {},
      check: null,
      unchecked: false,
      solution: "",
      helped: false,
      scored: false,
      tries: 0,
      reads: false,
      data: null,
      failed: "",
    });
    if (!this.lesson) this.place = { ...this.place, ...this.#otherwise };
    this.#tell("place");
    const { lesson, place } = this;
    this.#nameSubject();
    if (!lesson || this.ended) return;
    this.progress.stand(lesson.key, place.step);
    try {
      const found = await fetchJson(`api/lessons/${lesson.number}/${place.step}${this.#source}`);
      if (order !== this.openOrder) return;
      this.data = found;
      this.#begin();
      this.#tell("place");
    } catch (error) {
      if (order === this.openOrder) this.#fail(problemText(error));
    }
  }

  /** Where one is who is at no lesson: at the list; in a file at its beginning. */
  get #otherwise() {
    return this.alone ? { lesson: this.rows[0].number, step: 1 } : { lesson: 0, step: 0 };
  }

  /** The session that the last step is about: the one that is open, or another that was chosen for it. @returns {{source: string, session?: string}} */
  get subject() {
    const { own, place } = this;
    const source = place.source || own.source;
    const session = place.session || (source === own.source && own.session);
    return session ? { source, session } : { source };
  }

  /** What that session is called. */
  get subjectName() {
    const { own, subject } = this;
    return subject.source === own.source ? own.name : subject.source.replace(/^\w+:(.*\/)?/, "");
  }

  /** In a lesson the address names a file of theirs: a reload is about the same one, whatever is open by then. */
  #nameSubject() {
    const { lesson, place, subject } = this;
    if (!lesson || this.alone || place.source || this.sampled) return;
    this.place = { ...place, session: "", ...subject };
    if (!isAt("learn")) return; // left while the lessons were on their way
    history.replaceState(history.state, "", addressOf(searchOf(this.place)));
  }

  /** Whether the last step is about a sample, as no file of theirs is open. */
  get sampled() {
    const { source } = this.subject;
    return !source || source.startsWith("sample:");
  }

  /** The same as a query; of other steps "". */
  get #source() {
    return this.last && this.subject.source ? `?${new URLSearchParams(this.subject)}` : "";
  }

  #begin() {
    const { data } = this;
    const guessed = data?.ask && this.lesson ? this.progress.of(this.lesson.key).said[this.place.step] : undefined;
    if (data && !data.ask && !data.task) Object.assign(this, { cursor: data.scene.step, phase: data.scene.phase ?? 4 }); // until the debugger stands there
    if (guessed && !this.place.present) Object.assign(this, { guess: guessed.guess, revealed: true });
    if (!data?.task) return;
    const { policy, summaries, settings } = data.scene;
    const cut = data.figures?.kind === "cuts" ? data.figures.cut : null;
    const known = { ...settings, policy, summaries, ...(cut === null ? {} : { cut }) };
    this.controls = Object.fromEntries(data.task.controls.map((name) => [name, startOf(name, known, data.task?.ranges[name])]));
    this.#bring();
    void this.#ask();
  }

  /** What was kept at the step before on the same board was a guess: now it is scored. */
  #bring() {
    const { data, picked } = this;
    const [scene, ids] = picked.split(" ");
    if (!data?.task || this.last || !("keep" in this.controls) || !ids || scene !== sceneOf(data.scene)) return;
    this.controls = { ...this.controls, keep: ids };
    this.helped = this.pickedShown;
    this.scored = true;
  }

  /** Score what was chosen. */
  score() {
    if (!this.controls.keep) return;
    this.scored = true;
    this.#finish();
    this.#tell("answer");
  }

  /** They do not know: show the answer, or what solves the task. */
  give() {
    if (this.asking) return this.reveal(true);
    if (this.solvable) void this.solve();
  }

  /** Whether the task is open, and what solves it not shown. */
  get solvable() {
    return Boolean(this.data?.task) && !this.done && !this.solution;
  }

  /** A task that is not known: the engine sets its controls. */
  async solve() {
    const { lesson, place } = this;
    const order = ++this.checkOrder;
    clearTimeout(this.resting);
    this.solution = "asked";
    try {
      const { controls } = await fetchJson(`api/lessons/${place.lesson}/${place.step}/solution${this.#source}`);
      if (order !== this.checkOrder || !lesson) return;
      if (!controls) return this.#unsolved("Nothing that these controls can be set to does it here. Go on with Next.");
      this.solution = "shown";
      this.helped = true;
      this.scored = true;
      this.tries = 0;
      this.#move({ ...this.controls, ...controls });
    } catch (error) {
      if (order === this.checkOrder) this.#unsolved(problemText(error));
    }
  }

  /** The controls stay where they are; what the engine says of them is asked now if that was put off. @param {string} why */
  #unsolved(why) {
    this.#fail(why);
    if (this.unchecked) void this.#ask();
  }

  /** What a person guesses; until it is checked another guess takes its place, or none. @param {Answer | null} guess */
  suppose(guess) {
    if (!this.asking) return;
    this.guess = guess;
    this.#tell("answer");
  }

  /** The choice that a key stands for, while one is asked for: its letter, or its number. @param {string} key */
  choiceOf(key) {
    const choices = this.asking ? (this.data?.ask?.choices ?? []) : [];
    return choices.find((one) => one.key === key.toUpperCase()) ?? (/^[1-9]$/.test(key) ? choices[Number(key) - 1] : undefined);
  }

  /** A digit is typed, wherever the focus is: it goes into the field. @param {string} digit  or "" to take the last one back */
  type(digit) {
    this.dispatchEvent(new CustomEvent("typed", { detail: digit }));
  }

  /** Somebody wants to go on where an answer or a task is waited for: say what is expected. */
  want() {
    this.#tell("wanted");
  }

  /** Show the answer: of what was guessed, or of nothing. @param {boolean} [unknown]  they do not know */
  reveal(unknown = false) {
    const { data, lesson } = this;
    if (!data?.ask || !this.asking || (this.guess === null && !unknown)) return;
    if (unknown) this.guess = null;
    this.revealed = true;
    if (lesson && !this.place.present) this.progress.say(lesson.key, this.place.step, this.guess, this.right);
    this.#tell("answer");
  }

  /** Guess again, as if nothing had been said. */
  again() {
    Object.assign(this, { guess: null, revealed: false });
    this.#tell("place");
  }

  get right() {
    return this.guess !== null && String(this.guess) === String(this.data?.ask?.answer);
  }

  /** A control of the task has moved. @param {string} name @param {Settings[string]} value */
  set(name, value) {
    if (this.controls[name] === value) return;
    this.tries++;
    this.solution = "";
    this.#move({ ...this.controls, [name]: value });
  }

  /** @param {Settings} controls */
  #move(controls) {
    this.controls = controls;
    if (this.data && "keep" in controls)
      Object.assign(this, { picked: `${sceneOf(this.data.scene)} ${controls.keep ?? ""}`, pickedShown: this.helped });
    this.unchecked = true;
    this.failed = "";
    this.#tell("answer");
    clearTimeout(this.resting);
    this.resting = setTimeout(() => void this.#ask(), REST);
  }

  /** What the engine says of the task as it stands. */
  async #ask() {
    const order = ++this.checkOrder;
    const { place, tried, last } = this;
    const values = Object.entries(tried).filter(([, value]) => value !== null && value !== "");
    const query = new URLSearchParams(values.map(([name, value]) => [name, String(value)]));
    if (last && this.#source) for (const [name, value] of Object.entries(this.subject)) query.set(name, value);
    try {
      const found = await fetchJson(`api/lessons/${place.lesson}/${place.step}/check?${query}`);
      if (order !== this.checkOrder) return;
      this.check = found;
      this.unchecked = false;
      this.#finish();
      this.#tell("answer");
    } catch (error) {
      if (order !== this.checkOrder) return;
      this.unchecked = false;
      this.#fail(problemText(error));
    }
  }

  #finish() {
    const { lesson, place, progress } = this;
    const moved = this.tries > 0 || this.scored || this.helped; // one that passes as it stands was not solved by them
    if (!lesson || !this.check?.passed || this.blind || !moved || place.present) return;
    progress.finish(lesson.key, place.step);
    progress.solve(lesson.key, place.step, this.helped);
  }

  /** Whether a message is read beside what is asked. @param {boolean} on */
  read(on) {
    if (on === this.reads) return;
    this.reads = on;
    this.dispatchEvent(new Event("read"));
  }

  /** Where the debugger stands, how far the compaction of the step was told, whether something moves. @param {Partial<{cursor: number, phase: number, moves: boolean}>} now */
  stood(now) {
    Object.assign(this, now);
    this.dispatchEvent(new Event("cursor"));
  }

  /** Forget what was done. */
  clear() {
    this.progress.clear();
    this.#tell("place");
  }

  /** @param {string} text */
  #fail(text) {
    this.failed = text;
    this.#tell("problem");
  }

  /** @param {"place" | "answer" | "wanted" | "problem"} what */
  #tell(what) {
    this.dispatchEvent(new Event(what));
  }

  destroy() {
    clearTimeout(this.resting);
    this.openOrder = this.checkOrder = -1;
    removeEventListener("popstate", this.back, true);
  }
}

/** What two steps on one board share. @param {Scene} scene */
const sceneOf = ({ source, settings }) => `${source}${JSON.stringify(settings)}`.replaceAll(" ", "");

/** What a control begins at: as the scene has it, else in the middle. @param {string} name @param {Settings} known @param {number[] | string[] | undefined} range @returns {Settings[string]} */
function startOf(name, known, range) {
  if (known[name] !== undefined) return known[name];
  const [least, most, step] = range ?? [];
  if (typeof least !== "number" || typeof most !== "number") return least ?? null;
  const by = Number(step) || 1;
  return Number((name === "cached" ? least : least + by * Math.round((most - least) / (2 * by))).toFixed(6));
}
