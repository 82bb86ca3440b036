// Which of the user's requests went: the list that a sentence of the overview opens.
import assert from "node:assert/strict";
import { test } from "node:test";
import "./dom.mjs";
import { RequestList } from "../../viewer/frontend/debugger/requestlist.js";
import { smallRun } from "./small_run.mjs";

const ASKED = { at: 2, kind: "answered", text: "Never delete an original, not even one that is broken…", followed: true };
const ROW = {
  index: 0,
  step: 9,
  requests: { of: 5, gone: 3, reworded: 2, listed: [ASKED, { at: 3, kind: "partly", text: "Draw it.", followed: false }] },
};

/** The list of a run, what it moved to and what it asked Why about. */
function requestList() {
  const done = [];
  const list = new RequestList(
    { run: smallRun() },
    (step) => done.push(step),
    ({ followed, at }, step) => done.push([followed, at, step]),
  );
  list.show(ROW, "3 of the user's 5 requests are not found.");
  return { list, done };
}

test("the sentence about the requests opens their list, which stays open for the next run and goes with the sentence", () => {
  const { list } = requestList();
  const state = () => [list.head.getAttribute("aria-expanded"), list.list.hidden];
  assert.equal(list.head.textContent, "3 of the user's 5 requests are not found.");
  assert.deepEqual(state(), ["false", true]);
  list.head.click();
  assert.deepEqual(state(), ["true", false]);
  list.show(undefined, "");
  assert.deepEqual(state(), ["true", true], "no request is gone");
  list.show(ROW, "3 of the user's 5 requests are not found.");
  assert.deepEqual(state(), ["true", false]);
  list.head.click();
  assert.deepEqual(state(), ["false", true]);
});

test("each request of the list says what became of it, leads to its message and asks Why; those beyond are counted", () => {
  const { list, done } = requestList();
  const rows = [...list.list.querySelectorAll("li")];
  assert.deepEqual(
    rows.map((row) => row.textContent),
    [`message 3gone, already answered${ASKED.text}`, "message 4in partDraw it.", "and 3 more"],
  );
  assert.match(list.list.textContent, /^As compaction 1 left them. A message that asks for anything counts as a request;/);
  assert.match(list.list.textContent, /A word match tells what is gone and what is there/);
  for (const row of rows.slice(0, 2)) for (const button of row.querySelectorAll("button")) button.click();
  assert.deepEqual(done, [2, ["Never delete an original, not even one that is broken", 2, 9], 3, ["", 3, 9]]);
});

test("a request that was answered and that something needed later says both, and is marked", () => {
  const { list } = requestList();
  list.show({ ...ROW, requests: { ...ROW.requests, listed: [{ ...ASKED, needed_at: 7 }] } }, "1 request is not found.");
  const [row] = list.list.querySelectorAll("li");
  assert.match(row.textContent, /^message 3gone, already answered, but needed again at message 8/);
  assert.equal(row.querySelector(".fl-loss-text").dataset.needed, "1");
});

test("with those that are there word for word the list has every request, in the order in which they were made", () => {
  const { list } = requestList();
  const kept = [1, 4, 6].map((at) => ({ at, kind: "kept", text: "Sort them.", followed: true }));
  list.show({ ...ROW, requests: { ...ROW.requests, gone: 1, reworded: 1, kept } }, "1 of the user's 5 requests is not found.");
  assert.deepEqual(
    [...list.list.querySelectorAll("li")].map((row) => row.querySelector(".fl-link").textContent),
    ["message 2", "message 3", "message 4", "message 5", "message 7"],
  );
  assert.equal(list.list.querySelector("li").textContent, "message 2still there, word for wordSort them.");
});

test("the messages that are not counted stand below the requests, each with the reason and the way to it; also where no request is gone", () => {
  const { list, done } = requestList();
  const others = [
    { at: 4, kind: "goes_on", text: "go on", followed: false },
    { at: 5, kind: "wordless", text: "", followed: false },
  ];
  const show = (requests) =>
    list.show({ ...ROW, requests: { ...ROW.requests, others, uncounted: { goes_on: 2, wordless: 1 }, ...requests } }, "All are there.");
  show({});
  const [asked, rest] = [...list.list.querySelectorAll("ul")].map((ul) => [...ul.children].map((row) => row.textContent));
  assert.equal(asked.at(-1), "and 3 more");
  assert.deepEqual(rest, ["message 5asks for nothing newgo on", "message 6has no words", "and 1 more"]);
  for (const button of list.list.querySelectorAll("ul:last-child button")) button.click();
  assert.deepEqual(done[0], 4, "its message");
  assert.match(list.head.title, /^A message that asks .* A request is gone where no sentence of a summary /);
  show({ of: 0, gone: 0, reworded: 0, listed: [] });
  assert.equal(list.list.querySelectorAll("ul").length, 1);
  assert.match(list.list.textContent, /Not counted as requests:message 5/);
  assert.match(list.head.title, /^A message that asks .* the agent was working on\. A word match /, "nothing is missing");
});
