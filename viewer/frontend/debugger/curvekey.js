// What the colors of the curve are: a square and a name for each region that occurs in it.
import { onlyEmpties } from "../run/compactionfigures.js";
import { STACK } from "../run/curve.js";
import { messageWords } from "../run/hindsight.js";
import { diamond } from "../run/painting.js";
/** @import { Curve } from "../run/curve.js" */
/** @import { Run } from "../run/model.js" */
/** @import { Palette } from "../run/painting.js" */

const SQUARE = 8;
/** Half the height of a mark. */
const MARK = 4;
/** Pixels between a square and its name, and between one region and the next. */
const [BESIDE, APART] = [4, 10];

/** `means` is the name with what it means, where there is room. @typedef {{color: string, name: string, means: string, mark?: boolean}[]} CurveKey */

/** What a region is, to who sees the word first. @type {Record<string, string>} */
const MEANS = {
  system: "always stays",
  summary: "in place of what left",
  compactable: "next to go",
  recent: "stays as it is",
  cleared: "emptied in place",
};

/** The regions of a curve, from the bottom up, and of the marks above it those whose color no region has. @param {Run} run @param {Pick<Curve, "tops"> & Partial<Curve>} curve @param {Palette} palette @returns {CurveKey} */
export function keyOf(run, { tops, steps = new Int32Array() }, palette) {
  const pinned = run.view.pins?.emptied || run.view.held?.length;
  const names = /** @type {Record<string, string>} */ ({ message: "messages", ...(pinned && { system: "pinned" }) });
  const drawn = STACK.filter((_, r) => tops[r].some((top, k) => top > (r ? tops[r - 1][k] : 0)));
  const marked = markedIn(run).filter(({ region }) => !drawn.some((one) => one === region));
  const next = run.view.policy?.kind === "clear" ? { ...MEANS, compactable: "next to be cleared" } : MEANS;
  const means = staysToTheEnd(run, tops, steps) ? { ...next, message: messageWords(run, run.compactions) } : next;
  return [
    ...drawn.map((region) => keyItem(palette[region], names[region] ?? region, means[region])),
    ...marked.map(({ region, name }) => ({ ...keyItem(palette[region], name), mark: true })),
  ];
}

/** Whether the messages of which nothing else is known are all behind the last compaction. @param {Run} run @param {Curve["tops"]} tops @param {Int32Array} steps */
function staysToTheEnd(run, tops, steps) {
  const [at, last] = [STACK.indexOf("message"), run.steps[run.compactions - 1] ?? Infinity];
  return !run.view.live && steps.length > 0 && steps.every((step, k) => step >= last || tops[at][k] <= tops[at - 1][k]);
}

/** @param {string} color @param {string} name @param {string} [means] */
const keyItem = (color, name, means) => ({ color, name, means: means ? `${name}: ${means}` : name });

/** The same with what each name means. @param {CurveKey} key @returns {CurveKey} */
export const explained = (key) => key.map((item) => ({ ...item, name: item.means }));

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
