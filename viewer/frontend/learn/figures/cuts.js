// Messages in a row, arcs that join a call with its results, and a cut that can be moved: what is before it goes.

import { el } from "../../lib/dom.js";
import { pluralize } from "../../lib/format.js";
import { draw } from "../../lib/svg.js";
/** @import { Lessons } from "../lessons.js" */
/** @import { CutsFigure } from "../types.js" */

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

/** @param {CutsFigure} figure @param {Lessons} lessons @param {number} tall  of the drawing @param {number} [scale]  pixels of its units */
export function cutsFigure(figure, lessons, tall, scale = 1) {
  const { messages, pairs, pinned = 0, first, last } = figure;
  const ARCS = Math.max(ARC, Math.round(PART * (tall - TOP)));
  const TALL = tall - TOP - ARCS;
  const boundaries = lessons.covers("boundaries") ? [] : figure.boundaries;
  const safe = lessons.covers("safe") ? [] : (figure.safe ?? []);
  const moves = Boolean(lessons.data?.task?.controls.includes("cut"));
  const cut = Number(lessons.controls.cut ?? figure.cut ?? 0);
  const parted = pairs.filter(([a, b]) => a < cut && b >= cut);
  const each = WIDTH / messages.length;
  const pen = draw("svg", { viewBox: `0 0 ${WIDTH} ${tall}`, class: "fl-drawing fl-cuts", "aria-hidden": "true" });
  messages.forEach(({ role }, k) => {
    const kind = k < pinned ? "system" : !cut ? "message" : k < cut ? "compactable" : "recent";
    const box = {
      x: k * each + 1,
      y: TOP + (boundaries.includes(k) ? -6 : 0),
      width: each - 2,
      height: TALL + (boundaries.includes(k) ? 6 : 0),
      rx: 3,
    };
    pen.append(draw("rect", { ...box, class: `fl-is-${kind}${k >= pinned && k < cut ? " fl-gone" : ""}`, "data-role": role }));
  });
  const isNamed = each * scale >= NAMED && TALL >= ROOM;
  const every = TALL >= LINE ? numberedEvery(messages.length, each * Math.min(1, scale)) : 0;
  messages.forEach(({ role }, k) => {
    if (every && (k + 1) % every === 0) pen.append(...named(k, isNamed ? LETTERS[role] : "", each, TOP + TALL, k >= pinned && k < cut));
  });
  const widest = Math.max(1, ...pairs.map(([a, b]) => b - a));
  const crossed = (/** @type {[number, number]} */ pair) => parted.includes(pair);
  for (const pair of pairs) pen.append(arc(pair[0], pair[1], each, TOP + TALL + 3, ARCS, widest, crossed(pair)));
  for (const c of safe) pen.append(draw("path", { d: `M${c * each} ${TOP - 14}v9`, class: "fl-safe" }));
  if (cut > 0) pen.append(draw("path", { d: `M${cut * each} 8V${TOP + TALL + 12}`, class: parted.length ? "fl-cut fl-parts" : "fl-cut" }));
  const words = parted.length ? `parts ${pluralize(parted.length, "pair")}` : "parts no pair";
  const place = boundaries.includes(cut) ? ", at a turn boundary" : "";
  const said = cut > 0 ? `Cut before message ${cut + 1}: ${words}${place}.` : "";
  const notes = [safe.length ? ` ${pluralize(safe.length, "safe place")}, marked above.` : "", boundaries.length ? " Taller: a turn begins." : ""];
  if (!said && !notes.join("")) notes.push("Each block is a message. An arc joins a call with its result.");
  if (said && !safe.length) notes.push(" Blue goes, green stays.");
  if (isNamed) notes.push(KEY);
  const slider = el("input", {
    type: "range",
    min: first,
    max: last,
    step: 1,
    value: cut,
    "aria-label": "cut",
    "aria-valuetext": said,
    "data-focus": "cut",
  });
  slider.style.setProperty("--part", `${(100 * (cut - first)) / Math.max(1, last - first)}%`);
  slider.addEventListener("input", () => lessons.set("cut", Number(slider.value)));
  slider.style.margin = `0 ${(100 * (messages.length - last)) / messages.length - 2}% 0 ${(100 * first) / messages.length - 2}%`;
  slider.style.width = `${(100 * (last - first)) / messages.length + 4}%`;
  return el("figure", { class: "fl-figure-box" }, /** @type {any} */ (pen), moves && slider, el("figcaption", {}, el("b", { text: said }), ...notes));
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
