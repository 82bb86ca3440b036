// The plot: what each setting costs against what it misses, with the line of those that no other beats.
import { attribute, el } from "../lib/dom.js";
import { int } from "../lib/format.js";
import { draw } from "../lib/svg.js";
import { alongLine, labelOnLine, placedLabels } from "./labels.js";
import { namesApart, placeOf } from "./places.js";
import { costRange, rateTicks, ticks } from "./scale.js";
import { brief, faultKind, money, rate } from "./words.js";
/** @import { Tuning } from "./tuning.js" */
/** @import { Picture } from "./types.js" */

const [LEFT, RIGHT, TOP, BOTTOM] = [44, 16, 22, 46];
/** How wide the label of the limit is. */
const LIMIT_WIDTH = 104;
/** The room of a mark with a ring around it. */
const RING = 9;
/** The shape of a policy's marks, by its place; the list in the sidebar has the same. */
export const SHAPES = ["circle", "square", "triangle", "diamond", "plus"];

/** @typedef {{k: number, x: number, y: number, shape: string, front: boolean}} Mark */

export class TradeOff {
  /** @param {Tuning} tuning */
  constructor(tuning) {
    this.tuning = tuning;
    this.svg = draw("svg", { class: "fl-tune-plot", role: "img", "aria-label": "Nothing has run yet" });
    this.empty = el("p", { class: "fl-tune-unmarked" }, el("span", { text: "Each setting becomes a mark here." }));
    this.body = el("div", { class: "fl-tune-plot-body" }, this.svg, this.empty);
    this.legend = el("div", { class: "fl-tune-legend" });
    this.head = el("div", { class: "fl-tune-plot-head" });
    this.root = el("section", { class: "fl-tune-card fl-tune-plotcard", "aria-label": "Trade-off" }, this.head, this.body, this.legend);
    this.root.id = "fl-tune-tradeoff";
    /** @type {Map<number, SVGElement>} */ this.marks = new Map();
    this.watch = new ResizeObserver(() => this.draw());
    this.watch.observe(this.body);
    this.svg.addEventListener("pointerover", ({ target }) => tuning.point(markOf(target), /** @type {Element} */ (target)));
    this.svg.addEventListener("pointerleave", () => tuning.point(-1));
    this.svg.addEventListener("click", (event) => markOf(event.target) >= 0 && tuning.choose(markOf(event.target)));
  }

  draw() {
    const { tuning } = this;
    const { width, height } = this.body.getBoundingClientRect();
    const { priced } = tuning;
    this.head.replaceChildren(
      el("h2", { text: `${priced ? "Cost" : "Tokens sent"} against misses` }),
      el("span", { class: "fl-tune-mute", text: "lower left is better; the line joins the best trade-offs" }),
    );
    this.#drawLegend();
    this.marks.clear();
    this.svg.replaceChildren();
    const { picture } = tuning;
    this.empty.hidden = Boolean(picture || tuning.running);
    attribute(this.svg, "viewBox", `0 0 ${width} ${height}`);
    if (!picture || width < 60 || height < 60) return;
    this.#draw(picture, width, height, priced);
    this.point();
  }

