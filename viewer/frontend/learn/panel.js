// The sidebar of the Learn page: of a lesson its title, its steps, the new words and the keys; of the list the person's file, and how to present.

import { button, el, visible, write } from "../lib/dom.js";
import { pluralize } from "../lib/format.js";
import { themeOf } from "../lib/theme.js";
import { LessonShare } from "./share.js";
/** @import { Lessons } from "./lessons.js" */

/** The keys that do something at a step, with what they do. @param {Lessons} lessons @returns {[string, string][]} */
function keysOf({ asking, blind, data, done, watches, held, solvable }) {
  const last = asking ? (data?.ask?.choices?.at(-1)?.key ?? "") : "";
  return [
    ...(last ? [/** @type {[string, string]} */ ([`A – ${last}`, "choose"])] : []),
    ...(asking || done || blind
      ? [/** @type {[string, string]} */ ([asking && data?.ask?.kind === "number" ? "Enter" : "→", asking ? "check" : blind ? "score" : "next"])]
      : []),
    ...(watches ? [/** @type {[string, string]} */ (["→", watches])] : []),
    ["←", "back"],
    ...(asking || solvable ? [/** @type {[string, string]} */ (["S", "show me"])] : []),
    ...(data?.task?.controls.includes("keep")
      ? [/** @type {[string, string]} */ (["↑ ↓", "groups"]), /** @type {[string, string]} */ (["Space", "keep"])]
      : []),
    ...(data?.scene.phase && !asking && !held ? [/** @type {[string, string]} */ (["1 – 4", "phases"])] : []),
  ];
}

/** How an answer was come to. @type {Record<import("./progress.js").Standing, string>} */
const STANDING = { right: "your answer was right", wrong: "your guess was not right", shown: "the answer was shown" };

const NO_FILE = "No file of yours is open, so this is a sample. Open yours in Debug or Library, or drop it here.";
const NOT_YOURS = "This file shows a sample here. In foldline, the last step of a lesson is about your own session.";

export class LessonPanel {
  /** @param {ParentNode} parent @param {Lessons} lessons */
  constructor(parent, lessons) {
    this.lessons = lessons;
    this.stop = new AbortController();
    this.title = el("h1");
    this.about = el("p", { class: "fl-learn-about" });
    this.where = el("span", { class: "fl-learn-where" });
    this.steps = el("ol", { class: "fl-learn-steps", "aria-label": "Steps of the lesson" });
    this.words = el("dl", { class: "fl-learn-words", hidden: true });
    this.all = button("‹ All lessons", () => lessons.open(0), { class: "fl-learn-link" });
    this.sharing = new LessonShare(lessons);
    this.share = button("Share…", () => this.sharing.open(), { class: "fl-learn-link" });
    this.note = el("p", { class: "fl-learn-keys", hidden: true });
    this.choose = button("", () => lessons.toLibrary?.(), { class: "fl-learn-link" });
    this.keys = el("p", { class: "fl-learn-keys" });
    this.told = el("div", { class: "fl-learn-told" });
    this.told.append(
      el("div", { class: "fl-learn-top" }, this.all, this.share),
      el("div", { class: "fl-learn-title" }, this.where, this.title),
      this.steps,
      this.about,
      this.words,
      this.note,
      this.choose,
      this.keys,
    );
    this.list = el("div", { class: "fl-learn-list" });
    this.root = el("div", { class: "fl-learn fl-learn-panel" }, this.told, this.list, this.sharing.node);
    const on = { signal: this.stop.signal };
    for (const type of ["place", "answer"]) lessons.addEventListener(type, () => this.#draw(), on);
    lessons.addEventListener("cursor", () => this.#drawKeys(), on);
    parent.append(this.root);
    this.#draw();
  }

  update() {
    this.root.dataset.theme = themeOf(this.root);
    this.#draw();
  }

  #draw() {
    const { lessons } = this;
    const { lesson } = lessons;
    this.told.hidden = !lesson;
    this.list.hidden = Boolean(lesson);
    if (!lesson) return this.#drawList();
    write(this.title, lesson.title);
    write(this.about, lesson.about);
    const { alone } = lessons;
    this.all.hidden = this.share.hidden = alone;
    this.note.hidden = !lessons.last || !(alone || lessons.sampled);
    write(this.note, !alone ? NO_FILE : lessons.own.source ? visible(lessons.own.note ?? "") : NOT_YOURS);
    this.choose.hidden = !lessons.last || !lessons.toLibrary;
    write(this.choose, lessons.sampled ? "Choose a session…" : "Choose another session…");
    const { openSteps } = lessons;
    const end = openSteps.length ? `${pluralize(openSteps.length, "step")} open` : "done";
    const step = lessons.ended ? end : `step ${lessons.place.step} of ${lessons.length}`;
    write(this.where, `${alone ? `foldline · lesson ${lesson.number}` : `Lesson ${lesson.number} of ${lessons.rows.length}`} · ${step}`);
    this.#drawSteps();
    this.#drawWords();
    this.#drawKeys();
  }

  /** New words, each with what it means. */
  #drawWords() {
    const words = this.lessons.data?.words ?? [];
    this.words.hidden = !words.length;
    this.words.replaceChildren(...words.flatMap(({ word, means }) => [el("dt", { text: word }), el("dd", { text: means })]));
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
      const answer = lesson && lessons.progress.standing(lesson.key, k + 1);
      const how = answer ? STANDING[answer] : done ? "done" : "";
      const about = {
        "aria-current": k + 1 === place.step ? "step" : null,
        "aria-label": [name, how].filter(Boolean).join(", "),
        title: how || null,
      };
      const node = button("", () => lessons.open(place.lesson, k + 1), about);
      node.append(el("span", { text: name }));
      return el("li", { "data-done": done ? "true" : null, "data-said": answer ?? null }, node);
    });
    const had = steps.contains(steps.getRootNode() instanceof ShadowRoot ? /** @type {ShadowRoot} */ (steps.getRootNode()).activeElement : null);
    steps.replaceChildren(...nodes);
    if (had) nodes[place.step - 1]?.querySelector("button")?.focus();
  }

  /** What a teacher and a person with a file of their own look for. */
  #drawList() {
    const { lessons } = this;
    this.list.replaceChildren(
      el("h2", { text: "Your file" }),
      el("p", { class: "fl-learn-file", text: lessons.sampled ? "none yet: a sample stands in" : lessons.subjectName }),
      el("p", { text: "Each lesson ends on it. Open one in Debug or Library, or drop one on a lesson." }),
      el("h2", { text: "In front of a class" }),
      el("p", { text: "Larger type, slow animation, keys alone. Made for 1280 × 720." }),
      button(`Present from lesson ${lessons.rows[0]?.number ?? 1}`, () => lessons.present(true), { class: "fl-learn-button" }),
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
    this.root.remove();
  }
}
