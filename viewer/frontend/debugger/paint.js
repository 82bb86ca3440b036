// Painting the timeline: axis, stacked areas, limit, marks, the recorded run; and over them the cursor.
import { STACK, limitsOf, marksOf, merged, ticksOf } from "../run/curve.js";
import { int, short, tokens } from "../lib/format.js";
import { markOf } from "../run/compactionfigures.js";
import { compacted, recordedLine, recordedWindow } from "../run/recorded.js";
import { upperBound } from "../run/bisect.js";
import { cursorWords, happening, label } from "./paintmoment.js";
import { shown } from "./shownwindow.js";
/** @import { Curve, Scale } from "../run/curve.js" */
/** @import { Run } from "../run/model.js" */
/** @import { Policy } from "../run/types.js" */
/** @import { App } from "./app.js" */

const COLORS = [...STACK, "over", "text", "mute", "faint", "line", "card", "pill", "on-pill"];
const RECORDED_ALPHA = 0.6;

/** The colors by name, and the font. @typedef {Record<string, string>} Palette */

/** Where things are: pixels from steps and tokens, and back. */
export class Frame {
  /**
   * @param {number} width
   * @param {number} height
   * @param {number} length  steps
   * @param {{top: number, recordedTop: number, shared: boolean}} scale  tokens at the top of the plot, and for the recorded run
   */
  constructor(width, height, length, { top, recordedTop, shared }) {
    this.width = width;
    this.height = height;
    this.length = length;
    this.topTokens = top;
    this.recordedTokens = recordedTop;
    this.left = 46;
    this.right = width - (shared ? 14 : 46); // room for the second scale
    this.top = 42;
    this.bottom = height - 22;
    this.markY = 31;
    this.markBottom = 40;
    this.lineTop = 38; // the cursor's line begins below the marks and their labels
    this.pillLeft = this.left - 4; // beside the axis' 0, not on it
    this.pillRight = shared ? width - 2 : this.right + 6;
    this.edge = shared ? width : this.right + 1; // where what is to come, dimmed, ends
  }

  /** @param {number} step */
  x(step) {
    if (this.length < 2) return (this.left + this.right) / 2;
    return this.left + (step / (this.length - 1)) * (this.right - this.left);
  }

  /** @param {number} tokens  what does not fit is cut at the top @param {number} [top]  tokens there */
  y(tokens, top = this.topTokens) {
    return this.bottom - Math.min(1, tokens / top) * (this.bottom - this.top);
  }

  /** @param {number} x */
  stepAt(x) {
    const share = (x - this.left) / Math.max(1, this.right - this.left);
    return Math.round(Math.max(0, Math.min(1, share)) * (this.length - 1));
  }
}

/** The colors and the font as the theme has them now. @param {HTMLElement} node @returns {Palette} */
export function paletteOf(node) {
  const styles = getComputedStyle(node);
  const colors = Object.fromEntries(COLORS.map((name) => [name, styles.getPropertyValue(`--fl-${name}`).trim()]));
  return { ...colors, font: styles.fontFamily || "sans-serif" };
}

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {{frame: Frame, curve: Curve, scale: Scale, palette: Palette, app: App}} timeline
 */
export function paintCurve(pen, { frame, curve, scale, palette, app }) {
  pen.clearRect(0, 0, frame.width, frame.height);
  pen.lineJoin = "round";
  axis(pen, frame, palette);
  areas(pen, frame, curve, palette);
  const { policy } = app.run.view;
  if (policy && scale.limitShown) limits(pen, frame, app.run, curve, palette);
  recorded(pen, frame, app.run, scale, palette);
  marks(pen, frame, app.run, palette);
  failures(pen, frame, app.run, palette);
  caption(pen, frame, app.run, scale, palette);
}

/** @param {CanvasRenderingContext2D} pen @param {Frame} frame @param {Palette} palette */
function axis(pen, frame, palette) {
  pen.font = `11px ${palette.font}`;
  pen.textBaseline = "middle";
  pen.textAlign = "right";
  for (const value of ticksOf(frame.topTokens, Math.floor((frame.bottom - frame.top) / 23))) {
    const y = Math.round(frame.y(value)) + 0.5;
    straight(pen, frame.left, y, frame.right, y, palette.line, 1);
    pen.fillStyle = palette.mute;
    pen.fillText(short(value), frame.left - 7, y);
  }
}

