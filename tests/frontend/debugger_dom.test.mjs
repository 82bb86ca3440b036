// The debugger on a page: its keys, its playback, and what its parts show of a small run.
import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { requests, painted, pass, point, press, serve, settled, texts, type } from "./dom.mjs";
import { sumsOf } from "./sums.mjs";
import { App } from "../../viewer/frontend/debugger/app.js";
import { findingsOf } from "../../viewer/frontend/debugger/findingstore.js";
import { commandOf } from "../../viewer/frontend/debugger/keys.js";
import { RowView } from "../../viewer/frontend/debugger/row.js";
import { FLAG } from "../../viewer/frontend/run/decode.js";
import { broughtBackBy, noteBroughtBack } from "../../viewer/frontend/run/broughtback.js";
import { lookFor } from "../../viewer/frontend/run/lookedfor.js";
import { ADDED } from "../../viewer/frontend/run/pool.js";
import { splicedSentence } from "../../viewer/frontend/run/phasesentences.js";
import { fate, gone } from "./fates.mjs";
import { CLEARED, FOLDED, NONE, POLICY, run } from "./packed.mjs";
import { SEALED } from "../../viewer/frontend/run/cardwords.js";

const MESSAGE = { role: "user", content: "do it all", total: 9, line: 3, model: "m", timestamp: "2026-11-20T14:26:03Z", pairs: [] };
const CARD = {
  recorded: false,
  fidelity: "",
  reason: "",
  trigger: "",
  before_from: "",
  after_from: "",
  duration_ms: null,
  unreadable: "",
  summary: "Task: read a.py",
  findings: [{ kind: "orphaned", concern: "structure", severity: "error", title: "Orphaned tool result", text: "Its call is gone.", messages: [3] }],
};
const FINDING = { ...CARD.findings[0], failed: false, first: 0, last: 0, times: 1, step: 4, last_step: 4 };
const FINDINGS = {
  total: 2,
  counts: { error: 1, warning: 0, info: 1 },
  kinds: [
    { kind: "orphaned", severity: "error", total: 1 },
    { kind: "short_summary", severity: "info", total: 1 },
  ],
  matching: { lost: 0, summary: 0, structure: 1, cost: 1 },
  findings: [
    FINDING,
    { ...FINDING, kind: "short_summary", concern: "cost", severity: "info", title: "Short summary", text: "Few words.", messages: [0] },
  ],
  marks: { titles: [[0, "Orphaned tool result"]], at: [0], first: [[0]], count: [2] },
};
const ANSWERS = {
  "api/message/": (path) => ({ ...MESSAGE, content: `body of ${path.split("/").at(-1)}`, role: "user" }),
  "api/added/": { ...MESSAGE, content: "summary text" },
  "api/compaction/": CARD,
  "api/attempt/": { findings: [{ ...CARD.findings[0], concern: "summary", title: "Summary failed", text: "No answer.", messages: [] }] },
  "api/findings/": FINDINGS,
  "api/overview/": {
    task: { at: 1, text: "do it" },
    began: "",
    ended: "",
    turns: [
      { at: 1, asked: "do it", said: "It is done.", typed: true, pictures: 0, calls: [2, 2], errors: [], files: ["src/a.py"], wrote: [[2, 0]] },
      { at: 4, asked: "and now?", typed: true, pictures: 0, calls: [], errors: [], files: [], wrote: [] },
    ],
    turns_total: 2,
    tools: [["edit", 2]],
    tools_total: 1,
    sums: sumsOf({ typed: 2, calls: 2, files: 1 }),
    files: [
      ["src/a.py", 2],
      ["meta/new/a.md", 2, "meta/old/a.md"],
    ],
    removed: [
      ["rm a", 10, [1, 3]],
      ["mv b c", 1, [2]],
    ],
    removed_total: 2,
    published: [["git commit: Fix it", 1, [4]]],
    published_total: 1,
    redirected: [["docs/color.md", 1, [2]]],
    redirected_total: 1,
    half_written: ["docs/color.md"],
    last: "reply",
    closing: { at: 5, text: "done" },
  },
  "api/losses/": {
    total: 1,
    from: 0,
    rows: [
      {
        index: 0,
        step: 4,
        taken: 2,
        told: [{ kind: "newest", text: "do it all", followed: "do it all", at: 1, used_at: -1, kept: 0, words: 0 }],
        told_total: 1,
        names: [{ kind: "name", text: "src/a.py", followed: "", at: 2, used_at: 5, kept: 0, words: 0 }],
        names_total: 9,
        results: 1,
        result_tokens: 40,
        again: 26,
        again_steps: [5, 1, 1],
        again_tokens: 40,
        unseen: 0,
        unseen_more: 0,
        timestamp: "2026-01-23T15:42:39Z",
        how: "on request",
        instructions: "keep the names",
        requests: { of: 3, gone: 2, open: 1, answered: 1, stopped: 0, here: [2, 1, 1, 0], reworded: 0, at: 1, text: "do it all", listed: [] },
        rules: [0, 0],
        unreadable: "",
      },
    ],
  },
  "api/find/": { q: "a", total: 2, hits: [1, 4], added: [] },
  "api/snippet/": { part: "call", before: "…cl\nick ", match: "<b>A</b>", after: " and go" },
};

let app;
let serial = 0;

/** The debugger over the small run, at a step; other traces are asked for as other ones. */
async function opened(step = 0, changes = {}, header = {}, answers = ANSWERS) {
  serve(answers);
  history.replaceState(null, "", location.pathname); // of the test before
  const id = `t${++serial}`;
  app = new App(document.body);
  app.setRun(run({ tid: id, stamp: id, ...changes }, { sid: id, session: id, ...header }), { query: { source: "sample" }, start: String(step) });
  await settled();
  return app;
}

/** A session that is opened for the first time: its overview, once its answers are there. */
async function arrived(answers, view = {}) {
  serve(answers);
  history.replaceState(null, "", location.pathname); // of the test before
  const id = `t${++serial}`;
  app = new App(document.body);
  app.setRun(run({ tid: id, stamp: id, ...view }, { sid: id, session: id }), { query: { source: "sample" } });
  await settled();
  pass(900);
  await settled();
}

const show = (selector) => app.root.querySelector(selector);

afterEach(() => app?.destroy());

test("the overview begins with what was asked first and last, and how it ended, each a way to its message", async () => {
  const begins = async (changes) => {
    await opened(0, {}, {}, { ...ANSWERS, "api/overview/": { ...ANSWERS["api/overview/"], ...changes } });
    app.setOverview(true);
    await settled();
    return texts(app.root, ".fl-oline");
  };
  const sums = "In all2 turns · 2 tool calls · 1 file written";
  assert.deepEqual(await begins({}), ["Taskdo itShow all of it", "Last replydone", sums]);
  app.destroy();
  const wordless = ["Taskdo itShow all of it", "Last replyThe model never answers in words.", sums];
  assert.deepEqual(await begins({ closing: null }), wordless, "as a room is told");
  app.destroy();
  const [none, times] = [
    { tools: [], files: [], sums: sumsOf({ typed: 0 }) },
    { began: "2026-01-23T14:21:00Z", ended: "2026-01-23T14:21:00Z" },
  ];
  assert.deepEqual((await begins(none)).slice(2), [], "where there is nothing to count no row says so");
  app.destroy();
  assert.deepEqual((await begins({ ...none, ...times })).slice(2), ["When2026-01-23 14:21 UTC"]);
  app.destroy();
  const failed = { ended_with: "exit_context", last: "result", newest: null };
  assert.equal((await begins({ last: "call" }))[1], "Last wordsdone", "in the middle of its work it has no reply");
  app.destroy();
  assert.equal((await begins(failed))[2], "Ended withexit_contextA tool result that the model does not answer");
  app.destroy();
  assert.equal((await begins({ ended_with: "exit_cost" }))[2], "Ended withexit_cost", "behind a reply, too");
  app.destroy();
  const other = { last: "other", newest: { at: 4, text: "Subtask failed" } };
  assert.equal((await begins(other))[2], "Ended withSubtask failed", "a message of another kind says it itself");
  app.destroy();
  const later = { at: 4, text: "and now?", turn: 2, of: 2 };
  const newest = { at: 4, text: "and now?" };
  const unanswered = [
    "First taskdo itShow all of it",
    "Last requestand now?",
    "Last replydone",
    "Ended withA request that the model does not answer",
  ];
  assert.deepEqual(await begins({ later, last: "request", newest }), [...unanswered, sums], "what is quoted already is not quoted again");
  [...app.root.querySelectorAll(".fl-oline .fl-oquote")].at(1).click();
  assert.equal(app.step, app.run.stepOfMessage(4));
});

test("a lost statement that something later needed is marked; of the others the headline says once that nothing did", async () => {
  const [row] = ANSWERS["api/losses/"].rows;
  const said = { kind: "said", text: "use blue", followed: "use blue", at: 1, used_at: -1, said_again_at: -1, kept: 0, words: 0 };
  const needed = { ...said, text: "use red", used_at: 3 };
  const lost = { total: 1, from: 0, rows: [{ ...row, told: [needed, said], names: [], names_total: 0, rules: [2, 1] }] };
  await opened(0, {}, {}, { ...ANSWERS, "api/losses/": lost });
  app.setOverview(true);
  await settled();
  pass(900);
  await settled();
  const marked = [...app.root.querySelectorAll(".fl-losses [data-kind=said]")].map((node) => [node.textContent, node.dataset.needed ?? ""]);
  assert.deepEqual(marked, [
    ["use red", "1"],
    ["use blue", ""],
  ]);
  const [note, ...others] = texts(app.root, ".fl-losses .fl-loss-note");
  assert.match(note, /^ needed again at /);
  assert.deepEqual(others, []);
});

test("the card of a call that reads again says which message showed it, which compaction took it, and whether its file was edited", async () => {
  const [row] = ANSWERS["api/losses/"].rows;
  const told = async (edits) => {
    await opened(0, {}, {}, { ...ANSWERS, "api/losses/": { total: 1, from: 0, rows: [{ ...row, again_of: [[4, [2], edits]] }] } });
    app.setOverview(true);
    await settled();
    pass(900);
    await settled();
    app.go(app.run.stepOfMessage(4));
    await settled();
    const [line] = texts(app.root, ".fl-pairs").filter((text) => text.startsWith("reads again"));
    app.go(app.run.stepOfMessage(1));
    await settled();
    const others = texts(app.root, ".fl-pairs").filter((text) => text.startsWith("reads again"));
    app.destroy();
    return [line, others.length];
  };
  const said = "reads again what had left the window, shown before in message 3 and taken by compaction 1.";
  assert.deepEqual(await told(0), [said, 0]);
  assert.deepEqual(await told(2), [`${said} The file was edited 2 times since: it may have been read for that.`, 0]);
});

test("a message that a link opens says what its calls read again as from the overview: once, and of each compaction that took some", async () => {
  const [row] = ANSWERS["api/losses/"].rows;
  const again_of = [
    [4, [2], 0],
    [4, [2], 0],
    [4, [1], 0],
  ];
  const calling = (path) => ({ ...ANSWERS["api/message/"](path), tool_calls: [{ name: "read", id: "c", arguments: "{}" }] });
  const answers = { ...ANSWERS, "api/message/": calling, "api/losses/": { total: 1, from: 0, rows: [{ ...row, again_of }] } };
  await opened(4, {}, {}, answers);
  app.go(app.run.stepOfMessage(4));
  await settled();
  pass(900);
  await settled();
  const lines = texts(app.root, ".fl-pairs").filter((text) => text.startsWith("reads again"));
  assert.deepEqual(
    lines.map((text) => text.match(/message \d+/)[0]),
    ["message 3", "message 2"],
  );
  noteBroughtBack(app.run, [{ ...row, index: 1, again_of: [[4, [0], 2]] }]);
  assert.deepEqual(
    broughtBackBy(app.run, 4).map(({ k }) => k),
    [0, 0, 1],
  );
});

/** A message whose call reads something again, and the questions about losses that wait for `answer`. */
function heldBack() {
  const asked = [];
  const calling = (path) => ({ ...ANSWERS["api/message/"](path), tool_calls: [{ name: "read", id: "c", arguments: "{}" }] });
  const wait = (path) => new Promise((answer) => asked.push({ path, answer }));
  return { asked, answers: { ...ANSWERS, "api/message/": calling, "api/losses/": wait } };
}

const readAgain = () => texts(app.root, ".fl-pairs").filter((text) => text.startsWith("reads again"));
const lossPage = (again_of, more = {}) => ({ total: 1, from: 0, rows: [{ ...ANSWERS["api/losses/"].rows[0], again_of, ...more }] });

/** Look at a message until its losses are asked for. */
async function lookAt(pool) {
  app.go(app.run.stepOfMessage(pool));
  await settled();
}

test("messages looked at one after the other ask once for the same losses, and each says what it read again", async () => {
  const { asked, answers } = heldBack();
  await opened(0, {}, {}, answers);
  app.setOverview(false);
  for (const pool of [4, 5, 4, 5, 4]) await lookAt(pool);
  assert.equal(asked.length, 1);
  asked[0].answer(lossPage([[4, [2], 0]]));
  await settled();
  assert.equal(readAgain().length, 1);
});

test("what a message read again holds for the run that is shown: of another one it is asked anew", async () => {
  const { asked, answers } = heldBack();
  await opened(4, {}, {}, answers);
  await lookAt(4);
  asked[0].answer(lossPage([[4, [2], 0]]));
  await settled();
  assert.equal(readAgain().length, 1);
  const { sid } = app.run.store.header;
  app.setRun(run({ tid: "other", stamp: "other" }, { sid, session: sid }), { query: { source: "sample", policy: "x" } });
  assert.deepEqual(readAgain(), []);
  await settled();
  assert.deepEqual(
    asked.map(({ path }) => path),
    [`api/losses/${sid}`, "api/losses/other"],
  );
  asked[1].answer(lossPage([[4, [1], 0]]));
  await settled();
  assert.match(readAgain().join(), /^reads again .* message 2 and/);
});

test("a body that comes once another run is shown says what that run brought back", async () => {
  const { asked, answers } = heldBack();
  const body = answers["api/message/"]("4");
  const bodies = [];
  await opened(0, {}, {}, { ...answers, "api/message/": () => new Promise((answer) => bodies.push(answer)) });
  app.setOverview(false);
  await lookAt(4);
  noteBroughtBack(app.run, lossPage([[4, [2], 0]]).rows);
  const { sid } = app.run.store.header;
  app.setRun(run({ tid: "later", stamp: "later" }, { sid, session: sid }), { query: { source: "sample", policy: "x" } });
  for (const answer of bodies) answer(body);
  await settled();
  assert.deepEqual(readAgain(), []);
  assert.equal(asked.at(-1).path, "api/losses/later");
  for (const { answer } of asked) answer(lossPage([])); // a question that waits holds back the findings of the tests behind this one
  await settled();
});

/** Look at message 4 of a run of so many compactions; what was asked then. @param {object} held what `heldBack` made @param {number} compactions */
async function askedAfter({ asked, answers }, compactions) {
  await opened(0, {}, {}, answers);
  app.setOverview(false);
  app.go(app.run.stepOfMessage(4));
  app.run.epochOf = () => compactions; // for the question alone: the window is drawn
  await settled();
  delete app.run.epochOf;
  return asked;
}

const eight = { total: 40, from: 0, rows: Array.from({ length: 8 }, () => lossPage([[4, [2], 0]]).rows[0]) };

test("a message asks for the losses of the first 32 compactions before it, a page after the other", async () => {
  const asked = await askedAfter(heldBack(), 40);
  for (let page = 0; page < asked.length; page++) {
    asked[page].answer(eight);
    await settled();
  }
  assert.deepEqual(
    asked.map(({ path }) => new URL(path, location.href).searchParams.get("from")),
    [null, "8", "16", "24"],
  );
});

test("a message that was left asks for no further page of the losses", async () => {
  const asked = await askedAfter(heldBack(), 40);
  await lookAt(5);
  asked[0].answer(eight);
  await settled();
  assert.equal(asked.length, 1);
});

test("what the pages of the losses told stays where a later one fails", async () => {
  const asked = await askedAfter(heldBack(), 40);
  asked[0].answer(eight);
  await settled();
  asked[1].answer(undefined);
  await settled();
  assert.equal(readAgain().length, 1);
});

test("a key while the inspector rests is about the step that was scrubbed to", async () => {
  await opened(0);
  app.setOverview(false);
  const to = app.run.steps[0];
  app.go(to, { scrubbed: true });
  press(app.root, "3");
  assert.equal(show(".fl-inspector").dataset.shows, "compaction 0");
  assert.equal(app.highlights.now.phase, 3);
  app.go(app.run.stepOfMessage(4), { scrubbed: true });
  press(app.root, "w");
  assert.match(show(".fl-inspector").dataset.shows, /^message /);
});

test("an inspector that rests draws no run that has become empty", async () => {
  await opened(0);
  app.setOverview(false);
  const { shows } = show(".fl-inspector").dataset;
  const { run: before } = app;
  app.go(app.run.stepOfMessage(4), { scrubbed: true });
  app.run = Object.assign(Object.create(before), { length: 0 });
  await settled();
  assert.equal(show(".fl-inspector").dataset.shows, shows);
  app.run = before;
});

test("a compaction behind a turn that had ended is after it, with the time between; a summary that ends in an earlier turn says which", async () => {
  const [row] = ANSWERS["api/losses/"].rows;
  const moment = async (changes) => {
    const found = { ...row, timestamp: "2026-01-23T15:42:00Z", goal: "", work: "Mend it.", ...changes };
    await opened(0, {}, {}, { ...ANSWERS, "api/losses/": { total: 1, from: 0, rows: [found] } });
    app.setOverview(true);
    await settled();
    pass(900);
    await settled();
    const lines = texts(app.root, ".fl-losses .fl-loss-line").filter((text) => /turn|summary/.test(text));
    app.destroy();
    return lines;
  };
  assert.deepEqual(await moment({ ended: "", ended_ago: null, ends: -1 }), ["In turn 1do it", "Its summarythe work at hand: Mend it."]);
  assert.deepEqual(await moment({ ended: "answered", ended_ago: 45_420, ends: 1 }), [
    "After turn 1do it answered 12 h 37 min before the compaction",
    "Its summarythe work at hand: Mend it.It ends in turn 1. What came after that stays in the window word for word.",
  ]);
  assert.equal((await moment({ ended: "stopped", ended_ago: null }))[0], "After turn 1do it stopped by the user");
});

