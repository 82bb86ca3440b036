// What Streamlit calls, on a page: data in, states and triggers out.
import assert from "node:assert/strict";
import { deflateSync } from "node:zlib";
import { test } from "node:test";
import { requests, pass, press, serve, settled, type } from "./dom.mjs";
import { watchDrops } from "../../viewer/frontend/lib/drop.js";
import { Answers } from "../../viewer/frontend/lib/api.js";
import { failure, longBlock } from "../../viewer/frontend/lib/text.js";
import { FOLDED, MESSAGES, storeBytes, viewJson } from "./packed.mjs";
import { newsOf } from "./wire.mjs";
import { decodeStore, openView } from "../../viewer/frontend/run/decode.js";
import { until } from "./until.mjs";

const main = await import("../../viewer/frontend/main.js");

/** A view as Python packs it: columns of every step in front of the JSON. */
function packedView(changes) {
  const { tails, spared: _, ...view } = viewJson({ ...FOLDED, ...changes });
  const bytes = Uint8Array.from(tails, (value) => (value < 0 ? -2 * value - 1 : 2 * value));
  const sizes = new Uint8Array(Uint32Array.of(bytes.length, 0).buffer);
  return deflateSync(Buffer.concat([sizes, bytes, Buffer.from(JSON.stringify(view))])).toString("base64");
}

/** One component on the page, and what it tells Python. */
function component() {
  const told = [];
  const parentElement = document.createElement("div");
  document.body.append(parentElement);
  const call = (part, data) =>
    part({
      parentElement,
      data,
      setStateValue: (name, value) => told.push(["state", name, value]),
      setTriggerValue: (name, value) => told.push(["trigger", name, value]),
    });
  return { told, parentElement, call };
}

const FILES = [new File(["{}"], "a.jsonl")];

test("the debugger shows a view once its session is there, and takes the newest of several", async () => {
  serve({});
  const { told, parentElement, call } = component();
  const data = (stamp) => ({ z: packedView({ sid: "s1", stamp }), stamp, address: { query: { source: "x" }, start: "2" } });
  call(main.view, data("old"));
  const leave = call(main.view, data("new"));
  await settled();
  const root = parentElement.querySelector(".fl-app");
  assert.equal(root.dataset.step, undefined);
  main.store({ data: storeBytes(MESSAGES, { sid: "s1" }) });
  await until(() => {
    pass(20); // a frame: the newer view may be unpacked late
    return root.dataset.rendered === "new";
  });
  assert.equal(root.dataset.step, "2");
  const panel = component();
  call(main.view, data("new"));
  panel.call(main.panel, { policy: "p", params: [{ name: "budget", unit: "tokens", min: 0, max: 9, step: 1, value: 3, default: 3, about: "" }] });
  const sent = (budget, nth) => ["state", "settings", { policy: "p", values: { budget }, nth }];
  for (const value of ["5", "6", "7"]) type(panel.parentElement.querySelector("[type=range]"), value);
  assert.deepEqual(told, [sent(5, 1)], "the first move goes at once, the others wait for the frame");
  pass(50);
  assert.deepEqual(told.splice(0), [sent(5, 1), sent(7, 2)]);
  pass(50);
  type(panel.parentElement.querySelector("[type=range]"), "8");
  assert.deepEqual(told, [sent(8, 3)], "after a frame without one, at once again");
  leave();
  assert.ok(root.isConnected, "an overtaken call's clean-up does nothing while the element is there");
  parentElement.remove();
  leave();
  assert.equal(root.parentElement, null);
});

test("what is no view is told in words", () => {
  const { parentElement, call } = component();
  const leave = call(main.view, null);
  assert.equal(parentElement.querySelector(".fl-waiting").textContent, "The data of this page arrived incomplete. Reload the page.");
  parentElement.remove();
  leave();
  assert.throws(() => main.store({ data: "text" }), /did not arrive as bytes/);
});

