import assert from "node:assert/strict";
import { test } from "node:test";
import { barsOf, groupAt, groupsOf, labelsOf } from "../../viewer/frontend/why/geometry.js";
import { isCode, laneName, pieceWords, stateWords } from "../../viewer/frontend/why/lanewords.js";
import { marksOf, shapeOf } from "../../viewer/frontend/why/marks.js";
import { lookAt, nextOf, piecesOf, stateAt } from "../../viewer/frontend/why/states.js";
import { ADDED } from "../../viewer/frontend/run/pool.js";
import { smallRun } from "./small_run.mjs";

/** Ten pixels a step, from 50 on. */
const AXIS = { left: 50, right: 170, x: (step) => 50 + 10 * step };

const stretch = (from, to, state, at = []) => ({ from, to, state, at, title: "", text: "" });
const event = (step, kind, more = {}) => ({
  step,
  kind,
  at: -1,
  k: -1,
  number: "",
  role: "user",
  tokens: 0,
  quote: "",
  match: "",
  words: "",
  ...more,
});
const fateOf = (lane, more = {}) => ({
  text: "t",
  steps: 13,
  match: "exact",
  places: [],
  total: 1,
  common: false,
  events: [],
  uses: [],
  reasons: [],
  lane,
  ...more,
});
const laneOf = (fate) => ({ text: "t", fate, stale: false, failed: "" });

// Of the small run: message 2 is folded at step 9, and its summary goes on to say it.
const FOLDED = [stretch(0, 1, "before"), stretch(2, 8, "verbatim", [2]), stretch(9, 12, "summary", [ADDED])];

test("the state at a step is that of the stretch it lies in, behind the end of the last", () => {
  const fate = fateOf(FOLDED);
  assert.deepEqual(
    [0, 1, 2, 8, 9, 12, 40].map((step) => stateAt(fate, step).state),
    ["before", "before", "verbatim", "verbatim", "summary", "summary", "summary"],
  );
  assert.equal(stateAt(fateOf([]), 3).state, "before");
});

test("a bar has the region of the message that says the text, as the newest three are recent", () => {
  const pieces = piecesOf(smallRun(), fateOf(FOLDED), 100);
  assert.deepEqual(pieces, [
    { from: 0, to: 1, look: "before" },
    { from: 2, to: 4, look: "recent" },
    { from: 5, to: 8, look: "compactable" },
    { from: 9, to: 12, look: "summary" },
  ]);
});

test("what a summary says in other words is neither gone nor kept", () => {
  const reworded = { ...stretch(9, 12, "gone"), reworded: [ADDED] };
  const fate = fateOf([...FOLDED.slice(0, 2), reworded]);
  assert.deepEqual(piecesOf(smallRun(), fate, 100).at(-1), { from: 9, to: 12, look: "reworded" });
  assert.deepEqual(stateWords(smallRun(), laneOf(fate), 10), { text: "in other words in summary #1", gone: false });
  const [mark] = marksOf(smallRun(), { ...fate, events: [event(9, "left_out", { number: "#1", k: 0 })] });
  assert.deepEqual([mark.kind, mark.label], ["kept", "in other words in #1"]);
  assert.equal(pieceWords(smallRun(), { from: 9, to: 12, look: "reworded" }), "Compaction 1 to message 12: in other words, or in part");
});

test("of several messages that say it the one that stays longest gives the region", () => {
  const run = smallRun();
  assert.equal(lookAt(run, fateOf([stretch(0, 12, "verbatim", [1, 7])]), 8), "recent");
  assert.equal(lookAt(run, fateOf([stretch(0, 12, "verbatim", [0, 1, 7])]), 8), "system");
  assert.equal(lookAt(run, fateOf([stretch(0, 12, "verbatim", [1])]), 8), "compactable");
});

test("of more steps than pixels some are looked at, and each change of state among them", () => {
  const pieces = piecesOf(smallRun(), fateOf(FOLDED), 4);
  assert.deepEqual(
    pieces.map(({ from, look }) => [from, look]),
    [
      [0, "before"],
      [2, "recent"],
      [8, "compactable"],
      [9, "summary"],
    ],
  );
});

test("a run that has grown since it was asked about is drawn as far as the answer goes", () => {
  assert.equal(piecesOf(smallRun(), fateOf(FOLDED, { steps: 6 }), 100).at(-1).to, 5);
});

test("each piece of a bar ends where the next one begins, and is never too thin to be seen", () => {
  const pieces = [
    { from: 0, to: 1, look: "before" },
    { from: 2, to: 8, look: "recent" },
    { from: 9, to: 11, look: "gone" },
    { from: 12, to: 12, look: "recent" },
  ];
  assert.deepEqual(
    [...barsOf(AXIS, pieces)],
    [
      ["before", [[50, 70]]],
      [
        "recent",
        [
          [70, 140],
          [170, 171],
        ],
      ],
      ["gone", [[140, 170]]],
    ],
  );
});

