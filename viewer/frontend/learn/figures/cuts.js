// Messages in a row, arcs that join a call with its results, and a cut that can be moved: what is before it goes.

import { attribute, el } from "../../lib/dom.js";
import { pluralize } from "../../lib/format.js";
import { draw } from "../../lib/svg.js";
/** @import { Lessons } from "../lessons.js" */
/** @import { CutsFigure } from "../types.js" */
/** What is covered left out. @typedef {CutsFigure & {safe: number[], cut: number, parted: [number, number][]}} Shown */

const [WIDTH, TOP] = [340, 26];
/** How wide and high a block is where the number of its message stands in it, how wide a digit is, and what parts two numbers, in units. */
const [NUMBERED, LINE, DIGIT, APART] = [10, 18, 5.7, 1.5];
/** Where not every block has room for its number, those of these multiples have one. */
const MULTIPLES = [1, 2, 5, 10];
/** Pixels that a block is wide, and units that it is high, where the letter of its message stands below that. */
const [NAMED, ROOM] = [15, 40];
/** What a message is, by the letter in its block. @type {Record<string, string>} */
const LETTERS = { system: "S", user: "U", assistant: "A", tool: "T" };
const KEY = " S system, U user, A assistant, T result of a tool.";
/** The least room for the arcs below the messages, and the part of the drawing that they have else. */
const [ARC, PART] = [46, 0.44];

/** One drawing for all places of the cut: a slider, or a line, that is replaced lets go of the mouse. */
export class CutsView {
  /** @param {Lessons} lessons */
  constructor(lessons) {
    this.lessons = lessons;
    /** What is drawn. @type {CutsFigure | null} */ this.figure = null;
    this.pen = draw("svg", { class: "fl-drawing fl-cuts", "aria-hidden": "true" });
    this.slider = el("input", { type: "range", step: 1, "aria-label": "cut" });
    this.slider.addEventListener("input", () => lessons.set("cut", Number(this.slider.value)));
    this.pen.addEventListener("pointerdown", (event) => this.#take(event));
    this.pen.addEventListener("pointermove", (event) => this.pen.hasPointerCapture(event.pointerId) && this.#move(event));
    this.caption = el("figcaption");
    this.root = el("figure", { class: "fl-figure-box" }, /** @type {any} */ (this.pen), this.slider, this.caption);
  }

  /** @param {CutsFigure} figure @param {number} tall  of the drawing @param {number} [scale]  pixels of its units */
  draw(figure, tall, scale = 1) {
    const { lessons, pen, caption } = this;
    this.figure = figure;
    const boundaries = lessons.covers("boundaries") ? [] : figure.boundaries;
    const safe = lessons.covers("safe") ? [] : (figure.safe ?? []);
    const cut = Number(lessons.controls.cut ?? figure.cut ?? 0);
    const shown = { ...figure, boundaries, safe, cut, parted: figure.pairs.filter(([a, b]) => a < cut && b >= cut) };
    pen.setAttribute("viewBox", `0 0 ${WIDTH} ${tall}`);
    pen.replaceChildren(...picture(shown, tall, scale));
    const place = placeOf(shown);
    caption.replaceChildren(el("b", { text: place }), ...notesOf(shown, place, isNamed(figure, tall, scale)));
    this.#drawSlider(figure, cut, place);
    return this.root;
  }

  /** Where a task moves the cut. */
  get #moves() {
    return Boolean(this.lessons.data?.task?.controls.includes("cut"));
  }

  /** @param {CutsFigure} figure @param {number} cut @param {string} said */
  #drawSlider({ messages, first, last }, cut, said) {
    const { slider, pen } = this;
    slider.hidden = !this.#moves;
    attribute(pen, "data-moves", this.#moves);
    for (const [name, value] of Object.entries({ min: first, max: last, "aria-valuetext": said })) attribute(slider, name, value);
    slider.value = String(cut);
    slider.style.setProperty("--part", `${(100 * (cut - first)) / Math.max(1, last - first)}%`);
    slider.style.margin = `0 ${(100 * (messages.length - last)) / messages.length - 2}% 0 ${(100 * first) / messages.length - 2}%`;
    slider.style.width = `${(100 * (last - first)) / messages.length + 4}%`;
  }

  /** The picture is pressed: the cut follows the pointer, and keys go on from there. @param {PointerEvent} event */
  #take(event) {
    if (event.button || !this.#moves) return;
    event.preventDefault();
    this.pen.setPointerCapture(event.pointerId);
    this.slider.focus({ preventScroll: true });
    this.#move(event);
  }

  /** To the place between two blocks that is nearest to the pointer. @param {PointerEvent} event */
  #move({ clientX }) {
    const { figure, pen } = this;
    const units = pen.getScreenCTM();
    if (!figure || !units) return;
    const place = Math.round(((clientX - units.e) / units.a / WIDTH) * figure.messages.length);
    this.lessons.set("cut", Math.max(figure.first, Math.min(figure.last, place)));
  }
}

