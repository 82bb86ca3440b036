// The tokens around a recorded compaction in three rows that add up: as recorded, what of them is in the transcript, the rest.

import { el } from "../lib/dom.js";
import { int } from "../lib/format.js";
import { changeWords, tildeAfter, tildeBefore } from "../run/compactionfigures.js";
import { header } from "../run/sections.js";
/** @import { Run } from "../run/model.js" */
/** @import { Figures } from "../run/compactionfigures.js" */

/** A row: its numbers, what they are in a word, and in more words where there is room. @typedef {{name: string, before: Node | string, after: Node | string, words: (Node | string)[], title: string}} Numbers */

/**
 * @param {Run} run @param {number} k @param {Figures} figures
 * @param {(from: number, to: number, mark: string) => Node} total  a number that runs while the compaction is told
 */
export function recordedNumbers(run, k, figures, total) {
  const rows = [recorded(figures, total), visible(run, k, figures, total), unseen(run, k, figures, total)];
  return el("div", { class: "fl-numbers fl-sums" }, ...rows.flatMap((row) => (row ? [drawn(row)] : [])));
}

/** @param {Numbers} row */
function drawn({ name, before, after, words, title }) {
  const arrow = el("span", { class: "fl-arrow", text: "→" });
  return el(
    "div",
    { class: name },
    el("b", { class: "fl-before" }, before),
    arrow,
    el("b", {}, after),
    el("span", { class: "fl-named", title }, ...words),
  );
}

/** A number of the record; -1 for one that is not known. @param {number} tokens */
const known = (tokens) => (tokens < 0 ? "?" : int(tokens));

/** @param {Figures} figures @param {(from: number, to: number, mark: string) => Node} total @returns {Numbers} */
function recorded({ recordedBefore: before, recordedAfter: after }, total) {
  const freed = before >= 0 && after >= 0 ? [change(before, after), " "] : [];
  const title = "What the transcript records of the whole window";
  return { name: "fl-recorded", before: known(before), after: total(before, after, ""), words: [...freed, "recorded"], title };
}

/** The messages of the transcript, by the meter; none where they are all there was. @param {Run} run @param {number} k @param {Figures} figures @param {(from: number, to: number, mark: string) => Node} total @returns {Numbers | null} */
function visible(run, k, { before, after, recordedBefore, recordedAfter }, total) {
  if (before === recordedBefore && after === recordedAfter) return null;
  const [was, is] = [tildeBefore(run, k), tildeAfter(run, k)];
  const { meter } = header(run);
  const by = `${is || was ? "estimated" : "counted"} by ${meter}`;
  const words = ["visible", el("span", { class: "fl-roomy", text: ` in this transcript, by ${meter}` })];
  return { name: "fl-seen", before: was + int(before), after: total(before, after, is), words, title: `Messages in this transcript, ${by}` };
}

/** What is left of the record; none where that is less than nothing. @param {Run} run @param {number} k @param {Figures} figures @param {(from: number, to: number, mark: string) => Node} total @returns {Numbers | null} */
function unseen(run, k, { before, after, recordedBefore, recordedAfter }, total) {
  const rest = [recordedBefore < 0 ? -1 : recordedBefore - before, recordedAfter < 0 ? -1 : recordedAfter - after];
  const less = (recordedBefore >= 0 && rest[0] < 0) || (recordedAfter >= 0 && rest[1] < 0);
  if (less || !rest.some((tokens) => tokens > 0)) return null;
  const was = rest[0] < 0 ? "?" : tildeBefore(run, k) + int(rest[0]);
  const is = total(rest[0], rest[1], tildeAfter(run, k));
  const title = "What the window held beyond them: system prompt, tools, what the agent added";
  return { name: "fl-rest", before: was, after: is, words: ["unseen", el("span", { class: "fl-roomy", text: ": system prompt, tools, …" })], title };
}

/** How much smaller, or larger, the window became: tokens where there is room, and the share. @param {number} before @param {number} after */
export function change(before, after) {
  const name = after < before ? "fl-freed" : after > before ? "fl-freed fl-over" : "fl-named";
  const [tokens, share] = changeWords(before, after).split(" · ");
  return el("span", { class: name }, ...(share ? [el("span", { class: "fl-roomy", text: `${tokens} · ` }), share] : [tokens]));
}