test("marks tell what happened: the first time it was said, again, kept, dropped, used and needed", () => {
  const lane = [stretch(0, 0, "before"), stretch(1, 5, "verbatim", [1]), stretch(6, 8, "summary", [ADDED]), stretch(9, 12, "gone")];
  const events = [
    event(1, "said", { words: "Said by the user" }),
    event(3, "said"),
    event(4, "read_again"),
    event(6, "taken", { k: 0, number: "#1" }),
    event(6, "in_summary", { k: 0, number: "#1" }),
    event(9, "taken", { k: 1, number: "#2" }),
    event(9, "left_out", { k: 1, number: "#2", words: "Gone: summary #2 left it out" }),
    event(11, "needed", { number: "" }),
  ];
  const marks = marksOf(smallRun(), fateOf(lane, { events, uses: [event(7, "used")] }));
  assert.deepEqual(
    marks.map(({ step, kind, label, words }) => [step, kind, label, words]),
    [
      [1, "said", "", "Message 2, said by the user"],
      [3, "again", "said again", "Message 4, said again"],
      [4, "again", "said again", "Message 5, said again"],
      [6, "kept", "only in summary #1", "Message 7, kept"],
      [7, "used", "", "Message 8, used"],
      [9, "dropped", "left out of #2", "Compaction 1, gone: summary #2 left it out"],
      [11, "needed", "needed", "Message 11, needed"],
    ],
  );
});

test("a reply that does what the text forbids is marked as a need is, unless it was recorded with another window", () => {
  const lane = [stretch(0, 0, "before"), stretch(1, 12, "verbatim", [1])];
  const against = event(7, "needed", { match: "against", words: "Perhaps against it, by a word match: “delete”" });
  const marks = (/** @type {string} */ kind) => {
    const run = smallRun();
    run.view.kind = kind;
    return marksOf(run, fateOf(lane, { uses: [against] })).map(({ step, kind, label, words }) => [step, kind, label, words]);
  };
  const words = "Message 8, perhaps against it, by a word match: “delete”";
  assert.deepEqual(marks("replay"), [[7, "needed", "against it", words]]);
  assert.deepEqual(marks("simulate"), [[7, "used", "as recorded", words]]);
});

test("what leaves the text elsewhere in the window has no mark; what drops it without a summary has one", () => {
  const taken = [event(6, "taken", { k: 0, number: "#1" })];
  const stays = [stretch(0, 12, "verbatim", [1])];
  const goes = [stretch(0, 5, "verbatim", [1]), stretch(6, 12, "gone")];
  assert.deepEqual(marksOf(smallRun(), fateOf(stays, { events: [...taken, event(6, "left_out", { k: 0 })] })), []);
  assert.deepEqual(
    marksOf(smallRun(), fateOf(goes, { events: taken })).map(({ kind, label }) => [kind, label]),
    [["dropped", "gone"]],
  );
});

test("marks nearer than nine pixels are one, as the worst of them; none is lost", () => {
  const axis = { left: 0, right: 100, x: (step) => step };
  const marks = [0, 8, 9, 17, 18].map((step, i) => ({ kind: i === 1 ? "needed" : "again", step, label: "", words: String(step) }));
  const groups = groupsOf(marks, axis);
  assert.deepEqual(
    groups.map(({ x, kind, marks: all }) => [x, kind, all.map(({ words }) => words)]),
    [
      [4, "needed", ["0", "8"]],
      [13, "again", ["9", "17"]],
      [18, "again", ["18"]],
    ],
  );
  assert.equal(groupAt(groups, 8).x, 4);
  assert.equal(groupAt(groups, 40), null);
  assert.equal(groupAt([], 4), null);
});

test("in a crowd marks are merged further, so that no number lies upon another", () => {
  const axis = { left: 0, right: 1000, x: (step) => step };
  const marks = Array.from({ length: 500 }, (_, i) => ({ kind: "again", step: 2 * i, label: "", words: String(i) }));
  const groups = groupsOf(marks, axis);
  assert.equal(
    groups.reduce((sum, group) => sum + group.marks.length, 0),
    500,
  );
  assert.ok(groups.every(({ x }, i) => !i || x - groups[i - 1].x >= 18));
});

test("labels stand clear of each other and of the words on the left; the red ones win", () => {
  const mark = (step, kind, label) => ({ kind, step, label, words: "" });
  const axis = { left: 0, right: 300, x: (step) => step };
  const groups = groupsOf(
    [mark(20, "again", "said again"), mark(100, "again", "said again"), mark(150, "dropped", "left out of #2"), mark(290, "needed", "needed")],
    axis,
  );
  const room = { left: 40, right: 308, redOnly: false, width: (text) => 5 * text.length, until: () => 0 };
  const placed = (more) => labelsOf(groups, { ...room, ...more }).map(({ x, text, anchor }) => [text, anchor, x]);
  // "said again" at 20 has no room beside the words; at 100 it would stand on "left out of #2", which ends at its mark.
  assert.deepEqual(placed({}), [
    ["left out of #2", "end", 156],
    ["needed", "end", 296],
  ]);
  assert.deepEqual(placed({ left: 0, right: 200 }), [
    ["said again", "start", 14],
    ["left out of #2", "end", 156],
  ]);
  assert.deepEqual(placed({ redOnly: true, left: 200 }), [["needed", "end", 296]]);
});

