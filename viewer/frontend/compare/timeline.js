// The lanes below one another, aligned by message, on one scale of tokens, with one cursor through all. Two canvases: the curves,
// painted once for lanes and a size, and over them the cursor.

import { attribute, breakable, button, el, visible, write } from "../lib/dom.js";
import { cutWords, int, pluralize, tokens } from "../lib/format.js";
import { leaveArrows } from "../lib/keys.js";
import { byMessages, curveOf, limitsOf } from "../run/curve.js";
import { areas, axis, failures, limits, marks, paletteOf, straight } from "../run/painting.js";
import { piecesOf } from "../why/states.js";
import { stepAt } from "./held.js";
import { LETTERS, laneLine, laneName, sizeWords } from "./words.js";
/** @import { Curve } from "../run/curve.js" */
/** @import { Run } from "../run/model.js" */
/** @import { Palette, Plot } from "../run/painting.js" */
/** @import { Change, Compare } from "./app.js" */

/** Above the lanes: the flag and the caption; below them: the message. */
const [HEAD, FOOT] = [26, 26];
/** Pixels to a compaction's mark within which a click means it. */
const SNAP = 6;
/** Half the height of such a mark with its number, and how far the number goes on behind it. */
const [MARK, NUMBER] = [7, 32];
/** Pixels a lane has to have for three lines of words. */
const THREE_LINES = 52;
/** Pixels of a timeline in which the names do not stand beside the curves but above them, and how much they take there. */
const [NARROW, NAME] = [420, 24];
/** How many times the highest window a limit may be, and still be on the scale. */
const LIMIT_UP_TO = 3;

/** @typedef {{color: "text" | "summary" | "over", width: number, dash: number[]}} Strip */

/** How the strip of a followed text is drawn: in the window, and elsewhere. @type {Strip} */
const IN_WINDOW = { color: "text", width: 4, dash: [] };
/** @type {Record<string, Strip>} */
const STRIPS = {
  gone: { color: "over", width: 1.5, dash: [1.5, 3.5] },
  summary: { color: "summary", width: 4, dash: [3, 1.5] },
  reworded: { color: "summary", width: 2, dash: [3, 3] },
};

/** @typedef {Plot & {y0: number, run: Run, curve: Curve}} LanePlot */

export class Timeline {
  /** @param {Compare} app */
  constructor(app) {
    this.app = app;
    /** @type {LanePlot[]} */ this.plots = [];
    this.hover = 0;
    this.width = 0;
    this.height = 0;
    /** Where the first message is. */ this.left = 0;
    /** Where the last one is. */ this.right = 0;
    /** Pixels a lane, and of them those of its name above the curve. */ this.lane = 46;
    this.above = 0;
    /** Tokens at the top of the scale. */ this.top = 1;
    this.curves = el("canvas", { "aria-hidden": "true" });
    this.cursor = el("canvas", { "aria-hidden": "true" });
    const slider = { role: "slider", tabindex: "0", "aria-label": "Message", "aria-orientation": "horizontal", "aria-valuemin": "1" };
    this.plane = el("div", { class: "fl-timeline", ...slider }, this.curves, this.cursor);
    this.names = el("div", { class: "fl-lane-names", role: "group", "aria-label": "Lanes" });
    this.flag = button("", () => app.walk(app.places.first), { class: "fl-flag" });
    this.caption = el("p", { class: "fl-compare-caption" });
    this.node = el("section", { class: "fl-card fl-slot-lanes", "aria-label": "Timelines" }, this.plane, this.names, this.flag, this.caption);
    this.watch = new ResizeObserver(() => this.app.runs.length && this.redraw());
    this.watch.observe(this.node);
    this.watch.observe(app.root);
    this.#listen();
  }

