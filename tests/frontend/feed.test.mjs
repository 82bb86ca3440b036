import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeStore, openView } from "../../viewer/frontend/run/decode.js";
import { effect } from "../../viewer/frontend/run/effect.js";
import { Column } from "../../viewer/frontend/run/column.js";
import { Feed } from "../../viewer/frontend/live/feed.js";
import { ADDED } from "../../viewer/frontend/run/pool.js";
import { Run } from "../../viewer/frontend/run/model.js";
import { poolOf } from "../../viewer/frontend/run/sections.js";
import { CLEARED, MESSAGES, storeBytes, viewJson } from "./packed.mjs";
import { newsOf, reached } from "./wire.mjs";

/** Random numbers that are the same every time. */
function dice(seed) {
  let state = seed;
  return (most) => ((state = (state * 1103515245 + 12345) % 2147483648), state % most);
}

/** A run of n messages of every role that was compacted every nine messages, each summary taking in the one before. */
function long(n, changes = {}) {
  const roles = ["user", "assistant", "tool"];
  const messages = Array.from({ length: n }, (_, i) => [
    i ? roles[i % 3] : "system",
    10 + ((7 * i) % 40),
    `text ${i}`,
    i % 3 === 0 ? 1 : i % 3 === 1 ? 66 : 0,
    i % 3 === 2 ? `tool ${i % 5}` : "",
  ]);
  const ats = Array.from({ length: Math.floor((n - 1) / 9) }, (_, k) => 9 * (k + 1));
  const each = (value) => ats.map((_, k) => (typeof value === "function" ? value(k) : value));
  const c = {
    at: ats.map((at, k) => (k ? at - ats[k - 1] : at)),
    before: each(300),
    after: each(100),
    folded: each(6),
    number: each((k) => k + 1),
    summaryTokens: each((k) => 5 + k),
    removedTokens: each(200),
    status: each(1),
    recordedBefore: each(-1),
    recordedAfter: each(-1),
    micro: each(0),
    layout: each((k) => [0, 1, ADDED + k, ADDED + k + 1, ats[k] - 2, ats[k]]),
    added: each((k) => [[0, "summary", 5 + k, `so far ${k}`, -1]]),
    tiers: [],
    emptied: each(0),
  };
  const steps = n + ats.length;
  const tails = Array.from({ length: steps }, (_, i) => 1 + (i % 4));
  const spared = Array.from({ length: steps }, (_, i) => Math.max(0, i - 20));
  const delta = (values) => values.map((value, k) => value - (k ? values[k - 1] : 0));
  const cuts = { heads: [0, ...each(1)], bodies: [0, ...each(2)], tails: delta(tails), spared: delta(spared) };
  const view = viewJson({ length: steps, c, ...cuts, typicalSummary: 7, failed: { at: [4], status: [0], reason: ["x"], times: [1] }, ...changes });
  return { store: decodeStore(storeBytes(messages)), view: openView(view) };
}

/** Everything that is asked of a run at one step. */
function answers(run, i) {
  const window = run.window(i);
  const rows = Array.from({ length: window.size }, (_, k) => window.row(k));
  return {
    step: run.step(i),
    rows,
    ghosts: run.ghosts(i),
    plan: run.plan(i),
    failed: run.failedAt(i),
    turns: [run.nextTurn(i), run.previousTurn(i)],
    going: window.going(0, window.size),
    found: rows.map((row) => run.indexInWindow(i, row.pool)),
  };
}

/** The store and view as they were when only n messages had arrived. */
function until({ store, view }, n) {
  const { compactions, steps } = reached(view, n);
  const c = Object.fromEntries(Object.entries(view.c).map(([name, list]) => [name, list.slice(0, compactions)]));
  const head = {
    ...view,
    live: true,
    length: steps,
    tails: view.tails.slice(0, steps),
    spared: view.spared.slice(0, steps),
    heads: view.heads.slice(0, compactions + 1),
    bodies: view.bodies.slice(0, compactions + 1),
    c,
  };
  const places = (list) => list.filter((i) => i < n);
  return new Run(
    {
      ...store,
      n,
      tokens: store.tokens.slice(0, n),
      role: store.role.slice(0, n),
      flags: store.flags.slice(0, n),
      label: store.label.slice(0, n),
      running: store.running.slice(0, n + 1),
      turnStarts: places(store.turnStarts),
      calls: places(store.calls),
    },
    head,
  );
}

/** Feed a run in pieces, and hold every state of it against the run made at once. */
function fed(whole, seed, how = {}) {
  const [feed, roll] = [new Feed(), dice(seed)];
  for (let n = 0; n < whole.store.n; ) {
    n = Math.min(whole.store.n, n + roll(5) + (n ? 0 : 1));
    feed.take(newsOf(whole.store, whole.view, n, feed.counts, { back: roll(4), version: feed.version + 1, ...how }));
    const [live, made] = [feed.run(), until(whole, n)];
    assert.equal(live.length, made.length);
    for (let i = 0; i < live.length; i++) assert.deepEqual(answers(live, i), answers(made, i), `${n} messages, step ${i}`);
    for (let k = 0; k < live.compactions; k++) assert.deepEqual([live.compaction(k), effect(live, k)], [made.compaction(k), effect(made, k)]);
  }
  return feed;
}

