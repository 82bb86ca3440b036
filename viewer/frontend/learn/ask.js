// A question: its choices or a field, the guess, the answer with the guess beside it.

import { attribute, button, coded, el, write } from "../lib/dom.js";
import { capitalized, int } from "../lib/format.js";
import { standingOf } from "./progress.js";
/** @import { Lessons } from "./lessons.js" */
/** @import { Answer, Ask, Choice } from "./types.js" */

/** How each kind is answered. */
const HOW = {
  choice: "",
  number: "Type a number.",
  message: "Choose it in the window: click it, or move with ↑ and ↓.",
  place: "Click a dashed line in the window, or choose its letter.",
};

/** What is expected, where somebody wants to go on without an answer. */
const WANTED = {
  choice: "Choose an answer first: press its letter or its number, then → or Enter. S shows it.",
  number: "Type a number first, then press Enter. S shows the answer.",
  message: "Choose a message first, with ↑ and ↓ or a click, then press → or Enter. S shows it.",
  place: "Choose a place first: press its letter or its number, then → or Enter. S shows it.",
};
/** Letters of a choice that leaves room for another beside it. */
const SHORT = 16;
/** In the field of a number → moves the caret. @param {Ask} ask */
const guessed = ({ kind }) => `Press ${kind === "number" ? "" : "→ or "}Enter to see whether that is right.`;

export class AskView {
  /** @param {Lessons} lessons */
  constructor(lessons) {
    this.lessons = lessons;
    this.root = el("section", { class: "fl-ask", hidden: true });
    this.stop = new AbortController();
    /** @type {HTMLInputElement | null} */ this.field = null;
    /** What the answer is given by. @type {HTMLElement} */ this.given = el("div");
    /** @type {HTMLButtonElement[]} */ this.choices = [];
    lessons.addEventListener("place", () => this.#lay(), { signal: this.stop.signal });
    lessons.addEventListener("answer", () => this.#update(), { signal: this.stop.signal });
    lessons.addEventListener("wanted", () => this.#want(), { signal: this.stop.signal });
    lessons.addEventListener("typed", (event) => this.#type(/** @type {CustomEvent} */ (event).detail), { signal: this.stop.signal });
    this.#lay();
  }

  get ask() {
    return this.lessons.data?.ask ?? null;
  }

  #lay() {
    const { ask, lessons } = this;
    this.root.hidden = !ask;
    if (!ask) return this.root.replaceChildren();
    this.kind = el("p", { class: "fl-ask-kind" });
    this.check = button("Check", () => (lessons.guess === null ? lessons.want() : lessons.reveal()), { class: "fl-learn-primary" });
    const skip = button("I don't know, show me", () => lessons.reveal(true), { class: "fl-learn-link" });
    this.buttons = el("div", { class: "fl-ask-buttons" }, this.check, skip);
    this.said = el("div", { class: "fl-ask-said", role: "status" });
    const title = el("h2", { class: "fl-ask-question" }, ...coded(lessons.place.present ? forRoom(ask.question) : ask.question));
    this.how = el("p", { class: "fl-ask-how", "aria-live": "polite" }); // there from the beginning, or it would not be heard
    this.#tellHow(HOW[ask.kind], false);
    this.given = this.#field(ask);
    this.root.replaceChildren(this.kind, title, this.how, this.given, this.buttons, this.said);
    this.#update();
  }

  /** @param {Ask} ask */
  #field(ask) {
    this.field = null;
    this.choices = [];
    if (ask.kind === "number") return this.#number(ask);
    this.choices = (ask.choices ?? []).map((choice) => this.#choice(choice));
    this.chosen = el("p", { class: "fl-ask-chosen" });
    if (ask.kind === "message") return this.chosen;
    const short = (ask.choices ?? []).every(({ text }) => text.length <= SHORT);
    const node = el("div", { class: "fl-ask-choices", role: "group", "aria-label": "Choices", "data-short": short || null }, ...this.choices);
    node.addEventListener("keydown", (event) => this.#moveFocus(event));
    return node;
  }

  /** @param {Choice} choice */
  #choice({ key, text }) {
    const node = button("", () => this.lessons.suppose(key), { class: "fl-ask-choice", "data-choice": key });
    node.append(el("b", { text: key }), el("span", {}, ...coded(text)));
    return node;
  }

  /** @param {Ask} ask */
  #number({ unit }) {
    this.field = el("input", { type: "text", inputmode: "decimal", autocomplete: "off", "aria-label": `Your guess${unit ? `, in ${unit}` : ""}` });
    this.field.addEventListener("input", () => this.#typed());
    this.field.addEventListener("keydown", (event) => {
      if (event.key === "Enter") return this.lessons.guess === null ? this.lessons.want() : this.lessons.reveal();
      if (event.key.toUpperCase() !== "S") return; // no letter belongs into a number
      event.preventDefault();
      this.lessons.give();
    });
    return el("label", { class: "fl-ask-number" }, this.field, el("span", { text: unit ?? "" }));
  }

  /** In front of a room the field shows what was typed, and takes no focus: the keys stay those of a clicker. @param {string} digit  or "" to take the last one back */
  #type(digit) {
    if (!this.field) return;
    if (!this.lessons.place.present) this.field.focus();
    this.field.value = digit ? this.field.value + digit : this.field.value.slice(0, -1);
    this.#typed();
  }

  #typed() {
    const text = (this.field?.value ?? "").replaceAll(",", "").trim();
    const number = Number(text);
    attribute(/** @type {HTMLInputElement} */ (this.field), "aria-invalid", text && Number.isNaN(number) ? "true" : null);
    attribute(this.given, "data-typed", text !== "");
    this.lessons.suppose(text && !Number.isNaN(number) ? number : null);
  }

  /** Say what is expected, and let the keys go on from there. */
  #want() {
    const { ask, lessons, how } = this;
    if (!ask || !how || !lessons.asking) return;
    this.#tellHow(lessons.guess === null ? WANTED[ask.kind] : guessed(ask), true);
    if (lessons.guess === null) (this.field ?? this.choices[0])?.focus();
  }