/** What the lists of turns are taken to be high. */
const heights = (root) => [...root.querySelectorAll(".fl-oturns")].map((list) => list.style.getPropertyValue("contain-intrinsic-height"));

test("until it is known what was lost the overview says that it is being worked out, in the place of the headline", async () => {
  const shown = async (losses) => {
    app?.destroy();
    await arrived({ ...ANSWERS, "api/losses/": losses });
    return show(".fl-oheadline").textContent;
  };
  let answer = (/** @type {object} */ _) => {};
  const late = new Promise((resolve) => (answer = resolve));
  assert.equal(await shown(() => late), "Working out what would be lost…");
  answer(ANSWERS["api/losses/"]);
  await settled();
  assert.match(show(".fl-oheadline").textContent, /^1 compaction would take /);
  assert.equal(await shown(undefined), "", "where it cannot be had the list says so, and asks again");
});

test("a session that is opened at no step tells what happened in it, until something is chosen; o brings it back", async () => {
  serve(ANSWERS);
  const id = `t${++serial}`;
  app = new App(document.body);
  app.setRun(run({ tid: id, stamp: id }, { sid: id, session: id }), { query: { source: "sample" } });
  await settled();
  const shows = () => show(".fl-inspector").dataset.shows;
  assert.equal(shows(), "overview");
  assert.equal(show(".fl-osums").textContent, "2 turns · 2 tool calls · 1 file written");
  assert.deepEqual(texts(app.root, ".fl-oturn"), ["1do itIt is done.before compaction 1: 2 calls · wrote a.py", "2and now?"]);
  assert.deepEqual(heights(app.root), ["auto 118px"], "before they come into view turns are as high as their lines");
  const further = texts(app.root, ".fl-ofurther section");
  assert.ok(further.includes("Written by shell commandsdocs/color.md (written before its command failed)"));
  assert.ok(further.includes("Committed, tagged, pushed, sent to a code hostgit commit: Fix it"));
  assert.deepEqual(texts(app.root, ".fl-oitems li:has(.fl-omoved)"), ["a.md 2×, moved from old/a.md"]);
  const removals = texts(app.root, ".fl-oitems li").slice(-2);
  assert.deepEqual(removals, ["rm a 10× · also at message 4 and 8 more", "mv b c"], "equal ones stand once, with the ways to them");
  assert.match(show(".fl-ocompaction").textContent, /^◆ Compaction 1: /);
  assert.ok(app.root.hasAttribute("data-overview"), "it stands in the place of the window and the inspector");
  show(".fl-oturn").click();
  assert.deepEqual([app.step, shows(), app.root.hasAttribute("data-overview")], [1, "message 1", false]);
  press(app.root, "o");
  assert.deepEqual(
    [shows(), texts(app.root, ".fl-oturn[aria-current]")],
    ["overview", ["1do itIt is done.before compaction 1: 2 calls · wrote a.py"]],
  );
  const body = show(".fl-ibody");
  body.scrollTop = 120;
  body.dispatchEvent(new Event("scroll"));
  show(".fl-through").click();
  assert.equal(shows(), "message 1");
  assert.equal(body.scrollTop, 0, "what is shown instead begins at its top");
  body.dispatchEvent(new Event("scroll"));
  press(app.root, "o");
  assert.equal(body.scrollTop, 120, "as far down as it was left");
  press(app.root, "ArrowRight");
  assert.deepEqual([app.step, shows()], [2, "message 2"]);
});

test("a session that a search of the Library found is opened at the first match, Find filled; Escape leads to its overview", async () => {
  serve(ANSWERS);
  const id = `t${++serial}`;
  lookFor("/w/a.jsonl", 0, "click");
  app = new App(document.body);
  app.setRun(run({ tid: id, stamp: id }, { sid: id, session: id }), { query: { source: "path:/w/a.jsonl" } });
  await settled();
  pass(200); // Find waits for the rest of a word
  await settled();
  const { value } = show(".fl-find input");
  assert.deepEqual([value, show(".fl-place").textContent, app.selected, app.overview], ["click", "1 of 2", "m1", false]);
  press(show(".fl-find input"), "Escape");
  assert.deepEqual([app.open.find, app.overview], [false, true]);
});

test("where the way through the session begins just before a compaction, its button says so", async () => {
  serve(ANSWERS);
  const id = `t${++serial}`;
  app = new App(document.body);
  app.setRun(run({ tid: id, stamp: id }, { sid: id, session: id }), { query: { source: "sample" } });
  await settled();
  const begins = (step) => (app.go(step), press(app.root, "o"), show(".fl-through").textContent);
  assert.deepEqual([2, 3, 4].map(begins), [
    "Step through from message 3",
    "Step through from message 4, before compaction 1",
    "Step through from compaction 1",
  ]);
});

test("a turn at whose end the user stopped the agent says so in front of the model's last words, or without any", async () => {
  const found = ANSWERS["api/overview/"];
  const turns = found.turns.map((turn) => ({ ...turn, stopped: true }));
  serve({ ...ANSWERS, "api/overview/": { ...found, turns } });
  const id = `t${++serial}`;
  app = new App(document.body);
  app.setRun(run({ tid: id, stamp: id }, { sid: id, session: id }), { query: { source: "sample" } });
  await settled();
  assert.deepEqual(texts(app.root, ".fl-osaid"), ["stopped by the user; before that: It is done.", "stopped by the user"]);
  assert.deepEqual(heights(app.root), ["auto 135px"], "it takes a line");
});

test("what is out of sight of many turns is left out twenty at a time: to look for each would cost more than to draw it", async () => {
  const found = ANSWERS["api/overview/"];
  const turns = Array.from({ length: 45 }, () => found.turns[1]);
  serve({ ...ANSWERS, "api/overview/": { ...found, turns, turns_total: 50 } });
  const id = `t${++serial}`;
  app = new App(document.body);
  app.setRun(run({ tid: id, stamp: id }, { sid: id, session: id }), { query: { source: "sample" } });
  await settled();
  const lists = [...app.root.querySelectorAll(".fl-oturns")];
  assert.deepEqual(
    lists.map((list) => list.querySelectorAll(".fl-oturn").length),
    [20, 20, 5],
  );
  assert.equal(lists.at(-1).lastChild.textContent, "and 5 more turns");
  assert.deepEqual(
    lists.map((list) => list.getAttribute("aria-label")),
    ["Turns 1 to 20", "Turns 21 to 40", "Turns 41 to 45"],
  );
});

test("a list of turns is named by the numbers of its turns; what comes before the first request has none", async () => {
  const found = ANSWERS["api/overview/"];
  const turns = Array.from({ length: 21 }, (_, k) => ({ ...found.turns[1], typed: k > 0 }));
  serve({ ...ANSWERS, "api/overview/": { ...found, turns, turns_total: 21 } });
  const id = `t${++serial}`;
  app = new App(document.body);
  app.setRun(run({ tid: id, stamp: id }, { sid: id, session: id }), { query: { source: "sample" } });
  await settled();
  assert.deepEqual(
    [...app.root.querySelectorAll(".fl-oturns")].map((list) => list.getAttribute("aria-label")),
    ["Turns 1 to 19", "Turn 20"],
  );
});

test("of a session that goes on from another one it is told what was copied, what it was asked, and what it did itself", async () => {
  const found = ANSWERS["api/overview/"];
  const turns = [found.turns[0], { ...found.turns[1], asked: "review it", typed: false }];
  const copied = { messages: 4, own: sumsOf({ typed: 0, calls: 1 }) };
  serve({ ...ANSWERS, "api/overview/": { ...found, turns, copied, later: null, task: { at: 4, text: "review it", agent: true } } });
  const id = `t${++serial}`;
  app = new App(document.body);
  app.setRun(run({ tid: id, stamp: id }, { sid: id, session: id }), { query: { source: "sample" } });
  await settled();
  assert.equal(show(".fl-overview [role=note]").textContent, "Messages 1 to 4 are a copy of another session, which this one goes on from.");
  assert.deepEqual(
    [...app.root.querySelectorAll(".fl-oabout .fl-oline")].map(({ textContent }) => textContent),
    [
      "Taskreview itShow all of itAnother agent asked for it.",
      "Last replydone",
      "Done here1 tool call",
      "With the copy2 turns · 2 tool calls · 1 file written",
    ],
  );
  const list = show(".fl-oturns");
  assert.deepEqual(texts(list, ".fl-onth"), ["1", ""]);
  assert.equal(show(".fl-ocopied").textContent, "Up to here it is a copy of another session.");
  assert.equal(show(".fl-ocopied").nextElementSibling.querySelector(".fl-oasked").textContent, "review it");
  assert.equal(list.getAttribute("aria-label"), "Turn 1");
});

test("what sub-agents did stands beside what the session did, with the way to each window", async () => {
  const sums = sumsOf({ typed: 3, calls: 9, files: 2 });
  const windows = [
    [1, "Explore", 4],
    [2, "dev", 12],
  ];
  const row = async (agents) => {
    app?.destroy();
    serve({ ...ANSWERS, "api/overview/": { ...ANSWERS["api/overview/"], agents } });
    const id = `t${++serial}`;
    app = new App(document.body);
    app.setRun(run({ tid: id, stamp: id }, { sid: id, session: id }), { query: { source: "sample", lane: "3" } });
    await settled();
    return [...app.root.querySelectorAll(".fl-oabout .fl-oline")].find(({ textContent }) => textContent.startsWith("Sub-agents"));
  };
  const told = await row({ started: 3, known: 2, sums, windows });
  assert.equal(
    told.textContent,
    "Sub-agents3, in windows of their own: 9 tool calls · 2 files writtenExplore 4 messagesdev 12 messagesThe messages of 1 more are not in this file.",
  );
  const asked = [];
  app.tell = (...what) => asked.push(what);
  told.querySelectorAll("button")[1].click();
  assert.deepEqual(asked, [["lane", "3.2"]]);
  assert.equal((await row({ started: 4, known: 0, sums: sumsOf(), windows: [] })).textContent, "Sub-agents4, whose messages are not in this file");
  assert.equal(await row(null), undefined);
});

test("of a session without a turn there is no list of turns, and no heading of one", async () => {
  serve({ ...ANSWERS, "api/overview/": { ...ANSWERS["api/overview/"], turns: [], turns_total: 0 } });
  const id = `t${++serial}`;
  app = new App(document.body);
  app.setRun(run({ tid: id, stamp: id }, { sid: id, session: id }), { query: { source: "sample" } });
  await settled();
  const heading = [...app.root.querySelectorAll(".fl-overview h3")].find(({ textContent }) => textContent === "Turn by turn");
  assert.equal(heading.closest("[hidden]") !== null, true);
});

test("a compaction quotes three messages in which the user sends the agent back to what it took, with the way to each", async () => {
  const row = { ...ANSWERS["api/losses/"].rows[0], sent_back: [1, 2, 3, 5].map((at) => [at, `read ${at}`]) };
  await arrived({ ...ANSWERS, "api/losses/": { total: 1, from: 0, rows: [row] } });
  const lines = [...app.root.querySelectorAll(".fl-losses .fl-loss-line")];
  const line = lines.find(({ textContent }) => textContent.startsWith("Sent back"));
  assert.equal(line.textContent, "Sent backThe user names a file that it took, or asks to read it again:read 1read 2read 3and 1 more");
  assert.equal(line.querySelector("button").title, "Go to message 2");
  line.querySelector("button").click();
  assert.match(show(".fl-inspector").dataset.shows, /^message /);
});

test("a turn with calls and without a reply says that the next request came first; the last one says nothing", async () => {
  const found = ANSWERS["api/overview/"];
  const turns = [found.turns[0], found.turns[0]].map((turn) => ({ ...turn, said: "" }));
  serve({ ...ANSWERS, "api/overview/": { ...found, turns, turns_total: 2 } });
  const id = `t${++serial}`;
  app = new App(document.body);
  app.setRun(run({ tid: id, stamp: id }, { sid: id, session: id }), { query: { source: "sample" } });
  await settled();
  assert.deepEqual(texts(app.root, ".fl-osaid"), ["no reply before the next request"]);
});

test("a turn that was sent while the agent worked says so, and the one before says that it goes on there", async () => {
  const found = ANSWERS["api/overview/"];
  const turns = [
    { ...found.turns[0], said: "Let me look." },
    { ...found.turns[1], said: "Both are done.", meanwhile: true },
  ];
  serve({ ...ANSWERS, "api/overview/": { ...found, turns, turns_total: 2 } });
  const id = `t${++serial}`;
  app = new App(document.body);
  app.setRun(run({ tid: id, stamp: id }, { sid: id, session: id }), { query: { source: "sample" } });
  await settled();
  assert.deepEqual(texts(app.root, ".fl-osaid"), ["goes on in turn 2", "Both are done."]);
  assert.equal(texts(app.root, ".fl-oturn")[1], "2and now?sent while the agent workedBoth are done.");
});

/** The overview of a recorded run, once its losses are there. */
async function overviewOf(format, recorded, c) {
  const id = `t${++serial}`;
  app = new App(document.body);
  app.setRun(run({ tid: id, stamp: id, kind: "replay", policy: null, c }, { sid: id, session: id, format, recorded }), {
    query: { source: "sample" },
  });
  await settled();
  pass(900);
  await settled();
}

test("what may have been put back is told in the words of the picture of the window", async () => {
  const row = { ...ANSWERS["api/losses/"].rows[0], unseen: 100, unseen_more: 38, names_total: 0, again: 0 };
  const recorded = { at: [4], before: [162], after: [157], left: [57], prompts: { at: [2, 5], tokens: [72, 207] }, error: null };
  const c = { ...FOLDED.c, recordedBefore: [162], recordedAfter: [157] };
  serve({ ...ANSWERS, "api/losses/": { total: 1, from: 0, rows: [row] } });
  await overviewOf("claude-code", recorded, c);
  assert.equal(
    texts(app.root, ".fl-loss .fl-loss-line").at(-1),
    "Tool outputthe text of 1 result left the window, 40 tokens. The last prompt before the compaction held ~42 tokens that are not in this file, and the next one ~100. " +
      "Claude Code puts files back after a compaction, and its older versions do not record which.",
  );
});

test("a compaction that is told by its prompts has one pair of numbers: what came since the first is told in its card", async () => {
  const recorded = { at: [4], before: [120], after: [207], left: [57], prompts: { at: [2, 5], tokens: [120, 207] }, error: null };
  const c = { ...FOLDED.c, recordedBefore: [120], recordedAfter: [207] };
  serve(ANSWERS);
  await overviewOf("codex", recorded, c);
  assert.match(show(".fl-loss-head").textContent, / · prompt 120 to 207 tokens$/);
});

test("the overview begins with what was lost: a text leads to Why, a call made again to its step, the head to the card", async () => {
  const losing = async () => {
    app?.destroy();
    await arrived({ ...ANSWERS, "api/fate/": fate({ text: "do it all" }) });
  };
  await losing();
  assert.deepEqual(texts(app.root, ".fl-ltable .fl-loss-line"), [
    "RulesNo rule of the user's is known to be lost.",
    "RequestsA request that the agent was working on is not found in the window or a summary.",
    "Tool resultsThe text of 1 result is gone. 26 later calls asked again for what was gone: 40 tokens.",
    "NamesThe model used 9 names that were no longer in its window.",
  ]);
  assert.match(show(".fl-loss-head").textContent, /^◆ Compaction 1 · 2026-01-23 15:42 UTC · on request · after message 4 · /);
  assert.deepEqual(texts(app.root, ".fl-loss .fl-loss-line"), [
    "In turn 1do it",
    "The user told itkeep the names",
    "The user saiddo it all the agent was still working on it",
    "Requests1 earlier request is gone, already answered. The request that the agent was working on is gone",
    "Names gonesrc/a.py used again at message 5and 8 more",
    "Tool outputthe text of 1 result left the window, 40 tokens; 26 later calls asked again for what was gone: message 5, message 2 (2 calls) and 23 more",
  ]);
  show(".fl-loss .fl-loss-line .fl-link").click();
  assert.deepEqual([app.step, show(".fl-inspector").dataset.shows], [5, "message 4"]);
  await losing();
  show(".fl-loss-text[data-kind]").click();
  assert.deepEqual([app.step, app.why.chosen.text, app.why.front], [4, "do it all", true]);
  await losing();
  [...app.root.querySelectorAll(".fl-loss-text[data-kind]")][1].click();
  assert.deepEqual([app.step, app.why.front], [2, false], "what Why cannot follow leads to its message");
  serve({});
  press(app.root, "o");
  assert.deepEqual(texts(app.root, ".fl-ltable .fl-loss-label"), ["Rules", "Requests", "Tool results", "Names"], "it is there at once");
  show(".fl-loss-head").click();
  assert.match(show(".fl-inspector h2").textContent, /Compaction 1/);
});

test("what a compaction says of the requests that it took opens the list of them, each with what became of it", async () => {
  const [row] = ANSWERS["api/losses/"].rows;
  const took = [
    { at: 1, kind: "answered", text: "do it", followed: true },
    { at: 4, kind: "stopped", text: "and now?", followed: true },
  ];
  const requests = { ...row.requests, open: 0, stopped: 1, here: [3, 0, 1, 1], took };
  serve({ ...ANSWERS, "api/losses/": { total: 1, from: 0, rows: [{ ...row, requests }] } });
  const id = `t${++serial}`;
  app = new App(document.body);
  app.setRun(run({ tid: id, stamp: id }, { sid: id, session: id }), { query: { source: "sample" } });
  await settled();
  const [head, list] = [show(".fl-loss .fl-requests-head"), show(".fl-loss .fl-requests")];
  assert.equal(head.textContent, "3 requests are gone, 1 of them already answered and 1 stopped by the user");
  assert.deepEqual([list.hidden, head.getAttribute("aria-controls") === list.id, list.id === "fl-requests"], [true, true, false]);
  head.click();
  assert.deepEqual([list.hidden, head.getAttribute("aria-expanded")], [false, "true"]);
  assert.deepEqual(texts(list, "li"), ["message 2gone, already answereddo it", "message 5gone, stopped by the userand now?", "and 1 more"]);
  list.querySelector(".fl-link").click();
  assert.equal(app.step, 1, "each leads to its message");
});

