// Why in the inspector, as far as it needs no page: the answer, the story's rows, up to where, and the table of changes.
import assert from "node:assert/strict";
import { test } from "node:test";
import { answerOf, ordinal, placesWords } from "../../viewer/frontend/why/answer.js";
import { triedAdvice } from "../../viewer/frontend/why/advice.js";
import { FixRuns } from "../../viewer/frontend/why/fixruns.js";
import { brief, bySent, changeName, changeParts, comparedWith, difference, mainFirst, ownTitle } from "../../viewer/frontend/why/fixwords.js";
import { momentOf, movedWords, outcome, sentOnRecord, stepOf } from "../../viewer/frontend/why/outcome.js";
import { foldedWords, storyRows } from "../../viewer/frontend/why/storyrows.js";
import { targetsOf } from "../../viewer/frontend/why/targets.js";
import { applied } from "../../viewer/frontend/why/tried.js";
import { fate, gone, happened } from "./fates.mjs";
import { FOLDED, NONE, run } from "./packed.mjs";

const lane = (found) => ({ text: found?.text ?? "do it", fate: found, stale: false, failed: "" });

test("the answer is that of the stretch at the cursor; that it is gone stands out", () => {
  const found = answerOf(run(FOLDED), lane(gone()), 5);
  assert.deepEqual([found.gone, found.title], ["Gone", " since compaction 1: summary #1 left it out."]);
  assert.deepEqual(found.lines, ["Needed at message 6, when nothing in the window said it."]);
  assert.equal(found.pin, -1);
});

test("of a text in the window it is said how far from the end it stands, and what comes next once: what is known, not what may be", () => {
  const shown = run(FOLDED);
  const known = gone();
  known.lane[1].title = "In the window until compaction 1; gone from then on.";
  const [before, at] = [2, 3].map((step) => answerOf(shown, lane(known), step)); // do it, Read: the newest two stay
  assert.ok(!before.lines.some((line) => line.includes("from the end")), "nothing goes yet but what is pinned");
  assert.equal(before.title, "In the window until compaction 1; gone from then on.");
  assert.deepEqual([at.title, at.lines.at(-1), at.pin], [before.title, "Message 2 is 3rd from the end; 2 stay.", 1]);
});

test("where no compaction follows, a text among what may go is not said to be taken", () => {
  const never = { c: NONE, length: 6, heads: [1], bodies: [1], tails: [0, 1, 0, 1, 0, 1] };
  assert.equal(answerOf(run(never), lane(fate()), 3).title, "In the window. A compaction would take it; none follows.");
  assert.equal(answerOf(run({ ...never, policy: null, kind: "replay" }), lane(fate()), 3).title, "In the window.");
});

test("whether it is known when it leaves is asked of the lane, whatever words the sentence has", () => {
  const never = run({ c: NONE, length: 6, heads: [1], bodies: [1], tails: [0, 1, 0, 1, 0, 1] });
  const says = (lane_) => answerOf(never, lane({ ...fate(), lane: lane_ }), 3).title;
  const here = { ...fate().lane.find(({ state }) => state === "verbatim"), title: "Said: wait until five." };
  assert.equal(says([here]), "Said: wait until five. A compaction would take it; none follows.");
  assert.equal(says([here, { ...here, from: 5, state: "gone", at: [] }]), "Said: wait until five.");
});

test("while nothing is known yet, or the question failed, that is said", () => {
  assert.equal(answerOf(run(FOLDED), lane(null), 0).title, "Looking for it in 7 steps…");
  const failed = answerOf(run(FOLDED), { ...lane(null), failed: "not here" }, 0);
  assert.deepEqual([failed.title, failed.lines], ["The question was not answered.", ["not here"]]);
});

test("how often it is said is one number, and places in a line have English endings", () => {
  assert.deepEqual([null, fate({ total: 0 }), fate({ total: 1 }), fate({ total: 1234 })].map(placesWords), [
    "",
    "",
    "said in 1 message",
    "said in 1,234 messages",
  ]);
  assert.equal([1, 2, 3, 4, 11, 12, 13, 21, 102, 111, 1003].map(ordinal).join(" "), "1st 2nd 3rd 4th 11th 12th 13th 21st 102nd 111th 1,003rd");
});

