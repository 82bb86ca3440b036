// A file that grows, keys in the recorded run, files that are dropped.
import assert from "node:assert/strict";
import { test } from "node:test";
import { arrival, holds } from "../../viewer/frontend/debugger/app.js";
import { decodeStore, openView } from "../../viewer/frontend/run/decode.js";
import { packed } from "../../viewer/frontend/lib/drop.js";
import { commandOf, goToRecorded } from "../../viewer/frontend/debugger/keys.js";
import { Run } from "../../viewer/frontend/run/model.js";
import { leave } from "../../viewer/frontend/run/leftplaces.js";
import { run, storeBytes, viewJson } from "./packed.mjs";

const FILE = { source: "path:/a.jsonl" };

/** A run of so many messages without compactions; `session` is what it is called. */
function chat(n, session) {
  const bytes = storeBytes(
    Array.from({ length: n }, (_, i) => ["user", 10, `${i}`, 1]),
    { sid: `s${n}`, session: session ?? `of ${n}` },
  );
  const view = viewJson({ length: n, heads: [0], bodies: [0], tails: Array(n).fill(0), policy: null, kind: "replay" });
  return new Run(decodeStore(bytes), openView(view));
}

const shown = (more = {}) => ({ run: chat(5), query: FILE, step: 2, follow: false, ...more });

test("when the file grows the cursor stays where it is, unless it follows", () => {
  assert.deepEqual(arrival(shown(), chat(8), { query: FILE }), { same: true, more: 3, left: null, step: 2 });
  assert.deepEqual(arrival(shown({ step: 4 }), chat(8), { query: FILE }), { same: true, more: 3, left: null, step: 4 });
  assert.deepEqual(arrival(shown({ follow: true }), chat(8), { query: FILE }), { same: true, more: 3, left: null, step: 7 });
});

test("a session that was empty is followed to its first messages", () => {
  assert.deepEqual(arrival(shown({ run: chat(0), step: 0 }), chat(2), { query: FILE }), { same: true, more: 2, left: null, step: 1 });
});

test("another file, session or window is not this one grown", () => {
  for (const query of [{ source: "path:/b.jsonl" }, { ...FILE, session: "1" }, { ...FILE, lane: "2" }, undefined]) {
    const { same, more, step } = arrival(shown(), chat(8), { query });
    assert.deepEqual({ same, more, step }, { same: false, more: 0, step: 7 });
  }
});

test("the policy and the meter may change without the cursor moving", () => {
  const query = { ...FILE, policy: "pi.compaction", meter: "agentkit" };
  assert.deepEqual(arrival(shown(), chat(5), { query }), { same: true, more: 0, left: null, step: 2 });
  assert.deepEqual(arrival(shown({ query: { ...query, session: "" } }), chat(8), { query: FILE }).more, 3);
});

test("a file that was written anew and is shorter is another session", () => {
  assert.deepEqual(arrival(shown(), chat(3), { query: FILE }), { same: false, more: 0, left: null, step: 2 });
});

test("the first run starts where the address says, a sub-agent's parent at the message that started it", () => {
  const none = { run: null, query: undefined, step: 0, follow: false };
  assert.equal(arrival(none, chat(6, "first"), { query: FILE, start: "3" }).step, 3);
  assert.equal(arrival(none, chat(6, "second"), { query: FILE, start: "3", arrive: 1 }).step, 1);
  assert.equal(arrival(none, chat(6, "third"), { query: FILE, start: "900" }).step, 5);
  assert.equal(arrival(shown(), chat(6, "fourth"), { query: { ...FILE, lane: "1" }, start: "3" }).step, 5);
});

const nowhere = { run: null, step: 0, follow: false };

test("a page that comes back shows the session where it was left, not at the message it was once gone to for", () => {
  const parent = chat(6, "parent");
  const comes = (opened, came = parent) => arrival(nowhere, came, { query: FILE, opened, arrive: 3 }).step;
  assert.equal(comes(1), 3);
  leave(parent, 1, 4, { selected: "m2", overview: false });
  assert.equal(comes(1), 4);
  assert.deepEqual(arrival(nowhere, parent, { query: FILE, opened: 1 }).left.selected, "m2");
  const named = (query) => arrival(nowhere, parent, { query: FILE, opened: 1, start: "2" }, new URLSearchParams(query)).step;
  assert.deepEqual([named("step=4"), named("step=2"), named("step=4&show=overview")], [4, 2, 2], "Back leads to what the address names");
  assert.equal(comes(1, chat(6, "another")), 3, "another session of the same opening");
  assert.equal(
    arrival({ ...nowhere, hosted: true }, parent, { query: FILE, start: "2", opened: 1 }).step,
    2,
    "a lesson's debugger begins as the lesson says",
  );
});