test("where every request is there the sentence opens the list of them and of the messages that are none", async () => {
  const [row] = ANSWERS["api/losses/"].rows;
  const others = [{ at: 1, kind: "goes_on", text: "do it", followed: false }];
  const kept = [{ at: 4, kind: "kept", text: "and now?", followed: true }];
  const requests = { ...row.requests, of: 1, gone: 0, open: 0, reworded: 0, here: [0, 0, 0, 0], listed: [], kept, others, uncounted: { goes_on: 1 } };
  serve({ ...ANSWERS, "api/losses/": { total: 1, from: 0, rows: [{ ...row, requests, typed: [0, 2, 0] }] } });
  const id = `t${++serial}`;
  app = new App(document.body);
  app.setRun(run({ tid: id, stamp: id }, { sid: id, session: id }), { query: { source: "sample" } });
  await settled();
  const head = show(".fl-ltable .fl-requests-head");
  assert.match(
    head.textContent,
    /^The request that the user made before the compaction is still .* 1 other message of the user is not counted as a request: it asks for nothing new\.$/,
  );
  head.click();
  assert.deepEqual(texts(app.root, ".fl-ltable .fl-requests li"), [
    "message 5still there, word for wordand now?",
    "message 2asks for nothing newdo it",
  ]);
});

test("of a few compactions all pages are asked for, so that the whole is told without a click", async () => {
  const { rows } = ANSWERS["api/losses/"];
  const page = (path) => ({ total: 2, from: Number(path.includes("from=1")), rows });
  serve({ ...ANSWERS, "api/losses/": page });
  const id = `t${++serial}`;
  app = new App(document.body);
  app.setRun(run({ tid: id, stamp: id }, { sid: id, session: id }), { query: { source: "sample" } });
  await settled();
  for (let k = 0; k < 2; k++) {
    pass(900);
    await settled();
  }
  assert.match(show(".fl-ltable").textContent, /text of 2 results is gone/);
});

/** The same six messages under a policy that never acts. */
const PLAIN = { length: 6, heads: [0], bodies: [0], tails: [0, 0, 0, 0, 0, 0], c: NONE };

test("the page is drawn anew for another theme, not for the one it has", async () => {
  await opened(2);
  app.setTheme("light");
  const drawn = [];
  app.notify = (change) => drawn.push(change);
  app.setTheme("light");
  assert.deepEqual(drawn, [], "Streamlit names it with every move of a slider");
  app.setTheme("dark");
  assert.deepEqual(drawn, [{ theme: true }]);
});

test("another run of the session leaves the overview where it is: its turns stay, the compactions among them are the new run's", async () => {
  serve(ANSWERS);
  const header = { sid: `t${++serial}`, session: "one" };
  app = new App(document.body);
  app.setRun(run({ tid: "a", stamp: "a" }, header), { query: { source: "sample" } });
  await settled();
  const [turns, told] = [[...app.root.querySelectorAll(".fl-oturn")], texts(app.root, ".fl-ocompaction")];
  const work = show(".fl-owork");
  turns[1].focus();
  app.setRun(run({ ...PLAIN, tid: "b", stamp: "b" }, header), { query: { source: "sample" } });
  assert.deepEqual([...app.root.querySelectorAll(".fl-oturn")], turns);
  assert.equal(document.activeElement, turns[1]);
  assert.deepEqual([told.length, texts(app.root, ".fl-ocompaction")], [1, []]);
  assert.match(show(".fl-oshown").textContent, /, no compaction\./);
  app.setRun(run({ tid: "c", stamp: "c" }, header), { query: { source: "sample" } });
  assert.deepEqual(texts(app.root, ".fl-ocompaction"), told);
  assert.ok(work && show(".fl-owork") === work, "a slider makes no nodes for what it leaves as it was");
  turns[1].click();
  assert.equal(app.overview, false);
});

/** Ways to press the button of the transport that leads on; a click of a pointer says that it is the first at its place. */
const FORWARD = {
  key: () => press(app.root, "ArrowRight"),
  pointer: () => {
    point(show('[data-tool="forward"]'), "pointerdown", 9);
    show('[data-tool="forward"]').dispatchEvent(new MouseEvent("click", { bubbles: true, detail: 1 }));
  },
  "Enter on it": () => (press(show('[data-tool="forward"]'), "Enter"), show('[data-tool="forward"]').click()),
  "a screen reader": () => show('[data-tool="forward"]').click(),
};

test("on while a compaction moves shows its end, and stays there; the next press leaves", async () => {
  for (const [way, forward] of Object.entries(FORWARD)) {
    await opened(3);
    forward();
    pass(400);
    assert.match(show(".fl-position").textContent, /phase \d of 4$/, way);
    forward();
    assert.deepEqual([app.step, app.show.now, moment().slice(0, 3)], [4, null, ["4", "57", "compaction 1 of 1"]], way);
    forward();
    assert.deepEqual([app.step, app.show.now], [5, null], way);
    assert.match(show(".fl-position").textContent, /^message 5 of 6 · turn/);
    app.destroy();
  }
  await opened(3);
});

test("back while a compaction moves shows the window before it at once; what moves back holds nobody up", async () => {
  await opened(3);
  press(app.root, "ArrowRight");
  pass(400);
  press(app.root, "ArrowLeft");
  assert.deepEqual([app.step, app.show.now, show(".fl-position b").textContent], [3, null, "message 4"]);
  pass(400);
  press(app.root, "ArrowRight");
  pass(3000);
  press(app.root, "ArrowLeft");
  assert.equal(app.show.now.back, true);
  press(app.root, "ArrowLeft");
  assert.equal(app.step, 2);
});

test("a wheel, a pointer elsewhere or another key that ends what moves takes nothing from the press behind it", async () => {
  const sent = (type) => () => app.root.dispatchEvent(new Event(type, { bubbles: true }));
  for (const other of [sent("wheel"), sent("pointerdown"), () => press(app.root, "Escape")]) {
    for (const [way, forward] of Object.entries(FORWARD)) {
      await opened(3);
      press(app.root, "ArrowRight");
      pass(400);
      other();
      assert.deepEqual([app.step, app.show.now], [4, null]);
      forward();
      assert.equal(app.step, 5, way);
      app.destroy();
    }
  }
  await opened(3);
});

test("n and p go to the next and the previous compaction, and say so where there is none", async () => {
  await opened(0);
  press(app.root, "n");
  assert.equal(app.step, 4);
  press(app.root, "n");
  assert.deepEqual([app.step, app.toast.textContent], [4, "No later compaction"]);
  press(app.root, "G");
  press(app.root, "p");
  assert.equal(app.step, 4);
  press(app.root, "p");
  assert.deepEqual([app.step, app.toast.textContent], [4, "No earlier compaction"]);
});

test("the buttons for compactions do what their names say", async () => {
  await opened(0);
  const [next, previous] = ["Next compaction", "Previous compaction"].map((name) => show(`[aria-label="${name}"]`));
  assert.equal(previous.getAttribute("aria-disabled"), "true");
  next.click();
  assert.equal(app.step, 4);
  press(app.root, "End");
  assert.equal(next.getAttribute("aria-disabled"), "true");
  previous.click();
  assert.equal(app.step, 4);
});

test("a card's buttons stay while its answer arrives, so that a click on one is not lost; a number that is asked for is … till then", async () => {
  await opened(0);
  press(app.root, "n");
  const buttons = () => [...app.root.querySelectorAll(".fl-tab"), ...app.root.querySelectorAll(".fl-phase")];
  const [before, findings] = [buttons(), show('[data-tab="findings"]')];
  assert.deepEqual([before.length > 4, findings.textContent], [true, "Findings …"]);
  pass(100);
  await settled();
  assert.deepEqual([buttons().every((button, i) => button === before[i]), findings.textContent], [true, "Findings 1"]);
});

test("arrows step, with Shift by turns; g and G go to the ends", async () => {
  await opened(0);
  const after = (key, more) => (press(app.root, key, more), app.step);
  assert.deepEqual(
    [after("ArrowRight"), after("ArrowRight"), after("ArrowLeft"), after("ArrowRight", { shiftKey: true }), after("ArrowLeft", { shiftKey: true })],
    [1, 2, 1, 6, 1],
  );
  assert.deepEqual([after("G"), after("g"), after("End"), after("Home")], [6, 0, 6, 0]);
  const turn = { shiftKey: true }; // the one turn begins at step 1
  assert.deepEqual([after("ArrowRight", turn), after("ArrowRight"), after("ArrowLeft", turn), after("ArrowLeft", turn)], [1, 2, 1, 0]);
});

test("playback takes two steps a second at 1×, and as many more as its speed says", async () => {
  for (const [speed, ms, step] of [
    [1, 1000, 2],
    [0.5, 2000, 2],
    [4, 500, 4],
  ]) {
    await opened(0, { length: 6, ...NEVER });
    app.setSpeed(speed);
    press(app.root, " ");
    assert.equal(app.playing, true);
    pass(ms, 125);
    assert.equal(app.step, step, `${speed}×`);
    press(app.root, " ");
    pass(1000);
    assert.equal(app.step, step, "paused");
    app.destroy();
  }
  await opened(0);
});

const COLUMNS = ["at", "before", "after", "folded", "number", "summaryTokens", "removedTokens", "status", "recordedBefore", "recordedAfter", "micro"];
const NEVER = {
  heads: [1],
  bodies: [1],
  tails: [0, 1, 0, 0, 0, 0],
  c: Object.fromEntries([...COLUMNS, "layout", "added"].map((name) => [name, []])),
};

test("playback stops at the last step, and begins again from the first", async () => {
  await opened(5);
  app.play();
  pass(3000);
  assert.deepEqual([app.step, app.playing], [6, false]);
  show('[data-tool="play"]').click();
  assert.deepEqual([app.step, app.playing], [0, true]);
  assert.equal(show('[data-tool="play"]').getAttribute("aria-label"), "Pause");
  app.pause();
});

test("faster than 1×, playback waits until a compaction is told, and 400 ms at 1× more", async () => {
  await opened(2);
  app.setSpeed(2);
  app.play();
  pass(550);
  assert.deepEqual([app.step, app.show.now?.moment.phase], [4, 1]);
  pass(700);
  assert.deepEqual([app.step, app.show.now?.moment.phase], [4, 4]);
  pass(250);
  assert.deepEqual([app.step, app.show.now], [4, null]);
  pass(300);
  assert.equal(app.step, 5);
});

/** The step, the phase that is lit, whether something moves, and the sentence on the phase. */
const told = () => [
  app.step,
  Number(show('.fl-phase[aria-pressed="true"]')?.dataset.phase),
  app.show.moves,
  show(".fl-phase-said [data-on]")?.textContent,
];
const HINT = "or press a phase (keys 1 to 4) to see the window as it is then; → leads on";
const SENTENCES = [
  "The window holds 100 tokens. The agent makes room.",
  "2 older messages will be summarized; 1 pinned and 1 recent stay.",
  "A summary of 7 tokens is written. It stands for 50 tokens of messages.",
  "Summary 1 takes the place of 2 messages. The window goes from 100 to 57 tokens.",
];
/** Milliseconds that a sentence takes to be read. */
const reading = (sentence) => 1000 + 35 * sentence.length;
/** Let the time go by until something is so; gives how long that took. */
function until(so) {
  let waited = 0;
  for (; waited < 20_000 && !so(); waited += 50) pass(50);
  return waited;
}

test("at 1× playback rests at each phase of a compaction as long as its sentence takes to be read, then goes on", async () => {
  await opened(2);
  app.play();
  until(() => app.player.telling);
  for (const [k, sentence] of SENTENCES.entries()) {
    until(() => !app.show.moves);
    assert.deepEqual(told(), [4, k + 1, false, sentence]);
    if (k < 3) assert.match(show(".fl-announced").textContent, new RegExp(`^Phase ${k + 1} of 4`));
    const rested = until(() => app.show.moves || app.step > 4);
    assert.ok(Math.abs(rested - reading(sentence)) <= 100, `${rested} ms`);
  }
  assert.deepEqual([app.step, app.playing], [5, true]);
});

test("where motion is unwelcome playback rests at a still of each phase", async () => {
  await opened(3);
  Object.defineProperty(app, "reduced", { value: true });
  app.play();
  pass(550);
  for (const [k, sentence] of SENTENCES.entries()) {
    assert.deepEqual(told(), [4, k + 1, false, sentence]);
    const rested = until(() => told()[3] !== sentence);
    assert.ok(Math.abs(rested - reading(sentence)) <= 100, `${rested} ms`);
  }
  assert.equal(app.step, 5);
});

test("compactions that follow each other at once are played without a rest, and so is one of which the file names no message", async () => {
  const rests = async (changes, step) => {
    await opened(step, changes);
    app.play();
    pass(550);
    const now = app.player.telling !== null;
    app.destroy();
    return now;
  };
  assert.equal(await rests({}, 3), true);
  assert.equal(await rests({ policy: { ...POLICY, effect: "view" } }, 3), false, "worked out anew before each call");
  const nothing = { kind: "replay", policy: null, c: { ...FOLDED.c, added: [[]], layout: [[0, 4]], folded: [0] } };
  assert.equal(await rests(nothing, 3), false);
});

test("the button of a card plays its compaction slowly, from any step, and stops behind it", async () => {
  await opened(6);
  app.select("c0.0");
  await settled();
  const play = show(".fl-play-phases");
  assert.deepEqual([play.textContent, told()[3]], ["Play this compaction", HINT]);
  play.click();
  assert.deepEqual([app.step, app.playing, app.show.now.pace.total, play.textContent], [4, true, 3200, "Stop"]);
  assert.ok(until(() => !app.playing) > 10_000);
  assert.deepEqual([told(), app.playing, show(".fl-position b").textContent], [[4, 4, false, HINT], false, "compaction 1 of 1"]);
  assert.equal(show(".fl-play-phases"), play, "the card stays, and so does the focus");
});

test("what is played stops at its phase: at the button or its key; the arrow leads on from there, Space plays on", async () => {
  await opened(4);
  press(app.root, "0");
  until(() => told()[1] === 2 && !app.show.moves);
  press(app.root, "0");
  pass(9000);
  assert.deepEqual([told(), app.playing, moment()[0]], [[4, 2, false, SENTENCES[1]], false, "2"]);
  press(app.root, "ArrowRight");
  assert.deepEqual(told(), [4, 3, false, SENTENCES[2]]);
  press(app.root, " ");
  pass(100);
  assert.deepEqual([told(), app.playing], [[4, 4, false, SENTENCES[3]], true]);
  press(app.root, " ");
  press(app.root, "0");
  pass(50);
  assert.equal(app.show.moves, true);
  press(app.root, "ArrowRight");
  assert.deepEqual([told(), app.playing], [[4, 1, false, SENTENCES[0]], false], "the phase that moves comes to its end");
  press(app.root, "ArrowRight");
  assert.deepEqual(told(), [4, 2, false, SENTENCES[1]]);
  press(app.root, "0");
  press(app.root, "g");
  assert.deepEqual([app.step, app.playing, app.player.telling], [0, false, null]);
});

test("a press in the last phase of what is played shows its end, and stays; back from there is the phase before", async () => {
  for (const [key, seen] of [
    ["ArrowRight", [4, 4, false, HINT]],
    ["ArrowLeft", [4, 3, false, SENTENCES[2]]],
  ]) {
    await opened(4);
    press(app.root, "0");
    until(() => told()[1] === 4 && app.show.moves);
    press(app.root, key);
    assert.deepEqual([told(), app.playing], [seen, false], key);
    pass(9000);
    assert.deepEqual(told(), seen, "nothing goes on by itself");
    app.destroy();
  }
  await opened(4);
  press(app.root, "0");
  until(() => told()[1] === 4 && !app.show.moves);
  press(app.root, "ArrowRight");
  assert.equal(app.step, 5, "its end was on show");
});

test("a rest counts by the clock, whatever speed is set meanwhile", async () => {
  for (const speed of [0.25, 8]) {
    await opened(2);
    app.play();
    until(() => app.player.telling && !app.show.moves);
    app.setSpeed(speed);
    const rested = until(() => app.show.moves);
    assert.ok(Math.abs(rested - reading(SENTENCES[0])) <= 100, `${rested} ms at ${speed}×`);
    app.destroy();
  }
  await opened(2);
});

test("0 on a card without phases says why there is nothing to play", async () => {
  const nothing = { kind: "replay", policy: null, c: { ...FOLDED.c, added: [[]], layout: [[0, 4]], folded: [0] } };
  await opened(4, nothing);
  press(app.root, "0");
  assert.equal(app.toast.textContent, "The file names no message that this compaction took: there is nothing to play");
  assert.equal(app.playing, false);
});

test("in a lesson nothing is played by a key: its digits are an answer", async () => {
  await opened(4);
  app.destroy();
  app = new App(document.body, null, "lesson");
  app.setRun(run({ tid: "lesson", stamp: "lesson" }, { sid: "lesson" }), { query: { source: "sample" }, start: "4" });
  await settled();
  const digit = new KeyboardEvent("keydown", { key: "0", bubbles: true, composed: true, cancelable: true });
  app.root.dispatchEvent(digit);
  assert.deepEqual([digit.defaultPrevented, app.playing, show(".fl-phase-caption").hidden], [false, false, true]);
  assert.equal(app.toast.textContent, "A lesson plays its compactions itself: key 0 does that in Debug", "where they are none");
});

test("a press elsewhere leaves what is played at its phase, as a still, and playback goes on from there", async () => {
  await opened(3);
  app.play();
  pass(550);
  app.root.dispatchEvent(new Event("wheel", { bubbles: true }));
  assert.deepEqual([told(), app.show.now, app.highlights.now.phase], [[4, 1, false, SENTENCES[0]], null, 1]);
  until(() => told()[1] === 2);
  assert.deepEqual([told(), app.show.now, app.playing], [[4, 2, false, SENTENCES[1]], null, true]);
});

