// The tokens around a recorded compaction in rows that add up: as recorded = in the file + not in the file + what came in between.

import { el, visible as written } from "../lib/dom.js";
import { int } from "../lib/format.js";
import { explained } from "../lib/tooltip.js";
import { changeWords, tildeAfter, tildeBefore } from "../run/compactionfigures.js";
import { betweenWords, deniedBy, growthOfUnseen, sidesOf, sourceWords, sumNotes } from "../run/recordedsums.js";
import { header } from "../run/sections.js";
/** @import { Run } from "../run/model.js" */
/** @import { Figures } from "../run/compactionfigures.js" */
/** @import { Origins, Side } from "../run/recordedsums.js" */

/** A row: its numbers, what they are in a word, and in more words where there is room. @typedef {{name: string, before: Node | string, after: Node | string, words: (Node | string)[], title: string}} Numbers */
/** A number that comes with the new window while the compaction is told. @typedef {(to: number, mark: string) => Node} Total */

/** The rows, and what they do not say. @param {Run} run @param {number} k @param {Figures} figures @param {Total} total @param {Origins} origins */
export function recordedNumbers(run, k, figures, total, origins) {
  const sides = sidesOf(run, k, figures);
  const prompts = deniedBy(run, figures);
  const record = prompts ? [aroundIt(prompts, total), claimed(figures, prompts)] : [recorded(figures, total, origins)];
  const rows = [...record, visible(run, k, figures, total), unseen(run, k, figures, sides, total), between(sides, total)];
  const node = el("div", { class: "fl-numbers fl-sums" }, ...rows.flatMap((row) => (row ? [drawn(row)] : [])));
  return { node, notes: sumNotes(sides) };
}

/** The prompts around a compaction that did not make them smaller. @param {[number, number]} prompts @param {Total} total @returns {Numbers} */
function aroundIt([before, after], total) {
  const title = `The recorded prompts of the model calls before and after it. They ${after < before ? `shrank by ${int(before - after)}` : "did not shrink"}.`;
  return { name: "fl-recorded", before: int(before), after: total(after, ""), words: ["the prompts around it"], title };
}

/** What the record says all the same. @param {Figures} figures @param {[number, number]} prompts @returns {Numbers} */
function claimed({ recordedBefore: before, recordedAfter: after }, prompts) {
  const seen = prompts[1] < prompts[0] ? "They do not count the whole window." : "The prompts around it do not show that anything went.";
  const title = `The agent's own numbers for it. ${seen}`;
  return { name: "fl-rest", before: int(before), after: int(after), words: ["by the agent's own count"], title };
}

/** @param {Numbers} row */
function drawn({ name, before, after, words, title }) {
  const arrow = el("span", { class: "fl-arrow", text: "→" });
  const said = explained(el("span", { class: "fl-named" }, ...words), title);
  return el("div", { class: name }, el("b", { class: "fl-before" }, before), arrow, el("b", {}, after), said);
}

/** A number of the record; -1 for one that is not known. @param {number} tokens */
const known = (tokens) => (tokens < 0 ? "?" : int(tokens));

/** @param {Figures} figures @param {Total} total @param {Origins} from @returns {Numbers} */
function recorded({ recordedBefore: before, recordedAfter: after }, total, from) {
  const freed = before >= 0 && after >= 0 ? [change(before, after), " "] : [];
  const title = ["What the transcript records of the whole window.", written(from.text).replaceAll("`", "")].filter(Boolean).join(" ");
  const sources = sourceWords(from);
  const words = [...freed, "recorded", ...(sources ? [el("span", { class: "fl-roomy", text: `: ${sources}` })] : [])];
  return { name: "fl-recorded", before: known(before), after: total(after, ""), words, title };
}

/** The messages of the transcript, by the meter; none where they are all there was. @param {Run} run @param {number} k @param {Figures} figures @param {Total} total @returns {Numbers | null} */
function visible(run, k, { before, after, recordedBefore, recordedAfter }, total) {
  if (before === recordedBefore && after === recordedAfter) return null;
  const [was, is] = [tildeBefore(run, k), tildeAfter(run, k)];
  const { meter } = header(run);
  const words = ["in this file", el("span", { class: "fl-roomy", text: `, by ${meter}` })];
  const title = `The messages in this file, ${is || was ? "estimated" : "counted"} by ${meter}`;
  return { name: "fl-seen", before: was + int(before), after: total(after, is), words, title };
}

const UNSEEN =
  "Tokens that this file does not show: the system prompt, tools, what the agent added. It is what the last recorded prompt before, and the first one after, held beyond these messages.";

/** So many more tokens hidden after a compaction are no slip of the meter. */
const LARGE = 5000;

/** What the prompts held beyond the messages; none where that is not known. @param {Run} run @param {number} k @param {Figures} figures @param {[Side, Side]} sides @param {Total} total @returns {Numbers | null} */
function unseen(run, k, { unreadable }, [before, after], total) {
  if (!before.unseen && !after.unseen) return null;
  const was = before.unseen === null ? "?" : tildeBefore(run, k) + int(before.unseen);
  const is = total(after.unseen ?? -1, tildeAfter(run, k));
  const again = growthOfUnseen([before, after]) > LARGE ? "perhaps files again" : "system prompt";
  const holds = `: ${unreadable ? "summary" : again}, …`;
  const title = unreadable ? `${UNSEEN} Nobody can read the summary, so it is in the second number, too.` : UNSEEN;
  return { name: "fl-rest", before: was, after: is, words: ["not in this file", el("span", { class: "fl-roomy", text: holds })], title };
}

/** With what the rows add up to what the record says; none where they do without. @param {[Side, Side]} sides @param {Total} total @returns {Numbers | null} */
function between(sides, total) {
  const difference = betweenWords(sides);
  if (!difference) return null;
  const [before, after] = sides.map(({ rest }) => rest);
  const words = [difference.words, el("span", { class: "fl-roomy", text: difference.more })];
  const was = before === null ? "?" : sign(before) + int(Math.abs(before));
  const is = after === null ? total(-1, "") : total(Math.abs(after), sign(after));
  return { name: "fl-rest", before: was, after: is, words, title: difference.title };
}

/** @param {number} tokens */
const sign = (tokens) => (tokens < 0 ? "−" : tokens > 0 ? "+" : "");

/** How much smaller, or larger, the window became: tokens where there is room, and the share. @param {number} before @param {number} after */
export function change(before, after) {
  const name = after < before ? "fl-freed" : after > before ? "fl-freed fl-over" : "fl-named";
  const [tokens, share] = changeWords(before, after).split(" · ");
  return el("span", { class: name }, ...(share ? [el("span", { class: "fl-roomy", text: `${tokens} · ` }), share] : [tokens]));
}
