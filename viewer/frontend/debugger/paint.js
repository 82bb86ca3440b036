// Painting the timeline: axis, stacked areas, limit, marks, the recorded run; and over them the cursor.
import { STACK, intervalsIn, ticksOf } from "../run/curve.js";
import { int, short, tokens } from "../lib/format.js";
import { areas, axis, diamond, failures, hatch, limits, line, marks, straight } from "../run/painting.js";
import { compacted, recordedLine, recordedStep } from "../run/recorded.js";
import { bandOf, linesOf, promptLine, stretchesOf } from "../run/unseenband.js";
import { sparse } from "../run/earlier.js";
import { explained, keyOf, paintKey, widthOf } from "./curvekey.js";
import { cursorWords, happening, label } from "./paintmoment.js";
import { shown } from "./shownwindow.js";
/** @import { CurveKey } from "./curvekey.js" */
/** @import { Curve, Scale } from "../run/curve.js" */
/** @import { Run } from "../run/model.js" */
/** @import { BandPoint, Stretch } from "../run/unseenband.js" */
/** @import { Palette } from "../run/painting.js" */
/** @import { Policy } from "../run/types.js" */
/** @import { App } from "./app.js" */

const RECORDED_ALPHA = 0.6;
const UNIT = "tokens";
/** Half the height of a recorded compaction's mark, which stands on the axis. */
export const HOLLOW = 5.5;