/** The recorded run's own scale, at the right. @param {CanvasRenderingContext2D} pen @param {Frame} frame @param {Palette} palette */
function secondAxis(pen, frame, palette) {
  pen.textAlign = "left";
  for (const value of ticksOf(frame.recordedTokens, Math.floor((frame.bottom - frame.top) / 23))) {
    const y = Math.round(frame.y(value, frame.recordedTokens)) + 0.5;
    straight(pen, frame.right, y, frame.right + 4, y, palette.text, 1, RECORDED_ALPHA);
    pen.fillStyle = palette.mute;
    pen.fillText(short(value), frame.right + 8, y);
  }
}

/** @param {CanvasRenderingContext2D} pen @param {Frame} frame @param {Curve} curve @param {Palette} palette */
function areas(pen, frame, curve, palette) {
  if (curve.columns.length) return bars(pen, frame, curve, palette);
  const xs = Float64Array.from(curve.steps, (step) => frame.x(step));
  for (let r = STACK.length - 1; r >= 0; r--) {
    pen.fillStyle = palette[STACK[r]]; // from the top down: each covers what lies below it
    area(pen, frame, xs, curve.tops[r]);
  }
}

/**
 * Where teeth are thinner than pixels: a bar a column, solid as high as its lowest step, pale from there to its highest.
 * @param {CanvasRenderingContext2D} pen @param {Frame} frame @param {Curve} curve @param {Palette} palette
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
 * @param {CanvasRenderingContext2D} pen @param {Frame} frame @param {number} x from the left of the plot @param {number} wide
 * @param {[number, number]} tokens  from and to
 */
function piece(pen, frame, x, wide, [from, to]) {
  if (to <= from) return;
  const y = frame.y(to);
  pen.fillRect(frame.left + x, y, wide, frame.y(from) - y);
}

/** @param {CanvasRenderingContext2D} pen @param {Frame} frame @param {Float64Array} xs @param {Float64Array} tops */
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
 * @param {CanvasRenderingContext2D} pen @param {Frame} frame @param {Run} run @param {Curve} curve @param {Palette} palette
 */
