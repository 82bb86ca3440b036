import assert from "node:assert/strict";
import { test } from "node:test";
import { between, reading } from "../../viewer/frontend/debugger/gauge.js";
import { Layout, TALLEST, scaling } from "../../viewer/frontend/run/layout.js";
import { Numbered, common, without } from "../../viewer/frontend/run/ranges.js";
import { inSummary } from "../../viewer/frontend/debugger/windowlist.js";
import { phaseSections, unplacedSections } from "../../viewer/frontend/debugger/phasewindow.js";
import { Run } from "../../viewer/frontend/run/model.js";
import { ADDED } from "../../viewer/frontend/run/pool.js";
import { takenBy } from "../../viewer/frontend/run/lifewords.js";
import { poolOf, rowOf, whereabouts, windowSections } from "../../viewer/frontend/run/sections.js";
import { withGhosts } from "../../viewer/frontend/run/ghosts.js";
import { FOLDED, run as packed } from "./packed.mjs";
import { smallRun } from "./small_run.mjs";

const titles = (sections) => sections.map((section) => `${section.title} (${section.count})`);
const section = (id, count, more = {}) => ({ id, title: id, count, row: (k) => ({ pool: k }), find: (pool) => (pool < count ? pool : -1), ...more });

test("before a compaction the window has a pinned head, what goes next, and the newest", () => {
  assert.deepEqual(titles(windowSections(smallRun(), 8)), [
    "Pinned: system (1)",
    "Compactable: first to be summarized (5)",
    "Recent: kept, 3 messages (3)",
  ]);
});

test("after a compaction its summary has a section of its own", () => {
  assert.deepEqual(titles(windowSections(smallRun(), 9)), ["Pinned: system (1)", "Summary (1)", "Recent: kept, 3 messages (3)"]);
});

test("how many messages a summary stands for is said once, where that is all of the window", () => {
  assert.deepEqual([inSummary(21, 28), inSummary(161, 161), inSummary(1, 1)], ["21 in the summary", "all in the summary", "in the summary"]);
});

test("the sections of a step hold every message of its window once, in order", () => {
  const run = smallRun();
  for (let i = 0; i < run.length; i++) {
    const rows = windowSections(run, i).flatMap((one) => Array.from({ length: one.count }, (_, k) => one.row(k).key));
    const window = run.window(i);
    assert.deepEqual(
      rows,
      Array.from({ length: window.size }, (_, k) => window.row(k).key),
    );
  }
});

const keysOf = (sections) => sections.map((one) => Array.from({ length: one.count }, (_, k) => one.row(k).key));

test("ghosts stand where they stood: behind the system prompt, in front of the summary that replaced them", () => {
  const run = smallRun();
  const sections = withGhosts(run, 10, windowSections(run, 10));
  assert.equal(sections[1].title, "Summarized earlier: 5 messages, no longer in the window");
  assert.deepEqual(keysOf(sections).slice(0, 3), [["m0"], ["m1", "m2", "m3", "m4", "m5"], ["c0.0"]]);
  assert.deepEqual([sections[1].row(0).ghost, sections[1].row(0).region], [true, "summarised"]);
});

test("ghosts from between the rows of a section stand among them, and are found there", () => {
  const run = smallRun();
  const section = { id: "all", title: "all", count: 4, row: (k) => ({ key: `m${[0, 3, 4, 8][k]}` }), find: (pool) => [0, 3, 4, 8].indexOf(pool) };
  const gaps = {
    ...run,
    pool: run.pool,
    window: () => ({ indexOf: (pool) => [0, 3, 4, 8].indexOf(pool) }),
    ghosts: () => [
      [1, 3],
      [5, 8],
    ],
    step: (i) => run.step(i),
    indexInWindow: () => -1,
    compaction: (k) => run.compaction(k),
  };
  const [mixed, ...others] = withGhosts(gaps, 10, [section]);
  assert.deepEqual(keysOf([mixed])[0], ["m0", "m1", "m2", "m3", "m4", "m5", "m6", "m7", "m8"]);
  assert.deepEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map(mixed.find), [0, 1, 2, 3, 4, 5, 6, 7, 8, -1]);
  assert.equal(others.length, 0);
});

