// What a room is told of a recorded compaction: beside each phase, and of what it lost. Run by test_frontend.py with node.
import assert from "node:assert/strict";
import { test } from "node:test";
import { FLAG } from "../../viewer/frontend/run/decode.js";
import { lostSlides } from "../../viewer/frontend/run/lostslide.js";
import { Run } from "../../viewer/frontend/run/model.js";
import { ADDED } from "../../viewer/frontend/run/pool.js";
import { factsOf, occasionOf } from "../../viewer/frontend/run/roomfacts.js";
import { smallRun } from "./small_run.mjs";

/** Nine messages of ten tokens when it compacts, 80 of them before the reply at 8; messages 2 to 6 go, and 87,590 were sent. */
function recorded(more = {}) {
  const run = smallRun();
  run.store.header.recorded = { at: [9], left: [47], prompts: { at: [8, 9], tokens: [87590, 16560] } };
  const c = { ...run.view.c, recordedBefore: [87590], recordedAfter: [16560], ...more };
  return new Run(run.store, { ...run.view, kind: "replay", policy: null, c });
}

const lines = (facts) => facts.map(({ who, said }) => [who, said].filter(Boolean).join(" "));
const nothing = { card: null, row: null, overview: null };
const row = {
  index: 0,
  step: 9,
  taken: 5,
  told: [],
  told_total: 0,
  names: [],
  names_total: 0,
  results: 2,
  result_tokens: 20,
  again: 0,
  again_steps: [],
  unseen: 0,
  unreadable: "",
  requests: { of: 2, here: [0, 0, 0, 0], at: -1, text: "" },
  typed: [1, 2, 2],
  rules: [0, 0],
  quoted: [0, 0],
  goal: "",
  work: "Fix it.",
  opening: "",
};
const overview = { turns: [{ at: 3, typed: true, asked: "Fix the login." }], turns_end: -1 };
const card = {
  occasion: "Codex CLI compacted after a prompt of 87,590 tokens, 72 % of the 121,600 it gives gpt.",
  timestamp: "2026-06-26T13:04:34Z",
  rule: ["By its known rule the agent compacts at 109,440 tokens: window × 9 / 10.", "This one compacted earlier."],
  instructions: "",
  duration_ms: 41000,
};

test("the trigger: when, what was asked, how much of the window the file shows, and the rule without its formula", () => {
  assert.equal(occasionOf({ ...nothing, card }), card.occasion);
  assert.deepEqual(lines(factsOf(recorded(), 0, 1, { card, row, overview })), [
    "2026-06-26 13:04 UTC, in turn 1. The user had asked: “Fix the login.”",
    "With what came since the last prompt, the window holds ~87,600 tokens: 90 of them are in this file. The others are not: tools, what the agent added.",
    "By its known rule the agent compacts at 109,440 tokens. This one compacted earlier.",
  ]);
  const told = lines(factsOf(recorded(), 0, 1, { ...nothing, card: { ...card, timestamp: "", rule: [], instructions: "Keep the plan." } }));
  assert.deepEqual(told.slice(1), ["The user told it: “Keep the plan.”"]);
});

test("of a size that is the window's own number the rest is told; where no size is recorded no number is spoken of", () => {
  const [own] = lines(factsOf(recorded({ recordedBefore: [87600] }), 0, 1, nothing));
  assert.equal(own, "90 of these tokens are in this file. The others are not: tools, what the agent added.");
  const shrunk = recorded({ recordedBefore: [87600] });
  shrunk.store.header.recorded.leftOut = [[0, shrunk.steps[0], 99_000]];
  assert.match(lines(factsOf(shrunk, 0, 1, nothing))[0], /^At most 90 of these tokens are in this file\. /);
  const [bare] = lines(factsOf(recorded({ recordedBefore: [-1] }), 0, 1, nothing));
  assert.equal(bare, "90 tokens of the window are in this file. The others are not: tools, what the agent added.");
});

