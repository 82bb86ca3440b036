import assert from "node:assert/strict";
import { test } from "node:test";
import { Address, isAt, queryOf, showsOverview, stepIn } from "../../viewer/frontend/lib/address.js";
import { leavePage, watchHistory } from "../../viewer/frontend/lib/leaving.js";

test("an address holds source, policy, settings and the step, in that order", () => {
  const query = { source: "sample:claude_code/a b.jsonl", policy: "agentkit.memory", budget: 400, note: null, empty: "" };
  assert.equal(queryOf(query, 12), "source=sample:claude_code/a+b.jsonl&policy=agentkit.memory&budget=400&step=12");
});

test("what would break an address is escaped", () => {
  const there = new URLSearchParams(queryOf({ source: "path:/a&b=c#d%2F?é" }, 0));
  assert.equal(there.get("source"), "path:/a&b=c#d%2F?é");
});

test("a step is a whole number, anything else is no step", () => {
  assert.deepEqual(["204", " 7 ", "0", "", "-1", "1e3", "x", null, undefined, "12345678901"].map(stepIn), [204, 7, 0, -1, -1, -1, -1, -1, -1, -1]);
});

/** A browser's history of one page, and timers that a test sets off. */
function browser() {
  const entries = ["http://h/app?step=0"];
  let at = 0;
  const heard = [];
  const timers = new Map();
  const states = [null];
  const moved = (by) => {
    at += by;
    for (const hear of heard) hear({ stopImmediatePropagation() {} });
  };
  const url = () => new URL(entries[at]);
  const put = (name, value) => Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  put("location", {
    get href() {
      return entries[at];
    },
    get search() {
      return url().search;
    },
    get pathname() {
      return url().pathname;
    },
  });
  put("history", {
    get state() {
      return states[at];
    },
    replaceState: (state, _title, href = entries[at]) => {
      entries[at] = new URL(href, entries[at]).href;
      states[at] = state;
    },
    pushState: (state, _title, href) => {
      entries.splice(++at, Infinity, href);
      states.splice(at, Infinity, state);
    },
    back: () => moved(-1),
  });
  put("addEventListener", (name, hear) => name === "popstate" && heard.push(hear));
  put("removeEventListener", () => {});
  let serial = 0;
  put("setTimeout", (act, ms) => (timers.set(++serial, { act, ms }), serial));
  put("clearTimeout", (id) => timers.delete(id));
  const pass = (ms) => {
    for (const [id, timer] of [...timers]) if (timer.ms <= ms && timers.delete(id)) timer.act();
  };
  return { steps: () => entries.map((href) => new URL(href).search), at: () => at, back: () => moved(-1), pass };
}

test("Back undoes a jump: one entry for each place that was rested at, however the cursor walked there", () => {
  const page = browser();
  const told = [];
  const address = new Address("app", (query, step) => told.push([query, step]));
  const rest = () => (page.pass(150), page.pass(700));
  address.set({ p: "a" }, 3);
  rest();
  address.set({ p: "a" }, 4); // a step, not yet written when the jump comes
  address.set({ p: "a" }, 40, "step");
  rest();
  assert.deepEqual(page.steps(), ["?p=a&step=4", "?p=a&step=40"]);
  address.set({ p: "a" }, 41);
  rest();
  address.set({ p: "b" }, 41, "p");
  page.pass(150);
  address.set({ p: "c" }, 41, "p"); // the slider is still being turned
  page.pass(150);
  address.set({ p: "c" }, 0, "step"); // what is no slider
  rest();
  assert.deepEqual(page.steps(), ["?p=a&step=4", "?p=a&step=41", "?p=c&step=41", "?p=c&step=0"]);
  page.back();
  page.back();
  assert.deepEqual(told, [
    ["p=c", 41],
    ["p=a", 41],
  ]);
});

test("what stands in front of the place is in the address, and Back leads to it again", () => {
  const page = browser();
  const told = [];
  const address = new Address("app", (query, step, front) => told.push([query, step, front]));
  address.set({ p: "a" }, 3, "", "overview");
  page.pass(700);
  assert.equal(showsOverview(), true);
  address.set({ p: "a" }, 3, "overview");
  page.pass(700);
  assert.deepEqual([page.steps(), showsOverview()], [["?p=a&show=overview&step=3", "?p=a&step=3"], false]);
  page.back();
  assert.deepEqual(told, [["p=a", 3, "overview"]]);
});

test("the first jump to what a page was opened for makes no entry, those behind it do", () => {
  const page = browser();
  const address = new Address("app", () => {});
  address.set({}, 7, "", "overview");
  address.arrive();
  page.pass(700);
  address.set({}, 20, "step");
  address.set({}, 20, "overview");
  page.pass(700);
  assert.deepEqual([page.steps(), page.at()], [["?step=20"], 0]);
  address.set({}, 30, "step");
  page.pass(700);
  assert.deepEqual([page.steps(), page.at()], [["?step=20", "?step=30"], 1]);
});

test("what is taken back leaves no entry behind, written or not", () => {
  const page = browser();
  const address = new Address("app", () => {});
  address.set({}, 7);
  page.pass(700);
  address.set({}, 20, "step");
  address.set({}, 7);
  address.leave();
  page.pass(700);
  assert.deepEqual([page.steps(), page.at()], [["?step=7"], 0]);
  address.set({}, 20, "step");
  page.pass(700);
  address.set({}, 30);
  page.pass(700);
  address.set({}, 7);
  address.leave();
  assert.deepEqual([page.steps(), page.at()], [["?step=7", "?step=30"], 0]);
});

test("a page that Python leaves has no query for Streamlit to take off, and its address at once when Back leads there", () => {
  const page = browser();
  watchHistory();
  const debug = new Address("app", () => {});
  debug.set({ source: "s" }, 5);
  page.pass(150);
  debug.set({ source: "s" }, 6);
  leavePage();
  assert.deepEqual(page.steps(), [""]);
  page.pass(150);
  assert.deepEqual(page.steps(), [""]);
  debug.stop();
  history.pushState({}, "", "http://h/compare?a=recorded");
  page.pass(5000);
  page.back();
  assert.deepEqual(page.steps(), ["?source=s&step=6", "?a=recorded"]);
});

test("a page that Python did not leave has its address again", () => {
  const page = browser();
  leavePage();
  page.pass(4000);
  assert.deepEqual(page.steps(), [""]);
  page.pass(5000);
  assert.deepEqual(page.steps(), ["?step=0"]);
});

test("an address that was still to be written when its page was left stays out of that of the next", () => {
  const page = browser();
  const debug = new Address("app", () => {});
  debug.set({ source: "s" }, 5);
  history.pushState(null, "", "http://h/tune?sessions=folder");
  page.pass(700);
  assert.deepEqual(page.steps(), ["?step=0", "?sessions=folder"]);
});

test("Debug is the first page, under its name or under none", () => {
  browser();
  const at = (path) => (history.replaceState(null, "", `http://h${path}`), isAt("debug"));
  assert.deepEqual(["/", "/debug", "/base/", "/base/debug", "/tune", "/base/tune"].map(at), [true, true, true, true, false, false]);
});