  /** @param {string} text @param {boolean} wanted  whether it is said to somebody who wants to go on */
  #tellHow(text, wanted) {
    if (!this.how) return;
    write(this.how, text);
    attribute(this.how, "data-wanted", wanted);
  }

  /** Arrows walk through the choices. @param {KeyboardEvent} event */
  #moveFocus(event) {
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    const at = this.choices.indexOf(/** @type {HTMLButtonElement} */ (event.target));
    if (!by || at < 0) return;
    event.preventDefault();
    event.stopPropagation();
    this.choices[at + by]?.focus();
  }

  /** A choice that has the focus gives it to the one whose letter is pressed: Enter presses what has it. */
  #follow() {
    const chosen = this.choices.find((node) => node.dataset.choice === this.lessons.guess);
    if (chosen && this.choices.some((node) => node.matches(":focus"))) chosen.focus();
  }

  #update() {
    const { ask, lessons, buttons, said, check } = this;
    if (!ask || !buttons || !said || !check) return;
    const { guess, revealed } = lessons;
    const judged = verdict(ask, guess, lessons.right);
    attribute(this.root, "data-answered", revealed && (judged === CLOSE ? "close" : standingOf({ guess, right: lessons.right })));
    write(/** @type {HTMLElement} */ (this.kind), revealed ? judged : "Predict");
    buttons.hidden = revealed;
    if (revealed) this.#tellHow("", false);
    else if (guess !== null && this.how?.hasAttribute("data-wanted")) this.#tellHow(guessed(ask), true);
    this.given.hidden = revealed && ask.kind === "number"; // the guess stands beside the answer
    attribute(check, "aria-disabled", guess === null ? "true" : null);
    for (const node of this.choices) this.#mark(node, ask);
    this.#follow();
    if (this.chosen) write(this.chosen, guess === null || revealed ? "" : `You chose ${nameOf(ask, guess)}.`);
    this.#say(ask);
  }

  /** @param {HTMLElement} node @param {Ask} ask */
  #mark(node, ask) {
    const { guess, revealed } = this.lessons;
    const key = node.dataset.choice;
    attribute(node, "aria-pressed", String(key === guess));
    attribute(node, "data-is", revealed && (key === ask.answer ? "answer" : key === guess ? "wrong" : "other"));
    attribute(node, "disabled", revealed);
  }

  /** The answer, the guess beside it, and why. @param {Ask} ask */
  #say(ask) {
    const { lessons, said } = this;
    if (!said) return;
    if (!lessons.revealed) return said.replaceChildren();
    if (said.childElementCount) return;
    const { guess } = lessons;
    const unit = ask.kind === "number" && ask.unit ? ` ${ask.unit}` : "";
    const wrong = guess !== null && !lessons.right;
    const told = this.choices.length && !wrong ? { class: "fl-said" } : {}; // to the eye the mark says so
    const answer = el(
      "p",
      told,
      el("b", { text: capitalized(`${ask.mark ?? ""}${nameOf(ask, ask.answer)}${unit}.`) }),
      wrong ? ` ${missed(ask, guess)}` : "",
    );
    const again = button(guess === null ? "Cover it and guess" : "Cover it and guess again", () => lessons.again(), { class: "fl-learn-link" });
    said.replaceChildren(answer, el("p", {}, ...coded(ask.because), ...sourceOf(ask)), ...(lessons.place.present ? [] : [again]));
    said.scrollIntoView({ block: "nearest" });
  }

  destroy() {
    this.stop.abort();
  }
}