/** @param {Shown} shown @param {number} tall @param {number} scale */
function picture(shown, tall, scale) {
  const { messages, pairs, pinned = 0, safe, cut, parted } = shown;
  const each = WIDTH / messages.length;
  const foot = tall - arcsOf(tall);
  const blocks = messages.map(({ role }, k) => block(shown, k, role, each, foot));
  const letters = isNamed(shown, tall, scale);
  const every = foot - TOP >= LINE ? numberedEvery(messages.length, each * Math.min(1, scale)) : 0;
  const names = messages.flatMap(({ role }, k) =>
    every && (k + 1) % every === 0 ? named(k, letters ? LETTERS[role] : "", each, foot, k >= pinned && k < cut) : [],
  );
  const widest = Math.max(1, ...pairs.map(([a, b]) => b - a));
  const arcs = pairs.map((pair) => arc(pair[0], pair[1], each, foot + 3, arcsOf(tall), widest, parted.includes(pair)));
  const marks = safe.map((c) => draw("path", { d: `M${c * each} ${TOP - 14}v9`, class: "fl-safe" }));
  const line = cut > 0 ? [draw("path", { d: `M${cut * each} 8V${foot + 12}`, class: parted.length ? "fl-cut fl-parts" : "fl-cut" })] : [];
  return [...blocks, ...names, ...arcs, ...marks, ...line];
}

/** How much of a drawing is below its blocks. @param {number} tall */
const arcsOf = (tall) => Math.max(ARC, Math.round(PART * (tall - TOP)));

/** Whether the letters of what the messages are have room. @param {Pick<CutsFigure, "messages">} figure @param {number} tall @param {number} scale */
const isNamed = ({ messages }, tall, scale) => (WIDTH / messages.length) * scale >= NAMED && tall - TOP - arcsOf(tall) >= ROOM;

/** A message. @param {Shown} shown @param {number} k @param {string} role @param {number} each @param {number} foot */
function block({ pinned = 0, boundaries, cut }, k, role, each, foot) {
  const kind = k < pinned ? "system" : !cut ? "message" : k < cut ? "compactable" : "recent";
  const top = TOP - (boundaries.includes(k) ? 6 : 0);
  const box = { x: k * each + 1, y: top, width: each - 2, height: foot - top, rx: 3 };
  return draw("rect", { ...box, class: `fl-is-${kind}${k >= pinned && k < cut ? " fl-gone" : ""}`, "data-role": role });
}

/** Where the cut is, and what it parts. @param {Shown} shown */
function placeOf({ cut, parted, boundaries }) {
  if (cut <= 0) return "";
  const words = parted.length ? `parts ${pluralize(parted.length, "pair")}` : "parts no pair";
  return `Cut before message ${cut + 1}: ${words}${boundaries.includes(cut) ? ", at a turn boundary" : ""}.`;
}

/** @param {Shown} shown @param {string} said  of the cut @param {boolean} letters */
function notesOf({ safe, boundaries }, said, letters) {
  const notes = [safe.length ? ` ${pluralize(safe.length, "safe place")}, marked above.` : "", boundaries.length ? " Taller: a turn begins." : ""];
  if (!said && !notes.join("")) notes.push("Each block is a message. An arc joins a call with its result.");
  if (said && !safe.length) notes.push(" Blue goes, green stays.");
  if (letters) notes.push(KEY);
  return notes;
}

/** Which multiples have a number in their block, so that none is over another; 0 for none. @param {number} count  of messages @param {number} each  how wide a block is */
function numberedEvery(count, each) {
  const needed = DIGIT * String(count).length + APART;
  return each < NUMBERED ? 0 : (MULTIPLES.find((every) => every * each >= needed) ?? 0);
}

/** The number of a message at the foot of its block, and below it the letter of what it is. @param {number} k @param {string} letter  or "" @param {number} each @param {number} foot @param {boolean} goes */
function named(k, letter, each, foot, goes) {
  const lines = [String(k + 1), letter].filter(Boolean);
  return lines.map((text, line) => {
    const node = draw("text", { x: (k + 0.5) * each, y: foot - 7 - 13 * (lines.length - 1 - line), class: `fl-cuts-name${goes ? " fl-goes" : ""}` });
    node.textContent = text;
    return node;
  });
}

/** @param {number} a @param {number} b @param {number} each @param {number} r  where it begins @param {number} room  below @param {number} widest  pair @param {boolean} parted */
function arc(a, b, each, r, room, widest, parted) {
  const [x, y] = [(a + 0.5) * each, (b + 0.5) * each];
  const deep = (4 / 3) * (room - 8) * (0.35 + (0.65 * (b - a)) / widest); // a curve comes as far as three quarters of this
  return draw("path", { d: `M${x} ${r}C${x} ${r + deep} ${y} ${r + deep} ${y} ${r}`, class: parted ? "fl-arc fl-parts" : "fl-arc" });
}
