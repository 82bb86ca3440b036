// The recorded run under whatever is shown over it: its window, its prompts, its compactions.
import assert from "node:assert/strict";
import { test } from "node:test";
import { recordedKey } from "../../viewer/frontend/debugger/subject.js";
import { between, fitting, reading, withHidden } from "../../viewer/frontend/debugger/gauge.js";
import { label } from "../../viewer/frontend/debugger/paintmoment.js";
import { RECORD, recordWords } from "../../viewer/frontend/run/cardwords.js";
import { figures } from "../../viewer/frontend/run/compactionfigures.js";
import { besideWords, hasEarlier } from "../../viewer/frontend/run/midway.js";
import { numberNotes } from "../../viewer/frontend/run/numbernotes.js";
import { deniedBy } from "../../viewer/frontend/run/recordedsums.js";
import { bandOf, linesOf, promptLine, stretchesOf } from "../../viewer/frontend/run/unseenband.js";
import {
  compacted,
  errorWords,
  nextPrompt,
  partsBy,
  recordedLine,
  recordedPlace,
  recordedStep,
  recordedWindow,
  sentBy,
  sentNext,
  unseenAt,
} from "../../viewer/frontend/run/recorded.js";
import { stretchWords, uncertainFrom, uncertainWords } from "../../viewer/frontend/run/recorded.js";
import { fittedWords, ownWill } from "../../viewer/frontend/debugger/comparison.js";
import { FOLDED, run } from "./packed.mjs";
import { smallRun } from "./small_run.mjs";

// Messages of 10, 20, 30, 40, 50 and 60 tokens. When three had arrived (60), 15 were left; when five had (105), 25.
const PROMPTS = { at: [2, 4, 5], tokens: [130, 155, 300] };
const recorded = (more = {}) => run({}, { recorded: { at: [3, 5], before: [-1, -1], after: [-1, -1], left: [15, 25], prompts: PROMPTS, ...more } });

test("the recorded window is what was said, less what its compactions took", () => {
  const found = [0, 1, 2, 3, 4, 5, 6].map((arrived) => recordedWindow(recorded(), arrived));
  assert.deepEqual(found, [0, 10, 30, 15, 55, 25, 85]);
});

test("at the step before a recorded compaction the window has the size on record, if that is the agent's count of all of it", () => {
  const at = (before) => {
    const c = { ...FOLDED.c, recordedBefore: [before] };
    const prompts = { at: [2, 5], tokens: [130, 155] };
    const found = run({ kind: "replay", policy: null, c }, { recorded: { at: [4], before: [before], after: [-1], left: [57], prompts } });
    return [label(found, 3), label(found, 1), reading(found, { ...found.step(3), i: 3 }).note];
  };
  assert.deepEqual(at(202), ["message 4 · 202", "message 2 · ~130", "not in this file ~102 · 202 by the agent's count"]);
  const prompt = "not in this file ~100 · last prompt 130, ~70 came since";
  for (const other of [-1, 130, 59, 240]) assert.deepEqual(at(other), ["message 4 · ~200", "message 2 · ~130", prompt]);
});

test("without compactions, or where it is not known what they left, it is all that was said", () => {
  const all = [0, 10, 30, 60, 100, 150, 210];
  for (const none of [{ at: [], left: [] }, { left: undefined }]) {
    assert.deepEqual(
      all.map((_, arrived) => recordedWindow(recorded(none), arrived)),
      all,
    );
  }
  assert.deepEqual([compacted(recorded()), compacted(recorded({ at: [] }))], [true, false]);
});

test("the line falls straight down at every compaction", () => {
  assert.deepEqual(recordedLine(recorded(), 100), [
    [0, 0],
    [1, 10],
    [2, 30],
    [3, 60],
    [3, 15],
    [4, 55],
    [5, 105],
    [5, 25],
    [6, 85],
  ]);
});

test("a line of few points leaves out none of the falls, nor the end", () => {
  assert.deepEqual(recordedLine(recorded(), 2), [
    [0, 0],
    [3, 60],
    [3, 15],
    [5, 105],
    [5, 25],
    [6, 85],
  ]);
});

