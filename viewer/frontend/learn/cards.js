// The course: what it is about, the way in, and a card for each lesson with what is done of it. The whole card opens its lesson;
// arrows walk from one to another.

import { attribute, button, el } from "../lib/dom.js";
import { pluralize } from "../lib/format.js";
import { draw } from "../lib/svg.js";
/** @import { Lessons } from "./lessons.js" */
/** @import { LessonRow } from "./types.js" */

export class Cards {
  /** @param {Lessons} lessons */
  constructor(lessons) {
    this.lessons = lessons;
    this.grid = el("div", { class: "fl-cards" });
    this.begin = el("div", { class: "fl-learn-begin" });
    const head = el(
      "header",
      {},
      el("h1", { text: "Learn" }),
      el("h2", { text: TITLE }),
      el("p", { text: LEAD }),
      el("p", { class: "fl-learn-how", text: HOW }),
      this.begin,
    );
    this.root = el("div", { class: "fl-learn-index" }, head, this.grid);
  }

  draw() {
    const { rows, begun } = this.lessons;
    this.begin.replaceChildren(...this.#begin());
    this.grid.replaceChildren(...rows.map((row) => this.#card(row, row === begun)));
  }

  /** The one way on, and how far the course has come. */
  #begin() {
    const { lessons } = this;
    const { rows, begun, progress } = lessons;
    if (!rows.length) return [];
    const next = begun ?? rows[0];
    const { done, at } = progress.of(next.key);
    const word = !begun ? "Begin again with" : done.length ? "Continue" : "Start";
    const step = begun && done.length ? `, step ${at}` : "";
    const on = button(`${word} lesson ${next.number}${step}: ${next.title}`, () => lessons.open(next.number, begun ? at : 1), {
      class: "fl-learn-primary",
    });
    const clear = button("Clear my progress", () => lessons.clear(), { class: "fl-learn-link" });
    const told = el("p", {
      class: "fl-learn-sofar",
      text: soFar(
        rows,
        rows.filter(({ key, steps }) => progress.of(key).done.length >= steps.length),
      ),
    });
    return [on, told, ...(Object.keys(progress.lessons).length ? [clear] : [])];
  }

  /** The buttons that open a lesson, as their cards stand. @returns {HTMLElement[]} */
  get #doors() {
    return [...this.grid.querySelectorAll("button")];
  }

  /** To the card beside the one that has the focus, or above or below it; from elsewhere, beside the one to be done next. @param {string} arrow  its key */
  walk(arrow) {
    const doors = this.#doors;
    const root = /** @type {ShadowRoot | Document} */ (this.grid.getRootNode());
    const focused = doors.indexOf(/** @type {HTMLElement} */ (root.activeElement));
    const at = focused < 0 ? doors.findIndex((door) => door.closest("[data-first]")) : focused;
    const row = doors.filter((door) => cardTop(door) === cardTop(doors[0])).length;
    const by = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -row, ArrowDown: row }[arrow] ?? 0;
    (doors[at + by] ?? doors[Math.max(0, at)])?.focus();
  }

  /** @param {LessonRow} row @param {boolean} first  to be done next */
  #card(row, first) {
    const { number, title, about, does, steps, minutes, key } = row;
    const { done, at } = this.lessons.progress.of(key);
    const whole = done.length >= steps.length;
    const word = whole ? "Again" : done.length ? "Continue" : "Start";
    const open = button(word, () => this.lessons.open(number, whole ? 1 : at), {
      class: "fl-learn-link",
      "aria-label": `${word}: lesson ${number}, ${title}`,
    });
    const told = whole
      ? el("span", {}, el("span", { class: "fl-card-done", text: "✓ done" }), rightOf(this.lessons.progress.tally(key)))
      : el("span", { text: done.length ? `${done.length} of ${steps.length} steps done` : `${pluralize(steps.length, "step")} · ${minutes} min` });
    const node = el("article", { class: "fl-lesson", "aria-label": `Lesson ${number}`, "data-lesson": number });
    attribute(node, "data-first", first);
    node.append(
      picture(number),
      el("h3", {}, el("span", { text: `${number} ` }), title),
      el("p", { text: about }),
      el("p", { class: "fl-lesson-does", text: does }),
      el("footer", {}, ...(first ? [el("span", { class: "fl-card-next", text: "next" })] : []), told, open),
    );
    return node;
  }
}