  #listen() {
    const { plane } = this;
    plane.addEventListener("pointerdown", (event) => this.#press(event));
    plane.addEventListener("mousedown", leaveArrows);
    plane.addEventListener("pointermove", (event) => this.#move(event));
    for (const type of /** @type {const} */ (["pointerup", "pointercancel"])) plane.addEventListener(type, () => (this.pressed = false));
    plane.addEventListener("pointerleave", () => this.#point(0));
    plane.addEventListener("keydown", (event) => this.#key(event));
  }

  /** @param {Change} change */
  update(change) {
    if (change.runs) this.#fit();
    if (change.runs || change.board) this.#label();
    if (change.runs || change.theme || change.pins) this.redraw(change.runs);
    else if (change.cursor) this.draw();
    if (change.runs || change.cursor) this.#tell();
  }

  /** Room for the lanes, in proportion to the page. */
  #fit() {
    const { app } = this;
    const room = app.root.clientHeight * 0.35 - HEAD - FOOT;
    this.above = app.root.clientWidth < NARROW ? NAME : 0;
    attribute(this.node, "data-narrow", this.above > 0);
    this.lane = this.above + Math.max(46, Math.min(84, Math.floor(room / app.runs.length)));
    app.root.style.setProperty("--fl-lanes-height", `${HEAD + FOOT + this.lane * app.runs.length}px`);
  }

  /** @param {boolean} [afresh]  whether the curves are others */
  redraw(afresh) {
    this.#fit();
    const { width, height } = this.plane.getBoundingClientRect();
    if (!width || !height) return;
    this.palette = paletteOf(this.plane);
    const sized = width !== this.width || height !== this.height;
    if (afresh || sized || !this.plots.length) this.#measure(width, height);
    for (const canvas of [this.curves, this.cursor]) fit(canvas, width, height);
    this.#paint(pen(this.curves), this.palette);
    this.#label();
    this.draw();
  }

  /** @param {number} width @param {number} height */
  #measure(width, height) {
    const { runs } = this.app;
    Object.assign(this, { width, height, left: (this.above ? 0 : this.names.offsetWidth) + 46, right: width - 20 });
    const columns = Math.max(1, this.right - this.left);
    const curves = runs.map((run) => curveOf(run, columns, byMessages(run)));
    const peak = Math.max(1, ...curves.map(({ peak }) => peak));
    const shown = runs.flatMap((run) => limitsOf(run).map(({ limit }) => limit)).filter((limit) => limit <= LIMIT_UP_TO * peak);
    this.top = 1.05 * Math.max(peak, ...shown);
    this.plots = runs.map((run, lane) => this.#plot(run, curves[lane], lane));
  }

  /** @param {Run} run @param {Curve} curve @param {number} lane @returns {LanePlot} */
  #plot(run, curve, lane) {
    const { left, right, top, above } = this;
    const size = this.lane - above;
    const y0 = HEAD + lane * this.lane + above;
    const [high, bottom] = [y0 + (size > 60 ? 20 : 15), y0 + size - 12];
    const y = (/** @type {number} */ amount, of = top) => bottom - Math.min(1, amount / of) * (bottom - high);
    const x = (/** @type {number} */ step) => this.x(run.step(step).messages);
    return { run, curve, left, right, top: high, bottom, markY: y0 + (size > 60 ? 11 : 8), topTokens: top, length: run.length, x, y, y0 };
  }

  /** @param {number} at  how many messages have arrived */
  x(at) {
    const { left, right } = this;
    return this.app.n < 2 ? (left + right) / 2 : left + ((at - 1) / (this.app.n - 1)) * (right - left);
  }

  /** @param {PointerEvent} event */
  #messageAt(event) {
    const { left, right } = this;
    const share = (event.clientX - this.plane.getBoundingClientRect().left - left) / Math.max(1, right - left);
    return Math.round(1 + Math.max(0, Math.min(1, share)) * (this.app.n - 1));
  }