test("the end is there even where it is no multiple of the points' distance", () => {
  const five = { n: 5, store: { header: { recorded: { at: [], left: [] } }, running: [0, 1, 2, 3, 4, 5] } };
  assert.deepEqual(recordedLine(five, 2), [
    [0, 0],
    [3, 3],
    [5, 5],
  ]);
});

test("two compactions at one place are one fall", () => {
  const found = recordedLine(recorded({ at: [3, 3, 5], left: [15, 5, 25] }), 2);
  assert.deepEqual(found, [
    [0, 0],
    [3, 60],
    [3, 5],
    [5, 95],
    [5, 25],
    [6, 85],
  ]);
});

test("a legend has as many lines as its widest takes; the total stays on the first, and with hindsight is said at every width", () => {
  const width = (text) => 10 * text.length;
  const texts = { items: ["system 70", "recent (hindsight) 9"], note: "last call: 5", total: "= 79" };
  assert.deepEqual(fitting(texts, 512, width), { lines: 1, full: false }); // 90 + 200 + 2 x 25 + 40, and 120 + 12
  assert.deepEqual(fitting(texts, 511, width), { lines: 2, full: false });
  assert.deepEqual(fitting({ ...texts, note: "" }, 380, width), { lines: 1, full: false });
  assert.deepEqual(fitting(texts, 379, width), { lines: 2, full: true }); // 225 and 132 on the second
  assert.deepEqual(fitting(texts, 356, width), { lines: 3, full: true });
  assert.deepEqual(fitting({ ...texts, note: "" }, 356, width), { lines: 2, full: true });
});

test("before the first model call of a part of the run, that call's prompt is told", () => {
  assert.deepEqual(sentNext(recorded(), 0, 0), { prompt: 130, unseen: 100, at: 2 });
  assert.deepEqual(sentNext(recorded(), 3, 1), { prompt: 155, unseen: 100, at: 4 });
  assert.equal(sentNext(recorded(), 3, 0), null, "behind a compaction it is none of this part");
  assert.equal(sentNext(recorded(), 6, 2), null);
});

test("the prompt of the last model call is told with what no message accounts for", () => {
  assert.deepEqual(sentBy(recorded(), 3, 0), { prompt: 130, unseen: 100, at: 2 });
  assert.deepEqual(sentBy(recorded(), 5, 1), { prompt: 155, unseen: 100, at: 4 });
  assert.deepEqual(sentBy(recorded(), 6, 2), { prompt: 300, unseen: 275, at: 5 });
});

test("what of a prompt is unseen falls in two parts where a scale is known", () => {
  const split = recorded({ prompts: { ...PROMPTS, scaled: [40, 70, 31] } });
  const found = [3, 5, 6].map((arrived, epoch) => partsBy(split, sentBy(split, arrived, epoch)));
  assert.deepEqual(found, [
    { missing: 90, undercounted: 10 },
    { missing: 85, undercounted: 15 },
    { missing: 269, undercounted: 6 },
  ]);
  const over = recorded({ prompts: { ...PROMPTS, scaled: [140, 70, 31] } });
  assert.deepEqual(partsBy(over, sentBy(over, 3, 0)), { missing: 0, undercounted: 100 }, "less than nothing is missing of no prompt");
  assert.equal(partsBy(recorded(), sentBy(recorded(), 3, 0)), null);
});

test("the next prompt is the last one and what arrived since", () => {
  const sent = sentBy(recorded(), 3, 0);
  assert.deepEqual([nextPrompt(recorded(), sent, 2), nextPrompt(recorded({ at: [] }), sent, 4)], [130, 200]);
});

