import assert from "node:assert/strict";
import { test } from "node:test";
import { parseDay } from "../src/dates.js";
import { fineFor } from "../src/fines.js";

const config = {
  fine: { perDayCents: { book: 25, film: 50 }, ceilingCents: 2000, roundToCents: 5 },
  graceDays: { adult: 0, staff: 3 },
};
const loan = (kind, due, who = "adult") => ({ item: { kind }, member: { kind: who }, due: parseDay(due) });
const fine = (lent, returned) => fineFor(lent, parseDay(returned), config);

test("the due day is free, the day after is not", () => {
  assert.equal(fine(loan("book", "2026-01-12"), "2026-01-12"), 0);
  assert.equal(fine(loan("book", "2026-01-12"), "2026-01-13"), 25);
});

test("every day counts, weekends too", () => {
  assert.equal(fine(loan("book", "2026-01-09"), "2026-01-19"), 250);
  assert.equal(fine(loan("film", "2026-01-09"), "2026-01-12"), 150);
});

test("staff have three days", () => {
  assert.equal(fine(loan("book", "2026-01-12", "staff"), "2026-01-15"), 0);
  assert.equal(fine(loan("book", "2026-01-12", "staff"), "2026-01-16"), 25);
});

test("a fine stops at the ceiling", () => {
  assert.equal(fine(loan("book", "2026-01-12"), "2026-12-01"), 2000);
});
