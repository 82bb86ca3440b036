// The timeline: the whole run as a sawtooth, and the handle to move through it. Two canvases: the curve, painted once for a run
// and a size, and over it the cursor, painted on every step.
import { attribute, el } from "../lib/dom.js";
import { placeOf } from "../run/compactionfigures.js";
import { FindingMarks } from "./findingmarks.js";
import { int, tokens } from "../lib/format.js";
import { leaveArrows } from "../lib/keys.js";
import { goToRecorded } from "./keys.js";
import { compacted, recordedStep } from "../run/recorded.js";
import { Lanes } from "../why/lanes.js";
import { shown } from "./shownwindow.js";
import { paletteOf } from "../run/painting.js";
import { HOLLOW, paintCurve, paintCursor, paintEarlier } from "./paint.js";
import { recordedSize } from "./paintmoment.js";
import { earlierLine } from "../run/earlier.js";
import { curveIn, sawtoothOf } from "./sawtooth.js";
/** @import { Run } from "../run/model.js" */
/** @import { Frame } from "./paint.js" */
/** @import { App } from "./app.js" */
/** @import { Change } from "./types.js" */

const SNAP = 6;
const LATER = "That comes later: → leads there";

/** @param {HTMLElement} root @param {App} app */
export function part(root, app) {
  const timeline = new Timeline(root, app);
  return { update: (/** @type {App} */ _, /** @type {Change} */ change) => timeline.update(change), stop: () => timeline.stop() };
}

class Timeline {
  /** @param {HTMLElement} root @param {App} app */
  constructor(root, app) {
    this.app = app;
    this.hover = -1;
    this.pressed = false;
    /** The last step that a press leads to: a room is shown nothing before its time. */ this.last = 0;
    /** Whether the curve is painted without its regions. */ this.plain = false;
    this.curves = el("canvas", { "aria-hidden": "true" });
    this.cursor = el("canvas", { "aria-hidden": "true" });
    this.before = el("canvas", { "aria-hidden": "true" });
    const label = { role: "slider", tabindex: "0", "aria-label": "Step", "aria-orientation": "horizontal", "aria-valuemin": "0" };
    this.node = el("div", { class: "fl-timeline", ...label }, this.curves, this.cursor, this.before);
    root.append(this.node);
    this.findings = new FindingMarks(root, app);
    this.lanes = new Lanes(root, app);
    for (const told of [app.highlights, app.show]) told.watch(() => app.run?.length && this.drawCursor());
    this.watch = new ResizeObserver(() => this.resize());
    this.watch.observe(this.node);
    this.#listen();
  }

  #listen() {
    const { node } = this;
    node.addEventListener("pointerdown", (event) => this.#press(event));
    node.addEventListener("mousedown", leaveArrows);
    node.addEventListener("pointermove", (event) => this.#move(event));
    node.addEventListener("pointerup", () => (this.pressed = false));
    node.addEventListener("pointercancel", () => (this.pressed = false));
    node.addEventListener("pointerleave", () => this.#point(-1));
    node.addEventListener("keydown", (event) => this.#key(event));
  }

  /** @param {Change} change */
  update(change) {
    if (change.why) this.lanes.update();
    const parted = change.veil && this.plain !== this.app.unparted;
    if (change.run || change.theme || change.earlier || change.present || parted) this.redraw(Boolean(change.run));
    else if (change.step || change.veil) this.drawCursor();
    if (change.run || change.step) this.#tell();
    if (change.run || change.earlier) attribute(this.node, "aria-description", this.app.earlier.words.join(", ") || null);
  }

  /** How large it is, as its own pixels go: a page may be shown larger. */
  #size() {
    const { width, height } = this.node.getBoundingClientRect();
    const zoom = this.node.currentCSSZoom ?? 1; // https://developer.mozilla.org/docs/Web/API/Element/currentCSSZoom
    return { width: width / zoom, height: height / zoom, zoom };
  }

  resize() {
    const { width, height } = this.#size();
    if (this.app.run?.length && (width !== this.frame?.width || height !== this.frame?.height)) this.redraw(true);
  }

  /** @param {boolean} afresh  whether the curve itself is another */
  redraw(afresh) {
    const { run } = this.app;
    const { width, height, zoom } = this.#size();
    if (!width || !height) return;
    this.palette = paletteOf(this.node);
    this.plain = this.app.unparted;
    if (afresh || !this.curve) this.#measure(run, width, height);
    for (const canvas of [this.curves, this.cursor, this.before]) fit(canvas, width, height, zoom);
    if (this.frame && this.curve && this.scale)
      paintCurve(pen(this.curves), {
        run,
        frame: this.frame,
        curve: this.curve,
        scale: this.scale,
        palette: this.palette,
        told: this.app.earlier.words,
        plain: this.plain,
      });
    this.#compare();
    this.findings.draw(this.frame);
    this.lanes.draw(this.frame);
    this.drawCursor();
  }

  /** @param {Run} run @param {number} width @param {number} height */
  #measure(run, width, height) {
    const { curve, scale, frame } = sawtoothOf(run, width, height, { before: this.app.earlier.run, lanes: !this.lanes.node.hidden });
    this.curve = curve;
    this.scale = scale;
    this.frame = frame;
  }

  drawCursor() {
    const { app, frame, palette, hover } = this;
    if (!frame || !palette) return;
    paintCursor(pen(this.cursor), { app, frame, palette, hover });
    const told = shown(app);
    this.lanes.cursor(told.moment ? told.step : app.step);
  }

  /** The curve of before the settings were changed, over the one that is shown. */
  #compare() {
    const { app, frame, palette } = this;
    const { run, earlier } = app;
    if (frame && palette && earlier.run)
      paintEarlier(pen(this.before), frame, earlierLine(earlier.run, curveIn(earlier.run, frame.width), run), palette);
  }

