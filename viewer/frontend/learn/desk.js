// What a step says and asks, in the page: its caption over the whole width, question, task and figure in the column beside the window,
// and the buttons that lead on at the end of that column. What they leave of the column is the inspector's.

import { attribute, button, coded, el, write } from "../lib/dom.js";
import { AskView } from "./ask.js";
import { FigureView } from "./figures/figure.js";
import { TaskView } from "./task.js";
/** @import { Lessons } from "./lessons.js" */
/** @import { Figure } from "./types.js" */

/** What every lesson has something to show of. */
const SAMPLE = "sample:openai-chat/coding-session.json";
/** Pixels below which there is nothing to be read in the inspector. */
const LEAST = 170;
/** Pixels between two parts of the column. */
const GAP = 10;
/** Figures that show the more the larger they are. */
const GROWING = new Set(["sent", "cuts"]);

export class Desk {
  /** @param {HTMLElement} host  the page of the lesson @param {Lessons} lessons */
  constructor(host, lessons) {
    this.host = host;
    this.lessons = lessons;
    this.stop = new AbortController();
    /** The caption that is shown. */ this.captionText = "";
    this.caption = el("p", { class: "fl-learn-caption", "aria-live": "polite" });
    this.empty = el("p", { class: "fl-learn-empty", hidden: true });
    this.problem = el("p", { class: "fl-learn-problem", role: "alert", hidden: true });
    this.ask = new AskView(lessons);
    this.task = new TaskView(lessons);
    this.figure = new FigureView(lessons);
    this.asked = el("div", { class: "fl-desk-asked" }, this.problem, this.empty, this.ask.root, this.task.root, this.figure.root);
    this.root = el("section", { class: "fl-desk", "aria-label": "Step", tabindex: -1 }, this.asked);
    this.back = button("← Back", () => lessons.previous(), { class: "fl-learn-button" });
    this.left = el("span", { class: "fl-learn-left" });
    this.next = button("Next →", () => this.#goOn(), { class: "fl-learn-primary" });
    this.foot = el("footer", { class: "fl-learn-foot" }, this.back, this.left, this.next);
    host.querySelector(".fl-learn-stage")?.before(this.caption, this.root, this.foot);
    this.measure = new ResizeObserver(() => this.#part());
    for (const node of [this.asked, host]) this.measure.observe(node);
    const on = { signal: this.stop.signal };
    for (const type of ["place", "answer", "problem", "read"]) lessons.addEventListener(type, () => this.draw(), on);
    lessons.addEventListener("cursor", () => this.#drawReady(), on);
    this.draw();
  }

  draw() {
    const { lessons } = this;
    const { data, failed, lesson } = lessons;
    this.problem.hidden = !failed;
    const own = failed && !data && lessons.last; // their file does not open
    this.problem.replaceChildren(failed, ...(own ? this.#ways() : []));
    const waits = !data && lessons.last && !failed;
    const text = waits ? "Reading your session …" : (data?.caption ?? "");
    attribute(this.caption, "data-waits", waits);
    if (this.captionText !== text) this.caption.replaceChildren(...coded(text));
    this.captionText = text;
    this.empty.hidden = !data?.empty;
    this.empty.replaceChildren(...coded(data?.empty ?? ""), ...(data?.empty ? this.#ways() : []));
    if (lesson) this.#drawFoot();
    this.#part();
  }

  /** The ways on where a person's own session has nothing to show. */
  #ways() {
    const { lessons } = this;
    const sample = button("Show it on the sample", () => lessons.choose(SAMPLE), { class: "fl-learn-button" });
    return lessons.toLibrary ? [button("Choose a session…", lessons.toLibrary, { class: "fl-learn-button" }), sample] : [sample];
  }

  /** Part the column: a figure that grows has what the question leaves, until a message is read; else that is the inspector's. */
  #part() {
    const { host, root, asked, lessons } = this;
    const grows = !lessons.reads && kindsOf(lessons.figure).some((kind) => GROWING.has(kind));
    attribute(root, "data-reads", lessons.reads);
    root.removeAttribute("data-grows"); // as high as what is in it, to be measured
    const left = this.foot.offsetTop - root.offsetTop - asked.offsetHeight - 2 * GAP;
    const whole = grows || (!lessons.reads && left < LEAST);
    attribute(root, "data-grows", whole);
    host.toggleAttribute("data-whole", whole);
    host.style.setProperty("--asks", `${asked.offsetHeight ? root.offsetHeight + GAP : 0}px`);
  }

  /** On to the next step. The button gives the focus away, or Enter would pass over the question that comes. */
  #goOn() {
    this.root.focus({ preventScroll: true });
    this.lessons.next();
  }

  #drawFoot() {
    const { lessons } = this;
    const { alone, lesson, place, length } = lessons;
    if (!lesson) return;
    this.back.disabled = alone && place.step === 1;
    const minutes = Math.max(1, Math.round((lesson.minutes * (length - place.step + 1)) / length));
    write(this.left, place.step >= length ? "" : `${minutes} min left`);
    const last = lessons.sampled ? "Now a sample →" : "Your own session →";
    write(this.next, lessons.last ? "What you saw →" : place.step === length - 1 && !alone ? last : "Next →");
    this.#drawReady();
  }

  #drawReady() {
    attribute(this.next, "data-ready", String(this.lessons.done));
  }

  destroy() {
    this.stop.abort();
    this.measure.disconnect();
    for (const part of [this.ask, this.task, this.figure]) part.destroy();
    for (const node of [this.caption, this.root, this.foot]) node.remove();
    this.host.removeAttribute("data-whole");
    this.host.style.removeProperty("--asks");
  }
}

/** @param {Figure | null} figure @returns {string[]} */
const kindsOf = (figure) => (figure?.kind === "many" ? figure.figures.flatMap(kindsOf) : figure ? [figure.kind] : []);
