// Who borrows, and what they are forgiven.

const KINDS = ["adult", "child", "staff"];

/** A member from a row of the store. */
export function member(row) {
  if (!KINDS.includes(row.kind)) throw new RangeError(`${row.id}: a member is ${KINDS.join(", ")}, not ${row.kind}`);
  return Object.freeze({ id: row.id, kind: row.kind, blocked: row.blocked || "" });
}

/** Whether a member may borrow now. */
export function mayBorrow(who) {
  return who.blocked === "";
}

/** Days after the due date that cost a member nothing. Children had three until 2.2.0; only staff have them now. */
export function graceFor(who, config) {
  return config.graceDays[who.kind] ?? 0;
}
