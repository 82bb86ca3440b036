import assert from "node:assert/strict";
import { test } from "node:test";
import { queryOf, stepIn } from "../../viewer/frontend/debugger/address.js";

test("an address holds source, policy, settings and the step, in that order", () => {
  const query = { source: "sample:claude_code/a b.jsonl", policy: "agentkit.memory", budget: 400, note: null, empty: "" };
  assert.equal(queryOf(query, 12), "source=sample:claude_code/a+b.jsonl&policy=agentkit.memory&budget=400&step=12");
});

test("what would break an address is escaped", () => {
  const there = new URLSearchParams(queryOf({ source: "path:/a&b=c#d%2F?é" }, 0));
  assert.equal(there.get("source"), "path:/a&b=c#d%2F?é");
});

test("a step is a whole number, anything else is no step", () => {
  assert.deepEqual(["204", " 7 ", "0", "", "-1", "1e3", "x", null, undefined, "12345678901"].map(stepIn), [204, 7, 0, -1, -1, -1, -1, -1, -1, -1]);
});
