import assert from "node:assert/strict";
import { test } from "node:test";
import { limitToShow, limitsOf, roomOf, scaleOf, upTo } from "../../viewer/frontend/run/curve.js";
import { offered } from "../../viewer/frontend/live/chat.js";
import { reading } from "../../viewer/frontend/debugger/gauge.js";
import { liveCommandOf, LIVE_KEYS } from "../../viewer/frontend/live/keys.js";
import { commandOf } from "../../viewer/frontend/debugger/keys.js";
import { callWords, ending, hindrance, leadOf, mainOf, statusWords, still } from "../../viewer/frontend/live/statewords.js";
import { lasting } from "../../viewer/frontend/lib/format.js";
import { letterOf, wordOf } from "../../viewer/frontend/debugger/row.js";
import { windowSections } from "../../viewer/frontend/run/sections.js";
import { stride } from "../../viewer/frontend/live/follower.js";
import { ADDED } from "../../viewer/frontend/run/pool.js";
import { comesFirst } from "../../viewer/frontend/run/comesfirst.js";
import { FOLDED, NONE, POLICY, run } from "./packed.mjs";

const rows = (r, i) => windowSections(r, i).flatMap((one) => Array.from({ length: one.count }, (_, k) => one.row(k)));

test("what is pinned manually is pinned among what goes, is not counted there, and says who pinned it", () => {
  const plain = run({ tails: [0, 1, 1, 1, -2, 1, 1] });
  const held = run({ tails: [0, 1, 1, 1, -2, 1, 1], held: [1] });
  assert.deepEqual([plain.window(3).regionAt(1), held.window(3).regionAt(1)], ["compactable", "system"]);
  assert.deepEqual([plain.window(3).going(1, 3), held.window(3).going(1, 3)], [2, 1]);
  assert.deepEqual([plain.step(3).regions.compactable, held.step(3).regions.compactable, held.step(3).regions.system], [50, 30, 30]);
  const [row] = rows(held, 3).filter((one) => one.key === "m1");
  assert.deepEqual([letterOf(row), wordOf(row), row.held], ["P", "pinned manually", true]);
});

test("pinned manually at the end it is recent as well; a typed message that is spared is counted once", () => {
  const held = run({ held: [3] });
  assert.equal(held.window(3).regionAt(3), "recent");
  const both = run({ tails: [0, 1, 1, 1, -2, 1, 1], held: [1], spared: [0, 0, 0, 1, 0, 0, 0] });
  const { regions, tokens } = both.step(3);
  assert.deepEqual([regions.system, regions.recent, regions.compactable], [30, 40, 30]);
  assert.equal(
    Object.values(regions).reduce((a, b) => a + b),
    tokens,
  );
  assert.equal(both.window(3).going(1, 3), 1);
});

test("of a policy that clears, a pinned result stays whole and is not among those that go", () => {
  const clears = { ...POLICY, kind: "clear", limit: 92 };
  const changes = { heads: [0, 0], bodies: [0, 0], tails: [0, 0, 0, 4, 0, 0, 0], pins: { systems: false, emptied: [3] }, policy: clears };
  assert.equal(run(changes).window(3).going(0, 4), 1);
  assert.equal(
    run({ ...changes, held: [3] })
      .window(3)
      .going(0, 4),
    0,
  );
  assert.equal(run({ ...changes, held: [3] }).step(3).regions.compactable, 0);
});

const ERAS = [
  [0, 100, 100, "budget", "agentkit.memory"],
  [3, 60, 60, "budget", "agentkit.memory"],
  [5, 200, 200, "trigger", "pi.compaction"],
];
const changed = () => run({ eras: ERAS, policy: { ...POLICY, limit: 200, ceiling: 200, limitName: "trigger" }, live: true });

