import assert from "node:assert/strict";
import { test } from "node:test";
import { Returning } from "../../viewer/frontend/debugger/returning.js";

test("only the answer to the newest question counts, and only once", () => {
  const returning = new Returning();
  assert.deepEqual([returning.ask(40), returning.ask(7)], [1, 2]);
  assert.deepEqual([returning.answered(undefined), returning.answered(0), returning.answered(1)], [null, null, null]);
  assert.deepEqual(returning.answered(2), { nth: 2, step: 7, kind: "", overview: null });
  assert.equal(returning.answered(2), null);
});

test("a jump made before the answer stays where it led, and Back undoes it", () => {
  const returning = new Returning();
  returning.moved();
  returning.postpone("step");
  assert.equal(returning.awaited, null);
  returning.ask(40, "", true);
  returning.moved();
  returning.postpone("step");
  returning.postpone("");
  assert.deepEqual(returning.answered(1), { nth: 1, step: -1, kind: "step", overview: null });
});