const TITLE = "What a model can see, and what it forgets";
const LEAD =
  "With each request a model reads only what is sent along: its context window. When that grows too long, a compaction puts a short summary in the place of old messages, and what the summary leaves out is lost to the model.";
const HOW = "In each lesson you guess first. Then the engine works out the answer and shows it.";

/** How much of the course is done, and how long the rest takes. @param {LessonRow[]} rows @param {LessonRow[]} done */
function soFar(rows, done) {
  const minutes = rows.filter((row) => !done.includes(row)).reduce((sum, row) => sum + row.minutes, 0);
  const all = `${pluralize(rows.length, "lesson")}, about ${pluralize(minutes, "minute")}`;
  return !done.length
    ? all
    : minutes
      ? `${done.length} of ${rows.length} lessons done, about ${pluralize(minutes, "minute")} to go`
      : "All lessons done";
}

/** How many first answers were right: " · 4 of 6 right"; "" where none was given. @param {Record<import("./progress.js").Standing, number>} tally */
function rightOf({ right, wrong, shown }) {
  const all = right + wrong + shown;
  return all ? ` · ${right} of ${all} right` : "";
}

/** Where the card of a button begins. @param {HTMLElement} door */
const cardTop = (door) => /** @type {HTMLElement} */ (door.closest(".fl-lesson")).offsetTop;

/** Bars of no particular height: what a lesson is about, without a number. @type {Record<number, [x: number, y: number, width: number, height: number, kind: string][]>} */
const PICTURES = {
  1: [10, 26, 42, 58, 74].map((h, k) => [20 + k * 38, 90 - h, 26, h, "compactable"]),
  2: [
    [30, 20, 44, 18, "recent"],
    [30, 38, 44, 40, "compactable"],
    [30, 78, 44, 12, "system"],
    [130, 42, 44, 18, "recent"],
    [130, 60, 44, 18, "summary"],
    [130, 78, 44, 12, "system"],
  ],
  3: [0, 1, 2, 3, 4, 5, 6, 7, 8].map((k) => [12 + k * 21, 40, 16, 34, k < 1 ? "system" : k < 4 ? "compactable" : "recent"]),
  4: [0, 1, 2].flatMap((k) =>
    [0, 1, 2, 3].map(
      (j) =>
        /** @type {[number, number, number, number, string]} */ ([
          18 + k * 66,
          26 + j * 16,
          46 - k * j * 5,
          6,
          j === 2 && k < 2 ? "recent" : "summary",
        ]),
    ),
  ),
  5: [
    [16, 34, 14, 18, "system"],
    [30, 34, 106, 18, "compactable"],
    [136, 34, 22, 18, "recent"],
    [158, 34, 28, 18, "recent fl-is-cold"],
    [16, 62, 14, 18, "system"],
    [30, 62, 24, 18, "summary fl-is-cold"],
    [54, 62, 22, 18, "recent fl-is-cold"],
  ],
  6: [12, 60, 16, 34, 40, 66, 20, 12].map((h, k) => [16 + k * 24, 90 - h, 16, h, k === 1 || k === 5 ? "compactable" : "ghost"]),
};

/** @param {number} number */
function picture(number) {
  const bars = (PICTURES[number] ?? []).map(([x, y, width, height, kind]) => draw("rect", { x, y, width, height, rx: 3, class: `fl-is-${kind}` }));
  return /** @type {any} */ (draw("svg", { viewBox: "0 0 210 104", class: "fl-lesson-picture", "aria-hidden": "true" }, ...bars));
}