test("a limit that was changed on the way is a staircase, and each step is held against its own", () => {
  assert.deepEqual(
    limitsOf(changed()).map(({ from, to, limit }) => [from, to, limit]),
    [
      [0, 3, 100],
      [3, 5, 60],
      [5, 6, 200],
    ],
  );
  assert.deepEqual(
    limitsOf(run()).map(({ from, to, limit }) => [from, to, limit]),
    [[0, 6, 100]],
  );
  assert.deepEqual(
    [0, 2, 3, 6].map((i) => changed().policyAt(i).limit),
    [100, 100, 60, 200],
  );
  assert.deepEqual(
    [2, 3].map((i) => reading(changed(), changed().step(i)).total),
    ["= 60 of 100", "= 100 of 60"],
  );
  assert.match(changed().plan(2).text, /^40 below budget\./);
  assert.match(changed().plan(6).text, /^33 below trigger\. The next model call is sent this window unchanged\.$/);
  assert.match(changed().plan(5).text, /^93 below trigger\. No compaction has followed so far\.$/);
});

test("the axis makes room for the highest limit that lies near the curve", () => {
  assert.equal(limitToShow(changed(), 167), 200);
  assert.equal(
    limitToShow(
      run({
        eras: [
          [0, 9000, 9000],
          [2, 120, 120],
        ],
        policy: { ...POLICY, limit: 120 },
      }),
      100,
    ),
    120,
  );
  assert.equal(
    limitToShow(
      run({
        eras: [
          [0, 400, 400],
          [2, 120, 120],
        ],
        policy: { ...POLICY, limit: 120 },
      }),
      100,
    ),
    120,
    "one of before that is far above the peak",
  );
  assert.equal(limitToShow(run({ policy: { ...POLICY, limit: 9000 } }), 100), 9000);
  assert.equal(scaleOf({ peak: 100, limit: 4000, recorded: 0, upTo: upTo(changed()) }).limitShown, true);
  assert.deepEqual([roomOf(run()), roomOf(changed())], [7, 30]);
});

test("where a live run has not got any further, the plan says what comes next, not that nothing does", () => {
  const open = { c: NONE, heads: [1], bodies: [1], length: 6, tails: [0, 1, 1, 1, 1, 0], live: true };
  assert.equal(
    run(open).plan(5).text,
    "Over budget by 110. The next model call summarizes 3 messages, 90 → ~7 tokens, and keeps the 2 recent and 1 pinned.",
  );
  assert.equal(
    run({ ...open, policy: { ...POLICY, limit: 900 } }).plan(5).text,
    "690 below budget. The next model call is sent this window unchanged.",
  );
  assert.equal(run({ ...open, policy: { ...POLICY, limit: 900 } }).plan(4).text, "750 below budget. Nothing has been compacted so far.");
});

test("a window that is not sent as it is, is not said to be: a tool's result comes first, or a compaction", () => {
  const open = { c: NONE, heads: [1], bodies: [1], length: 6, tails: [0, 1, 1, 1, 1, 0], live: true };
  const roomy = { ...open, policy: { ...POLICY, limit: 900 } };
  const two = run({ ...roomy, awaited: ["read_file", "calculate"] });
  assert.equal(comesFirst(two), "2 tool results");
  assert.equal(two.plan(5).text, "690 below budget. 2 tool results come before the next model call.");
  assert.equal(two.plan(4).text, "750 below budget. Nothing has been compacted so far.");
  const full = run({ ...open, awaited: ["read_file"], due: true });
  assert.equal(comesFirst(full), "the result of read_file");
  assert.equal(full.plan(5).text, "Over budget by 110. The result of read_file comes first; then the next model call compacts.");
  assert.deepEqual(
    [run({ ...open, due: true }), run(roomy), undefined].map((one) => comesFirst(one)),
    ["the compaction", "", ""],
  );
});

const STATE = {
  status: "running",
  doing: "waiting for the model",
  why: "",
  calls: 11,
  all: 11,
  most: 40,
  drives: true,
  driven: true,
  next: null,
  last: null,
  totals: null,
  error: null,
};