  /** @param {CanvasRenderingContext2D} ink @param {Palette} palette */
  #paint(ink, palette) {
    ink.clearRect(0, 0, this.width, this.height);
    ink.lineJoin = "round";
    this.plots.forEach((plot, lane) => {
      const line = plot.y0 - this.above - 1;
      if (lane) straight(ink, 4, line, plot.right + 16, line, palette.line, 1);
      axis(ink, plot, palette);
      areas(ink, plot, plot.curve, palette);
      if (plot.run.view.policy) limits(ink, plot, plot.run, plot.curve, palette);
      marks(ink, plot, plot.run, palette);
      failures(ink, plot, plot.run, palette);
      this.#strip(ink, plot, lane, palette);
    });
    const { first } = this.app.places;
    const last = this.plots[this.plots.length - 1];
    if (first > 0 && last) {
      ink.setLineDash([2, 3]);
      straight(ink, this.x(first), HEAD - 4, this.x(first), last.bottom + 8, palette.accent, 1.5);
      ink.setLineDash([]);
    }
    ink.fillStyle = palette.mute;
    ink.font = `11px ${palette.font}`;
  }

  /** Where the followed text is: solid in the window, dashes only in a summary, thin ones in other words, dots gone. @param {CanvasRenderingContext2D} ink @param {LanePlot} plot @param {number} lane @param {Palette} palette */
  #strip(ink, plot, lane, palette) {
    const fate = this.app.pins.fate(lane);
    if (!fate || fate.common || fate.match === "none") return;
    const y = plot.bottom + 6;
    for (const { from, to, look } of piecesOf(plot.run, fate, Math.round(plot.right - plot.left))) {
      if (look === "before") continue;
      const [a, b] = [plot.x(from), Math.max(plot.x(to + 1 < plot.length ? to + 1 : to), plot.x(from) + 1)];
      const { color, width, dash } = STRIPS[look] ?? IN_WINDOW;
      ink.setLineDash(dash);
      straight(ink, a, y, b, y, palette[color], width);
    }
    ink.setLineDash([]);
  }

  /** The cursor, what comes after it dimmed, and the size of each window there. */
  draw() {
    const { app, palette, plots } = this;
    const last = plots[plots.length - 1];
    if (!palette || !last) return;
    const ink = pen(this.cursor);
    const x = this.x(app.at);
    ink.clearRect(0, 0, this.width, this.height);
    ink.globalAlpha = 0.5;
    ink.fillStyle = palette.card;
    for (const plot of plots) ink.fillRect(x, plot.top - 2, plot.right + 2 - x, plot.bottom - plot.top + 12);
    ink.globalAlpha = 1;
    if (this.hover && this.hover !== app.at) this.#line(ink, this.x(this.hover), palette.faint, 1, last.bottom + 8);
    this.#line(ink, x, palette.pill, 2, last.bottom + 8);
    for (const plot of plots) this.#uncover(ink, plot, x);
    for (const plot of plots) this.#readout(ink, plot, x, palette);
    this.#ends(ink, last, x, palette);
  }

  /** @param {CanvasRenderingContext2D} ink @param {number} x @param {string} color @param {number} width @param {number} bottom */
  #line(ink, x, color, width, bottom) {
    if (!this.above) return straight(ink, x, HEAD - 4, x, bottom, color, width);
    for (const plot of this.plots) straight(ink, x, plot.y0, x, plot.bottom + 8, color, width); // never through the names
  }

  /** The line makes way for the mark of a compaction where it is, and for its number. @param {CanvasRenderingContext2D} ink @param {LanePlot} plot @param {number} x */
  #uncover(ink, { run, markY, x: at }, x) {
    const next = run.epochOf(stepAt(run, this.app.at));
    const behind = [...run.steps.slice(Math.max(0, next - 1), next + 1)].map((step) => x - at(step));
    if (behind.some((far) => far >= -SNAP && far <= NUMBER)) ink.clearRect(x - 2, markY - MARK, 4, 2 * MARK);
  }

  /** @param {CanvasRenderingContext2D} ink @param {LanePlot} plot @param {number} x @param {Palette} palette */
  #readout(ink, plot, x, palette) {
    const amount = sizeWords(plot.run, stepAt(plot.run, this.app.at));
    ink.textBaseline = "middle";
    ink.font = `600 12px ${palette.font}`;
    const wide = ink.measureText(amount).width;
    const at = x + 10 + wide < plot.right ? x + 8 : x - 8 - wide;
    const y = plot.top + 8;
    ink.textAlign = "left";
    ink.globalAlpha = 0.8;
    ink.fillStyle = palette.card;
    ink.fillRect(at - 3, y - 8, wide + 6, 16);
    ink.globalAlpha = 1;
    ink.fillStyle = palette.text;
    ink.fillText(amount, at, y);
  }

  /** The ends of the axis, and the message of the cursor. @param {CanvasRenderingContext2D} ink @param {LanePlot} last @param {number} x @param {Palette} palette */
  #ends(ink, last, x, palette) {
    const text = `message ${int(this.hover || this.app.at)}`;
    const at = this.hover ? this.x(this.hover) : x;
    const y = last.bottom + 20;
    ink.font = `600 11.5px ${palette.font}`;
    const wide = ink.measureText(text).width + 22;
    const left = Math.max(last.left - 20, Math.min(last.right + 16 - wide, at - wide / 2));
    ink.fillStyle = this.hover && this.hover !== this.app.at ? palette.line : palette.pill;
    ink.beginPath();
    ink.roundRect(left, y - 9, wide, 18, 5);
    ink.fill();
    ink.fillStyle = this.hover && this.hover !== this.app.at ? palette.text : palette["on-pill"];
    ink.textAlign = "center";
    ink.textBaseline = "middle";
    ink.fillText(text, left + wide / 2, y + 0.5);
    ink.font = `11px ${palette.font}`;
    ink.fillStyle = palette.mute;
    ink.textAlign = "left";
    if (left > last.left + 74) ink.fillText("message 1", last.left, y);
    ink.textAlign = "right";
    if (left + wide < last.right - 46) ink.fillText(int(this.app.n), last.right, y);
  }

  /** Names in the gutter, the flag, the caption. */
  #label() {
    const { app, lane } = this;
    const { board, places, pins } = app;
    const rows = board.lanes.slice(0, app.runs.length).map((data, k) => this.#name(data, k, lane));
    if (this.names.childElementCount !== rows.length) this.names.replaceChildren(...rows);
    else rows.forEach((row, k) => !this.names.children[k].isEqualNode(row) && this.names.children[k].replaceWith(row));
    write(this.flag, places.first > 0 ? `first differ at message ${int(places.first)}` : "No difference");
    attribute(this.flag, "disabled", places.first < 0);
    const left = places.first > 0 ? this.x(places.first) : this.left;
    const room = this.width - this.flag.offsetWidth - 4;
    this.flag.style.left = `${Math.max(0, Math.min(left, room))}px`;
    const { header } = app.runs[0].store;
    const counted = `tokens in the window${header.unseen ? " and in this file" : ""}${header.approximate ? ", estimated" : ""}, one scale`;
    const text = pins.texts[pins.at];
    const strip = text ? ` · strip below each lane: where “${cutWords(visible(text), 40)}” is` : "";
    write(this.caption, counted + strip);
    const overlaps = left + this.flag.offsetWidth + 10 > this.width - this.caption.offsetWidth - 16;
    this.caption.style.visibility = overlaps ? "hidden" : "";
  }

  /** @param {import("./board.js").LaneData} data @param {number} k @param {number} size */
  #name(data, k, size) {
    const { board, runs } = this.app;
    const { compactions } = runs[k];
    const count = data.name === "none" ? "" : pluralize(compactions, "compaction");
    const base = board.base === k;
    const name = laneName(data, compactions);
    const title = [name, laneLine(data, compactions)].join(", ");
    const node = button("", () => board.choose(k), { class: "fl-lane-head", "aria-pressed": String(board.chosen === k), title });
    node.style.height = `${this.above || size}px`;
    node.style.marginBottom = `${this.above && size - this.above}px`;
    node.append(
      el("b", { class: "fl-letter", text: LETTERS[k] }),
      el("span", { class: "fl-lane-title" }, ...breakable(name)),
      ...(this.above || size < THREE_LINES ? [] : [el("span", { class: "fl-lane-set fl-lane-settings" }, ...inParts(laneLine(data, compactions)))]),
      el("span", { class: "fl-lane-set" }, count, base && el("span", { class: "fl-lane-base", text: `${count ? " · " : ""}baseline` })),
    );
    return node;
  }

  #tell() {
    const { app } = this;
    attribute(this.plane, "aria-valuemax", app.n);
    attribute(this.plane, "aria-valuenow", app.at);
    const sizes = app.runs.map((run, k) => `${LETTERS[k]} ${tokens(run.window(stepAt(run, app.at)).tokens)} tokens`);
    attribute(this.plane, "aria-valuetext", `message ${int(app.at)} of ${int(app.n)}, ${sizes.join(", ")}`);
  }

  /** @param {PointerEvent} event */
  #press(event) {
    if (event.button !== 0) return;
    this.plane.setPointerCapture(event.pointerId);
    this.pressed = true;
    this.app.pause();
    this.#point(0);
    this.app.go(this.#near(event) ?? this.#messageAt(event));
  }

  /** The compaction whose mark is under the pointer. @param {PointerEvent} event */
  #near(event) {
    const [x, y] = [event.clientX - this.plane.getBoundingClientRect().left, event.offsetY];
    const plot = this.plots.find(({ y0, top }) => y >= y0 && y < top);
    const { places } = this.app;
    const at = plot && this.#messageAt(event);
    const around = at ? [places.compaction(at + 1, -1), places.compaction(at - 1, 1)] : [];
    return around.find((found) => found > 0 && Math.abs(this.x(found) - x) <= SNAP);
  }

  /** @param {PointerEvent} event  scrubs while pressed, at most once a frame */
  #move(event) {
    const at = this.#messageAt(event);
    if (!this.pressed) return this.#point(at);
    if (this.scrubTo === undefined) requestAnimationFrame(() => this.#scrub());
    this.scrubTo = at;
  }

  #scrub() {
    const to = this.scrubTo;
    this.scrubTo = undefined;
    if (to !== undefined) this.app.go(to);
  }

  /** @param {number} at */
  #point(at) {
    if (at === this.hover) return;
    this.hover = at;
    this.draw();
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const page = Math.max(1, Math.round(this.app.n / 20));
    const by = { PageUp: -page, PageDown: page, ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    this.app.walk(this.app.clamp(this.app.at + by));
  }

  stop() {
    this.watch.disconnect();
  }
}

/** @param {HTMLCanvasElement} canvas @param {number} width @param {number} height */
function fit(canvas, width, height) {
  const ratio = Math.min(3, window.devicePixelRatio || 1);
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  pen(canvas).setTransform(ratio, 0, 0, ratio, 0, 0);
}

/** @param {HTMLCanvasElement} canvas */
const pen = (canvas) => /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));

/** Settings one behind the other, each of which is seen whole or not at all. @param {string} line */
const inParts = (line) => line.split(" · ").map((text, k) => el("span", { text: k ? `\u00a0· ${text}` : text }));
