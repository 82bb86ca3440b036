// Where the sentences of a summary come from, and the ledger: words, order, and when the server is asked.
import assert from "node:assert/strict";
import { test } from "node:test";
import { visible, visiblePlaces } from "../../viewer/frontend/lib/dom.js";
import { entryNear, entryWords, filters, headingOver, isMissed, keptOf, lines, missedWords } from "../../viewer/frontend/why/ledger.js";
import { Origins } from "../../viewer/frontend/why/origins.js";
import { comingFrom, inOrder, nextOf, noteParts, placesTitle, quotePieces, sentenceWords, tally } from "../../viewer/frontend/why/originwords.js";
import { RestingAsker } from "../../viewer/frontend/why/resting.js";
import { until } from "./until.mjs";

const source = (at, more = {}) => ({ at, step: at, via: [], score: 1, quote: "", marks: [], missing: [], ...more });
const sentence = (verdict, sources = [], note = "") => ({ from: 0, to: 1, verdict, note, sources });
const provenance = (...sentences) => ({ sentences, counts: {}, ledger: [], left_out: 0, unreadable: "" });

test("places of a text are found in what is shown of it", () => {
  const text = "a\r\nb\u202ec\u0000d\ud800e\r";
  const places = visiblePlaces(text);
  for (const at of [0, 1, 3, 4, 5, 6, 7, 8, 9, 10, text.length])
    assert.equal(places(at), visible(text.slice(0, at)).length, `behind ${at} characters`);
  assert.equal(visiblePlaces("plain")(3), 3);
  const family = "👨\u200d👩\u200d👧 and";
  assert.equal(visiblePlaces(family)(family.length), visible(family).length); // a joiner in an emoji stays
});

test("a sentence says its number, its verdict and how many places it has", () => {
  assert.equal(
    sentenceWords(sentence("partly", [source(1), source(2), source(3)]), 5, 14),
    "Sentence 6 of 14, partly found in the messages, 3 places.",
  );
  assert.equal(sentenceWords(sentence("supported", [source(1)]), 0, 1), "Sentence 1 of 1, found in the messages, 1 place.");
  assert.equal(sentenceWords(sentence("no_source"), 1, 2), "Sentence 2 of 2, no message says it in these words.");
  assert.equal(sentenceWords(sentence("before_file"), 1, 2), "Sentence 2 of 2, its source may lie before this file.");
});

test("the places of a sentence without a source only come closest", () => {
  assert.equal(placesTitle(sentence("partly", [source(1), source(2)]), 5), "Sources of sentence 6: 2 places");
  assert.equal(placesTitle(sentence("no_source", [source(1)]), 5), "Closest to sentence 6: 1 place");
  assert.equal(placesTitle(sentence("no_source"), 5), "Sentence 6: no message says it in these words");
  assert.equal(sentenceWords(sentence("no_source", [source(1)]), 0, 2), "Sentence 1 of 2, no message says it in these words.");
});

test("the line above the summary counts each verdict that there is, first what no message says", () => {
  const found = tally(provenance(sentence("supported"), sentence("no_source"), sentence("supported"), sentence("partly")));
  assert.deepEqual(
    found.map(({ text }) => text),
    ["1 not found in the messages", "2 found in the messages", "1 partly"],
  );
  assert.deepEqual(tally(provenance()), []);
});

test("the next of a verdict is the one behind, and the first again after the last", () => {
  const all = ["supported", "partly", "supported", "partly"].map((verdict) => sentence(verdict));
  assert.deepEqual([nextOf(all, "partly", -1), nextOf(all, "partly", 1), nextOf(all, "partly", 3), nextOf(all, "no_source", 0)], [1, 3, 1, -1]);
});

test("a place that a sentence has through an earlier summary stands below that summary", () => {
  const summary = source(50_000_000);
  const through = source(53, { via: [50_000_000] });
  const deep = source(2, { via: [50_000_001, 50_000_000] }); // through #2 and #1: only #1 is a place
  const direct = source(67);
  const order = (...sources) => inOrder(sources).map((one) => [one.source.at, one.depth]);
  assert.deepEqual(order(through, summary, direct), [
    [50_000_000, 0],
    [53, 1],
    [67, 0],
  ]);
  assert.deepEqual(order(summary, direct, through, deep), [
    [50_000_000, 0],
    [53, 1],
    [2, 1],
    [67, 0],
  ]);
  assert.deepEqual(order(through), [[53, 0]]); // the summary is no place
  const circle = [source(1, { via: [2] }), source(2, { via: [1] })];
  assert.equal(inOrder(circle).length, 2);
  const same = [source(1), source(1)]; // two passages of one message
  assert.deepEqual(order(...same), [
    [1, 0],
    [1, 0],
  ]);
});

