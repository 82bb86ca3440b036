import assert from "node:assert/strict";
import { test } from "node:test";
import { wholeSentences } from "../../viewer/frontend/run/beginning.js";
import { FLAG } from "../../viewer/frontend/run/decode.js";
import { headline } from "../../viewer/frontend/run/headline.js";
import { Run } from "../../viewer/frontend/run/model.js";
import { closingSlide } from "../../viewer/frontend/run/closingslide.js";
import { openingLines, openingSlide } from "../../viewer/frontend/run/openingslide.js";
import { phaseSentence, splicedSentence } from "../../viewer/frontend/run/phasesentences.js";
import { ADDED } from "../../viewer/frontend/run/pool.js";
import { regionWords, roomPhases } from "../../viewer/frontend/run/roomphases.js";
import { ruleNote } from "../../viewer/frontend/run/rulestory.js";
import { stopsOf } from "../../viewer/frontend/run/storyslides.js";
import { summaryNotes } from "../../viewer/frontend/run/summarynotes.js";
import { NONE } from "./packed.mjs";
import { sumsOf } from "./sums.mjs";
import { smallRun } from "./small_run.mjs";

await import("./dom.mjs");
const { ToldRow } = await import("../../viewer/frontend/debugger/toldrow.js");

const told = (run) => [1, 2, 3, 4].map((phase) => phaseSentence(run, 9, 0, phase));

test("each phase of a compaction is a sentence that can be read to a class", () => {
  assert.deepEqual(told(smallRun()), [
    "The window is over the budget: 90 of 80 tokens.",
    "5 older messages will be summarized; 1 pinned and 3 recent stay.",
    "A summary of 7 tokens is written. It stands for 50 tokens of messages.",
    "Summary 1 takes the place of 5 messages. The window goes from 90 to 47 tokens.",
  ]);
});

test("where a compaction leaves no message it takes all of them", () => {
  const run = smallRun();
  const view = { ...run.view, kind: "replay", policy: null, c: { ...run.view.c, layout: [[ADDED, ADDED + 1]] } };
  assert.equal(told(new Run(run.store, view))[1], "All 9 messages will be summarized.");
  const partial = { ...view, c: { ...view.c, fidelity: ["partial"] } };
  assert.equal(told(new Run(run.store, partial))[1], "9 messages will be summarized.", "the file does not record what stayed");
});

test("messages are older ones only where the newest is not among them", () => {
  const run = smallRun();
  const view = { ...run.view, kind: "replay", policy: null, c: { ...run.view.c, layout: [[0, 4, ADDED, ADDED + 1]] } };
  assert.equal(told(new Run(run.store, view))[1], "5 messages will be summarized; 4 stay.");
});

test("of a recorded compaction a phase says what the file knows", () => {
  const run = smallRun();
  const view = { ...run.view, kind: "replay", policy: null };
  view.c = { ...view.c, recordedBefore: [155829] };
  assert.deepEqual(told(new Run(run.store, view)).slice(0, 2), [
    "The window holds 155,829 tokens. The agent makes room.",
    "5 older messages will be summarized; 4 stay.",
  ]);
  view.c = { ...view.c, recordedBefore: [-1], folded: [0], layout: [[0, 1, ADDED, ADDED + 1, 1, 9]] };
  const bare = new Run(run.store, view);
  assert.deepEqual(told(bare).slice(0, 3), [
    "The file does not say how full the window was.",
    "What it took is not in this file.",
    "A summary of 7 tokens is written.",
  ]);
  assert.equal(splicedSentence(bare, 0), "Compaction 1: left 47 tokens, summary 1 stands for messages that are not in this file.");
});

test("where a size is a prompt's, the sentence says so; where the next prompt alone is, that", () => {
  const run = smallRun(); // 90 tokens in nine messages when it compacts, 80 of them before the reply at 8
  run.store.header.recorded = { at: [9], left: [47], prompts: { at: [8, 9], tokens: [87590, 16560] } };
  const view = { ...run.view, kind: "replay", policy: null };
  view.c = { ...view.c, recordedBefore: [87590], recordedAfter: [16560] };
  const [trigger, , , splice] = told(new Run(run.store, view));
  assert.equal(trigger, "The last prompt held 87,590 tokens. The agent makes room.");
  assert.equal(splice, "Summary 1 takes the place of 5 messages. The prompt goes from 87,590 to 16,560 tokens.");
  run.store.header.recorded.prompts = { at: [8, 10], tokens: [87580, 16560] }; // the agent counts for itself; a message comes before the next prompt
  const own = splicedSentence(new Run(run.store, view), 0);
  assert.equal(own, "Summary 1 takes the place of 5 messages. The window goes from 87,590 tokens to 16,560 in the next prompt.");
});

