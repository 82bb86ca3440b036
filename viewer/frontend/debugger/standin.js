// That a summary on a card is a stand-in, which no model wrote for it, and the way to real ones.
import { button, el } from "../lib/dom.js";
import { int } from "../lib/format.js";
/** @import { App } from "./app.js" */
/** @import { CompactionCard } from "../run/types.js" */

/** What stands in, by what wrote it. @type {Record<string, string>} */
const WORDS = {
  structural: "A stand-in: quotes from the messages, no model wrote it.",
  "fixed size": "A placeholder of a fixed size: no summary was written.",
};

/** A line for the summaries of a simulated run; null where they are a model's. @param {App} app @param {CompactionCard | null} card */
export function standIn(app, card) {
  const later = card?.written_later;
  if (later) return el("p", { class: "fl-stand-in", text: laterWords(later) });
  const { by = "", recorded = false } = app.run.view.summarizer ?? {};
  const words = WORDS[by];
  if (!words) return null;
  const way = app.alone || app.hosted ? "" : recorded ? own(app) : live();
  return el("p", { class: "fl-stand-in" }, words, " ", way);
}

/** @param {number} messages  that had arrived when the transcript wrote it */
const laterWords = (messages) =>
  `A recorded summary, which the transcript wrote later, after message ${int(messages)}: it may tell what happens only after this compaction.`;

/** The same run with the summaries that its transcript has. @param {App} app */
const own = (app) => button("Use the recorded ones", () => app.apply({ ...app.query, summaries: "recorded" }), { class: "fl-link" });

/** Where a model writes them. */
const live = () => el("a", { class: "fl-link", href: "live", target: "_self", text: "Real ones: Live" });
