// What windows hold together and apart, and where they first do not agree, each against a slow way that looks at every message.
import assert from "node:assert/strict";
import { test } from "node:test";
import { caveats, laterWords } from "../../viewer/frontend/compare/beside.js";
import { Places, differ } from "../../viewer/frontend/compare/divergence.js";
import { deltaOf } from "../../viewer/frontend/compare/deltas.js";
import { whereAt } from "../../viewer/frontend/compare/followed.js";
import { heldAt, stepAt } from "../../viewer/frontend/compare/held.js";
import { saidWords } from "../../viewer/frontend/compare/pinned.js";
import { shares } from "../../viewer/frontend/compare/shares.js";
import { differenceAt, lanesIn } from "../../viewer/frontend/compare/sets.js";
import { laneLine, laneName, lostWords, setTitle, sizeWords } from "../../viewer/frontend/compare/words.js";
import { openView, runningSum } from "../../viewer/frontend/run/decode.js";
import { Run } from "../../viewer/frontend/run/model.js";
import { ADDED, SPACE } from "../../viewer/frontend/run/pool.js";

const N = 30;
const deltas = (values) => values.map((value, k) => value - (k ? values[k - 1] : 0));

const STORE = (() => {
  const tokens = Uint32Array.from({ length: N }, (_, i) => 10 + i);
  const header = { sid: "s", n: N, meter: "o200k_base", approximate: false, labels: [""], marked: {} };
  const plain = { label: new Uint16Array(N), role: new Uint8Array(N).fill(1), flags: new Uint8Array(N) };
  return { header, n: N, tokens, running: runningSum(tokens), ...plain, turnStarts: [], calls: [], preview: (i) => `message ${i}` };
})();

/** A run whose compactions are `[at, layout, texts]`; the shadow empties the messages of `cleared`. */
function runOf(compactions, cleared = []) {
  const list = (of) => compactions.map(of);
  const length = N + compactions.length;
  const zeros = list(() => 0);
  const c = {
    at: deltas(list(([at]) => at)),
    layout: list(([, layout]) => layout),
    added: list(([, , texts]) => texts.map((text) => [1, "summary", 5, text, -1])),
    ...Object.fromEntries(
      ["before", "after", "folded", "number", "summaryTokens", "removedTokens", "status", "recordedBefore", "recordedAfter", "micro"].map((name) => [
        name,
        zeros,
      ]),
    ),
  };
  const policy = { name: "p", limit: 80, ceiling: 80, limitName: "budget", counts: "window", phase: "before_call", kind: "summarise" };
  const shadows = cleared.length ? [{ places: deltas(cleared), tokens: cleared.map(() => 1), short: 0, thinking: 0 }] : [];
  const common = { version: 1, sid: "s", tid: "t", stamp: "t", kind: "simulate", statuses: ["compacted"], worded: [], typicalSummary: 5, notes: [] };
  const ends = compactions.map(() => 0).concat(0);
  return new Run(STORE, openView({ ...common, length, policy, shadows, c, heads: ends, bodies: ends, tails: Array(length).fill(0) }));
}

/** Message 0, a summary in place of 1 to 7, then 8 and 9; later another in place of all but 0. */
const FOLDS = () =>
  runOf([
    [10, [0, 1, ADDED, ADDED + 1, 8, 10], ["once"]],
    [20, [0, 1, ADDED + 1, ADDED + 2, 18, 20], ["twice"]],
  ]);
/** The same at first, but the second time it keeps less. */
const SOONER = () =>
  runOf([
    [10, [0, 1, ADDED, ADDED + 1, 8, 10], ["once"]],
    [16, [0, 1, ADDED + 1, ADDED + 2, 15, 16], ["other"]],
  ]);
/** Empties messages 2, 3 and 9 where they stand. */
const CLEARS = () => runOf([[12, [SPACE, SPACE + 12], []]], [2, 3, 9]);
const GROWS = () => runOf([]);

/** Message by message, what each lane has of it: "plain", "light" or nothing; and what it has besides. */
function slowly(runs, m) {
  return runs.map((run) => {
    const window = run.window(stepAt(run, m));
    const states = new Map();
    const added = [];
    for (let k = 0; k < window.size; k++) {
      const row = window.row(k);
      if (row.key.startsWith("c")) added.push(`${row.role}${row.tokens}${row.preview}`);
      else states.set(Number(row.key.slice(1)), row.of >= 0 ? "light" : "plain");
    }
    return { states, added, tokens: window.tokens };
  });
}

const groups = () => [
  [FOLDS(), GROWS()],
  [FOLDS(), SOONER(), GROWS()],
  [CLEARS(), FOLDS(), SOONER(), GROWS()],
  [FOLDS(), FOLDS()],
  [CLEARS(), CLEARS()],
];

