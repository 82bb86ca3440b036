// The picture of a window before and after a compaction: what its columns hold, where its rectangles and labels lie, what it says.
import assert from "node:assert/strict";
import { test } from "node:test";
import { ADDED } from "../../viewer/frontend/run/pool.js";
import { bandPath, bands, labelled, LINE, REST, scaleOf, stacked } from "../../viewer/frontend/run/scalelayout.js";
import { columnsOf } from "../../viewer/frontend/run/scaleparts.js";
import { lostAt, nothingWords } from "../../viewer/frontend/run/scalelosses.js";
import { flowWords, grownWords, nameOf, partWords, restWords, sumOf, tokensOf, totalOf } from "../../viewer/frontend/run/scalewords.js";
import { largest } from "../../viewer/frontend/run/tally.js";
import { CLEARED, FOLDED, run } from "./packed.mjs";
import { smallRun } from "./small_run.mjs";

const said = (parts) => parts.map(({ id, region, tokens, count, first }) => [id, region, tokens, count, first]);

test("a window before and after is told by what became of its messages and what they were", () => {
  const { before, after, flows } = columnsOf(run(), 0);
  assert.deepEqual(said(before), [
    ["kept/system", "system", 10, 1, 0],
    ["gone/user", "compactable", 20, 1, 1],
    ["gone/calls", "compactable", 30, 1, 2],
    ["kept/recent", "recent", 40, 1, 3],
  ]);
  assert.deepEqual(said(after), [
    ["kept/system", "system", 10, 1, 0],
    ["made/summary", "summary", 7, 1, ADDED],
    ["kept/recent", "recent", 40, 1, 3],
  ]);
  assert.deepEqual(flows, [
    { from: ["gone/user", "gone/calls"], to: ["made/summary"] },
    { from: ["kept/system"], to: ["kept/system"], tokens: 10 },
    { from: ["kept/recent"], to: ["kept/recent"], tokens: 40 },
  ]);
});

test("what is emptied where it stands is one part before and what is left of it after", () => {
  const { before, after, flows } = columnsOf(run(CLEARED), 0);
  assert.deepEqual(
    said(before).filter(([id]) => id.startsWith("emptied")),
    [["emptied/results: a tool", "compactable", 40, 1, 3]],
  );
  assert.deepEqual(
    said(after).filter(([id]) => id.startsWith("emptied")),
    [["emptied/", "cleared", 8, 1, 3]],
  );
  assert.deepEqual(flows[0], { from: ["emptied/results: a tool"], to: ["emptied/"] });
});

test("what is dropped becomes nothing, and what an agent puts back comes of nothing that went", () => {
  const c = { ...FOLDED.c, after: [50], layout: [[0, 1, 3, 4]], added: [[]], summaryTokens: [0] };
  const dropped = columnsOf(run({ c }), 0);
  assert.deepEqual(dropped.flows[0], { from: ["gone/user", "gone/calls"], to: [] });
  assert.equal(flowWords(run({ c }), 0, dropped, dropped.flows[0]), "50 dropped");
  const [summary] = FOLDED.c.added[0];
  const back = { ...FOLDED.c, after: [62], layout: [[0, 1, ADDED, ADDED + 2, 3, 4]], added: [[summary, [1, "file", 5, "a.py", -1]]] };
  const found = columnsOf(run({ c: back }), 0);
  assert.deepEqual(said(found.after).slice(1, 3), [
    ["made/summary", "summary", 7, 1, ADDED],
    ["made/put back", "recent", 5, 1, ADDED + 1],
  ]);
  assert.deepEqual(found.flows[0].to, ["made/summary"]);
});

test("there is no picture where a file begins with a compaction, or nothing in it tells what changed", () => {
  const replay = { kind: "replay", policy: null };
  const unnamed = { ...FOLDED.c, folded: [0], after: [100], layout: [[0, 4]], added: [[]], removedTokens: [0] };
  assert.equal(columnsOf(run({ ...replay, c: unnamed }), 0), null);
  const begins = { ...FOLDED.c, at: [0], before: [0], folded: [0], layout: [[ADDED, ADDED + 1]] };
  assert.equal(columnsOf(run({ ...replay, c: begins }), 0), null);
});

