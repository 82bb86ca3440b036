// What the Tune page draws of a problem, without a browser.
import assert from "node:assert/strict";
import { test } from "node:test";
import "./dom.mjs";

test("what is wrong stands over the way out, which may be long", async () => {
  const { told } = await import("../../viewer/frontend/tune/verdict.js");
  const said = (problem) => told(problem).map((node) => [node.tagName.toLowerCase(), node.textContent]);
  assert.deepEqual(said("unknown policy 'x'; known: a, b; c"), [
    ["span", "Unknown policy 'x'"],
    ["small", "Known: a, b; c"],
  ]);
  assert.deepEqual(said("no such file"), [["span", "No such file"]]);
});
