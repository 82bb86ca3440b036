import assert from "node:assert/strict";
import { test } from "node:test";
import { planBefore, planOf } from "../../viewer/frontend/run/planning.js";
import { FOLDED, POLICY, run } from "./packed.mjs";

const planText = (changes, i, header) => run({ policy: { ...POLICY, ...changes } }, header).plan(i).text;

test("over the limit before a call: what it summarizes, exactly as it will", () => {
  const plan = run({ policy: { ...POLICY, limit: 92 } }).plan(3);
  assert.deepEqual([plan.over, plan.by, plan.fires, plan.tone], [true, 8, true, "warn"]);
  assert.equal(plan.text, "Over budget by 8. The next model call summarizes 1 message, 20 → 7 tokens, and keeps the 2 recent and 1 pinned.");
});

test("while a compaction is taken apart, the plan is that of the window it replaces, and says so", () => {
  const plan = planBefore(run({ policy: { ...POLICY, limit: 92 } }), 3);
  assert.equal(plan.lead, "Before the compaction: over budget by 8.");
  assert.match(plan.text, /by 8\. The next model call summarizes 1 message/);
});

test("while its story is told, the plan says what goes and why, and not yet what comes of it", () => {
  const made = run({ policy: { ...POLICY, limit: 92 } });
  const rest = "The next model call summarizes 1 message, 20 tokens, and keeps the 2 recent and 1 pinned.";
  assert.equal(planOf(made, 3, false).text, `Over budget by 8. ${rest}`);
  assert.equal(planBefore(made, 3, false).text, `Before the compaction: over budget by 8. ${rest}`);
});

test("what a person removes is no compaction of the policy: the plan says so before it, and how far it is", () => {
  const made = run({ c: { ...FOLDED.c, number: [-1], summaryTokens: [0], added: [[]], layout: [[0, 1, 3, 4]], edit: [true] } });
  assert.equal(planOf(made, 3).text, "Before edit 1. The next step removes 2 messages, 50 tokens, by hand and keeps 2.");
  assert.equal(planBefore(made, 3, false).text, planOf(made, 3).text);
  assert.match(planOf(made, 1).text, /Edit 1 is 3 steps away\.$/);
});

test("estimated numbers carry a tilde", () => {
  assert.match(planText({ limit: 92 }, 3, { approximate: true }), /by ~8\. .* ~20 → ~7 tokens/);
});

test("below the limit: how much room, and how far the next compaction is", () => {
  assert.equal(planText({}, 1), "70 below budget. The next compaction is 3 steps away.");
  assert.equal(planText({ limit: 30 }, 1), "Exactly at budget. The next compaction is 3 steps away.");
  assert.equal(planText({}, 4), "43 below budget. No compaction follows.");
});

test("over the limit where no model call follows", () => {
  assert.equal(planText({}, 6), "Over budget by 67. The transcript ends before the next model call.");
});

test("at a compaction the policy has just looked: the same call is not the next one", () => {
  assert.equal(planText({ limit: 50 }, 4), "Over budget by 7. The transcript ends before the next model call.");
});

test("over the limit with everything pinned", () => {
  const r = run({ policy: { ...POLICY, limit: 5 } });
  assert.equal(r.plan(0).text, "Over budget by 5. Everything is pinned: nothing can be summarized.");
});

/** The same messages with no compaction. */
const QUIET = { length: 6, heads: [1], bodies: [1], c: Object.fromEntries(Object.keys(FOLDED.c).map((name) => [name, []])) };

test("a policy that acts at turns names the turn", () => {
  const cuts = { tails: [0, 1, 1, 0, -1, 1, 1] };
  const at2 = (phase, c = QUIET) => run({ policy: { ...POLICY, limit: 30, phase }, ...cuts, ...c }).plan(2).text;
  assert.match(at2("turn_start"), /The next turn would summarize 1 message/);
  assert.match(at2("turn_end"), /The end of the turn would summarize 1 message/);
  assert.match(at2("turn_begun"), /The transcript ends before the first model call of the next turn/);
  assert.match(at2("after_tools", {}), /The next model call after tool results summarizes 1 message/);
  assert.match(at2("on_write"), /The next history write would summarize 1 message/);
});

