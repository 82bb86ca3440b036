// What the four tiles of a card say: the phases of a compaction, or of an attempt that failed, each with its numbers. Of the first three
// also a sentence to be read aloud. Pure: no nodes.

import { capitalized, int, pluralize } from "../lib/format.js";
import { DONE, figures, tildeBefore, tokensAt } from "./compactionfigures.js";
import { attempted } from "./effect.js";
import { knownBy } from "./hindsight.js";
import { besideUntil } from "./leftout.js";
import { ENDS, failureOf, whyFailed } from "./planning.js";
import { Numbered, common, size } from "./ranges.js";
import { clearedAsSaid, deniedBy, isAhead, shownOf, sidesOf } from "./recordedsums.js";
import { emptiedWord, tilde, tildeAdded } from "./sections.js";
/** @import { Figures } from "./compactionfigures.js" */
/** @import { Deed, Effect } from "./effect.js" */
/** @import { Run } from "./model.js" */
/** @import { Phase, Policy } from "./types.js" */

/** What a tile says, and the same as a sentence. @typedef {{figure: string, spoken: string}} Told */
/** A tile; `crossed` where what it is about failed, and its figure says why. @typedef {{phase: Phase, name: string, crossed?: boolean} & Told} Tile */

/** @param {Run} run @param {number} k @returns {Tile[]} */
export function phases(run, k) {
  const { did, deeds, step, setback, fellBack: failed } = figures(run, k);
  const left = leftWords(run, did);
  const partition = failed ? parted(run, step - 1, attempted(run, step - 1), [kindOf(run)]) : parted(run, step - 1, did, deeds);
  return [
    { phase: 1, name: "trigger", ...trigger(run, k) },
    { phase: 2, name: "partition", ...partition },
    failed ? given(run, whyFailed(setback)) : { phase: 3, name: deeds.map((deed) => DOING[deed]).join(", "), ...exchanged(run, k) },
    spliced(failed ? `${fallback(run, k)} · ${left}` : left),
  ];
}

/** "27 messages: 25 kept + 2 put in", so that each number has its meaning. @param {Run} run @param {Effect} did */
function leftWords(run, { after, added, kept }) {
  const words = pluralize(size(after), "message");
  return run.view.policy || !added.length || !size(kept) ? words : `${words}: ${int(size(kept))} kept + ${int(size(after) - size(kept))} put in`;
}

/** The same of the f-th attempt that failed. @param {Run} run @param {number} f @returns {Tile[]} */
export function phasesOfAttempt(run, f) {
  const step = run.stepOfFailed(f);
  const { counted, epoch } = run.step(step);
  const held = (epoch > 0 ? tildeAdded(run) : tilde(run)) + int(counted);
  return [
    { phase: 1, name: "trigger", ...passed(run.policyAt(step), held, counted) },
    { phase: 2, name: "partition", ...parted(run, step, attempted(run, step), [kindOf(run)]) },
    given(run, failureOf(run, f).why.replace(ENDS, "")),
    spliced("nothing spliced"),
  ];
}

/** What the policy does with what goes. @param {Run} run */
export const kindOf = (run) => run.view.policy?.kind ?? "summarise";

/** The third tile where no summary came of it. @param {Run} run @param {string} why @returns {Tile} */
const given = (run, why) => ({ phase: 3, name: DOING[kindOf(run)], figure: why, crossed: true, spoken: `No summary came of it: ${why}.` });

/** What came of it is told by `splicedSentence`. @param {string} figure @returns {Tile} */
const spliced = (figure) => ({ phase: 4, name: "splice", figure, spoken: "" });

/** "fallback truncation: 12 dropped": what was done in place of a summary. @param {Run} run @param {number} k */
function fallback(run, k) {
  const { did, deeds, tiers } = figures(run, k);
  const deed = /** @type {Deed} */ (deeds.at(-1));
  const count = size(deed === "clear" ? did.emptied : did.taken);
  return `${["fallback", ...tiers].join(" ").replaceAll("_", " ")}: ${int(count)} ${DONE[deed]}`;
}

/** What phase 3 is called, by what was done. */
export const DOING = { clear: "clear", drop: "drop", digest: "convert", opaque: "replace", summarise: "summarize" };

/** "16,258 > 16,000", or "160,000 ≥ 160,000" where a policy acts at the number itself. @param {Policy | null} policy @param {string} held @param {number} counts @param {string} [shown]  of it in the file @returns {Told} */
function passed(policy, held, counts, shown = "") {
  const limit = policy?.limit ?? null;
  if (limit === null || counts <= limit) return { figure: held, spoken: `The window holds ${held} tokens${shown}. The agent makes room.` };
  const ceiling = policy?.ceiling ?? limit;
  return {
    figure: `${held} ${ceiling > limit ? "≥" : ">"} ${int(ceiling)}`,
    spoken: `The window ${counts > ceiling ? "is over the budget" : "has come to its limit"}: ${held} of ${int(ceiling)} tokens${shown}.`,
  };
}

