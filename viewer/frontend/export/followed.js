// The choice of texts that an exported file follows in the run on show.
import { el, visible } from "../lib/dom.js";
import { askable } from "../why/text.js";
/** @import { Held } from "./held.js" */

/** Characters of a text in the choice. */
const MOST = 80;

/** @param {string} text */
function brief(text) {
  const line = askable(text, MOST);
  return visible(line.length < askable(text).length ? `${line}…` : line);
}

export class Followed {
  /** @param {Held} held @param {(text: string) => void} ask */
  constructor(held, ask) {
    this.held = held;
    this.shown = "";
    this.select = el("select", {
      class: "fl-select fl-export-why",
      "aria-label": "Texts that this file follows",
      on: { change: () => this.#chosen(ask) },
    });
    this.node = el("label", { hidden: true }, this.select);
  }

  /** The texts of a run; without any there is no choice. @param {string} tid */
  async show(tid) {
    this.shown = tid;
    const texts = Object.keys((await this.held.json(`fate-${tid}`)) ?? (await this.held.json("fate-opened")) ?? {});
    if (this.shown !== tid) return;
    const options = texts.map((text) => el("option", { value: text, text: brief(text) }));
    this.select.replaceChildren(el("option", { value: "", text: "Where did it go…" }), ...options);
    this.node.hidden = !texts.length;
  }

  /** @param {(text: string) => void} ask */
  #chosen(ask) {
    const { value } = this.select;
    this.select.selectedIndex = 0;
    if (value) ask(value);
  }
}
