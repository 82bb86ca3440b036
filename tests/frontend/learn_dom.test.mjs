// The list of lessons and what a step draws, without a browser.
import assert from "node:assert/strict";
import { test } from "node:test";
import { serve, settled } from "./dom.mjs";

const { Lessons } = await import("../../viewer/frontend/learn/lessons.js");
const { Cards } = await import("../../viewer/frontend/learn/cards.js");
const { AskView } = await import("../../viewer/frontend/learn/ask.js");
const { commandOf } = await import("../../viewer/frontend/learn/commands.js");
const { keysHere } = await import("../../viewer/frontend/learn/shortcuts.js");
const { FigureView } = await import("../../viewer/frontend/learn/figures/figure.js");
const { cacheFigure } = await import("../../viewer/frontend/learn/figures/cache.js");
const { fateFigure } = await import("../../viewer/frontend/learn/figures/fate.js");
const { stripFigure } = await import("../../viewer/frontend/learn/figures/strip.js");
const { sentFigure } = await import("../../viewer/frontend/learn/figures/sent.js");

const ROW = { number: 1, key: "bill", title: "The bill", about: "What a run costs.", does: "Guess a sum.", minutes: 4, steps: ["again", "total"] };

test("a card says in sentences what a lesson is about and what one does in it; the names of its steps are for the lesson itself", async () => {
  serve({ "api/lessons": { lessons: [ROW] } });
  const lessons = new Lessons();
  const cards = new Cards(lessons);
  await lessons.start({ source: "", session: "", name: "" });
  await settled();
  cards.draw();
  const card = cards.root.querySelector(".fl-lesson");
  assert.deepEqual(
    [...card.querySelectorAll("p")].map((p) => p.textContent),
    ["What a run costs.", "Guess a sum."],
  );
  assert.equal(card.querySelector("footer").textContent, "next2 steps · 4 minStart");
  assert.equal(cards.root.querySelector(".fl-learn-begin").textContent, "Start lesson 1: The bill1 lesson, about 4 minutes");
  lessons.destroy();
});

test("the bars of a cache have the colors of the regions, whole where warm; beside them stands what warm and cold cost", () => {
  const parts = [
    { region: "system", tokens: 30, warm: true },
    { region: "recent", tokens: 10, warm: false },
  ];
  const bars = [{ name: "before", warm: 30, cold: 10, parts }];
  const node = cacheFigure({ kind: "cache", bars }, { covers: () => false });
  const key = node.querySelector(".fl-key");
  assert.deepEqual(
    [...key.querySelectorAll("i")].map((swatch) => [swatch.className, swatch.nextSibling.textContent]),
    [
      ["fl-cache-warm", "whole: warm, in the cache, cheap"],
      ["fl-cache-cold", "striped: cold, new, full price"],
    ],
  );
  assert.deepEqual(
    [...node.querySelectorAll(".fl-cache-bar i")].map(({ className, dataset, style }) => [className, dataset.region, style.width]),
    [
      ["fl-cache-warm", "system", "75%"],
      ["fl-cache-cold", "recent", "25%"],
    ],
  );
});

test("a lesson names the session that it ends on: a reload is about the same, whatever is open by then; a sample is not named", async () => {
  serve({ "api/lessons/1/": { scene: { source: "sample:bill", settings: {} }, caption: "" }, "api/lessons": { lessons: [ROW] } });
  history.replaceState(null, "", "/learn");
  const begun = async (own) => {
    const lessons = new Lessons();
    await lessons.start(own);
    return lessons;
  };
  const first = await begun({ source: "path:/w/many.md", session: "2", name: "many.md" });
  assert.equal(location.search, "", "the list names none");
  first.open(1);
  assert.equal(location.search, "?lesson=1&step=1&source=path:/w/many.md&session=2");
  first.destroy();
  const again = await begun({ source: "path:/w/other.jsonl", session: "", name: "other.jsonl" });
  assert.deepEqual([again.subject, again.subjectName], [{ source: "path:/w/many.md", session: "2" }, "many.md"]);
  again.choose("upload:abc/mine.jsonl");
  assert.deepEqual([again.subject, again.subjectName], [{ source: "upload:abc/mine.jsonl" }, "mine.jsonl"]);
  again.destroy();
  history.replaceState(null, "", location.pathname);
  const sample = await begun({ source: "sample:a/b.json", session: "", name: "b.json" });
  sample.open(1);
  assert.equal(location.search, "?lesson=1&step=1");
  sample.destroy();
});

const CHOICE = {
  kind: "choice",
  question: "When?",
  unit: "",
  choices: [
    { key: "A", text: "Now" },
    { key: "B", text: "Later" },
  ],
  answer: "B",
  because: "It waits.",
};

