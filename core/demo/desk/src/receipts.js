// The lines of a receipt, for a printer of 32 columns.

import { daysBetween, formatDay } from "./dates.js";
import { format } from "./money.js";

/** A line with a word on the left and a value on the right. */
function row(left, right, width) {
  return left + " ".repeat(Math.max(1, width - left.length - right.length)) + right;
}

/** The receipt of a closed loan. */
export function receiptFor(loan, { width, currency }) {
  const late = daysBetween(loan.due, loan.returned);
  const lines = [
    "HARBOUR STREET LIBRARY",
    "-".repeat(width),
    loan.item.title.slice(0, width),
    row("due", formatDay(loan.due), width),
    row("returned", formatDay(loan.returned), width),
  ];
  if (late > 0) lines.push(row("days late", String(late), width));
  if (loan.fine > 0) lines.push(row(`fine ${currency}`, format(loan.fine), width));
  return [...lines, "-".repeat(width), "thank you"];
}
