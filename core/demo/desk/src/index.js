// The public API: the desks and the web shop import these names and nothing else.
// Adding a name is a minor version, changing or removing one is a major version and a letter to the web shop.

import { readFileSync } from "node:fs";
import { fineFor } from "./fines.js";
import { openLoan, closeLoan, dueDate } from "./loans.js";
import { receiptFor } from "./receipts.js";
import { parseDay } from "./dates.js";

const config = JSON.parse(readFileSync(new URL("../config/desk.json", import.meta.url)));

/** Lend an item to a member. Returns the open loan. */
export function lend(item, member, on) {
  return openLoan(item, member, parseDay(on), config);
}

/** Take an item back. Returns the closed loan with its fine in cents. */
export function takeBack(loan, on) {
  return closeLoan(loan, parseDay(on), config);
}

/** What a loan would cost if it came back on that day: a number of cents. */
export function quoteFine(loan, on) {
  return fineFor(loan, parseDay(on), config);
}

/** The receipt of a closed loan, as lines for the desk printer. */
export function receipt(loan) {
  return receiptFor(loan, config.receipt);
}

export { dueDate };