/** Where to read what is said of another agent. @param {Ask} ask */
const sourceOf = ({ source }) =>
  source
    ? [" ", el("a", { class: "fl-learn-source", href: source.url, target: "_blank", rel: "noopener noreferrer", text: `Source: ${source.name}` })]
    : [];

/** A question to a room, which has no pointer. @param {string} question */
const forRoom = (question) => question.replace(/\bClick the (.+)\.$/, "Which is the $1?");

/** What was guessed, and what is wrong with it. @param {Ask} ask @param {Answer} guess */
function missed(ask, guess) {
  if (ask.kind !== "number") return `You chose ${nameOf(ask, guess)}. ${ask.choices?.find(({ key }) => key === guess)?.why ?? ""}`.trim();
  const by = Number(guess) - Number(ask.answer);
  const off = Number.isInteger(by) ? int(Math.abs(by)) : String(Math.abs(by));
  return `You said ${nameOf(ask, guess)}, which is ${off} too ${(ask.unit ? ["few", "many"] : ["low", "high"])[Number(by > 0)]}.`;
}

const CLOSE = "≈ Close";
/** A number is close within a tenth. */
const TOLERANCE = 0.1;

/** @param {Ask} ask @param {Answer | null} guess @param {boolean} right */
function verdict({ kind, answer }, guess, right) {
  if (right) return "✓ Right";
  if (guess === null) return "The answer";
  const close = kind === "number" && Math.abs(Number(guess) - Number(answer)) <= TOLERANCE * Math.abs(Number(answer));
  return close ? CLOSE : "✗ Not right";
}

/** What an answer is called: messages count from 1 on screen. @param {Ask} ask @param {Answer} answer */
export function nameOf(ask, answer) {
  if (ask.kind === "message") return `message ${int(Number(answer) + 1)}`;
  if (ask.kind === "number") return Number.isInteger(Number(answer)) ? int(Number(answer)) : String(answer);
  const text = ask.choices?.find(({ key }) => key === answer)?.text ?? "";
  return text ? `${answer}: ${text}` : String(answer);
}
