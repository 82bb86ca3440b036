// Why in the inspector on a page: its tabs, its links, what it lets a person try, and the way back.
import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { press, serve, settled, texts } from "./dom.mjs";
import { App } from "../../viewer/frontend/debugger/app.js";
import { adviceOf } from "../../viewer/frontend/why/advice.js";
import { FixTable } from "../../viewer/frontend/why/fixtable.js";
import { Remedies } from "../../viewer/frontend/why/remedies.js";
import { fate, gone, happened } from "./fates.mjs";
import { FOLDED, NONE, run } from "./packed.mjs";

const QUERY = { source: "sample:a", policy: "agentkit.memory", budget: 100, keep_recent: 2, meter: "m" };
const FIX = {
  change: "as it is",
  value: "",
  text: "As it is",
  now: false,
  kept: true,
  cure: true,
  helps: true,
  drawbacks: [],
  compacted_at: [4],
  peak_tokens: 90,
  tokens_sent: 300,
  query: {},
};
const ROWS = [
  { ...FIX, now: true, kept: false, cure: false, helps: false },
  {
    ...FIX,
    change: "budget",
    value: 400,
    text: "budget 100 → 400",
    tokens_sent: 600,
    query: { policy: "agentkit.memory", budget: 400, keep_recent: 2 },
  },
  {
    ...FIX,
    change: "keep_recent",
    value: 4,
    text: "keep_recent 2 → 4",
    tokens_sent: 270,
    query: { policy: "agentkit.memory", budget: 100, keep_recent: 4 },
  },
];

/** One that is kept only in a summary. */
const IN_SUMMARY = { ...ROWS[2], cure: false, in_summary: true, drawbacks: [["in a summary", "Another may not."]] };

const APART = "Kept only for a while, over the budget, or as nothing is ever compacted: not counted";

/** A run that compacts nothing. */
const NEVER = { c: NONE, length: 6, heads: [1], bodies: [1], tails: [0, 1, 0, 1, 0, 1] };

let app;
let serial = 0;
let asked;
let told;
let session;

/** The debugger over the small run, with Why open on a text of this fate. */
async function opened(found = gone(), step = 5) {
  serve({ "api/fate/": found ?? undefined, "api/message/": { role: "user", content: "body", total: 4 }, "api/findings/": undefined });
  app = new App(document.body);
  [asked, told] = [[], []];
  session = `why panel ${++serial}`;
  app.tell = (name, value) => told.push([name, value]);
  app.lines = async (path, each) => void asked.push({ path, each });
  shown({}, String(step));
  app.why.ask(found?.text ?? "do it");
  await settled();
}

/** A run of this session under these settings comes from Python. */
function shown(settings, start = "", id = `why panel ${++serial}`) {
  app.setRun(run({ tid: id, stamp: id }, { sid: "s", session }), { query: { ...QUERY, ...settings }, start });
}

/** The run that was asked for last comes from Python. */
function answersWith(settings, packed = {}) {
  const id = `why panel ${++serial}`;
  app.setRun(run({ ...packed, tid: id, stamp: id }, { sid: "s", session }), { query: { ...QUERY, ...settings }, nth: told.at(-1)[1].nth });
}

/** A run that has come is asked about, and the answer is there. */
async function answered() {
  for (let k = 0; k < 4; k++) await settled();
}

const all = (selector) => [...app.root.querySelectorAll(selector)];
const show = (selector) => all(selector)[0];
const text = (selector) => show(selector)?.textContent;
const inspector = () => app.root.querySelector(".fl-inspector");

afterEach(() => app?.destroy());

test("a question puts Why in front of what is chosen; the other tab shows that as ever, and closing leaves it alone", async () => {
  await opened();
  assert.deepEqual([inspector().dataset.why, text(".fl-why-answer")], ["front", "Gone since compaction 1: summary #1 left it out."]);
  assert.deepEqual(texts(app.root, ".fl-why-answer .fl-unbroken"), ["compaction 1", "summary #1"]); // no line begins with the number
  assert.deepEqual(
    all(".fl-why-tab").map((tab) => [tab.textContent, tab.getAttribute("aria-selected")]),
    [
      ["Why", "true"],
      ["Message 5", "false"],
    ],
  );
  assert.equal(text(".fl-why-quote q"), "do it");
  press(all(".fl-why-tab")[0], "ArrowRight");
  assert.deepEqual([inspector().dataset.why, show(".fl-why-panel").hidden, app.step], ["behind", true, 5]);
  app.go(4);
  assert.equal(all(".fl-why-tab")[1].textContent, "Compaction");
  show('[aria-label="Close Why (Esc)"]').click();
  assert.deepEqual([inspector().dataset.why, show(".fl-why-top")], [undefined, undefined]);
});

test("while a compaction is told, or taken apart, Why tells of the window on show, as its lane does: of the new one from the splice on", async () => {
  await opened(gone(), 3);
  const before = ["In the window.", "Message 2 is 3rd from the end; 2 stay. ", "4", "in the window, compactable"];
  const after = [
    "Gone since compaction 1: summary #1 left it out.",
    "Needed at message 6, when nothing in the window said it. ",
    "#1",
    "not in the window, gone since compaction 1",
  ];
  const said = () => [".fl-why-answer", ".fl-why-lines", '.fl-why-story [aria-current="step"] .fl-why-at', ".fl-lane-name span"].map(text);
  const at = (time) => (app.show.seek(time), said());
  const still = (phase) => (press(app.root, phase), said());
  app.go(4, { animate: true });
  for (const time of [0, 400, 1040, 1180]) assert.deepEqual(at(time), before, time);
  for (const time of [1181, 1500]) assert.deepEqual(at(time), after, time);
  app.show.end();
  assert.deepEqual(said(), after);
  for (const phase of ["1", "2", "3"]) assert.deepEqual(still(phase), before, phase);
  assert.deepEqual(still("4"), after);
  app.go(3);
  app.go(4);
  assert.deepEqual(said(), after, "at once where nothing moves");
});