const marks = (...steps) => steps.map((step) => ({ kind: "said", step }));
const folded = ({ uses, again, other }) => `${uses} uses, ${again} again, ${other} other`;
const shape = (rows) => rows.map((row) => ("here" in row ? `here ${row.here}` : "uses" in row ? folded(row) : `${row.mark.step} ${row.when}`));

test("the cursor has a row of its own in the story, unless something happens where it is", () => {
  assert.deepEqual(shape(storyRows(marks(1, 4), 2, false)), ["1 past", "here 2", "4 future"]);
  assert.deepEqual(shape(storyRows(marks(1, 4), 4, false)), ["1 past", "4 now"]);
  assert.deepEqual(shape(storyRows(marks(1, 4), 9, false)), ["1 past", "4 past", "here 9"]);
  assert.deepEqual(shape(storyRows([], 0, false)), ["here 0"]);
});

/** A long story: said, used a lot, taken, kept in part, needed, used and said again, taken for good. */
const LIFE = ["said", ...Array(9).fill("used"), "again", "dropped", "kept", "needed", ...Array(8).fill("used"), "again", "dropped"];
const life = LIFE.map((kind, k) => ({ kind, step: 10 * k }));

test("of a long story the uses are folded: where it first stood, what took it, what stayed, where it was needed and the end are seen", () => {
  const rows = shape(storyRows(life, 235, false));
  assert.deepEqual(rows, [
    "0 past",
    "9 uses, 1 again, 0 other",
    "110 past",
    "120 past",
    "130 past",
    "8 uses, 1 again, 0 other",
    "230 past",
    "here 235",
  ]);
  assert.equal(storyRows(life, 235, true).length, LIFE.length + 1);
});

test("a folded part is in two where the cursor is in it, also where what happens at the cursor is folded", () => {
  const around = (step) => shape(storyRows(life, step, false)).slice(1, 4);
  assert.deepEqual(around(45), ["4 uses, 0 again, 0 other", "here 45", "5 uses, 1 again, 0 other"]);
  assert.deepEqual(around(40), ["4 uses, 0 again, 0 other", "here 40", "5 uses, 1 again, 0 other"]);
  assert.equal(new Set(storyRows(life, 45, false).map(({ key }) => key)).size, 9);
});

test("a folded part says what is in it, and from where to where", () => {
  const shown = run(FOLDED);
  const said = (row) => foldedWords(shown, { uses: 0, again: 0, other: 0, from: 0, to: 2, ...row });
  assert.equal(said({ uses: 12 }), "12 more uses, messages 1 to 3");
  assert.equal(said({ uses: 1, again: 1, to: 0 }), "1 more use, said again once, message 1");
  assert.equal(said({ again: 3 }), "Said again 3 more times, messages 1 to 3");
  assert.equal(said({ uses: 3, other: 4 }), "7 more, messages 1 to 3");
});

test("where even what matters is long, both ends, the first and the last loss and the first need are seen", () => {
  const kinds = ["said", ...Array(20).fill("kept"), "dropped", "needed", ...Array(20).fill("kept"), "dropped", ...Array(20).fill("kept")];
  const rows = storyRows(
    kinds.map((kind, k) => ({ kind, step: k })),
    0,
    false,
  );
  const steps = rows.map((row) => ("mark" in row ? row.mark.step : `${row.other} more`));
  assert.deepEqual(steps, [0, 1, 2, 3, 4, 5, "15 more", 21, 22, "20 more", 43, "15 more", 59, 60, 61, 62, 63]);
});

test("ten rows are not worth folding", () => {
  const rows = storyRows(marks(...Array.from({ length: 10 }, (_, k) => k)), 3, false);
  assert.equal(rows.length, 10);
});

