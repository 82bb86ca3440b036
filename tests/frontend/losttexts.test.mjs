// Which lost texts Why goes through, and in which order.
import assert from "node:assert/strict";
import { test } from "node:test";
import { changedRequests, lostTexts } from "../../viewer/frontend/run/losttexts.js";

const said = (text, rank, more = {}) => ({ kind: "said", text, followed: text, at: 0, used_at: -1, said_again_at: -1, rank, ...more });
const asked = (at, kind, text, followed = true) => ({ at, kind, text, followed });
const NO_REQUESTS = { of: 0, gone: 0, listed: [], took: [], at: -1 };
const row = (index, more = {}) => ({
  index,
  step: 10 * (index + 1),
  told: [],
  names: [],
  rules: [0, 0],
  requests: NO_REQUESTS,
  unreadable: "",
  ...more,
});
const texts = (rows, k) => lostTexts(rows, k).map(({ text, step }) => `${text} ${step}`);

test("statements of all compactions come by how much they matter, the one whose story is told first; of one compaction as its row has them", () => {
  const rows = [
    row(0, { told: [said("a", 2), said("d", 4)], rules: [2, 0] }),
    row(1, { told: [said("b", 2), said("story", 3, { used_at: 40 }), said("left out", 5, { followed: "" })], rules: [3, 1] }),
  ];
  assert.deepEqual(texts(rows), ["story 20", "a 10", "b 20", "d 10"]);
  assert.deepEqual(texts(rows, 1), ["b 20", "story 20"]);
});

test("behind the statements the requests that are gone, of each compaction first the one that it quotes, what is still being worked on before all", () => {
  const took = [asked(1, "answered", "one…"), asked(3, "answered", "two"), asked(5, "answered", "back again")];
  const open = asked(8, "open", "now");
  const listed = [asked(0, "partly", "in part"), ...took.slice(0, 2), asked(6, "reworded", "other words"), open];
  const rows = [
    row(0, { requests: { ...NO_REQUESTS, of: 3, took, at: 3 } }),
    row(1, { requests: { ...NO_REQUESTS, of: 5, listed, took: [open], at: 8 } }),
  ];
  assert.deepEqual(texts(rows), ["now 20", "two 10", "one 10"]);
  const [first, ...rest] = rows;
  assert.deepEqual(texts([{ ...first, told: [said("a", 2)], rules: [1, 0] }, ...rest]), ["a 10", "now 20", "two 10", "one 10"]);
  assert.deepEqual(texts(rows, 0), ["two 10", "one 10", "back again 10"]);
  assert.deepEqual(
    changedRequests(rows).map(({ text }) => text),
    ["in part", "other words"],
  );
});

test("a request that a statement is part of is told with it", () => {
  const took = [asked(2, "answered", "no, can we add tests?"), asked(4, "answered", "no")];
  const rows = [row(0, { told: [said("no", 2, { at: 2 })], rules: [1, 0], requests: { ...NO_REQUESTS, of: 2, gone: 2, took } })];
  assert.deepEqual(
    lostTexts(rows).map(({ text, request }) => [text, request]),
    [
      ["no", "no, can we add tests?"],
      ["no", undefined],
    ],
  );
});

test("a statement that goes on where the beginning of its request ends is told with it", () => {
  const took = [asked(2, "answered", "write the plan…")];
  const rows = [
    row(0, { told: [said("write the plan so that a new session can follow it", 2, { at: 2 })], requests: { ...NO_REQUESTS, of: 1, gone: 1, took } }),
  ];
  assert.deepEqual(
    lostTexts(rows).map(({ text, request }) => [text, request]),
    [["write the plan so that a new session can follow it", "write the plan"]],
  );
});

test("names that were needed later come behind what the user said", () => {
  const names = [said("a.py", 0, { kind: "name" })];
  assert.deepEqual(texts([row(0, { names })]), ["a.py 10"]);
  assert.deepEqual(texts([row(0, { names, told: [said("a", 2)], rules: [1, 0] })], 0), ["a 10", "a.py 10"]);
  assert.deepEqual(texts([]), []);
});

test("a request that a compaction quotes comes once; of the first of very many compactions the requests are those that each took", () => {
  const took = [asked(1, "answered", "one"), asked(3, "open", "two")];
  const told = [said("two, and all of it", 0, { kind: "newest", at: 3 })];
  const rows = [row(0, { told, requests: { ...NO_REQUESTS, of: 3, gone: 2, took, at: 3 } })];
  assert.deepEqual(texts(rows, 0), ["two, and all of it 10", "one 10"]);
  assert.deepEqual(texts(rows), ["two 10", "one 10"]);
});