test("the state is one line: what it does and for how long, why it pauses or has ended, what failed", () => {
  const statusText = (change, how) => Object.values(statusWords({ ...STATE, ...change }, how)).join("|");
  assert.equal(statusText({}, { seconds: 3.4 }), "Running|model call 12 of 40 · waiting for the model 3 s");
  const limited = { doing: "rate limited", next_try: { wait: 9, number: 2, of: 5 } };
  assert.equal(statusText(limited, { seconds: 1.2 }), "Running|model call 12 of 40 · Rate limited. Next try in 8 s (2 of 5)");
  assert.equal(statusText(limited, { seconds: 9.5 }), "Running|model call 12 of 40 · Rate limited. Trying again (2 of 5)");
  assert.equal(statusText({ doing: "tool: read_file" }, { seconds: 0.2 }), "Running|after model call 11 of 40 · runs read_file");
  assert.equal(statusText({ all: 32, doing: "" }), "Running|model call 33, 12 of 40 in this turn");
  assert.equal(statusText({ all: 32, doing: "tool: read_file" }), "Running|after model call 32, 11 of 40 in this turn · runs read_file");
  assert.equal(
    statusText({ status: "paused", why: "breakpoint: tokens 8,213 > 8,000", all: 1456 }),
    "Paused before model call 1,457|breakpoint: tokens 8,213 > 8,000",
  );
  assert.equal(
    statusText({ status: "paused", why: "breakpoint: the model calls calculate", tool: "calculate" }),
    "Paused before calculate runs|breakpoint: the model calls calculate",
  );
  assert.equal(
    statusText({ status: "paused", why: "breakpoint: before a compaction, hit 1", compaction: true }),
    "Paused before a compaction|breakpoint: before a compaction, hit 1",
  );
  assert.equal(statusText({ status: "running", calls: 3, most: 20, doing: "", to: "message 40" }), "Running|model call 12, 4 of 20 in this turn");
  assert.equal(statusText({ status: "stopped", why: "stopped manually" }), "Stopped|manually");
  assert.equal(statusText({ status: "ended", why: "answered" }), "Ended|the agent has answered");
  assert.equal(statusText({ status: "failed", error: { kind: "rate_limit" } }), "Failed|rate limit");
  assert.equal(statusText({ status: "ready" }, { empty: true }), "Ready|press Start to send the task");
  assert.equal(statusText({}, { lost: "the server does not answer" }), "No connection|the server does not answer");
  assert.equal(statusText({}, { lost: "this run is not held any more", refused: true }), "Not available|this run is not held any more");
  assert.deepEqual([0.9, 59.9, 65].map(lasting), ["", "59 s", "1 min 5 s"]);
});

