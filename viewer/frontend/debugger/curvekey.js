// What the colors of the curve are: a square and a name for each region that occurs in it.
import { STACK } from "../run/curve.js";
/** @import { Curve } from "../run/curve.js" */
/** @import { Run } from "../run/model.js" */
/** @import { Palette } from "../run/painting.js" */

const SQUARE = 8;
/** Pixels between a square and its name, and between one region and the next. */
const [BESIDE, APART] = [4, 10];

/** @typedef {{color: string, name: string}[]} CurveKey */

/** The regions of a curve, if there are two or more to tell apart, from the bottom up. @param {Run} run @param {Curve} curve @param {Palette} palette @returns {CurveKey} */
export function keyOf(run, { tops }, palette) {
  const pinned = run.view.pins?.emptied || run.view.held?.length;
  const names = /** @type {Record<string, string>} */ ({ message: "messages", ...(pinned && { system: "pinned" }) });
  const drawn = STACK.filter((_, r) => tops[r].some((top, k) => top > (r ? tops[r - 1][k] : 0)));
  return drawn.length > 1 ? drawn.map((region) => ({ color: palette[region], name: names[region] ?? region })) : [];
}

/** How wide it is, with what parts it from the words before it; 0 if there is none. @param {CanvasRenderingContext2D} pen @param {CurveKey} key */
export const widthOf = (pen, key) => key.reduce((sum, { name }) => sum + APART + SQUARE + BESIDE + pen.measureText(name).width, 0);

/** @param {CanvasRenderingContext2D} pen @param {CurveKey} key @param {number} x  where what stands before it ends @param {number} y @param {string} ink */
export function paintKey(pen, key, x, y, ink) {
  let left = x;
  for (const { color, name } of key) {
    left += APART;
    pen.fillStyle = color;
    pen.fillRect(left, y - SQUARE / 2, SQUARE, SQUARE);
    left += SQUARE + BESIDE;
    pen.fillStyle = ink;
    pen.fillText(name, left, y);
    left += pen.measureText(name).width;
  }
}
