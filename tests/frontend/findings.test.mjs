import assert from "node:assert/strict";
import { test } from "node:test";
import "./dom.mjs";
import { Asker, ask, findingsPath, lossesPath, overviewPath } from "../../viewer/frontend/lib/api.js";
import {
  aboutWords,
  columnAt,
  columnsOf,
  countWords,
  kindWords,
  marksOf,
  noneWords,
  shapeAt,
  stepOfMark,
  tipOf,
  whereWords,
  worstOf,
} from "../../viewer/frontend/run/findingwords.js";
import { smallRun } from "./small_run.mjs";
import { Findings } from "../../viewer/frontend/debugger/findingstore.js";
import { LossesView } from "../../viewer/frontend/debugger/losses.js";

/** A run with so many compactions. */
const withSome = (compactions) => ({ compactions, epochOf: () => 0, compactionAt: () => -1, view: { c: { micro: new Array(compactions).fill(0) } } });
const ROW = { failed: false, first: 2, last: 2, times: 1, step: 212, last_step: 212 };

test("a row says which compactions have the finding", () => {
  assert.equal(whereWords(ROW, withSome(9)), "compaction 3 of 9");
  const run = { ...ROW, last: 39, times: 38, last_step: 1900 };
  assert.equal(whereWords(run, withSome(50)), "compactions 3 to 40 of 50, 38 times");
});

test("a pass that came to nothing is called no compaction", () => {
  assert.equal(whereWords({ ...ROW, failed: true }, withSome(0)), "compaction attempt failed · after message 213");
  assert.equal(
    whereWords({ ...ROW, failed: true, times: 3, last: 4, last_step: 300 }, withSome(1)),
    "compaction attempt failed, 3 times · after messages 213 to 301",
  );
});

test("a finding of a model call names no compaction", () => {
  assert.equal(whereWords({ ...ROW, call: true }, withSome(9)), "model call · message 213");
});

test("a finding names the messages that it is about, in order; what a compaction put in by its label", () => {
  const run = smallRun();
  assert.equal(aboutWords({ messages: [] }, run), "");
  assert.equal(aboutWords({ messages: [3] }, run), "message 4");
  assert.equal(aboutWords({ messages: [7, 2, 50_000_000], messages_total: 3 }, run), "messages 3, 8, summary #1");
  assert.equal(aboutWords({ messages: [0, 1, 2, 3, 4, 5, 6, 7], messages_total: 20 }, run), "messages 1, 2, 3, 4, 5, 6 and 14 more");
  assert.equal(aboutWords({ messages: [99] }, run), "");
});

test("messages that came before the compaction of a finding are told apart from those that came after", () => {
  const run = smallRun();
  const step = 9; // the compaction, behind nine messages
  assert.equal(aboutWords({ messages: [9, 0, 1], step }, run), "messages 1, 2 before, 10 after");
  assert.equal(aboutWords({ messages: [0, 1], step }, run), "messages 1, 2");
  assert.equal(aboutWords({ messages: [0, 1, 2, 3, 9], step }, run), "messages 1, 2, 3 before, 10 after and 1 more");
});

test("counts are said in words, the worst first, and what there is none of is left out", () => {
  assert.equal(countWords({ error: 1, warning: 4, info: 2 }), "1 error, 4 warnings, 2 info");
  assert.equal(countWords({ error: 0, warning: 1, info: 0 }), "1 warning");
  assert.deepEqual([worstOf({ error: 0, warning: 1, info: 5 }), worstOf({ error: 0, warning: 0, info: 0 })], ["warning", null]);
  assert.equal(kindWords("orphaned_tool_result"), "orphaned tool result");
  // A kind has one name, in the words of the rows, whatever their titles add: "… and was needed", "… in other words".
  assert.equal(kindWords("instruction_gone"), "a rule of the user is gone");
  assert.equal(kindWords("first_user_message_lost"), "first user message");
});

test("an empty list says what was looked at, and what that cannot tell", () => {
  assert.match(noneWords(withSome(0)), /^No compactions/);
  assert.match(noneWords(withSome(1)), /^No findings in 1 compaction\./);
  assert.match(noneWords(withSome(12)), /^No findings in 12 compactions\. Whether a summary is accurate is not checked/);
});

test("severities differ by shape, not by color alone", () => {
  assert.equal(new Set(["error", "warning", "info"].map((s) => shapeAt(s, 10, 20))).size, 3);
  assert.equal(shapeAt("error", 10, 20), "M7 17h6v6h-6z");
});

const WIRE = {
  titles: [
    [0, "Orphan"],
    [1, "Thrash"],
    [2, "Gone"],
  ],
  at: [1, 1, 3],
  first: [[1], [0, 1], [2]],
  count: [1, 4, 1],
};

test("the marks are unpacked: indexes summed, titles with how bad they are", () => {
  const [one, two, three] = marksOf(WIRE);
  assert.deepEqual([one.compaction, two.compaction, three.compaction], [1, 2, 5]);
  assert.deepEqual([one.severity, two.severity, three.severity], [1, 0, 2]);
  assert.deepEqual([two.titles.map((t) => t.text), two.count], [["Orphan", "Thrash"], 4]);
});