test("the partition: what goes by kind, the longest, which messages of the user, and what stays of the user and the model", () => {
  const run = recorded();
  run.store.tokens[4] = 30; // the sums stay as they are
  assert.deepEqual(lines(factsOf(run, 0, 2, { card, row, overview })), [
    "Among them: 2 tool results (20 tokens) and 2 assistant messages.",
    "The longest: message 5 of the assistant, 30 tokens.",
    "One message of the user: “Fix the login.”",
    "1 of the user's 2 messages and 2 replies will stay in the window, word for word.",
  ]);
  const turns = [overview.turns[0], { at: 5, typed: true, asked: "ok" }];
  const asked = (turns_end) => lines(factsOf(run, 0, 2, { card, row, overview: { turns, turns_end } }))[2];
  assert.equal(asked(-1), "2 messages of the user, from “Fix the login.” to “ok”", "also what says too little to be a request");
  assert.equal(asked(8), "Messages of the user, from “Fix the login.” to “ok”", "of a list that is cut off nobody counts");
  assert.match(
    lines(factsOf(run, 0, 2, nothing))[0],
    /, 2 assistant messages and 1 message of the user\.$/,
    "where no request is quoted they are counted",
  );
  run.store.flags[4] |= FLAG.calls;
  assert.match(
    lines(factsOf(run, 0, 2, { card, row, overview }))[0],
    /, 1 assistant message with tool calls and 1 without\.$/,
    "those with calls apart",
  );
  run.store.flags[4] |= FLAG.injected;
  assert.match(
    lines(factsOf(run, 0, 2, { card, row, overview }))[0],
    /, 1 assistant message and 1 message that the agent added\.$/,
    "so that the sum is that of the caption",
  );
});

test("the summary: what it says, or why nobody can read it", () => {
  assert.deepEqual(lines(factsOf(recorded(), 0, 3, { card, row, overview })), ["The summary says of the work at hand: “Fix it.”"]);
  const sealed = recorded({ unreadable: ["encrypted"] });
  assert.match(lines(factsOf(sealed, 0, 3, { card, row, overview }))[0], /^Nobody can read this summary/);
});

test("the splice: what the record says the agent put back beside the summary is told first", () => {
  const { added } = smallRun().view.c;
  const back = [[...added[0], [1, "file", 30, "shade", -1], [1, "hook", 4, "terse", -1]]];
  const run = recorded({ added: back, layout: [[0, 1, ADDED, ADDED + 1, 6, 9, ADDED + 1, ADDED + 3]] });
  assert.equal(lines(factsOf(run, 0, 4, { card, row, overview }))[0], "The agent puts 2 messages back: 34 tokens.");
});