test("the sets of lanes are what looking at every message gives", () => {
  for (const runs of groups()) {
    for (let m = 1; m <= N; m++) {
      const { sets, changed, added, bars } = differenceAt(runs, m);
      const slow = slowly(runs, m);
      for (let place = 0; place < N; place++) {
        const states = slow.map(({ states }) => states.get(place));
        const within = (ranges) => ranges.some(([a, b]) => place >= a && place < b);
        const light = states.includes("light");
        const mask = states.reduce((all, state, lane) => all | (state === "plain" ? 1 << lane : 0), 0);
        assert.equal(within(changed), light, `message ${place} at ${m}`);
        assert.deepEqual(
          sets.filter(({ ranges }) => within(ranges)).map((set) => set.mask),
          light || !mask ? [] : [mask],
          `message ${place} at ${m}`,
        );
      }
      const texts = [...new Set(slow.flatMap((lane) => lane.added))];
      assert.equal(added.length, texts.length);
      bars.forEach((bar, lane) => {
        assert.equal(bar.tokens, slow[lane].tokens);
        assert.equal(bar.rewritten + bar.only + bar.some + bar.all, slow[lane].tokens);
      });
      for (const { count, tokens, ranges } of sets) {
        const places = ranges.flatMap(([a, b]) => Array.from({ length: b - a }, (_, k) => a + k));
        assert.deepEqual([count, tokens], [places.length, places.reduce((sum, place) => sum + STORE.tokens[place], 0)]);
      }
    }
  }
});

test("lanes first differ where looking at every message finds it, and differ next where one of them then compacts", () => {
  const words = (runs, m) => slowly(runs, m).map(({ states, added }) => JSON.stringify([[...states].sort(([a], [b]) => a - b), added]));
  for (const runs of groups()) {
    const places = new Places(runs);
    const apart = Array.from({ length: N }, (_, k) => k + 1).filter((m) => new Set(words(runs, m)).size > 1);
    assert.equal(places.first, apart[0] ?? -1);
    const compacts = new Set(runs.flatMap((run) => [...run.view.c.at]));
    const after = apart.filter((m) => compacts.has(m));
    for (let m = 0; m <= N; m++) {
      assert.equal(places.differing(m, 1), after.find((at) => at > m) ?? -1);
      assert.equal(places.differing(m, -1), after.findLast((at) => at < m) ?? -1);
    }
  }
});

test("the same settings never differ", () => {
  assert.equal(new Places([FOLDS(), FOLDS()]).first, -1);
  assert.equal(differ([FOLDS(), FOLDS()], 20), false);
  assert.deepEqual(
    differenceAt([FOLDS(), FOLDS()], 20).sets.map(({ mask }) => mask),
    [3],
  );
});

test("a compaction in any lane is next, or before", () => {
  const places = new Places([FOLDS(), SOONER()]);
  assert.deepEqual(
    [0, 10, 16, 20].map((m) => places.compaction(m, 1)),
    [10, 16, 20, -1],
  );
  assert.deepEqual(
    [10, 11, 20, 30].map((m) => places.compaction(m, -1)),
    [-1, 10, 16, 20],
  );
});

test("what a summary stands for is gone, and what is emptied is not as it came", () => {
  assert.deepEqual(heldAt(FOLDS(), 12), {
    plain: [
      [0, 1],
      [8, 12],
    ],
    light: [],
    added: [ADDED],
  });
  assert.deepEqual(heldAt(CLEARS(), 13), {
    plain: [
      [0, 2],
      [4, 9],
      [10, 13],
    ],
    light: [2, 3, 9],
    added: [],
  });
  assert.equal(stepAt(FOLDS(), 10), 10); // nine messages before it, the tenth, and the compaction that follows it
});

test("sets are named by letters", () => {
  assert.deepEqual(
    [1, 2, 5, 7].map((mask) => setTitle(mask, [0, 1, 2])),
    ["Only in A", "Only in B", "In A and C, not in B", "In all"],
  );
  assert.deepEqual(
    [1, 2, 3].map((mask) => setTitle(mask, [0, 2])),
    ["Only in A", "Only in C", "In A and C"],
  );
  assert.deepEqual(lanesIn(13), [0, 2, 3]);
});

