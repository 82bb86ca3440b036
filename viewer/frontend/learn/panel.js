// The sidebar of the Learn page: of a lesson its caption, question and task; of the list the person's file, and how to present.

import { attribute, button, coded, el, visible, write } from "../lib/dom.js";
import { themeOf } from "../lib/theme.js";
import { AskView } from "./ask.js";
import { FigureView } from "./figures/figure.js";
import { LessonShare } from "./share.js";
import { TaskView } from "./task.js";
/** @import { Lessons } from "./lessons.js" */

/** The keys that do something at a step, with what they do. @param {Lessons} lessons @returns {[string, string][]} */
function keysOf({ asking, blind, data, done, held, solvable }) {
  const last = asking ? (data?.ask?.choices?.at(-1)?.key ?? "") : "";
  return [
    ...(last ? [/** @type {[string, string]} */ ([`A – ${last}`, "choose"])] : []),
    ...(asking || done || blind ? [/** @type {[string, string]} */ (["Enter", asking ? "check" : blind ? "score" : "next"])] : []),
    ...(asking || solvable ? [/** @type {[string, string]} */ (["S", "show me"])] : []),
    ...(data?.task?.controls.includes("keep")
      ? [/** @type {[string, string]} */ (["↑ ↓", "groups"]), /** @type {[string, string]} */ (["Space", "keep"])]
      : []),
    ...(data?.scene.phase && !asking && !held ? [/** @type {[string, string]} */ (["1 – 4", "phases"])] : []),
  ];
}

const NO_FILE = "No file of yours is open, so this is a sample. Open yours in Debug or Library, or drop it here.";
const NOT_YOURS = "This file shows a sample here. In foldline, the last step of a lesson is about your own session.";

/** What every lesson has something to show of. */
const SAMPLE = "sample:openai-chat/coding-session.json";