test("what is only in a summary says so in the middle of how long that lasts", () => {
  const groups = groupsOf([{ kind: "kept", step: 10, label: "only in summary #1", words: "" }], { left: 0, right: 300, x: (step) => step });
  const room = { left: 60, right: 300, redOnly: false, width: () => 90, until: () => 200 };
  const label = { x: 130, text: "only in summary #1", anchor: "middle", red: false, from: 85, to: 175 };
  assert.deepEqual(labelsOf(groups, room), [label]);
  assert.deepEqual(labelsOf(groups, { ...room, until: () => 140 }), []);
});

test("a lane says where its text is at a step", () => {
  const run = smallRun();
  const said = (lane, step, more) => stateWords(run, laneOf(fateOf(lane, more)), step).text;
  assert.equal(said(FOLDED, 0), "not said yet");
  assert.equal(said(FOLDED, 3), "in the window, recent");
  assert.equal(said(FOLDED, 8), "in the window, compactable");
  assert.equal(said(FOLDED, 9), "only in summary #1");
  assert.equal(said([stretch(0, 12, "verbatim", [3, 4])], 5), "in the window, in 2 messages");
  assert.equal(said([stretch(0, 12, "verbatim", [0])], 5), "in the window, pinned");
  assert.deepEqual(stateWords(run, laneOf(fateOf([stretch(0, 4, "verbatim", [1]), stretch(5, 12, "gone")])), 9), {
    text: "not in the window, gone since message 6",
    gone: true,
  });
  assert.equal(said([stretch(0, 12, "before")], 5, { total: 0 }), "never in this file");
  assert.equal(said([stretch(0, 12, "verbatim", [1])], 5, { common: true, total: 91 }), "said in 91 messages");
});

test("of a text in several places of the window a lane counts its messages, and names the summaries that quote it", () => {
  const run = smallRun();
  const said = (at, more) => stateWords(run, laneOf(fateOf([stretch(0, 12, "verbatim", at)], { places: [1], ...more })), 10).text;
  assert.equal(said([1, ADDED]), "in the window, in its message and in summary #1");
  assert.equal(said([1, ADDED], { total: 2, places: [1, 4] }), "in the window, in 1 message and in summary #1", "another has left it");
  assert.equal(said([6, 7, ADDED], { total: 2, places: [6, 7] }), "in the window, in 2 messages and in summary #1");
});

test("until the answer is there a lane looks for it; a failure says why", () => {
  assert.deepEqual(stateWords(smallRun(), laneOf(null), 5), { text: "Looking…", gone: false });
  assert.deepEqual(stateWords(smallRun(), { ...laneOf(null), failed: "No answer." }, 5), { text: "No answer.", gone: true });
});

test("a lane is named by its place and its text, invisible characters written out", () => {
  assert.equal(laneName("No new dependency", 0, 2), "Lane 1 of 2, No new dependency");
  assert.equal(laneName("a\u202eb", 1, 2), "Lane 2 of 2, a\\u202eb");
  assert.equal(laneName("x".repeat(100), 0, 1), `Lane 1 of 1, ${"x".repeat(59)}…`);
});

test("a piece of a bar says from which message to which it goes, and what it means", () => {
  assert.equal(pieceWords(smallRun(), { from: 9, to: 1133, look: "summary" }), "Compaction 1 to message 1,133: only in a summary");
  assert.equal(pieceWords(smallRun(), { from: 7, to: 7, look: "recent" }), "Message 8: in the window, recent");
  assert.equal(pieceWords(smallRun(), { from: 7, to: 8, look: "gone" }), "Messages 8 to 9: nowhere in the window");
});

test("code is told by its characters", () => {
  assert.deepEqual(["pocketbook/book.py", "def load(path)", "cp photos/*.jpg old/"].map(isCode), [true, true, true]);
  const sentences = ["No new dependency, not even a small one", "Never delete an original in photos/: the catalogue links to them."];
  assert.deepEqual([...sentences, "pandas"].map(isCode), [false, false, false]);
});

test("the next event is the first one behind the cursor", () => {
  assert.deepEqual(
    [
      [0, 1],
      [1, 5],
      [4, 5],
      [5, -1],
    ].map(([step]) => nextOf([1, 5], step)),
    [1, 5, 5, -1],
  );
});

test("marks differ by shape, not by color alone", () => {
  const shapes = ["said", "again", "kept", "dropped", "used", "needed"].map((kind) => shapeOf(kind, 10, 20));
  assert.equal(new Set(shapes).size, 6);
  assert.equal(shapeOf("dropped", 10, 20), "M10 15.4l4.6 4.6l-4.6 4.6l-4.6 -4.6z");
});
