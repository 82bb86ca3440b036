// What a room is told first of a session: how long it is, and what the user asked for. Pure.

import { pluralize } from "../lib/format.js";
import { wholeSentences } from "./beginning.js";
import { counted } from "./compactionfigures.js";
import { titleWords } from "../lib/titlewords.js";
import { inThisFile } from "./midway.js";
import { lastedWords, ownSums } from "./overviewwords.js";
/** @import { Slide } from "./closingslide.js" */
/** @import { Run } from "./model.js" */
/** @import { SessionOverview } from "./types.js" */

/** Letters of a request that there is room for: what must not be forgotten stands at its end as often as not. */
const ASKED = 640;

/** "42 turns, 3 compactions, 3 h 30 min", and the first request; what there is none of is left out. @param {Run} run @param {SessionOverview} found @returns {{who: string, said: string}[]} */
export function openingLines(run, found) {
  const { typed } = ownSums(found);
  const copied = found.copied ? `${pluralize(found.copied.messages, "message")} copied from another session` : "";
  const facts = [copied, typed && pluralize(typed, "turn"), counted(run), lastedWords(found)].filter(Boolean).join(", ");
  const request = found.task ? `“${firstSentences(found.task.text)}”` : "";
  const lines = [
    { who: "", said: facts },
    { who: `${firstRequest(found)}${inThisFile(run)}:`, said: request },
  ];
  return lines.filter(({ said }) => said);
}

/** Who asked for it: a sub-agent is asked by another agent. @param {SessionOverview} found */
const firstRequest = ({ task, copied }) =>
  task?.agent ? "Another agent asked for" : copied ? "The user's first request behind that" : "The user's first request";

/** The title, and what is known of the session below it. @param {Run} run @param {SessionOverview | null} found @returns {Slide} */
export function openingSlide(run, found) {
  const title = titleWords(run.store.header.title) || "Untitled session";
  const lines = found ? openingLines(run, found) : [];
  const [facts, request] = lines;
  const cut = title.endsWith("…") && request; // a title that is the beginning of the request would be read twice
  return cut ? { title: "", said: facts.said, lines: [request] } : { title: "", said: title, lines };
}

/** As many of its sentences as there is room for, with a mark where more follow. @param {string} text */
function firstSentences(text) {
  const sentences = wholeSentences(text, ASKED);
  return sentences.length < text.length && !sentences.endsWith("…") ? `${sentences} …` : sentences;
}
