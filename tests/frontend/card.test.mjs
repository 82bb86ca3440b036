import assert from "node:assert/strict";
import { test } from "node:test";
import { Answers, Asker } from "../../viewer/frontend/lib/api.js";
import { headlineOf } from "../../viewer/frontend/run/cardheadline.js";
import { lineOf } from "../../viewer/frontend/run/cardline.js";
import { why } from "../../viewer/frontend/run/cardwords.js";
import { announcement } from "../../viewer/frontend/run/announcing.js";
import { Run } from "../../viewer/frontend/run/model.js";
import { ADDED } from "../../viewer/frontend/run/pool.js";
import { counted, figures, markOf, nameOf, placeOf, spanOf } from "../../viewer/frontend/run/compactionfigures.js";
import { numberNotes } from "../../viewer/frontend/run/numbernotes.js";
import { phases } from "../../viewer/frontend/run/phasefigures.js";
import { windowSections } from "../../viewer/frontend/run/sections.js";
import { visible } from "../../viewer/frontend/lib/dom.js";
import { subject } from "../../viewer/frontend/debugger/subject.js";
import { characters, spread } from "../../viewer/frontend/message/body.js";
import { parted, pieces } from "../../viewer/frontend/lib/text.js";
import { kindOf } from "../../viewer/frontend/lib/wrap.js";
import { unlistedOf, unlistedWords } from "../../viewer/frontend/run/unlisted.js";
import { smallRun } from "./small_run.mjs";
import { until } from "./until.mjs";

const headline = (run, origins = { before: "", after: "" }) => headlineOf(run, 0, figures(run, 0), origins);
const line = (run) => Object.values(lineOf(run, 0, figures(run, 0))).join("");

test("a card names its place, says how much smaller the window became, who counted that, and in a line what did it", () => {
  const run = smallRun();
  assert.equal(figures(run, 0).place, "Compaction 1 of 1");
  assert.deepEqual(headline(run), { before: "90", after: "47", change: "−48 %", grew: false, whose: "tokens counted by o200k_base" });
  assert.equal(line(run), "5 messages, 50 tokens → 1 summary, 7; 1 pinned and 3 recent stay");
});

test("the headline of a recorded compaction is the record's, and says whose count it is; the line is what the file shows of it", () => {
  const run = smallRun();
  Object.assign(run.view, { kind: "replay", policy: null });
  Object.assign(run.view.c, { recordedBefore: [156699], recordedAfter: [66549] });
  run.store.header.recorded = {};
  const after = "prompt of the model call after";
  const own = "the agent's own count (`preTokens`)";
  assert.deepEqual(headline(run, { before: own, after }), {
    before: "156,699",
    after: "66,549",
    change: "−58 %",
    grew: false,
    whose: "tokens as recorded",
  });
  assert.equal(headline(run, { before: own, after: own }).whose, "tokens by the agent's count");
  const whose = headline(run, { before: "prompt of the model call before", after }).whose;
  assert.equal(whose, "tokens in the last prompt before it and the first one after", "the window, as the timeline has it, may be larger");
  assert.equal(line(run), "In this file: 5 messages, 50 tokens → 1 summary, 7; 4 messages stay");
  run.view.c.recordedAfter = [-1];
  assert.deepEqual([headline(run).after, headline(run).change], ["?", ""], "the file does not say it");
});

test("what an agent put back beside its summary is counted apart from it", () => {
  const base = smallRun();
  const view = { ...base.view, kind: "replay", policy: null };
  const added = [[...base.view.c.added[0], [1, "file", 30, "shade", -1], [1, "hook", 4, "terse", -1]]];
  const run = new Run(base.store, { ...view, c: { ...view.c, added, layout: [[0, 1, ADDED, ADDED + 1, 6, 9, ADDED + 1, ADDED + 3]] } });
  run.store.header.recorded = {};
  assert.equal(line(run), "5 messages, 50 tokens → 1 summary, 7; 2 put back, 34; 4 messages stay");
  run.view.c.added[0][2][1] = "shortened";
  assert.equal(line(new Run(base.store, run.view)), "5 messages, 50 tokens → 1 summary, 7; 1 put back, 30; 4 messages stay", "that one never left");
});