test("a change keeps it to the end, unless one asks for where it was needed, or for the cursor", () => {
  const said = (found, step) => targetsOf(run(FOLDED), found, step).map(({ words }) => words);
  assert.deepEqual(said(gone(), 5), ["to message 6, where it was needed", "to here, message 5"]);
  const twice = [happened(5, "needed", ""), happened(6, "needed", "")];
  assert.deepEqual(said(gone({ events: twice }), 5), ["to the end, message 6", "to message 5, where it was first needed"]);
  assert.deepEqual(said(gone({ events: [] }), 5), ["to the end, message 6", "to here, message 5"]);
  assert.deepEqual(said(gone({ events: [] }), 6), ["to the end, message 6"]);
  assert.deepEqual(said(gone({ events: [] }), 2), ["to the end, message 6"]);
  assert.deepEqual(said(fate(), 3), []); // it was kept
  const again = gone({ events: [happened(5, "needed", "Needed: the user says it again", { match: "repeated", lacked_at: 4 })] });
  assert.deepEqual(said(again, 6)[1], "to compaction 1, before the user says it again");
  const back = gone({ events: [happened(5, "needed", "Needed: the user pastes it back", { match: "pasted", lacked_at: 4 })] });
  assert.deepEqual(said(back, 6)[1], "to compaction 1, before the user pastes it back");
  assert.deepEqual(said(gone({ common: true }), 5), []);
  const kept = gone({ lane: gone().lane.map((one) => (one.state === "gone" ? { ...one, state: "summary" } : one)), events: [] });
  assert.deepEqual(said(kept, 2), [], "a summary of the run itself says it");
  const quotes = { ...FOLDED, summarizer: { by: "structural", recorded: false } };
  const quoted = (found) => targetsOf(run(quotes), found, 2).map(({ words }) => words);
  assert.deepEqual(quoted(kept), ["to the end, message 6"], "a model's summary may leave out what only a quote has");
  assert.deepEqual(quoted({ ...kept, cured: [] }), [], "a file has no changes for that");
});

const fix = (change, sent, more = {}) => ({
  ...{
    change,
    value: "",
    now: false,
    kept: true,
    cure: true,
    helps: true,
    drawbacks: [],
    compacted_at: [],
    peak_tokens: 0,
    tokens_sent: sent,
    query: {},
  },
  ...more,
});

test("changes stand by what they send, then by how often they compact; of one policy what a person changes first is first", () => {
  const rows = [fix("a", 30, { compacted_at: [1, 2] }), fix("b", 10), fix("d", 30, { compacted_at: [1] })];
  assert.deepEqual(
    rows.sort(bySent).map(({ change }) => change),
    ["b", "d", "a"],
  );
  const own = [fix("gap", 1), fix("budget", 30, { main: true }), fix("keep_recent", 20, { main: true }), fix("switch", 9)];
  assert.deepEqual(
    own.sort(mainFirst).map(({ change }) => change),
    ["keep_recent", "budget", "gap", "switch"],
  );
});

test("of a recorded run it is said whose the settings are", () => {
  const own = fix("window", 50, { of: "claude_code.auto", text: "window 9 → 12" });
  const other = fix("goose", 10, { text: "goose at its defaults", other: true });
  assert.equal(ownTitle([own, other], "recorded"), "One setting of claude_code.auto, this agent's policy, with a limit near the recorded one");
  assert.equal(ownTitle([other], "agentkit.memory"), "One setting of agentkit.memory");
  const pin = fix("pin message 2", 10, { text: "Pin message 2 (~12 tokens)" });
  assert.equal(ownTitle([pin, other], "agentkit.memory"), "One setting of agentkit.memory, or a pin");
  assert.equal(ownTitle([other], "recorded"), "One setting of this policy");
  assert.equal(changeName(own, {}), "claude_code.auto: window 9 → 12");
});

