// A policy's rule as two strips of bars: a small conversation before and after. The engine worked it out.
import { el } from "../lib/dom.js";
import { int, pluralize } from "../lib/format.js";
import { bars, legend } from "./picking.js";

const LOWEST = 4;
const TALLEST = 40; // pixels

/**
 * The picture with its legend and its caption; where the policy does nothing, the caption alone.
 * @param {import("./picking.js").Picture} picture
 * @param {[string, number][]} demo
 */
export function drawing(picture, demo) {
  const caption = el("figcaption", { text: picture.caption });
  if (!picture.after.length) return el("figure", { class: "fl-mini" }, caption);
  const { before, after } = bars(picture, demo);
  const tallest = Math.max(...before.map((bar) => bar.tokens), ...after.map((bar) => bar.tokens), 1);
  const strips = [strip("before", before, before.length, tallest), strip("after", after, before.length, tallest)];
  const key = el("div", { class: "fl-mini-key" }, ...legend([...before, ...after]).map(([kind, text]) => swatch(kind, text)));
  return el("figure", { class: "fl-mini" }, ...strips, key, caption);
}

/**
 * @param {string} name
 * @param {ReturnType<typeof bars>["before"]} shown
 * @param {number} places  how many bars are as wide as the strip
 * @param {number} tallest
 */
function strip(name, shown, places, tallest) {
  const total = shown.reduce((sum, bar) => sum + bar.tokens, 0);
  const said = `${name}: ${pluralize(shown.length, "message")}, ${int(total)} tokens`;
  const row = el("div", { class: "fl-mini-strip", role: "img", "aria-label": said }, ...shown.map((bar) => barOf(bar, tallest)));
  row.style.setProperty("--places", String(places));
  return el("div", { class: "fl-mini-row" }, el("span", { class: "fl-mini-name", text: said }), row);
}

/** @param {{kind: string, role: string, tokens: number, turn: boolean}} bar @param {number} tallest */
function barOf({ kind, role, tokens, turn }, tallest) {
  const node = el("i", { class: `fl-mini-${kind}`, "data-turn": turn, title: `${role}, ${int(tokens)} tokens: ${kind}` });
  node.style.height = `${Math.round(LOWEST + (TALLEST - LOWEST) * Math.sqrt(tokens / tallest))}px`;
  return node;
}

/** @param {string} kind @param {string} text */
function swatch(kind, text) {
  return el("span", {}, el("i", { class: `fl-mini-${kind}` }), text);
}