test("the next call and the last are told in numbers, with the error of the estimate beside the provider's count", () => {
  const next = { messages: 24, tokens: 8213, tools_tokens: 410, counted: 8950 };
  const last = { estimate: 8000, counted: null, usage: { input_uncached: 402, cache_read: 8000, cache_write: 0, output: 210 }, error: -4.8 };
  const totals = { input_uncached: 9000, cache_read: 61000, cache_write: 400, output: 2100 };
  assert.equal(callWords({ ...STATE, next }, true, "o200k_base", "the compaction")[0], "before the compaction: 24 messages");
  assert.equal(callWords({ ...STATE, next }, true, "o200k_base", "", true)[0], "newest window: 24 messages");
  assert.equal(callWords({ ...STATE, next }, true, "o200k_base", "the compaction", true)[0], "newest window, before the compaction: 24 messages");
  const waits = { ...STATE, status: "paused", tool: "read_file", tool_arguments: '{"path": "a.json"}', next };
  assert.deepEqual(callWords(waits, true, "o200k_base", "the result of read_file").slice(0, 2), [
    'next tool call: read_file {"path": "a.json"}',
    "before its result: 24 messages",
  ]);
  assert.equal(callWords({ ...waits, status: "running" }, true, "o200k_base")[0], "would send 24 messages");
  assert.deepEqual(callWords({ ...STATE, next, last, totals }, true, "o200k_base"), [
    "would send 24 messages",
    "~8,213 tokens + ~410 for tools by o200k_base",
    "counted 8,950 (estimate −3.7 %)",
    "last call read 8,402 (8,000 cached), wrote 210 (estimate −4.8 %)",
    "total 70,400 in, 2,100 out",
  ]);
  assert.deepEqual(callWords({ ...STATE, totals: { ...totals, cost: 1.5 } }, true, "o200k_base"), [
    "total 70,400 in, 2,100 out, reported cost $1.50",
  ]);
  assert.deepEqual(callWords({ ...STATE, last: { ...last, counted: 8400 } }, true, "o200k_base"), [
    "last call counted 8,400, read 8,402 (8,000 cached), wrote 210 (estimate −4.8 %)",
  ]);
  assert.deepEqual(callWords({ ...STATE, last }, true, "o200k_base"), ["last call read 8,402 (8,000 cached), wrote 210 (estimate −4.8 %)"]);
  assert.deepEqual(callWords({ ...STATE, next: { ...next, tools_tokens: 0, counted: null, messages: 1 } }, false, "o200k_base"), [
    "would send 1 message",
    "8,213 tokens",
  ]);
  assert.deepEqual(
    callWords({ ...STATE, last, provider: "demo" }, true, "o200k_base"),
    ["last call read 8,402 (8,000 cached), wrote 210, by the demo agent's own count"],
    "a script has no provider to say how far off an estimate is",
  );
  const own = callWords({ ...STATE, next: { ...next, counted: null } }, false, "o200k_base"); // the model's own tokenizer
  assert.equal(own[1], "8,213 tokens + ~410 for tools by o200k_base");
  assert.deepEqual(callWords(null, false, "o200k_base"), []);
});

test("the main button does what comes next", () => {
  const does = (status, how = {}, more = {}) =>
    Object.values(mainOf({ ...STATE, status, ...more }, { empty: false, text: false, ...how }))
      .slice(0, 3)
      .join(" ");
  assert.equal(does("ready", { empty: true }), "Start play say");
  assert.equal(does("running"), "Pause pause pause");
  assert.equal(does("pausing").trim(), "Pausing… pause");
  assert.equal(does("paused"), "Continue play go");
  assert.equal(does("failed"), "Try again again retry");
  assert.equal(does("failed", {}, { error: { retry: true, orphans: [3] } }), "Continue play without"); // the same window would fail again
  assert.equal(does("ready", { empty: true, text: true }), "Start play say");
  for (const status of ["ready", "stopped", "ended"]) {
    assert.equal(does(status, {}, { more: true }), "Continue play go"); // "ended" by the most calls allowed: there is more to do
    assert.equal(does(status, { text: true }, { more: true }), "Send play say");
    assert.equal(does(status, {}, { more: false }), "Send play say");
  }
  assert.equal(mainOf(null, { empty: true, text: false }).does, "");
});

test("one button that drives is the next thing to do: another step where the run is stepped through, else the main one", () => {
  const leads = (status, more = {}) => leadOf({ ...STATE, status, stepping: false, why: "", ...more });
  for (const status of ["ready", "running", "pausing", "stopped", "ended", "failed"]) assert.equal(leads(status, { stepping: true }), "main");
  assert.equal(leads("paused", { why: "paused manually" }), "main");
  assert.equal(leads("paused", { why: "breakpoint: the window was compacted" }), "main");
  assert.equal(leads("paused", { why: "one step made" }), "step");
  assert.equal(leads("paused", { why: "one tool call made" }), "step");
  assert.equal(leads("paused", { stepping: true, why: "step mode" }), "step");
  assert.equal(leadOf(null), "main");
});

test("a tab that only follows gives no commands, and the window is changed by hand only while it stands still", () => {
  assert.equal(hindrance({ ...STATE, drives: false }, ""), "Another tab drives this run");
  assert.equal(hindrance({ ...STATE, drives: false, driven: false }, ""), "");
  assert.equal(hindrance(STATE, "gone"), "No connection to the server");
  assert.deepEqual(
    ["running", "pausing", "paused", "ready", "failed", "ended"].map((status) => still({ status })),
    [false, false, true, true, true, true],
  );
});

