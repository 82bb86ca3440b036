// What a lane says: where its text is at a step, and what a screen reader hears. Pure: no nodes.

import { capitalized, cutWords, int, pluralize } from "../lib/format.js";
import { visible } from "../lib/dom.js";
import { spanName, stepName } from "../run/places.js";
import { ADDED } from "../run/pool.js";
import { placesWords } from "./answer.js";
import { howReworded, lookAt, stateAt } from "./states.js";
/** @import { Run } from "../run/model.js" */
/** @import { Fate, Lane } from "./types.js" */
/** @import { Piece } from "./states.js" */

/** How much of a text is its name where it is heard. */
const HEARD = 60;

/** What a region is called behind "in the window". */
const REGIONS = { system: "pinned", recent: "recent", compactable: "compactable", cleared: "shortened", message: "" };

/** Whether nothing in the file says it. @param {Fate} fate */
export const isNever = (fate) => fate.lane.every(({ state }) => state === "before");

/**
 * Where the text is at a step, in a few words.
 * @param {Run} run
 * @param {Lane} lane
 * @param {number} step
 * @returns {{text: string, gone: boolean}}
 */
export function stateWords(run, { fate, failed }, step) {
  if (failed) return { text: failed, gone: true };
  if (!fate) return { text: "Looking…", gone: false };
  if (fate.common) return { text: placesWords(fate), gone: false };
  if (isNever(fate)) return { text: "never in this file", gone: false };
  return at(run, fate, step);
}

/** The answer at a step, in sentences. @param {Run} run @param {Lane} lane @param {number} step */
export function answerWords(run, lane, step) {
  const { title = "", text = "" } = lane.fate ? stateAt(lane.fate, step) : {};
  return [title || `${stateWords(run, lane, step).text}.`, text].filter(Boolean).join(" ");
}

/** @param {Run} run @param {Fate} fate @param {number} step */
function at(run, fate, step) {
  const stretch = stateAt(fate, step);
  if (stretch.reworded) return { text: `${howReworded(stretch)} in ${summaries(run, stretch.reworded)}`, gone: false };
  if (stretch.state === "gone") return { text: `not in the window, gone since ${stepName(run, stretch.from)}`, gone: true };
  if (stretch.state === "before") return { text: "not said yet", gone: false };
  if (stretch.state === "summary") return { text: `only in ${summaries(run, stretch.at)}`, gone: false };
  if (stretch.at.length > 1) return { text: `in the window, in ${holders(run, fate, stretch.at)}`, gone: false };
  return { text: inWindow(lookAt(run, fate, step)), gone: false };
}

/** @param {string} look */
function inWindow(look) {
  const region = /** @type {Record<string, string>} */ (REGIONS)[look];
  return `in the window${region ? `, ${region}` : ""}`;
}

/** What in the window says it: "its message and in summary #2", "2 messages". @param {Run} run @param {Fate} fate @param {number[]} pools */
function holders(run, fate, pools) {
  const told = pools.filter((pool) => isSummary(run.pool.row(pool)));
  const messages = pools.filter((pool) => !told.includes(pool));
  const its = fate.total === 1 && messages.length === 1 && run.pool.originOf(messages[0]) === fate.places[0];
  const said = its ? "its message" : pluralize(messages.length, "message");
  return told.length ? `${said} and in ${summaries(run, told)}` : said;
}

/** Whether a compaction of this run wrote it. @param {{added: boolean, injected: string}} row */
const isSummary = ({ added, injected }) => added && injected === "summary";

/** "summary #1", "summaries #1 and #2". @param {Run} run @param {number[]} pools */
function summaries(run, pools) {
  const typed = pools.find((pool) => pool < ADDED);
  if (typed !== undefined) return `message ${int(typed + 1)}`;
  const labels = [...new Set(pools.map((pool) => run.pool.row(pool).label))].filter((label) => label.startsWith("summary "));
  const numbers = labels.map((label) => label.slice("summary ".length));
  if (!numbers.length) return "a summary";
  if (numbers.length === 1) return labels[0];
  return `summaries ${numbers.slice(0, -1).join(", ")} and ${numbers[numbers.length - 1]}`;
}

/** What a piece of the bar means: "Compaction 1 to message 132: only in a summary". @param {Run} run @param {Piece} piece */
export function pieceWords(run, { from, to, look }) {
  const said = { before: "not said yet", gone: "nowhere in the window", summary: "only in a summary", reworded: "in other words, or in part" };
  return `${capitalized(spanName(run, from, to))}: ${/** @type {Record<string, string>} */ (said)[look] ?? inWindow(look)}`;
}

/** "Lane 1 of 2, No new dependency…". @param {string} text @param {number} i @param {number} count */
export function laneName(text, i, count) {
  const said = visible(text);
  return `Lane ${i + 1} of ${count}, ${cutWords(said, HEARD)}`;
}

/** Whether a text is code, as far as its characters tell. @param {string} text */
export const isCode = (text) => /[{}()[\]=;<>\\/_|]/.test(text) && !SENTENCE.test(text);

/** Plain words behind each other. */
const SENTENCE = /(?:\p{L}[\p{L}'’-]*[,.:;!?]? ){5}/u;
