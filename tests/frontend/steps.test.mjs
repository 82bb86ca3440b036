// Where a key for a phase leads nowhere.
import assert from "node:assert/strict";
import { test } from "node:test";
import { noCompactionHere } from "../../viewer/frontend/run/places.js";
import { smallRun } from "./small_run.mjs";

test("where no compaction is, the key that leads to one is named: to the next, behind the last to that", () => {
  const run = smallRun(); // it compacts at step 9
  assert.equal(noCompactionHere(run, 3), "No compaction here: press n for the next one");
  assert.equal(noCompactionHere(run, 11), "No compaction here: press p for the last one");
  assert.equal(noCompactionHere(smallRun({ compactions: false }), 3), "This run has no compaction");
});