test("a quote is cut where words are shared or were left out; what cannot be is not cut", () => {
  const kinds = (quote, marks, missing) => quotePieces({ quote, marks, missing }).map(({ text, kind }) => [text, kind]);
  assert.deepEqual(kinds("Use account and reference.", [[4, 11]], [[16, 25]]), [
    ["Use ", ""],
    ["account", "mark"],
    [" and ", ""],
    ["reference", "missing"],
    [".", ""],
  ]);
  const over = [
    [0, 2],
    [1, 3],
    [9, 12],
    [3, 3],
  ];
  assert.deepEqual(kinds("abcd", over, []), [
    ["ab", "mark"],
    ["cd", ""],
  ]);
  assert.deepEqual(kinds("", [[0, 4]], []), []);
});

test("a note begins with what is said in short, where it is more than one sentence or a list was cut", () => {
  const parts = (note, missing = []) => noteParts(sentence("partly", [source(1, { missing })], note));
  assert.deepEqual(parts("Cut short. Both sources also say reference."), ["Cut short.", "Both sources also say reference."]);
  assert.deepEqual(parts("A source also says reference.", [[0, 9]]), ["Cut short.", "A source also says reference."]);
  assert.deepEqual(parts("Only an earlier summary says it."), ["", "Only an earlier summary says it."]);
  assert.deepEqual(parts("", [[0, 9]]), ["", ""]);
});

test("the sentences that come from a message are found by their place", () => {
  const all = provenance(sentence("supported", [source(4), source(9)]), sentence("no_source"), sentence("partly", [source(9)]));
  const close = provenance(sentence("no_source", [source(9)]));
  assert.deepEqual(comingFrom(close, 9), []); // it only comes closest
  assert.deepEqual([comingFrom(all, 9), comingFrom(all, 4), comingFrom(all, 5)], [[0, 2], [0], []]);
});

const entry = (kind, text, in_summary = "gone", needed_at = -1) => ({ kind, text, at: 1, said_at: 1, in_summary, needed_at });
const LEDGER = [
  entry("file", "a.py", "verbatim"),
  entry("constraint", "no new dependency", "gone", 185),
  entry("file", "b.py", "gone"),
  entry("constraint", "keep the API", "reworded", 12),
];

test("the ledger is grouped by kind, and each filter says how many it leaves", () => {
  const shown = (filter) => lines(LEDGER, filter).map((line) => line.heading ?? line.entry.text);
  assert.deepEqual(shown("all"), ["Constraints", "no new dependency", "keep the API", "Files", "a.py", "b.py"]);
  assert.deepEqual(lines(LEDGER, "all", 1_043).at(-1), { more: "1,043 more, which say less, are not listed" });
  assert.deepEqual(lines(LEDGER, "gone", 3).at(-1), { entry: LEDGER[2] });
  assert.deepEqual(shown("gone"), ["Constraints", "no new dependency", "Files", "b.py"]);
  assert.deepEqual(shown("missed"), ["Constraints", "no new dependency"]); // needed after it was reworded is not without it
  assert.deepEqual(
    filters(LEDGER).map(({ name, count }) => `${name} ${count}`),
    ["All 4", "Verbatim 1", "Reworded 1", "Gone 2", "Needed without it 1"],
  );
});

test("what was needed without it is told by kinds, as the overview counts names alone", () => {
  const missed = [...LEDGER, entry("file", "c.py", "gone", 7), entry("number", "4500", "gone", 8), entry("command", "make test", "gone", 9)];
  assert.equal(missedWords(missed), "1 statement, 2 names, 1 command");
  assert.equal(missedWords(LEDGER), "", "one kind, which its heading names");
});

test("a line of the ledger knows its heading, and the keys pass over headings", () => {
  const all = lines(LEDGER, "all");
  assert.deepEqual(
    [headingOver(all, 0), headingOver(all, 2), headingOver(all, 5), headingOver(all, 99), headingOver([], 0)],
    ["Constraints", "Constraints", "Files", "Files", ""],
  );
  assert.deepEqual([entryNear(all, 0, 1), entryNear(all, 3, 1), entryNear(all, 3, -1), entryNear(all, 0, -1), entryNear([], 0, 1)], [1, 4, 2, 1, -1]);
});

/** What a step is called where no compaction came before it. */
const place = (step) => `message ${step + 1}`;

test("where no summary was written, an entry is gone after the compaction", () => {
  assert.equal(entryWords(LEDGER[2], "after it", place), "b.py, said at message 2, gone after it");
});

