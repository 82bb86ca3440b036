// The debugger on a page: its keys, its playback, and what its parts show of a small run.
import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { painted, pass, point, press, serve, settled, texts, type } from "./dom.mjs";
import { App } from "../../viewer/frontend/debugger/app.js";
import { run } from "./packed.mjs";

const MESSAGE = { role: "user", content: "do it all", total: 9, line: 3, model: "m", timestamp: "2026-11-20T14:26:03Z", pairs: [] };
const CARD = {
  recorded: false,
  fidelity: "",
  reason: "",
  trigger: "",
  before_from: "",
  after_from: "",
  duration_ms: null,
  unreadable: "",
  summary: "Task: read a.py",
  findings: [{ kind: "orphaned", severity: "error", title: "Orphaned tool result", text: "Its call is gone.", messages: [3] }],
};
const FINDING = { ...CARD.findings[0], failed: false, first: 0, last: 0, times: 1, step: 4, last_step: 4 };
const FINDINGS = {
  total: 2,
  counts: { error: 1, warning: 0, info: 1 },
  kinds: [
    { kind: "orphaned", severity: "error", total: 1 },
    { kind: "short_summary", severity: "info", total: 1 },
  ],
  matching: { error: 1, warning: 0, info: 1 },
  findings: [FINDING, { ...FINDING, kind: "short_summary", severity: "info", title: "Short summary" }],
  marks: { titles: [[0, "Orphaned tool result"]], at: [0], first: [[0]], count: [2] },
};
const ANSWERS = {
  "api/message/": (path) => ({ ...MESSAGE, content: `body of ${path.split("/").at(-1)}`, role: "user" }),
  "api/added/": { ...MESSAGE, content: "summary text" },
  "api/compaction/": CARD,
  "api/findings/": FINDINGS,
  "api/find/": { q: "a", total: 2, hits: [1, 4] },
};

let app;
let serial = 0;

/** The debugger over the small run, at a step; other traces are asked for as other ones. */
async function opened(step = 0, changes = {}, header = {}) {
  serve(ANSWERS);
  const id = `t${++serial}`;
  app = new App(document.body);
  app.setRun(run({ tid: id, stamp: id, ...changes }, { sid: id, session: id, ...header }), { query: { source: "sample" }, start: String(step) });
  await settled();
  return app;
}

const show = (selector) => app.root.querySelector(selector);

afterEach(() => app?.destroy());

test("n and p go to the next and the previous compaction, and say so where there is none", async () => {
  await opened(0);
  press(app.root, "n");
  assert.equal(app.step, 4);
  press(app.root, "n");
  assert.deepEqual([app.step, app.toast.textContent], [4, "No later compaction"]);
  press(app.root, "G");
  press(app.root, "p");
  assert.equal(app.step, 4);
  press(app.root, "p");
  assert.deepEqual([app.step, app.toast.textContent], [4, "No earlier compaction"]);
});

test("the buttons for compactions do what their names say", async () => {
  await opened(0);
  const [next, previous] = ["Next compaction", "Previous compaction"].map((name) => show(`[aria-label="${name}"]`));
  assert.equal(previous.getAttribute("aria-disabled"), "true");
  next.click();
  assert.equal(app.step, 4);
  press(app.root, "End");
  assert.equal(next.getAttribute("aria-disabled"), "true");
  previous.click();
  assert.equal(app.step, 4);
});

test("a card's buttons stay while its answer arrives, so that a click on one is not lost", async () => {
  await opened(0);
  press(app.root, "n");
  const buttons = () => [...app.root.querySelectorAll(".fl-tab"), ...app.root.querySelectorAll(".fl-phase")];
  const [before, findings] = [buttons(), show('[data-tab="findings"]')];
  assert.deepEqual([before.length > 4, findings.textContent], [true, "Findings"]);
  pass(100);
  await settled();
  assert.deepEqual([buttons().every((button, i) => button === before[i]), findings.textContent], [true, "Findings 1"]);
});

