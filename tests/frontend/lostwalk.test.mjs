// The walk through the lost texts, of runs with several compactions: a press of w leads to each of them, once.
import assert from "node:assert/strict";
import { test } from "node:test";
import { LostWalk } from "../../viewer/frontend/debugger/lostwalk.js";
import { Newest } from "../../viewer/frontend/debugger/newest.js";
import { WhyStore } from "../../viewer/frontend/why/store.js";
import { fate } from "./fates.mjs";

const said = (text, rank = 2, kind = "said", more = {}) => ({ kind, text, followed: text, at: 0, used_at: -1, said_again_at: -1, rank, ...more });
const name = (text) => said(text, 0, "name");
const asked = (at, text) => ({ at, kind: "answered", text, followed: true });
const NO_REQUESTS = { of: 0, gone: 0, open: 0, answered: 0, stopped: 0, here: [0, 0, 0, 0], listed: [], took: [], at: -1, text: "" };

/** What compaction `index` lost: statements, unless more is said. */
const row = (index, told = [], more = {}) => ({
  ...{ index, step: 10 * (index + 1), told, names: [], names_total: 0, rules: [told.length, 0], requests: NO_REQUESTS },
  ...{ unreadable: "", taken: 3, results: 1, again: 0, unseen: 0, typed: [0, 0], ...more },
});
const many = (tell) => Array.from({ length: 40 }, (_, k) => row(k, tell(k)));

let serial = 0;

/** As much of a debugger as the walk needs, on the overview of a run that lost this. */
function opened(rows) {
  const app = {
    ...{ step: 0, overview: true, hosted: false, selected: null, said: [] },
    root: { querySelector: () => null },
    message: (text) => app.said.push(text),
    pause() {},
    notify() {},
    go: (step) => Object.assign(app, { step, overview: false }),
    async get(path) {
      if (path.startsWith("api/fate/")) return fate();
      const from = Number(/from=(\d+)/.exec(path)?.[1] ?? 0);
      return { rows: rows.slice(from, from + 8) };
    },
    run: {
      view: { tid: `walk${++serial}`, live: false, kind: "replay", c: { micro: rows.map(() => 0) } },
      compactions: rows.length,
      length: 2000,
      step: (step) => ({ compaction: rows.findIndex((one) => one.step === step) }),
    },
  };
  app.why = new WhyStore(app);
  app.why.tid = app.run.view.tid;
  app.newest = new Newest(app);
  app.lost = new LostWalk(app);
  return app;
}

/** Press w, as often as that: what Why is then about, where the cursor is, and which of how many it is. */
async function pressed(app, times, by = 1) {
  const shown = [];
  for (let i = 0; i < times; i++) {
    if (app.lost.walk) app.lost.turn(by);
    else await app.lost.begin(app.overview && !app.why.front ? -1 : app.run.step(app.step).compaction, by);
    const { walk } = app.lost;
    shown.push(`${app.why.chosen?.text} ${app.step}${walk ? `, ${walk.at + 1} of ${walk.texts.length}` : ""}`);
  }
  return shown;
}

test("in a run of more than 32 compactions w goes from one text to the next, and says which compactions were looked at", async () => {
  const app = opened(many((k) => [said(`rule ${k}`), said(`other ${k}`)]));
  const shown = await pressed(app, 3);
  assert.deepEqual(shown, ["rule 0 10, 1 of 16", "other 0 10, 2 of 16", "rule 1 20, 3 of 16"]);
  assert.equal(app.lost.walk.words, "Lost in compactions 1 to 8: 16 of the user's statements.");
  app.why.ask("rule 20");
  app.go(210);
  assert.deepEqual(await pressed(app, 2), ["other 20 210, 2 of 2", "rule 20 210, 1 of 2"]);
  assert.equal(app.lost.walk.words, "Lost at compaction 21: 2 of the user's statements.");
});

