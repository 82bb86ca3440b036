// What the Tune page draws of a problem, without a browser.
import assert from "node:assert/strict";
import { test } from "node:test";
import "./dom.mjs";

test("what is wrong stands over the way out, which may be long", async () => {
  const { problemNodes } = await import("../../viewer/frontend/tune/verdict.js");
  const said = (problem) => problemNodes(problem).map((node) => [node.tagName.toLowerCase(), node.textContent]);
  assert.deepEqual(said("Unknown policy 'x.y'. Known: a, b; c."), [
    ["span", "Unknown policy 'x.y'."],
    ["small", "Known: a, b; c."],
  ]);
  assert.deepEqual(said("No such file."), [["span", "No such file."]]);
});

test("over an empty map stands what is awaited: sessions that are read, settings that are chosen, a press of Run", async () => {
  const { emptyText } = await import("../../viewer/frontend/tune/heatmap.js");
  const tuning = { chosen: { kind: "this" }, sessions: [{}], grids: [], preparing: 0, reading: null, found: { sessions: [{}] } };
  const said = (more) => emptyText({ ...tuning, ...more });
  assert.equal(said({ found: null, reading: [0, 1] }), "Reading…");
  assert.equal(said({ found: null, reading: [2, 9] }), "Reading 2 of 9 files…");
  assert.equal(said({ preparing: 1 }), "Choosing settings that suit the sessions…");
  assert.equal(said({ grids: [{}] }), "Run shows which of these settings suits the sessions.");
  const small = "too few for a budget to matter. Choose a folder, the Library or a longer session.";
  assert.equal(said({ sessions: [{ tokens: 12 }] }), `This session has 12 tokens: ${small}`);
  assert.equal(said({ sessions: [{ tokens: 1 }, { tokens: 999 }] }), `The largest session has 999 tokens: ${small}`);
  assert.equal(said({ sessions: [{ tokens: 1 }, { tokens: 1000 }], grids: [{}] }), "Run shows which of these settings suits the sessions.");
});
