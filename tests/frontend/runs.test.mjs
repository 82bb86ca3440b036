// The Runs page: what is listed, opened, resumed and deleted.
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { requests, press, serve, settled, texts, type } from "./dom.mjs";

const { dollars } = await import("../../viewer/frontend/lib/format.js");
const { statusWords } = await import("../../viewer/frontend/live/statewords.js");
const { beforeReason } = await import("../../viewer/frontend/run/statuswords.js");
const { listed, numbered, parentName, statusText } = await import("../../viewer/frontend/library/runlist.js");
const { deleteWords } = await import("../../viewer/frontend/library/runactions.js");
const { Runs } = await import("../../viewer/frontend/library/runs.js");

const run = (id, more = {}) => ({
  ...{
    id,
    title: `Run ${id}`,
    status: "ended",
    why: "answered",
    problem: "",
    open: false,
    agent: "Demo agent",
    model: "demo",
    policy: "agentkit.memory",
    settings: "",
    messages: 1,
    compactions: 0,
    calls: 1,
  },
  ...{
    prompt: 0,
    output: 0,
    cost: null,
    free: false,
    priced: 0,
    began: "",
    changed: `2026-03-0${id}T00:00:00Z`,
    fork: "",
    parent: "",
    parent_title: "",
    forked_at: "",
  },
  ...more,
});
const RUNS = [
  run("1", { status: "failed", why: "", problem: "rate_limit", prompt: 900, output: 100, cost: 0.0123, priced: 1 }),
  run("2", { title: "<b>Fines</b>", calls: 7, cost: 0.5, priced: 6 }),
  run("3", { policy: "aider" }),
];
const ids = (query, column, down) => listed(RUNS, query, { column, down }).map(({ id }) => id);

test("runs are found by every word of title, model, policy or status, and sorted by any column", () => {
  assert.deepEqual([ids("", "changed", true), ids("fines", "changed", true), ids("failed demo", "changed", true)], [["3", "2", "1"], ["2"], ["1"]]);
  assert.deepEqual(
    [ids("", "cost", true), ids("", "cost", false)],
    [
      ["2", "1", "3"],
      ["1", "2", "3"],
    ],
  );
  assert.deepEqual([ids("", "calls", true)[0], ids("", "tokens", false), ids("", "status", false)[2]], ["2", ["1", "2", "3"], "1"]);
});

test("a text in quotes is found as it is typed", () => {
  const found = (query) =>
    listed([run("1", { title: "fix git-ai, then lint" }), run("2", { title: "then fix" })], query, { column: "changed", down: true }).map(
      ({ id }) => id,
    );
  assert.deepEqual(
    [found('"git-ai"'), found("git-ai"), found("fix then"), found('"fix then"'), found('"then fix')],
    [["1"], ["1"], ["2", "1"], [], ["2"]],
  );
});

test("the Runs page says the status of a run in the words of the Live page", () => {
  const cases = [
    ["ended", "answered", "Ended: the agent has answered"],
    ["ended", "reached the limit of 50 model calls per turn", "Ended: reached the limit of 50 model calls per turn"],
    ["stopped", "stopped manually", "Stopped manually"],
    ["ready", "", "Ready"],
    ["failed", "", "Failed: rate limit", "rate_limit"],
  ];
  for (const [status, why, words, problem = ""] of cases) {
    const { lead, rest } = statusWords({ status, why, error: problem ? { kind: problem } : null });
    assert.deepEqual([statusText({ status, why, problem }), [beforeReason(lead, status, rest), rest].filter(Boolean).join(" ")], [words, words]);
  }
});

test("a cost is in dollars, a small one with the digits that count", () => {
  assert.deepEqual([0, 0.000031, 0.0123, 1.5, 1234.5].map(dollars), ["$0", "$0.000031", "$0.0123", "$1.50", "$1,234.50"]);
});

beforeEach(() => {
  sessionStorage.clear();
  history.replaceState(null, "", "http://localhost:8501/runs");
});

