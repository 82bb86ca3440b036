import assert from "node:assert/strict";
import { test } from "node:test";
import { ADDED } from "../../viewer/frontend/run/pool.js";
import { run } from "./packed.mjs";

const rows = (r, i) => Array.from({ length: r.window(i).size }, (_, k) => r.window(i).row(k));

test("the window grows by a message a step, and a compaction rewrites it", () => {
  const r = run();
  assert.deepEqual(
    rows(r, 3).map((row) => row.key),
    ["m0", "m1", "m2", "m3"],
  );
  assert.deepEqual(
    rows(r, 4).map((row) => row.key),
    ["m0", "c0.0", "m3"],
  );
  assert.deepEqual(
    rows(r, 6).map((row) => row.key),
    ["m0", "c0.0", "m3", "m4", "m5"],
  );
});

test("tokens of the regions add up to the step's tokens at every step", () => {
  const r = run();
  for (let i = 0; i < r.length; i++) {
    const { tokens, regions } = r.step(i);
    assert.equal(
      Object.values(regions).reduce((a, b) => a + b),
      tokens,
    );
    assert.equal(
      rows(r, i).reduce((sum, row) => sum + row.tokens, 0),
      tokens,
    );
  }
});

test("each row has the region the cuts give it", () => {
  const r = run();
  assert.deepEqual(
    rows(r, 3).map((row) => row.region),
    ["system", "compactable", "recent", "recent"],
  );
  assert.deepEqual(
    rows(r, 6).map((row) => row.region),
    ["system", "summary", "compactable", "recent", "recent"],
  );
});

test("a step says what happened at it", () => {
  const r = run();
  const at = r.step(4);
  assert.deepEqual([at.kind, at.compaction, at.messages, at.epoch, at.turn, at.tokens], ["compaction", 0, 4, 1, 1, 57]);
  assert.deepEqual([r.step(3).kind, r.step(3).messages, r.step(6).turn], ["message", 4, 2]);
});

test("messages and steps are found from each other", () => {
  const r = run();
  assert.deepEqual(
    [0, 3, 4, 5].map((m) => r.stepOfMessage(m)),
    [0, 3, 5, 6],
  );
  assert.equal(r.indexInWindow(6, 3), 2);
  assert.equal(r.indexInWindow(6, 1), -1);
  assert.equal(r.indexInWindow(2, 4), -1);
});

test("ghosts are the messages that arrived and left", () => {
  assert.deepEqual(run().ghosts(6), [[1, 3]]);
  assert.deepEqual(run().ghosts(2), []);
});

test("an emptied message is not a ghost: it is in the window under another body", () => {
  const added = [[[3, "cleared", 2, "[cleared]", 3]]];
  const r = run({ c: { ...run().view.c, at: [4], layout: [[0, 3, ADDED, ADDED + 1]], added } });
  assert.deepEqual(r.ghosts(4), []);
  assert.deepEqual(rows(r, 4).at(-1).region, "cleared");
  assert.equal(r.step(4).regions.cleared, 2);
});

test("compactions and turns are found forward and back", () => {
  const r = run();
  assert.deepEqual([r.nextCompaction(0), r.nextCompaction(4), r.previousCompaction(4), r.previousCompaction(6)], [4, -1, -1, 4]);
  assert.deepEqual([r.nextTurn(0), r.nextTurn(1), r.nextTurn(6)], [1, 6, 6]);
  assert.deepEqual([r.previousTurn(6), r.previousTurn(3), r.previousTurn(1)], [1, 1, 0]);
});

test("a compaction's card has its numbers and what it put in", () => {
  const card = run().compaction(0);
  assert.deepEqual([card.step, card.folded, card.number, card.status], [4, 2, 1, "compacted"]);
  assert.equal(card.added[0].label, "summary #1");
});

test("a policy that counts the active window leaves out system messages and summaries", () => {
  const r = run({ policy: { ...run().view.policy, counts: "active" } });
  assert.deepEqual([r.step(3).counted, r.step(4).counted, r.step(6).counted], [90, 40, 150]);
});

test("a message of the transcript in the words of a summary is in the summary region", () => {
  const r = run({ worded: [1] });
  assert.deepEqual(
    rows(r, 2).map((row) => row.region),
    ["system", "summary", "recent"],
  );
  assert.deepEqual(r.step(2).regions, { system: 10, summary: 20, compactable: 0, recent: 30, message: 0, cleared: 0 });
});