test("the splice: what is left that the file does not show, and how long the agent waited; what prompts deny is said", () => {
  assert.deepEqual(lines(factsOf(recorded(), 0, 4, { card, row, overview })), [
    "This file shows 90 of the window's tokens before and 47 after.",
    "~16,513 tokens of what remains are not in this file: tools, what the agent added.",
    "The agent waited 41 s for it.",
  ]);
  const denied = recorded();
  denied.store.header.recorded.prompts.tokens = [87590, 87600];
  assert.match(lines(factsOf(denied, 0, 4, nothing))[0], /^By the agent's own count the window went from 87,590 to 16,560 tokens\./);
});

test("what was lost begins with what a later message needed; nothing is claimed that the record does not show", () => {
  const run = recorded();
  const slide = (more) => lostSlides(run, { ...row, ...more })[0];
  assert.deepEqual(slide({}), {
    title: "What was lost",
    said: "Nothing that was used again later is known to be missing.",
    lines: [{ who: "", said: "The text of 2 results left the window, 20 tokens." }],
  });
  const loss = { kind: "said", text: "Port 8080.", at: 3, used_at: 11, said_again_at: -1, used: "I open port 80.", kept: 0, words: 0 };
  const other = { ...loss, text: "Write short.", used_at: -1, used: "" };
  const needed = slide({ told: [loss, other], told_total: 2, rules: [2, 1], again: 1, again_steps: [11] });
  assert.equal(needed.said, "Compaction 1 lost a statement of the user's that a later message needed.");
  assert.deepEqual(lines(needed.lines), [
    "Gone, from message 4: “Port 8080.” (needed again at message 11)",
    "Message 11: “I open port 80.”",
    "Gone, from message 4: “Write short.”",
    "The text of 2 results left the window, 20 tokens; 1 later call asked again for what was gone.",
  ]);
});

test("what was lost: requests, names and tool output, the caption of what mattered most", () => {
  const run = recorded();
  const slide = (more) => lostSlides(run, { ...row, ...more })[0];
  const open = slide({ told: [], names_total: 1, names: [], requests: { of: 2, here: [1, 1, 0, 0], at: 3, text: "Fix the login." } });
  assert.equal(open.said, "Compaction 1 lost the request that the agent was working on.");
  assert.equal(lines(open.lines)[0], "The request that the agent was working on is gone: “Fix the login.”");
  const files = ["src/a.py: read in message 2, again in 12", "b.py: written in message 4, read in 14"];
  const again = slide({ again: 4, again_steps: [11], unseen: 900, unseen_more: 300, again_files: files, again_files_total: 5 });
  assert.equal(again.said, "Compaction 1 took no known rule of the user's, but tool output. 4 later calls read some of it again.");
  assert.deepEqual(lines(again.lines).slice(0, 2), [`${files[0]}.`, `${files[1]}; and 3 more.`]);
  assert.match(lines(again.lines)[2], /; the agent may have put part of it back\.$/);
  const asked = slide({ told: [], sent_back: [[11, "read it again"]] });
  assert.equal(asked.said, "1 message of the user sends the agent back to what compaction 1 took.");
  const rule = { kind: "rule", text: "Never force.", at: 3, used_at: -1, said_again_at: -1 };
  const both = slide({ told: [rule], told_total: 1, rules: [1, 0], again: 4, again_steps: [11] });
  assert.equal(both.said, "Compaction 1 lost 1 of the user's rules.", "what the user said comes before tool output");
  assert.equal(lines(both.lines)[1], "The text of 2 results left the window, 20 tokens; 4 later calls asked again for what was gone.");
  const same = slide({ again: 4, again_steps: [11], unseen: 900, unseen_more: 0 });
  assert.match(lines(same.lines)[0], /20 tokens\.$/, "as much was not in the file before");
  const name = { kind: "name", text: "a.go", at: 3, used_at: 11, said_again_at: -1 };
  const used = slide({ names: [name], names_total: 1, unseen: 900 });
  assert.equal(used.said, "Compaction 1 lost 1 name that the model used later, as far as this file shows.");
  assert.equal(lines(used.lines)[0], "A name: “a.go”, used again at message 11.");
  const two = [name, { ...name, text: "b.go", used_at: 10 }];
  assert.equal(lines(slide({ names: two, names_total: 2 }).lines)[0], "2 names: “a.go”, used again at message 11; “b.go”, used again at message 10.");
  assert.match(lines(slide({ names: two, names_total: 5 }).lines)[0], /^The first 2 of 5 names: “a.go”/);
  const long = two.map((one) => ({ ...one, text: `${"a-long-folder/".repeat(5)}${one.text}` }));
  assert.match(lines(slide({ names: long, names_total: 2 }).lines)[0], /^The first of 2 names: .*a\.go”, used again at message 11\.$/);
  const beside = slide({ names: [name], names_total: 1, unseen: 900, told: [rule], told_total: 1, rules: [1, 0] });
  assert.equal(lines(beside.lines)[1], "A name, as far as this file shows: “a.go”, used again at message 11.");
  assert.match(slide({ unreadable: "encrypted" }).said, /encrypted: nobody can tell what it kept\.$/);
  assert.equal(slide({ taken: 0, results: 0 }), undefined, "where the file lists nothing as removed there is no slide");
});

test("the user's own words come first, two of them, or three where that is all; then a line each of requests, names and tool output", () => {
  const run = recorded();
  const said = ["One.", "Two.", "Three.", "Four."].map((text, k) => ({ kind: "said", text, at: k, used_at: -1, said_again_at: -1 }));
  const requests = { of: 9, here: [7, 0, 7, 0], at: 5, text: "Fix the login." };
  const name = { kind: "name", text: "a.go", at: 3, used_at: 11, said_again_at: -1 };
  const more = { requests, names: [name], names_total: 3, again: 8, again_edited: 8, again_steps: [11] };
  const slide = (count, rest = {}) =>
    lostSlides(run, { ...row, ...more, told: said.slice(0, count), told_total: count, rules: [count, 0], ...rest })[0];
  const full = slide(4);
  assert.equal(full.said, "Compaction 1 lost 4 of the user's statements.", "as the overview calls them");
  assert.deepEqual(lines(full.lines), [
    "Gone, from message 1: “One.”",
    "Gone, from message 2: “Two.”, and 2 more",
    "7 requests seem gone, all of them already answered.",
    "The first of 3 names: “a.go”, used again at message 11.",
    "The text of 2 results left the window, 20 tokens; 8 later calls asked again for what was gone.",
  ]);
  assert.equal(lines(slide(3).lines)[2], "Gone, from message 3: “Three.”");
  const none = slide(0);
  assert.equal(lines(none.lines)[0], "7 requests seem gone, all of them already answered, among them “Fix the login.”");
  assert.match(none.said, /8 later calls asked again for what was gone, all of them in files edited since\.$/);
  const both = slide(2, { told: [said[0], { ...said[1], kind: "rule" }] });
  assert.equal(both.said, "Compaction 1 lost 2 of the user's rules or statements.");
  assert.equal(lines(both.lines)[1], "Gone, from message 2: “Two.” (an instruction)");
});

test("what is too much for one slide has two: the user's own words and requests first, names and tool output behind them", () => {
  const run = recorded();
  const text = `${"so many words of one sentence ".repeat(3)}end.`;
  const told = [0, 1, 2].map((at) => ({ kind: "said", text, at, used_at: -1, said_again_at: -1 }));
  const name = { kind: "name", text: "a.go", at: 3, used_at: 11, said_again_at: -1 };
  const slides = (more) =>
    lostSlides(run, { ...row, told, told_total: 3, rules: [3, 0], names: [name], names_total: 1, again: 1, again_steps: [11], ...more });
  assert.deepEqual(
    slides({}).map(({ title, said, lines }) => [title, said, lines.length]),
    [
      ["What was lost", "Compaction 1 lost 3 of the user's statements.", 3],
      ["What else was lost", "The text of 2 results left the window, 20 tokens; 1 later call asked again for what was gone.", 1],
    ],
  );
  assert.deepEqual(
    slides({ results: 0, again: 0 }).map(({ said }) => said),
    ["Compaction 1 lost 3 of the user's statements.", "A name: “a.go”, used again at message 11."],
  );
  assert.equal(slides({ told: told.slice(0, 1), told_total: 1, rules: [1, 0] }).length, 1, "all of it has room");
});

test("a request that is gone is called one: the open one is quoted once, in front; the first one is no statement", () => {
  const run = recorded();
  const newest = { kind: "newest", text: "Fix the login.", at: 3, used_at: -1, said_again_at: -1 };
  const said = { ...newest, kind: "said", text: "Port 8080.", at: 4 };
  const requests = { of: 2, here: [1, 1, 0, 0], at: 3, text: "Fix the login." };
  const [open] = lostSlides(run, { ...row, told: [newest, said], told_total: 2, rules: [1, 0], requests });
  assert.equal(open.said, "Compaction 1 lost the request that the agent was working on.");
  assert.deepEqual(lines(open.lines).slice(0, 2), [
    "The request that the agent was working on is gone: “Fix the login.”",
    "Gone, from message 5: “Port 8080.”",
  ]);
  const [needed] = lostSlides(run, { ...row, told: [{ ...said, used_at: 11 }, newest], told_total: 2, rules: [1, 1], requests });
  assert.deepEqual(lines(needed.lines).slice(0, 2), [
    "Gone, from message 5: “Port 8080.” (needed again at message 11)",
    "The request that the agent was working on is gone: “Fix the login.”",
  ]);
  const first = { ...newest, kind: "first", kept: 1, words: 3 };
  assert.equal(lostSlides(run, { ...row, told: [first], told_total: 1 })[0].said, "Compaction 1 lost the user's first request.");
  const [two] = lostSlides(run, { ...row, told: [said, first], told_total: 2, rules: [1, 0] });
  assert.equal(two.said, "Compaction 1 lost 1 of the user's statements and the user's first request.");
});
