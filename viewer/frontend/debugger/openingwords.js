// What a newcomer is told in the overview: what is shown, what a compaction is, and why the summaries of a sample only quote.

import { el } from "../lib/dom.js";
import { shownAs } from "../run/shownas.js";
/** @import { App } from "./app.js" */

const COMPACTION =
  "A compaction makes room in what the model can see: mostly a summary takes the place of earlier messages. What neither it nor a message that stayed says, the model no longer knows.";

const MICRO =
  "A microcompaction makes room in what the model can see: it clears old content, mostly tool results, where it stands, and writes no summary.";

const LOST = "?source=sample:foldline/forgotten-rule.json";

const TRY = "What a policy would have taken from it, the policies at the left show.";

/** What the run is, what a compaction is where there is one, and how to see one where there is none. @param {App} app */
export function shownWords({ run, alone, hosted }) {
  const none = run.view.kind === "replay" && !alone && !hosted ? TRY : "";
  const kind = run.view.c.micro.every(Boolean) ? MICRO : COMPACTION;
  return [shownAs(run).long, run.compactions ? kind : none].filter(Boolean).join(" ");
}

/** Why a sample has summaries as no model writes them; null elsewhere. @param {App} app */
export function sampleWords({ run, query, alone, hosted }) {
  const sample = String(query.source ?? "").startsWith("sample:") && !alone && !hosted;
  if (!sample || run.view.summarizer?.by !== "structural") return null;
  const link = el("a", { class: "fl-link", href: LOST, target: "_self", text: "The rule it forgot" });
  const why = el("p", { class: "fl-osmall", text: "Try other settings: move budget and keep_recent at the left. " });
  why.append("Its summaries only quote messages; the sample ", link, " has some as a model writes them.");
  return why;
}
