// The choice of texts that an exported file follows in the run on show.
import { el, visible } from "../lib/dom.js";
import { askable } from "../why/text.js";
/** @import { Fate, State } from "../why/types.js" */
/** @import { Held } from "./held.js" */

/** Characters of a text in the choice. */
const MOST = 80;

/** Where the texts are at the end of the run, the lost ones first. @type {[name: string, is: (state: State) => boolean][]} */
const ENDS = [
  ["Gone at the end", (state) => state === "gone"],
  ["Only in a summary at the end", (state) => state === "summary"],
  ["In the window at the end", (state) => state === "verbatim"],
];

/**
 * Texts to choose from, by where they are at the end of the run; two that read alike stand once.
 * @param {Record<string, Fate>} fates @returns {[name: string, texts: string[]][]}
 */
export function choices(fates) {
  const once = new Map(
    Object.keys(fates)
      .map((text) => /** @type {const} */ ([brief(text), text]))
      .reverse(),
  );
  const texts = Object.keys(fates).filter((text) => once.get(brief(text)) === text);
  /** @type {[string, string[]][]} */
  const groups = ENDS.map(([name, is]) => [name, texts.filter((text) => is(fates[text].lane.at(-1)?.state ?? "before"))]);
  return groups.filter(([, some]) => some.length);
}

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
    const found = choices((await this.held.json(`fate-${tid}`)) ?? (await this.held.json("fate-opened")) ?? {});
    if (this.shown !== tid) return;
    const groups = found.map(([label, texts]) => el("optgroup", { label }, ...texts.map((text) => el("option", { value: text, text: brief(text) }))));
    this.select.replaceChildren(el("option", { value: "", text: "Follow a text…" }), ...groups);
    this.node.hidden = !groups.length;
  }

  /** @param {(text: string) => void} ask */
  #chosen(ask) {
    const { value } = this.select;
    this.select.selectedIndex = 0;
    if (value) ask(value);
  }
}