/** The sections of a phase of the small run's compaction: of each its title, its note, and its rows by their keys, "" for an empty place. */
const still = (phase, first) =>
  phaseSections(smallRun(), 9, 0, phase, first).map(({ title, note, count, row }) => [
    title,
    note,
    Array.from({ length: count }, (_, k) => (row(k).blank ? "" : row(k).key)),
  ]);

test("trigger and splice are the windows before and after", () => {
  const run = smallRun();
  assert.deepEqual(titles(phaseSections(run, 9, 0, 1)), titles(windowSections(run, 8)));
  assert.deepEqual(titles(phaseSections(run, 9, 0, 4)), titles(windowSections(run, 9)));
});

test("partition leaves all rows where they were, says how many go and stay, and marks them", () => {
  assert.deepEqual(still(2), [
    ["Pinned: system", "1 stays", ["m0"]],
    ["Being summarized: 5 messages", "50 tokens", ["m1", "m2", "m3", "m4", "m5"]],
    ["Recent: kept, 3 messages", "3 stay", ["m6", "m7", "m8"]],
  ]);
  const [front, goes, stays] = phaseSections(smallRun(), 9, 0, 2).map(({ row }) => row(0));
  assert.deepEqual([front.taken, goes.taken, stays.taken, stays.region], [undefined, true, undefined, "recent"]);
});

/** A run with a second compaction, which leaves a window of these ranges. */
function twice(layout) {
  const [first] = FOLDED.c.added;
  const two = { at: [4, 1], layout: [FOLDED.c.layout[0], layout], added: [first, first], number: [1, 2] };
  const c = Object.fromEntries(Object.entries(FOLDED.c).map(([name, [one]]) => [name, two[name] ?? [one, one]]));
  return packed({ length: 8, heads: [1, 1, 1], bodies: [1, 1, 1], tails: [0, 1, 0, 1, -1, 1, 0, 1], c });
}

/** The sections of its partition. */
const partedAgain = (layout) => phaseSections(twice(layout), 6, 1, 2).map(({ title, note }) => [title, note]);

test("where several sections go each counts what stands under it: no count is a part of another", () => {
  const front = ["Pinned: system", "1 stays"];
  const summary = ["Being summarized: 1 earlier summary", "7 tokens"];
  const put = [0, 1, ADDED + 1, ADDED + 2];
  assert.deepEqual(partedAgain([...put, 4, 5]), [front, summary, ["Recent: kept, 2 messages", "1 goes · 1 stays"]]);
  assert.deepEqual(partedAgain(put), [front, summary, ["Being summarized: 2 messages", "90 tokens"]]);
});

test("summarize shows the summary where the first message went that was in sight; the others leave their places, what stays waits", () => {
  const recent = ["Recent: kept, 3 messages", "", ["m6", "m7", "m8"]];
  assert.deepEqual(still(3), [["Pinned: system", "", ["m0"]], ["Becoming summary #1", "", ["c0.0", "", "", "", ""]], recent]);
  assert.deepEqual(still(3, 4).slice(1), [["Becoming summary #1", "", ["c0.0", ""]], recent]);
  const [, section] = phaseSections(smallRun(), 9, 0, 3, 4);
  assert.deepEqual([section.find(4), section.find(5), section.find(1)], [0, 1, -1]);
});

test("of a section of which some stay, these are in sight under summarize, with what is put in among them", () => {
  const [, , recent] = phaseSections(twice([0, 1, ADDED + 1, ADDED + 2, 4, 5]), 6, 1, 3);
  assert.deepEqual([recent.count, recent.row(0).key, recent.find(4), recent.find(5)], [1, "m4", 0, -1]);
});

test("a summary that is in no place yet is in no row; what it stands for is there as ghosts", () => {
  const sections = unplacedSections(smallRun(), 9, 0);
  assert.deepEqual(
    sections.map(({ title, note }) => [title, note]),
    [
      ["Pinned: system", ""],
      ["Summarized: 5 messages", "50 tokens"],
      ["Recent: kept, 3 messages", ""],
    ],
  );
  const rows = sections.flatMap(({ count, row }) => Array.from({ length: count }, (_, k) => row(k)));
  assert.deepEqual(
    rows.map(({ key, ghost = false }) => [key, ghost]),
    [0, 1, 2, 3, 4, 5, 6, 7, 8].map((k) => [`m${k}`, k >= 1 && k <= 5]),
  );
});

