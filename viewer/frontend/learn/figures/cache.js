// What of each prompt the cache holds, and after how many calls a compaction has paid for itself.

import { el } from "../../lib/dom.js";
import { int, pluralize } from "../../lib/format.js";
/** @import { Lessons } from "../lessons.js" */
/** @import { CacheFigure, CachePart } from "../types.js" */

/** @param {CacheFigure} figure @param {Lessons} lessons */
export function cacheFigure({ bars, pays, follow, mark = "" }, lessons) {
  const node = el("figure", { class: "fl-figure-box" });
  const covered = lessons.covers("figures");
  const quiet = covered || lessons.covers("pays");
  if (bars?.length) node.append(el("ul", { class: "fl-cache" }, ...barsOf(bars, covered, mark)), key());
  if (pays?.length) node.append(el("ul", { class: "fl-pays", "aria-label": "Paid for" }, ...pays.map((pay) => paid(pay, follow ?? null, quiet))));
  if (follow !== null && follow !== undefined)
    node.append(el("figcaption", { text: `${pluralize(follow, "call")} follow${follow === 1 ? "s" : ""}.` }));
  return node;
}

/** @param {NonNullable<CacheFigure["bars"]>} bars @param {boolean} covered  the bar that tells the answer @param {string} mark */
function barsOf(bars, covered, mark) {
  const most = Math.max(1, ...bars.map(({ warm, cold }) => warm + cold));
  return bars.map(({ name, warm, cold, parts: all }, k) => {
    const hidden = covered && k === bars.length - 1;
    const parts = hidden ? [] : all.map((one) => part(one, most));
    const said = hidden ? "covered until you have guessed" : `${mark}${int(warm)} warm, ${mark}${int(cold)} cold`;
    const bar = el("span", { class: "fl-cache-bar", "aria-hidden": "true" }, ...parts);
    return el("li", {}, el("span", { text: name }), el("span", { class: "fl-cache-said", text: said }), bar);
  });
}

/** @param {NonNullable<CacheFigure["pays"]>[number]} pay @param {number | null} follow  the calls that come @param {boolean} covered */
function paid({ name, calls, follow: own }, follow, covered) {
  const come = own ?? follow;
  const done = covered || come === null || calls === null ? null : calls <= come;
  const text = calls === null ? "never" : `after ${pluralize(calls, "call")}`;
  const beside = own === undefined ? "" : `, ${int(own)} follow${own === 1 ? "s" : ""}`;
  return el(
    "li",
    { "data-passed": done === null ? null : String(done) },
    el("span", { text: name }),
    el("b", { text: covered ? "?" : text + beside }),
  );
}

const key = () =>
  el(
    "span",
    { class: "fl-key" },
    el("span", {}, el("i", { class: "fl-cache-warm" }), "whole: warm, in the cache, cheap"),
    el("span", {}, el("i", { class: "fl-cache-cold" }), "striped: cold, new, full price"),
  );

/** Of a window: in the color of its region. @param {CachePart} part @param {number} most */
function part({ region, tokens, warm }, most) {
  const node = el("i", { class: warm ? "fl-cache-warm" : "fl-cache-cold", "data-region": region });
  node.style.width = `${(100 * tokens) / most}%`;
  return node;
}
