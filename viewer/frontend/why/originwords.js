// Where the sentences of a summary come from, in words and in order. Pure: no nodes.

import { int, pluralize } from "../lib/format.js";
/** @import { Span } from "../lib/types.js" */
/** @import { Provenance, Sentence, Source, Verdict } from "./provenance.js" */

/** @type {Verdict[]} */
const VERDICTS = ["no_source", "supported", "partly", "before_file"];

/** What a verdict is called beside its number, and in a sentence. @type {Record<Verdict, [counted: string, said: string]>} */
const WORDS = {
  supported: ["found in the messages", "found in the messages"],
  partly: ["partly", "partly found in the messages"],
  no_source: ["not found in the messages", "no message says it in these words"],
  before_file: ["perhaps before this file", "its source may lie before this file"],
};

/** What there is of each verdict: "11 found in the messages". @param {Provenance} provenance @returns {{verdict: Verdict, text: string, title: string}[]} */
export function tally({ sentences }) {
  const count = (/** @type {Verdict} */ verdict) => sentences.filter((one) => one.verdict === verdict).length;
  return VERDICTS.flatMap((verdict) => {
    const n = count(verdict);
    return n
      ? [{ verdict, text: `${int(n)} ${WORDS[verdict][0]}`, title: `${pluralize(n, "sentence")}: ${WORDS[verdict][1]}. Go to the next.` }]
      : [];
  });
}

/** "Sentence 6 of 14, partly found in the messages, 3 places." @param {Sentence} sentence @param {number} n @param {number} of */
export function sentenceWords({ verdict, sources }, n, of) {
  const places = sources.length && verdict !== "no_source" ? `, ${pluralize(sources.length, "place")}` : "";
  return `Sentence ${int(n + 1)} of ${int(of)}, ${WORDS[verdict][1]}${places}.`;
}

/** The next sentence of a verdict behind one, from the first again after the last; -1 where there is none. @param {Sentence[]} sentences @param {Verdict} verdict @param {number} from */
export function nextOf(sentences, verdict, from) {
  const found = sentences.flatMap((one, n) => (one.verdict === verdict ? [n] : []));
  return found.find((n) => n > from) ?? found[0] ?? -1;
}

/** The numbers of the sentences that come from a message, from 0. @param {Provenance} provenance @param {number} pool */
export const comingFrom = ({ sentences }, pool) => sentences.flatMap((sentence, n) => (placesOf(sentence).some((at) => at === pool) ? [n] : []));

/** The places that a sentence comes from; those that only come close are none. @param {Sentence} sentence */
export const placesOf = ({ verdict, sources }) => (verdict === "no_source" ? [] : sources.map(({ at }) => at));

/** What stands over the places of a sentence. @param {Sentence} sentence @param {number} n */
export function placesTitle({ verdict, sources }, n) {
  if (!sources.length) return `Sentence ${int(n + 1)}: no message says it in these words`;
  return `${verdict === "no_source" ? "Closest to" : "Sources of"} sentence ${int(n + 1)}: ${pluralize(sources.length, "place")}`;
}

/** A place of a sentence in the order it is shown: below the summary it came through, if that is a place too. @typedef {{source: Source, depth: number}} Placed */

/** The places of a sentence, those that came through an earlier summary below it. @param {Source[]} sources @returns {Placed[]} */
export function inOrder(sources) {
  const through = (/** @type {Source} */ { via }) => via.findLast((pool) => sources.some(({ at }) => at === pool)) ?? -1;
  /** @type {Placed[]} */ const found = [];
  const seen = new Set();
  const put = (/** @type {Source} */ source, /** @type {number} */ depth) => {
    if (seen.has(source)) return;
    seen.add(source);
    found.push({ source, depth });
    for (const one of sources) if (through(one) === source.at) put(one, depth + 1);
  };
  for (const source of sources) if (through(source) < 0) put(source, 0);
  for (const source of sources) put(source, 0); // each of two comes through the other: odd, and shown all the same
  return found;
}

/** @typedef {{text: string, kind: "" | "mark" | "missing"}} Piece */

/** A quote in pieces: plain, said by the sentence too, or left out of it. @param {Source} source @returns {Piece[]} */
export function quotePieces({ quote, marks, missing }) {
  const spans = [...kindly(marks, "mark"), ...kindly(missing, "missing")].sort((a, b) => a.from - b.from || a.to - b.to);
  /** @type {Piece[]} */ const pieces = [];
  let at = 0;
  for (const { from, to, kind } of spans) {
    if (from < at || to <= from || from >= quote.length) continue;
    if (from > at) pieces.push({ text: quote.slice(at, from), kind: "" });
    pieces.push({ text: quote.slice(from, to), kind });
    at = Math.min(to, quote.length);
  }
  return at < quote.length ? [...pieces, { text: quote.slice(at), kind: "" }] : pieces;
}

/** @param {Span[]} spans @param {"mark" | "missing"} kind */
const kindly = (spans, kind) => spans.map(([from, to]) => ({ from, to, kind }));

/**
 * The note on a sentence, as the words it begins with and the rest: "Cut short." where a source lists more than the sentence does.
 * @param {Sentence} sentence
 * @returns {[lead: string, rest: string]}
 */
export function noteParts({ note, sources }) {
  const [, lead = "", rest = note] = /^([^.]{1,60}\.)\s+(\S.*)$/s.exec(note) ?? [];
  const cut = note && sources.some(({ missing }) => missing.length > 0);
  return [lead || (cut ? "Cut short." : ""), rest];
}
