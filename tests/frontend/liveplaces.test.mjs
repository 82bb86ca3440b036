// At which step Debug opens a live run, and what it follows there.
import assert from "node:assert/strict";
import { test } from "node:test";
import { arriveAt, leaveFor, stoodAt } from "../../viewer/frontend/run/liveplaces.js";

const nowhere = { step: -1, texts: {} };

test("Debug opens the run it was left for at the step that was looked at, once, and no other source there", () => {
  stoodAt("run-1", 7);
  assert.deepEqual(arriveAt("path:/data/run-1.jsonl"), nowhere, "nobody has asked for Debug");
  leaveFor("run-1", { why: "the rule" });
  assert.deepEqual(arriveAt("path:/data/run-2.jsonl"), nowhere);
  assert.deepEqual(arriveAt("path:/data/run-1.jsonl"), { step: 7, texts: { why: "the rule" } });
  assert.deepEqual(arriveAt("path:/data/run-1.jsonl"), nowhere);
  leaveFor("run-3");
  assert.deepEqual(arriveAt("path:/data/run-3.jsonl"), nowhere, "it was not looked at");
});