test("what was sent and is not in the file stands last in both columns, with a ~ of its own", () => {
  const recorded = { at: [4], before: [-1], after: [-1], left: [57], prompts: { at: [2, 5], tokens: [90, 207] }, error: null };
  const found = run({ kind: "replay", policy: null }, { recorded });
  const { before, after } = columnsOf(found, 0);
  assert.deepEqual([before.at(-1).id, before.at(-1).tokens], ["hidden/", 60]);
  assert.deepEqual([after.at(-1).id, after.at(-1).tokens], ["hidden/", 100]);
  assert.equal(tokensOf(found, 0, "after", after.at(-1)), "~100");
  assert.equal(totalOf(found, 0, "before", before), "~160 in the window");
  assert.equal(sumOf(found, 0, "before", before), "100 in this file + ~60 not in it");
  assert.equal(sumOf(found, 0, "before", before.slice(0, -1)), "");
  assert.equal(partWords(found, 0, "after", after.at(-1)), "Not in this file: ~100 tokens: tools, what the agent added");
});

test("where a prompt left something out, what is in the file is the most that was sent, and what is not the least", () => {
  const prompts = { at: [1, 2, 5], tokens: [100, 90, 207] };
  const recorded = { at: [4], before: [-1], after: [-1], left: [57], prompts, leftOut: [[2, 4, 90]], error: null };
  const found = run({ kind: "replay", policy: null }, { format: "codex", recorded });
  const { before, after } = columnsOf(found, 0);
  assert.equal(tokensOf(found, 0, "before", before.at(-1)), "≥ ~60", "with the lower number the sums add up");
  assert.match(partWords(found, 0, "before", before.at(-1)), /^Not in this file: ~60–90 tokens/);
  assert.equal(sumOf(found, 0, "before", before), "at most 100 in this file + at least ~60 not in it");
  assert.equal(sumOf(found, 0, "before", before, true), "100 + ~60", "in few letters");
  assert.equal(sumOf(found, 0, "after", after), "57 in this file + ~100 not in it", "a compaction makes it known again");
  assert.equal(
    grownWords(found, { before, after, flows: [] }),
    "The last prompt before the compaction held ~60–90 tokens that are not in this file, and the next one ~100. The file does not say what that is.",
  );
});

test("with what is not in the file a column comes to the size on record, where that is the window's", () => {
  const recorded = { at: [4], before: [162], after: [157], left: [57], prompts: { at: [2, 5], tokens: [90, 207] }, error: null };
  const c = { ...FOLDED.c, recordedBefore: [162], recordedAfter: [157] };
  const found = run({ kind: "replay", policy: null, c }, { recorded });
  const { before, after } = columnsOf(found, 0);
  assert.equal(totalOf(found, 0, "before", before), "162 by the agent's count");
  assert.equal(sumOf(found, 0, "before", before), "100 in this file + ~62 not in it");
  assert.equal(totalOf(found, 0, "after", after), "157 sent");
});

test("where messages came between a prompt and the compaction, it is said how the window differs from that prompt", () => {
  const recorded = { at: [4], before: [190], after: [207], left: [57], prompts: { at: [2, 5], tokens: [190, 207] }, error: null };
  const c = { ...FOLDED.c, recordedBefore: [190], recordedAfter: [207] };
  const found = run({ kind: "replay", policy: null, c }, { recorded });
  const { before, after } = columnsOf(found, 0);
  assert.equal(totalOf(found, 0, "before", before), "~260 in the window");
  assert.equal(sumOf(found, 0, "before", before), "190 sent + ~70 that came since");
  assert.equal(sumOf(found, 0, "before", before, true), "190 sent + ~70", "in few letters");
  assert.equal(totalOf(found, 0, "after", after), "~157 in the window");
  assert.equal(sumOf(found, 0, "after", after), "207 sent next \u2212 ~50 that came first");
});

