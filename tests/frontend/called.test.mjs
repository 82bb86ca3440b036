// Calls that Find looks for by what they are.
import assert from "node:assert/strict";
import { test } from "node:test";
import { callsIn, messagesOf, textIn } from "../../viewer/frontend/run/called.js";

const CALLED = {
  tool: { Edit: [7, 3, 3], NotebookEdit: [9], edit: [5], Grep: [2] },
  wrote: { "a.go": [3], "src/a.go": [4], "C:\\src\\b.go": [6], "src/ab.go": [8] },
  is: { error: [2, 9] },
};

test("a query names calls by tool:, wrote: or a known is:, and else is a text", () => {
  assert.deepEqual(callsIn(" tool:Web Search "), { kind: "tool", name: "Web Search" });
  assert.deepEqual(callsIn("Wrote:src/a.go"), { kind: "wrote", name: "src/a.go" });
  assert.deepEqual(callsIn("is:error"), { kind: "is", name: "error" });
  for (const text of ["", "tool:", "tool: edit", "my tool:edit", "is:open", "file:a.go", "wrote"]) {
    assert.equal(callsIn(text), null, text);
    assert.equal(textIn(` ${text}`), text.trim());
  }
  assert.equal(textIn("tool:Edit"), "");
});

test("a name is the one that is written so, else that in other letters, the end of a path, a part", () => {
  const found = (query) => messagesOf(CALLED, callsIn(query));
  assert.deepEqual(found("tool:Edit"), { hits: [3, 7], calls: 3 });
  assert.deepEqual(found("tool:edit"), { hits: [5], calls: 1 });
  assert.deepEqual(found("tool:EDIT"), { hits: [3, 5, 7], calls: 4 });
  assert.deepEqual(found("tool:book"), { hits: [9], calls: 1 });
  assert.deepEqual(found("wrote:a.go"), { hits: [3], calls: 1 });
  assert.deepEqual(found("wrote:src/a.go"), { hits: [4], calls: 1 });
  assert.deepEqual(found("wrote:src/b.go"), { hits: [6], calls: 1 }, "by either slash");
  assert.deepEqual(found("wrote:b.go"), { hits: [6], calls: 1 }, "not that which only ends in these letters");
  assert.deepEqual(found("wrote:.go"), { hits: [3, 4, 6, 8], calls: 4 });
  assert.deepEqual(found("is:refused"), { hits: [], calls: 0 });
});
