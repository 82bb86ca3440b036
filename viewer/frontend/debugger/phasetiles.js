// The four tiles of a card: the phases of what happened, to look at one after the other.

import { attribute, button, el, write } from "../lib/dom.js";
/** @import { Moment } from "../run/story.js" */
/** @import { Tile } from "../run/phasefigures.js" */
/** @import { Phase } from "../run/types.js" */

/** What a compaction does in each phase, in a sentence. @type {Record<string, string>} */
const MEANS = {
  trigger: "Trigger: what made it act.",
  partition: "Partition: which messages go, and which stay.",
  summarize: "Summarize: what is written in the place of those that go.",
  clear: "Clear: what is emptied and stays in its place.",
  drop: "Drop: what goes without a summary.",
  splice: "Splice: what was put in takes the place of what went, and the window closes up.",
};

/** The same where messages are cleared in their places: none goes, and nothing comes for them. @type {Record<string, string>} */
const CLEARS = {
  partition: "Partition: which messages are cleared, and which stay as they are.",
  splice: "Splice: nothing leaves the window, and nothing is put in.",
};

export class PhaseTiles {
  /** @param {(phase: Phase) => void} choose */
  constructor(choose) {
    this.choose = choose;
    /** What each says in the end. @type {string[]} */ this.figures = [];
    this.node = el("div");
  }

  /** Lay out these tiles, or none. @param {Tile[]} tiles @param {boolean} [clears]  whether messages are cleared in their places alone */
  lay(tiles, clears = false) {
    this.figures = tiles.map(({ figure }) => figure.replace(/(\d) (?=[\p{L}%])/gu, "$1\u00a0")); // a count stays with its word
    const means = clears ? { ...MEANS, ...CLEARS } : MEANS;
    const nodes = tiles.map((tile, k) => this.#tile(tile, this.figures[k], means[tile.name]));
    const keydown = (/** @type {KeyboardEvent} */ event) => this.#walk(event);
    this.node = tiles.length
      ? el(
          "div",
          { class: "fl-phases", "data-clears": clears || null, role: "group", "aria-label": "Phases of this compaction", on: { keydown } },
          ...nodes,
        )
      : el("div");
  }

  /** Left and right lead from the tile that has the focus to the one beside it, and show its phase; at the ends they lead on as elsewhere. @param {KeyboardEvent} event */
  #walk(event) {
    if (event.shiftKey || event.altKey || event.ctrlKey || event.metaKey) return;
    const tiles = /** @type {HTMLElement[]} */ ([...this.node.children]);
    const here = tiles.indexOf(/** @type {HTMLElement} */ (event.target));
    const to = here + (event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0);
    if (to === here || !tiles[to]) return;
    event.preventDefault();
    this.choose(/** @type {Phase} */ (to + 1));
    tiles[to].focus();
  }

  /** @param {Tile} tile @param {string} figure @param {string | undefined} means */
  #tile({ phase, name, crossed }, figure, means) {
    const title = `${crossed ? `${figure}\n` : ""}Show phase ${phase}: ${name} (key ${phase})${means ? `\n${means}` : ""}`;
    const node = button("", () => this.choose(phase), { class: crossed ? "fl-phase fl-crossed" : "fl-phase", "data-phase": phase, title });
    const cross = crossed
      ? [el("span", { class: "fl-cross", "aria-hidden": "true", text: "✕" }), el("span", { class: "fl-said", text: " failed" })]
      : [];
    node.append(el("b", {}, `${phase} ${name}`, ...cross), el("span", { class: "fl-figure", text: figure }));
    return node;
  }

  /**
   * Light the tile of a phase; those that are yet to come say nothing.
   * @param {Phase | 0} lit
   * @param {Moment | null} moment
   * @param {string | null} [writing]  what the third tile says while a summary is written; null for nothing, undefined for what it says in the end
   */
  tell(lit, moment, writing) {
    [...this.node.children].forEach((tile, k) => {
      attribute(tile, "aria-pressed", String(k + 1 === lit));
      tile.classList.toggle("fl-done", moment !== null && k + 1 < lit);
      const waits = moment !== null && writing !== undefined && k + 1 === lit && k === 2 && moment.number < 1;
      const come = moment === null || k + 1 < lit || (k + 1 === lit && (!waits || writing !== null));
      tile.classList.toggle("fl-later", !come);
      write(tile.children[1], waits && writing ? writing : this.figures[k]);
    });
  }
}