/** What the window held, and the limit where that was passed: of a recorded one the transcript's own number where it has one, or the prompt that denies it. @param {Run} run @param {number} k @returns {Told} */
function trigger(run, k) {
  const made = figures(run, k);
  const { step, before, edit, recordedBefore } = made;
  const prompts = run.view.kind === "replay" && deniedBy(run, made);
  if (prompts) return { figure: `prompt ${int(prompts[0])}`, spoken: `The last prompt held ${int(prompts[0])} tokens. The agent makes room.` };
  const policy = edit ? null : run.policyAt(Math.max(0, step - 1));
  if (run.view.kind === "replay" && recordedBefore >= 0) {
    return { ...passed(policy, int(recordedBefore), recordedBefore, inFile(run, made)), ...ofPrompt(run, made) };
  }
  if (made.unnamed) return { figure: "?", spoken: "The file does not say how full the window was." };
  const counts = step > 0 ? run.step(step - 1).counted : before;
  return passed(policy, tildeBefore(run, k) + int(counts), counts);
}

/** What of the window the file shows, so that the sizes of the next phases add up to it; "" where it shows all. @param {Run} run @param {Figures} made */
function inFile(run, made) {
  const [before] = sidesOf(run, made.k, made);
  return shownOf(before) < 0
    ? ""
    : `, ${besideUntil(run, made.step - 1) ? "at most " : ""}${tildeBefore(run, made.k)}${int(before.visible)} of them in this file`;
}

/** That a size is the last prompt's, where messages came behind that: it is not the window's. @param {Run} run @param {Figures} made */
function ofPrompt(run, made) {
  const [before] = sidesOf(run, made.k, made);
  return isAhead(before) ? { spoken: `The last prompt held ${int(before.recorded)} tokens. The agent makes room.` } : {};
}

/**
 * What is pinned, what goes, what stays at the end: "1 pinned · 56 summarized · 8 recent"; of a recorded one what goes and what
 * stays: "269 summarized · 7 kept", or that the record does not say it: "116 summarized, inferred"; where nothing goes, how many are
 * emptied.
 * @param {Run} run
 * @param {number} step  of the window it found
 * @param {Effect} did
 * @param {Deed[]} deeds
 * @returns {Told}
 */
function parted(run, step, { before, taken, emptied, kept }, deeds) {
  if (!taken.length && !emptied.length && !run.view.policy) {
    const figure = deeds.includes("clear") ? "the file does not say what" : "what it took is not in this file";
    return { figure, spoken: `${capitalized(figure)}${deeds.includes("clear") ? " it clears" : ""}.` };
  }
  if (!taken.length) {
    const of = `${int(size(emptied))} of ${int(size(before))}`;
    return { figure: `${of} cleared`, spoken: `${clearedWords(run, size(emptied), "will be", size(before))}.` };
  }
  const front = run.view.policy ? pinnedOf(run, step, before, taken) : 0;
  const behind = size(kept) + size(emptied) - front;
  const goes = takenSum(run, taken) || `${int(size(taken))} ${DONE[/** @type {Deed} */ (deeds.at(-1))]}`;
  const pinned = front ? [`${int(front)} pinned`] : [];
  const stay = (/** @type {string} */ word) => (behind ? [`${int(behind)}${word}`] : []);
  const inferred = run.view.policy || knownBy(run, run.epochOf(step)) === "recorded" ? "" : ", inferred";
  return {
    figure: [...pinned, goes, ...stay(run.view.policy ? " recent" : " kept")].join(" · ") + inferred,
    spoken: partedSentence(
      goingWords(run, step, taken, front + behind, taken.at(-1)?.[1] === before.at(-1)?.[1]),
      DONE[/** @type {Deed} */ (deeds.at(-1))],
      [...pinned, ...stay(run.view.policy ? " recent" : "")],
      front + behind,
    ),
  };
}

/**
 * "21 older messages", "160 messages and 1 earlier summary"; "All 9 messages" only where the record says that none stays.
 * @param {Run} run @param {number} step  of the window that the compaction found @param {[number, number][]} taken @param {number} staying
 * @param {boolean} newest  whether the newest message goes, too
 */
function goingWords(run, step, taken, staying, newest) {
  const words = takenWords(run, taken);
  if (words.includes("earlier")) return words;
  if (staying) return pluralize(size(taken), newest ? "message" : "older message");
  if (/^(partial|inferred)$/.test(run.view.c.fidelity?.[run.epochOf(step)] ?? "")) return words;
  return size(taken) === 1 ? "The only message" : `All ${words}`;
}

