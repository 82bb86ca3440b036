// What Why says where it can follow nothing that was lost: never more than is known.
import assert from "node:assert/strict";
import { test } from "node:test";
import { offerWords } from "../../viewer/frontend/run/offerwords.js";
import { run } from "./packed.mjs";

const NO_REQUESTS = { of: 0, gone: 0, open: 0, answered: 0, stopped: 0, here: [0, 0, 0, 0], reworded: 0, at: -1, text: "", listed: [] };
const row = (more = {}) => ({
  ...{ index: 0, step: 4, taken: 2, told: [], told_total: 0, names: [], names_total: 0, rules: [0, 0], requests: NO_REQUESTS },
  ...{ unreadable: "", results: 1, again: 0, unseen: 0, unseen_more: 0, typed: [0, 0], ...more },
});

/** A run as recorded, with so many compactions. */
function recorded(compactions, header = {}, view = { kind: "replay" }) {
  const made = run({ tid: "offer", stamp: "offer", ...view }, { sid: "offer", ...header });
  return Object.defineProperty(Object.create(made), "compactions", { value: compactions });
}
const RECORDED = { at: [], before: [], after: [], prompts: { at: [], tokens: [] } };
const title = (of, rows, k = -1) => offerWords(of, rows, k).title;

test("where all summaries were read it says that nothing was lost, of a simulation that nothing would be", () => {
  assert.equal(title(recorded(1), [row()]), "Nothing that Why can follow was lost.");
  assert.equal(title(recorded(1), [row()], 0), "Nothing that Why can follow was lost here.");
  assert.equal(title(recorded(1, {}, {}), [row()], 0), "Nothing that Why can follow would be lost here.");
});

test("where a summary cannot be read, prompts held more, or the file begins in the middle, only what is known is said", () => {
  const sealed = row({ unreadable: "encrypted" });
  const known = "Nothing that Why can follow is known to be lost.";
  const part = offerWords(recorded(2), [row(), sealed], -1);
  assert.equal(part.title, known);
  assert.match(part.text, / What else was forgotten cannot be known: 1 summary is encrypted\./);
  assert.equal(title(recorded(1), [sealed]), "What was lost cannot be known.");
  assert.equal(title(recorded(1), [row({ unseen: 40 })]), known);
  assert.equal(title(recorded(1), [row({ taken: 0 })]), known);
  assert.equal(title(recorded(1, { startsMidway: true }), [row()]), known);
  assert.equal(title(recorded(1, { recorded: { ...RECORDED, uncertain: [[2, 9]] } }), [row()]), known);
});

test("a file that begins with its summary says that what that stands for is not in it", () => {
  const begun = recorded(1);
  begun.compaction = () => ({ step: 0, before: 0 });
  const words = offerWords(begun, [row({ taken: 0 })], 0);
  assert.deepEqual(words, {
    title: "What was lost cannot be known.",
    text: "The file begins with its summary: what that stands for is not in the file.",
  });
});

test("without a compaction nothing was lost, unless prompts shrank or the file begins in the middle: then none is recorded", () => {
  assert.equal(title(recorded(0), []), "Nothing was lost.");
  assert.equal(title(recorded(0, {}, {}), []), "Nothing would be lost.");
  assert.equal(title(recorded(0, {}, { live: true }), []), "Nothing was lost so far.");
  const shrank = offerWords(recorded(0, { recorded: { ...RECORDED, uncertain: [[2, 9]] } }), [], -1);
  assert.deepEqual(shrank, {
    title: "No compaction is recorded.",
    text: "The window is uncertain from message 3 on: the recorded prompt shrank, and no compaction is recorded.",
  });
  assert.equal(title(recorded(0, { startsMidway: true }), []), "No compaction is recorded.");
});