test("what the baseline still has is said with its tokens", () => {
  const runs = [GROWS(), FOLDS(), SOONER()];
  const said = (m, base) => Object.values(lostWords(differenceAt(runs, m), base, 3, "~")).join("");
  assert.equal(said(9, 0), "");
  assert.equal(said(10, 0), "B has summarized 7 messages that A still has in full, ~98 tokens; C has summarized 7.");
  assert.equal(said(16, 1), "A still has 7 messages in full that B has summarized, ~98 tokens; C has summarized 7.");
  const told = (one, other) => Object.values(lostWords(differenceAt([one, other], 12), 0, 2, "~")).join("");
  const dropped = runOf([[10, [0, 1, 8, 10], []]]);
  assert.equal(told(GROWS(), dropped), "B has lost 7 messages that A still has, ~98 tokens.", "without a summary they are gone");
  const both = runOf([
    [10, [0, 1, ADDED, ADDED + 1, 8, 10], ["once"]],
    [12, [0, 1, ADDED, ADDED + 1, 10, 12], []],
  ]);
  assert.equal(told(GROWS(), both), "B no longer has 9 messages that A still has, ~135 tokens.", "of which a summary holds only some");
  assert.equal(told(both, GROWS()), "B still has 9 messages that A no longer has, ~135 tokens.");
  const aside = runOf([[10, [0, 3, ADDED, ADDED + 1, 9, 10], ["aside"]]]);
  assert.equal(
    told(FOLDS(), aside),
    "B has summarized 1 message that A still has in full, ~18 tokens; B still has 2 that A has summarized, ~23.",
    "of two lanes each side is told",
  );
  const three = lostWords(differenceAt([FOLDS(), aside, aside], 12), 0, 3, "~");
  assert.equal(
    three.lead + three.text,
    "B has summarized 1 message that A still has in full, ~18 tokens, and has 2 that A has not; C has summarized 1 and has 2 that A has not.",
    "of each lane, too",
  );
  const reworded = runOf([[10, [0, 1, ADDED, ADDED + 1, 8, 10], ["in other words"]]]);
  assert.equal(told(FOLDS(), reworded), "What compactions put in differs, the other messages are the same.");
  assert.equal(told(FOLDS(), SOONER()), "");
});

test("the size of a window with a summary that nobody can read is not known whole", () => {
  const run = (more) => ({ store: { header: {} }, view: { kind: "replay" }, window: () => ({ tokens: 10_813 }), step: () => more });
  assert.deepEqual([sizeWords(run({}), 3), sizeWords(run({ sealed: true }), 3)], ["10,813", "10,813 + ?"]);
});

test("of messages that several lanes still have, the second lane's are some of the first's, or others", () => {
  const said = (runs) => Object.values(lostWords(differenceAt(runs, 16), 0, 3, "~")).join("");
  assert.equal(said([SOONER(), GROWS(), FOLDS()]), "B still has 14 messages in full that A has summarized, ~245 tokens; C still has 7 of them.");
  assert.equal(
    said([SOONER(), FOLDS(), GROWS()]),
    "B still has 7 messages in full that A has summarized, ~147 tokens; C still has 14 that A has summarized.",
  );
});

test("a figure is told against the baseline's", () => {
  const text = (value, base, as = "share") => deltaOf(value, base, as)?.text ?? null;
  assert.deepEqual([text(81, 100), text(240, 100), text(150, 100), text(100, 100)], ["−19 %", "2.4 ×", "+50 %", null]);
  assert.deepEqual([text(5, 3, "count"), text(1, 4, "count"), text(2, 0), text(0, 0)], ["+2", "−3", "new", null]);
  assert.deepEqual([text(1001, 1000), text(990, 1000), text(1200, 10)], [null, "−1 %", "120 ×"]);
  assert.deepEqual([deltaOf(990, 1000, "share").slight, deltaOf(980, 1000, "share").slight], [true, undefined], "one per cent is noise");
  const points = [text(0.039, 0.024, "points"), text(0.01, 0.02, "points"), text(0.02, 0.02004, "points"), text(0.01, 0, "points")];
  assert.deepEqual(points, ["+1.5 pts", "−1.0 pt", null, "+1.0 pt"], "a part of a whole differs by points");
});