test("that section says apart what of it is an earlier summary, which is no message", () => {
  const [, section] = unplacedSections(twice([0, 1, ADDED + 1, ADDED + 2]), 6, 1);
  assert.equal(section.title, "Summarized: 2 messages and 1 earlier summary");
});

test("what is dropped leaves its places; what is put in several at once stands one under the other", () => {
  const base = smallRun().view;
  const made = (c, kind) => new Run(smallRun().store, { ...base, policy: { ...base.policy, kind }, c: { ...base.c, ...c } });
  const rows = (run) => {
    const { title, count, row } = phaseSections(run, 9, 0, 3)[1];
    return [title, Array.from({ length: count }, (_, k) => (row(k).blank ? "" : row(k).key))];
  };
  const dropped = made({ layout: [[0, 1, 6, 9]], added: [[]], number: [-1] }, "drop");
  assert.deepEqual(rows(dropped), ["Dropped: 5 messages", ["", "", "", "", ""]]);
  const both = made({ layout: [[0, 1, ADDED, ADDED + 2, 6, 9]], added: [[...base.c.added[0], [2, "ack", 3, "noted", -1]]] });
  assert.deepEqual(rows(both), ["Becoming summary #1", ["c0.0", "c0.1", "", "", ""]]);
});

test("what an agent put back beside its summary is named so, and is no summary", () => {
  const base = smallRun().view;
  const added = [[...base.c.added[0], [1, "file", 30, "const shade = 1;", -1]]];
  const run = new Run(smallRun().store, { ...base, c: { ...base.c, layout: [[0, 1, ADDED, ADDED + 1, 6, 9, ADDED + 1, ADDED + 2]], added } });
  assert.deepEqual([run.pool.row(ADDED).label, run.pool.row(ADDED + 1).label], ["summary #1", "put back: file"]);
  assert.equal(run.pool.classOf(ADDED + 1), 0);
});

test("a message that the history holds in short never left: it is not put back", () => {
  const base = smallRun().view;
  const added = [[...base.c.added[0], [1, "shortened", 30, "long … long", -1]]];
  const run = new Run(smallRun().store, { ...base, c: { ...base.c, layout: [[0, 1, ADDED, ADDED + 1, 6, 9, ADDED + 1, ADDED + 2]], added } });
  assert.equal(run.pool.row(ADDED + 1).label, "shortened by the agent");
});

test("what is put in where nothing goes stands by itself, behind the message that it follows", () => {
  const base = smallRun().view;
  const run = new Run(smallRun().store, { ...base, c: { ...base.c, layout: [[0, 1, ADDED, ADDED + 1, 1, 9]] } });
  assert.deepEqual(titles(phaseSections(run, 9, 0, 3)).slice(0, 2), ["Pinned: system (1)", "Becoming summary #1 (1)"]);
});

test("a message is in the window, summarised, or not yet arrived, and the compaction that took it is known", () => {
  const run = smallRun();
  assert.deepEqual(whereabouts(run, 10, 7), { state: "window", index: 3, compaction: -1 });
  assert.deepEqual(whereabouts(run, 10, 2), { state: "summarised", index: -1, compaction: 0 });
  assert.equal(whereabouts(run, 10, 11).state, "later");
  assert.equal(whereabouts(run, 8, ADDED).state, "later");
  assert.deepEqual([takenBy(run, 3, 2), takenBy(run, 10, 7)], [0, -1], "until compaction 1, and to the end");
  assert.equal(takenBy(run, 10, 2), null, "a compaction that is over takes nothing later");
});

test("a row's key leads to its message; one that does not exist leads nowhere", () => {
  const run = smallRun();
  assert.deepEqual(
    ["m3", "c0.0", "m12", "c0.1", "c1.0", "x", null].map((key) => poolOf(run, key)),
    [3, ADDED, -1, -1, -1, -1, -1],
  );
  assert.equal(rowOf(run, ADDED).region, "summary");
});