/** The first step of a lesson, which asks this and covers the plan, and how its question is drawn. */
async function asked(ask) {
  localStorage.clear();
  serve({
    "api/lessons/1/1": { scene: { source: "sample:bill", settings: {} }, ask, veil: ["plan"], caption: "" },
    "api/lessons": { lessons: [ROW] },
  });
  const lessons = new Lessons();
  const view = new AskView(lessons);
  document.body.replaceChildren(view.root);
  await lessons.start({ source: "", session: "", name: "" });
  lessons.open(1);
  await settled();
  const press = (key, path = []) => commandOf({ key, composedPath: () => path }, lessons)?.();
  return { lessons, view, press, how: () => view.root.querySelector(".fl-ask-how").textContent };
}

test("who wants to go on without an answer is told what is expected, and the first answer has the focus", async () => {
  for (const key of ["Enter", "ArrowRight"]) {
    const { lessons, view, press, how } = await asked(CHOICE);
    assert.equal(how(), "");
    press(key);
    assert.equal(how(), "Choose an answer first: press its letter or its number, then → or Enter. S shows it.");
    assert.equal(document.activeElement, view.choices[0]);
    lessons.destroy();
  }
});

test("a wrong answer is told in words, with what is wrong with it; a right one says so", async () => {
  const choices = [{ key: "A", text: "Now", why: "Nothing is sent yet." }, CHOICE.choices[1]];
  const said = async (ask, guess, standing) => {
    const { lessons, view } = await asked(ask);
    lessons.suppose(guess);
    lessons.reveal();
    lessons.destroy();
    assert.equal(view.root.dataset.answered, standing);
    return [view.root.querySelector(".fl-ask-kind").textContent, view.root.querySelector(".fl-ask-said p").textContent];
  };
  assert.deepEqual(await said({ ...CHOICE, choices }, "A", "wrong"), ["✗ Not right", "B: Later. You chose A: Now. Nothing is sent yet."]);
  assert.deepEqual(await said({ ...CHOICE, choices }, "B", "right"), ["✓ Right", "B: Later."]);
  const number = { kind: "number", question: "How many?", unit: "calls", answer: 5, because: "Five." };
  assert.deepEqual(await said(number, 8, "wrong"), ["✗ Not right", "5 calls. You said 8, which is 3 too many."]);
  assert.deepEqual(await said({ ...number, answer: 50 }, 46, "close"), ["≈ Close", "50 calls. You said 46, which is 4 too few."]);
});

test("Enter chooses the answer that has the focus, then checks it; what is expected is said until then", async () => {
  const { lessons, view, press, how } = await asked(CHOICE);
  press("Enter");
  assert.equal(press("Enter", [view.choices[0]]), undefined, "the button itself takes it");
  view.choices[0].click();
  assert.deepEqual([lessons.guess, how()], ["A", "Press → or Enter to see whether that is right."]);
  press("Enter", [view.choices[0]]);
  assert.deepEqual([lessons.revealed, how()], [true, ""]);
  lessons.destroy();
});

test("right leads on as Enter does, left to the step before; on a slider the arrows stay its own", async () => {
  const { lessons, press } = await asked(CHOICE);
  lessons.suppose("B");
  press("ArrowRight");
  assert.equal(lessons.revealed, true);
  press("ArrowRight");
  await settled();
  assert.equal(lessons.place.step, 2);
  const slider = Object.assign(document.createElement("input"), { type: "range" });
  assert.equal(press("ArrowLeft", [slider]), undefined);
  assert.equal(lessons.place.step, 2);
  press("ArrowLeft");
  assert.equal(lessons.place.step, 1);
  lessons.destroy();
});

test("a digit chooses the answer that stands there, as its letter does", async () => {
  const { lessons, press } = await asked(CHOICE);
  press("2");
  assert.equal(lessons.guess, "B");
  press("a");
  assert.equal(lessons.guess, "A");
  assert.equal(lessons.choiceOf("3"), undefined);
  lessons.destroy();
});

test("S shows the answer to who does not know, from the field of a number too", async () => {
  const { lessons, press } = await asked(CHOICE);
  press("s");
  assert.deepEqual([lessons.revealed, lessons.guess], [true, null]);
  lessons.destroy();
  const other = await asked({ kind: "number", question: "How many?", unit: "calls", answer: 5, because: "Five." });
  other.press("Enter");
  assert.equal(other.how(), "Type a number first, then press Enter. S shows the answer.");
  assert.equal(document.activeElement, other.view.field);
  other.press("4");
  assert.equal(other.how(), "Press Enter to see whether that is right.", "in the field → moves the caret");
  other.view.field.dispatchEvent(new KeyboardEvent("keydown", { key: "s", bubbles: true }));
  assert.equal(other.lessons.revealed, true);
  other.lessons.destroy();
});