test("the gauge's note explains itself: both parts, and the next prompt", () => {
  const more = (extra) => {
    const of = run(
      { policy: null },
      { meter: "o200k_base", recorded: { at: [], before: [], after: [], left: [], prompts: { ...PROMPTS, ...extra } } },
    );
    return reading(of, { regions: {}, tokens: 0, counted: 0, i: 2, messages: 3, epoch: 0 }).more;
  };
  const what = "~100 tokens that this file does not show: tools, what the agent added.";
  const next = "With what arrived since, the next prompt comes to ~160 tokens.";
  assert.equal(more({}), `${what} ${next}`);
  const parts = "~90 of it is not in the file; by ~10 the meter o200k_base counts too little.";
  assert.equal(more({ scaled: [40, 70, 31] }), `${what} ${parts} ${next}`);
  const all = "By ~100 the meter o200k_base counts too little.";
  assert.equal(more({ scaled: [140, 70, 31] }), `${what} ${all} ${next}`);
});

test("what is unseen is told by the last call of this window, else by the next one; not where the window is uncertain", () => {
  assert.deepEqual(unseenAt(recorded(), 3, 0, 2), { prompt: 130, unseen: 100, at: 2, last: true });
  assert.deepEqual(unseenAt(recorded(), 3, 1, 3), { prompt: 155, unseen: 100, at: 4, last: false });
  assert.equal(unseenAt(recorded({ uncertain: [[2, 3]] }), 3, 0, 2), null);
  const again = { at: [], left: [], prompts: { at: [2, 4], tokens: [130, 190] } };
  assert.deepEqual(unseenAt(recorded(again), 4, 0, 3), { prompt: 190, unseen: 90, at: 4, last: false }, "of a window that was sent, its prompt");
  const less = { ...again, uncertain: [[4, 6]] };
  assert.deepEqual(unseenAt(recorded(less), 4, 0, 3), { prompt: 130, unseen: 100, at: 2, last: true }, "unless that left something out");
});

test("from where a prompt left something out, what is not in the file is between what it has room for and what earlier ones held", () => {
  const leftOut = [[1, 3, 140]];
  const at = (step, before = -1, kind = "replay") => {
    const of = run({ kind, policy: null }, { recorded: { at: [3], before: [before], after: [-1], left: [15], prompts: PROMPTS, leftOut } });
    return reading(of, { ...of.step(step), i: step });
  };
  assert.equal(at(2).note, "not in this file ≥ ~100 · last prompt 130, ~30 came since");
  assert.equal(at(2, 162).note, "not in this file ≥ ~102 · 162 by the agent's count");
  const why = "The prompt shrank at message 2, and no compaction is recorded: some of what the file shows may not have been sent from there on.";
  const what = "~100–140 tokens that this file does not show: tools, what the agent added.";
  assert.ok(at(2).more.startsWith(`${what} ${why} With what arrived since`));
  assert.equal(at(2).besideTold, "; beside it ~100–140 tokens that this file does not show");
  assert.equal(at(0).note, "not in this file ~100 · next prompt 130, ~20 to come", "before it all was sent");
  assert.equal(at(3).note, "not in this file ~100 · last prompt 130, ~70 came since", "behind its last step it is known again");
});

test("the hatched band reaches from one compaction to the next, by what the next prompt would have held", () => {
  const run = recorded();
  const stretches = stretchesOf(run, [0, 1]);
  assert.deepEqual(stretches, [
    { epoch: 0, places: [0] },
    { epoch: 1, places: [1] },
  ]);
  const at = (stretch) => bandOf(run, stretch).map(({ step, sent, seen }) => [step, sent, seen]);
  assert.deepEqual(at(stretches[0]), [
    [0, 100, 0],
    [1, 130, 30],
    [2, 160, 60],
    [3, 160, 60],
  ]);
  assert.deepEqual(at(stretches[1]), [
    [3, 115, 15],
    [4, 155, 55],
    [5, 205, 105],
    [6, 205, 105],
  ]);
});

test("the line through the prompts is the rim of the band, up to the last of a window", () => {
  const run = recorded({ at: [], left: [], prompts: { at: [2, 5], tokens: [130, 300] } });
  assert.deepEqual(promptLine(run, 0, 1), [
    [2, 130],
    [3, 160],
    [4, 200],
  ]);
  assert.deepEqual([promptLine(run, 1), promptLine(recorded(), 0, 1)], [[[5, 300]], [[2, 130]]], "another window is reached straight");
});

