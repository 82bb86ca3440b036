// The places that the chosen sentence comes from, above the messages of the window.

import { button, el, visible } from "../lib/dom.js";
import { inOrder, placesTitle, quotePieces } from "./originwords.js";
/** @import { Placed } from "./originwords.js" */
/** @import { Choice } from "./provenance.js" */

/** How a message is shown: its badge, what it is called, where it went. @typedef {{region: string, letter: string, name: string, went: string}} Named */
/** What the list needs of the debugger. @typedef {{named: (pool: number) => Named, select: (pool: number) => void, go: (step: number) => void, place: (step: number) => string, clear: () => void}} Guide */

export class Sources {
  /** @param {Guide} guide */
  constructor(guide) {
    this.guide = guide;
    this.title = el("span");
    const clear = button("Clear", () => guide.clear(), { class: "fl-link", title: "Let go of the sentence (Esc)" });
    this.head = el("div", { class: "fl-heading fl-sources-head" }, this.title, clear);
    this.list = el("ul", { class: "fl-sources-list" });
    this.node = el("section", { class: "fl-sources", "aria-label": "Sources of the chosen sentence", hidden: true }, this.head, this.list);
    /** @type {Choice | null} */ this.shown = null;
  }

  /** Show the places of a sentence, or nothing. @param {Choice | null} choice */
  show(choice) {
    if (choice === this.shown) return;
    this.shown = choice;
    this.node.hidden = choice === null;
    if (!choice) return;
    const { n, sentence } = choice;
    this.title.textContent = placesTitle(sentence, n);
    this.list.replaceChildren(...inOrder(sentence.sources).map((placed) => this.#source(placed)));
    this.list.hidden = !sentence.sources.length;
    this.list.scrollTop = 0;
  }

  /** @param {Placed} placed */
  #source({ source, depth }) {
    const { region, letter, name, went } = this.guide.named(source.at);
    const who = button(name, () => this.guide.select(source.at), { class: "fl-source-name", title: `Show ${name}` });
    const title = `go to it: ${this.guide.place(source.step)}`;
    const step = button("go to it", () => this.guide.go(source.step), { class: "fl-link", title, "aria-label": title });
    const said = quotePieces(source).map(({ text, kind }) => (kind ? marked(visible(text), kind) : visible(text)));
    const node = el(
      "li",
      { class: `fl-source fl-is-${region}`, "data-depth": depth ? Math.min(depth, 3) : null, "data-pool": source.at },
      el("span", { class: "fl-badge", text: letter, "aria-hidden": "true" }),
      el("div", { class: "fl-who" }, who, step, el("span", { class: "fl-went", text: went })),
      el("p", { dir: "auto" }, ...said),
    );
    return node;
  }
}

/** @param {string} text @param {"mark" | "missing"} kind */
const marked = (text, kind) =>
  kind === "mark"
    ? el("mark", { text })
    : el(
        "mark",
        { class: "fl-lost", title: "In the source, not in the sentence" },
        text,
        el("span", { class: "fl-said", text: " (not in the sentence)" }),
      );
