// Long lists: where keys lead, what a search finds, how times and paths are said.
process.env.TZ = "Europe/Berlin";
import assert from "node:assert/strict";
import { test } from "node:test";
import { tail } from "../../viewer/frontend/library/arranging.js";
import { when } from "../../viewer/frontend/library/when.js";
import { movedTo } from "../../viewer/frontend/lib/longlist.js";
import { matching } from "../../viewer/frontend/library/sessions.js";

test("arrows move by one, pages by a page, and both stop at the ends", () => {
  const to = (key, at) => movedTo(key, at, 20, 6);
  assert.deepEqual([to("ArrowDown", 3), to("ArrowUp", 3), to("PageDown", 3), to("PageUp", 9)], [4, 2, 9, 3]);
  assert.deepEqual([to("ArrowDown", 19), to("ArrowUp", 0), to("PageDown", 17), to("PageUp", 2)], [19, 0, 19, 0]);
  assert.deepEqual([to("Home", 7), to("End", 7)], [0, 19]);
});

test("other keys, and an empty list, lead nowhere", () => {
  assert.deepEqual([movedTo("a", 3, 20, 6), movedTo("Enter", 3, 20, 6), movedTo("End", 0, 0, 6)], [-1, -1, -1]);
});

const ROWS = [
  [0, "Plums in a Tart", 5, 100, 0, "0", ""],
  [1, "", 3, 50, 1, "1", ""],
  [12, "pears and plums", 9, 900, 0, "12", ""],
];
const numbersOf = (query) => matching(ROWS, query).map(([n]) => n);

test("a session is found by every word of its title or by its number, case aside", () => {
  assert.deepEqual([numbersOf(""), numbersOf("  "), numbersOf("PLUMS"), numbersOf("plum pear")], [[0, 1, 12], [0, 1, 12], [0, 12], [12]]);
  assert.deepEqual([numbersOf("12"), numbersOf("1"), numbersOf("tart 0"), numbersOf("tart pear")], [[12], [1, 12], [0], []]);
});

test("a session of a folder is found by the path of its file, read or not", () => {
  const rows = [
    [0, "Plums", 5, 100, 0, "./a/fruit.json", ""],
    [null, "b/fruit.json", 0, 0, 0, "./b/fruit.json", "2 KB, not read yet"],
  ];
  const pathsOf = (query) => matching(rows, query).map((row) => row[5]);
  assert.deepEqual([pathsOf("FRUIT"), pathsOf("a/ plums"), pathsOf("null")], [["./a/fruit.json", "./b/fruit.json"], ["./a/fruit.json"], []]);
});

test("a time is said as short as it is clear, in the reader's zone", () => {
  const now = new Date("2026-03-12T15:00:00Z");
  const shownTime = (iso) => when(iso, now);
  assert.equal(shownTime("2026-03-12T06:05:00Z"), "07:05");
  assert.equal(shownTime("2026-03-11T22:30:00Z"), "Wed 23:30");
  assert.equal(shownTime("2026-03-09T10:00:00Z"), "Mon 11:00");
  assert.equal(shownTime("2026-02-28T10:00:00Z"), "28 Feb");
  assert.equal(shownTime("2025-03-12T10:00:00Z"), "12 Mar 2025");
  assert.deepEqual([shownTime(""), shownTime("soon")], ["", ""]);
});

test("yesterday at a later hour is not today, and a clock that runs ahead says the hour", () => {
  assert.equal(when("2026-03-11T20:00:00Z", new Date("2026-03-12T08:00:00Z")), "Wed 21:00");
  assert.equal(when("2026-03-12T15:10:00Z", new Date("2026-03-12T15:00:00Z")), "16:10");
});

test("of a path its last two parts are shown, whatever separates them", () => {
  assert.deepEqual(["/home/ada/teashop/", "C:\\Users\\ada\\shop", "shop", ""].map(tail), ["ada/teashop", "ada/shop", "shop", ""]);
});
