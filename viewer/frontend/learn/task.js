// A task: its controls, what the engine says while they move, and what it says once it is done.

import { attribute, button, coded, el, write } from "../lib/dom.js";
import { int } from "../lib/format.js";
/** @import { Lessons } from "./lessons.js" */
/** @import { Condition, Settings } from "./types.js" */

/** Controls that a figure is. */
const DRAWN = ["cut", "keep"];
/** What a control is, where its name is that of a parameter. @type {Record<string, string>} */
const MEANS = { budget: "most tokens of the window", keep_recent: "newest messages that stay", keep_recent_turns: "newest turns that stay" };
/** What controls are called that are no parameters. @type {Record<string, string>} */
const NAMES = { cached: "price of a cached token, of a fresh one" };

const KIND = "Task · checked by the engine";

/** What is expected, where somebody wants to go on without a solution. @type {Record<string, string>} */
const WANTED = { keep: "Tick what stays first. S shows a choice that does it; Next leaves it for later." };
const MOVE = "Move a control until each line has its ✓. S shows a setting that does it; Next leaves it for later.";

export class TaskView {
  /** @param {Lessons} lessons */
  constructor(lessons) {
    this.lessons = lessons;
    this.root = el("section", { class: "fl-task", hidden: true });
    this.stop = new AbortController();
    /** @type {Record<string, (value: Settings[string]) => void>} */ this.shows = {};
    /** The sliders. @type {Record<string, HTMLInputElement>} */ this.inputs = {};
    lessons.addEventListener("place", () => this.#lay(), { signal: this.stop.signal });
    lessons.addEventListener("answer", () => this.#update(), { signal: this.stop.signal });
    lessons.addEventListener("wanted", () => this.#want(), { signal: this.stop.signal });
    this.#lay();
  }

  #lay() {
    const task = this.lessons.data?.task ?? null;
    this.root.hidden = !task;
    if (!task) return this.root.replaceChildren();
    this.shows = {};
    this.inputs = {};
    const controls = task.controls.filter((name) => !DRAWN.includes(name)).map((name) => this.#control(name, task.ranges[name]));
    this.conditions = el("ul", { class: "fl-task-conditions", "aria-label": "What is asked for" });
    this.note = el("p", { class: "fl-task-note", role: "status" });
    this.passed = el("p", { class: "fl-task-passed", role: "status", tabindex: -1 });
    this.how = el("p", { class: "fl-ask-how", "aria-live": "polite", "data-wanted": true, hidden: true });
    const title = el("h2", { class: "fl-ask-question" }, ...coded(task.text));
    this.kind = el("p", { class: "fl-ask-kind", text: KIND });
    this.score = button("Score my choice", () => this.lessons.score(), { class: "fl-learn-primary" });
    this.show = button("I don't know, show me", () => void this.lessons.solve(), { class: "fl-learn-link" });
    this.buttons = el("div", { class: "fl-ask-buttons" }, this.score, this.show);
    this.root.replaceChildren(
      ...controls,
      el("div", { class: "fl-task-box" }, this.kind, title, this.how, this.conditions, this.note, this.buttons, this.passed),
    );
    this.#update();
  }

  /** @param {string} name @param {number[] | string[] | undefined} range */
  #control(name, range) {
    if (typeof range?.[0] === "string") return this.#names(name, /** @type {string[]} */ (range));
    const [least, most, step] = /** @type {number[]} */ (range ?? [0, 1, 0.1]);
    const value = el("output", { class: "fl-task-value" });
    const input = el("input", { type: "range", min: least, max: most, step, "aria-label": NAMES[name] ?? name });
    input.addEventListener("input", () => this.lessons.set(name, Number(input.value)));
    this.inputs[name] = input;
    this.shows[name] = (now) => {
      if (Number(input.value) !== Number(now)) input.value = String(now);
      input.style.setProperty("--part", `${(100 * (Number(now) - least)) / Math.max(most - least, 1e-9)}%`);
      write(value, int(Number(now)) === "0" || !Number.isInteger(Number(now)) ? String(now) : int(Number(now)));
    };
    const title = el("span", { class: NAMES[name] ? "" : "fl-task-name", "aria-hidden": "true", text: NAMES[name] ?? name });
    const means = el("span", { class: "fl-task-means", text: MEANS[name] ?? "" });
    return el("div", { class: "fl-task-control" }, title, means, value, input);
  }

  /** @param {string} name @param {string[]} names */
  #names(name, names) {
    const nodes = names.map((one) => button(one === "none" ? "no policy" : one, () => this.lessons.set(name, one), { class: "fl-task-name" }));
    this.shows[name] = (now) => nodes.forEach((node, k) => attribute(node, "aria-pressed", String(names[k] === now)));
    return el("div", { class: "fl-task-names", role: "group", "aria-label": name }, ...nodes);
  }

  /** Say what is expected, and let the keys move the first control. */
  #want() {
    const { lessons, how } = this;
    if (!how || !lessons.solvable) return;
    write(how, WANTED[lessons.data?.task?.controls[0] ?? ""] ?? MOVE);
    how.hidden = false;
    Object.values(this.inputs)
      .find((input) => !input.disabled)
      ?.focus();
  }

  #update() {
    const { lessons, conditions, note, passed } = this;
    const task = lessons.data?.task;
    if (!task || !conditions || !note || !passed) return;
    for (const [name, show] of Object.entries(this.shows)) show(lessons.controls[name]);
    for (const [name, input] of Object.entries(this.inputs)) input.disabled = !(name in lessons.tried);
    const { check, blind } = lessons;
    const solved = Boolean(check?.passed) && !blind;
    if (this.how && solved) this.how.hidden = true;
    attribute(this.root, "data-passed", check ? String(solved) : null);
    attribute(this.root, "data-shown", lessons.helped && solved);
    if (this.kind) write(this.kind, lessons.helped && solved ? "The answer" : KIND);
    const left = solved && this.buttons?.matches(":focus-within");
    if (this.score) this.score.hidden = !blind;
    if (this.score) attribute(this.score, "aria-disabled", lessons.controls.keep ? null : "true");
    if (this.show) this.show.hidden = solved;
    if (this.buttons) this.buttons.hidden = solved;
    if (!check) return;
    const rows = check.conditions ?? check.missing.map((text) => ({ text, figure: "", passed: false, scores: false }));
    conditions.replaceChildren(...rows.map((row) => condition(row, blind && row.scores === true)));
    write(note, check.note ?? "");
    const best =
      lessons.solution === "shown" && !lessons.unchecked && !solved
        ? "This is the best choice there is here, and yet it does not do all that is asked."
        : "";
    const text = best ? best : solved ? `${lessons.tries > 1 ? "Solved. " : ""}${task.passed}` : "";
    if (passed.textContent !== text.replaceAll("`", "")) {
      passed.replaceChildren(...coded(text));
      passed.scrollIntoView({ block: "nearest" });
    }
    if (left) passed.focus({ preventScroll: true }); // the button that was pressed is gone; Enter goes on from here
  }

  destroy() {
    this.stop.abort();
  }
}

/** @param {Condition} condition @param {boolean} covered */
function condition({ text, figure, passed: holds }, covered) {
  const passed = holds && !covered;
  const mark = el("span", { class: "fl-task-mark", text: passed ? "✓" : "", "aria-hidden": "true" });
  const said = el("span", { class: "fl-said", text: passed ? "done: " : "still missing: " });
  return el(
    "li",
    { "data-passed": String(passed) },
    mark,
    el("span", {}, said, ...coded(text)),
    el("span", { class: "fl-task-figure", text: covered ? "?" : figure }),
  );
}
