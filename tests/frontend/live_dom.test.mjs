// A live run on a page: its bar, its box, its dialogs, and what they ask of the server.
import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { requests, change, hide, lines, pass, press, serve, settled, texts, type } from "./dom.mjs";
import { App } from "../../viewer/frontend/debugger/app.js";
import { findingsOf } from "../../viewer/frontend/debugger/findingstore.js";
import { subjectOf } from "../../viewer/frontend/debugger/subject.js";
import { liveExtension } from "../../viewer/frontend/live/extension.js";
import { LiveRun } from "../../viewer/frontend/live/liverun.js";
import { problemText } from "../../viewer/frontend/lib/problem.js";
import { callOf } from "../../viewer/frontend/live/calls.js";
import { ADDED } from "../../viewer/frontend/run/pool.js";
import { fate } from "./fates.mjs";
import { FOLDED, MESSAGES, run, storeBytes, viewJson } from "./packed.mjs";
import { decodeStore, openView } from "../../viewer/frontend/run/decode.js";
import { until } from "./until.mjs";
import { newsOf } from "./wire.mjs";

const STATE = {
  status: "paused",
  doing: "",
  seconds: 0,
  why: "step",
  calls: 1,
  all: 1,
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
/** Model calls as the server tells of them: the second was sent three times, the third wrote a summary. */
const CALL = {
  purpose: "reply",
  time: "2026-11-23T04:00:00Z",
  seconds: 3.2,
  first: 0.8,
  url: "POST https://api.example:443/v1/chat",
  problem: "",
  unkept: "",
};
const ANSWERED = { at: 0, seconds: 0.4, status: 200, error: "" };
const CALLS = [
  { ...CALL, number: 1, at: 2, attempts: [ANSWERED], outcome: "answered" },
  {
    ...CALL,
    number: 2,
    at: 3,
    attempts: [
      { at: 0, seconds: 0.1, status: 429, error: "slow down" },
      { at: 0.5, seconds: 10, status: null, error: "no connection: refused" },
    ],
    outcome: "failed",
    problem: "api.example cannot be reached",
    first: null,
  },
  { ...CALL, number: 3, at: 4, purpose: "summary", attempts: [ANSWERED], outcome: "answered" },
];
const kept = (number) => ({
  request: `{"call": ${number}}`,
  request_length: number === 1 ? 9000 : 11,
  reply: number === 2 ? "" : "{}",
  reply_length: 2,
});
const STORE = decodeStore(storeBytes(MESSAGES, { format: "foldline-run" }));
const VIEW = openView(viewJson(FOLDED));

let app;
let drive;
let answer;
const moved = [];

/** A page that follows a run whose state is this; `news` brings another state, or more messages. */
async function opened(state = {}, n = 4, view = {}) {
  const held = { messages: 0, compactions: 0, steps: 0 };
  const all = (more, count, version) => ({ ...newsOf(STORE, VIEW, count, held, { version, more: view }), state: { ...STATE, ...more } });
  serve({
    "api/live/r/news": () => {
      if (requests.filter(([, path]) => path.includes("/news")).length === 1) return all(state, n, 1);
      return new Promise((done) => (answer = done));
    },
    "api/live/r/do": (_, { do: what }) => ({ ok: true, ...(["reset", "fork"].includes(what) && { run: "s" }) }),
    "api/live/r/conditions": { tools: { write: ["path", "text"], bash: ["command"] }, findings: ["orphaned_tool_result"] },
    "api/live/r/tool": { id: "c1", name: "write", arguments: '{"path": "a"}', schema: '{"type": "object"}' },
    "api/live/r/calls/": (path) => kept(Number(path.split("/").at(-1))),
    "api/live/r/calls": () => ({ calls: CALLS }),
    "api/live/r/request": { body: { messages: ["hello"] }, note: "as sent" },
    "api/live/s": () => new Promise(() => {}),
    "api/fate/": fate({ places: [3], lane: [{ from: 0, to: 6, state: "verbatim", at: [3], title: "In the window.", text: "" }] }),
    "api/message": { role: "user", content: "do it", total: 5, pairs: [0], model: "demo", usage: { input_uncached: 3172, output: 337 } },
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
const done = () => requests.filter(([method]) => method === "POST").map(([, , { tab: _, ...body }]) => body);
const named = (name, root = app.root) =>
  [...root.querySelectorAll("button")].find((node) => node.getAttribute("aria-label") === name || node.textContent === name);

afterEach(() => {
  drive.stop();
  app.destroy();
});

test("the bar says how the run stands and what the next call would be sent", async () => {
  const news = await opened();
  assert.equal(show(".fl-standing").textContent, "Paused before model call 2: step");
  assert.equal(show(".fl-nextcall").textContent, "would send 3 messages · 100 tokens + ~5 for tools by agentkit · counted 110 (estimate −4.5 %)");
  await news({ status: "running", doing: "tool: bash", seconds: 3 });
  assert.match(show(".fl-standing").textContent, /^Running after model call 1 of 20 · runs bash/);
  await news({ status: "running", partial: "I am writing" });
  assert.equal(show(".fl-nextcall").textContent, "I am writing");
  await news({ status: "failed", error: { kind: "rate_limit", text: "Too many requests", hint: "wait", retry: true } });
  assert.equal(show(".fl-trouble").hidden, false);
  assert.equal(show(".fl-trouble").textContent, "Rate limit×Too many requestswaitContinue without it");
  const cut = { kind: "network", text: "The connection broke", hint: "", retry: true, reply: "half a sen", reply_length: 10 };
  await news({ status: "failed", error: cut });
  assert.equal(show(".fl-cut").textContent, "half a sen");
  assert.match(show(".fl-trouble").textContent, /The reply was cut off\. It is not part of the window; so far it said \(10 characters\):half a sen/);
  await news({ status: "failed", error: { ...cut, reply_length: 12345 } });
  assert.match(show(".fl-trouble").textContent, /\(the last 10 of 12,345 characters\)/);
  assert.equal(texts(app.root, ".fl-live button, .fl-trouble button").filter((text) => text === "Try again").length, 1);
  named("Try again", show(".fl-live")).click();
  await settled();
  assert.deepEqual(done(), [{ do: "retry" }]);
  show(".fl-trouble .fl-icon").click();
  assert.equal(show(".fl-trouble").hidden, true);
  show(".fl-status").click();
  assert.equal(show(".fl-trouble").hidden, false);
});

test("each button of the run says its name when pointed at: on a narrow page it is an icon alone", async () => {
  const names = ["Stop", "Compact", "Reset", "Breakpoints", "Requests"];
  const titled = () => names.map((name) => named(name).title.includes(name) || named(name).title);
  const news = await opened({ status: "running" });
  assert.deepEqual(titled(), [true, true, true, true, true]);
  await news({ status: "ended" });
  assert.deepEqual(titled(), [true, true, true, true, true]);
});

test("while the agent works the header says how many findings there are so far, and counts anew when it stops", async () => {
  const news = await opened({ status: "running" });
  await until(() => show(".fl-found").textContent === "no findings so far");
  const { seen } = findingsOf(app);
  await news({ status: "ended" });
  await until(() => show(".fl-found").textContent === "no findings");
  assert.equal(findingsOf(app).seen, seen + app.run.length);
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

const STOP = { kind: "tokens", value: 5000, argument: "", pattern: "", role: "", regex: false, from_hit: 1, on: true, id: 1 };
const WORDS = "tokens over 5,000";
const kindOf = (dialog, kind) => change(dialog.querySelector('[aria-label="Kind of breakpoint"]'), kind);
const submit = async (dialog) => {
  dialog.querySelector("form").dispatchEvent(new Event("submit"));
  await settled();
};

test("breakpoints are added, changed, switched off and removed", async () => {
  const news = await opened();
  press(app.root, "b");
  await settled();
  const dialog = show(".fl-breakpoints");
  assert.equal(dialog.open, true);
  assert.match(dialog.textContent, /No breakpoints\./);
  kindOf(dialog, "tokens");
  type(dialog.querySelector('[data-field="value"]'), "5000");
  await submit(dialog);
  assert.deepEqual(done(), [{ do: "set", breakpoints: [STOP] }]);
  await news({ breakpoints: [{ ...STOP, words: WORDS, hits: 2, hit: true }] });
  assert.deepEqual(texts(dialog, ".fl-stops li"), [`${WORDS}paused hereEditRemove`]);
  await news({ breakpoints: [{ ...STOP, words: WORDS, hits: 2, from_hit: 3 }] });
  assert.deepEqual(texts(dialog, ".fl-stops li"), [`${WORDS} (pauses from hit 3 on)2 hitsEditRemove`]);
  assert.equal(show('[data-icon="mark"]').getAttribute("aria-label"), "Breakpoints, 1 on");
  named(`Edit: ${WORDS}`).click();
  assert.equal(dialog.querySelector('[data-field="value"]').value, "5000");
  type(dialog.querySelector('[data-field="value"]'), "6000");
  await submit(dialog);
  assert.deepEqual(done().at(-1), { do: "set", breakpoints: [{ ...STOP, value: 6000, from_hit: 3 }] });
  change(dialog.querySelector(".fl-stops .fl-toggle"), false);
  await settled();
  assert.deepEqual(done().at(-1), { do: "set", breakpoints: [{ ...STOP, from_hit: 3, on: false }] });
  named(`Remove: ${WORDS}`).click();
  change(dialog.querySelector(".fl-stopline .fl-toggle"), true);
  await settled();
  assert.deepEqual(done().slice(-2), [
    { do: "set", breakpoints: [] },
    { do: "set", stepping: true },
  ]);
  press(dialog.querySelector(".fl-stops li"), "Delete");
  await settled();
  assert.deepEqual(done().at(-1), { do: "set", breakpoints: [] });
});

test("a breakpoint takes the conditions that its kind has", async () => {
  await opened();
  press(app.root, "b");
  await settled();
  const dialog = show(".fl-breakpoints");
  const field = (name) => dialog.querySelector(`[data-field="${name}"]`);
  change(field("value"), "write");
  change(field("argument"), "path");
  type(field("pattern"), "\\.env");
  type(dialog.querySelector(".fl-fromhit"), "2");
  await submit(dialog);
  const tool = { ...STOP, kind: "tool", value: "write", argument: "path", pattern: "\\.env", from_hit: 2 };
  assert.deepEqual(done().at(-1).breakpoints, [tool]);
  assert.equal(dialog.querySelector(".fl-fromhit").value, "1");
  assert.equal(dialog.getRootNode().activeElement, dialog.querySelector('[aria-label="Kind of breakpoint"]'));
  type(dialog.querySelector(".fl-fromhit"), "2");
  kindOf(dialog, "messages");
  assert.equal(dialog.querySelector(".fl-stophits").hidden, true, "a message arrives once");
  await submit(dialog);
  assert.deepEqual(done().at(-1).breakpoints, [{ ...STOP, kind: "messages", value: 1 }]);
  kindOf(dialog, "text");
  const before = done().length;
  await submit(dialog);
  assert.equal(done().length, before, "an empty text is not sent");
  type(field("value"), "budget");
  change(field("regex"), true);
  change(field("role"), "tool");
  await submit(dialog);
  assert.deepEqual(done().at(-1).breakpoints, [{ ...STOP, kind: "text", value: "budget", role: "tool", regex: true }]);
  for (const [kind, value] of [
    ["finding", "orphaned_tool_result"],
    ["error", "tool"],
  ]) {
    kindOf(dialog, kind);
    change(field("value"), value);
    await submit(dialog);
    assert.deepEqual(done().at(-1).breakpoints, [{ ...STOP, kind, value }]);
  }
  for (const [kind, words] of [
    ["before_compaction", "before a compaction"],
    ["compaction", "after a compaction"],
  ]) {
    kindOf(dialog, kind);
    assert.equal(field("value"), null);
    assert.equal(dialog.querySelector(`option[value="${kind}"]`).textContent, words);
    await submit(dialog);
    assert.deepEqual(done().at(-1).breakpoints, [{ ...STOP, kind, value: "" }]);
  }
});

test("what is wrong with a breakpoint is said where it was written", async () => {
  await opened();
  press(app.root, "b");
  await settled();
  serve({});
  const dialog = show(".fl-breakpoints");
  type(dialog.querySelector('[data-field="pattern"]'), "(a");
  await submit(dialog);
  assert.equal(dialog.querySelector(".fl-stoperror").textContent, "Not here. Look elsewhere.");
  assert.equal(dialog.open, true);
});

test("an impossible number of a breakpoint is told at once, with what is possible, and nothing is sent", async () => {
  await opened();
  press(app.root, "b");
  await settled();
  const dialog = show(".fl-breakpoints");
  const before = done().length;
  const wrong = () => dialog.querySelector(".fl-stoperror").textContent;
  const field = () => dialog.querySelector('[data-field="value"]');
  kindOf(dialog, "tokens");
  for (const [given, words] of [
    ["0", "Tokens must be a whole number from 1 to 1,000,000,000, not 0."],
    ["2.5", "Tokens must be a whole number from 1 to 1,000,000,000, not 2.5."],
    ["1e30", "Tokens must be a whole number from 1 to 1,000,000,000, not 1e30."],
    ["", "Tokens must be a whole number from 1 to 1,000,000,000."],
  ]) {
    change(field(), given);
    assert.equal(wrong(), words);
    assert.equal(field().getAttribute("aria-invalid"), "true");
    await submit(dialog);
    named("Run to it").click();
    await settled();
    assert.equal(wrong(), words);
  }
  change(field(), "1e3");
  assert.deepEqual([wrong(), field().getAttribute("aria-invalid")], ["", null]);
  change(dialog.querySelector(".fl-fromhit"), "-3");
  assert.equal(wrong(), "From hit must be a whole number from 1 to 1,000,000, not -3.");
  await submit(dialog);
  kindOf(dialog, "messages");
  assert.equal(wrong(), "", "a message arrives once: there is no hit to begin from");
  change(field(), "0");
  assert.equal(wrong(), "Message number must be a whole number from 1 to 1,000,000, not 0.");
  kindOf(dialog, "text");
  change(dialog.querySelector(".fl-fromhit"), "1");
  assert.equal(wrong(), "", "what is not typed yet is not wrong yet");
  type(field(), "  ");
  await submit(dialog);
  assert.equal(wrong(), "Type the text to wait for.");
  assert.equal(done().length, before);
});

test("the run goes on to a condition, or to the end of its turn", async () => {
  const news = await opened();
  press(app.root, "b");
  await settled();
  const dialog = show(".fl-breakpoints");
  assert.equal(dialog.querySelector(".fl-stopend p").textContent, "A model call that fails always pauses the run.");
  kindOf(dialog, "compaction");
  named("Run to it").click();
  await settled();
  const { on: _, id: __, ...target } = { ...STOP, kind: "compaction", value: "" };
  assert.deepEqual(done().at(-1), { do: "to", target });
  assert.equal(dialog.open, false);
  press(app.root, "b");
  await settled();
  named("Run to the end of the turn").click();
  await settled();
  assert.deepEqual(done().at(-1), { do: "to", target: null });
  await news({ status: "ended", more: false });
  press(app.root, "b");
  await settled();
  assert.deepEqual(
    [named("Run to it").disabled, dialog.querySelector(".fl-stopend p").textContent],
    [true, "There is no turn to continue: send a message first"],
  );
});

test("where the run goes on to stands in the bar until it is there, and is cancelled by button or key", async () => {
  const news = await opened();
  const line = show(".fl-runsto");
  assert.equal(line.hidden, true);
  press(app.root, "u");
  assert.match(app.toast.textContent, /nowhere in particular/);
  await news({ status: "paused", to: "message 40" });
  assert.equal(line.hidden, false);
  assert.equal(line.firstElementChild.textContent, "Continue runs on to message 40");
  await news({ status: "running", to: "message 40" });
  assert.equal(line.firstElementChild.textContent, "runs on to message 40");
  line.querySelector("button").click();
  await settled();
  assert.deepEqual(done().at(-1), { do: "cancel_to" });
  press(app.root, "u");
  await settled();
  assert.deepEqual(done().slice(-2), [{ do: "cancel_to" }, { do: "cancel_to" }]);
  await news({ to: "" });
  assert.equal(line.hidden, true);
});

test("before a tool runs, no part of the page says that its window would be sent", async () => {
  await opened({ tool: "read_file" }, 4, { awaited: ["read_file"] });
  assert.match(show(".fl-nextcall").textContent, /^before the result of read_file: 3 messages/);
  assert.match(show(".fl-told").textContent, /^, not sent before the result of read_file$/);
  assert.match(show(".fl-plan").textContent, /The result of read_file comes/);
  app.go(1);
  await settled();
  assert.match(show(".fl-told").textContent, /^, as the window stood then$/);
});

test("a message of a replayed window may be gone from the newest, and that is said of the newest", async () => {
  await opened({}, 6);
  app.go(2);
  app.select("m1");
  await settled();
  assert.match(show(".fl-where").textContent, /in the window/);
  assert.equal(named("Drop from window").title, "Gone from the newest window");
});

test("a window that the policy compacts first is not said to be sent", async () => {
  await opened({ status: "stopped" }, 2, { due: true });
  assert.match(show(".fl-nextcall").textContent, /^before the compaction: 3 messages/);
  assert.match(show(".fl-told").textContent, /^, not sent: compacted first$/);
});

test("before a tool runs its arguments are edited, or a person answers", async () => {
  const news = await opened();
  assert.equal(named("Edit call…").hidden, true);
  press(app.root, "e");
  assert.match(app.toast.textContent, /^No tool is about to run/);
  await news({ tool: "write", status: "stopped" });
  assert.equal(named("Edit call…").hidden, false, "a fork may begin with a call");
  await news({ tool: "write" });
  assert.equal(named("Edit call…").hidden, false);
  assert.equal(named("Edit call…").nextElementSibling, named("Step").parentElement, "Step and Continue stay where they are");
  press(app.root, "e");
  await settled();
  const dialog = show(".fl-toolcall");
  const args = dialog.querySelector(".fl-callargs");
  assert.equal(args.value, '{"path": "a"}');
  assert.match(dialog.textContent, /"type": "object"/);
  type(args, '{"path": "b"}');
  named("Run with these arguments").click();
  await settled();
  assert.deepEqual(done().at(-1), { do: "edit", call: "c1", arguments: '{"path": "b"}', pause: true });
  assert.equal(dialog.open, false);
  named("Edit call…").click();
  await settled();
  const primary = () => texts(dialog, "[data-primary]");
  assert.deepEqual(primary(), ["Run with these arguments"]);
  type(dialog.querySelector(".fl-callresult"), "No such file.");
  assert.deepEqual(primary(), ["Answer in its place"]);
  change(dialog.querySelector("#fl-call-error"), true);
  named("Answer in its place").click();
  await settled();
  assert.deepEqual(done().at(-1), { do: "answer", call: "c1", text: "No such file.", error: true, pause: true });
  for (const name of ["Run and continue", "Answer and continue"]) {
    named("Edit call…").click();
    await settled();
    named(name).click();
    await settled();
    assert.equal(done().at(-1).pause, false, name);
  }
  named("Edit call…").click();
  await settled();
  await news({ tool: "", status: "running" });
  assert.equal(dialog.open, false, "the call is over");
  await news({ tool: "write" });
  named("Edit call…").click();
  await settled();
  serve({});
  named("Run with these arguments").click();
  await settled();
  assert.equal(dialog.open, true);
  assert.equal(dialog.querySelector(".fl-stoperror").textContent, "Not here. Look elsewhere.");
});

test("a run is forked from any step, and its message edited", async () => {
  await opened();
  app.go(1);
  press(app.root, "F");
  await settled();
  const dialog = show(".fl-fork");
  assert.match(dialog.textContent, /begins with the window at message 2: 2 messages/);
  const box = dialog.querySelector("textarea");
  assert.equal(box.value, "do it");
  named("Fork").click();
  await settled();
  assert.deepEqual(done().at(-1), { do: "fork", step: 1, edit: null });
  assert.equal(dialog.open, false);
  assert.deepEqual(moved.at(-1), ["r", "s"]);
});

test("a fork from a message says another text in it", async () => {
  await opened();
  app.select("m2");
  named("Fork…").click();
  await settled();
  const box = show(".fl-fork textarea");
  type(box, "do something else");
  named("Fork with this text").click();
  await settled();
  assert.deepEqual(done().at(-1), { do: "fork", step: 2, edit: "do something else" });
});

test("the message that is shown is dropped or pinned, with its tool pair", async () => {
  await opened();
  app.select("m3");
  await settled();
  assert.equal(show(".fl-handnote").textContent, "with message 1, its tool pair");
  assert.equal(show(".fl-usage").textContent, "counted by the demo agent, a script: prompt 3,172 tokens, reply 337");
  press(app.root, "h");
  press(app.root, "Delete");
  await settled();
  assert.deepEqual(done(), [
    { do: "pin", places: [3], on: true },
    { do: "drop", places: [3] },
  ]);
  assert.equal(app.toast.textContent, "Dropped: no longer sentUndo");
});

test("a drop is undone while the server says that it can be", async () => {
  await opened({ undo: true });
  press(app.root, "z", { ctrlKey: true });
  await settled();
  assert.deepEqual(done(), [{ do: "undo" }]);
  assert.equal(app.toast.textContent, "Undone: sent again");
});

test("the card of a drop, and each message that it took, offers Undo as long as it is possible; a press takes the drop back", async (t) => {
  const handles = () => [show(".fl-handles").hidden, texts(app.root, ".fl-handles > button:not([hidden])")];
  VIEW.c.edit = [1];
  t.after(() => delete VIEW.c.edit);
  const news = await opened({ undo: true });
  assert.deepEqual([show(".fl-inspector .fl-title").textContent, ...handles()], ["Edit 1 of 1", false, ["Undo drop"]]);
  assert.equal(show(".fl-handnote").textContent, "Until the next model call");
  named("Undo drop").click();
  await settled();
  assert.deepEqual(done(), [{ do: "undo" }]);
  app.select("m3");
  assert.deepEqual(handles(), [false, ["Drop from window", "Pin", "Request", "Fork…"]]);
  app.select("m1");
  assert.deepEqual(handles(), [false, ["Undo drop", "Request", "Fork…"]], "a message that the drop took leads back, too");
  assert.equal(show(".fl-handnote").textContent, "Dropped");
  await news({ undo: false });
  assert.deepEqual(handles(), [false, ["Drop from window", "Pin", "Request", "Fork…"]]);
  assert.equal(show(".fl-handnote").textContent, "Gone by now");
  app.select(null);
  assert.equal(show(".fl-handles").hidden, true);
});

test("where nothing was dropped since the last model call, Undo says so", async () => {
  await opened();
  press(app.root, "z", { ctrlKey: true });
  assert.equal(app.toast.textContent, "Nothing was dropped since the last model call");
  assert.deepEqual(done(), []);
});

test("while the run goes on nothing is dropped or pinned", async () => {
  await opened({ status: "running" });
  app.select("m3");
  named("Pin").click();
  assert.equal(app.toast.textContent, "Pause the run to drop or pin");
  assert.deepEqual(done(), []);
});

test("a text that the next compaction takes can be pinned from its answer, by h too, and nothing is tried", async () => {
  await opened({}, 6);
  app.why.ask("do it");
  await settled();
  assert.equal(show(".fl-why-answer").textContent, "In the window. The next compaction takes it.");
  press(app.root, "h");
  await settled();
  app.select(null);
  named("Pin it before the next call").click();
  await settled();
  const pinned = { do: "pin", places: [3], on: true };
  assert.deepEqual(done(), [pinned, pinned]);
  assert.equal(requests.filter(([, path]) => path.startsWith("api/fixes")).length, 0);
  app.go(4);
  assert.equal(named("Pin it before the next call"), undefined); // that is over
  app.why.remove(0);
  await settled(); // the address has no text any more
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

test("what is new is followed; who has stepped back is told how many messages come after the cursor", async () => {
  const news = await opened();
  assert.deepEqual([app.step, app.follow, show(".fl-follow").textContent], [4, true, "Following"]);
  press(app.root, "ArrowLeft");
  assert.deepEqual([app.step, app.follow], [3, false]);
  assert.equal(show(".fl-follow").textContent, "Follow", "at the compaction there are no messages after the cursor");
  await news({}, 6);
  assert.deepEqual([app.step, app.run.length, show(".fl-follow").textContent], [3, 7, "2 newer"]);
  press(app.root, "ArrowLeft");
  assert.equal(show(".fl-follow").textContent, "3 newer");
  press(app.root, "t");
  assert.equal(app.step, 6);
});

test("a message that is chosen stays shown while the run goes on, which is not called following; one press leads to the newest", async () => {
  const news = await opened();
  const told = () => [show(".fl-follow").getAttribute("aria-pressed"), show(".fl-follow").textContent, subjectOf(app).message];
  app.select("m1");
  assert.deepEqual(told(), ["false", "Follow", 1]);
  await news({}, 6);
  assert.deepEqual([app.step, ...told()], [6, "false", "Follow", 1], "the cursor is at the newest message");
  const ways = [() => show(".fl-follow").click(), () => press(app.root, "t"), () => press(app.root, "End"), () => press(app.root, "G")];
  for (const way of [...ways, () => show("[data-tool=last]").click(), () => press(app.root, "Escape")]) {
    app.select("m1");
    assert.equal(told()[0], "false");
    way();
    assert.deepEqual([app.selected, app.step, ...told()], [null, 6, "true", "Following", 5]);
  }
});

test("a message that is chosen and then dropped is let go of: the run is followed again, also while it goes on", async (t) => {
  VIEW.c.edit = [1];
  t.after(() => delete VIEW.c.edit);
  const news = await opened({ undo: true }, 3);
  const told = () => [app.selected, app.step, show(".fl-follow").textContent, show(".fl-inspector .fl-title").textContent];
  app.select("m1");
  assert.equal(told()[2], "Follow");
  await news({ undo: true }, 4);
  assert.deepEqual(told(), [null, 4, "Following", "Edit 1 of 1"]);
  await news({ undo: false }, 6);
  assert.deepEqual(told().slice(0, 3), [null, 6, "Following"]);
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
  assert.equal(show(".fl-standing").textContent, "Not available: Not here. Look elsewhere.");
  show(".fl-main").click();
  assert.deepEqual(done(), []);
});

test("a hidden tab has no connection; shown again it asks for what is new since", async () => {
  const news = await opened();
  const questions = () => requests.filter(([method]) => method === "WS");
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
  assert.equal(show(".fl-standing").textContent, "No connection: The server does not answer. Nothing is lost; retrying.");
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
  assert.equal(drive.lost, "Open the link that foldline printed in its terminal.");
});

test("every call that was sent is listed with its time and what came of it, and shown with its reply and its attempts", async () => {
  await opened();
  press(app.root, "q");
  await settled();
  assert.deepEqual(texts(app.root, ".fl-callhead span"), ["model call", "took"]);
  assert.deepEqual(texts(app.root, ".fl-callrow"), ["Nextnot sent yet", "3 summary3.2 s", "23.2 sfailed, 1 retry", "13.2 s"]);
  app.root.querySelector('[data-call="2"]').click();
  await settled();
  assert.match(show(".fl-reqbody").textContent, /"call": 2/);
  assert.match(show(".fl-callabout").textContent, /^Call 2 · Reply to the window after message 3 · took 3.2 s · failed, 1 retry/);
  assert.match(show(".fl-callurl").textContent, /^POST https:\/\/api.example:443\/v1\/chat. Headers are not kept/);
  assert.deepEqual(texts(app.root, ".fl-attempts li"), [
    "Attempt 1, at 0.00 s: HTTP 429 after 0.1 s. slow down",
    "Attempt 2, at 0.5 s: no answer after 10 s. no connection: refused",
  ]);
  app.root.querySelector('[data-side="reply"]').click();
  assert.equal(show(".fl-reqnote").textContent, "api.example cannot be reached");
  app.root.querySelector('[data-call="1"]').click();
  await settled();
  app.root.querySelector('[data-side="request"]').click();
  assert.equal(show(".fl-reqnote").textContent, "the first 11 of 9,000 characters".replace("11", String(kept(1).request.length)));
});

test("a message leads to the call that wrote it, or that it was first sent in", async () => {
  await opened();
  const call = (pool) => callOf(CALLS, run(), pool)?.number;
  assert.deepEqual([call(2), call(0), call(3), call(ADDED)], [1, 1, undefined, 3]);
  app.select("m2");
  await settled();
  texts(app.root, ".fl-handle");
  [...app.root.querySelectorAll(".fl-handle")].find((node) => node.textContent === "Request").click();
  await settled();
  assert.equal(app.root.querySelector(".fl-request").open, true);
  assert.equal(app.root.querySelector('[aria-current="true"]').dataset.call, "1");
});

test("at any time one button of the page is the primary one, and before the first message it says what will be there", async () => {
  const news = await opened({ status: "ready", turn: 0, why: "" });
  const primary = () => texts(app.root, ".fl-live [data-primary]"); // each dialog over it has one of its own
  assert.deepEqual(primary(), ["Start"]);
  assert.equal(show(".fl-intro").hidden, false);
  assert.match(show(".fl-intro").textContent, /Start sends the task below.*Here: every message the model is sent/);
  await news({ status: "running" });
  assert.deepEqual([primary(), show(".fl-intro").hidden], [["Pause"], true]);
  await news({ status: "paused", why: "one step made" });
  assert.deepEqual(primary(), ["Step"]);
  await news({ status: "ended", more: false });
  assert.deepEqual(primary(), ["Send"]);
});

test("Step sends what is written, as Start does, and asks for one model call; with nothing written there is nothing to step", async () => {
  await opened({ status: "ready", turn: 0, why: "", more: false, goal: "" });
  const step = () => named("Step");
  assert.equal(step().getAttribute("title"), "Nothing to continue: write a message first");
  type(show(".fl-say"), "Find the fault");
  assert.equal(step().getAttribute("aria-disabled"), null);
  step().click();
  await settled();
  assert.deepEqual(done().at(-1), { do: "say", text: "Find the fault", step: true });
});

test("each MCP server says how it stands, what went wrong and which tools the model is offered; it is reconnected", async () => {
  const servers = [
    { name: "files", target: "python", status: "dead", problem: "out of memory", tools: [["add", "Add two numbers.", 0]] },
    { name: "web", target: "https://a.example", status: "connected", problem: "", tools: [["get", "Fetch.", 1]] },
  ];
  const news = await opened({ status: "ended", more: false });
  const lever = () => [...app.root.querySelectorAll(".fl-lever")].find((node) => node.textContent === "MCP");
  assert.equal(lever().hidden, true);
  await news({ status: "ended", more: false, servers });
  assert.deepEqual([lever().hidden, lever().getAttribute("aria-label")], [false, "MCP servers: MCP server files is dead"]);
  lever().click();
  assert.deepEqual(texts(app.root, ".fl-server h3"), ["files dead", "web connected"]);
  assert.match(
    show(".fl-server").textContent,
    /pythonLast error: out of memory1 tool, 0 offered to the modeladdAdd two numbers.not offered to the model/,
  );
  named("Reconnect").click();
  await settled();
  assert.deepEqual(done().at(-1), { do: "reconnect" });
  assert.equal(show(".fl-mcp .fl-reqnote").textContent, "Reconnected.");
  await news({ status: "running", servers });
  assert.equal(named("Reconnect").getAttribute("title"), "Stop the run first");
});

test("an error always says something: never nothing, never only that it is one", () => {
  assert.equal(problemText(new Error("the file is gone")), "the file is gone");
  for (const bare of [new Error(), new Error("Error"), new TypeError("  "), undefined, {}])
    assert.match(problemText(bare), /An unknown error occurred on this page. Reload the page/);
});
