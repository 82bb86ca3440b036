// What could have compacted a session, one click each, and the way back to the run as recorded.
import { attribute, breakable, button, el, write } from "../lib/dom.js";

/** @typedef {import("./chooser.js").Chosen} Chosen */

const COMPACTED = { head: "What if?", back: "Recorded", group: "What if another policy had compacted?" };

/** Of a session that records no compaction: nothing is undone by choosing a policy. */
const NOT_COMPACTED = { head: "What if it had compacted?", back: "As recorded: no compaction", group: "What if a policy had compacted?" };

export class WhatIf {
  /** @param {(name: string) => void} choose */
  constructor(choose) {
    this.choose = choose;
    this.root = el("div", { class: "fl-whatif", role: "group" });
    this.built = "";
    /** How the chosen policy stands to the record. */ this.note = el("p", { class: "fl-whatif-note", hidden: "" });
  }

  /** @param {Chosen} data */
  update({ name, recorded, compacted = false, what_if: all = [], note = "" }) {
    this.root.hidden = !all.length;
    const built = JSON.stringify([recorded, compacted, all]);
    if (this.built !== built) this.#build(recorded, compacted, all);
    this.built = built;
    for (const node of this.root.querySelectorAll("button")) attribute(node, "aria-pressed", String(node.dataset.name === name));
    this.root.classList.toggle("fl-away", name !== recorded);
    this.note.hidden = !note;
    write(this.note, note);
    if (note) this.root.querySelector("[aria-pressed='true']")?.after(this.note);
  }

  /** @param {string} recorded @param {boolean} compacted  whether the run as recorded was @param {{name: string, label: string}[]} all */
  #build(recorded, compacted, all) {
    const words = compacted ? COMPACTED : NOT_COMPACTED;
    const back = button("", () => this.choose(recorded), { class: "fl-whatif-back", "data-name": recorded });
    back.append(el("span", { class: "fl-whatif-arrow", "aria-hidden": "true", text: "← " }), words.back);
    const rows = all.map(({ name, label }) => {
      const row = button("", () => this.choose(name), { class: "fl-whatif-one", "data-name": name, title: name });
      row.append(el("span", { class: "fl-whatif-label", text: label }), el("span", { class: "fl-whatif-name" }, ...breakable(name)));
      return row;
    });
    attribute(this.root, "aria-label", words.group);
    this.root.toggleAttribute("data-short", !compacted);
    this.root.replaceChildren(el("p", { class: "fl-whatif-head", text: words.head }), back, ...rows);
  }
}
