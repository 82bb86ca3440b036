// At which step Debug opens a live run.
import assert from "node:assert/strict";
import { test } from "node:test";
import { arriveAt, leaveFor, stoodAt } from "../../viewer/frontend/run/liveplaces.js";

test("Debug opens the run it was left for at the step that was looked at, once, and no other source there", () => {
  stoodAt("run-1", 7);
  assert.equal(arriveAt("path:/data/run-1.jsonl"), -1, "nobody has asked for Debug");
  leaveFor("run-1");
  assert.equal(arriveAt("path:/data/run-2.jsonl"), -1);
  assert.equal(arriveAt("path:/data/run-1.jsonl"), 7);
  assert.equal(arriveAt("path:/data/run-1.jsonl"), -1);
  leaveFor("run-3");
  assert.equal(arriveAt("path:/data/run-3.jsonl"), -1, "it was not looked at");
});
