// A bar for each model call up to the cursor: what had been sent before, pale, and what is new. Those to come are outlines.

import { el } from "../../lib/dom.js";
import { int } from "../../lib/format.js";
import { draw } from "../../lib/svg.js";
/** @import { SentFigure } from "../types.js" */

const [WIDTH, TOP] = [340, 18];
/** The room below the bars, for what they are called. */
const BELOW = 16;
/** Bars with a number of their own; where their sum is asked for, the first and the last have one, and of more bars the last: a scale. */
const NAMED = 9;
/** Bars at most: of a longer run every second request is drawn, or every third, … up to the last. */
const BARS = 170;

/** @param {SentFigure} figure @param {number} cursor  a step @param {boolean} covered  whether its numbers are @param {number} tall  of the drawing */
export function sentFigure({ calls, total, mark = "", limit = null }, cursor, covered, tall) {
  const HEIGHT = tall - TOP - BELOW;
  const few = calls.length <= NAMED;
  const made = calls.filter(({ step }) => step <= cursor);
  const most = Math.max(1, limit ?? 0, ...calls.map((call) => call.old + call.new));
  const every = Math.ceil(Math.max(1, calls.length) / BARS);
  const drawn = calls.filter((_, k) => (calls.length - 1 - k) % every === 0); // the last is one of them: it has a number
  const each = WIDTH / Math.max(1, Math.ceil(calls.length / every));
  const pen = draw("svg", { viewBox: `0 0 ${WIDTH} ${tall}`, class: "fl-drawing", "aria-hidden": "true" });
  const high = (/** @type {number} */ tokens) => (HEIGHT * tokens) / most;
  drawn.forEach((call, k) => {
    const [old, fresh] = [high(call.old), high(call.new)];
    const [x, width] = [k * each + each * 0.1, each * 0.8];
    const above = TOP + HEIGHT - old - fresh - 5;
    const size = few ? label(x + width / 2, above, int(call.old + call.new)) : label(x + width, above, int(call.old + call.new), "end");
    if (call.step > cursor) pen.append(draw("rect", { x, width, y: TOP + HEIGHT - old - fresh, height: old + fresh, class: "fl-sent-later" }));
    if (call.step > cursor) return pen.append(...(limit === null ? [] : [size]));
    pen.append(draw("rect", { x, width, y: TOP + HEIGHT - old, height: old, class: "fl-sent-old" }));
    pen.append(draw("rect", { x, width, y: TOP + HEIGHT - old - fresh, height: fresh, class: "fl-sent-new" }));
    if (k === drawn.length - 1 || (few && (k === 0 || !covered))) pen.append(size);
  });
  pen.append(draw("line", { x1: 0, x2: WIDTH, y1: TOP + HEIGHT + 0.5, y2: TOP + HEIGHT + 0.5, class: "fl-axis" }));
  if (limit !== null) pen.append(...budget(limit, TOP + HEIGHT - high(limit)));
  pen.append(label(0, TOP + HEIGHT + 13, "request 1", "start"), label(WIDTH, TOP + HEIGHT + 13, `request ${int(calls.length)}`, "end"));
  const sum = made.reduce((all, call) => all + call.old + call.new, 0);
  const told = covered || total === null ? "" : `: ${mark}${int(made.length === calls.length ? total : sum)} tokens sent`;
  const caption = `${int(made.length)} of ${int(calls.length)} requests${told}`;
  const aloud = el("span", { class: "fl-said", text: numbersAloud(made, calls.length, !covered && few) });
  return el("figure", { class: "fl-figure-box" }, /** @type {any} */ (pen), el("figcaption", {}, el("b", { text: caption }), aloud, key()));
}

/** The numbers on the bars, to be read aloud. @param {SentFigure["calls"]} made @param {number} of  how many there will be @param {boolean} each  whether every bar has one */
function numbersAloud(made, of, each) {
  const numbers = made.map((call) => int(call.old + call.new));
  if (each || numbers.length < 3) return numbers.length ? `Tokens of each: ${numbers.join(", ")}` : "";
  return `Tokens of the first: ${numbers[0]}${made.length === of ? `, of the last: ${numbers.at(-1)}` : ""}`;
}

/** @param {number} x @param {number} y @param {string} text @param {string} [anchor] */
function label(x, y, text, anchor = "middle") {
  const node = draw("text", { x, y, "text-anchor": anchor });
  node.textContent = text;
  return node;
}

/** @param {number} limit @param {number} y */
function budget(limit, y) {
  const words = label(0, y - 5, `budget ${int(limit)}`, "start");
  words.classList.add("fl-sent-limit");
  return [draw("line", { x1: 0, x2: WIDTH, y1: y, y2: y, class: "fl-sent-limit" }), words];
}

const key = () =>
  el(
    "span",
    { class: "fl-key" },
    el("span", {}, el("i", { class: "fl-sent-old" }), "sent before"),
    el("span", {}, el("i", { class: "fl-sent-new" }), "new"),
  );
