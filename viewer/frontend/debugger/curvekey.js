// What the colors of the curve are: a square and a name for each region that occurs in it.
import { onlyEmpties } from "../run/compactionfigures.js";
import { STACK } from "../run/curve.js";
import { diamond } from "../run/painting.js";
/** @import { Curve } from "../run/curve.js" */
/** @import { Run } from "../run/model.js" */
/** @import { Palette } from "../run/painting.js" */

const SQUARE = 8;
/** Half the height of a mark. */
const MARK = 4;
/** Pixels between a square and its name, and between one region and the next. */
const [BESIDE, APART] = [4, 10];

/** @typedef {{color: string, name: string, mark?: boolean}[]} CurveKey */

/** The regions of a curve, from the bottom up, and of the marks above it those whose color no region has. @param {Run} run @param {Curve} curve @param {Palette} palette @returns {CurveKey} */
export function keyOf(run, { tops }, palette) {
  const pinned = run.view.pins?.emptied || run.view.held?.length;
  const names = /** @type {Record<string, string>} */ ({ message: "messages", ...(pinned && { system: "pinned" }) });
  const drawn = STACK.filter((_, r) => tops[r].some((top, k) => top > (r ? tops[r - 1][k] : 0)));
  const marked = markedIn(run).filter(({ region }) => !drawn.some((one) => one === region));
  return [
    ...drawn.map((region) => ({ color: palette[region], name: names[region] ?? region })),
    ...marked.map(({ region, name }) => ({ color: palette[region], name, mark: true })),
  ];
}

/** What the marks above a curve are, by the region whose color they have. @param {Run} run */
function markedIn(run) {
  const { micro, edit = [] } = run.view.c;
  const light = Array.from(micro, (_, k) => (edit[k] ? null : onlyEmpties(run, k)));
  const clears = micro.some((one) => one) ? "microcompaction" : "clears in place";
  return [
    { region: "summary", name: "compaction", there: light.includes(false) },
    { region: "cleared", name: clears, there: light.includes(true) },
  ].filter(({ there }) => there);
}

/** How wide it is, with what parts it from the words before it; 0 if there is none. @param {CanvasRenderingContext2D} pen @param {CurveKey} key */
export const widthOf = (pen, key) => key.reduce((sum, { name }) => sum + APART + SQUARE + BESIDE + pen.measureText(name).width, 0);

/** @param {CanvasRenderingContext2D} pen @param {CurveKey} key @param {number} x  where what stands before it ends @param {number} y @param {string} ink */
export function paintKey(pen, key, x, y, ink) {
  let left = x;
  for (const { color, name, mark } of key) {
    left += APART;
    pen.fillStyle = color;
    if (mark) diamond(pen, left + SQUARE / 2, y, MARK, color);
    else pen.fillRect(left, y - SQUARE / 2, SQUARE, SQUARE);
    left += SQUARE + BESIDE;
    pen.fillStyle = ink;
    pen.fillText(name, left, y);
    left += pen.measureText(name).width;
  }
}