test("where a stage has a moment of its own and acts at the next step, the plan says so", () => {
  assert.match(planText({ limit: 92, phase: "turn_start" }, 3), /The next step summarizes 1 message/);
});

test("a policy that asks for nothing acts every time it looks", () => {
  assert.equal(planText({ limit: null, when: "always" }, 1), "Acts before every model call. The next compaction is 3 steps away.");
});

test("a policy without a limit acts when asked", () => {
  assert.equal(
    planText({ limit: null, phase: "manual" }, 3),
    "Manual trigger only. Triggered now, it would summarize 1 message, 20 → 7 tokens, and keep the 2 recent and 1 pinned.",
  );
});

test("a policy that keeps no recent message says which ones stay, and a summary of unknown size is one", () => {
  const none = {
    policy: { ...POLICY, limit: null, phase: "manual" },
    typicalSummary: -1,
    tails: [1, 1, 1, 1, 0, 1, 1],
    heads: [1, 1],
    bodies: [1, 1],
  };
  assert.equal(
    run(none).plan(2).text,
    "Manual trigger only. Triggered now, it would summarize 2 messages, 50 tokens → a summary, and keep the system message.",
  );
});

test("a replay says what was recorded next", () => {
  const replay = (changes = {}) => run({ kind: "replay", policy: null, ...changes });
  assert.equal(replay().plan(1).text, "As recorded. The next compaction is 3 steps away; as it turns out, it removes 1 of these 2 messages.");
  assert.equal(replay().plan(5).text, "As recorded. No compaction follows.");
  const known = { ...run().view.c, at: [4], recordedBefore: [61930], recordedAfter: [9000] };
  assert.equal(
    replay({ c: known }).plan(3).text,
    "As recorded. The next compaction is 1 step away, recorded: 61,930 → 9,000 tokens; as it turns out, it removes 2 of these 4 messages.",
  );
  const between = replay({ c: known });
  between.store.header.recorded = { at: [4], left: [47], prompts: { at: [3, 4], tokens: [61930, 9000] } };
  assert.match(between.plan(3).text, /recorded: prompt 61,930 → 9,000 tokens;/, "what came since the prompt is in the window, too");
  const found = replay({ c: { ...known, fidelity: ["inferred"] } }).plan(3).text;
  assert.match(found, /; later prompts may leave out 2 of these 4 messages\.$/, "no surer than the heading of what it removes");
  const twice = replay({
    length: 8,
    c: Object.fromEntries(Object.entries(known).map(([name, of]) => [name, name === "at" ? [3, 6] : [...of, ...of]])),
  });
  assert.doesNotMatch(twice.plan(3).text, /hindsight/, "where a compaction has just been, what the next one takes is hardly there");
  assert.equal(planBefore(replay({ c: known }), 3).text, "The window that the compaction found. Recorded: 61,930 → 9,000 tokens.");
  assert.equal(planBefore(replay({ c: known }), 3, false).text, "The window that the compaction found.", "not before its story has told it");
  assert.doesNotMatch(planOf(replay({ c: known }), 3, false).text, /→/);
  const denied = replay({ c: known });
  denied.store.header.recorded = { prompts: { at: [0, 4], tokens: [61930, 62400] } };
  assert.equal(planBefore(denied, 3).text, "The window that the compaction found. The prompts around it held 61,930 and 62,400 tokens.");
  assert.match(denied.plan(3).text, /1 step away; the prompts around it held 61,930 and 62,400 tokens; as it turns out/);
  assert.match(replay({ c: { ...known, micro: [1] } }).plan(3).text, /The next microcompaction is 1 step away/);
});