test("of sizes that the agent counted a room is told how much the file shows, as the other phases count it", () => {
  const run = smallRun();
  run.store.header.recorded = { at: [9], left: [47], prompts: { at: [8, 9], tokens: [580, 547] } };
  const view = { ...run.view, kind: "replay", policy: null };
  view.c = { ...view.c, recordedBefore: [600], recordedAfter: [547] };
  const [trigger, , summarize, splice] = told(new Run(run.store, view));
  assert.equal(trigger, "The window holds 600 tokens, 90 of them in this file. The agent makes room.");
  assert.equal(summarize, "A summary of 7 tokens is written. It stands for 50 tokens of messages.");
  assert.equal(splice, "Summary 1 takes the place of 5 messages. The window goes from 600 to 547 tokens.");
});

test("where a prompt is smaller than the count of its messages, and so the window is not known, both sizes are those of the prompts", () => {
  const run = smallRun();
  run.store.header.recorded = { at: [9], left: [47], prompts: { at: [8, 10], tokens: [660, 547] } };
  run.store.tokens.fill(100);
  run.store.running.set(run.store.running.map((sum) => 10 * sum));
  const view = { ...run.view, kind: "replay", policy: null };
  view.c = { ...view.c, before: [900], recordedBefore: [660], recordedAfter: [547] };
  assert.match(splicedSentence(new Run(run.store, view), 0), /The prompt goes from 660 to 547 tokens\.$/);
});

test("the headline of a message says who does what; of a long result only its size", () => {
  const row = { role: "tool", label: "run", tokens: 353, flags: 0, injected: "", preview: `photos/bowl-01.jpg ${"4032x3024 ".repeat(8)}…` };
  const words = (more) => Object.values(headline({ ...row, ...more }, "~")).join(" ");
  assert.equal(words({}), "The tool run answers with ~353 tokens.");
  assert.equal(words({ preview: "46 files written, 3.1 MB" }), "The tool run answers: 46 files written, 3.1 MB");
  assert.equal(words({ flags: FLAG.error, preview: "no such file" }), "The tool run fails: no such file");
  assert.equal(
    words({ role: "assistant", label: "→ run", flags: FLAG.calls, preview: "I delete the originals." }),
    "The model calls run: I delete the originals.",
  );
  assert.equal(words({ role: "user", label: "", preview: "Yes, please." }), "The user: Yes, please.");
});

test("a room is told where a rule is set, lost, needed and said again", () => {
  const loss = { kind: "rule", text: "Never delete.", at: 2, used_at: 11, said_again_at: 12 };
  const note = (step) => ruleNote(smallRun(), { loss, row: { index: 0, step: 9 } }, step);
  assert.equal(note(2), "The user sets a rule: “Never delete.”");
  assert.equal(note(9), "The rule said at message 3 was lost at compaction 1: “Never delete.”");
  assert.equal(note(11), "The rule said at message 3 was lost at compaction 1. The model cannot see it here: “Never delete.”");
  assert.equal(note(12), "The user has to say it again. The rule said at message 3 was lost at compaction 1.");
  assert.equal(note(10), "");
});

test("a room is told what a summary says of the task and of the work at hand, else how it begins", () => {
  const lines = (row) => summaryNotes({ goal: "", work: "", opening: "", ...row }).map(({ who, said }) => `${who} ${said}`);
  assert.deepEqual(lines({ goal: "Fix the login", work: "The cookie is read too late." }), [
    "The summary says of the task: “Fix the login”",
    "And of the work at hand: “The cookie is read too late.”",
  ]);
  assert.deepEqual(lines({ work: "The tests of a.go fail." }), ["The summary says of the work at hand: “The tests of a.go fail.”"]);
  assert.deepEqual(lines({ goal: "Fix the login", points: 3 }), ["The summary says of the task, the first of 3 points: “Fix the login”"]);
  assert.deepEqual(lines({ opening: "They work on frames." }), ["The summary begins: “They work on frames.”"]);
  assert.deepEqual(lines({}), []);
});

test("a room is told first how large a session is, and what the user asked for", () => {
  const found = {
    began: "2026-01-23T14:21:00Z",
    ended: "2026-01-23T17:51:00Z",
    turns: [],
    sums: sumsOf({ typed: 42 }),
    task: { at: 0, text: "Fix a.go" },
  };
  const lines = (more) => openingLines(smallRun(), { ...found, ...more }).map(({ who, said }) => `${who} ${said}`);
  assert.deepEqual(lines({}), [" 42 turns, 1 compaction, 3 h 30 min", "The user's first request: “Fix a.go”"]);
  assert.deepEqual(lines({ began: "", ended: "", task: null }), [" 42 turns, 1 compaction"]);
  const long = (/** @type {number} */ times) => "Fix the login page of the shop. ".repeat(times).trim();
  assert.match(lines({ task: { at: 0, text: long(19) } })[1], /shop\.”$/, "607 letters are all read out");
  assert.match(lines({ task: { at: 0, text: long(21) } })[1], /shop\. …”$/, "671 go on, and it says so");
});