/** The page, and what it told Python. @param {object[]} rows */
async function made(rows = RUNS) {
  const told = [];
  let left = rows;
  serve({
    "api/runs/restore": (_, { ids }) => ((left = rows), { restored: ids, kept: [] }),
    "api/runs/delete": (_, { ids }) => ((left = left.filter(({ id }) => !ids.includes(id))), { deleted: ids, kept: [] }),
    "api/runs": () => ({ rows: left, total: left.length }),
  });
  document.body.replaceChildren();
  const part = new Runs(document.body, (name, value) => told.push([name, value]));
  part.update();
  clearTimeout(part.poll);
  await new Promise((done) => setImmediate(done));
  await settled();
  return { part, told, root: part.root, done: () => part.destroy() };
}
const named = (root, text) => [...root.querySelectorAll("button")].find((node) => node.textContent === text);

test("a run shows its status in words, and tokens and cost only where they were recorded", async () => {
  const { root, done } = await made();
  assert.deepEqual(texts(root, ".fl-run-status"), ["Ended", "Ended", "Failed"]);
  assert.deepEqual(texts(root, '.fl-long-row [data-column="status"] .fl-listed-where'), [
    "the agent has answered",
    "the agent has answered",
    "rate limit",
  ]);
  assert.deepEqual(texts(root, '.fl-long-row [data-column="tokens"]'), ["–", "–", "900"]);
  assert.deepEqual(texts(root, '.fl-long-row [data-column="cost"]'), ["–", "≥ $0.5000", "$0.0123"]);
  const costs = [...root.querySelectorAll('.fl-long-row [data-column="cost"] span')].map(({ title }) => title);
  assert.deepEqual(costs, [
    "The server reported no cost",
    "The server reported it for 6 of 7 model calls",
    "The server reported it for 1 of 1 model call",
  ]);
  assert.match(root.querySelector('[role=columnheader][data-column="cost"] button').title, /as the server reported it/);
  assert.equal(root.querySelector('[role=columnheader][data-column="tokens"] button').textContent, "Tokens sent");
  assert.deepEqual(texts(root, ".fl-listed-title"), ["Run 3", "<b>Fines</b>", "Run 1"]);
  done();
});

test("a run of the demo agent is free, and says why; it comes before all that cost something", async () => {
  const { root, done } = await made([run("1", { free: true }), run("2", { cost: 0.5, priced: 1 }), run("3")]);
  root.querySelector('[data-column="cost"] button').click();
  root.querySelector('[data-column="cost"] button').click();
  assert.deepEqual(texts(root, '.fl-long-row [data-column="cost"]'), ["free", "$0.5000", "–"]);
  assert.match(root.querySelector('.fl-long-row [data-column="cost"] span').title, /is a script/);
  done();
});

test("a fork is told from its run at a glance, by what it is a fork of and where it begins, its compactions and its settings", async () => {
  const fork = {
    fork: "“Run 1” at message 58",
    parent: "1",
    parent_title: "Run 1",
    forked_at: "message 58",
    settings: "budget 6,000, keep_recent 6",
    compactions: 2,
  };
  const { root, done } = await made([run("1"), run("2", { title: "Fork of Run 1", ...fork })]);
  assert.deepEqual(texts(root, ".fl-listed-title"), ["Run 2 Fork of Run 1", "Run 1 Run 1"]);
  assert.deepEqual(texts(root, '[data-column="title"] .fl-listed-where'), [
    "from\u00a0run 1\u00a0at message 58demo · Demo agent",
    "agentkit.memory, budget 6,000, keep_recent 6",
    "demo · Demo agent",
    "agentkit.memory",
  ]);
  assert.deepEqual(texts(root, '.fl-long-row [data-column="compactions"]'), ["2", "–"]);
  assert.deepEqual(texts(root, '.fl-long-row [data-column="policy"] .fl-listed-where'), ["budget 6,000, keep_recent 6", ""]);
  done();
});

