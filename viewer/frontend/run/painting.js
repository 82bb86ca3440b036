// What timelines have in common, painted with a given pen: areas, limits, marks. Steps become pixels as the plot says. No DOM.
import { BESIDE, intervalsIn, labelsOf, lastInFront, STACK, limitsOf, merged, ticksOf } from "./curve.js";
import { markOf, onlyEmpties } from "./compactionfigures.js";
import { short } from "../lib/format.js";
/** @import { Curve } from "./curve.js" */
/** @import { Run } from "./model.js" */

const COLORS = [...STACK, "over", "text", "mute", "faint", "line", "card", "pill", "on-pill", "accent"];

/** The colors by name, and the font. @typedef {Record<string, string>} Palette */

/**
 * Where a curve is painted. `x` of a step and `y` of tokens are in pixels; marks stand at `markY`.
 * @typedef {{left: number, right: number, top: number, bottom: number, markY: number, topTokens: number, length: number,
 *   x: (step: number) => number, y: (tokens: number, top?: number) => number}} Plot
 */

/** The colors and the font as the theme has them now. @param {HTMLElement} node @returns {Palette} */
export function paletteOf(node) {
  const styles = getComputedStyle(node);
  const colors = Object.fromEntries(COLORS.map((name) => [name, styles.getPropertyValue(`--fl-${name}`).trim()]));
  return { ...colors, font: styles.fontFamily || "sans-serif" };
}

/** @param {CanvasRenderingContext2D} pen @param {Plot} frame @param {Palette} palette */
export function axis(pen, frame, palette) {
  pen.font = `11px ${palette.font}`;
  pen.textBaseline = "middle";
  pen.textAlign = "right";
  for (const value of ticksOf(frame.topTokens, intervalsIn(frame.bottom - frame.top))) {
    const y = Math.round(frame.y(value)) + 0.5;
    straight(pen, frame.left, y, frame.right, y, palette.line, 1);
    pen.fillStyle = palette.mute;
    pen.fillText(short(value), frame.left - 7, y);
  }
}

/** @param {CanvasRenderingContext2D} pen @param {Plot} frame @param {Curve} curve @param {Palette} palette */
export function areas(pen, frame, curve, palette) {
  if (curve.columns.length) return bars(pen, frame, curve, palette);
  const xs = Float64Array.from(curve.steps, (step) => frame.x(step));
  for (let r = STACK.length - 1; r >= 0; r--) {
    pen.fillStyle = palette[STACK[r]]; // from the top down: each covers what lies below it
    area(pen, frame, xs, curve.tops[r]);
  }
}

/**
 * Where teeth are thinner than pixels: a bar a column, solid as high as its lowest step, pale from there to its highest.
 * @param {CanvasRenderingContext2D} pen @param {Plot} frame @param {Curve} curve @param {Palette} palette
 */
function bars(pen, frame, { columns, tops }, palette) {
  const wide = (frame.right - frame.left) / columns.length;
  const top = tops[STACK.length - 1];
  for (let r = 0; r < STACK.length; r++) {
    pen.fillStyle = palette[STACK[r]];
    const below = (/** @type {number} */ k) => (r ? tops[r - 1][k] : 0);
    const each = (/** @type {number} */ alpha, /** @type {(low: number, high: number) => [number, number]} */ span) => {
      pen.globalAlpha = alpha;
      columns.forEach(({ low, high }, c) => piece(pen, frame, c * wide, wide, span(low, high)));
    };
    each(1, (low, high) => [below(high), Math.min(tops[r][high], top[low])]);
    each(0.6, (low, high) => [Math.max(below(high), top[low]), tops[r][high]]);
  }
  pen.globalAlpha = 1;
}

/**
 * @param {CanvasRenderingContext2D} pen @param {Plot} frame @param {number} x from the left of the plot @param {number} wide
 * @param {[number, number]} tokens  from and to
 */
function piece(pen, frame, x, wide, [from, to]) {
  if (to <= from) return;
  const y = frame.y(to);
  pen.fillRect(frame.left + x, y, wide, frame.y(from) - y);
}

