// One lane under the timeline: a followed text, where it was at each step as a bar, and what happened to it as marks.

import { attribute, button, el, visible, write } from "../lib/dom.js";
import { draw } from "../lib/svg.js";
import { barsOf, groupsOf, labelsOf } from "./geometry.js";
import { isCode, isNever, laneName, stateWords } from "./lanewords.js";
import { KINDS, marksOf, shapeOf } from "./marks.js";
import { piecesOf, stateAt } from "./states.js";
/** @import { Axis, Group } from "./geometry.js" */
/** @import { Piece } from "./states.js" */
/** @import { Fate, Host, Lane } from "./types.js" */

/** The middle of the bar, from the top of its lane. */
const BAR = 20.5;
const HALF = { summary: 2, reworded: 2, gone: 4 };
/** Pixels between a lane's words and the first label. */
const AFTER_NAME = 7;

const pen = typeof document === "object" ? document.createElement("canvas").getContext?.("2d") : null;

/** The drawing of one lane, and its words. */
export class LaneRow {
  /** @param {Host} app @param {Lane} lane @param {{press(event: PointerEvent, row: LaneRow): void, key(event: KeyboardEvent, row: LaneRow): void, remove(row: LaneRow): void}} acts */
  constructor(app, lane, acts) {
    this.app = app;
    this.lane = lane;
    /** @type {Group[]} */ this.groups = [];
    /** @type {Piece[]} */ this.pieces = [];
    /** What is drawn. @type {{fate: Fate | null, failed: string, axis: Axis | undefined}} */ this.drawn = {
      fate: null,
      failed: "",
      axis: undefined,
    };
    this.named = -1;
    /** What its labels cover. @type {{from: number, to: number}[]} */ this.covered = [];
    this.bars = draw("g", { class: "fl-lane-bars" });
    this.after = draw("rect", { class: "fl-lane-after", y: BAR - 6, height: 12 });
    this.cursorLine = draw("line", { class: "fl-lane-cursor", y1: 0, y2: 29 });
    this.marks = draw("g");
    this.labels = draw("g", { class: "fl-lane-labels" });
    const svg = draw("svg", { "aria-hidden": "true" }, this.bars, this.after, this.cursorLine, this.marks, this.labels);
    this.number = el("span", { class: "fl-lane-no", "aria-hidden": "true" });
    this.words = el("span");
    const name = el(isCode(lane.text) ? "code" : "b", { dir: "auto", text: visible(lane.text) });
    this.name = el("span", { class: "fl-lane-name", "aria-hidden": "true" }, name, this.words);
    const slider = { class: "fl-lane-bar", role: "slider", tabindex: "0", "aria-orientation": "horizontal", "aria-valuemin": "0" };
    this.bar = el("div", slider, svg, this.number, this.name);
    this.list = el("ul", { class: "fl-said" });
    this.close = button("×", () => acts.remove(this), { class: "fl-lane-x", tabindex: "-1" });
    this.node = el("li", { class: "fl-lane" }, this.bar, this.list, this.close);
    this.bar.addEventListener("pointerdown", (event) => acts.press(event, this));
    this.bar.addEventListener("keydown", (event) => acts.key(event, this));
  }

  /** @param {number} i @param {number} count @param {boolean} chosen */
  place(i, count, chosen) {
    write(this.number, String(i + 1));
    attribute(this.node, "data-chosen", chosen);
    attribute(this.bar, "aria-current", chosen ? "true" : null);
    attribute(this.bar, "aria-label", laneName(this.lane.text, i, count));
    attribute(this.list, "aria-label", `Events of lane ${i + 1}`);
    attribute(this.close, "aria-label", `Remove lane ${i + 1}`);
    attribute(this.close, "title", "Remove (Delete)");
  }

  /** Draw what is known of the text: of a trace that is left, nothing new. @param {Axis} axis */
  draw(axis) {
    const { lane, drawn } = this;
    const { fate, failed } = lane;
    attribute(this.node, "data-outdated", lane.stale);
    attribute(this.bar, "aria-busy", !failed && (!fate || lane.stale) ? "true" : null);
    if (lane.stale || (drawn.fate === fate && drawn.failed === failed && drawn.axis === axis)) return;
    this.drawn = { fate, failed, axis };
    const known = fate && !fate.common && !isNever(fate);
    this.pieces = known ? piecesOf(this.app.run, fate, Math.max(2, Math.round(axis.right - axis.left))) : [];
    this.groups = known ? groupsOf(marksOf(this.app.run, fate), axis) : [];
    this.bars.replaceChildren(...(known ? barNodes(axis, this.pieces) : [line(axis)]));
    this.marks.replaceChildren(...markNodes(this.groups));
    const said = this.groups.flatMap(({ marks }) => marks).map(({ words }) => el("li", { text: visible(words) }));
    this.list.replaceChildren(...said.slice(0, MOST_HEARD));
    this.named = -1;
  }