test("an answer that comes while a compaction is told is heard of the window on show", async () => {
  await opened(gone(), 3);
  app.why.remove(0);
  app.go(4, { animate: true });
  assert.equal(text(".fl-announced"), "Compaction 1: 100 to 57 tokens, 2 messages became summary 1");
  app.why.ask("do it");
  await answered();
  assert.ok(!app.show.now.moment.arrived);
  assert.equal(text(".fl-announced"), "Why: In the window.");
});

test("a step of the story leads there and keeps the panel; the arrows walk from step to step", async () => {
  await opened();
  assert.deepEqual(
    all(".fl-why-story .fl-why-at").map((node) => node.textContent),
    ["2", "#1", "5", "6"],
  );
  const [first, dropped] = all(".fl-why-story button");
  first.focus();
  press(first, "ArrowDown");
  assert.equal(document.activeElement, dropped);
  dropped.click();
  assert.deepEqual([app.step, inspector().dataset.why, document.activeElement === dropped, dropped.isConnected], [4, "front", true, true]);
  assert.equal(show('.fl-why-story [aria-current="step"]').textContent, "#1Gone: left out of summary #1");
  assert.equal(all(".fl-why-story li").length, 3);
});

test("a row of the story leads to its step wherever it is pressed, but for one whose words are being selected", async () => {
  await opened();
  const row = all(".fl-why-story li").at(-1);
  row.querySelector(".fl-why-words").click();
  assert.equal(app.step, 6);
  const [first] = all(".fl-why-story li");
  document.getSelection().selectAllChildren(first.querySelector(".fl-why-words"));
  first.querySelector(".fl-why-words").click();
  assert.equal(app.step, 6);
  first.querySelector("button").click();
  assert.equal(app.step, 1);
  document.getSelection().removeAllRanges();
});

test("no link of the story leaves the page while the cursor moves: it may be pressed just then", async () => {
  await opened();
  const list = show(".fl-why-story");
  const links = [...list.querySelectorAll("li:not(.fl-why-here)")];
  const gone = [];
  list.removeChild = new Proxy(list.removeChild, { apply: (act, self, [node]) => (gone.push(node), Reflect.apply(act, self, [node])) });
  const insert = list.insertBefore;
  list.insertBefore = (node, before) => (node.parentNode === list && gone.push(node), insert.call(list, node, before));
  for (const step of [2, 5, 0, 3]) app.go(step);
  assert.equal(links.filter((node) => gone.includes(node)).length, 0);
  assert.deepEqual(
    [...list.children].map((node) => node.textContent.slice(0, 1)),
    ["2", "4", "#", "6"],
  );
});

test("what is needed shows its evidence as plain text; why it was not kept stands below", async () => {
  await opened();
  const needed = all(".fl-why-story li").at(-1);
  assert.equal(needed.querySelector("q").textContent, "and <b>it</b>?");
  assert.equal(needed.querySelector("b").textContent, "Needed:");
  assert.equal(
    all(".fl-why-section p").at(-1).textContent,
    "Compaction 1: agentkit.memory keeps the newest 2 messages; message 2 was 3rd from the end at #1.",
  );
});

test("changes come in one by one, each in its place", async () => {
  await opened();
  assert.match(asked[0].path, /text=do%20it&step=6$/);
  const names = () => all(".fl-why-fixes tbody th").map((node) => node.textContent);
  for (const row of ROWS) asked[0].each({ row });
  asked[0].each({ progress: [2, 9] });
  assert.deepEqual(names(), ["As it is", "One setting of agentkit.memory", "budget 100 → 400", "keep_recent 2 → 4"]);
  assert.equal(all(".fl-why-foot").at(-1).textContent, "Trying changes: 2 of 9…");
  asked[0].each({ done: true, note: "Summaries are structural." });
  assert.deepEqual(
    all(".fl-why-fixes tbody td:nth-child(5)").map((node) => node.textContent),
    ["", "+100 %, more tokens", "−10 %, fewer tokens"],
  );
  const notes = [...all(".fl-why-foot").at(-1).children].map((node) => node.textContent);
  assert.deepEqual(notes, ["Each row is a run of this session with that one change.", "Summaries are structural."]);
});

const remedies = () =>
  all(".fl-why-remedies li:not([hidden])").map((place) => [
    place.querySelector(".fl-why-what > span")?.textContent ?? place.textContent,
    place.querySelector(".fl-why-cost")?.textContent ?? "",
  ]);

test("directly below the answer three places stand from the start; a change takes the next one and keeps it, with its price and its button", async () => {
  await opened();
  const main = { main: true, cure: true };
  const [now, budget] = ROWS;
  const pin = { ...FIX, ...main, change: "pin message 2", text: "Pin message 2 (~30 tokens)", tokens_sent: 330 };
  const dear = { ...budget, ...main, tokens_sent: 900 };
  const other = { ...FIX, change: "p", text: "p at its defaults", about: "Drops the oldest.", other: true, tokens_sent: 240 };
  assert.deepEqual(remedies(), [
    ["Trying what would have kept it…", ""],
    ["", ""],
    ["", ""],
  ]);
  for (const row of [now, pin, dear]) asked[0].each({ row });
  asked[0].each({ progress: [2, 9] });
  const first = [
    ["Pin message 2: no compaction removes it (~30 tokens)", "+10 % tokens"],
    ["budget 100 → 400", "+200 % tokens"],
  ];
  assert.deepEqual(remedies(), [...first, ["Trying other settings and policies: 2 of 9…", ""]]);
  const press = all(".fl-why-remedies .fl-why-try")[0];
  for (const row of [IN_SUMMARY, other]) asked[0].each({ row });
  asked[0].each({ done: true });
  assert.deepEqual(remedies(), [...first, ["p", "−20 % tokens"]]);
  assert.equal(all(".fl-why-remedies .fl-why-about").at(-1).textContent, "Another policy. Drops the oldest.");
  assert.equal(all(".fl-why-remedies .fl-why-try")[0], press, "it may be pressed just then");
  assert.equal(
    show(".fl-why-answer").compareDocumentPosition(show(".fl-why-remedies")) &
      show(".fl-why-remedies").compareDocumentPosition(show(".fl-why-story")) &
      4,
    4,
  );
});