test("a text that two compactions lost is gone through once, and all others are reached", async () => {
  const app = opened([row(0, [said("go on"), said("x")]), row(1, [said("go  on"), said("y")])]);
  assert.deepEqual(await pressed(app, 4), ["go on 10, 1 of 3", "x 10, 2 of 3", "y 20, 3 of 3", "go on 10, 1 of 3"]);
  assert.deepEqual(await pressed(app, 1, -1), ["y 20, 3 of 3"]);
  const names = opened([0, 1].map((k) => row(k, [], { names: [name("a.py"), name(`${k}.py`)], names_total: 3 })));
  assert.deepEqual(await pressed(names, 4), ["a.py 10, 1 of 3", "0.py 10, 2 of 3", "1.py 20, 3 of 3", "a.py 10, 1 of 3"]);
  assert.equal(names.lost.walk.words, "Lost: 6 names that the model used later. 3 of these 6 are in this list.");
});

test("a walk over all stays one, where a compaction has its texts in another order, and wherever the cursor went", async () => {
  const [one, two, three] = [asked(1, "one"), asked(2, "two"), asked(8, "three")];
  const first = { requests: { ...NO_REQUESTS, of: 2, took: [one, two], at: 1 }, rules: [0, 0] };
  const last = { requests: { ...NO_REQUESTS, of: 3, gone: 3, listed: [one, two, three], took: [three], at: 8 } };
  const app = opened([row(0, [said("one", 1, "first", { at: 1 })], first), row(1, [], last)]);
  assert.deepEqual(await pressed(app, 2), ["one 10, 1 of 3", "two 10, 2 of 3"]);
  app.go(20);
  assert.deepEqual(await pressed(app, 2), ["three 20, 3 of 3", "one 10, 1 of 3"]);
  assert.equal(app.lost.walk.words, "Lost: 3 of the user's requests.");
});

test("a statement that is part of a request is gone through once, and the words about all say so", async () => {
  const took = [asked(1, "no, can we add tests?"), asked(4, "two")];
  const requests = { ...NO_REQUESTS, of: 2, gone: 2, listed: took, took, at: 4 };
  const app = opened([row(0, [said("no", 2, "said", { at: 1 })], { requests, names: [name("a.py")], names_total: 1 })]);
  assert.deepEqual(await pressed(app, 4), ["no 10, 1 of 3", "two 10, 2 of 3", "a.py 10, 3 of 3", "no 10, 1 of 3"]);
  const lost = "Lost: 1 of the user's statements, 2 of the user's requests, 1 of them both, 1 name that the model used later.";
  assert.equal(app.lost.walk.words, lost);
  app.why.ask("no, can we add tests?");
  assert.equal(app.lost.walk?.at, 0, "asked about as a request, too");
});

test("it ends behind another text and another run, and goes on where its text is in front again", async () => {
  const app = opened([row(0, [said("a"), said("b")])]);
  await pressed(app, 1);
  app.why.ask("something else");
  assert.equal(app.lost.walk, null);
  app.why.choose(0);
  assert.equal(app.lost.walk?.at, 0);
  app.why.bring(false);
  assert.equal(app.lost.walk, null);
  app.why.bring(true);
  app.run = { ...app.run, view: { ...app.run.view, tid: "another" } };
  assert.equal(app.lost.walk, null);
});

test("of very many compactions it is not said that nothing was lost, but which were looked at", async () => {
  const app = opened(many((k) => (k > 10 ? [said(`rule ${k}`)] : [])));
  app.run.store = { header: { recorded: {} } };
  app.run.compaction = () => ({ step: 1, before: 9 });
  await pressed(app, 1);
  assert.deepEqual([app.why.open, app.why.chosen], [true, null]);
  assert.equal(app.lost.offer.title, "In compactions 1 to 8 nothing that Why can follow was lost.");
  assert.equal(app.lost.offer.text, "Compactions 9 to 40: not looked at. Press w on one of them.");
});