  /** @param {number} step */
  cursor(step) {
    const { app, lane, drawn } = this;
    const { axis } = drawn;
    if (!axis || lane.stale) return;
    const x = axis.x(step);
    attribute(this.after, "x", x);
    attribute(this.after, "width", Math.max(0, axis.right + 6 - x));
    const { text, gone } = stateWords(app.run, lane, step);
    write(this.words, text);
    attribute(this.words, "class", gone ? "fl-lane-gone" : null);
    attribute(this.bar, "aria-valuemax", app.run.length - 1);
    attribute(this.bar, "aria-valuenow", step);
    attribute(this.bar, "aria-valuetext", `${visible(text)}.`);
    this.#label(axis);
    const words = [{ from: axis.left, to: this.named }, ...this.covered];
    const top = words.some(({ from, to }) => from < x && x < to) ? BAR - 6 : 0; // never through the words
    for (const [name, at] of Object.entries({ x1: x, x2: x, y1: top })) attribute(this.cursorLine, name, at);
  }

  /** Labels stand where the words of the lane leave room. @param {Axis} axis */
  #label(axis) {
    const { fate } = this.lane;
    const named = this.name.offsetLeft + this.name.offsetWidth + 3;
    if (named === this.named) return;
    this.named = named;
    const redOnly = this.app.root.clientWidth <= 900;
    const until = (/** @type {{step: number}} */ { step }) => (fate ? axis.x(stateAt(fate, step).to + 1) : 0);
    const labels = labelsOf(this.groups, { left: named + AFTER_NAME, right: axis.right + 8, redOnly, width, until });
    this.covered = labels.map(({ from, to }) => ({ from, to }));
    this.labels.replaceChildren(...labels.map(({ x, text, anchor, red }) => labelNode(x, text, anchor, red)));
  }
}

/** Events that are listed for a screen reader. */
const MOST_HEARD = 100;

/** Nothing to show on it yet, or ever. @param {Axis} axis */
const line = ({ left, right }) => draw("path", { class: "fl-lane-none", d: `M${left} ${BAR}H${right}` });

/** One path for each look, however many pieces. @param {Axis} axis @param {Piece[]} pieces */
function barNodes(axis, pieces) {
  return [...barsOf(axis, pieces)].flatMap(([look, spans]) => {
    if (look === "before") return [];
    const half = /** @type {Record<string, number>} */ (HALF)[look] ?? 4;
    const [dash] = look === "reworded" ? [spans.map(([from, to]) => `M${round(from)} ${BAR}H${round(to)}`).join("")] : [];
    if (dash) return [draw("path", { class: "fl-lane-reworded", d: dash })];
    const d = spans.map(([from, to]) => `M${round(from)} ${BAR - half}H${round(to)}v${2 * half}H${round(from)}z`).join("");
    const path = draw("path", { class: `fl-lane-${look}`, d });
    if (look !== "gone") return [path];
    path.setAttribute("fill", "url(#fl-lane-hatch)");
    return [path];
  });
}

/** @param {number} x */
const round = (x) => Math.round(10 * x) / 10;

/** One path for each kind, the most telling on top; a number where several are one. @param {Group[]} groups */
function markNodes(groups) {
  const single = KINDS.map((kind) => {
    const own = groups.filter((group) => group.marks.length === 1 && group.kind === kind);
    return draw("path", { class: `fl-why-mark fl-why-${kind}`, d: own.map(({ x }) => shapeOf(kind, round(x), BAR)).join("") });
  });
  const several = groups.filter(({ marks }) => marks.length > 1).flatMap(({ x, kind, marks }) => countNodes(round(x), kind, marks.length));
  return [...single, ...several];
}

/** @param {number} x @param {string} kind @param {number} count */
function countNodes(x, kind, count) {
  const text = count > 99 ? "99+" : String(count);
  const wide = 8 + 5 * text.length;
  const box = draw("rect", { class: `fl-why-count fl-why-${kind}`, x: x - wide / 2, y: BAR - 6, width: wide, height: 12, rx: 4 });
  const number = draw("text", { class: `fl-why-number fl-why-${kind}`, x, y: BAR + 3.2, "text-anchor": "middle" });
  number.textContent = text;
  return [box, number];
}

/** @param {number} x @param {string} text @param {string} anchor @param {boolean} red */
function labelNode(x, text, anchor, red) {
  const node = draw("text", { x: round(x), y: 10, "text-anchor": anchor, ...(red && { class: "fl-lane-red" }) });
  node.textContent = text;
  return node;
}

/** @param {string} text @param {boolean} red */
function width(text, red) {
  if (!pen) return 5.4 * text.length;
  pen.font = `${red ? 600 : 400} 10.5px "Source Sans", sans-serif`;
  return pen.measureText(text).width;
}
