// What the four tiles of a card say: the phases of a compaction, or of an attempt that failed, each with its numbers. Pure: no nodes.

import { int, pluralize } from "../lib/format.js";
import { DONE, figures, tildeBefore, tokensAt } from "./compactionfigures.js";
import { attempted } from "./effect.js";
import { ENDS, failureOf, whyFailed } from "./planning.js";
import { Numbered, size } from "./ranges.js";
import { deniedBy } from "./recordedsums.js";
import { tilde, tildeAdded } from "./sections.js";
/** @import { Deed, Effect } from "./effect.js" */
/** @import { Run } from "./model.js" */
/** @import { Phase, Policy } from "./types.js" */

/** A tile; `crossed` where what it is about failed, and its figure says why. @typedef {{phase: Phase, name: string, figure: string, crossed?: boolean}} Tile */

/** @param {Run} run @param {number} k @returns {Tile[]} */
export function phases(run, k) {
  const { did, deeds, step, setback, fellBack: failed } = figures(run, k);
  const left = pluralize(size(did.after), "message");
  const partition = failed ? parted(run, step - 1, attempted(run, step - 1), [kindOf(run)]) : parted(run, step - 1, did, deeds);
  return [
    { phase: 1, name: "trigger", figure: trigger(run, k) },
    { phase: 2, name: "partition", figure: partition },
    failed ? given(run, whyFailed(setback)) : { phase: 3, name: deeds.map((deed) => DOING[deed]).join(", "), figure: exchanged(run, k) },
    spliced(failed ? `${fallback(run, k)} · ${left}` : left),
  ];
}

/** The same of the f-th attempt that failed. @param {Run} run @param {number} f @returns {Tile[]} */
export function phasesOfAttempt(run, f) {
  const step = run.stepOfFailed(f);
  const { counted, epoch } = run.step(step);
  const held = (epoch > 0 ? tildeAdded(run) : tilde(run)) + int(counted);
  return [
    { phase: 1, name: "trigger", figure: passed(run.policyAt(step), held, counted) },
    { phase: 2, name: "partition", figure: parted(run, step, attempted(run, step), [kindOf(run)]) },
    given(run, failureOf(run, f).why.replace(ENDS, "")),
    spliced("nothing spliced"),
  ];
}

/** What the policy does with what goes. @param {Run} run */
const kindOf = (run) => run.view.policy?.kind ?? "summarise";

/** The third tile where no summary came of it. @param {Run} run @param {string} why @returns {Tile} */
const given = (run, why) => ({ phase: 3, name: DOING[kindOf(run)], figure: why, crossed: true });

/** @param {string} figure @returns {Tile} */
const spliced = (figure) => ({ phase: 4, name: "splice", figure });

/** "fallback truncation: 12 dropped": what was done in place of a summary. @param {Run} run @param {number} k */
function fallback(run, k) {
  const { did, deeds, tiers } = figures(run, k);
  const deed = /** @type {Deed} */ (deeds.at(-1));
  const count = size(deed === "clear" ? did.emptied : did.taken);
  return `${["fallback", ...tiers].join(" ").replaceAll("_", " ")}: ${int(count)} ${DONE[deed]}`;
}

/** What phase 3 is called, by what was done. */
const DOING = { clear: "clear", drop: "drop", digest: "convert", opaque: "replace", summarise: "summarize" };

/** "16,258 > 16,000", or "160,000 ≥ 160,000" where a policy acts at the number itself. @param {Policy | null} policy @param {string} held @param {number} counts */
function passed(policy, held, counts) {
  const limit = policy?.limit ?? null;
  if (limit === null || counts <= limit) return held;
  const ceiling = policy?.ceiling ?? limit;
  return `${held} ${ceiling > limit ? "≥" : ">"} ${int(ceiling)}`;
}

/** What the window held, and the limit where that was passed: of a recorded one the transcript's own number where it has one, or the prompt that denies it. @param {Run} run @param {number} k */
function trigger(run, k) {
  const made = figures(run, k);
  const { step, before, edit, recordedBefore } = made;
  const prompts = run.view.kind === "replay" && deniedBy(run, made);
  if (prompts) return int(prompts[0]);
  const policy = edit ? null : run.policyAt(Math.max(0, step - 1));
  if (run.view.kind === "replay" && recordedBefore >= 0) return passed(policy, int(recordedBefore), recordedBefore);
  if (made.unnamed) return "?";
  const counts = step > 0 ? run.step(step - 1).counted : before;
  return passed(policy, tildeBefore(run, k) + int(counts), counts);
}

/**
 * What is pinned, what goes, what stays at the end: "1 pinned · 56 summarized · 8 recent"; of a recorded one what goes and what
 * stays: "269 summarized · 7 kept"; where nothing goes, how many are emptied.
 * @param {Run} run
 * @param {number} step  of the window it found
 * @param {Effect} did
 * @param {Deed[]} deeds
 */
function parted(run, step, { before, taken, emptied, kept }, deeds) {
  if (!taken.length && !emptied.length && !run.view.policy) return `what it ${deeds.includes("clear") ? "cleared" : "took"} is not in this file`;
  if (!taken.length) return `${int(size(emptied))} of ${int(size(before))} cleared`;
  const stays = size(kept) + size(emptied);
  const front = run.view.policy ? pinnedOf(run, step, before, taken) : 0;
  /** @type {[number, string][]} */ const parts = [
    [front, "pinned"],
    [size(taken), DONE[/** @type {Deed} */ (deeds.at(-1))]],
    [stays - front, run.view.policy ? "recent" : "kept"],
  ];
  return parts.flatMap(([count, word]) => (count ? [`${int(count)} ${word}`] : [])).join(" · ");
}

/** How many messages are pinned, in front of what goes or between it. @param {Run} run @param {number} step @param {import("./ranges.js").Range[]} before @param {import("./ranges.js").Range[]} taken */
function pinnedOf(run, step, before, taken) {
  const places = new Numbered(before);
  const [first, last] = [places.indexOf(taken[0][0]), places.indexOf(taken[taken.length - 1][1] - 1)];
  return first + run.window(step).pinnedIn(first, last);
}

/** The tokens of what went and of what stands for it. @param {Run} run @param {number} k */
function exchanged(run, k) {
  const { before, after, did, deeds, removedTokens, summaryTokens, added, unreadable, unnamed } = figures(run, k);
  const was = (/** @type {number} */ tokens) => (did.taken.length || deeds[0] !== "summarise" ? tildeBefore(run, k) + int(tokens) : "?");
  const is = (/** @type {number} */ tokens) => (unreadable ? "size unknown" : tildeAdded(run) + int(tokens));
  if (unnamed && !added.length) return "size unknown";
  const clears = deeds[0] === "clear";
  if (!clears) return deeds[0] === "drop" && !added.length ? `${was(removedTokens)} removed` : `${was(removedTokens)} → ${is(summaryTokens)}`;
  if (deeds.length > 1) return `${was(before - after)} freed`;
  const left = tokensAt(run, run.steps[k], did.emptied);
  return `${was(before - after + left)} → ${is(left)}`;
}