test("that more is not in the file afterwards is said, with why as far as that is known", () => {
  const column = (tokens, more = {}) => [
    { deed: "kept", tokens: 100, kind: "" },
    { deed: "hidden", tokens, kind: "" },
    { deed: "made", tokens: 0, kind: "summary", ...more },
  ];
  const words = (format, after) => grownWords({ store: { header: { format } } }, { before: column(20), after, flows: [] });
  assert.equal(
    words("claude-code", column(50)),
    "The last prompt before the compaction held ~20 tokens that are not in this file, and the next one ~50. Claude Code puts files back after a compaction, and its older versions do not record which.",
  );
  assert.equal(
    words("claude-code", column(50, { kind: "put back" })),
    "The last prompt before the compaction held ~20 tokens that are not in this file, and the next one ~50. The file does not say what that is.",
  );
  assert.equal(
    words("codex", column(50, { sealed: true })),
    "The last prompt before the compaction held ~20 tokens that are not in this file, and the next one ~50. The summary that nobody can read is among it.",
  );
  assert.equal(words("codex", column(21)), "");
  const unknown = grownWords({ store: { header: { format: "codex" } } }, { before: column(0), after: column(50), flows: [] });
  assert.equal(
    unknown,
    "The next prompt held ~50 tokens that are not in this file. The file does not say what that is.",
    "no prompt tells what it was before",
  );
});

test("what was lost is told with the part of the window that held it", () => {
  const loss = { kind: "rule", text: "Never delete.", followed: "Never delete.", at: 1, used_at: -1, kept: 0, words: 2 };
  const took = [{ at: 2, kind: "answered", text: "Fix it…", followed: true }];
  const asked = { here: [2, 0, 2, 0], of: 5, text: "Fix it…", at: 2, took };
  const row = {
    index: 0,
    step: 4,
    told: [loss],
    rules: [2, 0],
    told_total: 2,
    names: [],
    names_total: 0,
    again: 0,
    taken: 2,
    requests: asked,
    results: 3,
    unreadable: "",
  };
  const { before } = columnsOf(run(), 0);
  assert.deepEqual(lostAt(run(), row, before), [
    { quote: "Never delete.", note: "an instruction", part: "gone/user", followed: "Never delete.", at: 1 },
    { quote: "", note: "1 more of the user's rules or statements", part: "" },
    { lead: "2 answered requests, such as ", quote: "Fix it…", note: "", part: "gone/calls", followed: "Fix it", at: 2 },
    { quote: "", note: "the text of 3 tool results", part: "" },
  ]);
  const name = { ...loss, kind: "name", text: "a.js", followed: "a.js", at: 2 };
  const used = { ...row, told: [], told_total: 0, names: [name], names_total: 1, requests: { ...asked, here: [0, 0, 0, 0] }, results: 0 };
  const gone = { quote: "a.js", note: "", part: "gone/calls", followed: "a.js", at: 2 };
  assert.deepEqual(lostAt(run(), used, before), [{ lead: "1 name, needed later: ", ...gone }]);
  assert.deepEqual(lostAt(run(), used, before, true), [], "in front of a room nothing of later is told");
  const two = { ...used, others: [{ ...name, kind: "command" }] };
  assert.equal(lostAt(run(), two, before)[0].lead, "1 name and 1 command, needed later, such as ");
  const needed = (untold) => lostAt(run(), { ...row, told: [{ ...loss, used_at: 5, said_again_at: 6 }] }, before, untold)[0].note;
  assert.equal(needed(false), "an instruction, needed again at message 5, said again by the user at message 6");
  assert.equal(needed(true), "an instruction", "a room is told that by a slide of its own");
  const requests = (...here) => lostAt(run(), { ...row, told: [], told_total: 0, results: 0, requests: { ...asked, here } }, before)[0];
  assert.equal(requests(3, 0, 1, 1).lead, "3 requests, 1 of them already answered and 1 stopped by the user, such as ");
  assert.deepEqual(requests(1, 0, 1, 0), {
    quote: "Fix it…",
    note: "1 request is gone, already answered",
    part: "gone/calls",
    followed: "Fix it",
    at: 2,
  });
  const unlisted = { ...row, told: [], told_total: 0, results: 0, requests: { ...asked, took: [] } };
  assert.equal(lostAt(run(), unlisted, before)[0].followed, "", "of that nothing is known that Why could follow");
  const named = (told_total) =>
    lostAt(
      run(),
      { ...row, told: Array(4).fill(loss), rules: [told_total, 0], told_total, results: 0, requests: { ...asked, here: [0, 0, 0, 0] } },
      before,
    );
  assert.deepEqual(
    [4, 5].map((total) => named(total)[3].quote),
    ["Never delete.", ""],
    "one more is named, not counted",
  );
  assert.equal(named(5)[3].note, "2 more of the user's rules or statements");
  const [, , , others] = lostAt(run(), { ...row, told: Array(3).fill(loss), rules: [3, 0], told_total: 5, results: 0 }, before);
  assert.equal(others.note, "and 2 more", "requests are no rules");
  const summary = { id: "gone/summary", deed: "gone", kind: "summary" };
  const later = lostAt(run(), { ...row, step: 6 }, [...before, summary]);
  assert.equal(later[0].part, "gone/summary", "its message had left before: a summary said it until now");
  const nothing = { ...row, told: [], told_total: 0, requests: { ...asked, here: [0, 0, 0, 0] }, results: 0 };
  assert.deepEqual(lostAt(run(), nothing, before), []);
  assert.equal(nothingWords(run(), nothing), "Nothing that was used again later is known to be missing.");
});