test("in front of a room the keys of a lesson are all there are, and none is the debugger's", () => {
  const shown = keysHere({ place: { present: true } });
  assert.equal(shown.alone, true);
  assert.deepEqual(
    shown.keys.map(([names]) => names.join(" ")),
    ["→", "←", "S", "A B C D", "1 2 3 4", "R", "Space", "− +", "Esc"],
  );
  assert.equal(keysHere({ place: { present: false } }).alone, false);
});

test("choices of a word or two stand beside one another, others below one another", async () => {
  const short = async (choices) => {
    const { lessons, view } = await asked({ ...CHOICE, choices });
    lessons.destroy();
    return view.root.querySelector(".fl-ask-choices").hasAttribute("data-short");
  };
  assert.equal(await short(CHOICE.choices), true);
  assert.equal(await short([...CHOICE.choices, { key: "C", text: "Before the next model call" }]), false);
});

test("where a text went is drawn beside the question; behind the answer Why shows it, and in front of a room the drawing stays", async () => {
  const fate = { kind: "fate", text: "a rule", marks: [{ name: "said", is: "held" }] };
  const { lessons } = await asked(CHOICE);
  lessons.data.figures = fate;
  const drawn = () => {
    const view = new FigureView(lessons);
    view.destroy();
    return view.root.querySelectorAll(".fl-fate").length;
  };
  assert.equal(drawn(), 1);
  lessons.reveal(true);
  assert.equal(drawn(), 0);
  lessons.place = { ...lessons.place, present: true };
  assert.equal(drawn(), 1);
  lessons.destroy();
});

test("a room sees the bars of a task; requests with a budget are its curve, which it has in large", async () => {
  const { lessons } = await asked(CHOICE);
  lessons.place = { ...lessons.place, present: true };
  const drawn = (figure) => {
    lessons.data.figures = figure;
    const view = new FigureView(lessons);
    view.destroy();
    return view.root.children.length;
  };
  const rows = [{ value: 3, tokens: 185, summary: 60, state: "passes" }];
  assert.equal(drawn({ kind: "strip", name: "keep_recent", limit: 400, rows }), 1);
  assert.equal(drawn({ kind: "sent", calls: [{ step: 1, old: 0, new: 40 }], total: 40, limit: 400 }), 0);
  lessons.destroy();
});

test("where a setting compacts nothing its bar is the whole window, and no summary is spoken of; each bar stands over its own number", () => {
  const rows = [
    { value: 7, tokens: 421, summary: 66, state: "over" },
    { value: 8, tokens: 405, summary: 0, state: "none" },
  ];
  const node = stripFigure({ kind: "strip", name: "keep_recent", limit: 400, rows }, 7);
  const text = (bar, selector) => bar.querySelector(selector).textContent;
  assert.deepEqual(
    [...node.querySelectorAll("li")].map((bar) => [text(bar, ".fl-strip-value"), text(bar, "b"), text(bar, ".fl-said")]),
    [
      ["7", "421", ": 421 tokens, 66 of them summary, over budget"],
      ["8", "405", ": 405 tokens, no compaction"],
    ],
  );
  const heights = [...node.querySelectorAll(".fl-strip-bar")].map((bar) => Number.parseFloat(bar.style.height));
  assert.ok(Math.abs(heights[1] / heights[0] - 405 / 421) < 1e-6);
});

test("a drawing that is all a room is to see is taller than one beside a question", async () => {
  const sent = { kind: "sent", calls: [{ step: 1, old: 0, new: 40 }], total: 40 };
  const { lessons } = await asked(CHOICE);
  lessons.data.figures = sent;
  lessons.place = { ...lessons.place, present: true };
  const tall = () => {
    const view = new FigureView(lessons);
    view.destroy();
    return Number(view.root.querySelector("svg").getAttribute("viewBox").split(" ")[3]);
  };
  assert.equal(tall(), 164);
  lessons.data.ask = null;
  assert.equal(tall(), 304);
  lessons.destroy();
});

/** What a step draws, its answer still covered. @param {object} figure */
async function drawnOf(figure) {
  const { lessons } = await asked(CHOICE);
  lessons.data.figures = figure;
  const view = new FigureView(lessons);
  view.destroy();
  lessons.destroy();
  return view.root;
}

