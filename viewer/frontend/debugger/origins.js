// Where the sentences of a summary come from, in the debugger: what a place is called, and the way to a sentence.

import { el } from "../lib/dom.js";
import { int, pluralize } from "../lib/format.js";
import { nameOf } from "../run/compactionfigures.js";
import { effect } from "../run/effect.js";
import { size } from "../run/ranges.js";
import { rowOf, whereabouts } from "../run/sections.js";
import { originsOf } from "../why/origins.js";
import { inOrder } from "../why/originwords.js";
import { messageLink } from "./messagelink.js";
import { letterOf } from "./row.js";
/** @import { Run } from "../run/model.js" */
/** @import { Row } from "../run/layout.js" */
/** @import { Sentence } from "../why/provenance.js" */
/** @import { App } from "./app.js" */

/** Places that are named below a sentence; all of them stand above the window. */
const MOST_LINKS = 4;

/** What a place of a sentence is called, and where it went. @param {App} app @param {number} pool @returns {import("../why/sources.js").Named} */
export function namedSource({ run, step }, pool) {
  if (!run.pool.has(pool)) return { region: "ghost", letter: "·", name: "message", went: "" };
  const place = whereabouts(run, step, pool);
  const inside = place.index >= 0;
  const row = inside ? run.window(step).row(place.index) : rowOf(run, pool);
  const summary = row.injected === "summary";
  const region = inside || summary ? row.region : "ghost";
  return {
    region,
    letter: letterOf(region === "ghost" ? { ...row, ghost: true } : { ...row, region }),
    name: titleOf(run, row),
    went: wentWords(run, place),
  };
}

/** "message 54 · user", or "summary #1". @param {Run} run @param {Row} row */
const titleOf = (run, row) => (row.pool < run.n ? `message ${int(row.pool + 1)} · ${row.role}` : row.label);

/** @param {Run} run @param {ReturnType<typeof whereabouts>} place */
function wentWords(run, { state, compaction }) {
  if (state === "window") return "in the window";
  if (state === "later") return "";
  if (state === "summarised") return `summarized into ${summaryName(run, compaction)}`;
  return `${state} by ${nameOf(run, compaction)}`;
}

/** "#2", or what the compaction is called where its summary has no number. @param {Run} run @param {number} k */
export function summaryName(run, k) {
  const { number } = run.compaction(k);
  return number > 0 ? `#${number}` : nameOf(run, k);
}

/** "summary #2", or "the summary". @param {Run} run @param {number} k */
export function summaryWords(run, k) {
  const { number } = run.compaction(k);
  return number > 0 ? `summary #${number}` : "the summary";
}

/**
 * "From summary #1 and message 68.", or "Partly from", each a link. Without a source, that there is none, and what comes closest.
 * @param {App} app
 * @param {number} k
 * @param {Sentence} sentence
 * @returns {(Node | string)[]}
 */
export function sourceLinks(app, k, { sources, verdict, note }) {
  const { run } = app;
  const places = inOrder(sources).map(({ source }) => source.at);
  const pools = [...new Set(places)].filter((pool) => run.pool.has(pool));
  const few = pools.length > MOST_LINKS + 1 ? MOST_LINKS : pools.length;
  const links = pools.slice(0, few).flatMap((pool, i) => [separator(i, pools.length), messageLink(app, pool)]);
  if (few < pools.length) links.push(` and ${int(pools.length - few)} more`);
  if (verdict !== "no_source") return pools.length ? [verdict === "partly" ? "Partly from " : "From ", ...links, "."] : [];
  const compared = ` Compared with ${pluralize(size(effect(run, k).taken), "message")} that it summarizes.`;
  return [
    ...(note ? [] : [el("b", { text: "No message says this in these words; it may be a paraphrase." }), compared]),
    ...(pools.length ? [" Closest: ", ...links, "."] : []),
  ];
}

/** @param {number} i @param {number} of */
const separator = (i, of) => (i === 0 ? "" : i === of - 1 ? " and " : ", ");

/** Show a message whole, in front of what was asked. @param {App} app @param {number} pool */
export function showPlace(app, pool) {
  if (!app.run.pool.has(pool)) return;
  app.why.bring(false);
  app.select(app.run.pool.row(pool).key);
}

/** Go to the card of a compaction, and choose a sentence of its summary. @param {App} app @param {number} k @param {number} n */
export function goToSentence(app, k, n) {
  app.pause();
  app.why.bring(false);
  app.go(app.run.steps[k]);
  app.select(null);
  originsOf(app).choose(n, true);
}
