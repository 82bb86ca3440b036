import assert from "node:assert/strict";
import { test } from "node:test";
import { readLines } from "../../viewer/frontend/lib/lines.js";
import { WhyStore, withoutWhy } from "../../viewer/frontend/why/store.js";
import { askable, wholeWords } from "../../viewer/frontend/why/text.js";

/** A server that answers when it is told to; `asked` are the questions that wait. */
function server() {
  const asked = [];
  const get = (path) => new Promise((answer, refuse) => asked.push({ path, answer, refuse }));
  return { asked, get, lines: async () => {} };
}

let traces = 0;

/** A store on a trace of its own, so that no answer kept for another is its. */
function store(more = {}) {
  const told = server();
  const why = new WhyStore(told, { rest: 0, held: () => false, ...more });
  const tid = `trace ${++traces}`;
  why.follow(tid);
  return { why, tid, asked: told.asked };
}

/** Until what was asked and answered has been heard. */
const settled = () => new Promise((done) => setTimeout(done, 5));

/** Until a question that waits has been asked, however busy the machine is. @param {() => boolean} holds */
const until = async (holds) => {
  while (!holds()) await settled();
};

const texts = (why) => why.lanes.map((lane) => lane.text);

test("a text is asked about as one line of at most 400 characters, cut behind a word", () => {
  assert.equal(askable("  No new\n\t dependency\u00a0 "), "No new dependency");
  assert.equal(askable("one two three", 9), "one two");
  assert.equal(askable("one two", 7), "one two");
  assert.equal(askable("abcdefghij", 4), "abcd"); // one word
  assert.equal(askable("ab😀cd", 3), "ab"); // never half a character
  assert.equal(askable("a\ud800b"), "a\ufffdb");
  assert.equal(askable("word ".repeat(2_000_000)).length, 399);
});

test("a selection that a hand made is asked about in whole words", () => {
  assert.equal(wholeWords("you do he", "re. Do not change the public API: the", " dashboard"), "Do not change the public API: the");
  assert.equal(wholeWords("you do here. D", "o not change the public API: t", "he dashboard"), "Do not change the public API:");
  assert.equal(wholeWords("rules here", ". Do not change (", "yet)"), "Do not change");
  assert.equal(wholeWords("see c", "ore/why/fat", "e.py"), "core/why/fate");
  assert.equal(wholeWords("", "no new", "** dependency"), "no new");
  assert.equal(wholeWords("a", " new word ", "b"), "new word"); // the blanks are selected: no word is cut
  assert.equal(wholeWords("unbe", "li", "evable"), "unbelievable"); // nothing else is selected
  assert.equal(wholeWords("不要添加", "新的依赖", "关系"), "新的依赖"); // no blanks part the words
  assert.equal(wholeWords("", "...", ""), "...");
});

test("a text that is asked about gets a lane, opens Why and is chosen; its answer comes later", async () => {
  const { why, asked } = store();
  assert.equal(why.ask("  "), false);
  assert.equal(why.ask("no new\ndependency"), true);
  assert.deepEqual([texts(why), why.at, why.open, why.front], [["no new dependency"], 0, true, true]);
  assert.equal(why.lanes[0].fate, null);
  assert.match(asked[0].path, /^api\/fate\/trace%20\d+\?text=no%20new%20dependency$/);
  asked[0].answer({ total: 1 });
  await settled();
  assert.deepEqual(why.lanes[0], { text: "no new dependency", fate: { total: 1 }, stale: false, failed: "" });
});

test("the same text is not followed twice, and of five texts the oldest gives way", () => {
  const { why } = store();
  for (const text of ["a", "b", "a", "c", "d", "e"]) why.ask(text);
  assert.deepEqual([texts(why), why.at], [["b", "c", "d", "e"], 3]);
  why.turn(1);
  assert.equal(why.chosen.text, "b");
  why.turn(-1);
  assert.equal(why.chosen.text, "e");
});

test("of a lane that is removed the next one is chosen; without any Why is closed", () => {
  const { why } = store();
  for (const text of ["a", "b", "c"]) why.ask(text);
  why.remove(0);
  assert.deepEqual([texts(why), why.chosen.text], [["b", "c"], "c"]);
  why.remove(1);
  assert.deepEqual([texts(why), why.chosen.text], [["b"], "b"]);
  why.remove(0);
  assert.deepEqual([why.open, why.at, why.reopen()], [false, -1, false]);
});

test("what was asked about last is there when Why is opened again", () => {
  const { why } = store();
  why.ask("a");
  why.close();
  assert.deepEqual([why.open, why.front, why.query], [false, false, {}]);
  assert.equal(why.reopen(), true);
  assert.deepEqual([why.open, why.query], [true, { why: "a" }]);
});

test("what was closed stays closed when something else is asked", () => {
  const { why } = store();
  why.ask("a");
  why.ask("b");
  why.close();
  why.ask("c");
  assert.deepEqual([texts(why), why.chosen.text, why.query], [["c"], "c", { why: "c" }]);
  why.ask("a");
  why.close();
  why.ask("c");
  assert.deepEqual([texts(why), why.open], [["c"], true]);
});