test("the numbers of the gauge add up to its total, also on the way between two steps", () => {
  const run = smallRun();
  const sum = (read) => read.parts.reduce((total, part) => total + part.tokens, 0);
  assert.equal(reading(run, run.step(8)).total, "= 90 of 80");
  assert.equal(reading(run, run.step(8)).over, true);
  assert.equal(sum(reading(run, run.step(9))), 47);
  for (const done of [0, 0.31, 0.77, 1]) {
    const half = between(run.step(8), run.step(9), done);
    assert.equal(sum(reading(run, half)), half.tokens);
  }
});

test("on the way the total is that of the card and the pill, whatever rounding does to the regions", () => {
  const none = { regions: {}, tokens: 0, counted: 0 };
  const one = { regions: { system: 1, summary: 1, compactable: 1, recent: 1, cleared: 1 }, tokens: 5, counted: 5 };
  for (const [done, tokens] of [
    [0.4, 2],
    [0.6, 3],
  ]) {
    const read = between(none, one, done);
    assert.deepEqual([read.tokens, Object.values(read.regions).reduce((sum, part) => sum + part)], [tokens, tokens]);
  }
});

test("rows are found by arithmetic: at a height, by number, by message", () => {
  const layout = new Layout([section("a", 2), section("b", 3)]);
  assert.equal(layout.height, 2 * 22 + 5 * 28);
  assert.deepEqual(layout.at(0), { section: 0, k: -1, y: 0, height: 22 });
  assert.deepEqual(layout.at(22 + 28), { section: 0, k: 1, y: 50, height: 28 });
  assert.deepEqual(layout.nth(2), { section: 1, k: 0, y: 22 + 56 + 22, height: 28 });
  assert.deepEqual(layout.at(1e9), layout.nth(4));
  assert.equal(layout.nth(5), null);
  assert.equal(layout.find(9), null);
  assert.equal(new Layout([]).at(0), null);
});

test("a list rests with a heading, or a whole row under where its heading sticks, at the top", () => {
  const layout = new Layout([section("a", 2), section("b", 3)]);
  assert.deepEqual(
    [-5, 0, 1, 28, 29, 78, 79, 1e9].map((y) => layout.snap(y)),
    [0, 0, 28, 28, 78, 78, 106, 134],
  );
});

test("what is in sight of a hundred million rows is a screenful, and the last of them can be scrolled to", () => {
  const layout = new Layout([section("a", 1e8)]);
  const { element, virtual, scroll } = scaling(layout.height, 600);
  assert.equal(element, TALLEST);
  const top = virtual(element - 600);
  assert.equal(Math.round(top), layout.height - 600);
  assert.equal(layout.between(top, top + 600).at(-1).k, 1e8 - 1);
  assert.equal(Math.round(scroll(top)), element - 600);
});

test("ranges are cut and joined in the order of the window", () => {
  assert.deepEqual(
    without(
      [
        [0, 10],
        [20, 25],
      ],
      [
        [22, 30],
        [2, 4],
      ],
    ),
    [
      [0, 2],
      [4, 10],
      [20, 22],
    ],
  );
  assert.deepEqual(
    common(
      [
        [20, 25],
        [0, 10],
      ],
      [
        [2, 4],
        [22, 30],
      ],
    ),
    [
      [22, 25],
      [2, 4],
    ],
  );
  assert.deepEqual(
    [
      without(
        [[4, 10]],
        [
          [2, 4],
          [10, 12],
        ],
      ),
      common(
        [[4, 10]],
        [
          [2, 4],
          [10, 12],
        ],
      ),
    ],
    [[[4, 10]], []],
  );
  const numbered = new Numbered([
    [20, 22],
    [3, 5],
  ]);
  assert.deepEqual(
    [0, 1, 2, 3].map((k) => numbered.at(k)),
    [20, 21, 3, 4],
  );
  assert.deepEqual(
    [20, 4, 5, 2].map((pool) => numbered.indexOf(pool)),
    [0, 3, -1, -1],
  );
});
