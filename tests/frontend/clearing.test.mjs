import assert from "node:assert/strict";
import { test } from "node:test";
import { reading } from "../../viewer/frontend/debugger/gauge.js";
import { phaseSections } from "../../viewer/frontend/debugger/phasewindow.js";
import { aboveWords } from "../../viewer/frontend/run/above.js";
import { Layout } from "../../viewer/frontend/run/layout.js";
import { lineOf } from "../../viewer/frontend/run/cardline.js";
import { remarks, why } from "../../viewer/frontend/run/cardwords.js";
import { deeds, effect, places } from "../../viewer/frontend/run/effect.js";
import { figures } from "../../viewer/frontend/run/compactionfigures.js";
import { phases } from "../../viewer/frontend/run/phasefigures.js";
import { described, tally } from "../../viewer/frontend/debugger/find.js";
import { merged } from "../../viewer/frontend/run/curve.js";
import { pathOf } from "../../viewer/frontend/message/body.js";
import { failureOf } from "../../viewer/frontend/run/planning.js";
import { ADDED, SPACE } from "../../viewer/frontend/run/pool.js";
import { letterOf, wordOf } from "../../viewer/frontend/debugger/row.js";
import { poolOf, whereabouts, windowSections } from "../../viewer/frontend/run/sections.js";
import { CLEARED, FOLDED, POLICY, run } from "./packed.mjs";

/** The six messages, message 3 of them emptied. */
const clearing = (changes = {}, policy = {}) => run({ ...CLEARED, c: { ...CLEARED.c, ...changes }, policy: { ...CLEARED.policy, ...policy } });

/** And under one that drops messages 1 and 2, with nothing in their place. */
const dropping = () =>
  run({
    c: { ...FOLDED.c, number: [-1], summaryTokens: [0], after: [50], layout: [[0, 1, 3, 4]], added: [[]] },
    tails: [0, 1, 0, 2, -2, 1, 1],
    policy: { ...CLEARED.policy, kind: "drop" },
  });

const rows = (r, i) => windowSections(r, i).flatMap((one) => Array.from({ length: one.count }, (_, k) => one.row(k)));

test("an emptied message stays in its row, under its key, with what is left of its tokens", () => {
  const r = clearing();
  assert.deepEqual(
    rows(r, 4).map((row) => [row.key, row.pool, row.region, row.tokens]),
    [
      ["m0", 0, "system", 10],
      ["m1", 1, "system", 20],
      ["m2", 2, "system", 30],
      ["m3", 3, "cleared", 8],
    ],
  );
  assert.equal(poolOf(r, "m3"), 3);
  assert.deepEqual(whereabouts(r, 4, 3), { state: "cleared", index: 3, compaction: 0 });
  assert.equal(r.step(4).tokens, 68);
});

test("what stays for what it is says pinned, a system message that it is one, a spared message why it stays", () => {
  const [system, user, , tool] = rows(clearing(), 4);
  assert.deepEqual([wordOf(system), letterOf(system)], ["pinned: system", "S"]);
  assert.deepEqual([wordOf(user), letterOf(user)], ["pinned", "P"]);
  assert.deepEqual([wordOf(tool), letterOf(tool)], ["cleared: content removed", "∅"]);
  assert.equal(wordOf({ ...tool, short: true }), "cleared: shortened to its ends");
  assert.equal(wordOf({ region: "recent", role: "user", spared: true }), "user message: kept");
});

test("what a further pass may take is not called pinned; leading system messages and what a person pinned are", () => {
  const folded = (changes, held = []) => run({ policy: { ...POLICY, ...changes }, held });
  const words = (r) => rows(r, 3).map(wordOf);
  assert.deepEqual(words(folded({})), ["pinned: system", "compactable", "recent: kept", "recent: kept"]);
  assert.deepEqual(words(folded({ mayTakeMore: true })), ["pinned: system", "compactable", "recent: may stay", "recent: may stay"]);
  assert.equal(windowSections(folded({ mayTakeMore: true }), 3).at(-1).title, "Recent: may stay, 2 messages");
  assert.equal(windowSections(folded({ tailAsText: true }), 3).at(-1).title, "Recent: next converted to text, 2 messages");
  assert.deepEqual(words(folded({ tailAsText: true })).slice(2), ["recent: next converted to text", "recent: next converted to text"]);
  assert.equal(words(folded({ mayTakeMore: true }, [3])).at(-1), "pinned manually; also recent");
  assert.equal(wordOf({ region: "system", role: "system", stays: "may stay" }), "may stay"); // one that does not lead
});

