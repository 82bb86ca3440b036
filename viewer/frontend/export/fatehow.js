// What a compaction did to the text of which nothing is left, in a sentence or two. Pure; core/origins/mechanism.py has the words.
import { capitalized, int, pluralize } from "../lib/format.js";
import { upperBound } from "../run/bisect.js";
import { nameOf } from "../run/compactionfigures.js";
import { effect } from "../run/effect.js";
import { ADDED, SPACE } from "../run/pool.js";
import { summaryName } from "./fateevents.js";
import { before } from "./textlane.js";
/** @import { Range } from "../run/ranges.js" */
/** @import { Run } from "../run/model.js" */
/** @import { Lane } from "./textlane.js" */

/** @param {number} place */
const isAdded = (place) => place >= ADDED && place < SPACE;

/** How many of these are messages of the session. @param {Range[]} ranges */
const messages = (ranges) => ranges.reduce((sum, [a, b]) => sum + (isAdded(a) ? 0 : b - a), 0);

/** What the compaction at the first step of a stretch took; "" where none did, or a person. @param {Lane} lane @param {number} from */
export function howGone(lane, from) {
  const { run } = lane;
  const k = run.epochOf(from) - 1;
  if (k < 0 || run.steps[k] !== from || run.view.c.edit?.[k]) return "";
  const places = before(lane, k);
  if (!places.length) return "";
  if (run.view.c.fidelity?.[k] === "inferred")
    return "A later prompt is smaller, so it seems to have left the window here. The transcript does not say why.";
  const said = places.filter((place) => place < ADDED);
  const place = said.length ? Math.max(...said) : places[places.length - 1];
  return isAdded(place) ? ofSummary(lane, k, place) : ofMessage(lane, k, run.pool.originOf(place), places.length > 1);
}

/** @param {Lane} lane @param {number} k @param {number} message @param {boolean} last */
function ofMessage({ run, unread }, k, message, last) {
  const { taken, emptied, short } = effect(run, k);
  const where = `It was ${last ? "last " : ""}in message ${int(message + 1)}`;
  const has = (/** @type {Range[]} */ ranges) => ranges.some(([a, b]) => a <= message && message < b);
  if (has(emptied)) return `${where}, whose text ${nameOf(run, k)} ${has(short) ? "cut short" : "emptied"}.`;
  const count = messages(taken);
  return `${where}, ${count > 1 ? `one of the ${int(count)} messages that` : "which"} ${nameOf(run, k)} ${deed(run, k, unread.has(k))}.`;
}

/** @param {Run} run @param {number} k @param {boolean} unread */
function deed(run, k, unread) {
  if (!summarizes(run, k)) return "removed without a summary";
  return unread ? "replaced by a summary that nobody can read" : "replaced by its summary, which does not say it";
}

/** Of what only a summary still said. @param {Lane} lane @param {number} k @param {number} place */
function ofSummary({ run, unread }, k, place) {
  const old = summaryName(run, upperBound(run.firstAdded, place - ADDED) - 1);
  const only = `Until then only ${old} said it. ${capitalized(nameOf(run, k))}`;
  if (!summarizes(run, k)) return `${only} removed that summary.`;
  const others = messages(effect(run, k).taken);
  const of = others ? `from ${old} and ${pluralize(others, "message")}` : `from ${old}`;
  return `${only} wrote ${summaryName(run, k)} ${of}${unread.has(k) ? "" : ", and left it out"}.`;
}

/** @param {Run} run @param {number} k */
const summarizes = (run, k) => run.view.c.added[k].some(([, injected]) => injected === "summary");