/** How many messages of the session go, and how much that was put in before. @param {Run} run @param {[number, number][]} taken */
function ownAndPut(run, taken) {
  const own = size(common(taken, [[0, run.n]]));
  return [own, size(taken) - own];
}

/** "160 + summary": the same where both go, for a tile, which has no room for what is done to them; else "". @param {Run} run @param {[number, number][]} taken */
function takenSum(run, taken) {
  const [own, put] = ownAndPut(run, taken);
  return own && put ? `${int(own)}\u00a0+\u00a0${put > 1 ? `${int(put)}\u00a0summaries` : "summary"}` : "";
}

/** "160 messages and 1 earlier summary": what was put in before is no message of the session. @param {Run} run @param {[number, number][]} taken */
export function takenWords(run, taken) {
  const [own, put] = ownAndPut(run, taken);
  const earlier = put ? pluralize(put, "earlier summary", "earlier summaries") : "";
  return [own ? pluralize(own, "message") : "", earlier].filter(Boolean).join(" and ");
}

/** "5 results of 20 messages will be cleared in place". @param {Run} run @param {number} count @param {string} verb @param {number} [among]  of so many messages */
function clearedWords(run, count, verb, among = 0) {
  if (run.pool.thinkingOnly) return `The thinking of ${pluralize(count, "reply", "replies")} ${verb.replace("are", "is")} removed`;
  const [word, of] = [emptiedWord(run), among ? ` of ${pluralize(among, "message")}` : ""];
  const what = of && word === "message" ? int(count) : pluralize(count, word);
  return `${what}${of} ${count === 1 ? verb.replace("are", "is") : verb} cleared in place`;
}

/** "21 older messages will be summarized; 1 pinned and 6 recent stay." @param {string} what @param {string} done @param {string[]} stay  who stays @param {number} staying  how many */
function partedSentence(what, done, stay, staying) {
  const rest = stay.length ? `; ${stay.join(" and ")} ${staying === 1 ? "stays" : "stay"}` : "";
  return `${what} will be ${done}${rest}.`;
}

/** How many messages are pinned, in front of what goes or between it. @param {Run} run @param {number} step @param {import("./ranges.js").Range[]} before @param {import("./ranges.js").Range[]} taken */
export function pinnedOf(run, step, before, taken) {
  const places = new Numbered(before);
  const [first, last] = [places.indexOf(taken[0][0]), places.indexOf(taken[taken.length - 1][1] - 1)];
  return first + run.window(step).pinnedIn(first, last);
}

/** The tokens of what went and of what stands for it. @param {Run} run @param {number} k @returns {Told} */
function exchanged(run, k) {
  const all = figures(run, k);
  const { before, after, did, deeds, removedTokens, summaryTokens, added, unreadable, unnamed } = all;
  const was = (/** @type {number} */ tokens) => tildeBefore(run, k) + int(tokens);
  const said = clearedAsSaid(run, all);
  if (said) return lessened(int(said), "saved");
  if (unnamed && !added.length) return { figure: "size unknown", spoken: "The file does not say how much went." };
  if (deeds[0] === "clear" && deeds.length > 1) return lessened(was(before - after), "freed");
  if (deeds[0] === "clear") {
    const left = tokensAt(run, run.steps[k], did.emptied);
    const told = became(was(before - after + left), tildeAdded(run) + int(left));
    return { ...told, spoken: `${clearedWords(run, size(did.emptied), "are")}: ${told.spoken}` };
  }
  if (deeds[0] === "drop" && !added.length) return lessened(was(removedTokens), "removed");
  const gone = did.taken.length || deeds[0] !== "summarise" ? was(removedTokens) : "";
  const made = unreadable ? "" : tildeAdded(run) + int(summaryTokens);
  return deeds.length > 1 || deeds[0] !== "summarise" ? became(gone, made || "size unknown") : summarized(gone, made);
}

/** @param {string} tokens @param {string} done @returns {Told} */
const lessened = (tokens, done) => ({ figure: `${tokens} ${done}`, spoken: `${tokens} tokens are ${done}.` });

/** @param {string} was @param {string} is @returns {Told} */
const became = (was, is) => ({ figure: `${was} → ${is}`, spoken: `${was} tokens become ${is}.` });

/** @param {string} gone  tokens, "" where nobody knows @param {string} made  of the summary, the same @returns {Told} */
function summarized(gone, made) {
  const written = `A summary of ${made ? `${made} tokens` : "unknown size"} is written.`;
  return { figure: `${gone || "?"} → ${made || "size unknown"}`, spoken: gone ? `${written} It stands for ${gone} tokens of messages.` : written };
}
