// What every setting of the task would have left: a bar each, with the limit.

import { el } from "../../lib/dom.js";
import { int } from "../../lib/format.js";
/** @import { StripFigure } from "../types.js" */

const WORDS = { passes: "passes", cuts: "parts a pair", over: "over budget", none: "no compaction" };

/** @param {StripFigure} figure @param {number} now  the setting that is tried */
export function stripFigure({ name, limit, rows }, now) {
  const most = Math.max(limit, ...rows.map(({ tokens }) => tokens)) * 1.05;
  const bars = rows.map(({ value, tokens, summary, state }) => {
    const part = el("i", { class: "fl-strip-summary", hidden: !summary });
    part.style.height = `${(100 * summary) / Math.max(1, tokens)}%`;
    const bar = el("span", { class: "fl-strip-bar", "data-state": state }, el("b", { text: int(tokens) }), part);
    bar.style.height = `${(100 * tokens) / most}%`;
    const written = state === "none" ? "" : ` ${int(summary)} of them summary,`;
    const said = el("span", { class: "fl-said", text: `: ${int(tokens)} tokens,${written} ${WORDS[state]}` });
    return el(
      "li",
      { "data-now": value === now ? "true" : null },
      el("span", { class: "fl-strip-well", "aria-hidden": "true" }, bar),
      el("span", { class: "fl-strip-value", text: String(value) }),
      said,
    );
  });
  const line = el("span", { class: "fl-strip-limit", "aria-hidden": "true" });
  line.style.bottom = `calc(20px + ${limit / most} * (100% - 20px))`;
  const states = [...new Set(rows.map(({ state }) => state))];
  const keys = [
    el("span", {}, el("i", { class: "fl-strip-summary" }), "its summary"),
    ...states.map((state) => el("span", {}, el("i", { "data-state": state }), WORDS[state])),
  ];
  return el(
    "figure",
    { class: "fl-figure-box" },
    el("div", { class: "fl-strip" }, el("ol", {}, ...bars), line),
    el("figcaption", {}, `Tokens after, for each ${name}; the line is ${int(limit)}. `, el("span", { class: "fl-key" }, ...keys)),
  );
}