test("a message that a record shows emptied is no summary beside what was emptied", () => {
  const { store, view } = smallRun();
  store.header.recorded = {};
  const c = { ...view.c, micro: [1], folded: [0], added: [[[3, "cleared", 8, "[cleared]", 4]]], layout: [[0, 4, ADDED, ADDED + 1, 5, 9]] };
  const said = line(new Run(store, { ...view, kind: "replay", policy: null, c }));
  assert.match(said, /^1 message cleared in place, [^;]+; 8 messages stay$/);
  assert.doesNotMatch(said, /summary/);
});

test("a microcompaction whose prompts do not show it says what it cleared, and never that the window grew", () => {
  const run = smallRun();
  const view = { ...run.view, kind: "replay", policy: null };
  view.c = { ...view.c, micro: [1], folded: [0], added: [[]], layout: [[0, 9]], recordedBefore: [13265], recordedAfter: [11265] };
  run.store.header.recorded = { at: [9], prompts: { at: [3, 9], tokens: [45674, 46452] } };
  const bare = new Run(run.store, view);
  const said = "tokens saved, as the file says; it names nothing cleared";
  assert.deepEqual(headline(bare), { before: null, after: "2,000", change: "", grew: false, whose: said });
  assert.match(line(bare), /^The window is shown as it was: 9 messages, \d+ tokens$/);
  assert.equal(phases(bare, 0)[1].figure, "the file does not say what");
  assert.equal(phases(bare, 0)[2].figure, "2,000 saved");
  assert.equal(announcement(bare, 0), `Microcompaction 1: 2,000 ${said}`);
  const told = "the file says that it saved 2,000 tokens, but not what it cleared. The next prompt was no smaller than the one before";
  assert.equal(unlistedWords(unlistedOf(bare, [{ index: 0 }])), told, "the overview and Why say the same, and what the prompts show");
  assert.ok(bare.plan(3).text.includes(`2,000 ${said}`), bare.plan(3).text);
  assert.deepEqual(numberNotes(bare, 0, figures(bare, 0), null).slice(0, 2), [
    "By the agent's own count it saved 2,000 of 13,265 tokens.",
    "The prompts before and after it held 45,674 and 46,452 tokens, so they did not shrink. Messages came in between.",
  ]);
});

test("the four phases carry the numbers of this compaction", () => {
  assert.deepEqual(
    phases(smallRun(), 0).map(({ name, figure }) => `${name}: ${figure}`),
    ["trigger: 90 > 80", "partition: 1 pinned · 5 summarized · 3 recent", "summarize: 50 → 7", "splice: 5 messages"],
  );
});

test("what a person pinned between those that go is pinned and not recent, in the tile as in the plan and the window", () => {
  const { store, view } = smallRun();
  view.c.layout = [[0, 1, ADDED, ADDED + 1, 3, 4, 6, 9]];
  const pinned = new Run(store, { ...view, held: [3] });
  assert.equal(phases(pinned, 0)[1].figure, "2 pinned · 4 summarized · 3 recent");
  assert.match(pinned.plan(8).text, /summarizes 4 messages, .* and keeps the 3 recent and 2 pinned\.$/);
  assert.equal(windowSections(pinned, 8).at(-1).title, "Recent: kept, 3 messages");
});

test("what is only taken to have left, as the record names nothing that stayed, is inferred in the tile", () => {
  const run = smallRun();
  Object.assign(run.view, { kind: "replay", policy: null });
  const tile = (fidelity, layout) =>
    phases(new Run(run.store, { ...run.view, c: { ...run.view.c, fidelity: [fidelity], layout: [layout] } }), 0)[1].figure;
  assert.equal(tile("partial", [ADDED, ADDED + 1]), "9 summarized, inferred");
  assert.equal(tile("exact", [ADDED, ADDED + 1]), "9 summarized");
  assert.equal(tile("inferred", [0, 1, ADDED, ADDED + 1, 6, 9]), "5 summarized · 4 kept, inferred");
});

test("the trigger's tile has the transcript's own number, as the headline does", () => {
  const run = smallRun();
  Object.assign(run.view, { kind: "replay", policy: null });
  run.view.c.recordedBefore = [155829];
  assert.equal(phases(run, 0)[0].figure, "155,829");
  assert.equal(phases(run, 0)[1].figure, "5 summarized · 4 kept");
  run.view.c.recordedAfter = [9000];
  run.store.header.recorded = { prompts: { at: [3, 9], tokens: [61930, 62400] } };
  assert.equal(phases(run, 0)[0].figure, "prompt 61,930", "or the prompt that denies it, by its name");
  run.view.c.recordedBefore = [-1];
  assert.equal(phases(run, 0)[0].figure, "90");
});