test("where only other policies would have kept it, the heading says so", async () => {
  await opened();
  const title = () => show(".fl-why-section:has(.fl-why-remedies) h3").textContent;
  const other = { ...FIX, change: "p", text: "p at its defaults", other: true };
  for (const row of [ROWS[0], other]) asked[0].each({ row });
  asked[0].each({ done: true });
  assert.equal(title(), "Other policies that would have kept it");
  await opened();
  for (const row of [ROWS[0], ROWS[1], other]) asked[0].each({ row });
  asked[0].each({ done: true });
  assert.equal(title(), "What would have kept it");
});

test("in a file no change is tried, and none is shown", () => {
  const places = (act) => {
    const remedies = new Remedies(act);
    remedies.show(listed([ROWS[0], ROWS[1]]), {}, null, null);
    return remedies.node.querySelectorAll(".fl-why-try, .fl-why-shown").length;
  };
  assert.deepEqual([places(() => {}), places(null)], [2, 0]);
});

test("the own settings come first, then the cheapest policies; what is only quoted is named where nothing else keeps it", async () => {
  await opened();
  const often = { ...ROWS[1], text: "often at its defaults", other: true, compacted_at: Array(40).fill(4), tokens_sent: 10 };
  for (const row of [ROWS[0], ROWS[1], IN_SUMMARY, often]) asked[0].each({ row });
  asked[0].each({ done: true });
  assert.deepEqual(
    remedies().map(([name]) => name),
    ["budget 100 → 400", "often · compacts 40 times"],
    "no row is empty",
  );
  await opened();
  for (const row of [ROWS[0], IN_SUMMARY, often]) asked[0].each({ row });
  asked[0].each({ done: true });
  assert.deepEqual(
    remedies().map(([name]) => name),
    ["often · compacts 40 times"],
  );
  await opened();
  for (const row of [ROWS[0], IN_SUMMARY, { ...ROWS[1], cure: false, drawbacks: [["over the budget", ""]] }]) asked[0].each({ row });
  asked[0].each({ done: true });
  assert.equal(remedies()[0][0], "keep_recent 2 → 4 · in a summary");
  assert.equal(show(".fl-why-all-changes").textContent, "What was tried", "neither holds by itself");
  await opened();
  asked[0].each({ row: ROWS[0] });
  asked[0].each({ done: true });
  assert.deepEqual(remedies(), [["No single change that was tried keeps it word for word.", ""]]);
});

test("a row that rests on a quote in the place of a summary says so; its group says what that means, and it is not counted", async () => {
  await opened();
  const quoted = { ...IN_SUMMARY, drawbacks: [["only quoted", "A summary that a model writes may leave it out."]] };
  const both = { ...quoted, drawbacks: [...quoted.drawbacks, ["over the budget", ""]] };
  for (const row of [ROWS[0], quoted, { ...IN_SUMMARY, change: "b" }, { ...quoted, other: true }, both]) asked[0].each({ row });
  asked[0].each({ done: true });
  const weak = all(".fl-why-fixes .fl-why-weak").map((node) => node.textContent);
  assert.deepEqual(
    weak.filter((text) => text !== "shown"),
    [" · only quoted", " · in a summary", " · only quoted", " · only quoted", " · over the budget"],
  );
  assert.deepEqual(
    all(".fl-why-group").map((node) => node.textContent),
    [
      "No single setting of agentkit.memory keeps it",
      "Only in a summary, or in a quote in its place, which another summary may leave out: not counted",
      APART,
    ],
  );
});

test("of a recorded run all changes are compared with its agent's policy without a change, which stands below the record; above the costs that is said once", async () => {
  await opened();
  const recorded = { ...ROWS[0], text: "As recorded", query: { policy: "recorded" } };
  const base = {
    ...FIX,
    change: "as it is",
    text: "p simulated, without a change",
    kept: false,
    cure: false,
    helps: false,
    baseline: true,
    tokens_sent: 200,
  };
  const own = { ...ROWS[1], of: "p", main: true };
  const other = { ...FIX, change: "q", text: "q at its defaults", other: true, tokens_sent: 330 };
  for (const row of [recorded, base, { ...own, tokens_sent: 202 }, { ...own, tokens_sent: 200 }, other]) asked[0].each({ row });
  asked[0].each({ done: true, note: "" });
  const costs = remedies().map(([, cost]) => cost);
  assert.deepEqual(costs, ["+1 % tokens", "same tokens", "+65 % tokens"]);
  assert.equal(text(".fl-why-against"), "Own settings first, then the cheapest other policies; tokens against the run without a change");
  const groups = all(".fl-why-group").map((node) => node.textContent);
  assert.deepEqual(groups, ["One setting of p, this agent's policy, with a limit near the recorded one", "Another policy"]);
  const names = all(".fl-why-fixes tbody tr:not(.fl-why-group) th").map((node) => node.textContent);
  assert.deepEqual(names.slice(0, 2), ["As recorded", "p simulated, without a change"]);
  assert.deepEqual(
    all(".fl-why-fixes tbody td:nth-child(5)").map((node) => node.textContent),
    ["", "", "+1 %", "same", "+65 %, more tokens"],
  );
  assert.equal(all(".fl-why-fixes tbody button").length, 3);
});

const listed = (rows, done = true) => ({ rows, progress: null, done, note: "", failed: "" });

test("a row keeps the place at which it came, whatever comes behind it: the next click runs what was read", () => {
  app = null;
  const tried = [];
  const table = new FixTable({ tried: (fix) => tried.push(fix.change), again: () => {} });
  const names = () => [...table.body.querySelectorAll("tr:not(.fl-why-group) th")].map((node) => node.textContent.split(" ")[0]);
  table.show(listed(ROWS.slice(0, 2), false), {});
  table.show(listed(ROWS), {});
  assert.deepEqual(names(), ["As", "budget", "keep_recent"]);
  table.body.querySelector("button").click();
  assert.deepEqual(tried, ["budget"]);
  table.show(listed(ROWS, true), {});
  assert.deepEqual(names(), ["As", "budget", "keep_recent"]);
});