test("arrows step, with Shift by turns; g and G go to the ends", async () => {
  await opened(0);
  const after = (key, more) => (press(app.root, key, more), app.step);
  assert.deepEqual(
    [after("ArrowRight"), after("ArrowRight"), after("ArrowLeft"), after("ArrowRight", { shiftKey: true }), after("ArrowLeft", { shiftKey: true })],
    [1, 2, 1, 6, 1],
  );
  assert.deepEqual([after("G"), after("g"), after("End"), after("Home")], [6, 0, 6, 0]);
  const turn = { shiftKey: true }; // the one turn begins at step 1
  assert.deepEqual([after("ArrowRight", turn), after("ArrowRight"), after("ArrowLeft", turn), after("ArrowLeft", turn)], [1, 2, 1, 0]);
});

test("playback takes two steps a second at 1×, and as many more as its speed says", async () => {
  for (const [speed, ms, step] of [
    [1, 1000, 2],
    [0.5, 2000, 2],
    [4, 500, 4],
  ]) {
    await opened(0, { length: 6, ...NEVER });
    app.setSpeed(speed);
    press(app.root, " ");
    assert.equal(app.playing, true);
    pass(ms, 125);
    assert.equal(app.step, step, `${speed}×`);
    press(app.root, " ");
    pass(1000);
    assert.equal(app.step, step, "paused");
    app.destroy();
  }
  await opened(0);
});

const COLUMNS = ["at", "before", "after", "folded", "number", "summaryTokens", "removedTokens", "status", "recordedBefore", "recordedAfter", "micro"];
const NEVER = {
  heads: [1],
  bodies: [1],
  tails: [0, 1, 0, 0, 0, 0],
  c: Object.fromEntries([...COLUMNS, "layout", "added"].map((name) => [name, []])),
};

test("playback stops at the last step, and begins again from the first", async () => {
  await opened(5);
  app.play();
  pass(3000);
  assert.deepEqual([app.step, app.playing], [6, false]);
  show('[data-tool="play"]').click();
  assert.deepEqual([app.step, app.playing], [0, true]);
  assert.equal(show('[data-tool="play"]').getAttribute("aria-label"), "Pause");
  app.pause();
});

test("an animated compaction holds playback for a moment", async () => {
  await opened(2);
  app.play();
  pass(1050);
  assert.equal(app.step, 4);
  pass(700);
  assert.equal(app.step, 4);
  pass(600);
  assert.equal(app.step, 5);
});

test("the window lists what the model would be sent, each row with its region and tokens", async () => {
  await opened(3);
  const rows = [...app.root.querySelectorAll(".fl-window .fl-row")].map((row) => [row.dataset.key, row.dataset.region, row.dataset.tokens]);
  assert.deepEqual(rows, [
    ["m0", "system", "10"],
    ["m1", "compactable", "20"],
    ["m2", "recent", "30"],
    ["m3", "recent", "40"],
  ]);
  assert.equal(show(".fl-gauge .fl-total").textContent, "= 100 of 100");
  assert.equal(show(".fl-window .fl-title").textContent, "Window at step 3");
});

test("after a compaction the window holds the summary, and ghosts show what left", async () => {
  await opened(4);
  const keys = () => [...app.root.querySelectorAll(".fl-row")].map((row) => row.dataset.key);
  assert.deepEqual(keys(), ["m0", "c0.0", "m3"]);
  show(".fl-switch").click();
  assert.deepEqual(keys(), ["m1", "m2", "m0", "c0.0", "m3"]);
  assert.match(show(".fl-past .fl-heading").textContent, /^Summarized earlier: 2 messages/);
  show('.fl-past [data-key="m1"]').click();
  await settled();
  assert.equal(app.selected, "m1");
  assert.match(show(".fl-where").textContent, /summarized by compaction 1/);
});

test("what a person typed while the agent worked says that only the queue holds it", async () => {
  await opened(3);
  serve({ ...ANSWERS, "api/message/": { ...MESSAGE, injected: "queued" } });
  show('[data-key="m1"]').click();
  await settled();
  assert.match(show(".fl-ibody .fl-about").textContent, /typed while the agent worked; only a record of its queue holds it/);
});