test("texts of another session are forgotten, also for the key that opens what was closed", () => {
  const { why } = store();
  why.ask("a");
  why.forget();
  assert.deepEqual([why.open, why.lanes, why.chosen, why.reopen()], [false, [], null, false]);
});

test("another trace is asked about once it has rested, and until then the old answer is stale", async () => {
  let held = true;
  const { why, asked } = store({ held: () => held });
  why.ask("a");
  asked[0].answer({ total: 1 });
  await settled();
  why.follow("another 1");
  assert.deepEqual([why.lanes[0].stale, why.lanes[0].fate.total, asked.length], [true, 1, 1]);
  await settled();
  assert.equal(asked.length, 1); // the slider is held
  held = false;
  await until(() => asked.length > 1);
  assert.match(asked[1].path, /another%201/);
  asked[1].answer({ total: 2 });
  await settled();
  assert.deepEqual([why.lanes[0].stale, why.lanes[0].fate.total], [false, 2]);
});

test("an answer about a trace that is left is thrown away; one that is known stands at once", async () => {
  const { why, tid, asked } = store();
  why.ask("a");
  why.follow("another 2");
  asked[0].answer({ total: 1 });
  await settled();
  assert.equal(why.lanes[0].fate, null);
  why.follow(tid);
  assert.deepEqual([why.lanes[0].fate?.total, why.lanes[0].stale], [1, false]);
});

test("a run that grows is asked about again, and its lanes are not stale meanwhile", async () => {
  const { why, asked } = store();
  why.ask("a");
  asked[0].answer({ steps: 1 });
  await settled();
  why.follow(why.tid, 5);
  why.follow(why.tid, 6);
  assert.equal(why.lanes[0].stale, false);
  await until(() => asked.length > 1);
  assert.deepEqual(
    asked.slice(1).map(({ path }) => path.match(/seen=\d+/)[0]),
    ["seen=6"],
  );
});

test("a question that fails says why, and can be asked again", async () => {
  const { why, asked } = store();
  why.ask("a");
  asked[0].refuse(new Error("The server does not answer."));
  await settled();
  assert.deepEqual([why.lanes[0].fate, why.lanes[0].failed], [null, "The server does not answer."]);
  why.retry(0);
  assert.deepEqual([why.lanes[0].failed, asked.length], ["", 2]);
});

test("closed, nothing is asked; opened again, what is on screen then is", async () => {
  const { why, asked } = store();
  why.ask("a");
  why.close();
  why.follow("another 3");
  await settled();
  assert.equal(asked.length, 1);
  why.reopen();
  assert.match(asked[1].path, /another%203/);
});

test("the address holds up to four texts, and gives them back", () => {
  const { why } = store();
  why.ask("a & b");
  why.ask("c");
  assert.deepEqual(why.query, { why: "a & b", why2: "c" });
  const { why: other, asked } = store();
  other.restore({ why: "a & b", why2: "c", why3: " ", step: "4" });
  assert.deepEqual([texts(other), other.at, other.open, asked.length], [["a & b", "c"], 0, true, 2]);
  other.choose(1);
  other.restore({ why: "c", why2: "d" });
  assert.deepEqual([texts(other), other.chosen.text, asked.length], [["c", "d"], "c", 3]); // that about "c" is under way
  other.restore({});
  assert.equal(other.open, false);
  assert.deepEqual(withoutWhy({ policy: "p", why: "a", why2: "b" }), { policy: "p" });
});

test("who listens hears of every change until it has enough", () => {
  const { why } = store();
  let heard = 0;
  const stop = why.watch(() => (heard += 1));
  why.ask("a");
  why.bring(false);
  why.bring(false);
  assert.equal(heard, 2);
  stop();
  why.close();
  assert.equal(heard, 2);
});

test("what would have kept it comes line by line until it is stopped; a failure is the last line", async () => {
  const lines = async (_path, each) => {
    each({ row: { change: "keep_recent" } });
    throw new Error("gone");
  };
  const why = new WhyStore({ ...server(), lines });
  why.follow("t");
  why.ask("a");
  const got = [];
  why.fixes(0, 12, (line) => got.push(line));
  await settled();
  assert.deepEqual(got, [{ row: { change: "keep_recent" } }, { failed: "gone" }]);
  const stop = why.fixes(0, 12, (line) => got.push(line));
  stop();
  await settled();
  assert.equal(got.length, 3);
});

test("lines are read however they are cut on the way", async () => {
  const bytes = new TextEncoder().encode('{"a":"é"}\n\n{"a":2}\n{"a":3}');
  const parts = [bytes.slice(0, 7), bytes.slice(7, 13), bytes.slice(13)];
  const read = async () => (parts.length ? { done: false, value: parts.shift() } : { done: true });
  const got = [];
  await readLines({ read }, ({ a }) => got.push(a));
  assert.deepEqual(got, ["é", 2, 3]);
});