test("between microcompactions without a call the band goes on, and the last call before them tells what is unseen", () => {
  const twice = recorded({ at: [3, 4], left: [15, 25], micro: [0, 1], prompts: { at: [2, 5], tokens: [130, 155] } });
  assert.deepEqual(
    stretchesOf(twice, [0, 1]).map(({ epoch, places }) => [epoch, places]),
    [
      [0, [0]],
      [1, [0]],
      [2, [1]],
    ],
  );
  const [from, to, ...more] = bandOf(twice, { epoch: 1, places: [0] });
  assert.deepEqual([from.step, to.step, more], [3, 5, []]);
  assert.deepEqual(unseenAt(twice, 4, 1, 4), { prompt: 130, unseen: 100, at: 2, last: true });
  assert.deepEqual(linesOf(twice, stretchesOf(twice, [0, 1])), [[0, 1]], "one line joins the prompts of one window");
  const whole = recorded({ at: [3, 4], left: [15, 25], micro: [1], prompts: { at: [2, 5], tokens: [130, 155] } });
  assert.equal(stretchesOf(whole, [0, 1]).length, 2, "a whole compaction made another window");
  assert.deepEqual(linesOf(whole, stretchesOf(whole, [0, 1])), [[0], [1]]);
  assert.equal(unseenAt(whole, 4, 1, 4), null);
});

test("none is told before the first call, nor when the window has been compacted since", () => {
  assert.equal(sentBy(recorded(), 2, 0), null);
  assert.equal(sentBy(recorded(), 3, 1), null);
  assert.equal(sentBy(recorded({ prompts: { at: [], tokens: [] } }), 6, 0), null);
});

test("what was sent and is not in the file is a block of the bar beside the window's parts; on the way it is on its way, too", () => {
  const header = { recorded: { at: [], before: [], after: [], left: [], prompts: { at: [2], tokens: [260] } } };
  const of = (view) => run(view, header);
  const recordedRun = of({ policy: null });
  const window = recordedRun.step(2);
  const { hidden, hiddenShare, parts } = reading(recordedRun, window);
  assert.equal(hidden, 230); // of the 260 of its prompt, which two messages of 10 and 20 stood in
  assert.ok(Math.abs(parts.reduce((sum, { share }) => sum + share, 0) + hiddenShare - 100) < 0.001);
  const none = { ...window, hidden: 0 };
  assert.equal(reading(recordedRun, between(none, withHidden(recordedRun, window), 0.5)).hidden, 115);
  assert.equal(reading(of({}), window).hidden, 0, "what a policy would have sent is not on record");
});

test("how far the count is off is said in words, and not where it cannot be checked", () => {
  assert.deepEqual([errorWords(null), errorWords(undefined)], ["", ""]);
  assert.equal(errorWords(0.004), "the count agrees with the recorded prompts where they can be compared");
  assert.equal(errorWords(-0.052), "what arrives between calls is counted 5.2 % too low");
  assert.equal(
    errorWords(0.237, 0.0149),
    "what arrives between calls is counted 24 % too high; a prompt, told from an earlier one and what arrived since, is off by 1.5 %",
  );
});

test("a key names a recorded compaction, or none", () => {
  assert.deepEqual(["r0", "r12", "m3", "c1.0", "r", "r1x", "xr1", "", null].map(recordedKey), [0, 12, -1, -1, -1, -1, -1, -1, -1]);
});

