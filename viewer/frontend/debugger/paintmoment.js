// What the timeline's cursor says, and a compaction on the curve as it is told: a ring where it is triggered, then a point that
// falls with the window.

import { markOf } from "../run/compactionfigures.js";
import { int, short, tokens } from "../lib/format.js";
import { between } from "./gauge.js";
import { stepMark } from "../run/places.js";
import { hiddenAt } from "../run/recorded.js";
import { recordedAt } from "../run/recordedsums.js";
/** @import { Run } from "../run/model.js" */
/** @import { Moment } from "../run/story.js" */
/** @import { App } from "./app.js" */
/** @import { Palette } from "../run/painting.js" */
/** @import { Frame } from "./paint.js" */
/** @import { Shown } from "./shownwindow.js" */

/** "message 132 · 3,960", "#2 · 3,960"; "message 116 · ~157k" where a part of what was sent is not in the file. @param {Run} run @param {number} step */
export const label = (run, step) => `${run.step(step).compaction < 0 ? "message " : ""}${stepMark(run, step)} · ${sizeWords(run, step)}`;

/** Of a window that a recorded compaction found or left, the size that its card has; else null. @param {Run} run @param {number} step */
export function recordedSize(run, step) {
  const known = recordedAt(run, step);
  return known && `${known.prompt ? "prompt " : ""}${int(known.tokens)}`;
}

/** @param {Run} run @param {number} step */
function sizeWords(run, step) {
  const known = recordedSize(run, step);
  if (known) return known;
  const { seen, hidden } = sentAt(run, step);
  return hidden ? `~${short(seen + hidden)}` : tokens(seen, run.store.header.approximate);
}

/** The tokens of a window, and those that were sent beside it and are not in the file. @param {Run} run @param {number} step */
function sentAt(run, step) {
  const { tokens: seen, arrived } = run.window(step);
  return { seen, hidden: hiddenAt(run, arrived, run.epochOf(step), step) };
}

/**
 * What the pill at the cursor says; of the window that a compaction is about to replace, "message 132 · 18,478 · before #2".
 * @param {App} app
 * @param {Shown} told
 */
export function cursorWords({ run, step }, { step: stood, before, k, phase, moment }) {
  if (k < 0 || !moment) return label(run, step);
  if (before) return label(run, stood) + (phase === 1 ? "" : ` · before ${markOf(run, k)}`);
  return label(run, stood);
}

/** The window between a compaction's two. @param {Run} run @param {number} step @param {Moment} moment */
const onTheWay = (run, step, { settle }) => between(run.step(step - 1), run.step(step), settle);

/**
 * @param {CanvasRenderingContext2D} pen @param {Frame} frame @param {Run} run @param {Shown} told @param {Palette} palette
 */
export function happening(pen, frame, run, { step: at, k, moment }, palette) {
  if (!moment) return;
  if (moment.ring > 0 && moment.ring < 1) return ring(pen, frame.x(at), frame.y(top(run, at)), moment.ring, palette);
  if (k < 0 || !moment.arrived || moment.settle >= 1) return;
  pen.fillStyle = palette.summary;
  pen.strokeStyle = palette.card;
  pen.lineWidth = 1.5;
  pen.beginPath();
  pen.arc(frame.x(at), frame.y(onTheWay(run, at, moment).tokens), 5, 0, 2 * Math.PI);
  pen.fill();
  pen.stroke();
}

/** Where the curve ends above a step, with what was sent and is not in the file. @param {Run} run @param {number} step */
function top(run, step) {
  const { seen, hidden } = sentAt(run, step);
  return seen + hidden;
}

/** @param {CanvasRenderingContext2D} pen @param {number} x @param {number} y @param {number} done @param {Palette} palette */
function ring(pen, x, y, done, palette) {
  pen.strokeStyle = palette.over;
  pen.lineWidth = 2;
  for (const [size, alpha] of [
    [6, 1],
    [6 + 8 * done, 1 - done],
  ]) {
    pen.globalAlpha = alpha;
    pen.beginPath();
    pen.arc(x, y, size, 0, 2 * Math.PI);
    pen.stroke();
  }
  pen.globalAlpha = 1;
}
