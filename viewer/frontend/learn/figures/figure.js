// What a step draws beside its words. The board of the game is drawn where the window is (board.js).

import { el } from "../../lib/dom.js";
import { cacheFigure } from "./cache.js";
import { CutsView } from "./cuts.js";
import { fateFigure } from "./fate.js";
import { sentFigure } from "./sent.js";
import { stripFigure } from "./strip.js";
/** @import { Lessons } from "../lessons.js" */
/** @import { Figure } from "../types.js" */

/** How wide a drawing is in its own units. */
const WIDTH = 340;

export class FigureView {
  /** @param {Lessons} lessons */
  constructor(lessons) {
    this.lessons = lessons;
    this.root = el("div", { class: "fl-figures", hidden: true });
    this.cuts = new CutsView(lessons);
    this.stop = new AbortController();
    /** Pixels of a unit of a drawing. */ this.scale = 1;
    /** How high a drawing is that fills the room it is given, as a part of its width; 0 where it has no such room. */ this.shape = 0;
    this.measure = new ResizeObserver(() => this.#fill());
    this.measure.observe(this.root);
    for (const type of ["place", "answer", "cursor"]) lessons.addEventListener(type, () => this.#draw(type), { signal: this.stop.signal });
    this.#draw("place");
  }

  /** @param {string} why */
  #draw(why) {
    const { lessons } = this;
    const followed = lessons.revealed && !lessons.place.present; // Why has the same, as large as the page
    const figures = shownOf(lessons.figure).filter(
      (one) => !(followed && one.kind === "fate") && !(lessons.place.present && one.kind === "sent" && "limit" in one),
    );
    this.root.hidden = !figures.length;
    if (this.root.hidden) return this.root.replaceChildren();
    if (why === "cursor" && !figures.some(({ kind }) => kind === "sent")) return;
    const nodes = figures.map((figure) => this.#node(figure));
    if (nodes.length === this.root.children.length && nodes.every((node, k) => node === this.root.children[k])) return;
    this.root.replaceChildren(...nodes);
  }

  /** Where a drawing has a room to fill, draw it in the shape of that. */
  #fill() {
    const pen = this.root.querySelector(".fl-drawing");
    const grows = pen?.clientWidth && this.root.closest("[data-grows]");
    const shape = grows ? Math.round((100 * pen.clientHeight) / pen.clientWidth) / 100 : 0;
    const scale = pen?.clientWidth ? Math.round((100 * pen.clientWidth) / WIDTH) / 100 : this.scale;
    if (shape === this.shape && scale === this.scale) return;
    Object.assign(this, { shape, scale });
    this.root.style.setProperty("--unit", String(Math.max(1, 1 / scale))); // no text is smaller than it is meant
    this.#draw("shape");
  }

  /** How high a drawing is in its own units: as its room is, else as much as it needs. @param {number} least @param {number} alone  all a room is to see @param {number} most */
  #tall(least, alone, most) {
    if (this.shape) return Math.max(least, Math.min(most, Math.round(WIDTH * this.shape)));
    return this.lessons.stage ? alone : least;
  }

  /** @param {Figure} figure @returns {HTMLElement} */
  #node(figure) {
    if (figure.kind === "sent") return sentFigure(figure, this.lessons.cursor, this.lessons.covers("figures"), this.#tall(164, 304, 640));
    if (figure.kind === "strip") return stripFigure(figure, Number(this.lessons.controls[figure.name]));
    if (figure.kind === "cuts") return this.cuts.draw(figure, this.#tall(106, 242, 560), this.scale);
    if (figure.kind === "cache") return cacheFigure(figure, this.lessons);
    if (figure.kind === "fate") return fateFigure(figure, this.lessons.covers("fate"));
    return el("div");
  }

  destroy() {
    this.measure.disconnect();
    this.stop.abort();
  }
}

/** The figures of a step that stand beside its words. @param {Figure | null} figure @returns {Figure[]} */
function shownOf(figure) {
  if (!figure || figure.kind === "game") return [];
  return figure.kind === "many" ? figure.figures.filter(({ kind }) => kind !== "game") : [figure];
}
