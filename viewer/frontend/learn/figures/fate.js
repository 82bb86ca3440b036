// A text through the compactions: a thread that goes on as long as it is held, and is cut where it is not.

import { el } from "../../lib/dom.js";
/** @import { FateFigure } from "../types.js" */

/** How the window has a text, in an answer to the question above the rows; the others say it themselves. @type {Record<string, string>} */
const ANSWERS = { held: "yes", gone: "no", asked: "?" };

/** @param {FateFigure} figure @param {boolean} covered  what becomes of it */
export function fateFigure({ text, marks }, covered) {
  if (covered) return boxed(text, ...rowsCovered(marks));
  const lost = marks.findIndex((mark) => mark.is === "gone");
  const items = marks.map(({ name, is }, k) => {
    if (is === "asked") return row("covered", name, ANSWERS.asked);
    if (k === lost) return row("lost", name, "no: lost here");
    return row(is === "held" || is === "gone" ? is : "reworded", name, ANSWERS[is] ?? is);
  });
  return boxed(text, ...items);
}

/** @param {string} text @param {HTMLElement[]} rows */
const boxed = (text, ...rows) =>
  el(
    "figure",
    { class: "fl-figure-box" },
    el("blockquote", { text, dir: "auto" }),
    el("p", { text: "Can the model still see it?" }),
    el("ol", { class: "fl-fate" }, ...rows),
  );

/** Where it was said, and in one row all that is asked about. @param {FateFigure["marks"]} marks */
function rowsCovered([said, ...rest]) {
  const name = rest.length > 1 ? "after each compaction, and at the end" : (rest[0]?.name ?? "");
  const asked = rest.length ? [row("covered", name, ANSWERS.asked)] : [];
  return [row("held", said.name, ANSWERS.held), ...asked];
}

/** @param {string} state @param {string} name @param {string} word */
const row = (state, name, word) =>
  el("li", { "data-state": state }, el("i", { "aria-hidden": "true" }), el("span", { text: name }), el("b", { text: word }));
