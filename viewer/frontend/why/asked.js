// What is asked about in each session, so that the pages that show it follow the same texts: Debug, and its lanes on Compare.

import { nameOf } from "../run/leftplaces.js";
/** @import { Run } from "../run/model.js" */
/** @import { WhyStore } from "./store.js" */

/** The texts as the address holds them, which of them is chosen, and whether Why stands in front. @typedef {{query: Record<string, string>, at: number, front: boolean}} Asked */

/** @type {Map<string, Asked>} */
const asked = new Map();

/** @type {Asked} */
const NOTHING = { query: {}, at: 0, front: true };

/** What is asked about in the session of a run. @param {Run} run @returns {Asked} */
export const askedIn = (run) => asked.get(nameOf(run)) ?? NOTHING;

/** Remember what is asked about in the session of a run. @param {Run} run @param {Partial<Asked>} news */
export const remember = (run, news) => void asked.set(nameOf(run), { ...askedIn(run), ...news });

/** The same, as a store has it. @param {Run} run @param {WhyStore} why */
export const rememberStore = (run, { query, at, front }) => remember(run, { query, at: Math.max(0, at), front });

/** What an address asks about, or null. @param {URLSearchParams} search @returns {Record<string, string> | null} */
export function askedBy(search) {
  const query = Object.fromEntries(search);
  return query.why ? query : null;
}