test("what a person pinned between those that go stands under a heading of its own, and the legend counts it as pinned", () => {
  const headings = (held) => windowSections(run({ policy: POLICY, held, tails: [0, 1, 2, 3, 0, 1, 1] }), 3).slice(1);
  const named = (held) => headings(held).map(({ title, note }) => [title, note]);
  const [goes, pinned] = ["Compactable: first to be summarized", "Pinned: not to be summarized"];
  assert.deepEqual(named([2]), [
    [goes, "1 message"],
    [pinned, "1 message"],
    [goes, "1 message"],
  ]);
  assert.deepEqual(named([1, 2]), [
    [pinned, "2 messages"],
    [goes, "1 message"],
  ]);
  const parts = headings([2]);
  assert.equal(new Set(parts.map(({ id }) => id)).size, 3, "each is drawn");
  assert.deepEqual(
    [1, 2, 3].map((pool) => parts.findIndex((part) => part.find(pool) === 0)),
    [0, 1, 2],
  );
  const layout = new Layout(parts);
  assert.equal(aboveWords(layout, 0, layout.height), "1 compactable · 1 message · 1 compactable");
  const held = run({ policy: POLICY, held: [2], tails: [0, 1, 2, 3, 0, 1, 1] });
  assert.equal(reading(held, held.step(3)).parts[0].name, "pinned");
  assert.equal(reading(run(), run().step(3)).parts[0].name, "system");
});

test("messages that all are pinned stand under a heading that says so", () => {
  const [, part] = windowSections(run({ policy: POLICY, held: [1, 2, 3], tails: [0, 1, 2, 3, 0, 1, 1] }), 3);
  assert.deepEqual([part.title, part.count], ["Pinned: not to be summarized", 3]);
});

test("a section says what would happen to how many, or that nothing is left for it", () => {
  const headings = (i) => windowSections(clearing(), i).map(({ title, note }) => [title, note]);
  assert.deepEqual(headings(3), [["Of these, C is first to be cleared", "1 result of 4 messages"]]);
  const layout = new Layout(windowSections(clearing(), 3));
  assert.equal(aboveWords(layout, 0, layout.height), "4 messages", "not all of them are compactable");
  const staged = clearing({}, { when: "messages > 3 (digest), then tokens > 92" });
  assert.equal(windowSections(staged, 3)[0].title, "Of these, C is to be cleared in the last stage");
  assert.deepEqual(headings(4), [["Nothing new to be cleared", "1 of 4 messages cleared"]]);
});

test("what a compaction did is told by where messages come from: emptied is not taken, put in or kept", () => {
  const { taken, emptied, kept, added } = effect(clearing(), 0);
  assert.deepEqual([taken, emptied, kept, added], [[], [[3, 4]], [[0, 3]], []]);
  assert.deepEqual(deeds(clearing(), 0), ["clear"]);
  const folded = effect(run(), 0);
  assert.deepEqual(
    [folded.taken, folded.emptied, folded.kept, folded.added],
    [
      [[1, 3]],
      [],
      [
        [0, 1],
        [3, 4],
      ],
      [[ADDED, ADDED + 1]],
    ],
  );
});

test("a copy that a compaction put in stands for the message it is a copy of", () => {
  const r = clearing({ layout: [[0, 3, ADDED, ADDED + 1]], added: [[[3, "cleared", 8, "[cleared]", 3]]] });
  assert.deepEqual(effect(r, 0).emptied, [[3, 4]]);
  assert.deepEqual(
    rows(r, 4).map((row) => row.key),
    ["m0", "m1", "m2", "m3"],
  );
  assert.equal(whereabouts(r, 4, 3).state, "cleared");
});