test("a phase that moves when another run comes stands still, and its sentence with it", async () => {
  await opened(3);
  app.play();
  pass(550);
  assert.equal(app.show.moves, true);
  const { sid, session } = app.run.store.header;
  const comes = (changes) => app.setRun(run(changes, { sid, session }), { query: { source: "sample" } });
  comes({ tid: "t-b", stamp: "b" });
  assert.deepEqual(told(), [4, 1, false, SENTENCES[0]]);
  comes({ tid: "t-c", stamp: "c", length: 6, ...NEVER });
  app.step = 4;
  until(() => app.step > 4);
  assert.deepEqual([app.step, app.player.telling], [5, null], "a step that is no compaction any more is played as any other");
});

test("Space plays on from a phase of a compaction that is the last step", async () => {
  await opened(4, { length: 5 });
  press(app.root, "2");
  press(app.root, " ");
  assert.deepEqual([app.step, app.playing], [4, true]);
});

test("a session that is opened again begins with its overview, what was chosen is left; Python's other news leave the cursor", async () => {
  await opened(5);
  const { run: same, query } = app;
  app.select("m2");
  app.setAddress({ query, opened: 0 });
  assert.deepEqual([app.step, app.selected, app.overview], [5, "m2", false]);

  app.setAddress({ query, opened: 1 });
  await settled();
  assert.deepEqual([app.overview, app.selected, app.run], [true, null, same]);
  assert.equal(show(".fl-ohead h2").textContent, "What happened in this session");

  press(app.root, "G");
  app.setRun(run({ tid: "again", stamp: "again" }, { sid: "again", session: same.store.header.session }), { query, opened: 1 });
  assert.deepEqual([app.step, app.overview], [app.run.length - 1, false], "with other settings it is the one that is shown");
});

test("a jump made before Python has answered holds, also where Streamlit draws the debugger anew with the answer", async () => {
  await opened(2);
  const { run: same, query } = app;
  let nth = -1;
  app.tell = (_, asked) => (nth = asked.nth);
  app.apply({ source: "sample", budget: "9" }, 0);
  history.replaceState(null, "", "?source=sample&step=0"); // the address is that of the question
  app.go(4);
  await settled();
  app.destroy();
  app = new App(document.body);
  app.setRun(same, { query, start: "0", nth });
  assert.equal(app.step, 4);
});

test("the overview over what is played stops it", async () => {
  await opened(3);
  app.play();
  press(app.root, "o");
  assert.deepEqual([app.overview, app.playing], [true, false]);
});

test("the tiles are buttons that say which phase they show; left and right lead from one to the next", async () => {
  await opened(4);
  const tile = (phase) => show(`[data-phase="${phase}"]`);
  assert.match(tile(2).title, /^Show phase 2: partition \(key 2\)\nPartition: which messages go, and which stay\.$/);
  tile(1).focus();
  press(tile(1), "ArrowRight");
  assert.deepEqual([told().slice(0, 2), app.root.getRootNode().activeElement.dataset.phase], [[4, 2], "2"]);
  press(tile(2), "ArrowLeft");
  press(tile(1), "ArrowLeft");
  assert.equal(app.step, 3, "before the first it leads on as elsewhere");
});

/** What the page says at a moment: the lit tile, the number on the card, the step, the plan line. */
const moment = () => [
  show('.fl-phase[aria-pressed="true"]')?.dataset.phase,
  show(".fl-after").textContent,
  show(".fl-position").textContent.replace(/ ·.*/, ""),
  show(".fl-plan b").textContent,
];

test("while a compaction is told no part shows the new window before the others, and in the splice all do", async () => {
  await opened(2);
  press(app.root, "ArrowRight");
  press(app.root, "ArrowRight"); // a key just after a key is told quickly
  assert.equal(app.show.now.pace.total, 200);
  press(app.root, "ArrowLeft");
  pass(400);
  press(app.root, "ArrowRight");
  const at = (time) => (app.show.seek(time), moment());
  const bar = () => [...app.root.querySelectorAll(".fl-regions .fl-part")].reduce((sum, part) => sum + Number.parseFloat(part.style.width), 0);
  const splice = (time) => [...at(time).slice(1, 3), show(".fl-size").textContent, show(".fl-total").textContent, Math.round(bar())];
  assert.deepEqual(at(100), ["1", "…", "message 4", app.run.plan(3).lead]);
  assert.deepEqual(at(400).slice(0, 3), ["2", "…", "message 4"]);
  assert.match(show(".fl-position").textContent, /^message 4 · compaction 1 of 1 · phase 2 of 4$/);
  assert.match(at(400)[3], /^Before the compaction/);
  const plans = [100, 400, 1040].map((time) => (at(time), show(".fl-plan").textContent));
  for (const plan of plans) assert.match(plan, /summarizes 1 message, 20 tokens, and keeps/, "what comes of it is not known yet");
  assert.deepEqual(at(800).slice(0, 3), ["3", "…", "message 4"]);
  assert.deepEqual(at(1040).slice(0, 3), ["3", "…", "message 4"]);
  assert.deepEqual(splice(1180), ["…", "message 4", "4 messages", "= 100 of 100", 100]);
  const bars = [1181, 1285, 1390, 1495, 1599].map((time) => {
    const [number, step, count, total, bar] = splice(time);
    assert.deepEqual([number, step, count, total], ["57", "compaction 1 of 1", "3 messages", "= 57 of 100"], time); // no number in between
    assert.equal(at(time)[3], app.run.plan(4).lead);
    return bar;
  });
  assert.deepEqual(bars, [100, 81, 68, 60, 57]);
  press(app.root, "Escape");
  assert.deepEqual(moment(), ["4", "57", "compaction 1 of 1", app.run.plan(4).lead]);
  assert.deepEqual([app.show.now, show(".fl-stage").children.length], [null, 0]);
});

test("each phase is a still that all parts of the page share", async () => {
  await opened(4);
  const summary = () => [show(".fl-comp").dataset.told ?? "", show(".fl-total").textContent, show(".fl-window .fl-title").textContent];
  const before = app.run.plan(3).lead;
  press(app.root, "1");
  assert.deepEqual(
    [moment(), summary()],
    [
      ["1", "…", "message 4", before],
      ["unwritten", "= 100 of 100", "Window at message 4"],
    ],
  );
  press(app.root, "2");
  const waiting = `Before the compaction: ${before.charAt(0).toLowerCase()}${before.slice(1)}`;
  assert.deepEqual(
    [moment(), summary()],
    [
      ["2", "…", "message 4", waiting],
      ["unwritten", "= 100 of 100", "Window at message 4"],
    ],
  );
  press(app.root, "3");
  assert.deepEqual(
    [moment(), summary()],
    [
      ["3", "…", "message 4", waiting],
      ["written", "still 100 of 100", "Window at message 4"],
    ],
  );
  press(app.root, "4");
  assert.deepEqual(
    [moment(), summary()],
    [
      ["4", "57", "compaction 1 of 1", app.run.plan(4).lead],
      ["", "= 57 of 100", "Window after compaction 1"],
    ],
  );
  assert.equal(app.step, 4);
});

test("arrows and their buttons go from one phase to the next and on to the next step; Esc shows the compaction as it is", async () => {
  await opened(4);
  const at = () => [app.step, app.highlights.now.phase];
  const [forward, back] = ["forward", "back"].map((name) => () => show(`[data-tool="${name}"]`).click());
  show('[data-phase="2"]').click();
  assert.equal(show(".fl-announced").textContent, "Phase 2 of 4, partition: 1 pinned · 2 summarized · 1 recent");
  assert.deepEqual(
    [(press(app.root, "ArrowRight"), at()), (forward(), at()), (forward(), at())],
    [
      [4, 3],
      [4, 4],
      [5, null],
    ],
  );
  app.go(4);
  press(app.root, "2");
  assert.deepEqual(
    [(press(app.root, "ArrowLeft"), at()), (back(), at())],
    [
      [4, 1],
      [3, null],
    ],
  );
  app.show.end();
  app.go(4);
  press(app.root, "3");
  press(app.root, "Escape");
  assert.deepEqual([at(), moment()[1]], [[4, null], "57"]);
  press(app.root, "3");
  app.go(3);
  app.go(4);
  assert.deepEqual(at(), [4, null]);
});

test("on a slider of the settings that was just dragged, letters are the debugger's keys; what moves it stays its own", async () => {
  await opened(0);
  const slider = document.body.appendChild(Object.assign(document.createElement("input"), { type: "range" }));
  press(slider, "ArrowRight");
  press(slider, "End");
  assert.equal(app.step, 0);
  press(slider, "n");
  assert.equal(app.step, 4);
  slider.type = "number";
  press(slider, "p");
  assert.equal(app.step, 4, "in a field they are typed");
  slider.remove();
});

test("a key for a phase ends the telling of the compaction", async () => {
  await opened(3);
  press(app.root, "ArrowRight");
  press(document.body, "1");
  assert.equal(app.highlights.now.phase, 1, "the focus is outside of the debugger");
  press(app.root, "2");
  assert.deepEqual([app.show.now, app.highlights.now.phase, moment()[0]], [null, 2, "2"]);
  pass(2000);
  assert.equal(moment()[0], "2");
});

test("a compaction that is come to is announced, by one region alone, and again when it is come to again", async () => {
  await opened(3);
  const announced = () =>
    [...app.root.querySelectorAll('[role="status"]')].filter((node) => node.getAttribute("aria-live") !== "off").map((node) => node.textContent);
  const sentence = "Compaction 1: 100 to 57 tokens, 2 messages became summary 1";
  const about = () => announced().filter((text) => /compaction/i.test(text));
  press(app.root, "ArrowRight");
  assert.deepEqual([about(), show(".fl-plan").getAttribute("aria-live")], [[sentence], "off"]);
  pass(2000);
  press(app.root, "ArrowRight");
  assert.equal(show(".fl-announced").textContent, "");
  assert.equal(show(".fl-plan").getAttribute("aria-live"), "polite");
  app.go(4);
  assert.equal(show(".fl-announced").textContent, sentence);
});

test("while playing, compactions are announced no faster than they can be heard, the last of them when playback stops", async () => {
  const two = {
    at: [4, 1],
    layout: [FOLDED.c.layout[0], [0, 1, ADDED + 1, ADDED + 2, 4, 5]],
    added: [FOLDED.c.added[0], FOLDED.c.added[0]],
    number: [1, 2],
  };
  const c = Object.fromEntries(Object.entries(FOLDED.c).map(([name, column]) => [name, two[name] ?? [column[0], column[0]]]));
  await opened(3, { length: 8, heads: [1, 1, 1], bodies: [1, 1, 1], tails: [0, 1, 0, 1, -1, 1, 0, 1], c });
  app.setSpeed(8);
  app.play();
  const announced = () => show(".fl-announced").textContent.slice(0, 12);
  pass(300);
  assert.equal(announced(), "Compaction 1");
  while (app.step < 6) pass(50);
  assert.equal(announced(), "Compaction 1");
  app.pause();
  assert.equal(announced(), "Compaction 2");
});

/** A run whose second compaction takes two messages and the summary of the first one, opened at a step. @param {number} step */
async function openedTwice(step) {
  const [first] = FOLDED.c.added;
  const two = { at: [4, 1], layout: [FOLDED.c.layout[0], [0, 1, ADDED + 1, ADDED + 2]], added: [first, first], number: [1, 2] };
  const c = Object.fromEntries(Object.entries(FOLDED.c).map(([name, [one]]) => [name, two[name] ?? [one, one]]));
  await opened(step, { length: 8, heads: [1, 1, 1], bodies: [1, 1, 1], tails: [0, 1, 0, 1, -1, 1, 0, 1], c });
}

