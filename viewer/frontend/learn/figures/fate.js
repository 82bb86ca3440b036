// A text through the compactions: a thread that goes on as long as it is held, and is cut where it is not.

import { el } from "../../lib/dom.js";
/** @import { FateFigure } from "../types.js" */

/** How the window has a text, in an answer to the question above the rows; the others say it themselves. @type {Record<string, string>} */
const ANSWERS = { held: "yes", gone: "no", asked: "?" };

/** Rows that a room can read: of more, those that say the same become one. */
const MANY = 7;

/** @param {FateFigure} figure @param {boolean} covered  what becomes of it */
export function fateFigure({ text, marks }, covered) {
  if (covered) return boxed(text, ...rowsCovered(marks));
  const lost = marks.findIndex((mark) => mark.is === "gone");
  const said = marks.map(({ name, is }, k) => {
    if (is === "asked") return { state: "covered", name, word: ANSWERS.asked };
    if (k === lost) return { state: "lost", name, word: "no: lost here" };
    return { state: is === "held" || is === "gone" ? is : "reworded", name, word: ANSWERS[is] ?? is };
  });
  const shown = said.length > MANY ? together(said) : said;
  return boxed(text, ...shown.map(({ state, name, word }) => row(state, name, word)));
}

/** @typedef {{state: string, name: string, word: string}} Said */

/** Compactions in a row that say the same are one row, with the end where that says it, too. @param {Said[]} said */
function together(said) {
  /** @type {Said[][]} */ const groups = [];
  for (const one of said.slice(1)) {
    const group = groups.at(-1);
    if (group?.[0].word === one.word) group.push(one);
    else groups.push([one]);
  }
  return [said[0], ...groups.map((group) => ({ ...group[0], name: allOf(group.map(({ name }) => name)) }))];
}

/** "after compactions 4 to 7, and at the end". @param {string[]} names */
function allOf(names) {
  const numbers = names.flatMap((name) => name.match(/\d+$/) ?? []);
  if (numbers.length < 2) return names.join(", and ");
  const others = names.slice(numbers.length);
  const which = `${numbers[0]} ${numbers.length > 2 ? "to" : "and"} ${numbers.at(-1)}`;
  return [`after compactions ${which}`, ...others].join(", and ");
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