test("what came of a change begins with where the text is then; what it costs comes behind it", () => {
  const now = fix("", 1000, { now: true });
  const pin = fix("pin message 2", 1009, { value: "~1,122 tokens", text: "Pin message 2 (~1,122 tokens)" });
  const needed = { id: "needed", words: "to message 183, where it was needed", place: "message 183", state: "verbatim" };
  const whole = ({ verdict, about, more }) => [verdict, about, more].filter(Boolean).join(" ");
  const said = (there, change = pin) => whole(outcome(change, now, {}, [], { ...needed, ...there }));
  assert.deepEqual(outcome(pin, now, {}, [], needed), {
    verdict: "Pin message 2 keeps it: at message 183, where it was needed, the model could see it.",
    about: "Tokens sent +0.9 %.",
    more: "",
  });
  assert.equal(said({}), "Pin message 2 keeps it: at message 183, where it was needed, the model could see it. Tokens sent +0.9 %.");
  assert.equal(said({ state: "summary" }), "Pin message 2 keeps it: at message 183, where it was needed, a summary said it. Tokens sent +0.9 %.");
  assert.equal(
    said({ state: "gone" }),
    "Pin message 2 does not keep it: at message 183, where it was needed, nothing in the window said it. Tokens sent +0.9 %.",
  );
  const moved = { ...pin, compacted_at: [98, 276] };
  assert.match(
    whole(outcome(moved, { ...now, compacted_at: [116, 276] }, {}, [], needed)),
    /1 of 2 compactions moved, from message 116 to 98; tokens sent \+0\.9 %\.$/,
  );
  const same = fix("goose", 1000, { text: "goose at its defaults", other: true });
  assert.equal(
    said({ id: "end", words: "to the end, message 187" }, same),
    "goose keeps it: at message 183 the window has it. As many tokens are sent.",
  );
  assert.equal(
    said({ lost: "compaction 2" }),
    "Pin message 2 keeps it for a while: at message 183, where it was needed, the model could see it; from compaction 2 on it is gone. Tokens sent +0.9 %.",
  );
  const record = { ...now, query: { policy: "recorded" } };
  assert.equal(outcome(pin, record, {}, [], needed).about, "Tokens sent +0.9 %, against the run without a change.");
  assert.equal(outcome(same, record, {}, [], needed).about, "As many tokens are sent as in the run without a change.");
  const simulated = fix("", 1009, { baseline: true });
  assert.match(whole(outcome(same, simulated, {}, [], { ...needed, id: "end" })), /Tokens sent −0\.9 %, against the run without a change\.$/);
  assert.match(whole(outcome(pin, simulated, {}, [], { ...needed, id: "end" })), /As many tokens are sent as in the run without a change\.$/);
});

test("to who comes from a recorded run it says that it is a simulation, where both compact, and what the change itself did: no sentence has them stay where the reader saw them", () => {
  const end = { id: "end", words: "to the end, message 483", place: "message 483", state: "verbatim" };
  const base = fix("", 1000, { baseline: true, compacted_at: [76, 224, 470] });
  const recorded = [116, 276, 472];
  const said = (compacted_at, sent = 1000, without = base, record = recorded) =>
    whole(outcome(fix("pin", sent, { text: "Pin message 54 (~13 tokens)", compacted_at }), without, {}, record, end));
  const whole = ({ about, more }) => [about, more].filter(Boolean).join(" ");
  assert.equal(
    outcome(fix("pin", 1000, { text: "Pin message 54 (~13 tokens)" }), base, {}, recorded, end).verdict,
    "Pin message 54 keeps it: at message 483 the window has it.",
  );
  assert.equal(
    said([76, 224, 470]),
    "A simulation: it compacts after messages 76, 224 and 470; the record did after messages 116, 276 and 472. The change itself moves none of them; as many tokens are sent as without it. Its limit is the one with which it compacts as near to the record as it can, as it counts only what this file shows.",
  );
  assert.match(said([76, 224, 470], 1009), / The change itself moves none of them; tokens sent \+0\.9 %\. Its limit /);
  assert.match(
    said([76, 200, 460], 991),
    /^A simulation: it compacts after messages 76, 200 and 460; .* Against the run without a change: 2 of 3 compactions moved, the first of them from message 224 to 200; tokens sent −0\.9 %\. Its limit /,
  );
  assert.match(said([70, 200, 460]), / Against the run without a change: all 3 compactions moved, .*; as many tokens are sent\. Its limit /);
  assert.match(
    said([], 1000, { ...base, compacted_at: [] }),
    /^A simulation: it never compacts; .* Against the run without a change: as many tokens are sent\.$/,
  );
  assert.match(
    said([9], 1000, { ...base, compacted_at: [9] }, []),
    /it compacts after message 9; the record never did\. The change itself moves none of its compactions;/,
  );
  assert.equal(
    said([76, 224, 470], 1000, base, [76, 224, 470]),
    "All 3 compactions stay where they were; as many tokens are sent as in the run without a change.",
  );
});

test("what the record sent is told apart from the costs, where these are against a simulation", () => {
  const record = fix("", 13_000_000, { now: true, query: { policy: "recorded" } });
  const base = fix("", 11_500_000, { baseline: true });
  const other = fix("codex.local", 11_400_000, { text: "codex.local at its defaults", other: true, compacted_at: [76, 226, 475] });
  assert.equal(sentOnRecord(other, [record, base, other]), "The record sent 13M tokens of these messages in all, this run 11.4M.");
  assert.equal(sentOnRecord(other, [record, other]), "", "the costs are against it");
  assert.equal(sentOnRecord(other, [{ ...record, query: {} }, other]), "");
  const there = { id: "end", words: "to the end, message 483", place: "message 483", state: "verbatim" };
  assert.match(outcome(other, base, {}, [116, 276, 472], there).more, /tokens sent −0\.9 %\.$/, "the limit is not its own");
});