test("a title that is the beginning of the request is not read twice", () => {
  const found = { began: "", ended: "", turns: [], sums: sumsOf({ typed: 42 }), task: { at: 0, text: "Fix the login page of the shop" } };
  const slide = (title, known) => {
    const run = smallRun();
    run.store.header.title = title;
    const { said, lines } = openingSlide(run, known);
    return [said, ...lines.map(({ said }) => said)];
  };
  assert.deepEqual(slide("Login", found), ["Login", "42 turns, 1 compaction", "“Fix the login page of the shop”"]);
  assert.deepEqual(slide("Fix the login…", found), ["42 turns, 1 compaction", "“Fix the login page of the shop”"]);
  assert.deepEqual(slide("Login", null), ["Login"]);
});

test("a room is told last how a session ended: its figures, the newest request, and the words it ends with", () => {
  const sums = sumsOf({ typed: 42, calls: 206, files: 12, errors: 1 });
  const found = { turns: [], sums, closing: { at: 9, text: "All tests pass." } };
  const slide = (more) => {
    const { said, lines } = closingSlide(smallRun(), { ...found, last: "reply", ...more });
    return [said, ...lines.map(({ who, said }) => `${who} ${said}`)];
  };
  const figures = "42 turns, 206 tool calls, 12 files written, 1 tool error.";
  assert.deepEqual(slide({}), [figures, "The last reply: “All tests pass.”"]);
  const later = { at: 7, text: "Now lint." };
  assert.deepEqual(slide({ later }), [figures, "The last request: “Now lint.”", "The last reply: “All tests pass.”"]);
  assert.deepEqual(slide({ closing: null, last: "stop" }), [
    figures,
    " The model never answers in words.",
    "It ended with: The user stopped the agent.",
  ]);
  const ends = (newest) => slide({ later, last: "request", newest }).at(-1);
  assert.equal(ends({ at: 11, text: "And then?" }), "It ended with: A request that the model does not answer: “And then?”");
  assert.equal(ends({ ...later }), "It ended with: A request that the model does not answer.", "it was quoted already");
});

test("a story has a slide for what was said, for what lost it and for what needed it; a rule that nothing needed has none", () => {
  const loss = { kind: "rule", text: "Never delete.", followed: "Never delete.", at: 2, used_at: 11, said_again_at: -1, rank: 0 };
  const row = { index: 0, step: 9, taken: 5, told: [loss], goal: "", work: "Fix it.", opening: "" };
  const run = smallRun();
  run.view.kind = "replay";
  const slides = (more) => stopsOf(run, [{ ...row, told: [{ ...loss, ...more }] }]);
  assert.deepEqual(
    slides({}).map(({ step, title, said, gone }) => [step, title, said, gone]),
    [
      [2, "The rule is said", "The user sets a rule.", ""],
      [
        9,
        "A compaction loses it",
        "Compaction 1 replaces 5 earlier messages with a summary. The summary does not say the rule.",
        "Gone since compaction 1",
      ],
      [11, "It is needed, and the model cannot see it", "", "Gone since compaction 1"],
    ],
  );
  assert.deepEqual(slides({})[2].lines, [{ who: "The summary that the model has instead says:", said: "“Fix it.”" }]);
  assert.deepEqual(
    slides({ used_at: 11, said_again_at: 11 }).map(({ title }) => title),
    ["The rule is said", "A compaction loses it", "The user has to say it again"],
  );
  assert.deepEqual(
    slides({ carried_at: 6 }).map(({ step, title, gone, carried = false }) => [step, title, gone, carried]),
    [
      [2, "The rule is said", "", false],
      [6, "The message goes, a summary keeps it", "", true],
      [9, "A compaction loses it", "Gone since compaction 1", false],
      [11, "It is needed, and the model cannot see it", "Gone since compaction 1", false],
    ],
  );
  assert.deepEqual(slides({ used_at: -1 }), []);
  const again = { used_at: 11, used: "I delete it.", said_again_at: 12, said_again: "I told you: never." };
  assert.deepEqual(
    slides(again)
      .slice(2)
      .map(({ gone, backSince, words }) => [gone, backSince, words]),
    [
      ["Gone since compaction 1", "", "I delete it."],
      ["Gone since compaction 1", "Back in other words, since message 12", "I told you: never."],
    ],
    "the message that says it again is in the window",
  );
});