/** @param {CanvasRenderingContext2D} pen @param {Plot} frame @param {Float64Array} xs @param {Float64Array} tops */
function area(pen, frame, xs, tops) {
  const alone = xs.length === 1;
  const right = frame.length > 1 ? frame.x(1) : frame.right; // a live run has room for more steps
  pen.beginPath();
  pen.moveTo(alone ? frame.left : xs[0], frame.bottom);
  for (let k = 0; k < xs.length; k++) pen.lineTo(alone ? frame.left : xs[k], frame.y(tops[k]));
  if (alone) pen.lineTo(right, frame.y(tops[0]));
  pen.lineTo(alone ? right : xs[xs.length - 1], frame.bottom);
  pen.fill();
}

/**
 * The limit as a dashed line, a staircase where it was changed on the way; what lies above it in red.
 * @param {CanvasRenderingContext2D} pen @param {Plot} frame @param {Run} run @param {Curve} curve @param {Palette} palette
 */
export function limits(pen, frame, run, curve, palette) {
  const pieces = limitsOf(run).filter(({ limit }) => limit <= frame.topTokens);
  const ends = (/** @type {{from: number, to: number}} */ { from, to }) => [
    from ? frame.x(from) : frame.left,
    to < run.length - 1 ? frame.x(to) : frame.right,
  ];
  const counts = run.view.policy?.counts === "window";
  for (const piece of counts ? pieces.filter(({ limit }) => curve.peak > limit) : [])
    excess(pen, frame, ends(piece), frame.y(piece.ceiling), curve, palette);
  pen.setLineDash([6, 4]);
  line(
    pen,
    pieces.flatMap((piece) => ends(piece).map((x) => [x, frame.y(piece.ceiling)])),
    palette.over,
    1.25,
  );
  pen.setLineDash([]);
}

/** Diagonal lines that let the regions beneath be seen. @param {CanvasRenderingContext2D} pen @param {string} color @param {number} [rising]  or -1 */
export function hatch(pen, color, rising = 1) {
  if ("hatch" in pen) return /** @type {{hatch: (color: string, rising: number) => CanvasPattern}} */ (pen).hatch(color, rising);
  const tile = new OffscreenCanvas(6, 6);
  const ink = /** @type {OffscreenCanvasRenderingContext2D} */ (tile.getContext("2d"));
  ink.strokeStyle = color;
  ink.lineWidth = 3;
  for (const shift of [-6, 0, 6]) {
    ink.moveTo(shift - 1, rising < 0 ? -1 : 7);
    ink.lineTo(shift + 7, rising < 0 ? 7 : -1);
  }
  ink.stroke();
  return /** @type {CanvasPattern} */ (pen.createPattern(tile, "repeat"));
}

/** @param {CanvasRenderingContext2D} pen @param {Plot} frame @param {number[]} ends  from and to @param {number} y @param {Curve} curve @param {Palette} palette */
function excess(pen, frame, [from, to], y, curve, palette) {
  const total = curve.tops[STACK.length - 1];
  pen.save();
  pen.beginPath();
  pen.rect(from, 0, to - from, y);
  pen.clip();
  pen.fillStyle = hatch(pen, palette.over);
  if (curve.columns.length) excessBars(pen, frame, y, curve.columns, total);
  else
    area(
      pen,
      frame,
      Float64Array.from(curve.steps, (step) => frame.x(step)),
      total,
    );
  pen.restore();
}

/**
 * @param {CanvasRenderingContext2D} pen @param {Plot} frame @param {number} y
 * @param {import("../run/curve.js").Column[]} columns @param {Float64Array} total
 */
function excessBars(pen, frame, y, columns, total) {
  const wide = (frame.right - frame.left) / columns.length;
  columns.forEach(({ high }, c) => pen.fillRect(frame.left + c * wide, frame.y(total[high]), wide, Math.max(0, y - frame.y(total[high]))));
}