test("a run that comes in pieces of any size answers at every step as the run made at once", () => {
  for (const seed of [1, 2, 3]) fed(long(40), seed);
});

test("so does one that is cleared in place, and one whose messages are pinned manually", () => {
  const store = decodeStore(storeBytes(MESSAGES));
  fed({ store, view: openView(viewJson(CLEARED)) }, 5);
  fed(long(30, { held: [4, 11] }), 6);
});

test("a typed array given to a run before is not changed by what comes after", () => {
  const whole = long(30);
  const feed = new Feed();
  feed.take(newsOf(whole.store, whole.view, 12, feed.counts));
  const before = feed.run();
  const told = answers(before, 11);
  feed.take(newsOf(whole.store, whole.view, 30, feed.counts, { back: 3 }));
  assert.deepEqual(answers(before, 11), told);
  assert.equal(before.n, 12);
});

test("an answer that brings nothing new says so; a pin, a budget or a message is something new", () => {
  const whole = long(12);
  const feed = new Feed();
  const take = (n, more) => feed.take(newsOf(whole.store, whole.view, n, feed.counts, { back: 2, more }));
  assert.deepEqual(
    [take(11), take(11), take(12), take(12), take(12, { held: [3] }), take(12, { held: [3] })],
    [true, false, true, false, true, false],
  );
  assert.deepEqual(feed.run().view.held, [3]);
});

test("another life of the run is taken from its beginning", () => {
  const [one, other] = [long(20), long(5)];
  const feed = new Feed();
  feed.take(newsOf(one.store, one.view, 20, feed.counts));
  feed.take(newsOf(other.store, other.view, 5, { messages: 0, compactions: 0, steps: 0 }, { life: "b" }));
  assert.deepEqual([feed.life, feed.n, feed.run().length, feed.run().compactions], ["b", 5, 5, 0]);
});

test("what does not join on to what is here is not taken: everything is asked for again", () => {
  const whole = long(20);
  const feed = new Feed();
  feed.take(newsOf(whole.store, whole.view, 5, feed.counts));
  assert.equal(feed.take(newsOf(whole.store, whole.view, 12, { messages: 9, compactions: 0, steps: 9 })), false);
  assert.deepEqual(feed.counts, { life: "", messages: 0, compactions: 0, steps: 0, version: 0 });
});

test("a run without messages is a run of no steps", () => {
  const whole = long(5);
  const feed = new Feed();
  feed.take({ ...newsOf(whole.store, whole.view, 0, feed.counts), version: 1 });
  assert.deepEqual([feed.run().length, feed.run().n], [0, 0]);
});

test("what was added keeps its place in the pool while messages arrive", () => {
  const whole = long(30);
  const feed = new Feed();
  const pool = (n) => (feed.take(newsOf(whole.store, whole.view, n, feed.counts)), poolOf(feed.run(), "c1.0"));
  assert.deepEqual([pool(19), pool(20), pool(30)], [ADDED + 1, ADDED + 1, ADDED + 1]);
});

test("a policy that spares typed messages may come into force on the way", () => {
  const whole = long(20);
  const feed = new Feed();
  const none = { ...whole.view, spared: new Int32Array(0) };
  feed.take(newsOf(whole.store, none, 12, feed.counts));
  feed.take(newsOf(whole.store, whole.view, 20, feed.counts));
  const { spared } = feed.run().view;
  assert.deepEqual([spared[0], spared[12], spared[21]], [0x7fffffff, 0x7fffffff, 1]);
  assert.equal(spared.length, 22);
});

test("a column grows without a copy for every entry, and what is replaced leaves the old part alone", () => {
  const column = new Column(Int32Array);
  const held = new Set();
  for (let i = 0; i < 1000; i++) column.push(i), held.add(column.held.buffer);
  assert.equal(held.size, 5);
  const before = column.now;
  assert.deepEqual(
    [column.put(998, [998, 999]), column.put(998, [7, 8, 9]), before[998], column.now.at(-1), column.length],
    [false, true, 998, 9, 1001],
  );
});

test("messages that come again take the place of those that were there", () => {
  const whole = long(12);
  const feed = new Feed();
  feed.take(newsOf(whole.store, whole.view, 12, feed.counts));
  feed.take(newsOf(whole.store, whole.view, 12, { messages: 7, compactions: 1, steps: 8 }));
  const store = feed.store();
  assert.deepEqual([...store.running], [...whole.store.running]);
  assert.deepEqual([[...store.turnStarts], [...store.calls]], [[...whole.store.turnStarts], [...whole.store.calls]]);
  assert.equal(store.preview(11), "text 11");
});