export class LessonPanel {
  /** @param {ParentNode} parent @param {Lessons} lessons */
  constructor(parent, lessons) {
    this.lessons = lessons;
    this.stop = new AbortController();
    /** The caption that is shown. */ this.said = "";
    this.title = el("h1");
    this.about = el("p", { class: "fl-learn-about" });
    this.where = el("span", { class: "fl-learn-where" });
    this.steps = el("ol", { class: "fl-learn-steps", "aria-label": "Steps of the lesson" });
    this.caption = el("p", { class: "fl-learn-caption", "aria-live": "polite" });
    this.words = el("dl", { class: "fl-learn-words", hidden: true });
    this.empty = el("p", { class: "fl-learn-empty", hidden: true });
    this.problem = el("p", { class: "fl-learn-problem", role: "alert", hidden: true });
    this.ask = new AskView(lessons);
    this.task = new TaskView(lessons);
    this.figure = new FigureView(lessons);
    this.back = button("← Back", () => lessons.previous(), { class: "fl-learn-button" });
    this.left = el("span", { class: "fl-learn-left" });
    this.next = button("Next →", () => this.#goOn(), { class: "fl-learn-primary" });
    this.all = button("‹ All lessons", () => lessons.open(0), { class: "fl-learn-link" });
    this.sharing = new LessonShare(lessons);
    this.share = button("Share…", () => this.sharing.open(), { class: "fl-learn-link" });
    this.note = el("p", { class: "fl-learn-keys", hidden: true });
    this.keys = el("p", { class: "fl-learn-keys" });
    this.told = el("div", { class: "fl-learn-told", tabindex: -1 });
    this.told.append(
      el("div", { class: "fl-learn-top" }, this.all, this.share),
      el("div", { class: "fl-learn-title" }, this.where, this.title),
      this.steps,
      this.about,
    );
    this.told.append(this.caption, this.words, this.empty, this.problem, this.ask.root, this.task.root, this.figure.root, this.note, this.keys);
    this.foot = el("footer", { class: "fl-learn-foot" }, this.back, this.left, this.next);
    this.list = el("div", { class: "fl-learn-list" });
    this.root = el("div", { class: "fl-learn fl-learn-panel" }, this.told, this.foot, this.list, this.sharing.node);
    const on = { signal: this.stop.signal };
    for (const type of ["place", "answer", "problem"]) lessons.addEventListener(type, () => this.#draw(), on);
    parent.append(this.root);
    this.#draw();
  }

  update() {
    this.root.dataset.theme = themeOf(this.root);
    this.#draw();
  }

  #draw() {
    const { lessons } = this;
    const { lesson, data } = lessons;
    this.told.hidden = this.foot.hidden = !lesson;
    this.list.hidden = Boolean(lesson);
    this.problem.hidden = !lessons.failed;
    const own = lessons.failed && !data && lessons.last; // their file does not open
    this.problem.replaceChildren(lessons.failed, ...(own ? [this.#sample()] : []));
    if (!lesson) return this.#drawList();
    write(this.title, lesson.title);
    write(this.about, lesson.about);
    this.about.hidden = lessons.place.step > 1;
    const { alone } = lessons;
    this.all.hidden = this.share.hidden = alone;
    this.note.hidden = !lessons.last || !(alone || lessons.sampled);
    write(this.note, !alone ? NO_FILE : lessons.own.source ? visible(lessons.own.note ?? "") : NOT_YOURS);
    const step = lessons.ended ? "done" : `step ${lessons.place.step} of ${lessons.length}`;
    write(this.where, `${alone ? `foldline · lesson ${lesson.number}` : `Lesson ${lesson.number} of ${lessons.rows.length}`} · ${step}`);
    this.#drawSteps();
    const waits = !data && lessons.last && !lessons.failed;
    const said = lessons.ended ? "The lesson is over." : waits ? "Reading your session …" : (data?.caption ?? "");
    attribute(this.caption, "data-waits", waits);
    if (this.said !== said) this.caption.replaceChildren(...coded(said));
    this.said = said;
    this.#drawWords();
    this.empty.hidden = !data?.empty;
    this.empty.replaceChildren(...coded(data?.empty ?? ""), ...(data?.empty ? [this.#sample()] : []));
    this.#drawKeys();
    this.#drawFoot();
  }

  /** The way on where a person's own session has nothing to show. */
  #sample() {
    const { lessons } = this;
    return button("Show it on the sample", () => lessons.choose(SAMPLE), { class: "fl-learn-button" });
  }

  /** New words, each with what it means. */
  #drawWords() {
    const words = this.lessons.data?.words ?? [];
    this.words.hidden = !words.length;
    this.words.replaceChildren(...words.flatMap(({ word, means }) => [el("dt", { text: word }), el("dd", { text: means })]));
  }

  /** On to the next step. The button gives the focus away, or Enter would pass over the question that comes. */
  #goOn() {
    this.told.focus({ preventScroll: true });
    this.lessons.next();
  }

  #drawKeys() {
    const nodes = keysOf(this.lessons).flatMap(([key, text], k) => [k ? " · " : "", el("kbd", { text: key }), ` ${text}`]);
    this.keys.replaceChildren(...nodes);
  }

  #drawSteps() {
    const { lessons, steps } = this;
    const { lesson, place } = lessons;
    const kept = lesson && lessons.progress.of(lesson.key);
    const nodes = (lesson?.steps ?? []).map((name, k) => {
      const done = kept?.done.includes(k + 1);
      const about = { "aria-current": k + 1 === place.step ? "step" : null, "aria-label": done ? `${name}, done` : name };
      const node = button("", () => lessons.open(place.lesson, k + 1), about);
      node.append(el("span", { text: name }));
      return el("li", { "data-done": done ? "true" : null }, node);
    });
    const had = steps.contains(steps.getRootNode() instanceof ShadowRoot ? /** @type {ShadowRoot} */ (steps.getRootNode()).activeElement : null);
    steps.replaceChildren(...nodes);
    if (had) nodes[place.step - 1]?.querySelector("button")?.focus();
  }

  #drawFoot() {
    const { lessons } = this;
    const { alone, lesson, place, length } = lessons;
    if (!lesson) return;
    this.back.disabled = alone && place.step === 1;
    const minutes = Math.max(1, Math.round((lesson.minutes * (length - place.step + 1)) / length));
    write(this.left, place.step >= length ? "" : `about ${minutes} min left`);
    const { after } = lessons;
    const end = alone ? "From the start" : after ? `Lesson ${after.number} →` : "All lessons →";
    const last = lessons.sampled ? "Now a sample →" : "Now your file →";
    write(this.next, lessons.ended ? end : lessons.last ? "What you saw →" : place.step === length - 1 && !alone ? last : "Next →");
    attribute(this.next, "data-ready", String(lessons.done));
  }

  /** What a teacher and a person with a file of their own look for. */
  #drawList() {
    const { lessons } = this;
    this.list.replaceChildren(
      el("h2", { text: "Your file" }),
      el("p", { class: "fl-learn-file", text: lessons.sampled ? "none yet: a sample stands in" : lessons.own.name }),
      el("p", { text: "Each lesson ends on it. Open one in Debug or Library, or drop one on a lesson." }),
      el("h2", { text: "In front of a class" }),
      el("p", { text: "Larger type, slow animation, keys alone. Made for 1280 × 720." }),
      button("Present", () => lessons.present(true), { class: "fl-learn-button" }),
      el(
        "p",
        { class: "fl-learn-keys" },
        el("kbd", { text: "← → ↑ ↓" }),
        " cards · ",
        el("kbd", { text: "Enter" }),
        " open · ",
        el("kbd", { text: "1 – 6" }),
        " a lesson · ",
        el("kbd", { text: "Shift P" }),
        " present",
      ),
    );
  }

  destroy() {
    this.stop.abort();
    this.sharing.preparing.stop();
    for (const part of [this.ask, this.task, this.figure]) part.destroy();
    this.root.remove();
  }
}