/** @param {CanvasRenderingContext2D} pen @param {Plot} frame @param {Run} run @param {Palette} palette */
export function marks(pen, frame, run, palette) {
  const all = Float64Array.from(run.steps, (step) => frame.x(step));
  const groups = merged(all);
  const xs = groups.map(({ first, last }) => (all[first] + all[last]) / 2);
  pen.font = `11px ${palette.font}`;
  const names = groups.map(({ first, last }) => markOf(run, first, last));
  const width = (/** @type {string} */ name) => name.length * 6.6;
  const { diamonds, names: shown } = labelsOf(xs, names, width, frame.right + 12);
  const front = diamonds && lastInFront(xs, names.map(width), shown.map(Boolean)) ? xs.length - 1 : -1;
  xs.forEach((x, k) => {
    const { first, last } = groups[k];
    const light = onlyEmpties(run, first);
    if (run.compaction(first).edit) square(pen, x, frame.markY, palette.text);
    else if (diamonds) diamond(pen, x, frame.markY, light ? 3.5 : 5, light ? palette.cleared : palette.summary);
    else tick(pen, all[first], all[last], frame.markY, light ? palette.cleared : palette.summary);
    if ((!shown[k] && k !== front) || !diamonds) return;
    pen.fillStyle = palette.mute;
    pen.textAlign = k === front ? "right" : "left";
    pen.fillText(k === front ? names[k] : shown[k], x + (k === front ? -BESIDE : BESIDE), frame.markY + 0.5);
  });
}

/** Where compaction attempts failed: a small cross each. @param {CanvasRenderingContext2D} pen @param {Plot} frame @param {Run} run @param {Palette} palette */
export function failures(pen, frame, run, palette) {
  const xs = Array.from(run.view.failed.at, (_, f) => frame.x(run.stepOfFailed(f)));
  for (const { first } of merged(xs)) {
    const [x, y, r] = [xs[first], frame.markY, 3];
    straight(pen, x - r, y - r, x + r, y + r, palette.over, 1.75);
    straight(pen, x - r, y + r, x + r, y - r, palette.over, 1.75);
  }
}

/**
 * One line, or a block where several compactions are nearer than they can be told apart.
 * @param {CanvasRenderingContext2D} pen @param {number} from @param {number} to @param {number} y @param {string} color
 */
function tick(pen, from, to, y, color) {
  pen.fillStyle = color;
  pen.globalAlpha = 0.7;
  pen.fillRect(Math.round(from), y - 4, Math.max(1, Math.round(to) - Math.round(from) + 1), 8);
  pen.globalAlpha = 1;
}

/** Where a person changed the window. @param {CanvasRenderingContext2D} pen @param {number} x @param {number} y @param {string} color */
function square(pen, x, y, color) {
  pen.fillStyle = color;
  pen.fillRect(Math.round(x) - 3, y - 3, 6, 6);
}

/** @param {CanvasRenderingContext2D} pen @param {number} x @param {number} y @param {number} size @param {string} color */
export function diamond(pen, x, y, size, color) {
  pen.fillStyle = color;
  pen.beginPath();
  pen.moveTo(x, y - size);
  pen.lineTo(x + size, y);
  pen.lineTo(x, y + size);
  pen.lineTo(x - size, y);
  pen.fill();
}

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {number[][]} points
 * @param {string} color
 * @param {number} width
 * @param {number} [alpha]
 */
export function line(pen, points, color, width, alpha = 1) {
  pen.globalAlpha = alpha;
  pen.strokeStyle = color;
  pen.lineWidth = width;
  pen.beginPath();
  points.forEach(([x, y], k) => (k ? pen.lineTo(x, y) : pen.moveTo(x, y)));
  pen.stroke();
  pen.globalAlpha = 1;
}

/**
 * @param {CanvasRenderingContext2D} pen @param {number} x1 @param {number} y1 @param {number} x2 @param {number} y2
 * @param {string} color @param {number} width @param {number} [alpha]
 */
export function straight(pen, x1, y1, x2, y2, color, width, alpha) {
  const points = Array.of([x1, y1], [x2, y2]);
  line(pen, points, color, width, alpha);
}
