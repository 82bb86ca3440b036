// Numbers and sentences of the Tune page. Pure.
import { dollars, int, pluralize } from "../lib/format.js";
/** @import { Cell, Picture, SessionFacts } from "./types.js" */

/** A rate of 0 to 1 as people read it: 4.9 %; a dash where there is none. @param {number | null} rate */
export const rate = (rate) => (rate === null ? "–" : `${bare(rate)} %`);

/** A text in which no number is parted from its per cent sign. @param {string} text */
export const unbroken = (text) => text.replaceAll(/(\d) %/g, "$1\u00a0%");

/** A rate without its sign: 4.9. @param {number} rate */
export const bare = (rate) => (Math.round(1000 * rate) / 10).toFixed(1);

/** The same, with as many digits as tell it from a limit that it is over: 5.02. @param {number} rate @param {number} limit */
export function bareOver(rate, limit) {
  const digits = rate > limit ? [1, 2, 3, 4].find((count) => Number((100 * rate).toFixed(count)) > 100 * limit) : 1;
  return digits === 1 ? bare(rate) : (100 * rate).toFixed(digits ?? 4);
}

/** Dollars with two digits, so that columns line up; more of what is small. @param {number | null} cost */
export const money = (cost) =>
  cost === null
    ? "–"
    : cost >= 0.1 || cost === 0
      ? `$${cost.toLocaleString("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`
      : dollars(cost);

/** Tokens in short: 2.79M, 161k. @param {number} tokens */
export function brief(tokens) {
  if (tokens >= 1e6) return `${(tokens / 1e6).toFixed(tokens >= 1e8 ? 0 : tokens >= 1e7 ? 1 : 2)}M`;
  return tokens >= 1000 ? `${Math.round(tokens / 1000)}k` : int(tokens);
}

/** The measures of the map, in the order of its switch. */
export const MEASURES = [
  { name: "misses", label: "Misses", unit: "% misses" },
  { name: "cost", label: "Cost", unit: "cost" },
  { name: "compactions", label: "Compactions", unit: "compactions" },
  { name: "sent", label: "Tokens sent", unit: "tokens sent" },
];

/** What a measure says of a setting; null where there is nothing to say. @param {string} measure @param {Cell} cell */
export function measured(measure, [, rate, cost, compactions, sent]) {
  return measure === "misses" ? rate : measure === "cost" ? cost : measure === "compactions" ? compactions : sent;
}

/** A value in a cell of the map. @param {string} measure @param {number | null} value @param {number} [limit]  of misses, 0 to 1 */
export function cellText(measure, value, limit = 1) {
  if (value === null) return "–";
  if (measure === "misses") return bareOver(value, limit);
  if (measure === "cost") return value >= 1000 ? `$${int(value)}` : value >= 10 ? `$${value.toFixed(1)}` : `$${value.toFixed(2)}`;
  return measure === "sent" ? brief(value) : int(value);
}

/** How much one cost differs from another: "−27 %", "0 %", "+17 %", and whether that is better or worse. @param {number | null} after @param {number | null} before */
export function change(after, before) {
  if (after === null || before === null || !before) return { text: "–", tone: "", part: 0 };
  const part = (after - before) / before;
  const by = Math.round(100 * part);
  if (!by) return { text: "0 %", tone: "", part: 0 };
  return by < 0 ? { text: `−${-by} %`, tone: "better", part } : { text: `+${by} %`, tone: "worse", part };
}

/**
 * Cost, miss rate, compactions and tokens sent over all sessions; nothing as long as some have not run.
 * @param {Picture | null} picture @param {Cell | undefined} cell @returns {[number | null, number | null, number | null, number | null]}
 */
export const sumOver = (picture, cell) =>
  cell && cell[0] > 0 && cell[0] === picture?.sessions ? [cell[2], cell[1], cell[3], cell[4]] : [null, null, null, null];

/** What the line of all sessions is called: with how many have run, as long as these are not all. @param {number} sessions @param {Picture | null} picture */
export function allTitle(sessions, picture) {
  const run = picture?.recorded[0] ?? 0;
  return `All ${int(sessions)} sessions${picture && run < picture.sessions ? `, ${int(run)} of ${int(picture.sessions)} run` : ""}`;
}

