// A text through the compactions: a thread that goes on as long as it is held, and is cut where it is not.

import { el } from "../../lib/dom.js";
/** @import { FateFigure } from "../types.js" */

/** @param {FateFigure} figure @param {boolean} covered  what becomes of it */
export function fateFigure({ text, marks }, covered) {
  const lost = marks.findIndex(({ held }) => !held);
  const items = marks.map(({ name, held }, k) => {
    if (covered && k)
      return el("li", { "data-state": "covered" }, el("i", { "aria-hidden": "true" }), el("span", { text: name }), el("b", { text: "?" }));
    const state = lost < 0 || k < lost ? "held" : k === lost ? "lost" : "gone";
    return el(
      "li",
      { "data-state": state },
      el("i", { "aria-hidden": "true" }),
      el("span", { text: name }),
      el("b", { text: held ? "held" : k === lost ? "lost here" : "gone" }),
    );
  });
  return el("figure", { class: "fl-figure-box" }, el("blockquote", { text, dir: "auto" }), el("ol", { class: "fl-fate" }, ...items));
}