test("what a policy would have done is told for what it came to", () => {
  const ownWillText = (status, automatic = true, hidden = null) =>
    ownWill({ automatic, status, reason: "all is pinned", policy: "p", why: "9 tokens ≥ 8", hidden });
  assert.equal(ownWillText("nothing_to_do"), "p would do nothing here: all is pinned.");
  for (const status of ["compacted", "still_over_budget", "inflated"])
    assert.equal(ownWillText(status), "So set it acts here by itself: 9 tokens ≥ 8.");
  assert.equal(ownWillText("inflated", false), "So set it would not act here by itself (9 tokens ≥ 8); the comparison makes it act.");
  assert.match(ownWillText("compacted", false, 67813), /≥ 8; ~67,813 more were sent that are not in this file\)/);
});

test("a setting that was fitted to the record is not taken for the agent's own", () => {
  const settings = { keep: "3", window: "1000" };
  assert.equal(fittedWords({ fitted: [], settings, policy: "p" }), "");
  assert.equal(
    fittedWords({ fitted: ["window"], settings, policy: "p" }),
    "window 1,000 is not the agent's own: p counts only the messages in this file, and so set it acts nearest to the record.",
  );
});

test("from where on the window is uncertain, at a step and in all", () => {
  const doubtful = recorded({
    uncertain: [
      [3, 5],
      [6, 9],
    ],
  });
  assert.deepEqual(
    [2, 3, 4, 5, 8].map((step) => uncertainFrom(doubtful, step)),
    [-1, 3, 3, -1, 6],
  );
  assert.equal(uncertainFrom(recorded(), 3), -1);
  assert.equal(uncertainWords({ store: { header: { recorded: { at: [7] } } } }, 1234), "uncertain from message 1,234 on: the recorded prompt shrank");
  const end = ": the recorded prompt shrank, and no compaction is recorded";
  assert.equal(
    stretchWords(
      [
        [3, 5],
        [6, 9],
      ],
      [6],
      8,
    ),
    `uncertain from message 4 to 5, from message 6 on${end}`,
  );
  assert.equal(
    stretchWords(
      [
        [1, 2],
        [3, 4],
        [5, 6],
        [7, 8],
        [9, 10],
      ],
      [],
      20,
    ),
    `uncertain from message 2 to 2, from message 4 to 4, from message 6 to 6, 2 times more${end}`,
  );
  assert.deepEqual([stretchWords(), stretchWords([])], ["", ""]);
});

test("the gauge says that the window is uncertain, of the run as recorded alone", () => {
  const header = { recorded: { at: [], before: [], after: [], left: [], prompts: PROMPTS, uncertain: [[3, 9]] } };
  const note = (view, i) => reading(run(view, header), run(view, header).step(i)).note;
  assert.equal(note({ policy: null }, 3), "uncertain from message 4 on: the recorded prompt shrank");
  assert.doesNotMatch(note({ policy: null }, 2), /uncertain/);
  assert.doesNotMatch(note({}, 3), /uncertain/);
});

test("prompts that did not shrink deny what the record says was saved", () => {
  const prompts = { at: [2, 4, 5], tokens: [45674, 46452, 40000] };
  const denied = (messages, recordedBefore, recordedAfter, arrived = 600, { micro = false, begins = 0 } = {}) => {
    const running = [0, 50, 100, 100 + arrived / 2, 100 + arrived, 100 + arrived];
    const run = {
      store: { header: { recorded: { prompts } }, running },
      step: () => ({ messages }),
      view: { c: { micro: [0, 1], at: [begins, begins + 1] } },
    };
    return deniedBy(run, { k: 2, micro, step: 0, recordedBefore, recordedAfter });
  };
  assert.deepEqual(denied(3, 13265, 11265), [45674, 46452]);
  assert.deepEqual(denied(4, 13265, 11265), [45674, 46452], "the reply at 4 comes after it");
  assert.deepEqual(denied(3, 13265, 11265, 1277), [45674, 46452], "less than a quarter of it is missing");
  assert.equal(denied(3, 13265, 11265, 1278), null, "what arrived hides that it shrank");
  assert.equal(denied(5, 13265, 11265), null, "the prompt shrank");
  assert.equal(denied(2, 13265, 11265), null, "no prompt before it");
  assert.equal(denied(6, 13265, 11265), null, "no prompt after it");
  assert.equal(denied(3, 13265, -1), null, "the record says no size after it");
  assert.equal(denied(3, 11265, 11265), null, "the record says that nothing was saved");
  const micro = { micro: true };
  assert.deepEqual(denied(5, 43_000, 41_000, 600, micro), [46452, 40000], "it counts fewer tokens than were sent");
  assert.equal(denied(5, 44_500, 42_500, 600, micro), null, "nearly as many");
  assert.equal(denied(5, 43_000, 41_000), null, "a compaction may count a part alone");
  assert.deepEqual(denied(3, 13265, 11265, 600, { begins: 2 }), [45674, 46452]);
  assert.equal(denied(3, 13265, 11265, 600, { begins: 3 }), null, "the prompt before it was of another window");
});