  #drawLegend() {
    const shown = this.tuning.grids.map(({ policy }, g) => el("span", { class: "fl-tune-key" }, markIcon(SHAPES[g % SHAPES.length]), policy));
    const recorded = el("span", { class: "fl-tune-key" }, markIcon("cross"), "as recorded");
    this.legend.replaceChildren(...shown, ...(this.tuning.kept ? [] : [recorded]));
  }

  /** @param {Picture} picture @param {number} width @param {number} height @param {boolean} priced */
  #draw(picture, width, height, priced) {
    const { tuning } = this;
    const worth = (/** @type {import("./types.js").Cell} */ cell) => (priced ? (cell[2] ?? 0) : cell[4]);
    const whole = [...picture.cells.keys()].filter((k) => picture.cells[k][0] === picture.sessions && picture.sessions > 0);
    const now = tuning.nowAt !== null && whole.includes(tuning.nowAt) ? tuning.nowAt : -1;
    const compared = [...picture.front, ...(now >= 0 ? [now] : []), ...(picture.best === null ? [] : [picture.best])].map((k) =>
      worth(picture.cells[k]),
    );
    const recorded = picture.recorded[0] === picture.sessions ? [worth(picture.recorded)] : [];
    const { low, high } = costRange(
      whole.map((k) => worth(picture.cells[k])),
      [...compared, ...recorded],
    );
    const most = Math.max(0.02, (tuning.chosen.limit / 100) * 1.2, ...whole.map((k) => picture.cells[k][1] ?? 0), picture.recorded[1] ?? 0) * 1.04;
    const x = (/** @type {number} */ cost) => LEFT + ((cost - low) / (high - low)) * (width - LEFT - RIGHT);
    const y = (/** @type {number} */ missed) => height - BOTTOM - Math.sqrt(missed / most) * (height - TOP - BOTTOM);
    this.#axes(width, height, { low, high, most, x, y, priced });
    const beyond = whole.filter((k) => worth(picture.cells[k]) > high);
    const marks = whole
      .filter((k) => worth(picture.cells[k]) <= high)
      .map((k) => ({
        k,
        x: x(worth(picture.cells[k])),
        y: y(picture.cells[k][1] ?? 0),
        shape: SHAPES[(placeOf(tuning.grids, k)?.g ?? 0) % SHAPES.length],
        front: picture.front.includes(k),
      }));
    this.#marks(picture, marks);
    const spots = recorded.length ? [{ text: "as recorded", x: x(recorded[0]), y: y(picture.recorded[1] ?? 0) }] : [];
    for (const spot of spots) this.svg.append(shape("cross", spot.x, spot.y, "fl-tune-recorded"));
    this.#rings(picture, marks, now);
    this.#labels(picture, marks, now, spots, { left: LEFT, right: width - RIGHT, bottom: y(0), limit: y(tuning.chosen.limit / 100) });
    this.#ends(picture, beyond.length, width, height, worth(picture.never), high, priced);
    const told = picture.front.map(
      (k) =>
        `${tuning.nameOf(k)}: ${priced ? money(picture.cells[k][2]) : `${brief(picture.cells[k][4])} tokens`}, misses ${rate(picture.cells[k][1])}`,
    );
    attribute(
      this.svg,
      "aria-label",
      `${priced ? "Cost" : "Tokens sent"} against misses. From the cheapest to the one that misses least: ${told.join("; ")}. The map lists all settings.`,
    );
  }

  /** @param {number} width @param {number} height @param {{low: number, high: number, most: number, x: (cost: number) => number, y: (missed: number) => number, priced: boolean}} scale */
  #axes(width, height, { low, high, most, x, y, priced }) {
    for (const one of rateTicks(most, height - TOP - BOTTOM)) {
      this.svg.append(
        draw("line", { class: "fl-tune-rule", x1: LEFT, x2: width - RIGHT, y1: y(one), y2: y(one) }),
        text(`${Math.round(1000 * one) / 10} %`, LEFT - 8, y(one) + 4, "end"),
      );
    }
    for (const one of ticks(low, high, Math.max(2, Math.floor((width - LEFT) / 90)))) {
      const said = priced ? `$${one >= 100 || Number.isInteger(one) ? int(one) : one.toFixed(one < 1 ? 3 : 2)}` : brief(one);
      this.svg.append(
        draw("line", { class: "fl-tune-tick", x1: x(one), x2: x(one), y1: height - BOTTOM, y2: height - BOTTOM + 4 }),
        text(said, x(one), height - BOTTOM + 17, "middle"),
      );
    }
    const limit = this.tuning.chosen.limit / 100;
    this.svg.append(draw("line", { class: "fl-tune-limit", x1: LEFT, x2: width - RIGHT, y1: y(limit), y2: y(limit) }));
  }

  /** @param {Picture} picture @param {Mark[]} marks */
  #marks(picture, marks) {
    const on = onFront(picture, marks);
    if (on.length > 1) this.svg.append(draw("polyline", { class: "fl-tune-front", points: on.map((mark) => `${mark.x},${mark.y}`).join(" ") }));
    for (const mark of [...marks.filter(({ front }) => !front), ...on]) {
      const node = shape(
        mark.shape,
        mark.x,
        mark.y,
        `fl-tune-mark ${mark.front ? "fl-tune-on-front" : faultKind(picture.cells[mark.k]) === "gives-up" ? "fl-tune-given-up" : ""}`,
      );
      node.setAttribute("data-k", String(mark.k));
      this.marks.set(mark.k, node);
      this.svg.append(node);
    }
  }

  /** @param {Picture} picture @param {Mark[]} marks @param {number} now */
  #rings(picture, marks, now) {
    for (const mark of marks) {
      if (mark.k === now) this.svg.append(draw("circle", { class: "fl-tune-ring", cx: mark.x, cy: mark.y, r: 8 }));
      if (mark.k === picture.best)
        this.svg.append(draw("rect", { class: "fl-tune-best", x: mark.x - 7, y: mark.y - 7, width: 14, height: 14, rx: 3 }));
      if (mark.k === this.tuning.chosen.cell) this.svg.append(draw("circle", { class: "fl-tune-chosen", cx: mark.x, cy: mark.y, r: 10.5 }));
    }
  }

  /** @param {Picture} picture @param {Mark[]} marks @param {number} now @param {{text: string, x: number, y: number}[]} spots @param {import("./labels.js").Sides & {limit: number}} sides */
  #labels(picture, marks, now, spots, sides) {
    const ends = [picture.front[0], picture.front.at(-1)];
    const order = [picture.best, now, ...ends, ...picture.front.filter((_, k) => k % 3 === 0)];
    const named = [...new Set(order.flatMap((k) => marks.filter((mark) => mark.k === k).slice(0, 1)))];
    const texts = namesApart(
      this.tuning.grids,
      named.map(({ k }) => k),
    );
    const wanted = [
      ...named.map((mark, n) => ({
        ...mark,
        text: `${texts[n]}${mark.k === now ? " now" : ""}`,
        kind: mark.k === picture.best ? "fl-tune-label-best" : "fl-tune-label",
        must: mark.k === picture.best || mark.k === now,
      })),
      ...spots.map((spot) => ({ ...spot, kind: "fl-tune-label", must: false })),
    ].map((label) => ({ ...label, width: label.text.length * (label.kind === "fl-tune-label-best" ? 7.4 : 6.2) + 6 }));
    const ringed = [picture.best, now, this.tuning.chosen.cell];
    const taking = [
      ...marks.map((mark) => (ringed.includes(mark.k) ? { ...mark, room: RING } : mark)),
      ...spots,
      ...alongLine(onFront(picture, marks)),
    ];
    const first = placedLabels(
      wanted.filter(({ must }) => must),
      taking,
      sides,
    );
    const line = labelOnLine(sides.limit, LIMIT_WIDTH, taking, first, sides);
    const rest = wanted.filter(({ must }) => !must);
    const kept = [...first, ...placedLabels(rest, taking, sides, line ? [...first, line] : first)];
    for (const label of kept) this.svg.append(text(label.text, label.x, label.y, "start", label.kind));
    if (line) this.svg.append(text(`at most ${this.tuning.chosen.limit} % misses`, line.x + line.width, line.y, "end", "fl-tune-limit-text"));
  }

  /** @param {Picture} picture @param {number} beyond @param {number} width @param {number} height @param {number} never @param {number} high @param {boolean} priced */
  #ends(picture, beyond, width, height, never, high, priced) {
    if (beyond) this.svg.append(text(`${int(beyond)} more beyond ↗`, width - RIGHT, 14, "end", "fl-tune-mute"));
    const sessions = picture.sessions === 1 ? "cost of the session" : `cost of all ${int(picture.sessions)} sessions`;
    this.svg.append(text(priced ? sessions : "tokens sent", LEFT, height - 8, "start", "fl-tune-mute"));
    if (picture.never[0] !== picture.sessions) return;
    const said = priced ? money(never) : `${brief(never)} tokens`;
    this.svg.append(text(`no compaction: ${said}, 0 %${never > high ? " →" : ""}`, width - RIGHT, height - 8, "end"));
  }

  /** Show which setting is pointed at. */
  point() {
    for (const [k, node] of this.marks) node.classList.toggle("fl-tune-pointed", k === this.tuning.pointed);
  }

  stop() {
    this.watch.disconnect();
  }
}