function limits(pen, frame, run, curve, palette) {
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
function hatch(pen, color, rising = 1) {
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

/** @param {CanvasRenderingContext2D} pen @param {Frame} frame @param {number[]} ends  from and to @param {number} y @param {Curve} curve @param {Palette} palette */
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
 * @param {CanvasRenderingContext2D} pen @param {Frame} frame @param {number} y
 * @param {import("../run/curve.js").Column[]} columns @param {Float64Array} total
 */
function excessBars(pen, frame, y, columns, total) {
  const wide = (frame.right - frame.left) / columns.length;
  columns.forEach(({ high }, c) => pen.fillRect(frame.left + c * wide, frame.y(total[high]), wide, Math.max(0, y - frame.y(total[high]))));
}

/**
 * The recorded run. As it is what is shown: the prompts as recorded, a thin line, and between it and what can be seen a band. Behind
 * a simulated run: the recorded window by the same meter, and its compactions as small triangles on the axis.
 * @param {CanvasRenderingContext2D} pen @param {Frame} frame @param {Run} run @param {Scale} scale @param {Palette} palette
 */
function recorded(pen, frame, run, scale, palette) {
  if (!scale.shared) secondAxis(pen, frame, palette);
  const x = (/** @type {number} */ message) => frame.x(run.stepOfMessage(Math.max(0, Math.min(message, run.n - 1))));
  const y = (/** @type {number} */ tokens) => frame.y(tokens, scale.recordedTop);
  if (run.view.kind !== "replay" && compacted(run)) return behind(pen, frame, run, x, y, palette);
  const { prompts } = run.store.header.recorded;
  const places = thinned(prompts.at.length, 2 * (frame.right - frame.left));
  if (places.length < 2) return;
  for (const part of byEpoch(run, places)) {
    if (!run.view.policy && scale.shared) unseenBand(pen, run, part, x, y, palette);
    line(
      pen,
      part.map((k) => [x(prompts.at[k]), y(prompts.tokens[k])]),
      palette.text,
      1,
      RECORDED_ALPHA,
    );
  }
}

/** The prompts between two recorded compactions, for each such stretch: over one nothing is known. @param {Run} run @param {number[]} places */
function byEpoch(run, places) {
  const { prompts, at } = run.store.header.recorded;
  /** @type {Map<number, number[]>} */ const parts = new Map();
  for (const k of places) {
    const epoch = upperBound(at, prompts.at[k]);
    parts.set(epoch, [...(parts.get(epoch) ?? []), k]);
  }
  return [...parts.values()];
}

/**
 * @param {CanvasRenderingContext2D} pen @param {Frame} frame @param {Run} run
 * @param {(message: number) => number} x @param {(tokens: number) => number} y @param {Palette} palette
 */
function behind(pen, frame, run, x, y, palette) {
  const points = recordedLine(run, 2 * (frame.right - frame.left));
  pen.setLineDash([2, 2]);
  line(
    pen,
    points.map(([i, tokens]) => [x(i - 1), y(tokens)]),
    palette.text,
    1,
    RECORDED_ALPHA + 0.15,
  );
  pen.setLineDash([]);
  pen.fillStyle = palette.mute;
  for (const message of run.store.header.recorded.at) triangle(pen, x(message - 1), frame.bottom + 1);
}

/**
 * What the prompts held beyond the messages: hatched, between the two. Hatched the other way what is among the messages and the
 * meter undercounts, where that is known.
 * @param {CanvasRenderingContext2D} pen @param {Run} run @param {number[]} places
 * @param {(message: number) => number} x @param {(tokens: number) => number} y @param {Palette} palette
 */
function unseenBand(pen, run, places, x, y, palette) {
  const { prompts } = run.store.header.recorded;
  const sent = (/** @type {number} */ k) => prompts.tokens[k];
  const seen = (/** @type {number} */ k) => Math.min(sent(k), recordedWindow(run, prompts.at[k]));
  const known = prompts.scaled?.length ? prompts.scaled : null;
  const counted = (/** @type {number} */ k) => (known ? Math.min(sent(k), Math.max(seen(k), known[k])) : seen(k));
  const point = (/** @type {(k: number) => number} */ of) => (/** @type {number} */ k) => [x(prompts.at[k]), y(of(k))];
  pen.save();
  pen.globalAlpha = 0.5;
  band(pen, places, point(sent), point(counted), hatch(pen, palette.faint));
  if (known) band(pen, places, point(counted), point(seen), hatch(pen, palette.faint, -1));
  pen.restore();
}

/**
 * Fill what lies between two lines over the same places.
 * @param {CanvasRenderingContext2D} pen @param {number[]} places
 * @param {(k: number) => number[]} above @param {(k: number) => number[]} below @param {CanvasPattern} fill
 */
function band(pen, places, above, below, fill) {
  pen.beginPath();
  for (const k of places) pen.lineTo(.../** @type {[number, number]} */ (above(k)));
  for (const k of [...places].reverse()) pen.lineTo(.../** @type {[number, number]} */ (below(k)));
  pen.closePath();
  pen.fillStyle = fill;
  pen.fill();
}

/** @param {number} count @param {number} most */
function thinned(count, most) {
  const every = Math.max(1, Math.ceil(count / most));
  return Array.from({ length: Math.ceil(count / every) }, (_, k) => k * every);
}

/** @param {CanvasRenderingContext2D} pen @param {number} x @param {number} y */
function triangle(pen, x, y) {
  pen.beginPath();
  pen.moveTo(x - 3.5, y + 6);
  pen.lineTo(x + 3.5, y + 6);
  pen.lineTo(x, y);
  pen.fill();
}

/** @param {CanvasRenderingContext2D} pen @param {Frame} frame @param {Run} run @param {Palette} palette */
function marks(pen, frame, run, palette) {
  const all = Float64Array.from(run.steps, (step) => frame.x(step));
  const groups = merged(all);
  const xs = groups.map(({ first, last }) => (all[first] + all[last]) / 2);
  pen.font = `11px ${palette.font}`;
  const names = groups.map(({ first, last }) => markOf(run, first, last));
  const widths = names.map((name) => name.length * 6.6);
  const { diamonds, labels } = marksOf(xs, widths, frame.right + 12);
  pen.textAlign = "left";
  xs.forEach((x, k) => {
    const { first, last } = groups[k];
    const light = onlyEmpties(run, first);
    if (run.compaction(first).edit) square(pen, x, frame.markY, palette.text);
    else if (diamonds) diamond(pen, x, frame.markY, light ? 3.5 : 5, light ? palette.cleared : palette.summary);
    else tick(pen, all[first], all[last], frame.markY, light ? palette.cleared : palette.summary);
    if (!labels[k] || !diamonds) return;
    pen.fillStyle = palette.mute;
    pen.fillText(names[k], x + 8, frame.markY + 0.5);
  });
}

/** Whether a compaction takes nothing out and puts nothing in. @param {Run} run @param {number} k */
function onlyEmpties(run, k) {
  const { micro, folded, added, emptied } = run.view.c;
  return micro[k] === 1 || ((emptied?.[k] ?? 0) > 0 && !folded[k] && !added[k].some(([, , , , of = -1]) => of < 0));
}

/** Where compaction attempts failed: a small cross each. @param {CanvasRenderingContext2D} pen @param {Frame} frame @param {Run} run @param {Palette} palette */
function failures(pen, frame, run, palette) {
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
function diamond(pen, x, y, size, color) {
  pen.fillStyle = color;
  pen.beginPath();
  pen.moveTo(x, y - size);
  pen.lineTo(x + size, y);
  pen.lineTo(x, y + size);
  pen.lineTo(x - size, y);
  pen.fill();
}

/** @param {CanvasRenderingContext2D} pen @param {Frame} frame @param {Run} run @param {Scale} scale @param {Palette} palette */
function caption(pen, frame, run, scale, palette) {
  pen.font = `11px ${palette.font}`;
  pen.fillStyle = palette.mute;
  pen.textAlign = "left";
  const right = limitWords(run.view.policy, scale);
  const room = frame.right - frame.left - pen.measureText(right).width - 20;
  pen.fillText(fitting(pen, captionWords(run, scale), room), frame.left + 4, 11);
  pen.textAlign = "right";
  if (run.view.policy?.limit != null) pen.fillStyle = palette.over;
  pen.fillText(right, frame.right, 11);
}

/** What is counted, where it is not the window as it is shown. */
const COUNTS = {
  active: ", counts active messages only",
  spoken: ", counts no system messages",
  history: ", counts the whole history",
  wordless: ", counts a word for a reply without text",
};

/** @param {Policy | null} policy @param {Scale} scale */
function limitWords(policy, scale) {
  if (!policy) return "";
  if (policy.limit === null)
    return policy.when === "always" ? "no limit: acts every time" : policy.when ? `acts when ${policy.when}` : "no limit: manual trigger only";
  const counts = /** @type {Record<string, string>} */ (COUNTS)[policy.counts] ?? "";
  return `${policy.limitName} ${int(policy.ceiling ?? policy.limit)}${scale.limitShown && policy.limit <= scale.top ? "" : ", above this chart"}${counts}`;
}

/** The words in order of weight: the last ones are left out where there is no room. @param {Run} run @param {Scale} scale */
function captionWords(run, scale) {
  const { header } = run.store;
  const counted = `window tokens${header.approximate ? ", estimated" : ""}`;
  if (run.view.kind !== "replay" && compacted(run))
    return [counted, `dots: the run as recorded${scale.shared ? "" : ", scale at the right"}`, "▲ its compactions"];
  return [counted, ...recordedWords(run, scale)].filter(Boolean);
}

/** @param {Run} run @param {Scale} scale */
function recordedWords(run, scale) {
  const prompts = run.store.header.recorded.prompts.tokens;
  if (prompts.length < 2) return [];
  const line = `thin line: prompts as recorded, up to ${short(highest(prompts))}${scale.shared ? "" : ", scale at the right"}`;
  return run.view.policy || !scale.shared ? [line] : [line, hatchedWords(run)];
}

/** What the hatched band is. @param {Run} run */
function hatchedWords({ store: { header } }) {
  const split = header.recorded.prompts.scaled?.length;
  return split ? "hatched: sent, but not in the transcript; its lower part: undercounted by the meter" : "hatched: unseen in the transcript";
}

/** @param {number[]} values */
export function highest(values) {
  return values.reduce((most, value) => Math.max(most, value), 0);
}

/** @param {CanvasRenderingContext2D} pen @param {string[]} words @param {number} room */
function fitting(pen, words, room) {
  let kept = words.length;
  while (kept > 0 && pen.measureText(words.slice(0, kept).join(" · ")).width > room) kept--;
  return words.slice(0, kept).join(" · ");
}

/**
 * The cursor, the curve after it dimmed, and what the pointer is over.
 * @param {CanvasRenderingContext2D} pen
 * @param {{frame: Frame, palette: Palette, app: App, hover: number}} timeline
 */
export function paintCursor(pen, { frame, palette, app, hover }) {
  const { run } = app;
  const told = shown(app);
  const step = told.moment ? told.step : app.step;
  const x = frame.x(step);
  pen.clearRect(0, 0, frame.width, frame.height);
  pen.font = `11px ${palette.font}`;
  dim(pen, frame, x, palette);
  const over = hover >= 0 && hover !== step ? [readout(pen, frame, run, hover, palette)] : [];
  straight(pen, x, frame.lineTop, x, frame.bottom, palette.pill, 2);
  happening(pen, frame, run, told, palette);
  const here = pill(pen, frame, x, cursorWords(app, told), palette.pill, palette["on-pill"]);
  ends(pen, frame, run, [...over, here], palette);
}

/** @param {CanvasRenderingContext2D} pen @param {Frame} frame @param {number} x @param {Palette} palette */
function dim(pen, frame, x, palette) {
  pen.globalAlpha = 0.5;
  pen.fillStyle = palette.card;
  pen.fillRect(x, frame.lineTop, frame.edge - x, frame.bottom - frame.lineTop);
  pen.globalAlpha = 1;
}

/**
 * The first and the last step's number, each where it is, unless a pill is on it.
 * @param {CanvasRenderingContext2D} pen @param {Frame} frame @param {Run} run @param {[number, number][]} pills  from and to
 * @param {Palette} palette
 */
function ends(pen, frame, run, pills, palette) {
  pen.font = `11px ${palette.font}`;
  pen.textBaseline = "middle";
  pen.fillStyle = palette.mute;
  pen.textAlign = "left";
  const free = (/** @type {number} */ from, /** @type {number} */ to) => pills.every(([a, b]) => b + 6 < from || a - 6 > to);
  const last = int(run.length - 1);
  if (free(frame.left, frame.left + pen.measureText("step 0").width)) pen.fillText("step 0", frame.left, frame.bottom + 12);
  pen.textAlign = "right";
  const end = frame.length > run.length ? Math.max(frame.x(run.length - 1), frame.left + 70) : frame.right;
  if (free(end - pen.measureText(last).width, end)) pen.fillText(last, end, frame.bottom + 12);
}

/** @param {CanvasRenderingContext2D} pen @param {Frame} frame @param {Run} run @param {number} step @param {Palette} palette */
function readout(pen, frame, run, step, palette) {
  const x = frame.x(step);
  straight(pen, x, frame.lineTop, x, frame.bottom, palette.mute, 1, 0.8);
  return pill(pen, frame, x, label(run, step), palette.line, palette.text);
}

/**
 * @param {CanvasRenderingContext2D} pen @param {Frame} frame @param {number} x @param {string} text
 * @param {string} back @param {string} ink
 * @returns {[number, number]}  where it begins and ends
 */
function pill(pen, frame, x, text, back, ink) {
  pen.font = `600 11.5px ${familyOf(pen)}`;
  const width = pen.measureText(text).width + 22;
  const left = Math.max(frame.pillLeft, Math.min(frame.pillRight - width, x - width / 2));
  pen.fillStyle = back;
  pen.beginPath();
  pen.roundRect(left, frame.bottom + 2, width, 18, 5);
  pen.fill();
  pen.fillStyle = ink;
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  pen.fillText(text, left + width / 2, frame.bottom + 11.5);
  return [left, left + width];
}

/** @param {CanvasRenderingContext2D} pen  the family the pen already writes in */
function familyOf(pen) {
  return pen.font.replace(/^.*?px\s*/, "");
}

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {number[][]} points
 * @param {string} color
 * @param {number} width
 * @param {number} [alpha]
 */
function line(pen, points, color, width, alpha = 1) {
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
function straight(pen, x1, y1, x2, y2, color, width, alpha) {
  const points = Array.of([x1, y1], [x2, y2]);
  line(pen, points, color, width, alpha);
}
