// A live run on a page: its bar, its box, its dialogs, and what they ask of the server.
import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { asked, change, hide, lines, pass, press, serve, settled, texts, type } from "./dom.mjs";
import { App } from "../../viewer/frontend/debugger/app.js";
import { liveExtension } from "../../viewer/frontend/live/extension.js";
import { LiveRun } from "../../viewer/frontend/live/liverun.js";
import { FOLDED, MESSAGES, storeBytes, viewJson } from "./packed.mjs";
import { decodeStore, openView } from "../../viewer/frontend/run/decode.js";
import { newsOf } from "./wire.mjs";

const STATE = {
  status: "paused",
  doing: "",
  seconds: 0,
  why: "step",
  calls: 1,
  most: 20,
  turn: 1,
  more: true,
  tool: "",
  partial: "",
  next: { messages: 3, tokens: 100, tools_tokens: 5, counted: 110 },
  last: null,
  totals: null,
  error: null,
  stepping: false,
  pace: 0,
  breakpoints: [],
  tools: ["bash"],
  drives: true,
  driven: true,
  provider: "anthropic",
  model: "m-1",
  goal: "",
  file: "/tmp/run.jsonl",
};
const STORE = decodeStore(storeBytes(MESSAGES));
const VIEW = openView(viewJson(FOLDED));

let app;
let drive;
let answer;
const moved = [];

/** A page that follows a run whose state is this; `news` brings another state, or more messages. */
async function opened(state = {}, n = 4) {
  const held = { messages: 0, compactions: 0, steps: 0 };
  const all = (more, count, version) => ({ ...newsOf(STORE, VIEW, count, held, { version }), state: { ...STATE, ...more } });
  serve({
    "api/live/r/news": () => {
      if (asked.filter(([, path]) => path.includes("/news")).length === 1) return all(state, n, 1);
      return new Promise((done) => (answer = done));
    },
    "api/live/r/do": (_, { do: what }) => ({ ok: true, ...(what === "reset" && { run: "s" }), ...(what === "drop" && { later: true }) }),
    "api/live/r/request": { body: { messages: ["hello"] }, note: "as sent" },
    "api/live/s": () => new Promise(() => {}),
    "api/message": { role: "user", content: "do it", total: 5, pairs: [0] },
    "api/findings": {
      total: 0,
      counts: { error: 0, warning: 0, info: 0 },
      kinds: [],
      matching: {},
      findings: [],
      marks: { titles: [], at: [], first: [], count: [] },
    },
  });
  drive = new LiveRun({ message: (text) => app.message(text), moved: (...ids) => moved.push(ids) });
  app = new App(document.body, liveExtension(drive));
  drive.arrived = (make, same) => app.follower.arrive(make, same);
  drive.follow("r");
  await settled();
  pass(100);
  let version = 1;
  return async (more, count = n) => {
    answer(all(more, count, ++version));
    await settled();
    pass(2000);
  };
}

const show = (selector) => app.root.querySelector(selector);
const done = () => asked.filter(([method]) => method === "POST").map(([, , { tab: _, ...body }]) => body);
const named = (name) =>
  [...app.root.querySelectorAll("button")].find((node) => node.getAttribute("aria-label") === name || node.textContent === name);

afterEach(() => {
  drive.stop();
  app.destroy();
});

test("the bar says how the run stands and what the next call would be sent", async () => {
  const news = await opened();
  assert.equal(show(".fl-standing").textContent, "Paused before model call 2 step");
  assert.equal(show(".fl-nextcall").textContent, "would send 3 messages · 100 tokens + 5 for tools · counted 110 (estimate −4.5 %)");
  await news({ status: "running", doing: "tool: bash", seconds: 3 });
  assert.match(show(".fl-standing").textContent, /^Running after model call 1 of 20 · runs bash/);
  await news({ status: "running", partial: "I am writing" });
  assert.equal(show(".fl-nextcall").textContent, "I am writing");
  await news({ status: "failed", error: { kind: "rate_limit", text: "Too many requests", hint: "wait", retry: true } });
  assert.equal(show(".fl-trouble").hidden, false);
  assert.equal(show(".fl-trouble").textContent, "Rate limit×Too many requestswaitContinue without itTry again");
  const cut = { kind: "network", text: "The connection broke", hint: "", retry: true, reply: "half a sen", reply_length: 10 };
  await news({ status: "failed", error: cut });
  assert.equal(show(".fl-cut").textContent, "half a sen");
  assert.match(show(".fl-trouble").textContent, /The reply was cut off\. It is not part of the window; so far it said \(10 characters\):half a sen/);
  await news({ status: "failed", error: { ...cut, reply_length: 12345 } });
  assert.match(show(".fl-trouble").textContent, /\(the last 10 of 12,345 characters\)/);
  named("Try again").click();
  await settled();
  assert.deepEqual(done(), [{ do: "retry" }]);
  show(".fl-trouble .fl-icon").click();
  assert.equal(show(".fl-trouble").hidden, true);
  show(".fl-status").click();
  assert.equal(show(".fl-trouble").hidden, false);
});