test("bars whose sum is asked for have a scale: the first and the last say what they are, and so it is read aloud", () => {
  const calls = [48, 63, 78, 93, 108].map((size, k) => ({ step: k, old: 0, new: size }));
  const drawn = sentFigure({ kind: "sent", calls, total: 390 }, 9, true, 164);
  const numbers = [...drawn.querySelectorAll("svg text")].map((node) => node.textContent).filter((text) => /^\d/.test(text));
  assert.deepEqual(numbers, ["48", "108"]);
  assert.equal(drawn.querySelector(".fl-said").textContent, "Tokens of the first: 48, of the last: 108");
  const about = sentFigure({ kind: "sent", calls, total: 390, mark: "~" }, 9, false, 164);
  assert.match(about.textContent, /requests: ~390 tokens sent/, "an estimate says so");
  const begun = sentFigure({ kind: "sent", calls, total: 390 }, 3, true, 164);
  assert.equal(begun.querySelector(".fl-said").textContent, "Tokens of the first: 48", "the last is still to come");
  const all = sentFigure({ kind: "sent", calls, total: 390 }, 9, false, 164);
  assert.equal(all.querySelector(".fl-said").textContent, "Tokens of each: 48, 63, 78, 93, 108");
  const many = sentFigure({ kind: "sent", calls: [...calls, ...calls, ...calls], total: 1170 }, 9, true, 164);
  const [own] = [...many.querySelectorAll("svg text")].filter((node) => /^\d/.test(node.textContent));
  assert.deepEqual([own.textContent, own.getAttribute("text-anchor")], ["108", "end"], "of thin bars the last, whose number would leave the drawing");
  const long = Array.from({ length: 226 }, (_, k) => ({ step: k, old: 10 * k, new: 10 }));
  const every = sentFigure({ kind: "sent", calls: long, total: 1 }, 225, false, 164);
  const [last] = [...every.querySelectorAll("svg text")].filter((node) => /^\d/.test(node.textContent));
  assert.equal(last.textContent, "2,260", "of so many every second bar is drawn, the last among them");
});

test("blocks too narrow for all their numbers have every second, or every fifth; very narrow ones none", async () => {
  const numbers = async (count) => {
    const messages = Array.from({ length: count }, () => ({ role: "user", tokens: 9 }));
    const cuts = { kind: "cuts", messages, pairs: [], boundaries: [], pinned: 0, first: 1, last: 2, cut: null, safe: null };
    return [...(await drawnOf(cuts)).querySelectorAll(".fl-cuts-name")].map((node) => node.textContent).filter((text) => /\d/.test(text));
  };
  assert.equal((await numbers(18)).length, 18);
  assert.deepEqual((await numbers(30)).slice(0, 3), ["2", "4", "6"]);
  assert.deepEqual(await numbers(60), []);
});

test("messages that no cut parts have the color of messages; with a cut, what goes and what stays are told apart", async () => {
  const messages = ["system", "user", "assistant", "tool"].map((role) => ({ role, tokens: 9 }));
  const cuts = { kind: "cuts", messages, pairs: [[2, 3]], boundaries: [], pinned: 1, first: 2, last: 3, cut: null, safe: null };
  const kinds = (root) => [...root.querySelectorAll("rect")].map((node) => node.getAttribute("class").split(" ")[0].slice(6));
  assert.deepEqual(kinds(await drawnOf(cuts)), ["system", "message", "message", "message"]);
  const cut = await drawnOf({ ...cuts, cut: 2 });
  assert.deepEqual(kinds(cut), ["system", "compactable", "recent", "recent"]);
  assert.match(cut.querySelector("figcaption").textContent, /Blue goes, green stays\./);
});

test("where a text went is told as answers to one question", () => {
  const marks = [
    { name: "when it is said", is: "held" },
    { name: "after compaction 1", is: "in other words" },
    { name: "after compaction 2", is: "gone" },
    { name: "at the end", is: "gone" },
  ];
  const rows = (root) =>
    [...root.querySelectorAll(".fl-fate li")].map((node) =>
      [...node.children]
        .map((one) => one.textContent)
        .join(" ")
        .trim(),
    );
  const drawn = fateFigure({ kind: "fate", text: "a rule", marks }, false);
  assert.equal(drawn.querySelector("p").textContent, "Can the model still see it?");
  assert.deepEqual(rows(drawn), ["when it is said yes", "after compaction 1 in other words", "after compaction 2 no: lost here", "at the end no"]);
  const is = ["held", "held", "held", "in other words", "in other words", "in other words", "gone", "gone", "gone"];
  const long = ["when it is said", ...[1, 2, 3, 4, 5, 6, 7].map((k) => `after compaction ${k}`), "at the end"].map((name, k) => ({
    name,
    is: is[k],
  }));
  assert.deepEqual(
    rows(fateFigure({ kind: "fate", text: "a rule", marks: long }, false)),
    [
      "when it is said yes",
      "after compactions 1 and 2 yes",
      "after compactions 3 to 5 in other words",
      "after compaction 6 no: lost here",
      "after compaction 7, and at the end no",
    ],
    "of many rows those that say the same are one",
  );
  const covered = fateFigure({ kind: "fate", text: "a rule", marks }, true);
  assert.deepEqual(rows(covered), ["when it is said yes", "after each compaction, and at the end ?"]);
});