test("the row of a message that a room is told of says the words that matter, whole", () => {
  const row = new ToldRow();
  row.of = { pool: 2, text: "Never delete an original.", also: [{ pool: 9, text: "An error page now! I told you: never delete an original." }] };
  const said = (pool, preview) => row.withWords({ pool, preview }).preview;
  assert.equal(said(2, "Good. Now the gallery …"), "… Never delete an original.");
  assert.equal(said(9, "An error page now! I told you: never del…"), "An error page now! I told you: never delete an original.");
  assert.equal(said(9, "An error page now! I told you: never delete an original."), "An error page now! I told you: never delete an original.");
  assert.equal(said(3, "Yes, ple…"), "Yes, ple…");
});

test("a room is told what each phase of this compaction is: one that only clears writes no summary", () => {
  const run = smallRun();
  const words = (of, k = 0) => roomPhases(of, 9, k).map((phase) => phase.join(": "));
  const [trigger, summarized] = ["trigger: why it happens", words(run)];
  assert.deepEqual(summarized, [trigger, "partition: what goes, what stays", "summarize: a summary is written", "splice: it takes their place"]);
  const { c } = run.view;
  const clears = new Run(run.store, { ...run.view, c: { ...c, micro: [true], added: [[]], layout: [[0, 9]], folded: [0] } });
  assert.deepEqual(words(clears), [trigger, "partition: what is emptied, what stays", "clear: their content is removed", "splice: nothing moves"]);
  const clearsAndDrops = new Run(run.store, { ...run.view, c: { ...c, micro: [true], added: [[]], layout: [[0, 1, 6, 9]], folded: [5] } });
  assert.deepEqual(words(clearsAndDrops).slice(2), ["clear, drop: some is emptied, some leaves", "splice: what stays closes up"]);
});

test("where no summary is written a room is told so, and what is done instead", () => {
  const run = smallRun();
  const words = (of, step, k) => roomPhases(of, step, k).map((phase) => phase.join(": "));
  const c = { ...run.view.c, number: [-1], summaryTokens: [0], added: [[]], tiers: [["truncation"]], setback: ["the summarizer failed: no answer"] };
  const given = "summarize: no summary comes of it";
  const drops = new Run(run.store, { ...run.view, c: { ...c, layout: [[0, 1, 6, 9]] } });
  assert.deepEqual(words(drops, 9, 0).slice(2), [given, "splice: what stays closes up"]);
  const failed = { at: [9], status: [0], reason: ["90 tokens > 80, but the summarizer failed: no answer"], times: [1] };
  const tried = new Run(run.store, { ...run.view, c: NONE, failed });
  assert.deepEqual(words(tried, 8, -1).slice(2), [given, "splice: nothing changes"]);
});

test("the words of the phases are there at every frame: they need no window and none of its numbers", () => {
  const run = smallRun();
  run.window = run.policyAt = () => assert.fail("a window is worked out");
  assert.equal(roomPhases(run, 9, 0).length, 4);
});

test("of the words of a window only those that it has are told", () => {
  const both = "Compactable: may go at the next compaction. Recent: stays";
  const words = (compactable, recent) => regionWords({ system: 4, compactable, recent });
  assert.deepEqual([words(9, 3), words(9, 0), words(0, 3), words(0, 0)], [both, "Compactable: may go at the next compaction.", "Recent: stays", ""]);
  assert.equal(regionWords({ system: 4, compactable: 9, recent: 3 }, "Hatched: not in this file"), `${both}. Hatched: not in this file`);
});

test("a room reads whole sentences: as many as fit, else the first one where it is not much longer", () => {
  assert.equal(wholeSentences("Fix the login page. Then the logout.", 30), "Fix the login page.");
  assert.equal(wholeSentences("Fix the login page and its cookie. Then the logout.", 20), "Fix the login page and its cookie.");
  assert.equal(wholeSentences("Fix the login page. Then the lo…", 60), "Fix the login page.");
  assert.equal(
    wholeSentences("Good. Next one. The bank put the whole of December into both of the files, twice. Import it once.", 70),
    "Good. Next one. The bank put the whole of December into both of the files, twice.",
  );
  assert.equal(wholeSentences("Is it all off now I guess? but the numbers should be correct", 40), "Is it all off now I guess? …", "it goes on");
  assert.equal(wholeSentences("Fix the login", 60), "Fix the login");
  assert.equal(wholeSentences("one two three four five six seven", 12), "one two…");
  assert.equal(wholeSentences("What I want to see: 1. a page, 2. a form that is sent", 22), "What I want to see:…");
  assert.equal(wholeSentences("按住修饰键点击按钮时打开新标签页。然后动态显示正确的提示。", 20), "按住修饰键点击按钮时打开新标签页。");
});