test("marks closer than the gap become one, in the color of the worst, which is where it leads", () => {
  const columns = columnsOf(marksOf(WIRE), ({ compaction: k }) => 4 * k, 10);
  assert.deepEqual(
    columns.map((c) => [c.x, c.severity, c.worst.compaction, c.marks.length]),
    [
      [4, 0, 2, 2],
      [20, 2, 5, 1],
    ],
  );
  assert.equal(columnsOf(marksOf(WIRE), ({ compaction: k }) => 40 * k, 10).length, 3);
  assert.deepEqual(
    columnsOf([], () => 0, 10),
    [],
  );
});

test("however many compactions there are, no two columns are nearer than the gap", () => {
  const many = Array.from({ length: 50_000 }, (_, compaction) => ({ compaction, severity: compaction % 3, titles: [], count: 1 }));
  const columns = columnsOf(many, ({ compaction: k }) => k / 50, 10);
  assert.equal(columns.length, 100);
  assert.ok(columns.every((c, k) => !k || c.x - columns[k - 1].x >= 10));
  assert.equal(
    columns.reduce((sum, c) => sum + c.marks.length, 0),
    50_000,
  );
});

test("the pointer finds the nearest column within reach", () => {
  const columns = columnsOf(marksOf(WIRE), ({ compaction: k }) => 4 * k, 10);
  assert.equal(columnAt(columns, 9, 7).x, 4);
  assert.equal(columnAt(columns, 15, 7).x, 20);
  assert.equal(columnAt(columns, 40, 7), null);
});

test("a column says its compactions, its first titles each once, and how many more there are", () => {
  const [column] = columnsOf(marksOf(WIRE), ({ compaction: k }) => k, 100);
  assert.deepEqual(tipOf(withSome(9), column), {
    head: "compactions 2 to 6",
    lines: [
      { severity: "error", text: "Orphan" },
      { severity: "warning", text: "Thrash" },
      { severity: "info", text: "Gone" },
    ],
    rest: "and 3 more",
  });
  const [alone] = columnsOf(marksOf(WIRE), ({ compaction: k }) => 40 * k, 10);
  assert.deepEqual(tipOf(withSome(9), alone), { head: "compaction 2", lines: [{ severity: "warning", text: "Thrash" }], rest: "" });
});

test("a model call with a finding has a mark at the step of its reply, which says its message", () => {
  const marks = marksOf({ ...WIRE, calls: { at: [3], first: [[1]] } });
  assert.equal(marks.length, 4);
  const call = marks[3];
  assert.deepEqual([call.step, call.severity, call.count, stepOfMark(withSome(9), call)], [3, 1, 1, 3]);
  const [alone] = columnsOf([call], () => 5, 10);
  assert.deepEqual(tipOf(withSome(9), alone), { head: "message 4", lines: [{ severity: "warning", text: "Thrash" }], rest: "" });
  const [both] = columnsOf([marks[0], call], () => 5, 10);
  assert.match(tipOf(withSome(9), both).head, /^compaction 2, message 4$/);
});

test("the address of a page", () => {
  assert.equal(findingsPath("t 1"), "api/findings/t%201");
  assert.equal(findingsPath("t", "thrash", 200), "api/findings/t?kind=thrash&from=200");
  assert.equal(findingsPath("t", "", 200), "api/findings/t?kind=&from=200");
});

/** A server that answers when it is let, and what it was asked. */
function server() {
  const asked = [];
  const waiting = new Map();
  const get = (path) => (asked.push(path), new Promise((resolve, reject) => waiting.set(path, { resolve, reject })));
  return {
    app: { get },
    asked,
    answer: (path, body) => waiting.get(path).resolve(body),
    refuse: (path, said) => waiting.get(path).reject(new Error(said)),
  };
}

const page = (total, rows = total, kind = "thrash") => ({
  total,
  matching: { cost: total },
  counts: { error: 0, warning: total, info: 0 },
  kinds: [{ kind, severity: "warning", total }],
  findings: Array.from({ length: rows }, (_, k) => ({ ...ROW, kind, concern: "cost", severity: "warning", step: k })),
  marks: WIRE,
});
const soon = (ms = 5) => new Promise((resolve) => setTimeout(resolve, ms));

test("nothing is asked while the trace keeps changing, nor while a button is held; then once, for the last", async () => {
  const { app, asked, answer } = server();
  let held = true;
  const findings = new Findings(app, { rest: 20, held: () => held });
  for (const tid of ["a1", "a2", "a3"]) findings.follow(tid);
  await soon(70);
  assert.deepEqual(asked, []);
  held = false;
  while (!asked.length) await soon();
  assert.deepEqual(asked, ["api/findings/a3"]);
  answer("api/findings/a3", page(2));
  await soon();
  assert.deepEqual([findings.state, findings.list.total, findings.marks.length], ["here", 2, 3]);
});

