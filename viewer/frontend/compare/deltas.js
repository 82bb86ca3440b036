// A figure against the baseline's, in a few characters. Pure.

import { int } from "../lib/format.js";

/**
 * What `api/totals` answers of a trace, as far as it has come; docs/wire.md.
 * @typedef {Partial<{cost: number | null, miss_rate: number | null, tokens_sent: number, cache_read: number, summarizer_in: number,
 *   summarizer_out: number, compactions: number, peak_tokens: number, mean_tokens: number, over_budget_calls: number | null,
 *   limit: number | null, rules_lost: number | null, rules_needed: number | null, rules_quoted: number,
 *   needed_quoted: number, findings: number, prices: string, usage: {sent: number, calls: number, peak: number} | null,
 *   summaries: string, unread: boolean, later: number, stand_ins: number}>} Figures
 */

/** `sign` is below 0 where the figure is lower than the baseline's; `slight` where the difference is no more than noise. @typedef {{text: string, sign: number, slight?: boolean}} Delta */

/** A change of this many times the baseline is said as a multiple. */
const TIMES = 2;
/** Per cent: no more of a difference says nothing of the settings. */
const NOISE = 1;

/**
 * How a figure differs: "−19 %", "2.4 ×", of a count "+2", of a percentage "+1.5 pts"; null where it does not, or not visibly.
 * @param {number} value @param {number} base @param {"share" | "count" | "points"} as
 * @returns {Delta | null}
 */
export function deltaOf(value, base, as) {
  const by = value - base;
  if (!by) return null;
  const sign = Math.sign(by);
  const mark = sign < 0 ? "−" : "+";
  if (as === "count") return { text: `${mark}${int(Math.abs(by))}`, sign };
  if (as === "points") return pointsOf(by, mark);
  if (!base) return { text: "new", sign };
  if (value / base >= TIMES) return { text: `${times(value / base)} ×`, sign };
  const share = Math.round((100 * Math.abs(by)) / base);
  return share ? { text: `${mark}${share} %`, sign, ...(share <= NOISE && { slight: true }) } : null;
}

/** A difference of two parts of a whole, in percentage points. @param {number} by @param {string} mark @returns {Delta | null} */
function pointsOf(by, mark) {
  const points = Math.abs(100 * by).toFixed(1);
  return Number(points) ? { text: `${mark}${points} ${points === "1.0" ? "pt" : "pts"}`, sign: Math.sign(by) } : null;
}

/** @param {number} ratio */
const times = (ratio) => (ratio < 10 ? String(Math.round(10 * ratio) / 10) : int(ratio));