test("parts say their names, messages and tokens, and what became of them", () => {
  const found = run();
  const { before, after, flows } = columnsOf(found, 0);
  assert.deepEqual(
    before.map((part) => partWords(found, 0, "before", part)),
    [
      "Pinned: 1 message, 10 tokens, to stay",
      "User: 1 message, 20 tokens, summarized",
      "Tool calls: 1 message, 30 tokens, summarized",
      "Kept: 1 message, 40 tokens, to stay",
    ],
  );
  assert.equal(partWords(found, 0, "after", after[1]), "Summary #1: 1 message, 7 tokens, put in by this compaction");
  assert.equal(flowWords(found, 0, { before, after }, flows[0]), "50 became 7");
  assert.equal(flowWords(found, 0, { before, after }, flows[1]), "");
  assert.equal(totalOf(found, 0, "before", before), "100");
  assert.equal(nameOf(found, { deed: "gone", kind: "results: Read", region: "compactable" }), "Read results");
  assert.equal(nameOf(found, { deed: "gone", kind: "results: Read", region: "compactable" }, true), "Read");
  assert.equal(nameOf(found, { deed: "gone", kind: "agent", region: "compactable" }), "added by the agent");
  assert.equal(nameOf(found, { deed: "gone", kind: "agent", region: "compactable" }, true), "by the agent");
  assert.equal(nameOf(found, { deed: "kept", kind: "", region: "compactable" }), "kept, compactable");
  assert.equal(nameOf(found, { deed: "kept", kind: "", region: "compactable" }, true), "compactable");
});

test("the size of a summary that nobody can read is a question mark", () => {
  const c = { ...FOLDED.c, summaryTokens: [0], after: [50], added: [[[0, "summary", 0, "", -1]]], unreadable: ["encrypted"] };
  const found = run({ c });
  const columns = columnsOf(found, 0);
  assert.equal(tokensOf(found, 0, "after", columns.after[1]), "?");
  assert.equal(flowWords(found, 0, columns, columns.flows[0]), "50 became ?");
  assert.equal(totalOf(found, 0, "after", columns.after), "50 + ?");
});

test("results of the three largest tools have parts of their own, the others one", () => {
  const parts = [10, 50, 30, 20, 40].map((tokens, k) => ({
    id: `gone/${k}`,
    deed: "gone",
    kind: `${k}`,
    region: "compactable",
    tokens,
    count: k,
    first: 9 - k,
  }));
  assert.deepEqual(said(largest(parts, 3, "other")), [
    ["gone/1", "compactable", 50, 1, 8],
    ["gone/4", "compactable", 40, 4, 5],
    ["gone/2", "compactable", 30, 2, 7],
    ["gone/other", "compactable", 30, 3, 6],
  ]);
  assert.equal(largest(parts.slice(0, 4), 3, "other").length, 4, "one alone keeps its name");
});

const sized = (...tokens) => tokens.map((n, k) => ({ id: `p${k}`, tokens: n }));

test("the heights of both columns are their tokens on one scale, the taller as tall as there is room", () => {
  const columns = [sized(60, 40), sized(20, 30)];
  const scale = scaleOf(columns, 200);
  assert.equal(scale, 2);
  assert.deepEqual(stacked(columns[0], scale), [
    { id: "p0", tokens: 60, y: 0, height: 120 },
    { id: "p1", tokens: 40, y: 120, height: 80 },
  ]);
  assert.deepEqual(stacked(columns[1], scale)[1], { id: "p1", tokens: 30, y: 40, height: 60 });
});