test("a chosen row is shown whole; the arrow keys choose the ones beside it; Escape lets go", async () => {
  await opened(3);
  show('[data-key="m1"]').click();
  await settled();
  assert.match(show(".fl-ibody").textContent, /line 3|record 3/);
  assert.match(show(".fl-ibody .fl-text").textContent, /body of 1/);
  press(show(".fl-list:not(.fl-past) .fl-scroll"), "ArrowDown");
  assert.equal(app.selected, "m2");
  press(show(".fl-list:not(.fl-past) .fl-scroll"), "PageUp");
  assert.equal(app.selected, "m0");
  press(app.root, "Escape");
  assert.equal(app.selected, null);
});

test("the card of a compaction has its numbers, its summary and its findings", async () => {
  await opened(4);
  const { fl } = { fl: (selector) => show(`.fl-inspector ${selector}`) };
  assert.equal(fl(".fl-title").textContent, "Compaction 1 of 1");
  assert.equal(fl(".fl-numbers").textContent, "100→57−43 · 43 %");
  assert.deepEqual(texts(app.root, ".fl-phase b"), ["1 trigger", "2 partition", "3 summarize", "4 splice"]);
  assert.equal(fl(".fl-prose").textContent, "Task: read a.py");
  fl('[data-tab="findings"]').click();
  assert.match(fl(".fl-finding").textContent, /Orphaned tool result Its call is gone\. message 4/);
  fl('[data-tab="removed"]').click();
  await settled();
  assert.deepEqual(texts(show(".fl-tabpanel"), ".fl-preview"), ["do it", "a.py"]);
  press(show(".fl-tabs"), "ArrowRight");
  assert.equal(show('.fl-tab[aria-selected="true"]').dataset.tab, "kept");
});

test("the card of a recorded compaction says how long the agent waited for it, where that is recorded", async () => {
  const answers = [118_042, 800, null].map((duration_ms) => ({ ...CARD, recorded: true, trigger: "auto", duration_ms }));
  const said = [];
  for (const card of answers) {
    await opened(0, { kind: "replay" });
    serve({ ...ANSWERS, "api/compaction/": card });
    app.go(4);
    await settled();
    said.push(show(".fl-inspector .fl-when").textContent);
    app.destroy();
  }
  assert.deepEqual(said, ["step 4 · auto · waited 1 min 58 s", "step 4 · auto · waited less than 1 s", "step 4 · auto"]);
});

test("1 to 4 show the phases of a compaction: what goes is marked, then what takes its place", async () => {
  await opened(4);
  press(app.root, "2");
  assert.deepEqual(
    [...app.root.querySelectorAll(".fl-window .fl-taken")].map((row) => row.dataset.key),
    ["m1", "m2"],
  );
  assert.match(show(".fl-plan").textContent, /^\s*Before the compaction/);
  assert.match(show(".fl-told").textContent, /what the compaction removes/);
  press(app.root, "3");
  assert.deepEqual(texts(app.root, ".fl-window .fl-fresh .fl-role"), ["summary #1"]);
  press(app.root, "4");
  assert.match(show(".fl-told").textContent, /what the model would be sent/);
});

test("the plan line says what comes next", async () => {
  await opened(2);
  assert.match(show(".fl-plan").textContent, /40 below budget\. The next compaction is 2 steps away\./);
});

test("find marks where each hit is, and goes to them", async () => {
  await opened(6);
  press(app.root, "/");
  assert.equal(app.open.find, true);
  type(show(".fl-find input"), "a");
  await settled();
  assert.equal(show(".fl-place").textContent, "2 of 2");
  assert.match(show(".fl-tally").textContent, /1 in the window, 1 removed, 0 later/);
  press(show(".fl-find input"), "Enter");
  assert.equal(app.selected, "m4");
  press(show(".fl-find input"), "Enter");
  assert.deepEqual([app.selected, app.step], ["m1", 1]);
  assert.match(show(".fl-hit").textContent, /message 2/);
  press(show(".fl-find input"), "Escape");
  await settled();
  assert.deepEqual([app.open.find, app.findQuery], [false, ""]);
});

