// The answer for the step of the cursor: a sentence, and what there is to say beside it. Pure: no nodes.

import { int, pluralize } from "../lib/format.js";
import { bounds, whatGoes } from "../run/sections.js";
import { stateAt } from "./states.js";
/** @import { Run, Window } from "../run/model.js" */
/** @import { Fate, Lane, Stretch } from "./types.js" */

/** `how` it went and `lines` stand under the sentence; `lost` is whether no message has it word for word, `leaves` whether that is so at the cursor or later, where it was said; `pin` is the message that the next compaction takes, or -1; `done` is whether it is a request that was answered before it went. @typedef {{gone: string, title: string, how: string, lines: string[], lost: boolean, leaves: boolean, pin: number, done?: boolean}} Answer */

/** How many of the places are looked at: a text in more of them is not about to leave. */
const LOOKED_AT = 64;

/** @param {Run} run @param {Lane} lane @param {number} step @returns {Answer} */
export function answerOf(run, { fate, failed }, step) {
  if (failed) return answer("The question was not answered.", [failed]);
  if (!fate) return answer(`Looking for it in ${pluralize(run.length, "step")}…`, []);
  const stretch = stateAt(fate, step);
  const place = stretch.state === "verbatim" ? standing(run, stretch, step) : null;
  const title = [stretch.title, goesOn(fate, step) ? "" : place?.next].filter(Boolean).join(" ");
  const lost = stretch.state === "gone";
  const leaves = lost || (stretch.state !== "before" && fate.lane.some(({ from, state }) => from > step && state === "gone"));
  return { ...answer(title, [stretch.text, place?.rank ?? ""].filter(Boolean)), how: stretch.how ?? "", lost, leaves, pin: place?.pin ?? -1 };
}

/** Of a request that a reply had come to before it went: that is no loss for which something helps. @param {Answer} answer @returns {Answer} */
export const answeredBefore = (answer) =>
  answer.lost
    ? { ...answer, how: ["A reply had come to this request before it went.", answer.how].filter(Boolean).join(" "), leaves: false, done: true }
    : { ...answer, leaves: false };

/** Whether it is known to leave the messages later: the sentence then says until when. @param {Fate} fate @param {number} step */
const goesOn = ({ lane }, step) => lane.some(({ from, state }) => from > step && state !== "verbatim");

/** @param {string} whole @param {string[]} lines @returns {Answer} */
function answer(whole, lines) {
  const gone = /^Gone\b/.exec(whole)?.[0] ?? "";
  return { gone, title: whole.slice(gone.length), how: "", lines, lost: false, leaves: false, pin: -1 };
}

/**
 * Of a text in the window: whether a compaction that is still to come takes it, and where the newest message that says it stands.
 * @param {Run} run @param {Stretch} stretch @param {number} step
 */
function standing(run, stretch, step) {
  const window = run.window(step);
  const found = stretch.at.slice(-LOOKED_AT).flatMap((pool) => placeIn(window, pool));
  const newest = found[found.length - 1];
  if (!newest || stretch.at.length > LOOKED_AT) return null;
  const goes = found.every(({ region }) => region === "compactable");
  return { next: goes ? nextWords(run, step) : "", rank: rankWords(run, window, newest), pin: goes ? newest.pool : -1 };
}

/** @param {Window} window @param {number} pool */
function placeIn(window, pool) {
  const index = window.indexOf(pool);
  return index < 0 ? [] : [{ pool, index, region: window.regionAt(index) }];
}

/** What a compaction does to a message that may go, where none has happened yet. @param {Run} run @param {number} step */
function nextWords(run, step) {
  const { policy, live } = run.view;
  const [takes, take] = policy?.kind === "clear" ? ["clears", "clear"] : ["takes", "take"];
  if (run.nextCompaction(step) >= 0) return "";
  if (live) return `The next compaction ${takes} it.`;
  return policy ? `A compaction would ${take} it; none follows.` : "";
}

/** "Message 140 is 10th from the end; 8 stay." Told where a number of newest messages stays. @param {Run} run @param {Window} window @param {{pool: number, index: number, region: string}} newest */
function rankWords(run, window, { pool, index, region }) {
  const stay = window.size - window.tail;
  if (!run.view.policy || pool >= run.n || !/^(compactable|recent)$/.test(region) || stay <= 0) return "";
  const [goes] = whatGoes(run, window, bounds(window).summary, window.tail);
  if (region === "recent" && !goes) return "";
  return `Message ${int(pool + 1)} is ${ordinal(window.size - index)} from the end; ${stay === 1 ? "1 stays" : `${int(stay)} stay`}.`;
}

/** 1st, 2nd, 3rd, 4th, 11th. @param {number} n */
export function ordinal(n) {
  const teen = n % 100 > 10 && n % 100 < 14;
  return `${int(n)}${teen ? "th" : (["th", "st", "nd", "rd"][n % 10] ?? "th")}`;
}

/** How many messages say it as they arrive, word for word: "said in 1 message", "said in 26 messages". @param {Fate | null} fate */
export const placesWords = (fate) => (fate?.total ? `said in ${pluralize(fate.total, "message")}` : "");

/** Whose run the answer is about. @param {Run} run */
export function whoseWords(run) {
  if (run.view.live) return "";
  return run.view.kind === "replay" ? "as recorded" : "simulated";
}