test("a page that goes away lets others drive", async () => {
  await opened();
  dispatchEvent(new Event("pagehide"));
  await settled();
  assert.deepEqual(done(), [{ do: "leave" }]);
});

test("the keys continue, step and stop the run, and say why they cannot", async () => {
  const news = await opened();
  for (const key of ["c", "."]) press(app.root, key);
  await settled();
  assert.deepEqual(done(), [{ do: "go" }, { do: "step" }]);
  await news({ status: "running" });
  press(app.root, "c");
  press(app.root, "s");
  await settled();
  assert.deepEqual(done().slice(2), [{ do: "pause" }, { do: "stop" }]);
  await news({ drives: false, driven: true });
  press(app.root, "c");
  assert.equal(app.toast.textContent, "Another tab drives this run");
  named("Take over").click();
  await settled();
  assert.deepEqual(done().at(-1), { do: "take" });
});

test("the box sends what is written, and offers commands after a slash", async () => {
  await opened({ status: "ended", more: false });
  const box = show("textarea");
  type(box, "read b.py");
  assert.equal(show(".fl-main").textContent, "Send");
  press(box, "Enter");
  await settled();
  assert.deepEqual([done(), box.value], [[{ do: "say", text: "read b.py" }], ""]);
  type(box, "/");
  assert.deepEqual(texts(app.root, ".fl-slash b"), ["/compact", "/stop", "/reset"]);
  press(box, "ArrowDown");
  press(box, "Tab");
  assert.equal(box.value, "/stop");
  press(box, "Enter");
  await settled();
  assert.deepEqual(done().at(-1), { do: "say", text: "/stop" });
});

test("breakpoints are added, switched off and removed", async () => {
  const news = await opened();
  press(app.root, "b");
  const dialog = show(".fl-breakpoints");
  assert.equal(dialog.open, true);
  assert.match(dialog.textContent, /No breakpoints\./);
  type(dialog.querySelector("[type=number]"), "5000");
  dialog.querySelector("form").dispatchEvent(new Event("submit"));
  await settled();
  const set = { kind: "tokens", value: 5000, on: true, id: 1 };
  assert.deepEqual(done(), [{ do: "set", breakpoints: [set] }]);
  await news({ breakpoints: [{ ...set, hit: true }] });
  assert.deepEqual(texts(dialog, ".fl-stops li"), ["tokens over 5,000paused hereRemove"]);
  assert.equal(show('[data-icon="mark"]').getAttribute("aria-label"), "Breakpoints, 1 on");
  change(dialog.querySelector(".fl-stops .fl-toggle"), false);
  named("Remove: tokens over 5,000").click();
  change(dialog.querySelector(".fl-stopline .fl-toggle"), true);
  await settled();
  assert.deepEqual(done().slice(1), [
    { do: "set", breakpoints: [{ ...set, on: false }] },
    { do: "set", breakpoints: [] },
    { do: "set", stepping: true },
  ]);
  for (const [kind, field] of [
    ["tool", "select"],
    ["text", "[type=text]"],
    ["compaction", null],
  ]) {
    change(dialog.querySelector('[aria-label="Kind of breakpoint"]'), kind);
    assert.equal(Boolean(dialog.querySelector(`.fl-stopvalue ${field ?? "*"}`)), field !== null, kind);
  }
});

