// What stands before the first compaction of a presented run and behind its last. Run by test_frontend.py with node.
import assert from "node:assert/strict";
import { test } from "node:test";
import { smallRun } from "./small_run.mjs";
import { sumsOf } from "./sums.mjs";

await import("./dom.mjs");
const { Bookends } = await import("../../viewer/frontend/debugger/bookends.js");
const { Run } = await import("../../viewer/frontend/run/model.js");

const COMPACTION = 9;
const LOSSES = { index: 0, step: COMPACTION, taken: 5, told: [], told_total: 0, names: [], names_total: 0, results: 2, result_tokens: 20, again: 1 };
const MORE = { again_steps: [11], unseen: 0, unreadable: "", requests: { of: 2, here: [0, 0, 0, 0], at: -1, text: "" }, typed: [1, 2, 2] };
const ROW = { ...LOSSES, ...MORE, rules: [0, 0], quoted: [0, 0], goal: "", work: "", opening: "" };
const OVERVIEW = { turns: [], sums: sumsOf({ typed: 2, calls: 3 }), last: "reply", closing: { at: 9, text: "Done." } };

/** The bookends of a run that is presented from its first step, with all that is known of it. @param {object} [view] @param {object} [known] */
async function presented(view = {}, known = {}) {
  const run = smallRun();
  const told = [];
  const app = {
    run: new Run(run.store, { ...run.view, kind: "replay", policy: null, ...view }),
    step: 0,
    opens: true,
    whole: false,
    show: { now: null },
    root: { toggleAttribute: (name, on) => told.push([name, on]) },
    notify: (change) => told.push(change),
    get: async () => OVERVIEW,
    stopped: { signal: new AbortController().signal },
  };
  const path = { known: true, whole: true, unsought: false, stops: [], rows: [ROW], ...known };
  const bookends = new Bookends(app, path);
  await new Promise((done) => bookends.learn(done));
  return { app, bookends, told };
}

test("behind the title stands what happened, behind the last compaction what came of it; back leads the same way", async () => {
  const { app, bookends } = await presented();
  assert.deepEqual([bookends.now, bookends.next, bookends.previous], ["title", "headline", ""]);
  bookends.show("headline");
  assert.deepEqual([bookends.now, bookends.next, bookends.previous], ["headline", "", "title"]);
  bookends.show("");
  app.step = COMPACTION;
  assert.deepEqual([bookends.now, bookends.next, bookends.previous], ["", "end", "headline"]);
  app.step = bookends.stepOf("end");
  bookends.show("end");
  assert.deepEqual([bookends.now, bookends.next, bookends.previous], ["end", "", ""]);
  assert.deepEqual([bookends.slide.title, bookends.slide.lines.at(-1).said], ["What came of it", "“Done.”"]);
});

test("the whole curve is shown beside what happened alone", async () => {
  const { app, bookends, told } = await presented();
  assert.equal(app.whole, false);
  bookends.show("headline");
  assert.deepEqual([app.opens, app.whole], [true, true]);
  assert.deepEqual(told, [["data-whole", true], { veil: true, selected: true }]);
  app.step = 4; // somebody has pressed the timeline
  bookends.follow();
  assert.deepEqual([bookends.now, app.opens, app.whole], ["", false, false]);
  bookends.destroy();
  assert.deepEqual(told.at(-1), ["data-whole", false]);
});

test("of a simulated run it is what would happen, what only quotes keep is told, and what came of it is as recorded", async () => {
  const rows = [{ ...ROW, quoted: [1, 2, 0] }];
  const { app, bookends } = await presented({ kind: "simulate", policy: { name: "p" } }, { rows });
  bookends.show("headline");
  assert.equal(bookends.slide.title, "What would happen");
  assert.match(bookends.slide.lines.at(-1).said, /^2 rules or statements are kept only by quotes .* may leave them out\.$/);
  app.step = bookends.stepOf("end");
  bookends.show("end");
  assert.equal(bookends.slide.title, "What came of it, as recorded");
});

test("a story, a live run and a run of which too little is known have the title alone", async () => {
  const cases = { story: [{}, { stops: [{ step: 4 }] }], live: [{ live: true }, {}], unknown: [{}, { known: false, rows: [] }] };
  for (const [name, [view, known]] of Object.entries(cases)) {
    const { app, bookends } = await presented(view, known);
    assert.deepEqual([bookends.now, bookends.next], ["title", ""], name);
    app.step = COMPACTION;
    assert.deepEqual([bookends.next, bookends.previous], ["", "title"], name);
  }
});

test("of a part of the compactions nothing is said of all", async () => {
  const { bookends } = await presented({}, { whole: false });
  assert.equal(bookends.next, "");
});