test("typed messages that are spared are kept, and their tokens do not go", () => {
  const spares = { spared: [0, 0, 0, 0, 0, 0, 0], tails: [0, 1, 0, 2, -2, 1, 1] };
  const plan = run({ policy: { ...POLICY, limit: 92 }, ...spares }).plan(3);
  assert.deepEqual([plan.count, plan.before, plan.keeps, plan.pinned], [1, 30, 2, 1]);
  assert.match(plan.text, /summarizes 1 message, 30 → 7 tokens, and keeps the 2 recent and 1 pinned/);
});

test("where the end goes into the summary's message as text, it is not kept, and the plan says how many become text", () => {
  const text = planText({ limit: 92, tailAsText: true }, 3);
  assert.match(text, /summarizes 3 messages, 2 of them as text, 90 → 7 tokens, and keeps the system message\.$/);
});

test("an earlier summary that is replaced is among what goes, and named", () => {
  const replaced = { heads: [1, 1], bodies: [1, 2], tails: [0, 1, 0, 1, 1, 0, 0] };
  const plan = run({ policy: { ...POLICY, limit: 50, phase: "turn_end" }, ...replaced }).plan(4);
  assert.deepEqual([plan.count, plan.before], [1, 47]);
  assert.match(plan.text, /summarize 1 message and the earlier summary, 47 → ~7 tokens/);
});

test("of a view that has just been made, the whole history over the limit, the plan says calmly that nothing new is removed", () => {
  const policy = { ...POLICY, limit: 20, counts: "history", kind: "clear", effect: "view", limitName: "trigger" };
  const c = { ...FOLDED.c, at: [2], layout: [[0, 2]], added: [[]], number: [-1], summaryTokens: [0], emptied: [0] };
  const plan = run({ policy, c, pins: { systems: false, emptied: [3] }, tails: [0, 0, 0, 0, 0, 0, 0] }).plan(2);
  assert.equal(
    plan.text,
    "The whole history is over trigger by 10. The next model call is sent this window: nothing new is removed. No compaction follows.",
  );
  assert.deepEqual([plan.over, plan.tone], [true, "calm"]);
});

test("where nothing is ever compacted the plan says why, as far as it is known", () => {
  const quiet = (policy) => run({ ...QUIET, tails: [0, 1, 0, 1, 1, 1], policy: { ...POLICY, ...policy } }).plan(0).text;
  assert.match(quiet({ limit: 500 }), /Nothing is compacted in this run: the whole run counts 210\.$/);
  assert.match(quiet({ limit: null, when: "minutes since the last reply > 60" }), /Nothing is compacted in this run: no pause is that long\.$/);
  assert.match(quiet({ limit: null, when: "always", kind: "clear" }), /this run: what could be cleared is too small or too recent\.$/);
});

test("where a pause moves the policy, the plan says the policy's own sentence; else when it acts", () => {
  const told = (policy, i = 0) => run({ ...QUIET, tails: [0, 1, 0, 1, 1, 1], policy: { ...POLICY, limit: 500, ...policy } }).plan(i);
  const when = "minutes since the last reply > 60 (microcompact), then tokens ≥ 101,591";
  const acts = "Compacts at 101,591 tokens; clears old tool results after a pause of over 60 min.";
  assert.equal(told({ when, acts }).lead, acts);
  assert.equal(told({ when, acts: "" }).lead, `Acts when ${when}.`);
  assert.match(told({ limit: 25, when, acts }, 2).text, /^Over budget by 35\. Compacts at 101,591 tokens; clears old tool results after a pause/);
});

test("where a compaction comes at a moment of its own before the next look, nothing is said to have been left undone", () => {
  assert.equal(planText({ limit: 25, phase: "turn_end" }, 2), "Over budget by 35. The policy's next look that compacts is 2 steps away.");
});

test("the size of the summary is that of the compaction which comes at the next look, not a usual one", () => {
  const plan = run({ policy: { ...POLICY, limit: 50 }, tails: [0, 1, 1, 0, -1, 1, 1], typicalSummary: 900 }).plan(2);
  assert.deepEqual([plan.fires, plan.after], [true, 7]);
});