test("a session that is opened again begins anew, on a page that comes and on one that shows it", () => {
  const one = chat(6, "one");
  leave(one, 1, 2);
  const { left, step } = arrival(nowhere, one, { query: FILE, opened: 2 });
  assert.deepEqual({ left, step }, { left: null, step: 5 });
  const here = { run: one, query: FILE, step: 2, follow: false, opened: 1 };
  assert.deepEqual(arrival(here, one, { query: FILE, opened: 1 }), { same: true, more: 0, left: null, step: 2 });
  assert.deepEqual(arrival(here, one, { query: FILE, opened: 2 }), { same: false, more: 0, left: null, step: 5 });
  assert.deepEqual(
    arrival(here, chat(8, "one"), { query: FILE, opened: 2 }),
    { same: false, more: 0, left: null, step: 7 },
    "also where it has grown",
  );
});

test("what is selected is kept while it exists: a message, or a recorded compaction", () => {
  const now = run({}, { recorded: { at: [3], before: [-1], after: [-1], left: [15], prompts: { at: [], tokens: [] } } });
  assert.deepEqual(
    ["m5", "c0.0", "r0"].map((key) => holds(now, key)),
    [true, true, true],
  );
  assert.deepEqual(
    ["m6", "c1.0", "r1", "x", null].map((key) => Boolean(holds(now, key))),
    [false, false, false, false, false],
  );
});

/** An app that remembers what it is told. */
function listening(recorded, more = {}) {
  const now = run({}, { recorded: { before: [], after: [], prompts: { at: [], tokens: [] }, ...recorded } });
  const said = [];
  return {
    run: now,
    step: 0,
    selected: null,
    said,
    pause: () => {},
    go: (to) => said.push(to),
    select: (key) => said.push(key),
    message: (text) => said.push(text),
    ...more,
  };
}
const press = (app, key) => (commandOf({ key, composedPath: () => [] })(app), app.said);

test("r goes to the next recorded compaction, R to the one before", () => {
  const at = { at: [2, 5], left: [1, 1] };
  assert.deepEqual(press(listening(at), "r"), [1, "r0"]);
  assert.deepEqual(press(listening(at, { selected: "r0" }), "r"), [5, "r1"]);
  assert.deepEqual(press(listening(at, { step: 6 }), "R"), [5, "r1"]);
  assert.deepEqual(press(listening(at, { selected: "r1" }), "r"), ["No later recorded compaction"]);
  assert.deepEqual(press(listening({ at: [], left: [] }), "r"), ["The transcript has no recorded compactions"]);
});

test("a compaction recorded before any message is gone to all the same", () => {
  const app = listening({ at: [0], left: [0] });
  goToRecorded(app, 0);
  assert.deepEqual(app.said, [0, "r0"]);
});

test("t follows a file, and says what cannot be followed", () => {
  const said = [];
  press({ grows: true, follow: false, setFollow: (on) => said.push(on) }, "t");
  press({ grows: false, message: (text) => said.push(text) }, "t");
  assert.deepEqual(said, [true, "Only a file opened by its path can be followed"]);
});

test("files are packed into one body: the length of the list, the list, the files", async () => {
  const files = [
    { name: "runs/ä.json", file: new Blob(["[1]"]) },
    { name: "b", file: new Blob([]) },
  ];
  const bytes = Buffer.from(await packed(files).arrayBuffer());
  const length = bytes.readUInt32LE(0);
  assert.deepEqual(JSON.parse(bytes.subarray(4, 4 + length).toString("utf8")), [
    { name: "runs/ä.json", size: 3 },
    { name: "b", size: 0 },
  ]);
  assert.equal(bytes.subarray(4 + length).toString(), "[1]");
});
