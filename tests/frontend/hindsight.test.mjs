// The regions of a run as recorded: told with hindsight, by what the next compaction took.
import assert from "node:assert/strict";
import { test } from "node:test";
import { reading } from "../../viewer/frontend/debugger/gauge.js";
import { wordOf } from "../../viewer/frontend/debugger/row.js";
import { ADDED } from "../../viewer/frontend/run/pool.js";
import { windowSections } from "../../viewer/frontend/run/sections.js";
import { FOLDED, run } from "./packed.mjs";

// Six messages; when four had arrived, messages 1 and 2 became a summary of 7 and message 3 was kept. No policy: as recorded.
const recorded = (c = {}) => run({ kind: "replay", policy: null, tails: [1, 1, 1, 0, 0, 0, 0], c: { ...FOLDED.c, fidelity: ["partial"], ...c } });
// The same, where the record names no message that stayed.
const unnamed = () => recorded({ layout: [[0, 1, ADDED, ADDED + 1]] });
const headings = (made, step) => windowSections(made, step).map(({ title, note, count }) => `${title} | ${note} | ${count}`);
const regions = (made, step) => Array.from({ length: made.window(step).size }, (_, k) => made.window(step).regionAt(k));

test("what the next recorded compaction took is compactable, what it kept is recent", () => {
  const made = recorded();
  assert.deepEqual(regions(made, 3), ["system", "compactable", "compactable", "recent"]);
  assert.deepEqual(made.step(3).regions, { system: 10, summary: 0, compactable: 50, recent: 40, message: 0, cleared: 0 });
});

test("behind the last compaction a message has no region of its own", () => {
  const made = recorded();
  assert.deepEqual(regions(made, 6), ["system", "summary", "message", "message", "message"]);
  assert.deepEqual(made.step(6).regions, { system: 10, summary: 7, compactable: 0, recent: 0, message: 150, cleared: 0 });
});

test("the legend says of messages behind the last compaction that none follows, not where a record leaves it open", () => {
  const named = (made, step) => reading(made, made.step(step)).parts.flatMap(({ region, name }) => (region === "message" ? [name] : []));
  assert.deepEqual([named(recorded(), 3), named(recorded(), 6)], [[], ["no later compaction"]]);
  const open = recorded({ micro: [1], layout: [[0, 4]], added: [[]], emptied: [0] });
  assert.deepEqual([named(open, 3), named(open, 6)], [["messages"], ["no later compaction"]]);
  const none = run({ kind: "replay", policy: null, c: { ...FOLDED.c, at: [], layout: [], added: [], emptied: [] } });
  assert.deepEqual(named(none, 3), ["messages"]);
});

test("headings say that it is hindsight, and no more than the record does", () => {
  assert.deepEqual(headings(recorded(), 3), [
    "Pinned: system |  | 1",
    "The next compaction removes these | 2 messages | 2",
    "The next compaction keeps these | 1 message | 1",
  ]);
  assert.match(headings(recorded({ fidelity: ["exact"] }), 3)[1], /^The next compaction removes these/);
  assert.match(headings(recorded(), 6)[2], /^Messages: no later compaction/);
  assert.deepEqual(headings(unnamed(), 3).slice(1), ["Before the next compaction | 3 messages | 3"]);
  const found = recorded({ fidelity: ["inferred"] });
  assert.deepEqual(headings(found, 3).slice(1), [
    "Later prompts may leave these out | 2 messages | 2",
    "Later prompts may hold these | 1 message | 1",
  ]);
});

test("a summary behind messages that no compaction takes any more has a heading of its own", () => {
  const behind = recorded({ layout: [[0, 1, 3, 4, ADDED, ADDED + 1]] });
  assert.deepEqual(headings(behind, 6), [
    "Pinned: system |  | 1",
    "Messages: no later compaction | 1 message | 1",
    "Summary |  | 1",
    "Messages: no later compaction | 2 messages | 2",
  ]);
});