test("below a changed setting stands in plain words what it does", () => {
  app = null;
  const pause = {
    ...ROWS[1],
    change: "gapThresholdMinutes",
    text: "gapThresholdMinutes 60 → 1",
    about: "clear old tool results after a pause of this many minutes",
  };
  const table = new FixTable({ tried: null, again: () => {} });
  table.show(listed([ROWS[0], pause]), { policy: "claude_code.microcompact" });
  const [name, about] = table.body.querySelector("tr:last-child th").children;
  assert.deepEqual([name.textContent, about.textContent], ["gapThresholdMinutes 60 → 1", pause.about]);
});

test("all changes stand behind a button, other policies below the settings once all are tried; it stays open for the next text", () => {
  app = null;
  const others = [7, 3, 9, 1, 8, 2, 6].map((n) => ({ ...FIX, change: `p${n}`, text: `p${n} at its defaults`, tokens_sent: n, other: true }));
  const table = new FixTable({ tried: () => {}, again: () => {} });
  document.body.append(table.node);
  table.show(listed([...ROWS, ...others]), { policy: "agentkit.memory" });
  const below = () => [...table.body.querySelectorAll("th")].map((node) => node.textContent).slice(4);
  const told = () => [table.whole.hidden, table.all.textContent, table.all.getAttribute("aria-expanded")];
  assert.deepEqual(told(), [true, "All 9 changes that would have kept it", "false"]);
  table.all.click();
  assert.deepEqual([told()[0], told()[2]], [false, "true"]);
  const opened = ["Another policy", "p1", "p2", "p3", "p6", "p7", "p8", "p9"];
  assert.deepEqual(below(), opened);
  const again = [...ROWS, ...others].map((fix) => ({ ...fix }));
  table.show(listed(again.slice(0, 6), false), { policy: "agentkit.memory" });
  assert.deepEqual([below(), told()[1]], [[], "All changes as they are tried"], "not before all are tried");
  table.show(listed(again), { policy: "agentkit.memory" });
  assert.deepEqual([below(), table.whole.hidden], [opened, false]);
  table.node.remove();
});

test("what room as recorded means stands below the changes where one is given it, and only there", () => {
  app = null;
  const roomy = (text) => ({ ...FIX, change: "policy, same budget", text: `p at its defaults${text}`, tokens_sent: 9, other: true });
  const told = (fix) => {
    const table = new FixTable({ tried: () => {}, again: () => {} });
    table.show(listed([...ROWS, fix]), { policy: "recorded" });
    return [table.body.querySelector("tr:last-child th > span").textContent, table.foot.textContent];
  };
  const [name, foot] = told(roomy(", with the recorded run's room (~127,898 tokens of messages, the most its window held when it was compacted)"));
  assert.equal(name, "p with room for ~128k tokens, as recorded");
  assert.match(foot, /As recorded: the most tokens of messages that the recorded window held when it was compacted\./);
  const [simulated, why] = told(roomy(", with the room of q as it is simulated (~101,599 tokens of messages)"));
  assert.equal(simulated, "p with room for ~102k tokens, as simulated");
  assert.match(why, /As simulated: the limit of q as it is simulated without a change\./);
  assert.doesNotMatch(told(roomy(", with the same budget of 1,600 tokens"))[1], /room/);
});

test("what keeps a text only for a while, or by never compacting, is marked and is no cure", () => {
  app = null;
  const brief = { ...ROWS[1], cure: false, helps: false, drawbacks: [["only until compaction 11", ""]] };
  const calm = { ...ROWS[2], cure: false, helps: false, drawbacks: [["never compacts", ""]] };
  const table = new FixTable({ tried: () => {}, again: () => {} });
  table.show(listed([ROWS[0], brief, calm]), { policy: "agentkit.memory" });
  const names = () => [...table.body.querySelectorAll("th")].map((node) => node.textContent);
  assert.deepEqual(names().slice(0, 2), ["As it is", "No single setting of agentkit.memory keeps it"]);
  const weak = [APART, "keep_recent 2 → 4 · never compacts", "budget 100 → 400 · only until compaction 11"];
  assert.deepEqual(names().slice(2), weak);
  assert.equal(table.said.textContent, "0 changes would have kept it");
  const other = { ...ROWS[2], change: "p1", text: "p1 at its defaults", other: true };
  table.show(listed([{ ...ROWS[0] }, brief, calm, other]), { policy: "agentkit.memory" });
  assert.deepEqual(names().slice(-3), weak, "below the other policies, too");
  assert.equal(table.all.textContent, "All 1 change that would have kept it");
});

/** What a button says, by which name, and whether it can be pressed. */
const saying = (press) => [press.textContent, press.getAttribute("aria-label"), press.getAttribute("aria-disabled")];