test("what goes with an earlier summary is counted alike in the card's heading, its tile and its tab, and read to a room", async () => {
  await openedTwice(6);
  assert.match(app.root.querySelector(".fl-flat, .fl-comp").textContent, /2 messages and summary #1, /);
  assert.equal(texts(app.root, ".fl-phase .fl-figure")[1].replace(/\s/g, " "), "1 pinned · 2 + summary");
  const tab = app.root.querySelector('[data-tab="removed"]');
  assert.deepEqual([tab.textContent, tab.title], ["Removed 3", "2 messages and 1 earlier summary"]);
  assert.match(splicedSentence(app.run, 1), /^Summary 2 takes the place of 2 messages and 1 earlier summary\. /);
});

test("while several sections go each keeps the count of its own, until the first becomes that of all", async () => {
  await openedTwice(5);
  press(app.root, "ArrowRight");
  const headings = (time) => (app.show.seek(time), texts(app.root, ".fl-stage .fl-heading").slice(1, 3));
  const messages = "Being summarized: 2 messages90 tokens";
  assert.deepEqual(headings(450), ["Being summarized: 1 earlier summary7 tokens", messages]);
  assert.deepEqual(headings(600), ["Being summarized: 2 messages and 1 earlier summary3 → 1", messages]);
  assert.deepEqual(texts(app.root, ".fl-stack > :nth-child(2)"), ["2 messages and 1 earlier summary"], "the stack says it too");
});

test("an attempt that fails is told: what it was about to take, then that it failed", async () => {
  const failed = { at: [3], status: [2], reason: ["over budget, but the summarizer failed: no answer"], times: [1] };
  await opened(1, { ...NEVER, length: 6, failed, statuses: ["not_triggered", "compacted", "failed"] });
  press(app.root, "ArrowRight");
  assert.deepEqual([app.step, app.show.now?.story], [2, "failed"]);
  assert.match(show(".fl-plan").textContent, /Summarizing…|Summarizing \d+ message/);
  app.show.seek(560);
  assert.equal(show(".fl-position").textContent, "message 3 · failed attempt · phase 3 of 4");
  pass(900);
  assert.match(show(".fl-plan").textContent, /Summarizing failed here/);
});

test("a step back from a compaction is told quickly, backwards; a jump is not told", async () => {
  await opened(4);
  press(app.root, "ArrowLeft");
  assert.deepEqual([app.step, app.show.now.back, app.show.now.pace.total], [3, true, 200]);
  pass(250);
  assert.equal(app.show.now, null);
  app.go(5);
  app.go(4, { animate: true });
  assert.equal(app.show.now, null);
});

test("the window lists what the model would be sent, each row with its region and tokens", async () => {
  await opened(3);
  const rows = [...app.root.querySelectorAll(".fl-window .fl-row")].map((row) => [row.dataset.key, row.dataset.region, row.dataset.tokens]);
  assert.deepEqual(rows, [
    ["m0", "system", "10"],
    ["m1", "compactable", "20"],
    ["m2", "recent", "30"],
    ["m3", "recent", "40"],
  ]);
  assert.ok(
    [...app.root.querySelectorAll(".fl-preview")].every((node) => node.dir === "auto"),
    "each in the direction of its text",
  );
  assert.equal(show(".fl-gauge .fl-total").textContent, "= 100 of 100");
  assert.equal(show(".fl-window .fl-title").textContent, "Window at message 4");
});

test("after a compaction the window holds the summary, and ghosts show what left", async () => {
  await opened(4);
  const keys = () => [...app.root.querySelectorAll(".fl-row")].map((row) => row.dataset.key);
  assert.deepEqual(keys(), ["m0", "c0.0", "m3"]);
  show(".fl-switch").click();
  assert.deepEqual(keys(), ["m0", "m1", "m2", "c0.0", "m3"]);
  const headings = texts(app.root, ".fl-window .fl-content .fl-heading");
  assert.deepEqual(headings, ["Summarized earlier: 2 messages, no longer in the window", "Summary", "Recent: kept, 1 message"]);
  show('.fl-ghost[data-key="m1"]').click();
  await settled();
  assert.equal(app.selected, "m1");
  assert.match(show(".fl-where").textContent, /summarized by compaction 1/);
});

test("the head of a message says until when it is in the window; its Why, and w, follow its first words", async () => {
  await opened(2);
  app.select("m2");
  await settled();
  assert.equal(show(".fl-where").textContent, "message 3 of 6 · in the window until compaction 1");
  press(app.root, "w");
  assert.deepEqual([app.why.chosen.text, app.why.front], ["body of 2", true]);
  app.why.close();
  app.select("m0");
  await settled();
  assert.equal(show(".fl-where").textContent, "message 1 of 6 · in the window to the end");
});

test("where the list ends long before the card does, it says below what has left, and shows it", async () => {
  await opened(3);
  assert.equal(show(".fl-gone").hidden, true, "nothing has left");
  app.go(4);
  await settled();
  assert.equal(show(".fl-gone").hidden, false);
  assert.equal(show(".fl-gone .fl-ghost p").textContent, "2 messages have left the window so far: 50 tokens");
  show(".fl-gone button").click();
  assert.deepEqual([app.ghosts, show(".fl-gone").hidden], [true, true], "the list has them now");
});

test("of a run as recorded it says below, too, what was sent and is not in the file", async () => {
  const recorded = { at: [4], before: [-1], after: [-1], left: [57], prompts: { at: [2, 3, 5], tokens: [90, 170, 20] }, error: null };
  await opened(3, { kind: "replay", policy: null }, { recorded });
  const sent = 170 - app.run.step(2).tokens;
  assert.equal(show(".fl-goneline:not([hidden]) p").textContent, `Sent too, but not in this file, ~${sent} tokens: tools, what the agent added`);
  assert.equal(show(".fl-goneline.fl-ghost").hidden, true, "nothing has left");
});

test("of a file that begins in the middle of a session it says so, and what is not in the file, until a compaction took it", async () => {
  const recorded = { at: [4], before: [-1], after: [-1], left: [57], prompts: { at: [2, 3, 5], tokens: [90, 170, 20] }, error: null };
  const changes = { kind: "replay", policy: null };
  await opened(3, changes, { recorded, startsMidway: true });
  assert.match(show(".fl-goneline:not([hidden]) p").textContent, /: earlier messages, tools, what the agent added$/);
  app.destroy();
  recorded.prompts = { at: [2, 3, 5], tokens: [90, 170, 2000] };
  await opened(4, changes, { recorded, startsMidway: true });
  assert.match(show(".fl-goneline:not([hidden]) p").textContent, /: tools, what the agent added$/);
  app.setOverview(true);
  await settled();
  assert.equal(show(".fl-omidway").textContent, "This file begins in the middle of a session. What came before is not in it.");
  assert.equal(show(".fl-overview section h3").textContent, "First request in this file");
  app.destroy();
  await opened(4, changes, { recorded });
  app.setOverview(true);
  await settled();
  assert.deepEqual([show(".fl-omidway"), show(".fl-overview section h3").textContent], [null, "Task"]);
});

test("a compaction is shown to scale only where there is room, once it has been told, and in no lesson", async () => {
  await opened(4);
  const { ToScale } = await import("../../viewer/frontend/debugger/toscale.js");
  const [picture, list] = [new ToScale(app), document.createElement("div")];
  Object.defineProperty(list, "clientWidth", { value: 600 });
  list.append(picture.node);
  const there = (top, view, told) => (picture.draw(top, view, told, () => {}), !picture.node.hidden && !picture.wordy);
  assert.deepEqual([there(100, 224, true), there(100, 223, true), there(100, 224, false)], [true, false, false]);
  for (const name of ["hosted", "playing", "ghosts"]) {
    app[name] = true;
    assert.equal(there(100, 224, true), false, name);
    app[name] = false;
  }
  app.go(3);
  assert.equal(there(100, 224, true), false, "at a message");
});

test("with less room than the picture needs what was lost stands in words, as much of it as fits; the rest is on the card", async () => {
  await opened(4, {}, {}, lossAnswers(lostAll(["no links", "use blue", "no red"])));
  const { ToScale } = await import("../../viewer/frontend/debugger/toscale.js");
  const [picture, list] = [new ToScale(app), document.createElement("div")];
  Object.defineProperty(list, "clientWidth", { value: 600 });
  Object.defineProperty(picture.foot, "offsetHeight", { get: () => 15 * (1 + picture.foot.querySelectorAll("li").length) });
  list.append(picture.node);
  const lines = (room, presenting = false) => {
    app.presenting = presenting;
    picture.draw(100, 100 + room + 24, true, () => {});
    return picture.node.hidden ? null : ["words" in picture.node.dataset ? "words" : "picture", texts(picture.foot, "li")];
  };
  picture.draw(100, 199, true, () => {});
  pass(200);
  await settled();
  const said = ["no links", "use blue", "no red"];
  assert.equal(lines(90)[0], "words");
  assert.equal(lines(90)[1].length, 5);
  assert.deepEqual(lines(90)[1].slice(0, 3), said);
  assert.deepEqual(lines(75)[1], ["no links", "use blue", "no red", "the rest is on the card"]);
  assert.deepEqual(lines(60)[1], ["no links", "use blue", "the rest is on the card"]);
  assert.equal(lines(43), null, "with less nothing");
  assert.deepEqual(lines(75, true)[1], ["no links", "use blue", "no red", "and 2 more"], "in front of a room there is no card");
  assert.equal(lines(200)[0], "picture");
  const heading = () => picture.foot.querySelector("div > p").textContent;
  assert.equal(heading(), "Lost: nothing in the window says it any more");
  picture.losses.unseen = 1;
  lines(201);
  assert.equal(heading(), "Lost, as far as this file shows");
});

test("in a list without room below, or while a compaction is taken apart, nothing is said there", async () => {
  await opened(4);
  const { Gone } = await import("../../viewer/frontend/debugger/gone.js");
  const gone = new Gone(app);
  gone.draw(100, 184, true);
  assert.deepEqual([gone.node.hidden, gone.node.style.top], [false, "112px"]);
  gone.draw(100, 183, true);
  assert.equal(gone.node.hidden, true);
  gone.draw(100, 184, false);
  assert.equal(gone.node.hidden, true);
});

test("a row is set in the type of code only where it shows code: a tool's output, or a call without a word", () => {
  const view = new RowView();
  const coded = (role, flags) => {
    view.fill({ ...run().window(0).row(0), role, flags }, 100);
    return view.node.classList.contains("fl-code");
  };
  const { calls, wordless } = FLAG;
  assert.deepEqual([coded("tool", 0), coded("assistant", calls | wordless), coded("assistant", calls), coded("user", 0)], [true, true, false, false]);
});

test("what a person typed while the agent worked says so", async () => {
  await opened(3);
  serve({ ...ANSWERS, "api/message/": { ...MESSAGE, injected: "queued" } });
  show('[data-key="m1"]').click();
  await settled();
  assert.match(show(".fl-ibody .fl-about").textContent, /typed while the agent worked/);
});

test("a chosen row is shown whole; the arrow keys choose the ones beside it; Escape lets go", async () => {
  await opened(3);
  show('[data-key="m1"]').click();
  await settled();
  assert.match(show(".fl-ibody").textContent, /line 3|record 3/);
  assert.match(show(".fl-ibody .fl-md").textContent, /body of 1/);
  press(show(".fl-list .fl-scroll"), "ArrowDown");
  assert.equal(app.selected, "m2");
  press(show(".fl-list .fl-scroll"), "PageUp");
  assert.equal(app.selected, "m0");
  press(app.root, "Escape");
  assert.equal(app.selected, null);
});

test("the row of what the inspector shows is marked: the newest message, the chosen one, the summary on its card", async () => {
  await opened(2);
  const marked = () => [...app.root.querySelectorAll('.fl-window .fl-row[aria-selected="true"]')].map((row) => row.dataset.key);
  assert.deepEqual(marked(), ["m2"]);
  press(app.root, "ArrowRight");
  assert.deepEqual(marked(), ["m3"]);
  show('[data-key="m1"]').click();
  assert.deepEqual(marked(), ["m1"]);
  app.go(4);
  assert.deepEqual([show(".fl-inspector").dataset.shows, marked()], ["compaction 0", ["c0.0"]]);
  press(app.root, "Escape");
  press(app.root, "ArrowLeft");
  assert.deepEqual([app.selected, marked()], [null, ["m3"]]);
});

test("up and down choose the row beside the marked one wherever the focus is, but in a field or another list", async () => {
  await opened(3);
  press(app.root, "ArrowUp");
  assert.equal(app.selected, "m2");
  press(show('[data-tool="next"]'), "ArrowUp");
  assert.equal(app.selected, "m1");
  const outside = Object.assign(document.createElement("button"), { textContent: "elsewhere" });
  const field = document.createElement("input");
  document.body.append(outside, field);
  press(outside, "ArrowDown");
  press(field, "ArrowDown");
  press(show(".fl-timeline"), "ArrowUp");
  outside.remove();
  field.remove();
  assert.deepEqual([app.selected, app.step], ["m2", 4]);
});

test("a step that is no message's number says why", async () => {
  await opened(3);
  const position = () => [show(".fl-position").textContent, show(".fl-position").title];
  const keys = "The arrow keys stop at each message and at each compaction.";
  assert.deepEqual(position(), ["message 4 of 6 · turn 1", `4 messages and no compaction so far. ${keys}`]);
  app.go(4);
  assert.deepEqual(position(), ["compaction 1 of 1 · after message 4 · turn 1", `4 messages and 1 compaction so far. ${keys}`]);
});

test("the switch shows a message as it is written, and holds for every message and summary, also in a later visit", async () => {
  await opened(3);
  const answer = { ...MESSAGE, role: "assistant", content: "# Plan\n\n- **a**", total: 15, thinking: "*Hm*", thinking_total: 4 };
  serve({ ...ANSWERS, "api/message/": answer, "api/compaction/": { ...CARD, summary: "## Goal" } });
  const texts_ = () => [show(".fl-thinking > :last-child").textContent, show(".fl-ibody > :last-child").textContent];
  show('[data-key="m1"]').click();
  await settled();
  assert.equal(show(".fl-markdown").getAttribute("aria-checked"), "true");
  assert.deepEqual(texts_(), ["Hm", "Plana"]);
  show(".fl-markdown").click();
  assert.deepEqual(texts_(), ["*Hm*", "# Plan\n\n- **a**"]);
  assert.equal(JSON.parse(localStorage.getItem("foldline-markdown")).said, false);
  app.go(4);
  app.select(null);
  await settled();
  assert.equal(show(".fl-summary-text .fl-text").textContent, "## Goal");
  show(".fl-summary-text .fl-markdown").click();
  assert.equal(show(".fl-summary-text h3").textContent, "Goal");
  assert.equal(JSON.parse(localStorage.getItem("foldline-markdown")).said, true);
});

test("what a tool returned is shown as it is written until it is switched; a very long text always is", async () => {
  await opened(3);
  serve({
    ...ANSWERS,
    "api/message/": (path) => ({
      ...MESSAGE,
      role: path.endsWith("/2") ? "tool" : "user",
      content: path.endsWith("/2") ? "# x" : `# ${"y".repeat(100_000)}`,
    }),
  });
  show('[data-key="m2"]').click();
  await settled();
  assert.equal(show(".fl-ibody .fl-text").textContent, "# x");
  show(".fl-markdown").click();
  assert.equal(show(".fl-ibody h3").textContent, "x");
  show(".fl-markdown").click();
  show('[data-key="m1"]').click();
  await settled();
  assert.equal(show(".fl-ibody .fl-text").textContent.slice(0, 3), "# y");
  assert.equal(show(".fl-markdown").disabled, true);
});

test("what is looked for is marked in the message, formatted or not", async () => {
  await opened(3);
  serve({ ...ANSWERS, "api/message/": { ...MESSAGE, content: "a **needle**" } });
  press(app.root, "/");
  type(show(".fl-find input"), "needle");
  show('[data-key="m1"]').click();
  await settled();
  assert.equal(show(".fl-ibody strong mark").textContent, "needle");
  show(".fl-markdown").click();
  assert.equal(show(".fl-ibody .fl-text mark").textContent, "needle");
  show(".fl-markdown").click();
});

test("a summary that nobody can read has no size, not that of the words in its place", async () => {
  await opened(4);
  assert.match(show('.fl-phase[data-phase="3"] span').textContent, /→ \d+$/);
  app.destroy();
  const added = FOLDED.c.added.map((all) => all.map((one) => one.with(2, 0)));
  await opened(4, { c: { ...FOLDED.c, added, summaryTokens: [0], unreadable: ["encrypted"] } });
  assert.match(show('.fl-phase[data-phase="3"] span').textContent, /→ size unknown$/);
  assert.equal(show(".fl-line .fl-comes").textContent, " → 1 summary, size unknown");
  assert.equal(show(".fl-comp .fl-tabpanel").textContent, SEALED.encrypted);
  assert.equal(show('[data-key="c0.0"] .fl-tokens').textContent, "?");
  assert.match(show(".fl-legend").textContent, /summary \?/);
  assert.match(show(".fl-total").textContent, /^= [\d,]+ \+ \?/);
});

test("the card of a compaction has its numbers, its summary and its findings", async () => {
  await opened(4);
  const { fl } = { fl: (selector) => show(`.fl-inspector ${selector}`) };
  assert.equal(fl(".fl-title").textContent, "Compaction 1 of 1");
  assert.equal(fl(".fl-numbers").textContent, "100→57−43 % · tokens counted by agentkit");
  assert.deepEqual(texts(app.root, ".fl-phase b"), ["1 trigger", "2 partition", "3 summarize", "4 splice"]);
  assert.equal(fl(".fl-summary-text .fl-md").textContent, "Task: read a.py");
  fl('[data-tab="findings"]').click();
  assert.match(fl(".fl-finding").textContent, /Orphaned tool result Its call is gone\. message 4/);
  fl('[data-tab="removed"]').click();
  await settled();
  assert.deepEqual(texts(show(".fl-comp .fl-tabpanel"), ".fl-preview"), ["do it", "a.py"]);
  press(show(".fl-tabs"), "ArrowRight");
  assert.equal(show('.fl-tab[aria-selected="true"]').dataset.tab, "kept");
});

test("the card of a recorded compaction says how long the agent waited for it, where that is recorded", async () => {
  const answers = [118_042, 800, null].map((duration_ms) => ({ ...CARD, recorded: true, trigger: "auto", duration_ms }));
  const said = [];
  for (const card of answers) {
    await opened(0, { kind: "replay" });
    serve({ ...ANSWERS, "api/compaction/": card });
    app.go(4);
    await settled();
    said.push(show(".fl-inspector .fl-when").textContent);
    app.destroy();
  }
  assert.deepEqual(said, ["after message 4 · auto · took 1 min 58 s", "after message 4 · auto · took less than 1 s", "after message 4 · auto"]);
});

test("the card of a recorded compaction says why it happened, then the transcript's numbers, then what of them can be seen", async () => {
  const columns = { ...run().view.c, at: [4], recordedBefore: [155829], recordedAfter: [16258] };
  const prompts = { at: [3, 5], tokens: [155829, 16258] };
  const recorded = { at: [4], before: [155829], after: [16258], left: [57], prompts, error: null, uncertain: [] };
  await opened(3, { kind: "replay", policy: null, c: columns }, { recorded, unseen: { first: 1, typical: 1 } });
  const before = show(".fl-counts").textContent;
  const occasion = "Claude Code compacted automatically at 155,829 tokens.";
  serve({
    ...ANSWERS,
    "api/compaction/": { ...CARD, recorded: true, fidelity: "partial", occasion, before_from: "its count (`preTokens`)", after_from: "b" },
  });
  app.go(4);
  await settled();
  const inspectorText = (name) => show(`.fl-inspector ${name}`).textContent;
  assert.equal(inspectorText(".fl-occasion"), occasion);
  assert.equal(inspectorText(".fl-numbers"), "155,829→16,258−90 % · tokens as recorded");
  assert.match(show(".fl-timeline").getAttribute("aria-valuetext"), /, prompt 16,258 tokens$/, "the timeline says the same to be heard");
  assert.equal(inspectorText(".fl-line"), "In this file: 2 messages, 50 tokens → 1 summary, 7; 2 messages stay");
  assert.equal(
    before,
    "not in this file ~155,769 · last prompt 155,829, ~40 came since",
    "what the card says is unseen is what the step before it says",
  );
  assert.equal(show(".fl-counts").textContent, "not in this file ~16,151 · next prompt 16,258, ~50 to come");
  assert.equal(show(".fl-total").textContent, "= 57 visible", "more was sent than the file shows");
  assert.equal(inspectorText('[data-phase="1"] span'), "155,829");
  const notes = [
    "155,829 is its count (preTokens).",
    "16,258 is b.",
    "Before it, ~155,769 tokens that were sent are not in this file: tools, what the agent added.",
    "After it, ~16,151 are not in this file: the same kinds as before.",
    "Messages of ~40 tokens came after the prompt of 155,829: with them the window held ~155,869 when it was compacted.",
    "Messages of ~50 tokens that came before the next prompt are in 16,258: without them the compaction left ~16,208.",
    "Partial: the transcript records this compaction and its summary, but may not say of every message whether it was kept.",
  ];
  assert.deepEqual(texts(app.root, ".fl-inspector .fl-about-numbers li"), notes); // rows and tiles are tied, however near they are
  assert.deepEqual(texts(app.root, ".fl-about-numbers code"), ["preTokens"]);
  const above = [...app.root.querySelectorAll(".fl-comp > .fl-flat:first-child > *")].map((node) => node.className);
  assert.deepEqual(above, ["fl-occasion", "fl-numbers", "fl-line"], "nothing else stands above the tiles");
});

test("recorded numbers that agree with what is visible need no word of the file; without a prompt on record nobody knows what was unseen", async () => {
  const told = async (recordedBefore, recordedAfter) => {
    await opened(4, {
      kind: "replay",
      policy: null,
      c: { ...run().view.c, at: [4], recordedBefore: [recordedBefore], recordedAfter: [recordedAfter] },
    });
    const said = texts(app.root, ".fl-numbers, .fl-comp .fl-line, .fl-about-numbers li");
    app.destroy();
    return said;
  };
  const line = "2 messages, 50 tokens → 1 summary, 7; 2 messages stay";
  assert.deepEqual(await told(100, 57), ["100→57−43 % · tokens as recorded", line]);
  assert.deepEqual(await told(90, 80), ["90→80−11 % · tokens as recorded", `In this file: ${line}`]);
  assert.deepEqual(await told(-1, 80), ["?→80tokens as recorded", `In this file: ${line}`]);
});

test("where a record names no message that stayed, the card does not say that none did", async () => {
  const kept = async (fidelity) => {
    await opened(4, { kind: "replay", policy: null, c: { ...run().view.c, at: [4], layout: [[ADDED, ADDED + 1]], fidelity: [fidelity] } });
    show('.fl-inspector [data-tab="kept"]').click();
    await settled();
    const said = show(".fl-comp .fl-tabpanel").textContent;
    app.destroy();
    return said;
  };
  assert.equal(await kept("partial"), "The record names no message that was kept.");
  assert.equal(await kept("exact"), "Nothing was kept.");
});

test("the legend and the message explain on focus why what goes is inferred", async () => {
  await opened(3, { kind: "replay", policy: null, c: { ...run().view.c, at: [4], layout: [[ADDED, ADDED + 1]], fidelity: ["partial"] } });
  const item = show(".fl-legend .fl-is-compactable");
  assert.match(item.textContent, /^compactable \(inferred\)/);
  item.dispatchEvent(new Event("pointerover", { bubbles: true }));
  assert.equal(show(".fl-meaning.fl-open"), null, "nothing is explained that came under a pointer at rest");
  item.dispatchEvent(new Event("pointermove", { bubbles: true }));
  assert.notEqual(show(".fl-meaning.fl-open"), null);
  item.dispatchEvent(new Event("focusin", { bubbles: true }));
  assert.match(
    show(".fl-meaning.fl-open").textContent,
    /^What the next compaction may remove or clear\. .* Inferred: the record names no message that this compaction kept\./,
  );
  const chip = show(".fl-inspector .fl-in-compactable");
  assert.equal(chip.textContent, "compactable (inferred)");
  assert.equal(chip.getAttribute("tabindex"), "0");
  assert.match(show(".fl-inspector .fl-ihead .fl-tooltip").textContent, /^Compactable, inferred: the record of the next compaction/);
  assert.deepEqual(texts(app.root, ".fl-list .fl-scroll .fl-heading"), ["Pinned: system", "Before the next compaction3 messages"]);
});

test("of a recorded run whose prompts are on record the window says that it is only what can be seen of them", async () => {
  const prompts = { at: [5], tokens: [900] };
  const recorded = { at: [4], before: [-1], after: [-1], left: [57], prompts, error: null, uncertain: [] };
  const columns = { ...run().view.c, at: [4] };
  await opened(4, { kind: "replay", policy: null, c: columns }, { recorded, unseen: { first: 1, typical: 1 } });
  assert.match(show(".fl-told").textContent, /^, part of the prompt$/);
  assert.equal(show(".fl-counts").textContent, "not in this file ~793 · next prompt 900, ~50 to come");
});

test("a simulation of such a session, too, has only a part of what the model would be sent", async () => {
  await opened(2, {}, { unseen: { first: 1, typical: 1 } });
  assert.match(show(".fl-told").textContent, /^, part of the prompt$/);
});

test("1 to 4 show the phases of a compaction: what goes is marked, then what takes its place", async () => {
  await opened(4);
  press(app.root, "2");
  assert.deepEqual(
    [...app.root.querySelectorAll(".fl-window .fl-taken")].map((row) => row.dataset.key),
    ["m1", "m2"],
  );
  assert.match(show(".fl-plan").textContent, /^\s*Before the compaction/);
  assert.match(show(".fl-told").textContent, /^, 2 of them go$/);
  press(app.root, "3");
  assert.deepEqual(texts(app.root, ".fl-window .fl-fresh .fl-role"), ["summary #1"]);
  press(app.root, "4");
  assert.match(show(".fl-told").textContent, /what the model would be sent/);
});

test("the legend says a number once: that of a window of one region is its total", async () => {
  await opened(1);
  assert.deepEqual(texts(app.root, ".fl-item").length, 2);
  app.go(0);
  await settled();
  assert.deepEqual([texts(app.root, ".fl-item").length, /\d/.test(show(".fl-item").textContent)], [1, false]);
  assert.match(show(".fl-total").textContent, /^= \d+/);
});

test("a window that a compaction replaces at the next step is not called what the model would be sent", async () => {
  await opened(3);
  assert.match(show(".fl-told").textContent, /^, not sent: compacted first$/);
  app.go(2);
  await settled();
  assert.match(show(".fl-told").textContent, /what the model would be sent/);
});

test("what only clears content has the color of that on its card, in the overview, and on the way to it", async () => {
  const marked = async (changes) => {
    await opened(4, changes);
    const purple = (one) => show(one)?.hasAttribute("data-clears");
    const found = [purple(".fl-phases")];
    app.setOverview(true);
    await settled();
    found.push(...[".fl-ocompaction", ".fl-loss", '[data-tool="previous"]'].map(purple));
    app.destroy();
    return found;
  };
  assert.deepEqual(await marked(CLEARED), [true, true, true, true]);
  assert.deepEqual(await marked({}), [false, false, false, false]);
});

test("the plan line says what comes next", async () => {
  await opened(2);
  assert.match(show(".fl-plan").textContent, /40 below budget\. The next compaction is 2 steps away\./);
});

test("find answers about the step it was opened at, walks the matches, and comes back there", async () => {
  await opened(6);
  press(app.root, "/");
  assert.equal(app.open.find, true);
  type(show(".fl-find input"), "a");
  await settled();
  assert.equal(show(".fl-place").textContent, "2 of 2");
  assert.equal(show(".fl-tally").textContent, "at message 6: 1 in the window, 1 removed, 0 later");
  press(show(".fl-find input"), "Enter");
  assert.deepEqual([app.selected, app.step], ["m4", 6]);
  press(show(".fl-find input"), "Enter");
  assert.deepEqual([app.selected, app.step], ["m1", 1]);
  assert.match(
    show(".fl-hit").textContent,
    /^message 2, user: summarized by compaction 1 \(at message 6\)at message 6: .*Shown at message 2\. Back to message 6 · Stay here$/,
  );
  press(show(".fl-find input"), "Enter", { shiftKey: true });
  assert.deepEqual([app.selected, app.step], ["m4", 6]);
  press(show(".fl-find input"), "Enter");
  press(show(".fl-find input"), "Escape");
  await settled();
  assert.deepEqual([app.open.find, app.findQuery, app.step, app.selected], [false, "", 6, null]);
});

test("what find says after a jump names the step that it is of", async () => {
  await opened(2);
  press(app.root, "/");
  type(show(".fl-find input"), "a");
  await settled();
  press(show(".fl-find input"), "ArrowUp");
  await settled();
  press(show(".fl-find input"), "ArrowUp");
  assert.deepEqual([app.selected, app.step], ["m4", 5]);
  assert.match(
    show(".fl-hit").textContent,
    /^message 5, assistant: not yet arrived \(at message 3\)at message 3: 1 in the window, 0 removed, 1 later/,
  );
  assert.deepEqual(texts(app.root, ".fl-hit-where").slice(0, 2), ["in the window", "after message 3"]);
});

test("tools, files and what calls are open in find, with as many calls; those past the first unfold in place", async () => {
  const overview = {
    ...ANSWERS["api/overview/"],
    tools: [["edit", 2], ...Array.from({ length: 7 }, (_, k) => [`tool${k}`, 1])],
    tools_total: 8,
    sums: sumsOf({ typed: 2, calls: 2, files: 1, errors: 1, unrun: { refused: 1 } }),
  };
  const called = {
    tool: { edit: [3, 4], tool6: [5] },
    wrote: { "src/a.py": [3, 3], "meta/new/a.md": [4], "lib/b.py": [1] },
    is: { error: [3], refused: [4] },
  };
  await arrived({ ...ANSWERS, "api/overview/": overview, "api/called/": called });
  const shown = () => texts(app.root, "[data-of=tools] li:not([hidden])");
  const more = show("[data-of=tools] .fl-ofold");
  assert.deepEqual([shown().length, more.textContent, more.getAttribute("aria-expanded")], [7, "and 2 more", "false"]);
  more.click();
  assert.deepEqual([shown().length, more.textContent, more.getAttribute("aria-expanded")], [9, "show fewer", "true"]);
  const found = async (/** @type {string} */ name) => {
    const node = [...app.root.querySelectorAll(".fl-ocount")].find(({ textContent }) => textContent === name);
    node.click();
    await settled();
    const said = [show(".fl-find input").value, show(".fl-place").textContent, app.selected];
    assert.equal(show(".fl-findwhy").hidden, true, "no text is looked for that Why could follow");
    press(show(".fl-find input"), "Escape");
    await settled();
    assert.equal(document.activeElement, node, "the keys go on from there");
    assert.equal(show(".fl-inspector").dataset.shows, "overview");
    return said;
  };
  assert.deepEqual(await found("edit 2×"), ["tool:edit", "1 of 2", "m3"]);
  assert.deepEqual(await found("tool6 1×"), ["tool:tool6", "1 of 1", "m5"]);
  assert.deepEqual(await found("a.py 2×"), ["wrote:a.py", "1 of 1", "m3"]);
  assert.deepEqual(await found("1 tool error"), ["is:error", "1 of 1", "m3"]);
  assert.deepEqual(await found("1 call refused by the user"), ["is:refused", "1 of 1", "m4"]);
});

test("several calls in one message are counted by both, and what no call is, is said", async () => {
  await opened(4, {}, {}, { ...ANSWERS, "api/called/": { tool: { edit: [3, 3, 1] }, wrote: {}, is: {} } });
  press(app.root, "/");
  type(show(".fl-find input"), "tool:edit");
  await settled();
  assert.match(show(".fl-hit").textContent, /3 calls in 2 messages · at compaction 1: /);
  for (const [query, said] of [
    ["tool:none", "No tool of this name was called"],
    ["wrote:none", "No tool wrote a file of this name"],
    ["is:error", "No such calls"],
  ]) {
    type(show(".fl-find input"), query);
    await settled();
    assert.equal(show(".fl-hit").textContent, said);
  }
});

test("from the overview find comes back to it, and to what is chosen behind it", async () => {
  for (const presses of [1, 2]) {
    await opened(6);
    app.select("m3");
    app.setOverview(true);
    press(app.root, "/");
    type(show(".fl-find input"), "a");
    await settled();
    for (let k = 0; k < presses; k++) press(show(".fl-find input"), "Enter");
    assert.deepEqual([app.overview, app.selected], [false, presses === 1 ? "m4" : "m1"]);
    const message = presses === 1 ? 6 : 2;
    assert.match(show(".fl-hit").textContent, new RegExp(`in the windowat message ${message}: `), "as no step was in front");
    press(show(".fl-find input"), "Escape");
    assert.deepEqual([app.overview, app.step, app.selected], [true, 6, "m3"]);
    press(app.root, "o");
    await settled();
    assert.equal(show(".fl-inspector").dataset.shows, "message 3");
    app.destroy();
  }
});

test("Enter goes to the hit of what was typed, once it is known", async () => {
  await opened(6);
  press(app.root, "/");
  const field = show(".fl-find input");
  type(field, "b");
  type(field, "a");
  press(field, "Enter");
  assert.deepEqual([app.selected, app.step], [null, 6]);
  await settled();
  assert.deepEqual([app.selected, app.step, show(".fl-place").textContent], ["m4", 6, "2 of 2"]);
  press(field, "Enter");
  assert.deepEqual([app.selected, app.step], ["m1", 1]);
  press(field, "Escape");
  press(app.root, "/");
  type(field, "c");
  press(field, "Enter");
  type(field, "cc");
  await settled();
  assert.equal(app.selected, null);
});

test("a summary that holds the text is a hit as a message is, listed in its place and counted where it stands", async () => {
  await opened(6, {}, {}, { ...ANSWERS, "api/find/": { q: "a", hits: [1, 4], added: [[0, 0]] } });
  press(app.root, "/");
  type(show(".fl-find input"), "a");
  await settled();
  assert.deepEqual(
    [".fl-place", ".fl-tally", ".fl-hit b"].map((one) => show(one).textContent),
    ["2 of 3", "at message 6: 2 in the window, 1 removed, 0 later", "in the window"],
  );
  assert.match(show(".fl-hit").textContent, /^summary #1: /);
  press(show(".fl-find input"), "Enter");
  assert.deepEqual([app.selected, app.step], ["c0.0", 6]);
  app.go(2);
  assert.match(show(".fl-hit").textContent, /^summary #1: not yet arrivedat message 3: 1 in the window, 0 removed, 2 later/);
  press(show(".fl-find input"), "Enter");
  press(show(".fl-find input"), "Enter", { shiftKey: true });
  assert.deepEqual([app.selected, app.step], ["c0.0", app.run.steps[0]], "it is shown at its compaction");
});

test("a hit says on one line what stands around the text, which is marked and never read as markup", async () => {
  const snippets = (path) => (/at=1$/.test(path) ? { part: "content", before: "", match: "a", after: "b" } : ANSWERS["api/snippet/"]);
  await opened(6, {}, {}, { ...ANSWERS, "api/snippet/": snippets });
  press(app.root, "/");
  type(show(".fl-find input"), "a");
  await settled();
  const line = show(".fl-snippet");
  assert.deepEqual([line.hidden, line.textContent, texts(line, "mark")], [false, "tool call: …cl ick <b>A</b> and go", ["<b>A</b>"]]);
  press(show(".fl-find input"), "Enter");
  press(show(".fl-find input"), "Enter");
  await settled();
  assert.equal(line.textContent, "ab", "of another hit its own");
  type(show(".fl-find input"), "");
  await settled();
  assert.equal(line.hidden, true);
});

test("find lists the matches: who says each, the line around it, where it is; the user's and the one on show are marked, a press goes there", async () => {
  await opened(6, {}, {}, { ...ANSWERS, "api/find/": { q: "a", hits: [1, 4], added: [[0, 0]] } });
  press(app.root, "/");
  type(show(".fl-find input"), "a");
  await settled();
  const rows = () => [...app.root.querySelectorAll(".fl-hitlist li:not([hidden])")];
  const told = () => rows().map((row) => [texts(row, "b")[0], texts(row, ".fl-hit-where")[0], row.dataset.user ?? ""]);
  const current = () => rows().findIndex((row) => row.querySelector("[aria-current=true]"));
  assert.deepEqual(told(), [
    ["message 2, user", "summarized by compaction 1", "true"],
    ["summary #1", "in the window", ""],
    ["message 5, assistant", "in the window", ""],
  ]);
  assert.deepEqual(texts(rows()[0], "mark"), ["<b>A</b>"]);
  assert.deepEqual([current(), show(".fl-hits-more").textContent], [1, ""]);
  rows()[0].querySelector("button").click();
  assert.deepEqual([app.selected, app.step, current(), show(".fl-place").textContent], ["m1", 1, 0, "1 of 3"]);
  assert.equal(told()[0][1], "summarized by compaction 1", "where it is at the step of the question");
  assert.equal(document.activeElement.closest("li"), rows()[0], "the focus stays with the match");
  press(show(".fl-find input"), "ArrowDown");
  assert.deepEqual([app.selected, current()], ["c0.0", 1]);
  press(show(".fl-find input"), "ArrowUp");
  assert.deepEqual([app.selected, current()], ["m1", 0]);
  press(show(".fl-find input"), "Escape");
  assert.equal(app.step, 6);
  await settled();
  press(app.root, "/");
  assert.equal(show(".fl-hitlist").hidden, true, "nothing is asked");
});

test("a press on a match of the text before opens that match or nothing, and the next Enter shows the first one of the new text", async () => {
  await opened(6, {}, {}, { ...ANSWERS, "api/find/": (path) => ({ hits: path.includes("q=ab") ? [2, 5] : [1, 4], added: [] }) });
  press(app.root, "/");
  const field = show(".fl-find input");
  const pressed = (type, detail = 0) => show(".fl-hitlist button").dispatchEvent(new MouseEvent(type, { bubbles: true, detail }));
  type(field, "a");
  await settled();
  type(field, "ab");
  pressed("pointerdown");
  pressed("click", 1);
  assert.equal(app.selected, "m1", "the one in the row");
  await settled();
  assert.equal(show(".fl-place").textContent, "1 of 2");
  press(field, "Enter");
  assert.equal(app.selected, "m2");
  pressed("pointerdown");
  type(field, "a");
  await settled();
  pressed("click", 1);
  assert.equal(app.selected, "m2", "another match stood in the row when the button was let go");
});

test("matches of the run before are not opened in another one", async () => {
  await opened(6, {}, {}, { ...ANSWERS, "api/find/": { hits: [1, 4], added: [[0, 0]] } });
  press(app.root, "/");
  type(show(".fl-find input"), "a");
  await settled();
  const { sid } = app.run.store.header;
  app.setRun(run({ tid: "another", stamp: "another", sid }, { sid, session: sid }), { query: { source: "sample" } });
  const { selected } = app;
  show(".fl-hitlist button").click();
  assert.equal(app.selected, selected);
  await settled();
  show(".fl-hitlist button").click();
  assert.equal(app.selected, "m1", "found in this run");
});

test("find stays at a match where that is wanted; a step taken from there is where it then answers from", async () => {
  const atMatch = async () => {
    await opened(6);
    press(app.root, "/");
    type(show(".fl-find input"), "a");
    await settled();
    press(show(".fl-find input"), "Enter");
    press(show(".fl-find input"), "Enter");
  };
  await atMatch();
  press(show(".fl-find input"), "Enter", { ctrlKey: true });
  assert.deepEqual([app.open.find, app.step, app.selected], [false, 1, "m1"]);
  app.destroy();
  await atMatch();
  press(app.root, "ArrowRight");
  assert.match(show(".fl-tally").textContent, /^at message 3: 1 in the window, 0 removed, 1 later/);
  press(app.root, "Escape");
  assert.deepEqual([app.open.find, app.step], [false, 2]);
});

const NOTHING_LOST = {
  typed: [0, 0],
  told: [],
  told_total: 0,
  names: [],
  names_total: 0,
  rules: [0, 0],
  requests: { of: 3, gone: 0, open: 0, answered: 0, stopped: 0, here: [0, 0, 0, 0], reworded: 0, at: -1, text: "", listed: [] },
};

/** Two statements that are gone, and one request that is and one that is not. */
function lostAll(told = ["no links", "use blue"]) {
  const [row] = ANSWERS["api/losses/"].rows;
  const said = (text, rank) => ({ ...row.told[0], kind: "said", text, followed: text, used_at: -1, said_again_at: -1, rank });
  const listed = [
    { at: 1, kind: "partly", text: "look", followed: true },
    { at: 2, kind: "gone", text: "do it all…", followed: true },
  ];
  const requests = { ...NOTHING_LOST.requests, gone: 1, at: 2, here: [1, 0, 1, 0], listed, took: listed.slice(1) };
  return { ...row, ...NOTHING_LOST, told: told.map(said), told_total: told.length, rules: [told.length, 0], requests };
}
const lossAnswers = (row) => ({ ...ANSWERS, "api/fate/": fate(), "api/losses/": { total: 1, from: 0, rows: [row] } });
const whyCount = () => (show(".fl-why-turn > span").hidden ? "" : show(".fl-why-nth").textContent);
const asked = () => app.why.lanes.map(({ text }) => text);

test("w on the overview asks about the first statement that is lost, w and W about the next and the one before, requests last, and says which of how many", async () => {
  await arrived(lossAnswers(lostAll()));
  press(app.root, "w");
  await settled();
  assert.deepEqual([asked(), app.step, whyCount()], [["no links"], 4, "Lost text 1 of 3 · statement"]);
  press(app.root, "w");
  await settled();
  assert.deepEqual([asked(), whyCount()], [["use blue"], "Lost text 2 of 3 · statement"], "in its place: no lane is left behind");
  show(".fl-why-turn [title='Next lost text (w)']").click();
  await settled();
  assert.deepEqual([asked(), whyCount()], [["do it all"], "Lost text 3 of 3 · request"], "behind the statements the request");
  press(app.root, "w");
  await settled();
  assert.deepEqual([asked(), whyCount()], [["no links"], "Lost text 1 of 3 · statement"]);
  press(app.root, "W");
  await settled();
  assert.deepEqual([asked(), whyCount()], [["do it all"], "Lost text 3 of 3 · request"]);
  assert.equal(show(".fl-why-nth").title, "Lost: 2 of the user's statements, 1 of the user's requests.");
  app.why.ask("another text");
  await settled();
  assert.deepEqual([whyCount(), show(".fl-why-turn [title='Next text (])']") !== null], ["2 of 2", true]);
});

test("a request that was answered before it went is told without alarm: no advice stands below it, as below any other", async () => {
  for (const kind of ["gone", "answered"]) {
    const row = lostAll([]);
    const listed = [{ at: 2, kind, text: "do it all…", followed: true }];
    await arrived(
      { ...lossAnswers({ ...row, requests: { ...row.requests, listed, took: listed } }), "api/fate/": gone() },
      { once: ["Say it again.", ""] },
    );
    press(app.root, "w");
    await settled();
    const [done, said] = [
      show(".fl-why-answer em").dataset.done === "true",
      /^A reply had come to this request before/.test(show(".fl-why-lines").textContent),
    ];
    assert.deepEqual([done, said, show(".fl-why-advice").hidden], [kind === "answered", kind === "answered", kind === "answered"]);
    app.destroy();
  }
});

test("w on the overview asks about a request that is gone where no statement is, and about none that is there in part", async () => {
  await arrived(lossAnswers(lostAll([])));
  press(app.root, "w");
  await settled();
  assert.deepEqual([asked(), whyCount()], [["do it all"], "Lost text 1 of 1 · request"]);
});

test("w that is pressed before the losses are known waits for them; what is chosen in the meantime stays", async () => {
  const answers = lossAnswers(lostAll());
  let give = () => {};
  const hold = () => {
    const { get } = app;
    app.get = (path) => (path.startsWith("api/losses/") ? new Promise((told) => (give = () => told(answers["api/losses/"]))) : get(path));
    app.setOverview(true);
  };
  await opened(0, {}, {}, answers);
  hold();
  press(app.root, "w");
  press(app.root, "w");
  assert.deepEqual([asked(), app.toast.textContent], [[], "Looking for what was lost…"]);
  pass(900);
  await settled();
  give();
  await settled();
  assert.deepEqual([asked(), app.step], [["no links"], 4]);
  app.destroy();

  await opened(0, {}, {}, answers);
  hold();
  press(app.root, "w");
  app.go(2);
  give();
  await settled();
  assert.deepEqual([asked(), app.step], [[], 2]);
});

test("w on a compaction asks about what that lost, a request too", async () => {
  const [row] = ANSWERS["api/losses/"].rows;
  await opened(4, {}, {}, lossAnswers(row));
  press(app.root, "w");
  await settled();
  assert.deepEqual([asked(), whyCount()], [["do it all"], "Lost text 1 of 1 · request"]);
  app.destroy();
  await opened(4, {}, {}, lossAnswers(lostAll([])));
  app.why.ask("something");
  await settled();
  press(app.root, "w");
  await settled();
  assert.deepEqual(asked(), ["something", "do it all"]);
});

test("where nothing that can be followed was lost Why says so, and offers what can be asked", async () => {
  const [row] = ANSWERS["api/losses/"].rows;
  const offered = async (more, overview = false) => {
    await opened(4, {}, {}, lossAnswers({ ...row, ...NOTHING_LOST, ...more }));
    if (overview) app.setOverview(true);
    press(app.root, "w");
    await settled();
    const panel = show(".fl-why-panel:not([hidden])");
    const said = [...panel.querySelectorAll("h2, .fl-why-lines, h3")].map((node) => node.textContent);
    return [...said, ...texts(panel, ".fl-loss-text")];
  };
  const here = "Nothing that Why can follow would be lost here.";
  const newest = ["The user's newest messages", "go on", "go on", "look", "do it all"];
  const ask = async (more, overview) => {
    const said = await offered(more, overview);
    app.destroy();
    return said;
  };
  const none = { ...row.requests, listed: [], took: [] };
  const unlisted = await ask({ requests: { ...none, here: [1, 0, 1, 0], at: -1 } });
  assert.deepEqual(unlisted.slice(0, 3), [here, "1 request is gone, already answered.", newest[0]]);
  const sealed = await ask({ unreadable: "encrypted" });
  assert.deepEqual(sealed.slice(0, 2), ["What was lost cannot be known.", "Its summary is encrypted: nobody can tell what it kept."]);
  const blank = "Nothing that Why can follow is known to be lost here.";
  assert.deepEqual((await ask({ taken: 0, again: 0 })).slice(0, 2), [blank, "The transcript does not say what was removed."]);
  const listed = [{ at: 1, kind: "partly", text: "look…", followed: true }];
  const changed = await offered({ requests: { ...NOTHING_LOST.requests, reworded: 1, listed } }, true);
  assert.equal(changed[0], "Nothing that Why can follow would be lost.");
  assert.deepEqual(changed.slice(2), ["Still there in part or in other words", "look…"]);
  show(".fl-why-panel:not([hidden]) .fl-loss-text").click();
  await settled();
  assert.deepEqual([asked(), show("#fl-why-panel").hidden], [["look"], false]);
});

/** Hold back what is asked at some paths; each call of what comes back answers all of it. */
function holdBack(paths) {
  const { get } = app;
  const held = [];
  app.get = (path) => (path.startsWith(paths) ? new Promise((told) => held.push(() => told(get.call(app, path)))) : get.call(app, path));
  return async () => {
    for (const give of held.splice(0)) give();
    await settled();
  };
}

test("w on a message whose body is still to come waits for it, and asks about that message", async () => {
  await opened(4, {}, {}, lossAnswers(lostAll()));
  const give = holdBack("api/message/");
  app.go(2);
  press(app.root, "w");
  await settled();
  assert.deepEqual([asked(), app.step], [[], 2]);
  await give();
  assert.deepEqual([asked(), app.step], [["body of 2"], 2]);
});

test("w on a message without words says so, and goes nowhere", async () => {
  await opened(2, {}, {}, { ...lossAnswers(lostAll()), "api/message/": { ...MESSAGE, role: "assistant", content: "" } });
  press(app.root, "w");
  await settled();
  assert.deepEqual([app.step, asked(), app.toast.textContent], [2, [], "This message has no words to follow"]);
});

test("w asks about a message that is chosen at a compaction, for that is on show", async () => {
  await opened(4, {}, {}, lossAnswers(lostAll()));
  app.select("m3");
  press(app.root, "w");
  await settled();
  assert.deepEqual([asked(), app.step], [["body of 3"], 4]);
});

test("w where a recorded compaction or a failed attempt is on show says what to do", async () => {
  await opened(2, {}, {}, lossAnswers(lostAll()));
  app.select("r0");
  press(app.root, "w");
  await settled();
  assert.deepEqual([app.step, asked(), app.toast.textContent], [2, [], "Select a text first, then press w"]);
});

test("a message that Why offers is asked about while the offer is on show: not after Esc, and of two the newer", async () => {
  const [row] = ANSWERS["api/losses/"].rows;
  await opened(4, {}, {}, lossAnswers({ ...row, ...NOTHING_LOST }));
  app.setOverview(true);
  press(app.root, "w");
  await settled();
  const give = holdBack("api/message/");
  const offered = () => app.root.querySelectorAll(".fl-why-panel .fl-loss-text");
  offered()[1].click();
  press(app.root, "Escape");
  await give();
  assert.deepEqual([app.why.open, asked()], [false, []]);
  press(app.root, "w");
  await settled();
  assert.equal(app.why.open, true);
  offered()[0].click();
  offered()[1].click();
  await give();
  assert.deepEqual(asked(), ["body of 1"]);
});

test("a newer press of w wins over the answer that an older one waits for", async () => {
  await opened(3, {}, {}, lossAnswers(lostAll()));
  const give = holdBack("api/losses/");
  app.setOverview(true);
  press(app.root, "w");
  app.go(4);
  press(app.root, "w");
  assert.equal(app.toast.dataset.shown, "true");
  await give();
  assert.deepEqual([asked(), app.step, show(".fl-why-nth").title], [["no links"], 4, LOST_HERE]);
});

const LOST_HERE = "Lost at compaction 1: 2 of the user's statements, 1 of the user's requests.";

test("where nothing can be followed and something was asked before, w says so in a message, and the old text stays as it was", async () => {
  const [row] = ANSWERS["api/losses/"].rows;
  await opened(4, {}, {}, lossAnswers({ ...row, ...NOTHING_LOST }));
  app.why.ask("other text");
  await settled();
  press(app.root, "w");
  await settled();
  assert.deepEqual([asked(), app.toast.textContent], [["other text"], "Nothing that Why can follow would be lost here."]);
  press(app.root, "Escape");
  app.setOverview(true);
  press(app.root, "w");
  await settled();
  assert.deepEqual([app.why.open, app.toast.textContent], [false, "Nothing that Why can follow would be lost."]);
});

test("what Why offers is the panel of its tab, and is heard; so is which of the lost texts it has come to", async () => {
  const [row] = ANSWERS["api/losses/"].rows;
  await opened(4, {}, {}, lossAnswers({ ...row, ...NOTHING_LOST }));
  press(app.root, "w");
  await settled();
  const controls = show("#fl-why-tab").getAttribute("aria-controls");
  assert.deepEqual([show(`#${controls}`).hidden, app.root.querySelectorAll(`#${controls}`).length], [false, 1]);
  assert.equal(show(".fl-announced").textContent, "Why: Nothing that Why can follow would be lost here.");
  app.destroy();
  await opened(4, {}, {}, lossAnswers(lostAll()));
  press(app.root, "w");
  await settled();
  assert.match(show(".fl-announced").textContent, /^Why: lost text 1 of 3: /);
});

test("the walk goes on from a lost text that Why was opened with, and ends where Why is about another", async () => {
  await opened(4, {}, {}, { ...lossAnswers(lostAll()), "api/fate/": gone() });
  app.why.ask("use blue");
  await settled();
  assert.equal(whyCount(), "Lost text 2 of 3 · statement");
  press(app.root, "w");
  await settled();
  assert.deepEqual([asked(), whyCount()], [["do it all"], "Lost text 3 of 3 · request"]);
  app.why.ask("another text");
  await settled();
  assert.deepEqual([app.lost.walk, whyCount()], [null, "2 of 2"]);
  app.destroy();
  await opened(4, {}, {}, { ...lossAnswers(lostAll()), "api/fate/": gone() });
  const give = holdBack("api/losses/");
  app.why.ask("use blue");
  press(app.root, "w");
  await give();
  assert.deepEqual([asked(), whyCount()], [["do it all"], "Lost text 3 of 3 · request"], "pressed before it was known, too");
});

test("what Why offers goes with Esc, and with another run of the session", async () => {
  const [row] = ANSWERS["api/losses/"].rows;
  const answers = lossAnswers({ ...row, ...NOTHING_LOST });
  await opened(4, {}, {}, answers);
  press(app.root, "w");
  await settled();
  assert.equal(app.why.open, true);
  press(app.root, "Escape");
  assert.deepEqual([app.why.open, show(".fl-why-panel")], [false, null]);
  press(app.root, "w");
  await settled();
  const { sid } = app.run.store.header;
  app.setRun(run({ tid: "anew", stamp: "anew", sid }, { sid, session: sid }), { query: { source: "sample" } });
  assert.equal(app.why.open, false);
});

test("a finding that is about a text leads to what became of it: its button, w on its row, and on the card", async () => {
  const about = { ...FINDINGS.findings[0], subject: "do it" };
  const answers = { "api/findings/": { ...FINDINGS, findings: [FINDINGS.findings[1], about] }, "api/fate/": fate() };
  await opened(0, {}, {}, { ...ANSWERS, ...answers, "api/compaction/": { ...CARD, findings: [about] } });
  await settled();
  press(app.root, "f");
  await settled();
  const rows = [...app.root.querySelectorAll(".fl-frow")];
  assert.equal(app.root.querySelectorAll(".fl-findings .fl-finding-why").length, 1, "one of the two is about a text");
  const [row] = rows.filter((one) => one.parentElement.querySelector(".fl-finding-why"));
  press(row, "w");
  assert.deepEqual([app.step, app.why.open, app.why.lanes.map(({ text }) => text)], [4, true, ["do it"]]);
  assert.equal(show(".fl-findings").hidden, true, "the window is in sight again");
  app.why.close();
  press(app.root, "f");
  await settled();
  show(".fl-findings .fl-finding-why").click();
  assert.deepEqual([app.why.open, show(".fl-findings").hidden], [true, true]);
  app.why.close();
  [...app.root.querySelectorAll(".fl-inspector [role=tab]")].find((tab) => tab.textContent.startsWith("Findings")).click();
  assert.equal(show(".fl-finding .fl-finding-why").title, "Why: where did “do it” go? (w)");
});

test("a summary that no model wrote is called a stand-in, with the way to real ones", async () => {
  const line = async (summarizer, kind = "simulate") => {
    await opened(4, { kind, summarizer });
    await settled();
    const said = texts(app.root, ".fl-stand-in");
    app.destroy();
    return said;
  };
  const words = "A stand-in: quotes from the messages, no model wrote it.";
  assert.deepEqual(await line({ by: "structural", recorded: false }), [`${words} Real ones: Live`]);
  assert.deepEqual(await line({ by: "structural", recorded: true }), [`${words} Use the recorded ones`]);
  assert.deepEqual(await line({ by: "recorded", recorded: true }), []);
  assert.deepEqual(await line(null, "replay"), []);

  await opened(0, { kind: "simulate", summarizer: { by: "recorded", recorded: true } });
  serve({ ...ANSWERS, "api/compaction/": { ...CARD, written_later: 1_276 } });
  app.go(4);
  await settled();
  const later = "A recorded summary, which the transcript wrote later, after message 1,276: it may tell what happens only after this compaction.";
  assert.deepEqual(texts(app.root, ".fl-stand-in"), [later]);
});

test("findings are counted on the button, listed by concern, and lead to their step", async () => {
  await opened(0);
  await settled();
  assert.equal(show(".fl-found").textContent, "2 findings");
  const { firstChild } = show(".fl-found > span");
  findingsOf(app).retry();
  assert.equal(show(".fl-found > span").firstChild, firstChild, "what is counted again stays as it is");
  press(app.root, "f");
  await settled();
  assert.deepEqual(texts(app.root, ".fl-fgroup"), [
    "Windows that an API may reject1Calls, results or roles are out of place",
    "Cost and budget1Compactions that came often or freed little",
  ]);
  const [first] = app.root.querySelectorAll(".fl-frow");
  assert.match(first.textContent, /EOrphaned tool resulterror · compaction 1 of 1 · message 4/);
  first.click();
  assert.equal(app.step, 4);
  const current = () => texts(app.root, ".fl-frow[aria-current=true] b");
  const cited = () => [...app.root.querySelectorAll(".fl-slot-window .fl-cited")].map((row) => row.title);
  assert.deepEqual([current(), cited()], [["Orphaned tool result"], ["What the chosen finding is about"]]);
  assert.deepEqual(texts(app.root, ".fl-frow[data-here=true] b"), ["Orphaned tool result", "Short summary"]);
  app.root.querySelectorAll(".fl-frow")[1].click();
  assert.deepEqual(current(), ["Short summary"]);
  app.go(3);
  assert.deepEqual([current(), cited()], [[], []]);
  app.go(4);
  press(first, "ArrowDown");
  show('.fl-kind[data-kind="short_summary"]').click();
  await settled();
  assert.deepEqual(texts(app.root, ".fl-frow b"), ["Short summary"]);
  press(app.root, "f");
  assert.equal(show(".fl-findings").hidden, true);
});

test("until a run has come the cards stand empty", async () => {
  app = new App(document.body);
  assert.equal(app.root.hasAttribute("data-waiting"), true);
  app.destroy();
  await opened(0);
  assert.equal(app.root.hasAttribute("data-waiting"), false);
});

test("of a finding with a list each of its lines stands by itself, in the list of findings and in the card", async () => {
  const text = "2 later calls read again what had been replaced.\n• a.py: read in message 2, again in 5\n• b.py\nThe rest.";
  const of = (/** @type {string} */ place) => [".fl-fitem", ".fl-fmore"].map((name) => texts(app.root, `${place} ${name}`));
  const lines = [["a.py: read in message 2, again in 5", "b.py"], ["The rest."]];
  const card = { ...CARD, findings: [{ ...CARD.findings[0], text }] };
  await opened(4, {}, {}, { ...ANSWERS, "api/compaction/": card, "api/findings/": { ...FINDINGS, findings: [{ ...FINDINGS.findings[0], text }] } });
  app.setOverview(false);
  app.toggle("findings");
  await settled();
  assert.deepEqual(of(".fl-findings"), lines);
  app.toggle("findings");
  [...app.root.querySelectorAll(".fl-inspector [role=tab]")].find((tab) => tab.textContent.startsWith("Findings")).click();
  await settled();
  assert.deepEqual(of(".fl-inspector"), lines);
});

test("findings that cannot be had say so, and are asked for again", async () => {
  serve({});
  app = new App(document.body);
  app.setRun(run({ tid: "lost", stamp: "lost" }, { sid: "lost", session: "lost" }), { query: {} });
  await settled();
  assert.equal(show(".fl-found").textContent, "findings: failed");
  app.toggle("findings");
  await settled();
  assert.match(show(".fl-findings-list").textContent, /Not here. Look elsewhere.Try again/);
  serve(ANSWERS);
  show(".fl-findings-list button").click();
  await settled();
  assert.equal(show(".fl-found").textContent, "2 findings");
});

test("? opens the shortcuts and the glossary, which has a line for each word of the project", async () => {
  await opened(0);
  press(app.root, "?");
  const dialog = show("dialog.fl-help");
  assert.equal(dialog.open, true);
  assert.equal(dialog.querySelector("h2").textContent, "Shortcuts and glossary");
  const words = texts(dialog, ".fl-words dt");
  for (const word of "Transcript Session Message Turn Window Budget Meter Calibrated Policy Region Compaction Step Trace Finding".split(" "))
    assert.ok(words.includes(word), word);
  assert.equal(words.indexOf("Compaction"), words.indexOf("Window") + 1, "the event stands next to what it changes");
  press(dialog, "?");
  assert.deepEqual([dialog.open, app.open.help], [false, false]);
});

test("the list on ? begins with five keys; the others, each of which does something, are folded in groups", async () => {
  await opened(0);
  press(app.root, "?");
  const dialog = show("dialog.fl-help");
  const [first, ...groups] = [...dialog.querySelectorAll(".fl-keys")].map((list) => [...list.querySelectorAll("kbd")].map((key) => key.textContent));
  assert.deepEqual(first, ["←", "→", "n", "p", "/", "w", "Shift", "P"]);
  const folds = [...dialog.querySelectorAll("details")];
  assert.deepEqual(
    folds.map((fold) => fold.querySelector("summary").textContent),
    ["Move", "Compactions", "Find and Why", "Panels and pages", "All words"],
  );
  assert.ok(folds.every((fold) => !fold.open));
  const named = new Set([...first, ...groups.flat()]);
  for (const key of "n p r R t x X g G / f F S v o i w [ ] ?".split(" ")) {
    assert.ok(commandOf({ key, composedPath: () => [] }), `${key} does something`);
    assert.ok(named.has(key), `${key} is in the list`);
  }
});

test("the header names the session, its agent and model first, then its size and compactions, and its notes", async () => {
  await opened(0, {}, { title: "A task", format: "openai", model: "m-1", total: 210, notes: ["line 3 was skipped"], recordedCompactions: 2 });
  assert.equal(show("h1").textContent, "A task");
  assert.deepEqual(texts(app.root, ".fl-facts .fl-fact"), ["openai", "m-1", "6 messages", "2 recorded compactions", "210 tokens by agentkit"]);
  const more = [...app.root.querySelectorAll(".fl-header button")].find((node) => node.textContent === "Details · 1 note");
  more.click();
  assert.equal(show(".fl-notes").hidden, false);
  assert.match(show(".fl-notes").textContent, /Tokens210, estimated by agentkit.*line 3 was skipped/);
});

test("the header counts messages as the steps do, the summaries of compactions beside them, and tells the two kinds of recorded compactions apart", async () => {
  await opened(0, {}, { messages: 8, total: 300, recordedCompactions: 2, recordedMicrocompactions: 1 });
  const said = texts(app.root, ".fl-facts .fl-fact");
  assert.deepEqual(said.slice(0, 3), ["6 messages + 2 summaries", "2 recorded compactions, 1 recorded microcompaction", "300 tokens by agentkit"]);
  app.destroy();
  await opened(0, {}, { messages: 9, total: 300, recordedCompactions: 2 });
  assert.equal(texts(app.root, ".fl-facts .fl-fact")[0], "6 messages + 3 messages of compactions");
  app.destroy();
  await opened(0, {}, { messages: 8, total: 300, recordedCompactions: 2, recordedMicrocompactions: 1 });
  assert.match(show(".fl-notes").textContent, /Messages6 messages in .*, and 2 summaries.*Recorded2 compactions, 1 microcompaction/);
});

test("the header does not call a window whole whose prompts shrank", async () => {
  const recorded = { at: [], before: [], after: [], prompts: { at: [1, 3, 5], tokens: [30, 70, 20] }, error: null };
  await opened(0, {}, { recorded: { ...recorded, uncertain: [[5, 6]] }, unseen: { first: 0, typical: 0 } });
  const text = show(".fl-notes").textContent;
  assert.match(text, /Windowuncertain from message 6 on: the recorded prompt shrank, and no compaction is recorded/);
  assert.match(text, /Not in this filenot known: the recorded prompts shrank/);
  await opened(0, {}, { recorded, unseen: { first: 0, typical: 0 } });
  assert.match(show(".fl-notes").textContent, /Not in this filenone: the recorded prompts are no larger/);
});

test("the header names the meter with its error, and takes apart what is unseen", async () => {
  const recorded = { at: [], before: [], after: [], prompts: { at: [1, 3], tokens: [300, 700], scaled: [40, 90] }, error: null };
  const unseen = { first: 200, typical: 5000, parts: { missing: 4200, undercounted: 800 } };
  await opened(
    0,
    {},
    { total: 210, recorded, unseen, meter: "calibrated", meterText: "calibrated (±2.4 % of the prompt, 11 calls)", how: "calibrated" },
  );
  assert.ok(texts(app.root, ".fl-facts .fl-fact").includes("210 tokens by calibrated (±2.4 % of the prompt, 11 calls)"));
  const text = show(".fl-notes").textContent;
  assert.match(text, /Tokens210, by calibrated \(±2\.4 % of the prompt, 11 calls\)/);
  assert.match(text, /~5,000 of a typical one: ~4,200 missing \(system prompt, .*\), ~800 because calibrated counts too low/);
  await opened(0, {}, { recorded, unseen: { first: 200, typical: 1105, parts: { missing: 0, undercounted: 1105 } }, meter: "calibrated" });
  assert.match(show(".fl-notes").textContent, /~1,105 of a typical one: all of it because calibrated counts too low/);
  await opened(0, {}, { recorded, unseen: { first: 200, typical: 5000 } });
  assert.match(show(".fl-notes").textContent, /~5,000 of a typical one \(system prompt/);
});

test("the timeline paints the limit and its caption, and is a slider that the pointer and keys move", async () => {
  await opened(0);
  assert.ok(painted.texts.includes("budget 100"), painted.texts.join());
  assert.ok(painted.texts.some((text) => text.startsWith("tokens in the window")));
  const slider = show(".fl-timeline");
  point(slider, "pointerdown", 786);
  assert.equal(app.step, 6);
  point(slider, "pointermove", 46);
  pass(50);
  assert.equal(app.step, 0);
  point(slider, "pointerup", 46);
  press(slider, "PageDown");
  assert.equal(app.step, 1);
  assert.match(slider.getAttribute("aria-valuetext"), /^message 2 of 6, turn 1, 30 tokens/);
  app.go(0, { jump: true });
  pass(20);
  assert.match(slider.getAttribute("aria-valuetext"), /^message 1 of 6, before the first turn, /, "turns count from 1");
  assert.equal(show(".fl-position").textContent, "message 1 of 6");
  point(slider, "pointermove", 600);
  assert.ok(painted.texts.some((text) => /^(message 5|#1) · /.test(text)));
});

test("a recorded run: its prompts, its compaction beside the policy, and what was sent", async () => {
  const compared = {
    policy: "p",
    settings: { budget: "3000" },
    automatic: true,
    about: "budget: the most",
    why: "100 tokens ≥ 90",
    fitted: ["budget"],
    hidden: 20,
    status: "compacted",
    reason: "",
    both: 1,
    policies: ["p", "q"],
  };
  const side = { before: 100, after: 57, removed: 2, cleared: 0, kept: 2, summary: 7 };
  const alone = { total: 1, first: [3] };
  const recorded = { at: [4], before: [120], after: [60], left: [57], prompts: { at: [2, 3, 5], tokens: [40, 70, 110] } };
  await opened(0, {}, { recorded, recordedCompactions: 1 });
  serve({ ...ANSWERS, "api/compared/": { ...compared, recorded: side, made: side, recorded_alone: alone, policy_alone: { total: 0, first: [] } } });
  press(app.root, "r");
  await settled();
  assert.equal(app.selected, "r0");
  assert.equal(show(".fl-inspector .fl-title").textContent, "Recorded compaction 1 of 1");
  const text = show(".fl-versus").textContent;
  assert.match(text, /budget 3,000/);
  assert.match(text, /budget 3,000 is not the agent's own: .* So set it acts here by itself: 100 tokens ≥ 90\./);
  assert.match(text, /Both keep 1 message unchanged\.Kept only by the agent: 1 message: 4/);
});

const ATTEMPT = { at: [3], status: [2], reason: ["over budget, but the summarizer failed: no answer and the run ends"], times: [4] };
const STATUSES = ["not_triggered", "compacted", "failed", "inflated"];
const CUT = { tails: [0, 1, 1, 0, 0, 0] };

test("a failed attempt is gone to with x, and has a card: what was tried, why nothing came of it, what followed", async () => {
  await opened(0, { ...NEVER, length: 6, ...CUT, failed: ATTEMPT, statuses: STATUSES });
  press(app.root, "x");
  assert.equal(app.step, 2);
  pass(1000);
  assert.equal(show(".fl-inspector .fl-title").textContent, "Failed attempt 1 of 1");
  assert.equal(show(".fl-inspector .fl-numbers").textContent, "60→60unchanged · tokens counted by agentkit");
  assert.deepEqual(texts(app.root, ".fl-inspector p"), [
    "The window was over budget (100).",
    "No summary was written: no answer.",
    "The next model call is sent the window unchanged.",
    "In the real system the run ends here.",
    "Failed 4 times in a row; this is the first.",
  ]);
  const tiles = () => texts(app.root, ".fl-phase").map((text) => text.replaceAll("\u00a0", " "));
  assert.deepEqual(tiles(), [
    "1 trigger60",
    "2 partition1 pinned · 1 summarized · 1 recent",
    "3 summarize✕ failedno answer",
    "4 splicenothing spliced",
  ]);
  assert.deepEqual(texts(app.root, ".fl-phase.fl-crossed b"), ["3 summarize✕ failed"]);
  await settled();
  assert.deepEqual(
    [...app.root.querySelectorAll(".fl-inspector .fl-row")].map((row) => row.dataset.key),
    ["m1"],
  );
  const tabs = () => texts(app.root, ".fl-inspector .fl-tab");
  assert.deepEqual(tabs(), ["Would have been summarized 1", "Findings 1"]);
  press(show(".fl-tabs"), "End");
  assert.equal(show(".fl-inspector .fl-tab[aria-selected=true]").dataset.tab, "findings");
  assert.deepEqual(texts(app.root, ".fl-finding b"), ["Summary failed"]);
  press(show(".fl-tabs"), "Home");
  assert.equal(show(".fl-comp .fl-tabpanel").dataset.tab, "taken");
  press(app.root, "x");
  assert.equal(app.toast.textContent, "No later failed attempt");
});

test("a failed attempt is taken apart like a compaction, and a message of its step can still be read", async () => {
  await opened(2, { ...NEVER, length: 6, ...CUT, failed: ATTEMPT, statuses: STATUSES });
  const heading = () => texts(app.root, ".fl-window .fl-content .fl-heading > span:first-child")[0];
  const trying = () => [...moment().slice(0, 2), show(".fl-comp").dataset.trying, heading()];
  press(app.root, "2");
  assert.deepEqual(trying(), ["2", "…", "first", "Being summarized: 1 message"]);
  assert.deepEqual(
    texts(app.root, ".fl-comp .fl-numbers > span > .fl-named"),
    texts(app.root, ".fl-comp .fl-numbers > span:last-child"),
    "all of it is blank",
  );
  assert.match(show(".fl-plan").textContent, /Summarizing 1 message…/);
  press(app.root, "ArrowRight");
  assert.deepEqual(trying(), ["3", "…", "then", "Not summarized: 1 message"]);
  assert.match(show(".fl-plan").textContent, /Summarizing failed here/);
  assert.equal(show(".fl-announced").textContent, "Phase 3 of 4, summarize failed: no answer");
  press(app.root, "ArrowRight");
  assert.deepEqual(trying(), ["4", "60", undefined, "Compactable: first to be summarized"]);
  show(".fl-window .fl-row").click();
  await settled();
  assert.equal(show(".fl-inspector").dataset.shows, "message 0");
  show(".fl-back").click();
  assert.equal(show(".fl-inspector").dataset.shows, "attempt 0");
});

test("the head of a compaction's card leads to the overview; in a lesson, which has none, it does not", async () => {
  await opened(4);
  assert.equal(show(".fl-inspector").dataset.shows, "compaction 0");
  assert.equal(show(".fl-hline .fl-back").textContent, "‹ Overview");
  show(".fl-hline .fl-back").click();
  assert.deepEqual([app.overview, show(".fl-inspector").dataset.shows], [true, "overview"]);
  app.destroy();
  app = new App(document.body, null, "lesson");
  app.setRun(run({ tid: "h", stamp: "h" }, { sid: "h", session: "h" }), { query: { source: "sample" }, start: "4" });
  await settled();
  assert.equal(show(".fl-inspector").dataset.shows, "compaction 0");
  assert.equal(show(".fl-hline .fl-back"), null);
});

test("a summary that was refused says so; where a fallback acted, the card says what failed and what was done instead", async () => {
  const refused = {
    at: [3],
    status: [3],
    reason: ["110 tokens > 100, but the summary would make the window larger, 200 tokens: refused"],
    times: [1],
  };
  await opened(2, { ...NEVER, length: 6, failed: refused, statuses: STATUSES });
  assert.equal(show(".fl-inspector .fl-line").textContent, "The summary was refused: the summary would make the window larger, 200 tokens.");
  app.destroy();
  const c = { ...FOLDED.c, number: [-1], summaryTokens: [0], layout: [[0, 1, 3, 4]], added: [[]], tiers: [["truncation"]] };
  await opened(3, { c: { ...c, setback: ["the summarizer failed: no answer"] } });
  press(app.root, "ArrowRight");
  assert.equal(app.show.now.story, "fallback");
  pass(2000);
  const tiles = texts(app.root, ".fl-phase").map((text) => text.replaceAll("\u00a0", " "));
  assert.deepEqual(tiles.slice(2), ["3 summarize✕ failedno answer", "4 splicefallback truncation: 2 dropped · 2 messages"]);
  assert.ok(texts(app.root, ".fl-about-numbers li").includes("No summary was written: no answer."));
  press(app.root, "3");
  assert.deepEqual(texts(app.root, ".fl-window .fl-content .fl-heading > span:first-child")[0], "Not summarized: 1 message");
  assert.match(show(".fl-told").textContent, /nothing is removed/);
  press(app.root, "4");
  assert.equal(show(".fl-after").textContent, "57");
});

test("an emptied session says so, and only its header stands", async () => {
  serve(ANSWERS);
  app = new App(document.body);
  const nothing = run({ ...NEVER, length: 0, tails: [] });
  Object.assign(nothing, { n: 0 });
  app.setRun(nothing, { query: {} });
  assert.equal(app.waiting.textContent, "This session has no messages.");
  assert.equal(app.root.hasAttribute("data-empty"), true);
});

const PLAN = {
  ...{ agent: "Demo agent", model: "", like: "", tools: ["read_file", "calculate"], missing: ["Bash"], folder: "/demo", policy: "agentkit.memory" },
  ...{ settings: { budget: "6000" }, simulated: true, governed: true, meter: "o200k_base", recounted: false },
};

test("a fork says what the run is made of, is made by one click, and is opened; a refusal stays in the dialog", async () => {
  await opened(3, {}, {});
  const tid = app.run.view.tid;
  app.rival = { policy: "pi.compaction", reserve: "9" };
  const told = [];
  app.tell = (...what) => told.push(what);
  serve({ [`api/fork/${tid}/plan`]: PLAN, [`api/fork/${tid}`]: { run: "r-9" } });
  press(app.root, "F");
  await settled();
  const dialog = show(".fl-fork");
  assert.equal(dialog.open, true);
  assert.match(dialog.textContent, /A new live run begins with the window at message 4: .*The transcript stays unchanged\./);
  assert.deepEqual(texts(dialog, "dt"), ["Model", "Tools", "Missing", "Policy"]);
  assert.deepEqual(texts(dialog, "dd").slice(1), [
    "read_file, calculate · in /demo",
    "Bash: the window has calls to it; the new run cannot call it",
    "agentkit.memory (as simulated here) · budget 6,000",
  ]);
  const body = { step: 3, policy: "pi.compaction", settings: { reserve: "9" } };
  assert.deepEqual(requests.at(-1), ["POST", `api/fork/${tid}/plan`, body]);
  show(".fl-fork .fl-send").click();
  await settled();
  assert.deepEqual([requests.at(-1), told], [["POST", `api/fork/${tid}`, body], [["forked", "r-9"]]]);
  assert.deepEqual([dialog.open, app.open.fork], [false, false]);

  serve({});
  [...app.root.querySelectorAll(".fl-header button")].find(({ textContent }) => textContent === "Fork…").click();
  await settled();
  assert.equal(dialog.querySelector(".fl-stoperror").textContent, "Not here. Look elsewhere.");
  assert.equal(show(".fl-fork .fl-send").disabled, true);
});

test("the card of an edit by hand says which messages were removed, and has no phases", async () => {
  const c = { ...FOLDED.c, micro: [0], edit: [1], number: [-1], summaryTokens: [0], removedTokens: [43], added: [[]], layout: [[0, 1, 3, 4]] };
  await opened(4, { c });
  assert.equal(show(".fl-inspector .fl-title").textContent, "Edit 1 of 1");
  assert.deepEqual(texts(app.root, ".fl-phase"), []);
  assert.deepEqual(texts(app.root, ".fl-line"), ["Removed manually: 2 messages: message 2, message 3"]);
  assert.deepEqual(texts(app.root, ".fl-tab"), ["Removed 2", "Kept 2", "Findings 1"]);
  press(app.root, "2");
  assert.deepEqual([app.highlights.now.phase, app.toast.textContent], [null, "An edit has no phases"]);
  app.message("");
  press(app.root, "0");
  assert.deepEqual([app.playing, app.toast.textContent], [false, "An edit has no phases"]);
  [...app.root.querySelectorAll(".fl-line .fl-link")][1].click();
  assert.equal(app.selected, "m2");
});

test("the card of a long session stands there while its findings are looked for", async () => {
  let found = (/** @type {object} */ _) => {};
  const late = new Promise((resolve) => (found = resolve));
  const served = (path) => (path.endsWith("/findings") ? late : { ...CARD, findings: null });
  await opened(0, {}, {}, { ...ANSWERS, "api/compaction/": served });
  press(app.root, "n");
  await settled();
  const tab = () => [...app.root.querySelectorAll(".fl-inspector [role=tab]")].find((one) => one.textContent.startsWith("Findings"));
  tab().click();
  assert.deepEqual([tab().textContent, show(".fl-inspector [role=tabpanel]").textContent], ["Findings …", "Looking for findings…"]);
  found({ findings: CARD.findings });
  await settled();
  assert.equal(tab().textContent, "Findings 1");
  assert.match(show(".fl-inspector [role=tabpanel]").textContent, /Orphaned tool result/);
});