test("of a run that goes on it is said what was found so far; once it stops it is counted anew, and meanwhile known that more may be there", async () => {
  const { app, asked, answer } = server();
  const findings = new Findings(app, { rest: 1, held: () => false });
  findings.follow("live-1", 3, true);
  while (!asked.length) await soon();
  answer("api/findings/live-1?seen=3", page(7));
  await soon();
  assert.deepEqual([findings.list.total, findings.soFar, findings.stale], [7, true, false]);
  findings.follow("live-1", 97, false);
  assert.deepEqual([findings.list.total, findings.soFar, findings.stale], [7, true, true]);
  while (asked.length < 2) await soon();
  answer("api/findings/live-1?seen=97", page(8));
  await soon();
  assert.deepEqual([findings.list.total, findings.soFar, findings.stale], [8, false, false]);
});

test("after the release a whole rest goes by: the last place of a slider is still under way", async () => {
  const { app, asked } = server();
  const held = [false, true, true, false];
  const findings = new Findings(app, { rest: 1, held: () => held.shift() ?? false });
  findings.follow("r1");
  while (!asked.length) await soon();
  assert.deepEqual([held.length, asked], [0, ["api/findings/r1"]]);
});

test("findings are asked for once the overview and what the first compactions lost are here, or are refused", async () => {
  const { app, asked, answer, refuse } = server();
  const findings = new Findings(app, { rest: 1 });
  const overview = ask(app, overviewPath("s9"));
  findings.follow("t9");
  await soon(15);
  const losses = ask(app, lossesPath("t9")).catch(() => {});
  answer("api/overview/s9", {});
  await overview;
  await soon(15);
  assert.deepEqual(asked, ["api/overview/s9", "api/losses/t9"]);
  refuse("api/losses/t9", "no");
  await losses;
  const more = ask(app, lossesPath("t9", 8)); // what comes next waits for its turn on the server
  while (asked.length < 4) await soon();
  assert.deepEqual(asked.slice(2), ["api/losses/t9?from=8", "api/findings/t9"]);
  answer("api/losses/t9?from=8", {});
  await more;
});

test("of a simulated run what is in sight is asked for before its findings: what was lost, or the card", async () => {
  const { app, asked, answer } = server();
  const run = smallRun();
  Object.assign(run.view, { tid: "sim1", kind: "simulate" });
  Object.assign(app, { run });
  const losses = new LossesView(app, { open: () => {}, go: () => {}, during: () => null });
  const findings = new Findings(app, { rest: 1 });
  const arrives = async (path) => {
    while (!asked.includes(path)) await soon();
  };
  findings.follow("sim1");
  losses.place();
  await arrives("api/losses/sim1");
  await soon(15);
  assert.deepEqual(asked, ["api/losses/sim1"]);
  const card = new Asker(app, 20);
  card.ask(
    "api/compaction/sim1/0",
    () => {},
    () => {},
  );
  answer("api/losses/sim1", { total: 1, from: 0, rows: [] });
  await arrives("api/compaction/sim1/0");
  await soon(15);
  assert.deepEqual(asked, ["api/losses/sim1", "api/compaction/sim1/0"]);
  answer("api/compaction/sim1/0", {});
  await arrives("api/findings/sim1");
  findings.stop();
});

test("an answer that comes after another trace has come is not shown; it is kept for when its trace is back", async () => {
  const { app, asked, answer } = server();
  const findings = new Findings(app, { rest: 1, held: () => false });
  findings.follow("b1");
  await soon(15);
  findings.follow("b2");
  answer("api/findings/b1", page(1));
  await soon(15);
  assert.deepEqual([findings.state, findings.list, findings.marks], ["waiting", null, []]);
  findings.follow("b1");
  assert.deepEqual([findings.state, findings.list.total], ["here", 1]);
  assert.deepEqual(asked, ["api/findings/b1", "api/findings/b2"]);
});

test("a refusal is told in its own words, and can be tried again", async () => {
  const { app, asked, answer, refuse } = server();
  const findings = new Findings(app, { rest: 1, held: () => false });
  findings.follow("c1");
  await soon(15);
  refuse("api/findings/c1", "this trace is not held any more; reload the page");
  await soon();
  assert.deepEqual([findings.state, findings.error], ["failed", "this trace is not held any more; reload the page"]);
  findings.retry();
  await soon(15);
  answer("api/findings/c1", page(1));
  await soon();
  assert.deepEqual([findings.state, asked.length], ["here", 2]);
});

test("a list that is here whole is filtered here; of a longer one each kind and each page is asked for", async () => {
  const { app, asked, answer } = server();
  const findings = new Findings(app, { rest: 1, held: () => false });
  findings.follow("d1");
  await soon(15);
  answer("api/findings/d1", page(3));
  await soon();
  assert.deepEqual((await findings.rows("thrash", 0)).matching, { cost: 3 });
  assert.deepEqual((await findings.rows("other", 0)).findings, []);
  assert.equal(asked.length, 1);
  findings.follow("d2");
  await soon(15);
  answer("api/findings/d2", page(900, 200));
  await soon();
  assert.equal((await findings.rows("", 0)).findings.length, 200);
  const more = findings.rows("", 200);
  answer("api/findings/d2?kind=&from=200", { matching: { cost: 900 }, findings: [] });
  assert.equal((await more).matching.cost, 900);
});
