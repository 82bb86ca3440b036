import assert from "node:assert/strict";
import { test } from "node:test";
import { begin, described, tally } from "../../viewer/frontend/debugger/find.js";
import { smallRun } from "./small_run.mjs";

test("hits are told apart: in the window, gone from it, yet to come", () => {
  const run = smallRun();
  assert.deepEqual(tally(run, 10, [0, 2, 5, 6, 9, 10, 11]), { present: 3, emptied: 0, gone: 2, later: 2 });
  assert.deepEqual(tally(run, 8, [1, 2, 11]), { present: 2, emptied: 0, gone: 0, later: 1 });
});

test("a hit says where it is at this step", () => {
  const run = smallRun();
  assert.deepEqual(
    [0, 2, 11].map((i) => described(run, 10, i)),
    ["in the window", "summarized by compaction 1", "not yet arrived"],
  );
});

test("find begins at the chosen message, else in the window, else at the first hit", () => {
  const inside = [
    [0, 1],
    [6, 10],
  ];
  assert.equal(begin([2, 5, 7, 9], 6, inside), 2);
  assert.equal(begin([2, 5, 7, 9], -1, inside), 2);
  assert.equal(begin([2, 5], -1, inside), 0);
  assert.equal(begin([2, 5], 8, inside), 0);
  assert.equal(begin([], -1, inside), -1);
});
