// A compaction's card in words: what it did, why it fired, how far its record can be trusted. Pure: no nodes.

import { capitalized, int, lasting, pluralize } from "../lib/format.js";
import { acting, ENDS, failureOf, isMore, whyFailed } from "./planning.js";
import { size } from "./ranges.js";
/** @import { Run } from "./model.js" */
/** @import { Policy } from "./types.js" */
/** @import { Figures } from "./compactionfigures.js" */
/** @import { CompactionCard } from "./types.js" */

/** How far the record of a compaction can be trusted, in a sentence. @type {Record<string, string>} */
export const RECORD = {
  exact: "Exact: the transcript records what this compaction removed and kept, and the summary it wrote.",
  inferred: "Inferred: the transcript records no compaction here. foldline worked it out from what later model calls were sent.",
};

/** What a record that tells this much leaves open, in a sentence; "" of a compaction that nothing records. @param {Pick<CompactionCard, "fidelity" | "summary" | "unreadable"> | null} card */
export const recordWords = (card) => (card?.fidelity === "partial" ? `Partial: ${missingWords(card)}` : (RECORD[card?.fidelity ?? ""] ?? ""));

/** Of a record in part: whether the text of the summary is missing, or what the compaction did with the messages. @param {Pick<CompactionCard, "summary" | "unreadable">} card */
function missingWords({ summary, unreadable }) {
  const recorded = "the transcript records this compaction";
  if (unreadable) return `${recorded}, but no readable text of its summary.`;
  if (summary) return `${recorded} and its summary, but may not say of every message whether it was kept.`;
  return `${recorded}, but may not say of every message what became of it.`;
}

/** Why nobody can read a summary, in a sentence. @type {Record<string, string>} */
export const SEALED = {
  encrypted: "Nobody can read this summary: the transcript holds it encrypted, and only the provider has the key.",
  "not recorded": "The transcript does not hold the text of this summary.",
};

/** Of what was kept, where nobody knows. */
export const UNNAMED = "The record names no message that was kept.";

export const NONE = { removed: "Nothing was removed.", cleared: "The file does not say what was cleared.", kept: "Nothing was kept." };

/**
 * Remarks on what is peculiar to a compaction.
 * @param {Policy | null} policy
 * @param {Figures} figures
 * @param {CompactionCard | null} card what the server knows; null until it answers
 * @returns {string[]}
 */
export function remarks(policy, { tiers, did, deeds, setback, fellBack }, card) {
  const acted = card?.tiers ?? tiers ?? [];
  const unread = card?.unread ?? 0;
  const gone = size(did.taken);
  return [
    setback && `${fellBack ? "No summary was written" : "First attempt"}: ${whyFailed(setback)}.`,
    acted.length ? `${acted.length > 1 ? "Stages" : "Stage"}: ${acted.join(", then ")}.` : "",
    unread ? `The summarizer was given ${int(gone - unread)} of ${pluralize(gone, "message")}.` : "",
    deeds.includes("opaque") ? "An opaque item: its content is unknown, its size assumed." : "",
    policy?.effect === "view" ? "Recomputed before each model call; the stored history is unchanged." : "",
  ].filter(Boolean);
}

/**
 * Why the policy acted, in words known before the server answers; then also what kept it from doing more. Of a
 * recorded one nothing is known but what started it, which the head says.
 * @param {Policy | null} policy
 * @param {CompactionCard | null} card
 */
export function why(policy, card) {
  if (!policy) return "";
  const rest = /(, but | ?; ).*$/s.exec(card?.reason ?? "")?.[0] ?? "";
  if (policy.limit === null || policy.limit === undefined || isMore(policy))
    return card?.reason && policy.when !== "always"
      ? `${capitalized(card.reason)}.`.replace(/(\d\.\d)\d+/g, "$1")
      : policy.when
        ? acting(policy)
        : "";
  const counted =
    { active: "What the policy counts", spoken: "What the policy counts", wordless: "What the policy counts", history: "The whole history" }[
      /** @type {string} */ (policy.counts)
    ] ?? "The window";
  const ceiling = policy.ceiling ?? policy.limit;
  const passed = ceiling > policy.limit ? "had reached" : "was over";
  return `${counted} ${passed} ${policy.limitName || "the limit"} (${int(ceiling)})${rest}.`;
}

/** What happened at the f-th attempt that failed, and why. @param {Run} run @param {number} f */
export function attemptWords(run, f) {
  const { why, refused } = failureOf(run, f);
  const reason = why.replace(ENDS, "");
  return refused ? `The summary was refused: ${reason.replace(/: refused$/, "")}.` : `No summary was written: ${reason}.`;
}

/** Remarks on what followed an attempt that failed. @param {Run} run @param {number} f */
export function attemptRemarks(run, f) {
  const { reason, times } = run.view.failed;
  const [ends, more] = [ENDS.test(reason[f]), times?.[f] ?? 1];
  return [
    "The next model call is sent the window unchanged.",
    ends && !run.view.live ? "In the real system the run ends here." : "",
    more > 1 ? `Failed ${int(more)} times in a row; this is the first.` : "",
  ].filter(Boolean);
}

/** @param {string} text */
export const sentence = (text) => (text ? `${capitalized(text)}.` : "");

/** When a policy looks, in words. */
const PHASES = {
  before_call: "before a model call",
  turn_begun: "at a turn's first model call",
  after_tools: "after tool results",
  on_read: "when the history is read",
  on_write: "when the history is written",
};

/** How long a recorded one took; empty where that is not recorded. @param {CompactionCard | null} card */
export function timeTaken(card) {
  const ms = card?.duration_ms;
  return ms ? lasting(ms / 1000) || "less than 1 s" : "";
}

/** What started it: by hand, as the record says, or the moment at which the policy looks. @param {Run} run @param {CompactionCard | null} card */
export function triggerWords(run, card) {
  if (card?.trigger === "manual" && run.view.live) return "manual";
  if (run.view.kind === "replay") return (card?.trigger ?? "").replaceAll("_", " ");
  const phase = run.view.policy?.phase ?? "";
  return PHASES[/** @type {keyof typeof PHASES} */ (phase)] ?? phase.replaceAll("_", " ");
}
