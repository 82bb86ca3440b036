// What could have compacted a recorded run instead, one click each, and the way back to the run as recorded.
import { attribute, breakable, button, el } from "../lib/dom.js";

/** @typedef {import("./chooser.js").Chosen} Chosen */

export class WhatIf {
  /** @param {(name: string) => void} choose */
  constructor(choose) {
    this.choose = choose;
    this.root = el("div", { class: "fl-whatif", role: "group", "aria-label": "What if another policy had compacted?" });
    this.built = "";
  }

  /** @param {Chosen} data */
  update({ name, recorded, what_if: all = [] }) {
    this.root.hidden = !all.length;
    const built = JSON.stringify([recorded, all]);
    if (this.built !== built) this.#build(recorded, all);
    this.built = built;
    for (const node of this.root.querySelectorAll("button")) attribute(node, "aria-pressed", String(node.dataset.name === name));
    this.root.classList.toggle("fl-away", name !== recorded);
  }

  /** @param {string} recorded @param {{name: string, label: string}[]} all */
  #build(recorded, all) {
    const back = button("", () => this.choose(recorded), { class: "fl-whatif-back", "data-name": recorded });
    back.append(el("span", { class: "fl-whatif-arrow", "aria-hidden": "true", text: "← " }), "Recorded");
    const rows = all.map(({ name, label }) => {
      const row = button("", () => this.choose(name), { class: "fl-whatif-one", "data-name": name });
      row.append(el("span", { class: "fl-whatif-label", text: label }), el("span", { class: "fl-whatif-name" }, ...breakable(name)));
      return row;
    });
    this.root.replaceChildren(el("p", { class: "fl-whatif-head", text: "What if?" }), back, ...rows);
  }
}