test("an entry says what became of it and whether it was needed without it", () => {
  assert.equal(
    entryWords(LEDGER[1], "in summary #2", place),
    "no new dependency, said at message 2, gone in summary #2, needed at message 186 without it",
  );
  assert.equal(entryWords(LEDGER[3], "in summary #2", place), "keep the API, said at message 2, reworded in summary #2, needed at message 13");
  assert.equal(entryWords(LEDGER[0], "in summary #2", place), "a.py, said at message 2, verbatim in summary #2");
  assert.deepEqual(LEDGER.map(isMissed), [false, true, false, false]);
  const partly = { ...LEDGER[3], kept: 5, words: 12 };
  assert.match(entryWords(partly, "in summary #2", place), /, 5 of its 12 content words in the sentences nearest to it in summary #2,/);
  assert.equal(keptOf(LEDGER[3]), "", "of what is not counted nothing is said");
});

let traces = 0;

/** A debugger at rest whose server answers when it is told to. */
function still(more = {}) {
  const asked = [];
  const get = (path) => new Promise((answer, refuse) => asked.push({ path, answer, refuse }));
  const view = { tid: `trace ${++traces}`, live: false };
  return { app: { run: { view, length: 9 }, step: 4, playing: false, show: { now: null }, get, ...more }, asked };
}

/** A few turns of the timers: what is not asked by then is put off. */
async function turns() {
  for (let k = 0; k < 5; k += 1) await new Promise((done) => setTimeout(done));
}

const calm = { rest: 0, held: () => false };

test("nothing is asked while the run plays, a compaction is told or a button is held", async () => {
  const { app, asked } = still({ playing: true });
  let held = false;
  const asker = new RestingAsker(app, { rest: 0, held: () => held });
  const heard = [];
  asker.ask("api/x", (value) => heard.push(value), assert.fail);
  await turns();
  assert.equal(asked.length, 0);
  Object.assign(app, { playing: false, show: { now: {} } });
  await turns();
  assert.equal(asked.length, 0);
  app.show.now = null;
  held = true;
  await turns();
  assert.equal(asked.length, 0);
  held = false;
  await until(() => asked.length);
  assert.deepEqual(
    asked.map(({ path }) => path),
    ["api/x"],
  );
  asked[0].answer({ some: "thing" });
  await until(() => heard.length);
  assert.deepEqual(heard, [{ some: "thing" }]);
});

test("an answer that comes after another card was shown is not heard, and is kept", async () => {
  const { app, asked } = still();
  const origins = new Origins(app, calm);
  origins.follow(0);
  await until(() => asked.length === 1);
  origins.follow(1);
  await until(() => asked.length === 2);
  const first = provenance(sentence("supported"));
  asked[0].answer(first);
  await turns();
  assert.equal(origins.answer, null);
  origins.follow(0);
  assert.equal(origins.answer, first); // at once
  assert.equal(asked.length, 2);
});

test("a chosen sentence holds while the cursor stays where it was chosen", async () => {
  const { app, asked } = still();
  const origins = new Origins(app, calm);
  let told = 0;
  origins.watch(() => (told += 1));
  origins.follow(2);
  await until(() => asked.length);
  asked[0].answer(provenance(sentence("supported"), sentence("partly", [source(1)]), sentence("partly")));
  await until(() => origins.answer);
  assert.equal(origins.clear(), false);
  origins.choose(1);
  assert.deepEqual([origins.at, origins.chosen.sentence.sources[0].at], [1, 1]);
  app.step = 5;
  assert.deepEqual([origins.at, origins.chosen], [-1, null]);
  app.step = 4;
  origins.next("partly");
  assert.deepEqual([origins.at, origins.reveals], [2, true]);
  origins.choose(99); // there is none
  assert.equal(origins.at, 2);
  app.run.view = { ...app.run.view, tid: "another" };
  assert.equal(origins.chosen, null);
  assert.equal(origins.clear(), false);
  assert.equal(told, 4); // the card, its answer, two sentences
});

test("what failed says why, and can be asked again", async () => {
  const { app, asked } = still();
  const origins = new Origins(app, calm);
  origins.follow(0);
  await until(() => asked.length);
  asked[0].refuse(new Error("no answer"));
  await until(() => origins.failed);
  assert.match(origins.failed, /no answer/);
  origins.retry();
  assert.equal(origins.failed, "");
  await until(() => asked.length === 2);
  asked[1].answer(provenance());
  await until(() => origins.answer);
  assert.deepEqual(origins.answer.sentences, []);
});