test("a recorded compaction whose messages are not in the file has no size before it", () => {
  const run = smallRun();
  const view = { ...run.view, kind: "replay", policy: null };
  view.c = { ...view.c, folded: [0], layout: [[0, 1, ADDED, ADDED + 1, 1, 9]] };
  const bare = new Run(run.store, view);
  assert.equal(figures(bare, 0).unnamed, true);
  assert.deepEqual(
    phases(bare, 0)
      .map((tile) => tile.figure)
      .slice(0, 3),
    ["?", "what it took is not in this file", "? → 7"],
  );
  assert.equal(announcement(bare, 0), "Compaction 1: left 47 tokens, summary 1 stands for messages that are not in this file");
  assert.equal(figures(run, 0).unnamed, false);
});

test("compactions and microcompactions are counted by themselves", () => {
  const run = smallRun();
  assert.equal(nameOf(run, 0), "compaction 1");
  run.view.c.micro = [1];
  assert.equal(figures(run, 0).place, "Microcompaction 1 of 1");
});

test("edits by hand are counted apart, so that #2 is compaction 2 wherever it is said", () => {
  const run = smallRun();
  const { c } = run.view;
  const twice = (column) => (column ? [...column, ...column, ...column, ...column] : column);
  for (const name of Object.keys(c)) c[name] = twice([...c[name]]);
  Object.assign(c, { micro: [0, 0, 0, 0], edit: [0, 1, 0, 1] });
  run.compactions = 4;
  assert.deepEqual(
    [0, 1, 2, 3].map((k) => nameOf(run, k)),
    ["compaction 1", "edit 1", "compaction 2", "edit 2"],
  );
  assert.deepEqual(
    [0, 1, 2, 3].map((k) => markOf(run, k)),
    ["#1", "edit 1", "#2", "edit 2"],
  );
  assert.deepEqual([placeOf(run, 1), placeOf(run, 2)], ["edit 1 of 2", "compaction 2 of 2"]);
  assert.deepEqual([markOf(run, 0, 2), markOf(run, 1, 3), markOf(run, 0, 3)], ["#1–2", "edit 1–2", "#1–edit 2"]);
  assert.deepEqual([spanOf(run, 0, 2), spanOf(run, 1, 2)], ["compactions 1 to 2", "edit 1 to compaction 2"]);
  assert.deepEqual([counted(run), counted(run, 1), counted(run, 0)], ["2 compactions and 2 edits", "1 compaction", ""]);
});

test("what is estimated carries ~ on the card: all of it, or only the summary where the rest is recorded", () => {
  const run = smallRun();
  run.store.header.how = "recorded";
  assert.match(line(run), /→ 1 summary, ~7;/);
  assert.equal(phases(run, 0)[0].figure, "90 > 80");
  assert.equal(phases(run, 0)[2].figure, "50 → ~7");
  run.store.header.approximate = true;
  assert.equal(phases(run, 0)[0].figure, "~90 > 80");
});

test("why a policy acted is said in the same words before and after the answer; what hindered it is added", () => {
  const policy = { limit: 16000, limitName: "budget", counts: "window" };
  assert.equal(why(policy, null), "The window was over budget (16,000).");
  assert.equal(why(policy, { reason: "16,258 tokens > 16,000" }), why(policy, null));
  const pinned = "16,258 tokens > 16,000, but everything in the window is pinned";
  assert.equal(why(policy, { reason: pinned }), "The window was over budget (16,000), but everything in the window is pinned.");
  assert.equal(why(null, { reason: "recorded: auto" }), "");
});

