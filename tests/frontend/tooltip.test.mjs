// A word that explains itself.
import assert from "node:assert/strict";
import { test } from "node:test";
import "./dom.mjs";

const { chip } = await import("../../viewer/frontend/lib/tooltip.js");

test("a chip with an explanation can be focused, and names its tooltip as its description", () => {
  const whole = chip("partial", "Not everything is recorded.");
  const [word, tooltip] = whole.children;
  assert.deepEqual([word.textContent, word.getAttribute("tabindex")], ["partial", "0"]);
  assert.deepEqual([tooltip.getAttribute("role"), tooltip.textContent], ["tooltip", "Not everything is recorded."]);
  assert.equal(word.getAttribute("aria-describedby"), tooltip.getAttribute("id"));
});

test("a chip without one is just a word", () => {
  const plain = chip("simulated");
  assert.deepEqual([plain.getAttribute("tabindex"), plain.children.length], [null, 0]);
});
