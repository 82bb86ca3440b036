// What is kept of the lessons: how each answer was come to, and what counts at the end.
import assert from "node:assert/strict";
import { test } from "node:test";
import "./dom.mjs";

const { tallyWords } = await import("../../viewer/frontend/learn/ending.js");
const { Progress } = await import("../../viewer/frontend/learn/progress.js");

test("the first answer to a question counts; one that is right later has its tick beside the question alone", () => {
  const progress = new Progress();
  progress.clear();
  progress.say("bill", 1, "A", true);
  for (const [step, guess] of [
    [2, "B"],
    [3, null],
  ]) {
    progress.say("bill", step, guess, false);
    progress.say("bill", step, "A", true);
  }
  assert.deepEqual(
    [1, 2, 3].map((step) => progress.standing("bill", step)),
    ["right", "right", "right"],
  );
  progress.say("bill", 1, "B", false);
  assert.equal(progress.standing("bill", 1), "wrong");
  assert.deepEqual(new Progress().tally("bill"), { right: 1, wrong: 1, shown: 1 });
  assert.equal(tallyWords(progress.tally("bill")), "Your first answers: 1 right, 1 not right, 1 shown.");
});

test("a task that was shown counts as shown, also once it is solved by them; one that they solved stays solved", () => {
  const progress = new Progress();
  progress.clear();
  progress.solve("bill", 4, true);
  progress.solve("bill", 4, false);
  progress.solve("bill", 5, false);
  progress.solve("bill", 5, true);
  assert.deepEqual([progress.standing("bill", 4), progress.standing("bill", 5)], ["right", "right"]);
  assert.deepEqual(progress.tally("bill"), { right: 1, wrong: 0, shown: 1 });
});

test("what an earlier version kept, which says nothing of the first answer, counts as it stands", () => {
  const progress = new Progress();
  progress.clear();
  progress.lessons = { bill: { done: [1], at: 1, said: { 1: { guess: null, right: false } } } };
  assert.deepEqual(progress.tally("bill"), { right: 0, wrong: 0, shown: 1 });
  progress.say("bill", 1, "A", true);
  assert.deepEqual([progress.standing("bill", 1), progress.tally("bill")], ["right", { right: 0, wrong: 0, shown: 1 }]);
});