test("findings are counted on the button, listed by severity, and lead to their step", async () => {
  await opened(0);
  await settled();
  assert.equal(show(".fl-found").textContent, "2 findings");
  press(app.root, "f");
  await settled();
  assert.deepEqual(texts(app.root, ".fl-fgroup"), ["Errors1The run breaks, or information is lost", "Info1Possibly intentional"]);
  const [first] = app.root.querySelectorAll(".fl-frow");
  assert.match(first.textContent, /EOrphaned tool resulterror · compaction 1 of 1 · step 4/);
  first.click();
  assert.equal(app.step, 4);
  assert.equal(first.getAttribute("aria-current"), "true");
  press(first, "ArrowDown");
  show('.fl-kind[data-kind="short_summary"]').click();
  await settled();
  assert.deepEqual(texts(app.root, ".fl-frow b"), ["Short summary"]);
  press(app.root, "f");
  assert.equal(show(".fl-findings").hidden, true);
});

test("findings that cannot be had say so, and are asked for again", async () => {
  serve({});
  app = new App(document.body);
  app.setRun(run({ tid: "lost", stamp: "lost" }, { sid: "lost", session: "lost" }), { query: {} });
  await settled();
  assert.equal(show(".fl-found").textContent, "findings: failed");
  app.toggle("findings");
  await settled();
  assert.match(show(".fl-findings-list").textContent, /not here; look elsewhereRetry/);
  serve(ANSWERS);
  show(".fl-findings-list button").click();
  await settled();
  assert.equal(show(".fl-found").textContent, "2 findings");
});

test("? opens the shortcuts and the glossary, which has a line for each word of the project", async () => {
  await opened(0);
  press(app.root, "?");
  const dialog = show("dialog.fl-help");
  assert.equal(dialog.open, true);
  assert.equal(dialog.querySelector("h2").textContent, "Shortcuts and glossary");
  const words = texts(dialog, ".fl-words dt");
  for (const word of "Transcript Session Message Turn Window Budget Meter Calibrated Unseen Policy Region Compaction Step Trace Finding".split(" "))
    assert.ok(words.includes(word), word);
  press(dialog, "?");
  assert.deepEqual([dialog.open, app.open.help], [false, false]);
});

test("the header names the session, its facts and its notes", async () => {
  await opened(0, {}, { title: "A task", format: "openai", model: "m-1", total: 210, notes: ["line 3 was skipped"], recordedCompactions: 2 });
  assert.equal(show("h1").textContent, "A task");
  assert.deepEqual(texts(app.root, ".fl-facts .fl-fact"), ["openai", "6 messages", "210 tokens by agentkit", "2 recorded compactions", "m-1"]);
  const more = [...app.root.querySelectorAll(".fl-header button")].find((node) => node.textContent === "1 note");
  more.click();
  assert.equal(show(".fl-notes").hidden, false);
  assert.match(show(".fl-notes").textContent, /Tokens210, estimated by agentkit.*line 3 was skipped/);
});

test("the header counts the whole transcript, and tells the two kinds of recorded compactions apart", async () => {
  await opened(0, {}, { messages: 8, total: 300, recordedCompactions: 2, recordedMicrocompactions: 1 });
  const said = texts(app.root, ".fl-facts .fl-fact");
  assert.deepEqual(said.slice(0, 3), ["8 messages", "300 tokens by agentkit", "2 recorded compactions, 1 recorded microcompaction"]);
  assert.match(show(".fl-notes").textContent, /Messages8 messages in .*Recorded2 compactions, 1 microcompaction/);
});

test("the header does not call a window whole whose prompts shrank", async () => {
  const recorded = { at: [], before: [], after: [], prompts: { at: [1, 3, 5], tokens: [30, 70, 20] }, error: null };
  await opened(0, {}, { recorded: { ...recorded, uncertain: [[5, 6]] }, unseen: { first: 0, typical: 0 } });
  const text = show(".fl-notes").textContent;
  assert.match(text, /Windowuncertain from step 5 on: the recorded prompt shrank, and no compaction is recorded/);
  assert.match(text, /Unseennot known: the recorded prompts shrank/);
  await opened(0, {}, { recorded, unseen: { first: 0, typical: 0 } });
  assert.match(show(".fl-notes").textContent, /Unseennone: the recorded prompts are no larger/);
});

