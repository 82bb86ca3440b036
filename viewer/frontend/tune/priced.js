// At which prices sessions are swept together: each at those of its own model; core/tune/priced.py. Pure.
import { int, pluralize } from "../lib/format.js";
/** @import { Prices, SessionFacts } from "./types.js" */

/** A model with its prices, and how many sessions used it. @typedef {{model: string, sessions: number, prices: Prices}} Priced */

/**
 * The models that have prices, the commonest first, and how many sessions have none of their own.
 * @param {SessionFacts[]} sessions @param {Map<string, Prices | null>} rates @returns {{priced: Priced[], without: number}}
 */
export function pricedBy(sessions, rates) {
  /** @type {Map<string, Priced>} */ const found = new Map();
  let without = 0;
  for (const { model } of sessions) {
    const prices = rates.get(model);
    const known = found.get(model);
    if (!prices) without += 1;
    else if (known) known.sessions += 1;
    else found.set(model, { model, sessions: 1, prices });
  }
  const priced = [...found.values()].sort((a, b) => b.sessions - a.sessions || (a.model < b.model ? -1 : 1));
  return { priced, without };
}

/** Models that are named in the sidebar. */
const NAMED = 3;

/** Which session is priced by which model. @param {{priced: Priced[], without: number}} own */
export function pricedText({ priced, without }) {
  const named = priced.slice(0, NAMED).map(({ model, sessions }) => `${int(sessions)} by ${model}`);
  const others = priced.slice(NAMED).reduce((sum, { sessions }) => sum + sessions, 0);
  const more = others ? [`${int(others)} by ${pluralize(priced.length - NAMED, "other model")}`] : [];
  const filled = without ? [`${pluralize(without, "session")} without a known price by ${priced[0].model}, the commonest`] : [];
  return [...named, ...more, ...filled].join(" · ");
}
