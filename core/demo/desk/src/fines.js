// What a late return costs. The rules are in docs/fines.md; where this file and that page differ, the page is right.

import { daysBetween } from "./dates.js";
import { graceFor } from "./members.js";
import { roundTo } from "./money.js";

/** Days that are charged: those after the due date, less the member's grace days. */
export function chargedDays(loan, returned, config) {
  const late = daysBetween(loan.due, returned);
  const grace = graceFor(loan.member, config);
  return late > grace ? late - grace : 0;
}

/** The fine of a loan that comes back on a day, in cents. */
export function fineFor(loan, returned, config) {
  const rate = config.fine.perDayCents[loan.item.kind];
  if (rate === undefined) throw new RangeError(`no rate for a ${loan.item.kind}`);
  const raw = chargedDays(loan, returned, config) * rate;
  return Math.min(config.fine.ceilingCents, roundTo(raw, config.fine.roundToCents));
}

/** What a member owes for several loans, in cents: each has its own ceiling. */
export function fineForAll(loans, returned, config) {
  return loans.reduce((sum, loan) => sum + fineFor(loan, returned, config), 0);
}