test("Try opens the same file with the change, and says what came of it above the list; Undo goes back, and asks nothing", async () => {
  await opened();
  const before = app.run.view.tid;
  for (const row of ROWS) asked[0].each({ row });
  asked[0].each({ done: true });
  show('[aria-label="Try keep_recent 2 → 4"]').click();
  assert.deepEqual(told, [["address", { nth: 1, query: "source=sample:a&meter=m&policy=agentkit.memory&budget=100&keep_recent=4" }]]);
  const waiting = () => [
    show(".fl-why-tried").getAttribute("aria-busy"),
    show(".fl-why-tried button").hidden,
    ...saying(show('[title="Try keep_recent 2 → 4"]')),
  ];
  const says = ["Trying…", "Trying keep_recent 2 → 4…", "true"];
  assert.deepEqual([text(".fl-why-tried > span"), waiting()], ["Trying keep_recent 2 → 4…", ["true", true, ...says]], "at once");
  show('[title="Try keep_recent 2 → 4"]').click();
  assert.equal(told.length, 1, "a second press asks for nothing");
  serve({ "api/fate/": fate(), "api/message/": { role: "user", content: "body", total: 4 }, "api/findings/": undefined });
  shown({ keep_recent: 4 });
  assert.deepEqual([show(".fl-why-tried").hidden, app.why.lanes.length, inspector().dataset.why], [false, 1, "front"]);
  assert.equal(text(".fl-why-tried"), "Tried keep_recent 2 → 4. Undo");
  await answered();
  assert.deepEqual(waiting(), [null, false, "Try", "Try keep_recent 2 → 4", null]);
  assert.equal(
    text(".fl-why-tried"),
    "keep_recent 2 → 4 keeps it: at message 6, where it was needed, the model could see it. The compaction stays where it was; tokens sent −10 %. Undo" +
      "About this tryThe replies stay as recorded: what the agent would have done with it in sight, nobody knows.",
  );
  const rows = all(".fl-why-fixes tbody tr:not(.fl-why-group)").map((row) => row.querySelector("th").textContent);
  assert.deepEqual(rows, ["As it was", "budget 100 → 400", "keep_recent 2 → 4"]);
  const section = show(".fl-why-section:has(.fl-why-remedies)");
  assert.equal(section.firstElementChild, show(".fl-why-tried"), "what came of it stands under the answer, not under the heading of the list");
  assert.equal(section.querySelector("h3").textContent, "Changes that keep it");
  assert.deepEqual([show('[aria-label="Try keep_recent 2 → 4"]').hidden, show('[aria-label="Try budget 100 → 400"]').hidden], [true, false]);
  show(".fl-why-tried button").click();
  assert.equal(told[1][1].query, "source=sample:a&policy=agentkit.memory&budget=100&keep_recent=2&meter=m");
  shown({}, "", before);
  await answered();
  assert.deepEqual([show(".fl-why-tried").hidden, asked.length, text(".fl-why-fixes tbody th")], [true, 1, "As it is"]);
  assert.equal(section.querySelector("h3").textContent, "What would have kept it");
});

test("of a change whose picture does not come it says so; it can be tried again, and Undo gives back the settings", async () => {
  await opened();
  for (const row of ROWS) asked[0].each({ row });
  const press = show('[title="Try keep_recent 2 → 4"]');
  press.click();
  app.fail("It arrived incomplete.");
  assert.deepEqual(
    [text(".fl-why-tried"), show(".fl-why-tried").getAttribute("aria-busy"), show(".fl-why-tried button").hidden, press.textContent],
    ["keep_recent 2 → 4 could not be tried. Undo", null, false, "Try"],
  );
  press.click();
  assert.deepEqual([told.length, text(".fl-why-tried > span")], [2, "Trying keep_recent 2 → 4…"]);
  app.fail("It arrived incomplete.");
  show(".fl-why-tried button").click();
  assert.equal(told.at(-1)[1].query, "source=sample:a&policy=agentkit.memory&budget=100&keep_recent=2&meter=m");
});

/** Two rows have come when one of them is tried. */
async function triedEarly() {
  await opened();
  for (const row of [ROWS[0], ROWS[2]]) asked[0].each({ row });
  serve({ "api/fate/": fate(), "api/message/": { role: "user", content: "body", total: 4 }, "api/findings/": undefined });
  show('[aria-label="Try keep_recent 2 → 4"]').click();
  shown({ keep_recent: 4 });
  await answered();
}

test("a list that is under way while one of its changes is tried comes to its end", async () => {
  await triedEarly();
  asked[0].each({ row: ROWS[1] });
  asked[0].each({ done: true });
  assert.ok(show('[aria-label="Try budget 100 → 400"]'));
  assert.equal(asked.length, 1);
});

test("a list that was cut off by another question says so where it is come back to", async () => {
  await triedEarly();
  app.why.ask("another text");
  await answered();
  app.why.choose(0);
  await answered();
  assert.match(text(".fl-why-foot"), /The search stopped here; Undo starts it again\./);
});

test("another change of the list takes the place of the one that was tried; Undo goes back to before both", async () => {
  await opened();
  for (const row of ROWS) asked[0].each({ row });
  asked[0].each({ done: true });
  serve({ "api/fate/": fate(), "api/message/": { role: "user", content: "body", total: 4 }, "api/findings/": undefined });
  show('[aria-label="Try keep_recent 2 → 4"]').click();
  shown({ keep_recent: 4 });
  await answered();
  show('[aria-label="Try budget 100 → 400"]').click();
  shown({ budget: 400 });
  await answered();
  assert.match(
    text(".fl-why-tried"),
    /^budget 100 → 400 keeps it: .* The compaction stays where it was; tokens sent \+100 %\. UndoAbout this tryThe replies stay as recorded: /,
  );
  show(".fl-why-tried button").click();
  assert.equal(told.at(-1)[1].query, "source=sample:a&policy=agentkit.memory&budget=100&keep_recent=2&meter=m");
});

test("of a change that does not keep it nothing is said of the replies: the model saw no more than before", async () => {
  await opened();
  for (const row of ROWS) asked[0].each({ row });
  serve({ "api/fate/": gone(), "api/message/": { role: "user", content: "body", total: 4 }, "api/findings/": undefined });
  show('[aria-label="Try keep_recent 2 → 4"]').click();
  shown({ keep_recent: 4 });
  await answered();
  assert.match(text(".fl-why-tried"), /does not keep it: .*tokens sent −10 %\. Undo$/);
});

