// The end of a lesson: what there was to see, and where to go from here.

import { button, el } from "../lib/dom.js";
import { pluralize } from "../lib/format.js";
/** @import { Lessons } from "./lessons.js" */
/** @import { Standing } from "./progress.js" */

export class Ending {
  /** @param {Lessons} lessons */
  constructor(lessons) {
    this.lessons = lessons;
    this.root = el("section", { class: "fl-learn-end", "aria-label": "What you saw", hidden: true });
  }

  draw() {
    const { lessons } = this;
    this.root.hidden = !lessons.ended;
    if (!lessons.lesson || this.root.hidden) return this.root.replaceChildren();
    const { key, number, title, saw } = lessons.lesson;
    const tally = lessons.place.present ? "" : tallyWords(lessons.progress.tally(key));
    const head = el(
      "header",
      {},
      el("p", { text: `Lesson ${number} · ${title}` }),
      el("h2", { text: "What you saw" }),
      tally && el("p", { text: tally }),
      ...this.#left(),
    );
    this.root.replaceChildren(head, el("ol", {}, ...saw.map((text) => el("li", { text }))), el("footer", {}, ...this.#ways()));
  }

  /** The steps that were passed over, with the way to each; a room does none. */
  #left() {
    const { openSteps, lesson, place } = this.lessons;
    if (place.present || !lesson || !openSteps.length) return [];
    const ways = openSteps.map((step) =>
      button(`step ${step}`, () => this.lessons.open(place.lesson, step), { class: "fl-learn-link", title: lesson.steps[step - 1] }),
    );
    return [el("p", { class: "fl-learn-open" }, `${pluralize(openSteps.length, "step")} open:`, ...ways)];
  }

  /** The lesson before, the next one and the list; a file holds one lesson alone. */
  #ways() {
    const { lessons } = this;
    const { after, alone, place } = lessons;
    if (alone) return [button("From the start", () => lessons.open(place.lesson), { class: "fl-learn-primary" })];
    const before =
      lessons.before &&
      button(`← Lesson ${lessons.before.number}: ${lessons.before.title}`, () => lessons.open(lessons.before?.number ?? 0), {
        class: "fl-learn-button",
      });
    const next = after && button(`Lesson ${after.number}: ${after.title} →`, () => lessons.next(), { class: "fl-learn-primary" });
    return [
      ...(before ? [before] : []),
      ...(next ? [next] : []),
      button("All lessons", () => lessons.open(0), { class: next ? "fl-learn-button" : "fl-learn-primary" }),
    ];
  }
}

/** "Your first answers: 4 right, 1 not right, 1 shown."; "" where none was given. @param {Record<Standing, number>} tally */
export function tallyWords({ right, wrong, shown }) {
  const parts = [`${right} right`, wrong && `${wrong} not right`, shown && `${shown} shown`].filter(Boolean);
  return right + wrong + shown ? `Your first answers: ${parts.join(", ")}.` : "";
}
