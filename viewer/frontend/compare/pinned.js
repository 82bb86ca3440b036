// The texts that are followed, in the sidebar: a field for another, and those there are.

import { button, el, visible } from "../lib/dom.js";
import { capitalized, int } from "../lib/format.js";
import { input } from "../settings/amount.js";
import { MOST_LANES } from "../why/store.js";
/** @import { Board } from "./board.js" */

export class PinnedTexts {
  /** @param {Board} board */
  constructor(board) {
    this.board = board;
    this.field = input({
      type: "text",
      class: "fl-pin-field",
      "aria-label": "Text to follow",
      placeholder: "Text to follow, then Enter",
      spellcheck: "false",
    });
    this.list = el("ul", { class: "fl-pin-list" });
    this.note = el("p", { class: "fl-note" });
    this.field.addEventListener("keydown", (event) => event.key === "Enter" && this.#take());
    this.node = el(
      "section",
      { class: "fl-pins", "aria-label": "Followed text" },
      el("h2", { class: "fl-lanes-title" }, "Followed text"),
      this.list,
      this.field,
      this.note,
    );
  }

  #take() {
    if (this.board.pins?.pin(this.field.value)) this.field.value = "";
  }

  update() {
    const { pins } = this.board;
    const texts = pins?.texts ?? [];
    const rows = texts.map((text, i) => {
      const shown = button("", () => pins?.choose(i), {
        class: "fl-pin-text",
        "aria-pressed": String(i === pins?.at),
        title: "Show where it is below each lane",
      });
      shown.append(el("code", { dir: "auto", text: visible(text) }));
      const remove = button("×", () => pins?.remove(i), { class: "fl-icon", "aria-label": "Remove", title: "Follow it no longer" });
      return el("li", {}, shown, remove);
    });
    this.list.replaceChildren(...rows);
    this.list.hidden = !rows.length;
    this.field.hidden = texts.length >= MOST_LANES;
    const known = pins?.fate(0);
    this.note.textContent = !texts.length ? "" : known ? saidWords(known) : "…";
  }
}

/** How often a text is said, and where first. @param {import("../why/types.js").Fate} fate */
export function saidWords({ match, total, places }) {
  if (match === "none") return "No message says it.";
  const first = places.length ? `message ${int(places[0] + 1)}` : "";
  if (total === 1) return first ? `${capitalized(first)} says it.` : "1 message says it.";
  return `${int(total)} messages say it${first && `, the first is ${first}`}.`;
}