test("what is not in the file is the system prompt, too, unless the file begins with one", () => {
  const run = smallRun();
  assert.equal(besideWords(run, 0), "tools, what the agent added");
  run.store.role[0] = 1;
  assert.equal(besideWords(run, 0), "system prompt, tools, what the agent added");
});

test("where the file begins midway, what was sent and is not in it holds earlier messages until they were summarized", () => {
  const run = smallRun(); // compacts at step 9, when nine messages had arrived: 90 tokens become 47
  Object.assign(run.view, { kind: "replay", policy: null });
  run.view.c.recordedBefore = [1080];
  run.view.c.recordedAfter = [1047];
  const header = Object.assign(run.store.header, {
    startsMidway: true,
    recorded: { at: [9], left: [47], prompts: { at: [8, 9], tokens: [1080, 1047] } },
  });
  assert.deepEqual(numberNotes(run, 0, figures(run, 0), {}).slice(0, 2), [
    "Before it, ~1,000 tokens that were sent are not in this file: earlier messages, tools, what the agent added.",
    "After it, ~1,000 are not in this file: tools, what the agent added.",
  ]);
  header.recorded.micro = [0];
  assert.deepEqual([hasEarlier(run, 0), hasEarlier(run, 1)], [true, true], "what only cleared results left them where they were");
  assert.equal(numberNotes(run, 0, figures(run, 0), {})[1], "After it, ~1,000 are not in this file: the same kinds as before.");
  header.recorded.micro = [];
  run.view.c.unreadable = ["encrypted"];
  const after = "After it, ~1,000 are not in this file: the summary that nobody can read, tools, what the agent added.";
  assert.ok(numberNotes(run, 0, figures(run, 0), {}).includes(after));
});

test("the timeline says of both steps of a recorded compaction the number that its card has, and that it is a prompt's", () => {
  const labels = (before, after, prompts, kind = "replay") => {
    const run = smallRun(); // 90 tokens become 47 at step 9; a message more is there at the next one
    Object.assign(run.view, { kind, ...(kind === "replay" && { policy: null }) });
    Object.assign(run.view.c, { recordedBefore: [before], recordedAfter: [after] });
    run.store.header.recorded = { at: [9], before: [before], after: [after], left: [47], prompts };
    return [8, 9, 10].map((step) => label(run, step));
  };
  const prompts = { at: [8, 10], tokens: [1080, 957] };
  assert.deepEqual(labels(1080, 957, prompts), ["message 9 · prompt 1,080", "#1 · prompt 957", "message 10 · ~957"]);
  assert.deepEqual(labels(1090, 957, prompts), ["message 9 · 1,090", "#1 · 957", "message 10 · ~957"], "by the agent's count before");
  assert.deepEqual(labels(300, 957, prompts).slice(0, 1), ["message 9 · ~1.1k"], "of a count that is not the window's nothing is said there");
  assert.deepEqual(labels(1080, 957, prompts, "simulate"), ["message 9 · 90", "#1 · 47", "message 10 · 57"]);
});