/** Where things are: pixels from steps and tokens, and back. */
export class Frame {
  /**
   * @param {number} width
   * @param {number} height
   * @param {number} length  steps
   * @param {{top: number, recordedTop: number, shared: boolean}} scale  tokens at the top of the plot, and for the recorded run
   * @param {boolean} [lanes]  whether the lanes of followed texts lie below, which end in a button
   */
  constructor(width, height, length, { top, recordedTop, shared }, lanes = false) {
    this.width = width;
    this.height = height;
    this.length = length;
    this.topTokens = top;
    this.recordedTokens = recordedTop;
    this.left = 46;
    this.right = width - (!shared ? 46 : lanes ? 34 : 14); // room for the second scale, or the buttons
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

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {{frame: Frame, curve: Curve, scale: Scale, palette: Palette, run: Run, told?: string[], plain?: boolean}} timeline  `told`: what
 *   a change of the settings has changed; `plain`: without its regions
 */
export function paintCurve(pen, { frame, curve, scale, palette, run, told = [], plain = false }) {
  pen.clearRect(0, 0, frame.width, frame.height);
  pen.lineJoin = "round";
  axis(pen, frame, palette);
  unseen(pen, frame, run, scale, palette);
  areas(pen, frame, curve, plain ? inOneColor(palette) : palette);
  const { policy } = run.view;
  if (policy && scale.limitShown) limits(pen, frame, run, curve, palette);
  recorded(pen, frame, run, scale, palette);
  marks(pen, frame, run, palette);
  failures(pen, frame, run, palette);
  caption(pen, frame, run, scale, palette, told, plain ? [] : keyOf(run, curve, palette));
}

/** Nothing tells what goes and what stays. @param {Palette} palette @returns {Palette} */
const inOneColor = (palette) => ({ ...palette, ...Object.fromEntries(STACK.map((region) => [region, palette.message])) });

/** The recorded run's own scale, at the right. @param {CanvasRenderingContext2D} pen @param {Frame} frame @param {Palette} palette */
function secondAxis(pen, frame, palette) {
  pen.textAlign = "left";
  for (const value of ticksOf(frame.recordedTokens, intervalsIn(frame.bottom - frame.top))) {
    const y = Math.round(frame.y(value, frame.recordedTokens)) + 0.5;
    straight(pen, frame.right, y, frame.right + 4, y, palette.text, 1, RECORDED_ALPHA);
    pen.fillStyle = palette.mute;
    pen.fillText(short(value), frame.right + 8, y);
  }
}

/**
 * What the prompts of a run as recorded held beyond its messages. The areas are painted over it: between two prompts the messages
 * may come to more than a straight line from the one to the other.
 * @param {CanvasRenderingContext2D} pen @param {Frame} frame @param {Run} run @param {Scale} scale @param {Palette} palette
 */
function unseen(pen, frame, run, scale, palette) {
  if (run.view.policy || !scale.shared || apart(run)) return;
  const y = (/** @type {number} */ tokens) => frame.y(tokens, scale.recordedTop);
  for (const stretch of stretchesOf(run, promptPlaces(run, frame))) unseenBand(pen, frame, run, stretch, y, palette);
}

/** Whether the recorded run is another one than what is shown. @param {Run} run */
const apart = (run) => run.view.kind !== "replay" && compacted(run);

/** The prompts to draw: none where there are too few for a line. @param {Run} run @param {Frame} frame */
function promptPlaces(run, frame) {
  const places = thinned(run.store.header.recorded.prompts.at.length, 2 * (frame.right - frame.left));
  return places.length < 2 ? [] : places;
}

/**
 * The recorded run. As it is what is shown: the prompts as recorded, a thin line. Behind a simulated run: the recorded window by the
 * same meter, and its compactions as hollow diamonds on the axis.
 * @param {CanvasRenderingContext2D} pen @param {Frame} frame @param {Run} run @param {Scale} scale @param {Palette} palette
 */
function recorded(pen, frame, run, scale, palette) {
  if (!scale.shared) secondAxis(pen, frame, palette);
  /** Where the window was sent: before the reply arrived. */
  const x = (/** @type {number} */ reply) => frame.x(Math.max(0, run.stepOfMessage(Math.max(0, Math.min(reply, run.n - 1))) - 1));
  const y = (/** @type {number} */ tokens) => frame.y(tokens, scale.recordedTop);
  if (apart(run)) return behind(pen, frame, run, y, palette);
  for (const joined of linesOf(run, stretchesOf(run, promptPlaces(run, frame)))) {
    line(
      pen,
      joined.flatMap((k, i) => promptLine(run, k, joined[i + 1]).map(([arrived, tokens]) => [x(arrived), y(tokens)])),
      palette.text,
      1,
      RECORDED_ALPHA,
    );
  }
}

/**
 * @param {CanvasRenderingContext2D} pen @param {Frame} frame @param {Run} run
 * @param {(tokens: number) => number} y @param {Palette} palette
 */
function behind(pen, frame, run, y, palette) {
  const x = (/** @type {number} */ arrived) => frame.x(recordedStep(run, arrived));
  const points = recordedLine(run, 2 * (frame.right - frame.left));
  pen.setLineDash([2, 2]);
  line(
    pen,
    points.map(([i, tokens]) => [x(i), y(tokens)]),
    palette.text,
    1,
    RECORDED_ALPHA + 0.15,
  );
  pen.setLineDash([]);
  for (const at of run.store.header.recorded.at) hollow(pen, x(at), frame.bottom - HOLLOW - 1, palette);
}

/**
 * What the prompts held beyond the messages: hatched, from the window up, at every step between two compactions. Hatched the other
 * way what is among the messages and the meter undercounts, where that is known.
 * @param {CanvasRenderingContext2D} pen @param {Frame} frame @param {Run} run @param {Stretch} stretch
 * @param {(tokens: number) => number} y @param {Palette} palette
 */
function unseenBand(pen, frame, run, stretch, y, palette) {
  const points = bandOf(run, stretch);
  pen.save();
  pen.globalAlpha = 0.5;
  band(pen, points, frame, y, ["sent", "counted"], hatch(pen, palette.faint));
  if (run.store.header.recorded.prompts.scaled?.length) band(pen, points, frame, y, ["counted", "seen"], hatch(pen, palette.faint, -1));
  pen.restore();
}

/**
 * Fill what lies between two lines over the same places.
 * @param {CanvasRenderingContext2D} pen @param {BandPoint[]} points @param {Frame} frame @param {(tokens: number) => number} y
 * @param {["sent" | "counted", "counted" | "seen"]} lines  the upper and the lower one @param {CanvasPattern} fill
 */
function band(pen, points, frame, y, [above, below], fill) {
  pen.beginPath();
  for (const point of points) pen.lineTo(frame.x(point.step), y(point[above]));
  for (const point of [...points].reverse()) pen.lineTo(frame.x(point.step), y(point[below]));
  pen.closePath();
  pen.fillStyle = fill;
  pen.fill();
}

/** @param {number} count @param {number} most */
function thinned(count, most) {
  const every = Math.max(1, Math.ceil(count / most));
  return Array.from({ length: Math.ceil(count / every) }, (_, k) => k * every);
}

/** A recorded compaction: no pill below the axis lies over it, and no finding looks like it. @param {CanvasRenderingContext2D} pen @param {number} x @param {number} y @param {Palette} palette */
function hollow(pen, x, y, palette) {
  diamond(pen, x, y, HOLLOW, palette.text);
  diamond(pen, x, y, HOLLOW - 2, palette.card);
}

/**
 * What the curve is and what its colors are, then what else is drawn; first, in bold, what a change of the settings has changed.
 * @param {CanvasRenderingContext2D} pen @param {Frame} frame @param {Run} run @param {Scale} scale @param {Palette} palette
 * @param {string[]} told  what has changed, and what its curve is @param {CurveKey} key
 */
function caption(pen, frame, run, scale, palette, [news = "", ...curve], key) {
  pen.font = `11px ${palette.font}`;
  pen.textAlign = "left";
  const right = limitWords(run.view.policy, scale);
  let x = frame.left + 4;
  const end = frame.right - pen.measureText(right).width - 16;
  if (news) {
    pen.font = `600 12px ${palette.font}`;
    pen.fillStyle = palette.text;
    pen.fillText(news, x, 11);
    x += pen.measureText(news).width + 12;
    pen.font = `11px ${palette.font}`;
  }
  pen.fillStyle = palette.mute;
  const counted = `tokens in the window${run.store.header.approximate ? ", estimated" : ""}`;
  const others = otherWords(run, scale);
  captionKey(pen, palette, { units: [counted, UNIT].map((unit) => [...curve, unit]), key, others }, x, end);
  pen.textAlign = "right";
  if (run.view.policy?.limit != null) pen.fillStyle = palette.over;
  pen.fillText(right, frame.right, 11);
}

/**
 * The unit, shortened where the names of the colors or the words behind them have no room, then those, then what else fits. What the names
 * mean stands behind them where nothing has to give way to it.
 * @param {CanvasRenderingContext2D} pen @param {Palette} palette @param {{units: string[][], key: CurveKey, others: [words: string, brief: string][]}} words
 * @param {number} x @param {number} end
 */
function captionKey(pen, palette, { units, key: names, others: both }, x, end) {
  const joined = (/** @type {string[]} */ words) => words.map((word) => ` · ${word}`).join("");
  const measured = (/** @type {string[]} */ words, /** @type {string} */ more) => pen.measureText(words.join(" · ") + more).width;
  const [others, brief] = [0, 1].map((k) => both.map((words) => words[k])); // each in fewer words before one of them is left out
  const full = explained(names);
  const roomy = [others, brief].some((words) => measured(units[0], joined(words)) + widthOf(pen, full) <= end - x);
  const key = roomy ? full : names;
  const wide = widthOf(pen, key);
  const behind = [brief, others.slice(0, 1), []].map(joined);
  const unit = behind.map((more) => units.find((words) => measured(words, more) + wide <= end - x)).find(Boolean);
  const text = unit?.join(" · ") ?? fitting(pen, units[0], end - x);
  const left = x + pen.measureText(text).width;
  pen.fillText(text, x, 11);
  if (unit) paintKey(pen, key, left, 11, palette.mute);
  const from = left + (unit ? wide : 0);
  const room = end - from - pen.measureText(" · ").width;
  const more = [others, brief].find((words) => pen.measureText(words.join(" · ")).width <= room)?.join(" · ") ?? fitting(pen, others, room);
  pen.fillStyle = palette.mute;
  if (more) pen.fillText(` · ${more}`, from, 11);
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
  if (policy.limit === null) return unlimitedWords(policy);
  const counts = /** @type {Record<string, string>} */ (COUNTS)[policy.counts] ?? "";
  return `${policy.limitName} ${int(policy.ceiling ?? policy.limit)}${scale.limitShown && policy.limit <= scale.top ? "" : ", above this chart"}${counts}`;
}

/** @param {Policy} policy */
function unlimitedWords({ when, acts }) {
  if (acts) return acts.replace(/^A/, "a").replace(/\.$/, "");
  return when === "always" ? "no limit: acts every time" : when ? `acts when ${when}` : "no limit: manual trigger only";
}

/**
 * What else is drawn, in order of weight, each with fewer words for it: the last ones are left out where there is no room.
 * @param {Run} run @param {Scale} scale @returns {[words: string, brief: string][]}
 */
function otherWords(run, scale) {
  if (!apart(run)) return recordedWords(run, scale);
  const side = scale.shared ? "" : ", scale at the right";
  return [
    [`dots: the run as recorded${side}`, `dots: as recorded${side}`],
    ["◇ its compactions", "◇ its compactions"],
  ];
}

/** @param {Run} run @param {Scale} scale @returns {[words: string, brief: string][]} */
function recordedWords(run, scale) {
  const prompts = run.store.header.recorded.prompts.tokens;
  if (prompts.length < 2) return [];
  if (!scale.shared) return [["thin line: sent to the model, scale at the right", "thin line: sent, scale at the right"]];
  /** @type {[words: string, brief: string]} */
  const line = [`thin line: sent to the model${run.compactions ? "" : `, at most ${int(highest(prompts))}`}`, "thin line: sent to the model"];
  return run.view.policy ? [line] : [line, hatchedWords(run)];
}

/** Whether there is a hatched band. @param {Run} run */
export const hasHatched = (run) => !run.view.policy && !apart(run) && run.store.header.recorded.prompts.tokens.length > 1;

/** What the hatched band is. @param {Run} run @returns {[words: string, brief: string]} */
export function hatchedWords({ store: { header } }) {
  const split = header.recorded.prompts.scaled?.length;
  if (!split) return ["hatched: the part not in this file", "hatched: not in this file"];
  return ["hatched: the part not in this file, or counted too low", "hatched: not in this file, or counted low"];
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
 * The cursor, the curve after it dimmed, and what the pointer is over; of a session that is told as a whole none of these.
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
  if (app.presenting && app.whole) return ends(pen, frame, run, [], palette);
  dim(pen, frame, x, palette);
  const covered = app.presenting ? step + 1 : app.covered; // a room sees no more than what it was told
  const word = app.presenting || app.later ? "comes later" : "covered";
  if (covered < run.length) cover(pen, frame, Math.max(x, frame.x(covered - 1)), palette, word, run.step(covered - 1).compaction >= 0);
  const over = hover >= 0 && hover !== step && hover < covered ? [readout(pen, frame, run, hover, palette)] : [];
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
 * The curve of before the settings were changed: a thin dashed line, with a rim that lifts it off the areas.
 * @param {CanvasRenderingContext2D} pen @param {Frame} frame @param {[step: number, tokens: number][]} before @param {Palette} palette
 */
export function paintEarlier(pen, frame, before, palette) {
  pen.clearRect(0, 0, frame.width, frame.height);
  if (before.length < 2) return;
  const points = sparse(before.map(([step, tokens]) => [frame.x(step), frame.y(tokens)]));
  line(pen, points, palette.card, 3, 0.75);
  pen.setLineDash([5, 3]);
  line(pen, points, palette.text, 1.25, 0.85);
  pen.setLineDash([]);
}

/** Pixels that the mark of a compaction reaches to either side. */
const MARK = 7;

/** Nothing is seen of what follows. @param {CanvasRenderingContext2D} pen @param {Frame} frame @param {number} x @param {Palette} palette @param {string} word @param {boolean} marked  whether a compaction has its mark there */
function cover(pen, frame, x, palette, word, marked) {
  const beside = x + (marked ? MARK : -MARK); // a mark is seen whole or not at all
  pen.fillStyle = palette.card;
  pen.fillRect(beside, 18, frame.width - beside, frame.lineTop - 18);
  pen.fillRect(x, frame.lineTop, frame.width - x, frame.bottom - frame.lineTop);
  pen.globalAlpha = 0.16; // no hatch: that is what the file does not show
  pen.fillStyle = palette.faint;
  pen.fillRect(x, frame.lineTop, frame.edge - x, frame.bottom - frame.lineTop);
  pen.globalAlpha = 1;
  pen.font = `600 11px ${palette.font}`;
  pen.fillStyle = palette.text;
  pen.textAlign = "center";
  if (frame.edge - x > 90) pen.fillText(word, (x + frame.edge) / 2, (frame.lineTop + frame.bottom) / 2);
  pen.font = `11px ${palette.font}`;
}

/**
 * The first and the last message's number, each where it is, unless a pill is on it.
 * @param {CanvasRenderingContext2D} pen @param {Frame} frame @param {Run} run @param {[number, number][]} pills  from and to
 * @param {Palette} palette
 */
function ends(pen, frame, run, pills, palette) {
  pen.font = `11px ${palette.font}`;
  pen.textBaseline = "middle";
  pen.fillStyle = palette.mute;
  pen.textAlign = "left";
  const free = (/** @type {number} */ from, /** @type {number} */ to) => pills.every(([a, b]) => b + 6 < from || a - 6 > to);
  const last = int(run.step(run.length - 1).messages);
  const y = frame.bottom + 12;
  if (free(frame.left, frame.left + pen.measureText("message 1").width)) pen.fillText("message 1", frame.left, y);
  pen.textAlign = "right";
  const end = frame.length > run.length ? Math.max(frame.x(run.length - 1), frame.left + 70) : frame.right;
  if (run.length > 1 && free(end - pen.measureText(last).width, end)) pen.fillText(last, end, y);
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