  #tell() {
    const { run, step } = this.app;
    const here = run.step(step);
    const where = here.compaction < 0 ? `message ${int(here.messages)} of ${int(run.n)}` : placeOf(run, here.compaction);
    attribute(this.node, "aria-valuemax", run.length - 1);
    attribute(this.node, "aria-valuenow", step);
    const amount = recordedSize(run, step) ?? tokens(here.tokens, run.store.header.approximate);
    attribute(this.node, "aria-valuetext", `${where}, ${here.turn ? `turn ${int(here.turn)}` : "before the first turn"}, ${amount} tokens`);
  }

  /** @param {PointerEvent} event */
  #press(event) {
    if (event.button !== 0 || !this.frame) return;
    this.node.setPointerCapture(event.pointerId);
    this.pressed = true;
    this.app.pause();
    const at = this.#stepAt(event);
    const { presenting, whole, step, run } = this.app;
    this.last = presenting && !whole ? step : run.length - 1;
    if (at > this.last) return this.app.message(LATER);
    const mark = event.offsetY > this.frame.bottom - 2 * HOLLOW - 1 ? recordedNear(run, this.frame, event.offsetX) : -1;
    if (mark >= 0) return goToRecorded(this.app, mark);
    const to = event.offsetY < this.frame.markBottom ? nearest(run, this.frame, event.offsetX, at) : at;
    this.app.go(Math.min(to, this.last));
  }

  /** @param {PointerEvent} event  scrubs while pressed, at most once a frame */
  #move(event) {
    const at = this.#stepAt(event);
    if (this.pressed && this.scrubTo === undefined) requestAnimationFrame(() => this.#scrub());
    if (this.pressed) this.scrubTo = at;
    this.#point(this.pressed ? -1 : at);
  }

  #scrub() {
    const to = this.scrubTo;
    this.scrubTo = undefined;
    if (to !== undefined) this.app.go(Math.min(to, this.last), { scrubbed: true });
  }

  /** @param {PointerEvent} event */
  #stepAt(event) {
    return this.frame ? this.frame.stepAt(event.clientX - this.node.getBoundingClientRect().left) : 0;
  }

  /** @param {number} step */
  #point(step) {
    if (step === this.hover) return;
    this.hover = step;
    this.drawCursor();
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const page = Math.max(1, Math.round(this.app.run.length / 20));
    const move = { PageUp: -page, PageDown: page, ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (!move) return;
    event.preventDefault();
    this.app.pause();
    this.app.go(this.app.step + move);
  }

  stop() {
    this.watch.disconnect();
  }
}

/**
 * A compaction's step where its mark is under the pointer, else the step itself.
 * @param {Run} run
 * @param {Frame} frame
 * @param {number} x
 * @param {number} step
 */
function nearest(run, frame, x, step) {
  const around = [run.previousCompaction(step + 1), run.nextCompaction(step)].filter((s) => s >= 0 && Math.abs(frame.x(s) - x) <= SNAP);
  return around.sort((a, b) => Math.abs(frame.x(a) - x) - Math.abs(frame.x(b) - x))[0] ?? step;
}

/** The recorded compaction whose mark is under the pointer, or -1. @param {Run} run @param {Frame} frame @param {number} x */
function recordedNear(run, frame, x) {
  if (run.view.kind === "replay" || !compacted(run)) return -1;
  const away = run.store.header.recorded.at.map((at) => Math.abs(frame.x(recordedStep(run, at)) - x));
  const nearest = away.indexOf(Math.min(...away));
  return away[nearest] <= SNAP ? nearest : -1;
}

/** @param {HTMLCanvasElement} canvas @param {number} width @param {number} height @param {number} zoom */
function fit(canvas, width, height, zoom) {
  const ratio = Math.min(3, (window.devicePixelRatio || 1) * zoom);
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  pen(canvas).setTransform(ratio, 0, 0, ratio, 0, 0);
}

/** @param {HTMLCanvasElement} canvas */
function pen(canvas) {
  return /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
}