test("runs of one title are numbered from the oldest; a fork of another names that by its title, or by what it was", () => {
  const rows = [run("3"), run("2", { title: "Fines" }), run("1", { title: "Fines" })];
  assert.deepEqual(
    [...numbered(rows)],
    [
      ["1", 1],
      ["2", 2],
    ],
  );
  const name = (more) => parentName(run("4", { fork: "…", ...more }), rows, numbered(rows));
  assert.equal(name({ parent: "2", parent_title: "Fines" }), "run 2");
  assert.equal(name({ parent: "3", parent_title: "Its name then" }), "“Run 3”");
  assert.equal(name({ parent: "gone", parent_title: "Its name then" }), "“Its name then”");
});

test("who deletes runs is told which, and which of them are not done; the Delete key asks the same", async () => {
  const rows = [
    run("1", { title: "Fines", status: "paused", why: "step mode", open: true }),
    run("2", { title: "Fines", fork: "“Fines” at message 4", forked_at: "message 4" }),
  ];
  assert.equal(
    deleteWords(rows),
    "Delete 2 runs: “Fines” (paused), “Fines” (fork at message 4)? One of them is in the middle of a turn and is stopped first. You can undo it for a minute, but not the stop; then the files are removed from this machine.",
  );
  assert.match(deleteWords(rows, numbered(rows)), /^Delete 2 runs: run 1 “Fines” \(paused\), run 2 “Fines” \(fork at message 4\)\?/);
  const long = [run("1", { title: "word ".repeat(40), open: true, status: "running" })];
  assert.match(deleteWords(long), /^Delete 1 run: “(word ){10,11}word…” \(running\)\? It is in the middle of a turn and is stopped first\./);
  assert.match(deleteWords(Array.from({ length: 5 }, () => run("1"))), /^Delete 5 runs: “Run 1”, “Run 1”, “Run 1” and 2 more\? You can undo/);
  const { root, done } = await made(rows);
  press(root.querySelector(".fl-long"), "Delete");
  assert.match(root.querySelector(".fl-run-sure").textContent, /^Delete 1 run: run 2 “Fines” \(fork at message 4\)\?/);
  assert.equal(document.activeElement, named(root, "Confirm delete"));
  assert.ok(!requests.some(([method]) => method === "POST"));
  done();
});

test("a run in the middle of a turn is stopped and deleted once that is confirmed; one that was left in it is only deleted", async () => {
  const { root, done } = await made([run("1", { status: "paused", open: true }), run("2", { status: "running" })]);
  const list = root.querySelector(".fl-long");
  const asked = () => [root.querySelector(".fl-run-sure").textContent, document.activeElement.textContent];
  const sent = () => requests.filter(([method]) => method === "POST").map(([, , body]) => body);
  press(list, "End");
  press(list, "Delete");
  assert.match(asked()[0], /^Delete 1 run: “Run 1” \(paused\)\? It is in the middle of a turn and is stopped first\. You can undo it/);
  assert.equal(asked()[1], "Stop and delete");
  named(root, "Cancel").click();
  press(list, " ");
  press(list, "Home");
  press(list, "Delete");
  assert.match(asked()[0], /^Delete 1 run: “Run 2”\? You can undo it for a minute; then/);
  assert.equal(asked()[1], "Confirm delete");
  named(root, "Cancel").click();
  press(list, "End");
  press(list, " ");
  press(list, "Delete");
  assert.match(asked()[0], /^Delete 2 runs: .* One of them is in the middle of a turn and is stopped first\./);
  named(root, "Stop and delete").click();
  await settled();
  assert.deepEqual(sent(), [{ ids: ["1", "2"], stop: true }]);
  done();
});