test("the phases of clearing, of dropping and of both have their own words and numbers", () => {
  const phaseTexts = (r) => phases(r, 0).map(({ name, figure }) => `${name}: ${figure}`);
  assert.deepEqual(phaseTexts(clearing()), ["trigger: 100 > 92", "partition: 1 of 4 cleared", "clear: 40 → 8", "splice: 4 messages"]);
  assert.deepEqual(phaseTexts(dropping()), [
    "trigger: 100 > 92",
    "partition: 1 pinned · 2 dropped · 1 recent",
    "drop: 50 removed",
    "splice: 2 messages",
  ]);
  assert.equal(phaseTexts(clearing({}, { limit: 99, ceiling: 100 }))[0], "trigger: 100 ≥ 100");
  const both = clearing({
    layout: [[0, 1, ADDED, ADDED + 1, SPACE + 3, SPACE + 4]],
    added: [[[0, "summary", 7, "so far", -1]]],
    number: [1],
    after: [25],
  });
  assert.deepEqual(phaseTexts(both).slice(1, 3), ["partition: 1 pinned · 2 summarized · 1 recent", "clear, summarize: 75 freed"]);
});

test("rows that are emptied are marked where they stand, then shown as they are left", () => {
  const marked = (phase) =>
    phaseSections(clearing(), clearing().steps[0], 0, phase).flatMap((one) => Array.from({ length: one.count }, (_, k) => one.row(k)));
  assert.deepEqual(
    marked(2).map((row) => Boolean(row.emptying)),
    [false, false, false, true],
  );
  assert.deepEqual(
    marked(3).map((row) => [Boolean(row.fresh), row.tokens]),
    [
      [false, 10],
      [false, 20],
      [false, 30],
      [true, 8],
    ],
  );
});

/** The line of the card of a run's first compaction. */
const line = (r) => Object.values(lineOf(r, 0, figures(r, 0))).join("");

test("the card says what was emptied, shortened or dropped, which tiers acted and what was never read", () => {
  assert.equal(line(clearing()), "1 result cleared in place, 40 tokens → 8; 3 messages stay");
  assert.equal(line(dropping()), "2 messages, 50 tokens dropped, no summary; 1 pinned and 1 recent stay");
  const said = remarks({ effect: "view" }, { ...figures(run(), 0), deeds: ["opaque"] }, { tiers: ["clear tool results", "summarise"], unread: 1 });
  assert.deepEqual(said, [
    "Stages: clear tool results, then summarise.",
    "The summarizer was given 1 of 2 messages.",
    "An opaque item: its content is unknown, its size assumed.",
    "Recomputed before each model call; the stored history is unchanged.",
  ]);
});

test("why it acted: the number as the policy puts it; the reason itself where more than tokens count", () => {
  assert.equal(why({ limit: 99, ceiling: 100, limitName: "trigger", counts: "history" }, null), "The whole history had reached trigger (100).");
  const policy = { limit: null, when: "messages > 40" };
  assert.equal(why(policy, null), "Acts when messages > 40.");
  assert.equal(why(policy, { reason: "41 messages > 40" }), "41 messages > 40.");
});

test("the plan of a policy that clears, and of one that no number of tokens moves", () => {
  assert.equal(clearing().plan(3).text, "Over trigger by 8. The next model call clears 1 result, 40 → 8 tokens, and leaves 3 unchanged.");
  assert.equal(dropping().plan(3).text, "Over trigger by 8. The next model call drops 2 messages, 50 tokens, and keeps 1 recent and 1 pinned.");
  const counts = { limit: null, ceiling: null, when: "messages > 3" };
  assert.equal(clearing({}, counts).plan(1).text, "Acts when messages > 3. The next compaction is 3 steps away.");
  assert.match(clearing({}, counts).plan(3).text, /^Acts when messages > 3\. The next model call clears 1 result/);
});

