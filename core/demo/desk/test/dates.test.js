import assert from "node:assert/strict";
import { test } from "node:test";
import { addDays, daysBetween, formatDay, parseDay } from "../src/dates.js";

const days = (from, to) => daysBetween(parseDay(from), parseDay(to));

test("a day is read and written", () => {
  assert.equal(formatDay(parseDay("2026-01-09")), "2026-01-09");
  assert.throws(() => parseDay("2026-02-30"), RangeError);
  assert.throws(() => parseDay("9 January"), RangeError);
});

test("days are added across months and years", () => {
  assert.equal(formatDay(addDays(parseDay("2026-01-20"), 21)), "2026-02-10");
  assert.equal(formatDay(addDays(parseDay("2025-12-28"), 7)), "2026-01-04");
});

test("days are counted", () => {
  assert.equal(days("2026-01-05", "2026-01-05"), 0);
  assert.equal(days("2026-01-05", "2026-01-06"), 1);
  assert.equal(days("2026-01-05", "2026-02-05"), 31);
  assert.equal(days("2026-06-01", "2026-07-01"), 30);
});

test("an earlier day is no days away", () => {
  assert.equal(days("2026-01-06", "2026-01-05"), 0);
});

// The build machine runs in UTC. TODO: run once with TZ=Europe/Dublin before a release.
