// A text through the compactions: a thread that goes on as long as it is held, and is cut where it is not.

import { el } from "../../lib/dom.js";
/** @import { FateFigure } from "../types.js" */

/** @param {FateFigure} figure @param {boolean} covered  what becomes of it */
export function fateFigure({ text, marks }, covered) {
  if (covered) return boxed(text, ...rowsCovered(marks));
  const lost = marks.findIndex((mark) => mark.is === "gone");
  const items = marks.map(({ name, is }, k) => {
    if (is === "asked") return row("covered", name, "?");
    if (k === lost) return row("lost", name, "lost here");
    return row(is === "held" || is === "gone" ? is : "reworded", name, is);
  });
  return boxed(text, ...items);
}

/** @param {string} text @param {HTMLElement[]} rows */
const boxed = (text, ...rows) =>
  el("figure", { class: "fl-figure-box" }, el("blockquote", { text, dir: "auto" }), el("ol", { class: "fl-fate" }, ...rows));

/** Where it was said, and in one row all that is asked about. @param {FateFigure["marks"]} marks */
function rowsCovered([said, ...rest]) {
  const last = rest.length > 1 ? ` … ${rest[rest.length - 1].name}` : "";
  const asked = rest.length ? [row("covered", `${rest[0].name}${last}`, "?")] : [];
  return [row("held", said.name, "held"), ...asked];
}

/** @param {string} state @param {string} name @param {string} word */
const row = (state, name, word) =>
  el("li", { "data-state": state }, el("i", { "aria-hidden": "true" }), el("span", { text: name }), el("b", { text: word }));