test("a run that could not be deleted says why, and counts none", async () => {
  const { root, done } = await made();
  serve({ "api/runs/delete": { deleted: [], kept: [["3", "it is open elsewhere: close it there"]] }, "api/runs": { rows: RUNS, total: 3 } });
  press(root.querySelector(".fl-long"), "Delete");
  named(root, "Confirm delete").click();
  await settled();
  assert.deepEqual(
    [root.querySelector(".fl-run-said").textContent, named(root, "Undo").hidden],
    ["Not deleted: it is open elsewhere: close it there", true],
  );
  done();
});

test("once all runs were deleted, the page says that none is left", async () => {
  const { root, done } = await made([run("1")]);
  press(root.querySelector(".fl-long"), "Delete");
  named(root, "Confirm delete").click();
  await settled();
  assert.deepEqual([root.querySelector(".fl-bare h2").textContent, named(root, "Undo").hidden], ["No runs left", false]);
  done();
});

test("what was deleted is put back by Undo, and by Ctrl Z, for a minute", async (t) => {
  const { root, part, done } = await made();
  const list = root.querySelector(".fl-long");
  for (const undo of [() => named(root, "Undo").click(), () => press(list, "z", { ctrlKey: true })]) {
    assert.equal(named(root, "Undo").hidden, true);
    press(list, "Delete");
    named(root, "Confirm delete").click();
    await settled();
    assert.deepEqual([root.querySelector(".fl-run-said").textContent, named(root, "Undo").hidden], ["1 run deleted", false]);
    assert.equal(texts(root, ".fl-listed-title").length, 2);
    undo();
    await settled();
    assert.equal(root.querySelector(".fl-run-said").textContent, "1 run put back");
    assert.deepEqual(texts(root, ".fl-listed-title"), ["Run 3", "<b>Fines</b>", "Run 1"]);
  }
  press(list, "Delete");
  named(root, "Confirm delete").click();
  await settled();
  t.mock.timers.enable({ apis: ["Date"], now: Date.now() + 60_000 });
  await part.refresh();
  assert.deepEqual([root.querySelector(".fl-run-said").textContent, named(root, "Undo").hidden], ["", true]);
  const before = requests.length;
  press(list, "z", { ctrlKey: true });
  await settled();
  assert.ok(!requests.slice(before).some(([, path]) => path === "api/runs/restore"));
  done();
});

test("a search that finds no run says what was searched, and is cleared by a press", async () => {
  const { root, part, done } = await made();
  type(part.field, "loans.csv");
  assert.match(
    root.querySelector(".fl-pick-none").textContent,
    /^No matching runs\. Titles, models, policies and statuses were searched, not messages\./,
  );
  named(root, "Clear search").click();
  assert.deepEqual([texts(root, ".fl-listed-title").length, part.field.value, root.querySelector(".fl-pick-none").hidden], [3, "", true]);
  done();
});

test("a click opens a run; one that has failed can be resumed", async () => {
  const { root, told, done } = await made();
  root.querySelector(".fl-listed-title").click();
  named(root, "Resume").click();
  assert.deepEqual(told, [
    ["open", { id: "3", resume: false }],
    ["open", { id: "1", resume: true }],
  ]);
  done();
});

test("several runs are selected by key, and deleted only once that is confirmed", async () => {
  const { root, part, done } = await made();
  const list = root.querySelector(".fl-long");
  press(list, " ");
  press(list, "ArrowDown");
  press(list, " ");
  assert.equal(root.querySelector(".fl-run-actions span").textContent, "2 runs selected");
  named(root, "Delete…").click();
  assert.ok(!requests.some(([method]) => method === "POST"));
  named(root, "Cancel").click();
  named(root, "Delete…").click();
  named(root, "Confirm delete").click();
  await settled();
  assert.deepEqual(requests.find(([method]) => method === "POST")[2], { ids: ["2", "3"], stop: false });
  assert.deepEqual(
    [texts(root, ".fl-listed-title"), root.querySelector(".fl-run-said").textContent, part.selected.size],
    [["Run 1"], "2 runs deleted", 0],
  );
  done();
});