test("the header names the meter with its error, and takes apart what is unseen", async () => {
  const recorded = { at: [], before: [], after: [], prompts: { at: [1, 3], tokens: [300, 700], scaled: [40, 90] }, error: null };
  const unseen = { first: 200, typical: 5000, parts: { missing: 4200, undercounted: 800 } };
  await opened(
    0,
    {},
    { total: 210, recorded, unseen, meter: "calibrated", meterText: "calibrated (±2.4 % of the prompt, 11 calls)", how: "calibrated" },
  );
  assert.ok(texts(app.root, ".fl-facts .fl-fact").includes("210 tokens by calibrated (±2.4 % of the prompt, 11 calls)"));
  const text = show(".fl-notes").textContent;
  assert.match(text, /Tokens210, by calibrated \(±2\.4 % of the prompt, 11 calls\)/);
  assert.match(text, /~5,000 of a typical one: ~4,200 not in the transcript \(system prompt, .*\), ~800 undercounted by calibrated/);
  await opened(0, {}, { recorded, unseen: { first: 200, typical: 5000 } });
  assert.match(show(".fl-notes").textContent, /~5,000 of a typical one \(system prompt/);
});

test("the timeline paints the limit and its caption, and is a slider that the pointer and keys move", async () => {
  await opened(0);
  assert.ok(painted.texts.includes("budget 100"), painted.texts.join());
  assert.ok(painted.texts.some((text) => text.startsWith("window tokens")));
  const slider = show(".fl-timeline");
  point(slider, "pointerdown", 786);
  assert.equal(app.step, 6);
  point(slider, "pointermove", 46);
  pass(50);
  assert.equal(app.step, 0);
  point(slider, "pointerup", 46);
  press(slider, "PageDown");
  assert.equal(app.step, 1);
  assert.match(slider.getAttribute("aria-valuetext"), /^step 1 of 6, turn 1, 30 tokens/);
  point(slider, "pointermove", 600);
  assert.ok(painted.texts.some((text) => /^[45] · /.test(text)));
});

test("a recorded run: its prompts, its compaction beside the policy, and what was sent", async () => {
  const compared = { policy: "p", settings: { budget: "3000" }, asked: true, status: "compacted", reason: "", both: 1, policies: ["p", "q"] };
  const side = { before: 100, after: 57, removed: 2, cleared: 0, kept: 2, summary: 7 };
  const alone = { total: 1, first: [3] };
  const recorded = { at: [4], before: [120], after: [60], left: [57], prompts: { at: [2, 3, 5], tokens: [40, 70, 110] } };
  await opened(0, {}, { recorded, recordedCompactions: 1 });
  serve({ ...ANSWERS, "api/compared/": { ...compared, recorded: side, made: side, recorded_alone: alone, policy_alone: { total: 0, first: [] } } });
  press(app.root, "r");
  await settled();
  assert.equal(app.selected, "r0");
  assert.equal(show(".fl-inspector .fl-title").textContent, "Recorded compaction 1 of 1");
  const text = show(".fl-versus").textContent;
  assert.match(text, /budget 3,000/);
  assert.match(text, /Both keep 1 message unchanged\.Kept only by the agent: 1 message: 4It would have compacted here automatically\./);
});

test("a failed attempt is gone to with x, and told", async () => {
  const failed = { at: [3], status: [2], reason: ["over budget, but the summarizer failed: no answer"], times: [1] };
  await opened(0, { ...NEVER, length: 6, failed, statuses: ["not_triggered", "compacted", "failed"] });
  press(app.root, "x");
  assert.equal(app.step, 2);
  assert.match(app.toast.textContent, /^Summarizing failed here: .*no answer/);
  press(app.root, "x");
  assert.equal(app.toast.textContent, "No later failed attempt");
});

test("an emptied session says so, and only its header stands", async () => {
  serve(ANSWERS);
  app = new App(document.body);
  const nothing = run({ ...NEVER, length: 0, tails: [] });
  Object.assign(nothing, { n: 0 });
  app.setRun(nothing, { query: {} });
  assert.equal(app.waiting.textContent, "This session has no messages.");
  assert.equal(app.root.hasAttribute("data-empty"), true);
});