test("where a pass came to nothing the plan says so, and it can be gone to", () => {
  const r = run({
    statuses: ["compacted", "failed"],
    failed: { at: [3], status: [1], reason: ["110 tokens > 100, but the summarizer failed: boom"] },
  });
  assert.deepEqual(failureOf(r, 0), { what: "Summarizing failed here", why: "boom", refused: false });
  assert.equal(r.plan(2).text, "Summarizing failed here. Boom; the window was left unchanged.");
  const often = run({ statuses: ["compacted", "failed"], failed: { at: [3], status: [1], reason: ["boom"], times: [43] } });
  assert.equal(failureOf(often, 0).what, "Summarizing failed here, the first of 43 times in a row");
  assert.deepEqual([r.failedAt(2), r.failedAt(3), r.nextFailed(0), r.nextFailed(2), r.previousFailed(5)], [0, -1, 0, -1, 0]);
});

test("what is left of an emptied message is asked for by stage and place", () => {
  assert.equal(pathOf(clearing(), SPACE + 3), "api/shadow/t/0/3");
});

test("marks nearer than three pixels are one, a crowd of them a row of marks", () => {
  assert.equal(merged(Array.from({ length: 9000 }, (_, k) => k / 9)).length, 334);
  assert.deepEqual(merged([1, 2, 4, 9, 12, 14.5]), [
    { first: 0, last: 1 },
    { first: 2, last: 2 },
    { first: 3, last: 3 },
    { first: 4, last: 5 },
  ]);
});

test("a summary put in right behind an earlier one is found, though both lie in one range of the pool", () => {
  const stacked = {
    after: [
      [0, 1],
      [ADDED, ADDED + 2],
      [4, 5],
    ],
    added: [[ADDED + 1, ADDED + 2]],
  };
  assert.deepEqual(places(stacked), [{ from: 0, pool: ADDED + 1 }]);
});

test("each text in its group's place stands behind the last message of the session in front of it", () => {
  const texts = {
    after: [
      [0, 2],
      [ADDED, ADDED + 2],
      [5, 6],
      [ADDED + 2, ADDED + 4],
    ],
    added: [
      [ADDED + 1, ADDED + 2],
      [ADDED + 3, ADDED + 4],
    ],
  };
  assert.deepEqual(places(texts), [
    { from: 1, pool: ADDED + 1 },
    { from: 5, pool: ADDED + 3 },
  ]);
  assert.deepEqual(places({ after: [[0, 2]], added: [] }), []);
});

/** Under a policy that leaves out thinking alone: of message 2, 30 tokens to 12. */
const thoughtless = () => {
  const c = {
    ...FOLDED.c,
    after: [82],
    folded: [0],
    number: [-1],
    summaryTokens: [0],
    removedTokens: [0],
    added: [[]],
    layout: [[SPACE, SPACE + 4]],
    tiers: [],
    emptied: [1],
  };
  const cuts = { heads: [0, 0], bodies: [0, 0], tails: [0, 0, 0, 4, 0, 0, 0] };
  const shadows = [{ places: [2], tokens: [12], short: 0, thinking: 1 }];
  return run({ ...cuts, c, pins: { systems: false, emptied: [2] }, shadows, policy: CLEARED.policy });
};

test("a reply whose thinking is left out is not said to be cleared, nor struck out", () => {
  const r = thoughtless();
  const row = rows(r, 4)[2];
  assert.deepEqual([row.key, row.tokens, row.thinking, wordOf(row)], ["m2", 12, true, "thinking removed"]);
  assert.match(line(r), /^Thinking removed from 1 reply, 30 tokens → 12; /);
  assert.match(r.plan(3).text, /removes the thinking from 1 reply, 30 → 12 tokens; their text stays\.$/);
  assert.equal(windowSections(r, 3)[0].title, "Of these, C is first to be sent without thinking");
});

test("found in a body that is emptied is not seen by the model; without its thinking a reply is", () => {
  assert.deepEqual(tally(clearing(), 4, [1, 3, 5]), { present: 1, emptied: 1, gone: 0, later: 1 });
  assert.equal(described(clearing(), 4, 3), "in the window, cleared by compaction 1");
  assert.deepEqual(tally(thoughtless(), 4, [2]), { present: 1, emptied: 0, gone: 0, later: 0 });
  assert.equal(described(thoughtless(), 4, 2), "in the window, thinking removed by compaction 1");
});