test("of what is being written the end is shown, in one line", () => {
  assert.equal(ending("one\n  two\tthree", 40), "one two three");
  assert.equal(ending("abcdefghij", 4), "…ghij");
});

test("a slash offers the commands that begin so, nothing else does", () => {
  assert.deepEqual(
    offered("/").map(([name]) => name),
    ["/compact", "/stop", "/reset"],
  );
  assert.deepEqual(
    offered("/c").map(([name]) => name),
    ["/compact"],
  );
  assert.deepEqual([offered("/compact now"), offered("a /c"), offered("")], [[], [], []]);
});

test("the keys of the Live page take none of the others away but F, which forks on both pages, and help shows each once", () => {
  const event = (key) => ({ key, composedPath: () => [] });
  const keys = ["c", ".", "s", "m", "b", "u", "e", "q", "Q", "h", "Delete"];
  for (const command of [liveCommandOf, commandOf]) assert.equal(typeof command(event("F")), "function");
  assert.deepEqual(
    keys.map((key) => typeof liveCommandOf(event(key))),
    keys.map(() => "function"),
  );
  assert.deepEqual(
    keys.map((key) => commandOf(event(key))),
    keys.map(() => undefined),
  );
  assert.deepEqual(LIVE_KEYS.flatMap(([names]) => names).sort(), [...keys, "Ctrl Z"].sort());
  assert.equal(liveCommandOf(event("n")), undefined);
  for (const held of [{ ctrlKey: true }, { metaKey: true }]) assert.equal(typeof liveCommandOf({ ...event("z"), ...held }), "function");
  for (const held of [{}, { ctrlKey: true, shiftKey: true }]) assert.equal(liveCommandOf({ ...event("z"), ...held }), undefined);
});

/** Walk to the end as the walker does; what was done, and how long it took in milliseconds. */
function walked(r, from) {
  const done = [];
  let [step, time] = [from, 0];
  while (step < r.length - 1) {
    const { steps, animate, rest } = stride(r, step, 1000 - time);
    step += steps;
    done.push(animate ? `!${step}` : step);
    time += rest;
  }
  return { done, time: Math.round(time) };
}

test("one message is gone to at once; a compaction is shown as it happens, from the step before it", () => {
  assert.deepEqual(walked(run(), 5).done, [6]);
  assert.deepEqual(walked(run({ length: 5, tails: [0, 1, 0, 1, -1] }), 2).done, [3, "!4"]);
  assert.deepEqual(walked(run(), 3).done, ["!4", 6]);
  assert.equal(stride(run({ length: 5, tails: [0, 1, 0, 1, -1] }), 3, -50).animate, true); // nothing waits behind it
  assert.equal(stride(run(), 3, 200).animate, false);
});

test("however much has come, no step is more than a second and an animation late", () => {
  const at = Array.from({ length: 40 }, () => 4);
  const each = (value) => at.map(() => value);
  const c = {
    ...FOLDED.c,
    at,
    before: each(1),
    after: each(1),
    folded: each(1),
    number: each(1),
    summaryTokens: each(1),
    removedTokens: each(1),
    status: each(1),
    recordedBefore: each(-1),
    recordedAfter: each(-1),
    micro: each(0),
    layout: at.map((_, k) => [0, 1, ADDED + k, ADDED + k + 1]),
    added: at.map(() => [[0, "summary", 1, "", -1]]),
  };
  const many = {
    length: 240,
    nextCompaction: (i) => (5 * (Math.floor(i / 5) + 1) < 240 ? 5 * (Math.floor(i / 5) + 1) : -1),
    compactions: 47,
    epochOf: (i) => Math.floor(i / 5),
    c,
  };
  const { done, time } = walked(many, 0);
  assert.ok(time <= 2800, `${time} ms`);
  assert.equal(String(done.at(-1)).replace("!", ""), "239");
});