test("all costs are against one run: of a record its agent's simulation, where there is one", () => {
  const record = fix("", 9, { now: true, query: { policy: "recorded" } });
  const base = fix("", 8, { baseline: true });
  assert.deepEqual([comparedWith([record, base]), comparedWith([record])], [base, record]);
});

test("before the press it says that a try is a simulation, where that compacts elsewhere than the record", () => {
  const pin = fix("pin", 1000, { text: "Pin message 54 (~13 tokens)", of: "p" });
  const told = (simulated, recorded, more = { baseline: true }) =>
    triedAdvice(
      { rows: [fix("", 1, { now: true, compacted_at: recorded }), fix("", 1000, { compacted_at: simulated, ...more }), pin], done: true },
      null,
    ).join("");
  const said = "The try is a simulation of the agent: its compactions fall elsewhere than the record's.";
  assert.ok(told([76, 224], [116, 276]).endsWith(` what the advice would give. ${said}`));
  assert.ok(!told([116, 276], [116, 276]).includes(said));
  assert.ok(!told([76, 224], [116, 276], { other: true }).includes(said), "of a run that is simulated itself");
});

test("a moment is found again in a run that compacts elsewhere: by how many messages have arrived", () => {
  const folded = run(FOLDED); // compaction 1 at step 4, behind four messages
  const never = run({ c: NONE, length: 6, heads: [1], bodies: [1], tails: [0, 1, 0, 1, 0, 1] });
  const there = (step) => stepOf(never, momentOf(folded, step));
  assert.deepEqual([0, 3, 4, 5, 6].map(there), [0, 3, 3, 4, 5]);
  assert.deepEqual(
    [3, 4, 5].map((step) => stepOf(folded, momentOf(never, step))),
    [3, 5, 6],
  );
  assert.equal(stepOf(folded, momentOf(folded, 4)), 4);
});

test("what is sent more or less is a share of what is sent now; a tenth more is worse, a hundredth less better", () => {
  const said = [90, 99, 99.6, 100, 100.04, 100.4, 105, 110, 224, 1500].map((sent) => difference(sent, 100));
  assert.deepEqual(said.map(({ text }) => text).join(" "), "−10 % −1 % −0.4 % same same +0.4 % +5 % +10 % +124 % +1,400 %");
  assert.deepEqual(said.map(({ tone }) => tone[0] ?? "-").join(""), "bb-----www");
  assert.deepEqual(difference(5, 0), { text: "", tone: "" });
});

test("tokens are short in a narrow column", () => {
  assert.equal([950, 18_100, 595_000, 1_331_000, 12_400_000].map(brief).join(" "), "950 18.1k 595k 1.3M 12.4M");
});

test("a change says the value now and the other one; another policy says with what it is tried", () => {
  const said = (change, value, text, now = false) => changeParts(fix(change, 0, { value, text, now }), { summaries: "recorded" });
  const words = (...args) =>
    said(...args)
      .map(([part, weight]) => (weight ? `*${part}*` : part))
      .join("");
  assert.equal(words("keep_recent", 115, "keep_recent 8 → 115"), "*keep_recent* 8 → *115*");
  assert.equal(words("pi.compaction", "at its defaults", "pi.compaction at its defaults"), "*pi.compaction*");
  assert.equal(words("codex.local", "", "codex.local at its defaults, with the same budget of 16,000 tokens"), "*codex.local* with budget 16,000");
  const room =
    "codex.local at its defaults, with the recorded run's room (~127,898 tokens of messages, the most its window held when it was compacted)";
  assert.equal(words("codex.local", "", room), "*codex.local* with room for ~128k tokens, as recorded", "nobody set that number");
  const same = "codex.local at its defaults, with the room of p as it is simulated (~101,599 tokens of messages)";
  assert.equal(words("codex.local", "", same), "*codex.local* with room for ~102k tokens, as simulated");
  assert.equal(words("summaries", "structural", "Summaries: structural"), "*Summaries* recorded → *structural*");
  assert.equal(words("pin message 2", "~122 tokens", "Pin message 2 (~122 tokens)"), "*Pin message 2*: no compaction removes it (~122 tokens)");
  assert.equal(words("as it is", "", "As recorded", true), "As recorded");
});