test("Undo by a key gives the focus back to the button that tried the change, also where the list is made anew; by mouse, and elsewhere, nothing takes it", async () => {
  const name = "Try keep_recent 2 → 4";
  const focused = () => app.root.getRootNode().activeElement;
  const undone = async (done, press) => {
    await opened(gone(), 4);
    const before = app.run.view.tid;
    for (const row of ROWS) asked[0].each({ row });
    if (done) asked[0].each({ done });
    show(".fl-why-all-changes").click();
    show(`[title="${name}"]`).focus();
    show(`[title="${name}"]`).click();
    answersWith({ keep_recent: 4 });
    await answered();
    assert.equal(focused().textContent, "Undo");
    press(focused());
    const first = focused();
    shown({}, "", done ? before : undefined);
    await answered();
    return first;
  };
  const byKey = (undo) => undo.click();
  assert.equal((await undone(true, byKey)).title, name, "at once");
  assert.deepEqual([focused().title, focused().textContent, focused().isConnected], [name, "Try", true]);
  app.destroy();

  const old = await undone(false, byKey);
  for (const row of ROWS) asked.at(-1).each({ row: { ...row } });
  assert.deepEqual([asked.length, old.isConnected, focused().title, focused().isConnected], [2, false, name, true]);
  show(".fl-why-all-changes").focus();
  asked.at(-1).each({ done: true });
  assert.equal(focused(), show(".fl-why-all-changes"), "who has gone on stays there");
  app.destroy();

  await undone(true, (undo) => undo.dispatchEvent(new MouseEvent("click", { bubbles: true, detail: 1 })));
  assert.equal(focused(), app.root);
});

test("Undo leads back to the step at which the change was tried, wherever its run compacts and wherever the cursor went there", async () => {
  await opened(gone(), 4); // compaction 1
  const answer = text(".fl-why-answer");
  for (const row of ROWS) asked[0].each({ row });
  show('[aria-label="Try keep_recent 2 → 4"]').click();
  answersWith({ keep_recent: 4 }, NEVER);
  await answered();
  assert.equal(app.step, 3, "message 4: nothing is compacted behind it");
  app.go(1);
  show('[aria-label="Try budget 100 → 400"]').click();
  answersWith({ budget: 400 });
  await answered();
  show(".fl-why-tried button").click();
  answersWith({});
  await answered();
  assert.deepEqual([app.step, text(".fl-why-answer")], [4, answer]);
});

test("a change that is tried on a compaction leads to the first one of its run behind the same messages or later; where none is it says so", async () => {
  const base = { ...FIX, text: "p simulated, without a change", kept: false, cure: false, helps: false, baseline: true, compacted_at: [5] };
  const later = { ...FOLDED, length: 7, c: { ...FOLDED.c, at: [5] } };
  const tried = async (changes, step = 4, row = ROWS[2]) => {
    await opened(gone(), step);
    for (const one of [ROWS[0], base, { ...row, of: "p" }]) asked[0].each({ row: one });
    show('[aria-label="Try p: keep_recent 2 → 4"]').click();
    answersWith({ keep_recent: 4 }, changes);
    await answered();
    const found = [app.step, app.run.step(app.step).compaction, text(".fl-why-tried > .fl-why-replies")];
    app.destroy();
    return found;
  };
  assert.deepEqual((await tried(later)).slice(0, 2), [5, 0]);
  assert.deepEqual((await tried(later, 3)).slice(0, 2), [3, -1], "who stands on a message stays there");
  const [step, compaction, about] = await tried(NEVER, 4, { ...ROWS[2], compacted_at: [] });
  assert.deepEqual([step, compaction], [3, -1]);
  assert.equal(about, " A simulation: it never compacts; the record did after message 4. This run makes no compaction after message 4.");
});

test("who stood on a compaction when a first change was tried, whose run has none, is led to that of the second", async () => {
  const tried = async (between) => {
    await opened(gone(), 4);
    for (const row of ROWS) asked[0].each({ row });
    show('[aria-label="Try keep_recent 2 → 4"]').click();
    answersWith({ keep_recent: 4 }, NEVER);
    await answered();
    between();
    show('[aria-label="Try budget 100 → 400"]').click();
    answersWith({ budget: 400 });
    await answered();
    const found = [app.step, app.run.step(app.step).compaction];
    app.destroy();
    return found;
  };
  assert.deepEqual(await tried(() => {}), [4, 0]);
  assert.deepEqual(await tried(() => app.go(1)), [1, -1], "who has gone elsewhere stays there");
});

test("who goes elsewhere while the picture of a change is worked out stays there", async () => {
  await opened(gone(), 4);
  for (const row of ROWS) asked[0].each({ row });
  show('[aria-label="Try keep_recent 2 → 4"]').click();
  app.go(1);
  answersWith({ keep_recent: 4 });
  await answered();
  assert.deepEqual([app.step, app.run.step(app.step).compaction], [1, -1]);
  assert.match(text(".fl-why-tried"), /^keep_recent 2 → 4 does not keep it: /);
});

test("where the change keeps the text its message is marked in the window, and it is said where the cursor was led, and why there; not after Undo", async () => {
  await opened(gone(), 4);
  for (const row of ROWS) asked[0].each({ row });
  serve({ "api/fate/": fate(), "api/message/": { role: "user", content: "body", total: 4 }, "api/findings/": undefined });
  show('[aria-label="Try keep_recent 2 → 4"]').click();
  answersWith({ keep_recent: 4 }, { ...FOLDED, length: 7, c: { ...FOLDED.c, at: [5], layout: [[0, 3, 4, 6]] } });
  await answered();
  assert.match(
    text(".fl-why-tried > .fl-why-replies"),
    / The cursor went to compaction 1 of this run, after message 5: the first one after message 4, where the text was lost\.$/,
  );
  assert.deepEqual(app.highlights.now.kept, { pool: 1, text: "do it", scrolls: true });
  assert.deepEqual(
    all(".fl-told-of").map((row) => [row.dataset.pool, row.getAttribute("aria-selected")]),
    [["1", "false"]],
  );
  app.why.close();
  assert.deepEqual([app.highlights.now.kept, all(".fl-told-of").length], [null, 0]);
  app.why.reopen();
  await answered();
  assert.equal(all(".fl-told-of").length, 1);
  show(".fl-why-tried button").click();
  assert.equal(all(".fl-told-of").length, 0);
});

