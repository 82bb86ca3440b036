import assert from "node:assert/strict";
import { test } from "node:test";
import { Layers } from "../../viewer/frontend/debugger/layers.js";

/** What Layers asks of the debugger; `closed` is what was closed, in order. */
function page() {
  const closed = [];
  const app = {
    closed,
    open: { find: false, findings: false, help: false, notes: false },
    highlights: { now: { phase: null, at: -1 }, set: () => {} },
    why: { open: false, close: () => (closed.push("why"), (app.why.open = false)) },
    run: null,
    step: 0,
    toggle: (name) => (closed.push(name), (app.open[name] = false)),
    leaveFind: () => app.toggle("find"),
  };
  app.layers = new Layers(app);
  const open = (name) => {
    if (name === "why") app.why.open = true;
    else app.open[name] = true;
    app.layers.note();
  };
  return { app, open };
}

test("Esc closes what was opened last, then what was opened before it", () => {
  for (const order of [
    ["find", "why", "findings"],
    ["why", "findings", "find"],
    ["findings", "find", "why"],
  ]) {
    const { app, open } = page();
    for (const name of order) open(name);
    while (app.layers.close());
    assert.deepEqual(app.closed, [...order].reverse());
  }
});

test("what was closed and opened again is the newest", () => {
  const { app, open } = page();
  open("find");
  open("why");
  app.open.find = false;
  app.layers.note();
  open("find");
  app.layers.close();
  assert.deepEqual(app.closed, ["find"]);
});

test("with nothing open, nothing is closed", () => {
  const { app } = page();
  assert.equal(app.layers.close(), false);
});