test("an address with other settings keeps source, session, lane and meter, and nothing else", () => {
  const query = { source: "sample:a", session: "", lane: "2", policy: "p", budget: "9", meter: "m", summaries: "structural", pin: "m3" };
  assert.deepEqual(applied(query, { policy: "p", budget: 12, summaries: "" }), {
    ...{ source: "sample:a", lane: "2", meter: "m", policy: "p", budget: 12 },
  });
});

/** A store that streams when it is told to. */
function streaming() {
  const asked = [];
  const why = { tid: "t", lanes: [{ text: "a" }, { text: "b" }] };
  why.fixes = (i, step, each) => {
    const question = { i, step, each, stopped: false };
    asked.push(question);
    return () => (question.stopped = true);
  };
  return { why, asked };
}

const rested = () => new Promise((done) => setTimeout(done, 5));

test("one question streams at a time; an answer is kept, half a one is not", async () => {
  const { why, asked } = streaming();
  let told = 0;
  const runs = new FixRuns(
    () => why,
    () => (told += 1),
    0,
  );
  runs.want({ text: "a", step: 9 });
  runs.want({ text: "a", step: 9 });
  await rested();
  assert.equal(asked.length, 1);
  for (const line of [{ progress: [0, 2] }, { row: fix("x", 1) }, { progress: [1, 2] }]) asked[0].each(line);
  assert.deepEqual([runs.now.rows.length, runs.now.progress, runs.now.done, told], [1, [1, 2], false, 3]);
  runs.want({ text: "b", step: 9 });
  assert.equal(asked[0].stopped, true);
  asked[0].each({ row: fix("late", 1) });
  assert.deepEqual(runs.now.rows, []); // it was about the other text
  await rested();
  asked[1].each({ done: true, note: "so" });
  runs.want({ text: "a", step: 9 });
  await rested();
  assert.equal(asked.length, 3); // half an answer is asked anew
  runs.want({ text: "b", step: 9 });
  await rested();
  assert.deepEqual([asked.length, runs.now.note], [3, "so"]);
});

test("nothing is asked of a step that is passed, and a failure can be asked again", async () => {
  const { why, asked } = streaming();
  const runs = new FixRuns(
    () => why,
    () => {},
    0,
  );
  for (const step of [1, 2, 3]) runs.want({ text: "a", step });
  await rested();
  assert.deepEqual(
    asked.map(({ step }) => step),
    [3],
  );
  asked[0].each({ failed: "no answer" });
  assert.deepEqual([runs.now.failed, runs.now.done], ["no answer", true]);
  runs.again();
  await rested();
  assert.deepEqual([asked.length, runs.now.failed], [2, ""]);
  runs.want(null);
  assert.deepEqual([asked[1].stopped, runs.now], [true, null]);
  runs.want({ text: "b", step: 1 });
  why.lanes.pop(); // it is followed no longer
  await rested();
  assert.equal(asked.length, 2);
});

test("what a change did to the compactions is told by their places, before and now", () => {
  assert.equal(movedWords([116, 276, 480], [98, 276, 480]), "1 of 3 compactions moved, from message 116 to 98");
  assert.equal(movedWords([116, 276, 480], [116, 300, 482]), "2 of 3 compactions moved, the first of them from message 276 to 300");
  assert.equal(movedWords([116, 276], [98, 200]), "Both compactions moved, the first of them from message 116 to 98");
  assert.equal(movedWords([116], [98]), "The compaction moved, from message 116 to 98");
  assert.equal(movedWords([116], [116]), "The compaction stays where it was");
  assert.equal(movedWords([116, 276], [116, 276]), "Both compactions stay where they were");
  assert.equal(movedWords([116, 276, 480], [116, 357]), "2 compactions instead of 3, after messages 116 and 357 instead of 116, 276 and 480");
  assert.equal(movedWords([9], [1, 2, 3, 4, 5]), "5 compactions instead of 1, the first after message 1");
  assert.equal(movedWords([], [3]), "1 compaction instead of 0, after message 3");
  assert.equal(movedWords([1, 2, 3, 4, 5], [3]), "1 compaction instead of 5, after message 3");
  assert.equal(movedWords([9], []), "0 compactions instead of 1");
  assert.equal(movedWords([], []), "");
});