/** By which meters sessions are counted: by one, else each by its own. @param {string} meter  of all, or "" @param {SessionFacts[]} sessions */
export function countedBy(meter, sessions) {
  /** @type {Map<string, number>} */ const counts = new Map();
  for (const one of sessions) counts.set(one.meter, (counts.get(one.meter) ?? 0) + 1);
  if (meter || counts.size === 1) return `~ estimated by ${meter || sessions[0].meter}`;
  const meters = [...counts].sort((a, b) => b[1] - a[1]).map(([name, count]) => `${int(count)} ${name}`);
  return `~ estimated by each session's own meter${meters.length ? `: ${meters.join(", ")}` : ""}`;
}

/** A time in words, the unit on the line of its number: "under a second", "46 s", "3 min". @param {number} seconds */
export function duration(seconds) {
  if (seconds < 1) return "under a second";
  if (seconds < 100) return `${Math.round(seconds)}\u00a0s`;
  return seconds < 5400 ? `${Math.round(seconds / 60)}\u00a0min` : `${(seconds / 3600).toFixed(1)}\u00a0h`;
}

/** What the cheapest setting within the limit is called: of one or two sessions it is no advice. @param {number} sessions */
export const bestName = (sessions) => (sessions === 1 || sessions === 2 ? "cheapest within the limit of misses" : "best");

/** What both faults are. */
export const THRASHES = "Compacts again and again: of at least 8 gaps between compactions, a quarter are of at most three model calls.";
export const GIVES_UP =
  "Stops compacting for good, as the policy does where the window is full again too soon too often, or summaries fail. From then on the window goes past its limit: little is missed, at the price of a window that a model may refuse.";

/** What is wrong with a setting that is never called best; "" of any other. @param {Cell} cell */
export function faultOf([, , , compactions, , thrashes, , givenUp, calls]) {
  const times = compactions === 1 ? "once" : `${int(compactions)} times`;
  const past = `${int(givenUp)} of ${pluralize(calls, "call")} ${givenUp === 1 ? "goes" : "go"} past its limit`;
  if (givenUp) return `Compacts ${compactions ? times : "never"}, then gives up: ${past}, nothing is compacted, so little is missed.`;
  return thrashes ? "Thrashes: a quarter or more of its compactions come within three model calls of the one before." : "";
}

/** Its name on the map. @param {Cell} cell @returns {"gives-up" | "thrashes" | ""} */
export const faultKind = ([, , , , , thrashes, , givenUp]) => (givenUp ? "gives-up" : thrashes ? "thrashes" : "");

/** What a setting comes to: "$18.65, misses 1.2 %, 2 compactions, 7.44M tokens sent". @param {Cell} cell @param {number} limit  of misses, 0 to 1 */
export function figuresText([, missed, cost, compactions, sent], limit) {
  const over = missed !== null && missed > limit && bare(missed) === bare(limit) ? `, just over ${Math.round(1000 * limit) / 10} %` : "";
  const misses = missed === null ? "–" : `${bareOver(missed, limit)} %${over}`;
  const facts = [`misses ${misses}`, pluralize(compactions, "compaction"), `${brief(sent)} tokens sent`];
  return [...(cost === null ? [] : [money(cost)]), ...facts].join(", ");
}

/** What a screen reader hears of a cell. @param {string} name @param {Cell} cell @param {{sessions: number, best: boolean, near: boolean, now: boolean, chosen: boolean}} about */
export function cellName(name, cell, { sessions, best, near, now, chosen }) {
  const [done, missed, cost, compactions, sent] = cell;
  if (!done) return `${name}: not run yet`;
  if (done < sessions) return `${name}: ${int(done)} of ${pluralize(sessions, "session")} so far`;
  const facts = [
    `misses ${rate(missed)}`,
    ...(cost === null ? [`${brief(sent)} tokens sent`] : [`cost ${money(cost)}`]),
    pluralize(compactions, "compaction"),
  ];
  const marks = [
    best && bestName(sessions),
    near && `up to 5 % dearer than the ${sessions > 2 ? "best" : "cheapest"}`,
    now && "the setting now",
    faultKind(cell).replace("-", " "),
    chosen && "chosen",
  ];
  return `${name}: ${[...facts, ...marks.filter(Boolean)].join(", ")}`;
}