test("a change that leaves the cursor where it was says nothing of that", async () => {
  await opened(gone(), 4);
  for (const row of ROWS) asked[0].each({ row });
  show('[aria-label="Try keep_recent 2 → 4"]').click();
  answersWith({ keep_recent: 4 });
  await answered();
  assert.deepEqual([app.step, /cursor went/.test(text(".fl-why-tried"))], [4, false]);
});

test("what is heard of a text is of the run on screen: nothing until that is known, then its answer there; so again after Undo", async () => {
  const words = "asked by a person";
  await opened(gone({ text: words }));
  const heard = () => text(".fl-announced");
  assert.match(heard(), /^Why: Gone since compaction 1: summary #1 left it out\./);
  for (const row of ROWS) asked[0].each({ row });
  serve({ "api/fate/": fate({ text: words }), "api/message/": { role: "user", content: "body", total: 4 }, "api/findings/": undefined });
  show('[aria-label="Try keep_recent 2 → 4"]').click();
  shown({ keep_recent: 4 });
  assert.equal(heard(), "");
  await answered();
  assert.match(heard(), /^Why: In the window\./);
  serve({ "api/fate/": gone({ text: words }), "api/message/": { role: "user", content: "body", total: 4 }, "api/findings/": undefined });
  show(".fl-why-tried button").click();
  shown({});
  await answered();
  assert.match(heard(), /^Why: Gone since compaction 1/);
});

test("while Why is closed a change that is tried is named in its place; its Undo leads back to Why, as it was", async () => {
  await opened(gone(), 4);
  for (const row of ROWS) asked[0].each({ row });
  const away = () => text(".fl-why-away");
  const followed = app.why.query;
  show('[aria-label="Try keep_recent 2 → 4"]').click();
  press(show(".fl-why-panel"), "Escape");
  assert.deepEqual([app.why.open, away()], [false, undefined]);
  answersWith({ keep_recent: 4 });
  await answered();
  assert.equal(away(), "Tried: keep_recent 2 → 4Undo");
  assert.equal(inspector().firstChild, show(".fl-why-away"));
  app.why.reopen();
  assert.equal(away(), undefined, "Why has its own");
  app.why.close();
  app.why.ask("another text");
  app.why.close();
  app.go(2);
  const undo = show(".fl-why-away button");
  undo.focus();
  undo.click();
  assert.equal(away(), undefined);
  assert.equal(told.at(-1)[1].query, "source=sample:a&policy=agentkit.memory&budget=100&keep_recent=2&meter=m");
  answersWith({});
  await answered();
  assert.deepEqual([app.step, app.why.front, app.why.chosen.text, app.why.query, away()], [4, true, "do it", followed, undefined]);
});

test("the changes stay unfolded from text to text of a transcript; in another one they are folded", async () => {
  await opened();
  const unfolded = () => [show(".fl-why-all-changes").getAttribute("aria-expanded"), show(".fl-why-fixes").parentElement.hidden];
  for (const row of ROWS) asked[0].each({ row });
  show(".fl-why-all-changes").click();
  app.why.ask("another text");
  await answered();
  assert.deepEqual(unfolded(), ["true", false]);
  session = `why panel ${++serial}`;
  shown({ source: "sample:b" });
  app.why.ask("do it");
  await answered();
  assert.deepEqual(unfolded(), ["false", true]);
});

test("what was tried is forgotten once other settings are chosen", async () => {
  await opened();
  for (const row of ROWS) asked[0].each({ row });
  show('[aria-label="Try keep_recent 2 → 4"]').click();
  shown({ keep_recent: 4 });
  shown({ keep_recent: 5 });
  assert.equal(show(".fl-why-tried").hidden, true);
  shown({ keep_recent: 4 });
  assert.equal(show(".fl-why-tried").hidden, true);
});

test("up to where it should be kept is a choice, which is asked about anew", async () => {
  await opened();
  const menu = show(".fl-why-target");
  assert.deepEqual(
    [...menu.options].map((option) => option.textContent),
    ["to message 6, where it was needed", "to here, message 5"],
  );
  menu.value = "here";
  menu.dispatchEvent(new Event("change"));
  await settled();
  assert.match(asked[1].path, /step=5$/);
});

test("of a text that was kept there is no table; of one in many places, links to them", async () => {
  const places = [1, 2, 4, 5];
  const events = Array.from({ length: 40 }, (_, k) => happened(k % 7, "said", `Said ${k}`, { at: 1 }));
  await opened(fate({ total: 40, places, events }), 5);
  assert.equal(asked.length, 0);
  assert.equal(all(".fl-why-section").filter((node) => !node.hidden).length, 0);
  assert.equal(all(".fl-why-lines p").at(-1).textContent, "Go to one: message 2, 3, 5, … all 40");
  show('[aria-label="Go to message 3"]').click();
  assert.equal(app.step, 2);
  show(".fl-why-more").click();
  assert.equal(show(".fl-why-all").getAttribute("aria-activedescendant"), "fl-why-all-12");
  press(show(".fl-why-all"), "End", { ctrlKey: true });
  press(show(".fl-why-all"), "Enter");
  assert.equal(app.step, 6);
});

test("what cannot be told is said, with nothing below it", async () => {
  await opened(fate({ total: 0, places: [], events: [], lane: [{ ...fate().lane[0], to: 6, title: "Never said in this session." }] }));
  assert.deepEqual(
    [text(".fl-why-answer"), text(".fl-why-count-of"), show(".fl-why-story").parentElement.hidden],
    ["Never said in this session.", "", true],
  );
  assert.equal(asked.length, 0);
});

test("it says whose run the answer is about, and gives no reason for what is still there", async () => {
  await opened();
  assert.equal(text(".fl-why-count-of"), "said in 1 message · simulated");
  const reasons = all(".fl-why-section").at(-1);
  assert.deepEqual([reasons.hidden, reasons.querySelector("h3").textContent], [false, "Why not kept"]);
  app.go(2);
  assert.equal(reasons.hidden, true);
});

test("below the answer stand how it went, and what the makers of the agent say that helps, with the page that says so", async () => {
  const found = gone({ standing: true });
  found.lane[2].how = "It was in message 2, which compaction 1 replaced by its summary, which does not say it.";
  await opened(found);
  app.setRun(
    run({ tid: "advised", stamp: "advised", advice: ["Put it into `AGENTS.md`: it stays.", "https://a.example/b#c"] }, { sid: "s", session }),
    { query: QUERY, start: "5" },
  );
  await answered();
  const below = app.root.querySelector(".fl-why-panel");
  assert.match(text(".fl-why-lines"), /^It was in message 2, which compaction 1 replaced .* Needed at message 6/);
  const advice = below.querySelector(".fl-why-advice > p");
  assert.equal(advice.textContent, "What helps: Put it into AGENTS.md: it stays. Source: a.example");
  assert.equal(advice.querySelector("code").textContent, "AGENTS.md");
  const { href, rel, target } = advice.querySelector("a");
  assert.deepEqual([href, rel, target], ["https://a.example/b#c", "noopener noreferrer", "_blank"]);
  app.go(2);
  assert.deepEqual([text(".fl-why-answer"), show(".fl-why-advice").hidden], ["In the window.", false], "where it stands, before it is lost");
  app.go(0);
  assert.deepEqual([text(".fl-why-answer"), show(".fl-why-advice").hidden], ["Not said yet.", true]);
});

test("advice to a user can be tried: what it costs to keep the message in the window stands below it, and a button that shows the run", async () => {
  await opened(gone({ standing: true }));
  app.setRun(run({ tid: "tried", stamp: "tried", advice: ["Put it into `AGENTS.md`: it stays.", ""] }, { sid: "s", session }), {
    query: QUERY,
    start: "5",
  });
  await answered();
  const trial = () => [show(".fl-why-trial").hidden, text(".fl-why-trial")];
  const { each } = asked.at(-1);
  const base = { ...FIX, text: "p simulated, without a change", kept: false, cure: false, helps: false, baseline: true, tokens_sent: 200 };
  const pin = {
    ...FIX,
    change: "pin message 2",
    text: "Pin message 2 (~30 tokens)",
    of: "p",
    main: true,
    tokens_sent: 202,
    query: { policy: "p", pin: "b" },
  };
  assert.deepEqual(trial(), [false, "Trying it…"]);
  for (const row of [ROWS[0], base, pin]) each({ row });
  const pinless = "The agent itself cannot pin a message: the try shows what the advice would give.";
  assert.deepEqual(trial(), [false, `Try it Message 2 stays in the window, for +1 % tokens against the run without a change. ${pinless}`]);
  assert.equal(remedies()[0][0], "Trying what would have kept it…", "it is told once");
  each({ done: true });
  const press = show('[aria-label="Try it: message 2 stays in the window"]');
  press.click();
  assert.deepEqual(saying(press), ["Trying it…", "Trying it: message 2 stays in the window…", "true"]);
  press.click();
  assert.equal(told.filter(([name]) => name === "address").length, 1, "a second press asks for nothing");
  assert.match(told.at(-1)[1].query, /policy=p&pin=b$/);
});

test("Undo by a key gives the focus back to the button of the advice, which is there again only once the text is known to be lost", async () => {
  const answers = (found) => serve({ "api/fate/": found, "api/message/": { role: "user", content: "body", total: 4 }, "api/findings/": undefined });
  const lost = gone({ standing: true });
  await opened(lost);
  const recorded = run({ tid: "noted", stamp: "noted", advice: ["Put it into `AGENTS.md`: it stays.", ""] }, { sid: "s", session });
  app.setRun(recorded, { query: QUERY, start: "5" });
  await answered();
  const pin = { ...FIX, change: "pin message 2", text: "Pin message 2 (~30 tokens)", of: "p", main: true, query: { policy: "p", pin: "b" } };
  for (const row of [ROWS[0], ROWS[1], pin]) asked.at(-1).each({ row });
  asked.at(-1).each({ done: true });
  const name = "Try it: message 2 stays in the window";
  show(`[title="${name}"]`).focus();
  show(`[title="${name}"]`).click();
  answers(fate());
  app.setRun(run({ tid: "pinned", stamp: "pinned" }, { sid: "s", session }), { query: { ...QUERY, policy: "p", pin: "b" }, nth: told.at(-1)[1].nth });
  await answered();
  assert.equal(show(".fl-why-advice").hidden, true, "the window has it");
  show(".fl-why-tried button").click();
  answers(lost);
  app.setRun(recorded, { query: QUERY, nth: told.at(-1)[1].nth });
  await answered();
  const { activeElement } = app.root.getRootNode();
  assert.deepEqual([activeElement?.title, activeElement?.isConnected, show(".fl-why-advice").hidden], [name, true, false]);
});

test("of what a tool said the advice is to call it again; of what the model said there is none", async () => {
  const advice = ["Put it into `AGENTS.md`.", "https://a.example/"];
  const once = ["Name it: `/compact Keep word for word {words}`.", ""];
  const of = (place, standing = true, text = "do it") => adviceOf(run({ advice, once }), gone({ places: [place], standing, text }))?.text;
  assert.equal(of(1, false), 'Name it: `/compact Keep word for word what the user said: "do it"`.', "an order for once belongs into no file");
  assert.equal(
    of(1, false, `Fix \`b\`, then ${"go on ".repeat(20)}`),
    'Name it: `/compact Keep word for word the message of the user that says "Fix b, then go on go on go on go on go on go on go on go on…"`.',
    "at a word, as core does",
  );
  assert.deepEqual(
    [1, 3, 2].map((place) => of(place)),
    [advice[0], "It came from a tool: the agent can call that tool again. The result has 40 tokens.", undefined],
  );
});

test("a question that failed can be asked again", async () => {
  await opened(null);
  assert.equal(text(".fl-why-answer"), "The question was not answered.");
  serve({ "api/fate/": gone(), "api/message/": { role: "user", content: "body", total: 4 } });
  show(".fl-why-lines .fl-failure button").click();
  await settled();
  assert.match(text(".fl-why-answer"), /^Gone since/);
});