test("what the numbers leave out is said in sentences: where they are from, what is unseen, what the agent counts otherwise", () => {
  const notes = (recorded, prompts, card = {}, leftOut = []) => {
    const run = smallRun(); // compacts at step 9, when nine messages had arrived: 90 tokens become 47
    Object.assign(run.view, { kind: "replay", policy: null });
    run.view.c.recordedBefore = [recorded[0]];
    run.view.c.recordedAfter = [recorded[1]];
    run.store.header.recorded = { at: [9], left: [47], prompts, leftOut };
    return numberNotes(run, 0, figures(run, 0), card);
  };
  const prompts = { at: [8, 10], tokens: [1080, 6057] };
  const unseen = [
    "Before it, ~1,000 tokens that were sent are not in this file: tools, what the agent added.",
    "After it, ~6,000 are not in this file: the same kinds as before; perhaps the agent put files, lists or skills in again.",
  ];
  const late = "Messages of ~10 tokens that came before the next prompt are in 6,057: without them the compaction left ~6,047.";
  const from = {
    before_from: "the agent's own count (`preTokens`)",
    after_from: "prompt of the model call after; the agent's own count (`post`): 120",
  };
  const sources = [
    "1,090 is the agent's own count (`preTokens`).",
    "6,057 is the first prompt sent after it.",
    "The agent's own count (`post`) is 120.",
  ];
  assert.deepEqual(notes([1090, 6057], prompts, from), [...sources, ...unseen, late]);
  assert.deepEqual(notes([1000, 6047], prompts).slice(2), ["The last prompt held 1,080 + ~10 that came since = ~1,090; the agent counted 1,000."]);
  assert.deepEqual(notes([1000, 6000], prompts).slice(2), [
    "The last prompt held 1,080 + ~10 that came since = ~1,090; the agent counted 1,000.",
    "The next prompt held 6,057 \u2212 ~10 that came only then = ~6,047; the agent counted 6,000.",
  ]);
  const left = notes([1090, 3547], { at: [8, 10], tokens: [1080, 3557] }, {}, [[8, 9, 3000]]);
  assert.deepEqual(left.slice(0, 3), [
    "Before it, ~1,000–3,000 tokens that were sent are not in this file: tools, what the agent added.",
    "The prompt shrank at message 9, and no compaction is recorded: some of what the file shows may not have been sent from there on.",
    "After it, ~3,500 are not in this file: the same kinds as before.",
  ]);
  const rule = ["By its rule before version 2 the agent compacts at 1,000 tokens.", "Since then the limit is 2,000."];
  assert.deepEqual(notes([1090, -1], { at: [], tokens: [] }, { rule, fidelity: "inferred" }), [...rule, RECORD.inferred]);
});

test("a recorded compaction has the number that it has without another policy over it", () => {
  const five = recorded({ at: [1, 2, 3, 4, 5], edits: [2], micro: [0, 3] });
  assert.deepEqual(
    [0, 1, 2, 3, 4].map((k) => recordedPlace(five, k)),
    ["microcompaction 1 of 2", "compaction 1 of 2", "edit 1 of 1", "microcompaction 2 of 2", "compaction 2 of 2"],
  );
});

test("a recorded compaction stands where the run's own is that came after as many messages, else at the last of them", () => {
  const own = smallRun(); // compacts at step 9, when nine messages had arrived
  assert.deepEqual(
    [0, 5, 8, 9, 10, 12].map((at) => recordedStep(own, at)),
    [0, 4, 7, 9, 10, 12],
  );
});

test("of a record in part it is said which part is missing: the text of the summary, or what became of the messages", () => {
  const told = (summary, unreadable = "", fidelity = "partial") => recordWords({ fidelity, summary, unreadable });
  const start = "Partial: the transcript records this compaction";
  assert.equal(told("Done so far", ""), `${start} and its summary, but may not say of every message whether it was kept.`);
  assert.equal(told("[sealed]", "encrypted"), `${start}, but no readable text of its summary.`);
  assert.equal(told("[none]", "not recorded"), told("[sealed]", "encrypted"));
  assert.equal(told(null), `${start}, but may not say of every message what became of it.`);
  assert.deepEqual([told(null, "", "exact"), recordWords(null)], [RECORD.exact, ""]);
});
