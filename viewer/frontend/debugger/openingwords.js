// What a newcomer is told above the overview: what a compaction is, and why a sample opens simulated.
import { el } from "../lib/dom.js";
/** @import { App } from "./app.js" */

const COMPACTION =
  "A compaction makes room in what the model can see: mostly a summary replaces earlier messages. What neither it nor a message that stayed says is forgotten.";

const LOST = "?source=sample:foldline/forgotten-rule.json";

/** Lines below the sentence that says what is shown. @param {App} app */
export function openingWords({ run, query, alone, hosted }) {
  const said = run.compactions ? [COMPACTION] : [];
  const sample = String(query.source ?? "").startsWith("sample:") && !alone && !hosted;
  if (!sample || run.view.summarizer?.by !== "structural") return said.map(small);
  const link = el("a", { class: "fl-link", href: LOST, target: "_self", text: "The rule it forgot" });
  const why = small("Try other settings: move budget and keep_recent at the left. ");
  why.append("Its summaries only quote messages; the sample ", link, " has some as a model writes them.");
  return [...said.map(small), why];
}

/** @param {string} text */
const small = (text) => el("p", { class: "fl-osmall", text });