test("below the figures stand the usage on record, unlike summaries, a summary that nobody can read, and the prices", () => {
  const [A, B] = [
    { usage: { sent: 25_645_626, calls: 225 }, summaries: "recorded", unread: false },
    { usage: null, summaries: "structural", unread: false },
  ];
  const sent = "The usage records of this transcript say that 25.6M tokens were sent in 225 calls.";
  const unlike =
    "Misses: in A a model wrote the summaries, in B they are quotes that stand in for a summary, which may keep fewer names: part of the difference may come from that.";
  const unread = "What a summary of A kept cannot be read: the true misses there may be fewer.";
  assert.deepEqual(caveats([A, B], ["A", "B"]), [sent, unlike]);
  assert.deepEqual(caveats([{ ...A, unread: true }, B], ["A", "B"]), [sent, unread]);
  assert.deepEqual(caveats([{}, B], ["A", "B"]), []);
  assert.deepEqual(caveats([{ prices: "genai-prices 0.2" }], ["A"]), ["Prices: genai-prices 0.2."]);
  const quoted = "Only quotes that stand in for a summary keep some rules or statements: 2 in B. A summary that a model writes may leave them out.";
  assert.deepEqual(caveats([{}, { ...B, rules_quoted: 2 }], ["A", "B"]), [quoted]);
  const standIns = "Compactions for which the transcript has no summary, so that quotes stand in for one: 1 in B.";
  assert.deepEqual(caveats([{}, { summaries: "recorded", later: 3, stand_ins: 1 }], ["A", "B"]), [standIns]);
  const [one, two] = ["B has summaries", "B and C have summaries"].map(
    (who) =>
      `${who} that the transcript wrote only later, which tell of messages that come after: what they keep, and how long they are, is no result of the settings.`,
  );
  const lanes = [{ later: 0 }, { later: 3 }, { later: 5 }];
  assert.deepEqual(
    [lanes.slice(0, 1), lanes.slice(0, 2), lanes].map((some) => laterWords(some, ["A", "B", "C"])),
    ["", one, two],
  );
});

test("a lane names the settings that are not the defaults first", () => {
  const params = [
    { name: "turns", kind: "number", value: 5, default: 5, unit: "", about: "" },
    { name: "keep", kind: "number", value: 4, default: 4, unit: "messages", about: "" },
    { name: "window", kind: "number", value: 20_000, default: null, unit: "tokens", about: "" },
  ];
  assert.equal(laneLine({ name: "p", panel: { params } }, 1), "window 20,000 · turns 5");
});

test("a lane is named with what is pinned in it", () => {
  const params = [{ name: "budget", kind: "number", value: 1600, default: 400, unit: "tokens", about: "" }];
  const lane = (pinned) => ({ name: "p", panel: { params }, pinned });
  assert.deepEqual([laneName(lane([])), laneName(lane([15])), laneName(lane([1, 4]))], ["p", "p + pin", "p + 2 pins"]);
  assert.equal(laneLine(lane([15]), 1), "message 16 pinned · budget 1,600");
  assert.equal(laneLine(lane([1, 4, 1200]), 1), "messages 2, 5 and 1,201 pinned · budget 1,600");
  assert.equal(laneLine(lane([1, 4, 8, 9]), 1), "messages 2, 5 and 2 more pinned · budget 1,600");
});

test("a lane says where a followed text is, and of one that is gone since which step", () => {
  const stretch = (from, to, state, more = {}) => ({ from, to, state, at: [], title: "", text: "", ...more });
  const lane = [stretch(0, 1, "before"), stretch(2, 8, "verbatim"), stretch(9, 9, "summary"), stretch(10, 12, "gone")];
  const fate = { lane };
  assert.deepEqual(
    [1, 2, 9].map((step) => whereAt(fate, step).words),
    ["not said yet", "in window", "in summary"],
  );
  assert.deepEqual(whereAt(fate, 12), { look: "gone", words: "gone since ", since: 10 });
  const reworded = { lane: [...lane.slice(0, 3), stretch(10, 12, "gone", { reworded: [ADDED], kept: [3, 1] })] };
  assert.deepEqual(whereAt(reworded, 12), { look: "reworded", words: "in part" });
  assert.equal(whereAt({ lane: lane.slice(0, 1) }, 1).words, "never in this file");
});

test("below the followed texts stands how often a text is said, and by which message first", () => {
  const said = (more) => saidWords({ match: "exact", total: 1, places: [], ...more });
  assert.equal(said({ match: "none", total: 0 }), "No message says it.");
  assert.equal(said({ places: [1] }), "Message 2 says it.");
  assert.equal(said({ total: 1234, places: [999, 1003] }), "1,234 messages say it, the first is message 1,000.");
});

test("a set shows all of its rows where there is room for them, else three and a line for the others", () => {
  const closed = (...counts) => counts.map((count) => ({ count, open: false }));
  assert.deepEqual(shares(closed(2, 7), 12), [2, 7]);
  assert.deepEqual(shares(closed(1, 76), 14), [1, 13], "what room there is");
  assert.deepEqual(shares(closed(9, 76), 20), [9, 11], "the first has it first");
  assert.deepEqual(shares(closed(9, 76), 0), [4, 4]);
  assert.deepEqual(shares(closed(5, 6), 0), [5, 4]);
  assert.deepEqual(shares([{ count: 76, open: true }, ...closed(9)], 20), [76, 4], "an open one has all, however little room there is");
});