test("tables and tool results keep their lines, paragraphs are wrapped, also those of a file that a tool read", () => {
  const read = "rules.md, lines 1-3 of 3\n# Rules\nEvery calendar day after the due day is charged, whether the house is open or closed.";
  assert.equal(kindOf(read, "tool"), "prose");
  assert.equal(kindOf(`${read}\n    if (late) {\n      charge();`, "tool"), "code");
  const comment = "a.js\n// Every calendar day after the due day is charged, whether the house is open or closed.\nlet a = 1;";
  assert.equal(kindOf(comment, "tool"), "code");
  assert.equal(kindOf("a b\nc d", "tool"), "code");
  assert.equal(kindOf("word ".repeat(200), "tool"), "prose");
  assert.equal(kindOf("one long line of output that nobody would scroll for", "tool"), "prose");
  assert.equal(kindOf("| a | b |\n| - | - |\n| 1 | 2 |\n| 3 | 4 |", "user"), "code");
  assert.equal(kindOf("Please look.\nIt fails.\nSince May.\nThanks.", "user"), "prose");
});

test("a step shows what happened at it; a chosen message is held until a compaction is stepped onto", () => {
  const run = smallRun();
  assert.deepEqual(subject(run, 4, null, false), { message: 4 });
  assert.deepEqual(subject(run, 9, null, false), { card: 0 });
  assert.deepEqual(subject(run, 11, "m2", false), { message: 2 });
  assert.deepEqual(subject(run, 9, "m2", false), { card: 0 });
  assert.deepEqual(subject(run, 9, "m2", true), { message: 2 });
  assert.deepEqual(subject(run, 11, "c0.0", false), { card: 0 });
});

test("invisible, bidi and control characters are written out; line breaks, tabs and joined emoji stay", () => {
  assert.equal(visible("a\x1b[31m\u202eb\u200b\u{e0041}\ud800"), "a\\e[31m\\u202eb\\u200b\\u{e0041}\\ud800");
  assert.equal(visible("a\r\nb\tc\rd"), "a\nb\tc\\rd");
  assert.equal(visible("👨\u200d👩 x\u200dy"), "👨\u200d👩 x\\u200dy");
});

test("arguments are shown as JSON, a text of many lines as it reads", () => {
  assert.equal(spread('{\n  "command": "ls"\n}'), '{\n  "command": "ls"\n}');
  assert.equal(spread('{"path": "a.py", "old": "x\\n\\ty", "all": true}'), '"path": "a.py"\n"old":\nx\n\ty\n"all": true');
  assert.equal(spread('{"cut": "sho'), '{"cut": "sho');
});

test("a long text is cut into pieces that lose nothing and split no character", () => {
  const text = `${"word ".repeat(5000)}\n${"👩".repeat(9001)}`;
  assert.equal(pieces(text).join(""), text);
  assert.ok(pieces(text).every((piece) => piece.length <= 8001 && !/[\ud800-\udbff]$/.test(piece)));
});

test("what was looked for is marked whatever its case, special characters taken as they are", () => {
  assert.deepEqual(parted("A.b a.B axb", "a.b"), ["", "A.b", " ", "a.B", " axb"]);
  assert.deepEqual(parted("text", ""), ["text"]);
  for (const query of [`don't "go"`, "DON‘T „go”"])
    assert.deepEqual(parted(`don’t “go”, don't "go", dont go`, query), ["", "don’t “go”", ", ", `don't "go"`, ", dont go"]);
  assert.equal(characters("a👩"), 2);
});

test("answers are kept up to a size, the least recently used going first", () => {
  const answers = new Answers(10);
  answers.set("a", 1, 4);
  answers.set("b", 2, 4);
  answers.get("a");
  answers.set("c", 3, 4);
  assert.deepEqual(
    ["a", "b", "c"].map((path) => answers.get(path)),
    [1, undefined, 3],
  );
});

test("an answer that comes after the next question is not delivered; a failure is told in words", async () => {
  const heard = [];
  const answer = {};
  const app = { get: (path) => (path === "bad" ? Promise.reject(new Error("gone")) : new Promise((done) => (answer[path] = () => done(path)))) };
  const asker = new Asker(app, 0);
  asker.ask("slow", (value) => heard.push(value), assert.fail);
  await until(() => answer.slow);
  asker.ask("quick", (value) => heard.push(value), assert.fail);
  await until(() => answer.quick);
  answer.quick();
  await until(() => heard.length);
  answer.slow();
  await new Promise((done) => asker.ask("bad", assert.fail, (said) => done(heard.push(said))));
  assert.deepEqual(heard, ["quick", "gone"]);
});
