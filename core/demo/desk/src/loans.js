// A loan from the desk to the return. A loan is a plain object and is never changed: each step makes a new one.

import { addDays, formatDay } from "./dates.js";
import { fineFor } from "./fines.js";
import { mayBorrow } from "./members.js";

/** The day an item lent on a day is due. The due day itself is free. */
export function dueDate(item, lent, config) {
  const days = config.loanDays[item.kind];
  if (days === undefined) throw new RangeError(`nobody may borrow a ${item.kind}`);
  return addDays(lent, days);
}

/** An open loan. Throws if the member may not borrow. */
export function openLoan(item, member, lent, config) {
  if (!mayBorrow(member)) throw new Error(`${member.id} may not borrow: ${member.blocked}`);
  return Object.freeze({ item, member, lent, due: dueDate(item, lent, config), returned: null, fine: 0 });
}

/** The loan closed on a day, with its fine; one that is closed already is given back as it is. */
export function closeLoan(loan, returned, config) {
  if (loan.returned) return loan;
  if (returned < loan.lent) throw new RangeError(`returned ${formatDay(returned)}, before it was lent`);
  return Object.freeze({ ...loan, returned, fine: fineFor(loan, returned, config) });
}

/** Extend an open loan by its kind's days, counted from the day it is extended. A reserved item cannot be extended. */
export function extendLoan(loan, on, config) {
  if (loan.returned || loan.item.reserved) return loan;
  return Object.freeze({ ...loan, due: dueDate(loan.item, on, config) });
}
