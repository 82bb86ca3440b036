// What a newcomer is told in the overview: what a compaction is, what is shown, and why the summaries of a sample only quote.

import { el } from "../lib/dom.js";
import { shownAs } from "../run/shownas.js";
import { writtenBy } from "../run/writtenby.js";
/** @import { App } from "./app.js" */

const COMPACTION =
  "A compaction makes room in what the model can see: mostly a summary takes the place of earlier messages. What it leaves out is gone until it is said again.";

/** @param {string} what */
const clears = (what) =>
  `${what} makes room in what the model can see: it clears old content, mostly tool results, where it stands, and writes no summary.`;

const THINKING =
  "A compaction of this policy makes room in what the model can see: it leaves out the thinking of older replies, and writes no summary.";

const LOST = "?source=sample:foldline/forgotten-rule.json";

const TRY = "What a policy would have taken from it, the policies at the left show.";

/** What the run is, and how to see a compaction where there is none; "" of a recorded one with compactions, which the page shows. @param {App} app */
export function shownWords(app) {
  const { run, alone, hosted } = app;
  const written = quotesInSample(app) ? "" : writtenBy(run, alone || hosted);
  if (run.view.kind !== "replay") return [shownAs(run).long, written].filter(Boolean).join(" ");
  if (run.compactions) return "";
  return [shownAs(run).long, alone || hosted ? "" : TRY].filter(Boolean).join(" ");
}

/** What a compaction does, for who meets the word here first; "" where there is none. @param {App["run"]} run */
export function compactionMeans(run) {
  if (!run.compactions) return "";
  if (run.view.c.micro.every(Boolean)) return clears("A microcompaction");
  if (run.view.policy?.kind !== "clear" || writes(run)) return COMPACTION;
  return run.pool.thinkingOnly ? THINKING : clears("A compaction of this policy");
}

/** Whether it has summaries. @param {App["run"]} run */
const writes = (run) => run.pool.added.some(({ injected }) => injected === "summary");

/** Whether a sample has summaries as no model writes them. @param {App} app */
function quotesInSample({ run, query, alone, hosted }) {
  const sample = String(query?.source ?? "").startsWith("sample:") && !alone && !hosted;
  return sample && run.view.summarizer?.by === "structural" && writes(run);
}

/** Why it has such summaries; null elsewhere. @param {App} app */
export function sampleWords(app) {
  if (!quotesInSample(app)) return null;
  const link = el("a", { class: "fl-link", href: LOST, target: "_self", text: "The rule it forgot" });
  const why = el("p", { class: "fl-osmall", text: "Try other settings: move budget and keep_recent at the left. " });
  why.append("Its summaries only quote messages; the sample ", link, " has some as a model writes them.");
  return why;
}