test("the message that is shown is dropped or pinned, with its tool pair", async () => {
  await opened();
  app.select("m3");
  await settled();
  assert.equal(show(".fl-handnote").textContent, "with message 1, its tool pair");
  press(app.root, "h");
  press(app.root, "Delete");
  await settled();
  assert.deepEqual(done(), [
    { do: "pin", places: [3], on: true },
    { do: "drop", places: [3] },
  ]);
  assert.equal(app.toast.textContent, "Dropped: no longer sent");
});

test("while the run goes on nothing is dropped or pinned", async () => {
  await opened({ status: "running" });
  app.select("m3");
  named("Pin").click();
  assert.equal(app.toast.textContent, "Pause the run to drop or pin");
  assert.deepEqual(done(), []);
});

test("the next request is shown as it would be sent, and copied", async () => {
  await opened();
  const copied = [];
  Object.defineProperty(globalThis, "navigator", { value: { clipboard: { writeText: async (text) => void copied.push(text) } }, configurable: true });
  press(app.root, "q");
  await settled();
  assert.match(show(".fl-reqbody").textContent, /"hello"/);
  assert.match(show(".fl-reqnote").textContent, /^as sent · \d+ characters$/);
  show(".fl-reqhead").lastChild.click();
  await settled();
  assert.deepEqual(copied.map(JSON.parse), [{ messages: ["hello"] }]);
});

test("what is new is followed; who has stepped back is told how much is newer", async () => {
  const news = await opened();
  assert.deepEqual([app.step, app.follow, show(".fl-follow").textContent], [4, true, "Following"]);
  press(app.root, "ArrowLeft");
  assert.deepEqual([app.step, app.follow], [3, false]);
  await news({}, 6);
  assert.deepEqual([app.step, app.run.length, show(".fl-follow").textContent], [3, 7, "2 newer"]);
  press(app.root, "t");
  assert.equal(app.step, 6);
});

test("a reset follows the run that takes this one's place", async () => {
  await opened();
  show('[data-icon="again"]').click();
  await settled();
  assert.deepEqual([moved.at(-1), drive.id], [["r", "s"], "s"]);
});

test("without a connection the bar says so, and gives no commands", async () => {
  serve({});
  drive = new LiveRun({ message: (text) => app.message(text), moved: () => {} });
  app = new App(document.body, liveExtension(drive));
  assert.equal(show(".fl-waiting").textContent, "Opening…");
  drive.follow("gone");
  await settled();
  assert.equal(show(".fl-standing").textContent, "Not available not here; look elsewhere");
  show(".fl-main").click();
  assert.deepEqual(done(), []);
});

test("a hidden tab has no connection; shown again it asks for what is new since", async () => {
  const news = await opened();
  const questions = () => asked.filter(([method]) => method === "WS");
  assert.deepEqual([lines.length, lines[0].url.href], [1, "ws://localhost:8501/api/live/r/news"]);
  hide(true);
  assert.equal(lines[0].open, false);
  assert.equal(drive.lost, "");
  await settled();
  assert.equal(lines.length, 1);
  hide(false);
  await settled();
  assert.deepEqual([lines.length, lines[1].open], [2, true]);
  assert.deepEqual([questions().at(-1)[2].messages, questions().at(-1)[2].version, questions().at(-1)[2].tab], [4, 1, drive.tab]);
  await news({}, 6);
  assert.equal(app.run.length, 7);
});

test("a line that breaks is opened again, and the bar says why meanwhile", async () => {
  await opened();
  lines[0].onclose();
  assert.equal(show(".fl-standing").textContent, "No connection The server does not answer. Nothing is lost; retrying.");
  await settled();
  assert.equal(lines.length, 2);
});

test("a server that was started anew says that its link is needed", async () => {
  await opened();
  const refusal = { error: "open the link that foldline printed in its terminal" };
  globalThis.fetch = async () => ({ ok: false, status: 403, json: async () => refusal });
  globalThis.WebSocket = class {
    constructor() {
      queueMicrotask(() => this.onclose());
    }
    close() {}
  };
  hide(true);
  hide(false);
  await new Promise((done) => queueMicrotask(() => queueMicrotask(done)));
  await new Promise((done) => setImmediate(done));
  assert.equal(drive.lost, "open the link that foldline printed in its terminal");
});
