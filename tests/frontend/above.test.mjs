// What a list has above what is in sight, and a switch that nothing but a person moves.
import assert from "node:assert/strict";
import { test } from "node:test";
import "./dom.mjs";
import { aboveCount, aboveWords } from "../../viewer/frontend/run/above.js";
import { HEADING, Layout, ROW } from "../../viewer/frontend/run/layout.js";
import { el } from "../../viewer/frontend/lib/dom.js";
import { wrapSwitch } from "../../viewer/frontend/lib/wrap.js";

const section = (id, count, more = {}) => ({ id, title: id, count, row: () => ({ label: "summary #2" }), find: () => -1, ...more });
const WINDOW = new Layout([section("system", 1), section("summary", 1), section("compactable", 65), section("recent", 8)]);
const [SUMMARY, COMPACTABLE, RECENT] = WINDOW.tops.slice(1);

test("what has been scrolled away above is counted by what it is, whole rows alone", () => {
  assert.equal(aboveWords(WINDOW, 0, 0), "");
  assert.equal(aboveWords(WINDOW, 0, SUMMARY), "1 pinned");
  assert.equal(aboveWords(WINDOW, 0, COMPACTABLE + HEADING + ROW - 1), "1 pinned · summary #2");
  assert.equal(aboveWords(WINDOW, 0, COMPACTABLE + HEADING + 41 * ROW), "1 pinned · summary #2 · 41 compactable");
  assert.equal(aboveCount(WINDOW, 0, COMPACTABLE + HEADING + 41 * ROW), 43);
  assert.equal(aboveWords(WINDOW, 0, RECENT + HEADING + 2 * ROW), "1 pinned · summary #2 · 65 compactable · 2 recent");
});

test("what stays in sight at the top is not above; several summaries and plain messages are called what they are", () => {
  assert.equal(aboveWords(WINDOW, SUMMARY, COMPACTABLE + HEADING), "summary #2");
  const other = new Layout([section("summary", 3), section("compactable", 9, { unit: "message" })]);
  assert.equal(aboveWords(other, 0, other.height), "3 summaries · 9 messages");
  assert.equal(aboveWords(other, 0, other.tops[1] + HEADING + ROW), "3 summaries · 1 message");
});

test("the switch stays as a person left it: another kind of text or a mark in it does not move it", () => {
  const body = el("div", {}, el("div", { "data-kind": "code" }));
  const { node, show } = wrapSwitch(body);
  const state = () => [node.getAttribute("aria-checked"), node.hasAttribute("hidden"), body.classList.contains("fl-long-code")];
  assert.deepEqual(state(), ["false", false, true]);
  body.firstElementChild.dataset.kind = "prose";
  show();
  assert.deepEqual(state(), ["false", true, true]);
  body.firstElementChild.dataset.kind = "code";
  node.click();
  assert.deepEqual(state(), ["true", false, false]);
  body.firstElementChild.append(el("mark", { text: "sought" }));
  show();
  assert.deepEqual(state(), ["true", true, false]);
  body.firstElementChild.replaceChildren();
  node.click();
  assert.deepEqual(state(), ["false", false, true]);
});
