// The list of lessons: a card each, with what is done of it. The whole card opens its lesson; arrows walk from one to another.

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
    const lead = el("p", {
      text: "In each step you predict a number or a place, then move the thing itself: a budget, a cut, a message. The engine that reads your own files works out every number.",
    });
    const head = el("header", {}, el("h1", { text: "Learn" }), el("h2", { text: "Guess first. Then let the engine show you." }), lead);
    this.root = el("div", { class: "fl-learn-index" }, head, this.grid);
  }

  draw() {
    const { rows, begun } = this.lessons;
    this.grid.replaceChildren(...rows.map((row) => this.#card(row, row === begun)));
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
    const word = whole ? "Again" : done.length ? "Go on" : "Start";
    const open = button(word, () => this.lessons.open(number, whole ? 1 : at), {
      class: first ? "fl-learn-primary" : "fl-learn-link",
      "aria-label": `${word}: lesson ${number}, ${title}`,
    });
    const told = whole
      ? el("span", { class: "fl-card-done", text: "✓ done" })
      : el("span", { text: done.length ? `step ${at} of ${steps.length}` : `${pluralize(steps.length, "step")} · ${minutes} min` });
    const bars = el(
      "span",
      { class: "fl-learn-bars", "aria-hidden": "true" },
      ...(done.length && !whole ? steps.map((_, k) => el("i", { "data-done": done.includes(k + 1) ? "true" : null })) : []),
    );
    const node = el("article", { class: "fl-lesson", "aria-label": `Lesson ${number}`, "data-lesson": number });
    attribute(node, "data-first", first);
    node.append(
      picture(number),
      el("h3", {}, el("span", { text: `${number} ` }), title),
      el("p", { text: about }),
      el("p", { class: "fl-lesson-does", text: does }),
      el("footer", {}, bars, told, open),
    );
    return node;
  }
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
    [16, 34, 120, 18, "warm"],
    [136, 34, 50, 18, "cold"],
    [16, 62, 14, 18, "warm"],
    [30, 62, 44, 18, "cold"],
  ],
  6: [12, 60, 16, 34, 40, 66, 20, 12].map((h, k) => [16 + k * 24, 90 - h, 16, h, k === 1 || k === 5 ? "compactable" : "ghost"]),
};

/** @param {number} number */
function picture(number) {
  const bars = (PICTURES[number] ?? []).map(([x, y, width, height, kind]) => draw("rect", { x, y, width, height, rx: 3, class: `fl-is-${kind}` }));
  return /** @type {any} */ (draw("svg", { viewBox: "0 0 210 104", class: "fl-lesson-picture", "aria-hidden": "true" }, ...bars));
}