test("all runs that the search found are selected at once, and let go again", async () => {
  const { root, part, done } = await made();
  type(part.field, "demo");
  root.querySelector(".fl-run-first input").click();
  named(root, "Select all 3").click();
  assert.deepEqual([[...part.selected], named(root, "Select all 3").hidden], [["3", "2", "1"], true]);
  assert.equal(document.activeElement.getRootNode().activeElement ?? document.activeElement, root.querySelector(".fl-long"));
  named(root, "Clear").click();
  assert.deepEqual([part.selected.size, root.querySelector(".fl-run-hint") !== null], [0, true]);
  done();
});

const formsIn = (root) => [...root.querySelectorAll(".fl-share option")].map(({ value }) => value);

test("the list is shared in its order; a run of it where one is selected, or highlighted", async () => {
  const { root, part, done } = await made();
  serve({ "api/share": { found: [], list: "x" }, "api/runs": { rows: RUNS, total: 3 } });
  type(part.field, "run");
  named(root, "Share…").click();
  await settled();
  assert.deepEqual(formsIn(root).slice(0, 4), ["csv", "parquet", "json", "html"]);
  assert.deepEqual(requests.findLast(([method]) => method === "POST").slice(1), ["api/share/list/runs/secrets", { ids: ["3", "1"] }]);
  root.querySelector(".fl-share select").value = "openai";
  root.querySelector(".fl-share select").dispatchEvent(new Event("change"));
  await settled();
  assert.deepEqual(requests.findLast(([method]) => method === "POST").slice(1), ["api/share/session/secrets", { run: "3" }]);
  part.share.node.close();
  root.querySelectorAll(".fl-run-first input")[1].click();
  named(root.querySelector(".fl-run-actions"), "Share…").click();
  assert.deepEqual([root.querySelector(".fl-share select").value, root.querySelector(".fl-share-of").textContent], ["html", "Run 1"]);
  part.share.node.close();
  root.querySelectorAll(".fl-run-first input")[0].click();
  named(root, "Share…").click();
  assert.deepEqual(formsIn(root), ["csv", "parquet", "json"]);
  done();
});

test("who cancels a change of a run is back where they were", async () => {
  const { root, done } = await made();
  root.querySelector(".fl-run-first input").click();
  for (const name of ["Rename…", "Delete…"]) {
    named(root, name).click();
    named(root, "Cancel").click();
    assert.equal(document.activeElement, named(root, name));
  }
  done();
});

test("a row that is pointed at says all that is known of the run", async () => {
  const { root, done } = await made();
  const titles = [...root.querySelectorAll(".fl-long-row")].map((node) => node.title.split("\n"));
  assert.deepEqual(titles[1], [
    "<b>Fines</b>",
    "demo · Demo agent · agentkit.memory",
    "Ended: the agent has answered",
    "0 tokens in, 0 out, in 7 model calls",
    "≥ $0.5000, reported for 6 of 7 model calls",
    "2",
  ]);
  done();
});

test("a slash goes to the search, and a question mark tells the keys", async () => {
  const { root, part, done } = await made();
  press(root.querySelector(".fl-long"), "/");
  assert.equal(document.activeElement, part.field);
  press(root.querySelector(".fl-long"), "?");
  assert.deepEqual(texts(root, "dialog.fl-list-keys h2"), ["Keys of Runs"]);
  done();
});

test("the search and the sort are in the address", async () => {
  const { root, part, done } = await made();
  type(part.field, "demo");
  root.querySelector('[data-column="calls"] button').click();
  assert.equal(location.search, "?q=demo&sort=-calls");
  done();
});

test("where there are no runs, the page says what a run is and leads to the Live page", async () => {
  const { root, told, done } = await made([]);
  assert.match(root.querySelector(".fl-bare").textContent, /^No runs yetA run is an agent at work/);
  assert.deepEqual([root.querySelector(".fl-bare").hidden, root.querySelector(".fl-pick-none").hidden], [false, true]);
  named(root, "Start a run on Live").click();
  assert.deepEqual(told, [["open", { id: "", resume: false }]]);
  done();
});