/** The marks that the line joins, in its order. @param {Picture} picture @param {Mark[]} marks */
const onFront = ({ front }, marks) => marks.filter((mark) => mark.front).sort((a, b) => front.indexOf(a.k) - front.indexOf(b.k));

/** @param {EventTarget | null} target */
function markOf(target) {
  const mark = /** @type {Element | null} */ (target)?.closest?.("[data-k]");
  return mark ? Number(mark.getAttribute("data-k")) : -1;
}

/** @param {string} said @param {number} x @param {number} y @param {string} anchor @param {string} [kind] */
function text(said, x, y, anchor, kind = "") {
  const node = draw("text", { x, y, "text-anchor": anchor, class: kind });
  node.textContent = said;
  return node;
}

/** A mark of a policy. @param {string} kind @param {number} x @param {number} y @param {string} name */
function shape(kind, x, y, name) {
  const paths = /** @type {{[kind: string]: string}} */ ({
    circle: "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0z",
    square: "M-3.5-3.5h7v7h-7z",
    triangle: "M0-4.5l4.5 8h-9z",
    diamond: "M0-5l5 5l-5 5l-5-5z",
    plus: "M-1.5-4.5h3v3h3v3h-3v3h-3v-3h-3v-3h3z",
    cross: "M-5-5l10 10M5-5l-10 10",
  });
  return draw("path", { d: paths[kind], transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})`, class: `${name} fl-tune-${kind}` });
}

/** A mark by itself, for a legend. @param {string} kind */
export function markIcon(kind) {
  return draw(
    "svg",
    { class: "fl-tune-icon", viewBox: "-7 -7 14 14", width: 14, height: 14, "aria-hidden": "true" },
    shape(kind, 0, 0, kind === "cross" ? "fl-tune-recorded" : "fl-tune-mark fl-tune-on-front"),
  );
}
