// What a room is told of a session before its first compaction and behind its last: the overview's headline, and what came of it. Pure.

import { wholeSentences } from "./beginning.js";
import { quotedRulesWords } from "./losstable.js";
import { overviewHeadline } from "./overviewheadline.js";
import { ENDS, WORDLESS, closingName, ownSums, sumWords } from "./overviewwords.js";
import { isOnlySimulated } from "./shownas.js";
/** @import { Run } from "./model.js" */
/** @import { Line } from "./roomfacts.js" */
/** @import { CompactionLosses, SessionOverview } from "./types.js" */

/** Letters of the newest request, and of the words that a session ends with. */
const ASKED = 140;
const SAID = 320;

/** The title of a slide, its caption, and what is said below it. @typedef {{title: string, said: string, lines: Line[]}} Slide */

/** The overview's headline, and what only quotes keep; null where nobody can tell what was lost. @param {Run} run @param {CompactionLosses[]} rows  of every compaction @param {boolean} unsought @returns {Slide | null} */
export function headlineSlide(run, rows, unsought) {
  const [said, ...rest] = overviewHeadline(run, rows, unsought);
  const kept = quotedRulesWords(rows);
  const lines = [...rest, kept && `${kept}.`].filter(Boolean).map((sentence) => ({ who: "", said: sentence }));
  return said ? { title: isOnlySimulated(run) ? "What would happen" : "What happened", said, lines } : null;
}

/** The session in figures, the newest request, and the words that it ends with. @param {Run} run @param {SessionOverview} found @returns {Slide} */
export function closingSlide(run, found) {
  const { later, closing, last, newest } = found;
  const reply = closing ? { who: `The ${closingName(last).toLowerCase()}:`, said: quoted(closing.text, SAID) } : { who: "", said: WORDLESS };
  const request = later ? [{ who: "The last request:", said: quoted(later.text, ASKED) }] : [];
  const end = last === "reply" ? [] : [{ who: "It ended with:", said: ends(last, newest && newest.at !== later?.at ? newest.text : "") }];
  const title = isOnlySimulated(run) ? "What came of it, as recorded" : "What came of it";
  return { title, said: `${sumWords(ownSums(found)).replaceAll(" · ", ", ")}.`, lines: [...request, reply, ...end] };
}

/** What it ended with, where that is no reply. @param {string} last @param {string} text  what it says, "" where that is told already */
function ends(last, text) {
  const what = ENDS[last] ?? ENDS.other;
  return text ? `${what}: ${quoted(text, ASKED)}` : `${what}.`;
}

/** @param {string} text @param {number} most */
const quoted = (text, most) => `“${wholeSentences(text, most)}”`;