test("a small part is two pixels, which the tallest gives: the column keeps its height", () => {
  const boxes = stacked(sized(1, 198, 1), 0.5);
  assert.deepEqual(
    boxes.map(({ y, height }) => [y, height]),
    [
      [0, 2],
      [2, 96],
      [98, 2],
    ],
  );
  assert.deepEqual(stacked(sized(0), 0.5), [{ id: "p0", tokens: 0, y: 0, height: 2 }]);
});

test("labels stand at the middle of their boxes, or as near as the others let them, and never touch", () => {
  const boxes = stacked(sized(100, 2, 2, 100), 1);
  const middles = [...labelled(boxes, 204).values()];
  assert.deepEqual(middles, [50, 101, 116, 154]);
  const low = [...labelled(stacked(sized(100, 2, 2, 2), 1), 106).values()];
  assert.deepEqual(low, [50, 68.5, 83.5, 98.5]);
});

test("where there is no room for all labels those of the fewest tokens have none, and one line stands where half of their tokens lie", () => {
  const keys = (...args) => [...labelled(...args).keys()];
  assert.deepEqual(keys(stacked(sized(30, 3, 30, 5), 1), 3 * LINE), ["p0", "p2", REST]);
  assert.deepEqual(keys(stacked(sized(30, 5, 30, 3), 1), 3 * LINE), ["p0", REST, "p2"]);
  assert.deepEqual(keys(stacked(sized(30, 3, 30, 5), 1), 3 * LINE, new Set(["p1"])), ["p0", "p1", REST]);
  assert.deepEqual(keys(stacked(sized(900, 1, 8, 9), 0.05), 3 * LINE), ["p0", REST, "p3"], "of those that are as thin the larger are named");
  const middles = [...labelled(stacked(sized(30, 3, 3, 30), 1), 3 * LINE).values()];
  assert.deepEqual(middles, [0.5 * LINE, 1.5 * LINE, 2.5 * LINE], "no two lines touch");
});

test("what has no label is called smaller only where each part of it is smaller than every part that has one", () => {
  const [, user, calls, kept] = columnsOf(run(), 0).before; // 20, 30 and 40 tokens
  const words = (parts, named = [kept]) => restWords(run(), 0, "before", parts, named);
  assert.deepEqual(words([user, calls]), ["2 smaller parts", "50"]);
  assert.deepEqual(words([user, { ...calls, deed: "hidden" }]), ["2 smaller parts", "~50"]);
  assert.deepEqual(words([calls, kept], [user]), ["2 other parts", "70"], "user has a label for it held what was lost");
  assert.deepEqual(words([user, kept], [{ ...kept, id: "as large" }, calls]), ["2 other parts", "60"]);
  assert.deepEqual(words([{ ...user, sealed: true }]), ["1 other part", "20 + ?"], "nobody knows how large that is");
  assert.deepEqual(restWords(run(), 0, "before", [user, calls], [kept], true), ["2 smaller", "50"], "in few letters");
});

test("bands join all that went with all that came, and what stays token by token", () => {
  const [before, after] = [
    stacked(sized(60, 40, 100), 1),
    stacked(
      [
        { id: "q", tokens: 30 },
        { id: "p2", tokens: 100 },
      ],
      1,
    ),
  ];
  const flows = [
    { from: ["p0", "p1"], to: ["q"] },
    { from: ["p2"], to: ["p2"], tokens: 70 },
    { from: ["p2"], to: ["p2"], tokens: 30 },
    { from: ["p2"], to: [] },
  ];
  assert.deepEqual(
    bands(flows, before, after, 1).map(({ from, to }) => [from.y, from.height, to.y, to.height]),
    [
      [0, 100, 0, 30],
      [100, 70, 30, 70],
      [170, 30, 100, 30],
      [100, 100, 30, 0],
    ],
  );
  assert.equal(bandPath([0, { y: 0, height: 10 }], [20, { y: 5, height: 1 }]), "M0 0C10 0 10 5 20 5V6C10 6 10 10 0 10Z");
});

test("every column of a run adds up to its window", () => {
  const found = smallRun();
  const { before, after } = columnsOf(found, 0);
  const sum = (parts) => parts.reduce((all, { tokens }) => all + tokens, 0);
  assert.deepEqual([sum(before), sum(after)], [90, 47]);
});