test("choosers tell Python what is chosen", () => {
  const policy = component();
  policy.call(main.chooser, { name: "recorded", fidelity: "", about: "", recorded: "recorded" });
  main.catalogue({ data: { fidelity: {}, demo: [], families: [] } });
  policy.parentElement.querySelector(".fl-chosen").click();
  assert.match(policy.parentElement.querySelector(".fl-pick-list").textContent, /^As recorded/);
  const session = component();
  session.call(main.sessions, {
    file: "f",
    rows: [
      [0, "a", 1, 1, 0, "0", ""],
      [1, "b", 1, 1, 0, "1", ""],
    ],
    address: "0",
    ask: true,
  });
  press(session.parentElement.querySelector("input"), "ArrowDown");
  press(session.parentElement.querySelector("input"), "Enter");
  assert.deepEqual(session.told, [["trigger", "session", "1"]]);
});

test("the live component tells its tab, and follows the run it is given", async () => {
  serve({ "api/live/": () => new Promise(() => {}) });
  const { told, parentElement, call } = component();
  const leave = call(main.live, { run: "r1", address: { query: {}, start: "" } });
  await settled();
  parentElement.remove();
  leave();
  assert.deepEqual([told[0][1], requests[0][1].startsWith("api/live/r1/news")], ["tab", true]);
});

test("a live run that outgrows what its sliders were drawn for has them drawn again, once", async () => {
  const [store, view] = [decodeStore(storeBytes(MESSAGES)), openView(viewJson(FOLDED))];
  const state = { status: "running", settings: "s", drives: true, driven: true, turn: 1, tools: [], breakpoints: [] };
  const news = [24_000, 48_000, 48_000].map((expected, version) => ({
    ...newsOf(store, view, 4, { messages: 0, compactions: 0, steps: 0 }, { version }),
    state: { ...state, expected },
  }));
  serve({ "api/live/r2/news": () => news.shift() ?? new Promise(() => {}), "api/": () => new Promise(() => {}) });
  const { told, parentElement, call } = component();
  const leave = call(main.live, { run: "r2", expected: 24_000, address: { query: {}, start: "" } });
  for (let k = 0; k < 4; k += 1) {
    await settled();
    pass(100);
  }
  parentElement.remove();
  leave();
  assert.equal(news.length, 0);
  assert.deepEqual(
    told.filter(([, name]) => name === "elsewhere"),
    [["trigger", "elsewhere", "expected 48000"]],
  );
});

test("files that are dropped are sent in one piece, and opened", async () => {
  serve({ "api/drop": { source: "upload:1" } });
  const said = [];
  const root = document.createElement("div");
  const stop = new AbortController();
  watchDrops({ root, tell: (...what) => said.push(what), message: (text) => said.push(text) }, stop.signal);
  const drag = (type, files = FILES) => {
    const event = new Event(type, { bubbles: true, cancelable: true });
    const items = files.map((file) => ({ getAsFile: () => file }));
    Object.defineProperty(event, "dataTransfer", { value: { types: ["Files"], items } });
    document.dispatchEvent(event);
  };
  drag("dragenter");
  assert.equal(root.querySelector(".fl-drop").hidden, false);
  drag("drop");
  await settled();
  assert.equal(root.querySelector(".fl-drop").hidden, true);
  assert.deepEqual(said, ["Reading a.jsonl…", ["dropped", "upload:1"]]);
  drag("drop", []);
  await settled();
  assert.equal(said.at(-1), "No files in what was dropped");
  serve({});
  drag("drop");
  await settled();
  assert.equal(said.at(-1), "Not here. Look elsewhere.");
  stop.abort();
});

test("a long text is shown in parts", async () => {
  const node = longBlock("x".repeat(250), "", 100);
  assert.equal(node.querySelector("button").textContent, "Show more (100 of 250 characters)");
  node.querySelector("button").click();
  await settled();
  node.querySelector("button").click();
  await settled();
  assert.equal(node.textContent, `${"x".repeat(250)}All 250 characters shown`);
  let again = 0;
  failure("no answer", () => again++)
    .querySelector("button")
    .click();
  assert.equal(again, 1);
});

test("answers that were not asked for the longest time are let go of", () => {
  const answers = new Answers(10);
  for (const path of ["a", "b", "c"]) answers.set(path, path, 4);
  assert.deepEqual([answers.get("a"), answers.get("b"), answers.get("c")], [undefined, "b", "c"]);
});
