// How a run is drawn in so many pixels: its curve, its scale, and where things are. The timeline paints it, and a file of it is made.
import { curveOf, limitToShow, roomOf, scaleOf, upTo } from "../run/curve.js";
import { paletteOf } from "../run/painting.js";
import { compacted, recordedLine } from "../run/recorded.js";
import { SvgPen } from "../run/svgpen.js";
import { Frame, highest, paintCurve } from "./paint.js";
/** @import { Curve, Scale } from "../run/curve.js" */
/** @import { Run } from "../run/model.js" */
/** @import { Palette } from "../run/painting.js" */

/** @typedef {{curve: Curve, scale: Scale, frame: Frame}} Sawtooth */

/** How many times the peak the curve of before may be, and still have room. */
const BEFORE_UP_TO = 3;

/** The curve of each run as it was drawn last: one that others are compared with is drawn again and again. @type {WeakMap<Run, {width: number, curve: Curve}>} */
const drawn = new WeakMap();

/** The curve of a run in a timeline so wide. @param {Run} run @param {number} width */
export function curveIn(run, width) {
  const known = drawn.get(run);
  if (known?.width === width) return known.curve;
  const curve = curveOf(run, Math.max(1, width - 60));
  drawn.set(run, { width, curve });
  return curve;
}

/**
 * How a run is drawn: with room for the curve of `before`, unless it is much higher, and for the buttons of `lanes` that lie below.
 * @param {Run} run @param {number} width @param {number} height @param {{before?: Run | null, lanes?: boolean}} [beside] @returns {Sawtooth}
 */
export function sawtoothOf(run, width, height, { before = null, lanes = false } = {}) {
  const { prompts } = run.store.header.recorded;
  const behind = run.view.kind !== "replay" && compacted(run);
  const line = behind ? recordedLine(run, width).map(([, tokens]) => tokens) : prompts.tokens;
  const recorded = line.length > 1 ? highest(line) : 0;
  const curve = curveIn(run, width);
  const high = before ? curveIn(before, width).peak : 0;
  const peak = high <= BEFORE_UP_TO * curve.peak ? Math.max(curve.peak, high) : curve.peak;
  const together = run.view.kind === "replay"; // what of the prompts is not in the file is hatched, however much
  const scale = scaleOf({ peak, limit: limitToShow(run, curve.peak), recorded, upTo: upTo(run), together });
  return { curve, scale, frame: new Frame(width, height, roomOf(run), scale, lanes) };
}

/** Pixels of a picture that is saved, and of a PNG for each of them. */
const WIDTH = 1200;
const HEIGHT = 300;
const DENSE = 2;

/** The timeline as an SVG file. @param {Run} run @param {HTMLElement} node  in the theme @returns {Blob} */
export function timelineSvg(run, node) {
  const palette = paletteOf(node);
  const canvas = inkOf(1, 1);
  const measure = (/** @type {string} */ text, /** @type {string} */ font) => {
    canvas.ink.font = font;
    return canvas.ink.measureText(text).width;
  };
  const pen = new SvgPen(WIDTH, HEIGHT, measure);
  paint(/** @type {CanvasRenderingContext2D} */ (/** @type {unknown} */ (pen)), run, palette);
  return new Blob([pen.text(palette.card, "Tokens in the window at each message")], { type: "image/svg+xml" });
}

/** The timeline as a PNG file. @param {Run} run @param {HTMLElement} node  in the theme @returns {Promise<Blob>} */
export function timelinePng(run, node) {
  const palette = paletteOf(node);
  const { canvas, ink } = inkOf(DENSE * WIDTH, DENSE * HEIGHT);
  ink.setTransform(DENSE, 0, 0, DENSE, 0, 0);
  paint(ink, run, palette);
  ink.globalCompositeOperation = "destination-over"; // what is painted first clears what it stands on
  ink.fillStyle = palette.card;
  ink.fillRect(0, 0, WIDTH, HEIGHT);
  return new Promise((done, fail) => canvas.toBlob((blob) => (blob ? done(blob) : fail(new Error("The browser made no picture."))), "image/png"));
}

/** @param {CanvasRenderingContext2D} pen @param {Run} run @param {Palette} palette */
function paint(pen, run, palette) {
  paintCurve(pen, { ...sawtoothOf(run, WIDTH, HEIGHT), palette, run });
}

/** @param {number} width @param {number} height */
function inkOf(width, height) {
  const canvas = Object.assign(document.createElement("canvas"), { width, height });
  return { canvas, ink: /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d")) };
}