test("where the record does not say what went, the legend, the row and the plan call it inferred, and say why", () => {
  const made = unnamed();
  const { parts, inferred } = reading(made, made.step(3));
  assert.deepEqual(
    parts.map(({ name }) => name),
    ["system", "compactable (inferred)"],
  );
  assert.match(inferred, /^Inferred: the record names no message that this compaction kept\./);
  assert.match(wordOf(made.window(3).row(1)), /^compactable, inferred: /);
  assert.equal(made.plan(3).text, "As recorded. The next compaction is 1 step away; its record names no message that it kept.");
  assert.equal(reading(recorded(), recorded().step(3)).inferred, "", "what the record says is not inferred");
});

test("where the record does not say what went, the heading does", () => {
  const silent = recorded({ micro: [1], layout: [[0, 4]], added: [[]] });
  assert.match(headings(silent, 3)[1], /^Messages: the record does not say what is cleared next/);
  assert.deepEqual(regions(silent, 3), ["system", "message", "message", "message"]);
});

test("what stays among what is taken is counted out, and stands where it stands", () => {
  const scattered = recorded({ layout: [[0, 1, ADDED, ADDED + 1, 2, 3]] });
  assert.deepEqual(regions(scattered, 3), ["system", "compactable", "recent", "compactable"]);
  assert.deepEqual(scattered.step(3).regions, { system: 10, summary: 0, compactable: 60, recent: 30, message: 0, cleared: 0 });
  const tailless = run({ kind: "replay", policy: null, tails: [4, 0, 0, 0, 0, 0, 0], c: { ...FOLDED.c, layout: [[0, 1, ADDED, ADDED + 1, 2, 3]] } });
  assert.match(headings(tailless, 3)[1], /^The next compaction removes some of these \| 2 removed, 1 kept/);
  assert.match(scattered.plan(3).text, /as it turns out, it removes 2 of these 4 messages/);
});

// When five messages had arrived, message 2 became a summary behind 1; when six had, the next compaction took the summary, message 4 and 5.
test("a summary behind what was kept has a heading of its own, and none says of it that messages go", () => {
  const made = run({
    kind: "replay",
    policy: null,
    tails: [1, 1, 1, 0, 0, 0, 0],
    c: {
      ...FOLDED.c,
      at: [4, 6],
      before: [100, 120],
      after: [77, 90],
      folded: [1, 2],
      number: [1, 2],
      summaryTokens: [7, 7],
      removedTokens: [20, 50],
      status: [0, 0],
      recordedBefore: [-1, -1],
      recordedAfter: [-1, -1],
      micro: [0, 0],
      layout: [
        [0, 2, ADDED, ADDED + 1, 3, 4],
        [0, 2, 3, 4, ADDED + 1, ADDED + 2],
      ],
      added: [[[1, "summary", 7, "one", -1]], [[1, "summary", 7, "two", -1]]],
    },
  });
  const front = ["Pinned: system |  | 1", "The next compaction keeps these | 1 message | 1", "Summary |  | 1"];
  assert.deepEqual(headings(made, 4), [...front, "The next compaction keeps these | 1 message | 1"]);
  assert.deepEqual(headings(made, 6), [...front, "The next compaction removes some of these | 2 removed, 1 kept | 3"]);
});

test("the legend and a row say hindsight", () => {
  const made = recorded();
  const names = reading(made, made.step(3)).parts.map(({ name }) => name);
  assert.deepEqual(names, ["system", "compactable (hindsight)", "recent (hindsight)"]);
  assert.equal(wordOf(made.window(3).row(1)), "compactable, as it turns out: the next recorded compaction removed it");
  assert.equal(wordOf(made.window(3).row(3)), "recent, as it turns out: the next recorded compaction kept it");
  assert.equal(wordOf(made.window(6).row(4)), "in the window");
});
