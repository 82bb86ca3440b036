// A task of a lesson after "I don't know, show me": what the page says of what it shows, and of what a person tries next.
import assert from "node:assert/strict";
import { test } from "node:test";
import { requests, serve, settled } from "./dom.mjs";

const { Lessons } = await import("../../viewer/frontend/learn/lessons.js");
const { TaskView } = await import("../../viewer/frontend/learn/task.js");

const BEST = "This is the best choice there is here, and yet it does not do all that is asked.";
const STEP = {
  scene: { source: "sample:plan", policy: "agentkit.memory", settings: { budget: 20000 } },
  task: { text: "Keep both rules.", controls: ["budget"], ranges: { budget: [10000, 90000, 10000] }, passed: "Both are kept." },
};

/** A task that no budget passes, with what the engine shows when it is asked to solve it. */
async function opened(controls, check = { passed: false, missing: ["a rule is gone"] }) {
  serve({
    "api/lessons/1/1/solution": { controls },
    "api/lessons/1/1/check": check,
    "api/lessons/1/1": STEP,
    "api/lessons": { lessons: [{ number: 1, key: "plan", steps: [{}] }] },
  });
  const lessons = new Lessons();
  const view = new TaskView(lessons);
  await lessons.start({ source: "", session: "", name: "" });
  lessons.open(1);
  await settled();
  return { lessons, view, said: () => view.root.querySelector(".fl-task-passed").textContent };
}

test("what an attempt shows stands below the conditions, whether it passes or not", async () => {
  const { lessons, view } = await opened({}, { passed: false, missing: [], note: "Request 2 is over the budget." });
  assert.equal(view.root.querySelector(".fl-task-note").textContent, "Request 2 is over the budget.");
  lessons.destroy();
});

test("only what the engine shows is called the best choice; a value that is tried after it is not", async () => {
  const { lessons, said } = await opened({ budget: 60000 });
  assert.equal(said(), "");
  await lessons.solve();
  await settled();
  assert.deepEqual([lessons.controls.budget, said()], [60000, BEST]);
  lessons.set("budget", 30000);
  await settled();
  assert.equal(said(), "");
  lessons.destroy();
});

test("where the engine finds nothing, nothing is called the best choice, and a value moved just before is still checked", async () => {
  const { lessons, said } = await opened(null);
  lessons.set("budget", 30000);
  await lessons.solve();
  await settled();
  assert.equal(lessons.failed, "Nothing that these controls can be set to does it here. Go on with Next.");
  assert.deepEqual([lessons.unchecked, said()], [false, ""]);
  const checked = requests.filter(([, path]) => path.startsWith("api/lessons/1/1/check")).at(-1);
  assert.equal(checked[1], "api/lessons/1/1/check?budget=30000");
  lessons.destroy();
});

test("a check that waits for the control to rest does not come between a person and what solves the task", async () => {
  const { lessons } = await opened({ budget: 60000 });
  lessons.set("budget", 30000);
  const rest = new Promise((done) => setImmediate(done));
  const answer = fetch;
  globalThis.fetch = async (...asked) => {
    if (String(asked[0]).includes("solution")) await rest; // the solution takes longer than the control rests
    return answer(...asked);
  };
  await lessons.solve();
  await settled();
  assert.equal(lessons.controls.budget, 60000);
  lessons.destroy();
});

test("of a file of many sessions the last step shows and checks the one that is open; a sample chosen instead is no part of it", async () => {
  const own = { source: "path:/many.zip", session: "2", name: "many.zip" };
  serve({
    "api/lessons/1/1/check": { passed: false, missing: [] },
    "api/lessons/1/1": { ...STEP, scene: { ...STEP.scene, source: own.source } },
    "api/lessons": { lessons: [{ number: 1, key: "plan", steps: [{}] }] },
  });
  const lessons = new Lessons();
  await lessons.start(own);
  lessons.open(1);
  await settled();
  const checked = () => requests.filter(([, path]) => path.startsWith("api/lessons/1/1/check")).at(-1)[1];
  assert.deepEqual([lessons.scene.source, lessons.scene.session], [own.source, "2"]);
  assert.match(checked(), /source=path%3A%2Fmany.zip&session=2$/);
  lessons.choose("sample:plan");
  await settled();
  assert.deepEqual([lessons.subject, lessons.scene.session], [{ source: "sample:plan" }, undefined]);
  assert.match(checked(), /source=sample%3Aplan$/);
  lessons.destroy();
});

const GROWS = { figures: { kind: "sent", calls: [{ step: 2 }, { step: 10 }], total: null }, ask: null, task: null };

/** A lesson of steps that the server answers with. */
async function openedAt(steps, check = { passed: true, missing: [] }) {
  localStorage.clear();
  const scene = { ...STEP.scene, step: 0 };
  serve({
    "api/lessons/1/1/check": check,
    ...Object.fromEntries(steps.map((step, k) => [`api/lessons/1/${k + 1}`, { scene, figures: null, ...step }])),
    "api/lessons": { lessons: [{ number: 1, key: "plan", steps: steps.map(() => "look") }] },
  });
  const lessons = new Lessons();
  await lessons.start({ source: "", session: "", name: "" });
  lessons.open(1);
  await settled();
  return { lessons, done: () => lessons.progress.of("plan").done };
}

test("a run that is to be watched is done once it has grown to its end, and not while its step is read from the server", async () => {
  const { lessons, done } = await openedAt([GROWS, GROWS]);
  lessons.next();
  lessons.next(); // before the second step is there
  await settled();
  assert.deepEqual(done(), []);
  lessons.stood({ cursor: 10 });
  lessons.open(1); // once more, from its beginning
  await settled();
  assert.equal(lessons.grows, true, "the debugger does not stand there yet");
  assert.equal(lessons.done, false);
  lessons.stood({ cursor: 10 });
  lessons.next();
  assert.deepEqual(done(), [1]);
  lessons.destroy();
});

test("a compaction that is told phase by phase is done once its last phase is there; its keys say what → does until then", async () => {
  const { LessonPanel } = await import("../../viewer/frontend/learn/panel.js");
  const { lessons, done } = await openedAt([{ scene: { ...STEP.scene, step: 4, phase: 1 }, ask: null, task: null }, GROWS]);
  const panel = new LessonPanel(document.body, lessons);
  const leads = () => panel.keys.textContent.split(" · ").find((key) => key.startsWith("→"));
  assert.deepEqual([lessons.done, leads()], [false, "→ next phase"]);
  lessons.next();
  lessons.open(1);
  await settled();
  assert.deepEqual(done(), [], "it was passed over");
  lessons.stood({ moves: true });
  assert.equal(leads(), "→ to the end");
  lessons.stood({ moves: false, phase: 3 });
  assert.deepEqual([lessons.done, leads()], [false, "→ next phase"]);
  lessons.stood({ phase: 4 });
  assert.deepEqual([lessons.done, leads()], [true, "→ next"]);
  lessons.next();
  await settled();
  assert.deepEqual([done(), leads()], [[1], "→ play"]);
  lessons.stood({ moves: true });
  assert.equal(leads(), "→ to the end");
  panel.destroy();
  lessons.destroy();
});

test("a task that passes as it stands is done by who goes on from it, not by opening it", async () => {
  const { lessons, done } = await openedAt([{ task: STEP.task }, {}]);
  assert.deepEqual([lessons.check.passed, done()], [true, []]);
  lessons.next();
  assert.deepEqual(done(), [1]);
  lessons.destroy();
});

test("in front of a room nobody has done what the room answers", async () => {
  const { lessons, done } = await openedAt([{ ask: { kind: "choice", answer: "A", choices: [{ key: "A", text: "now" }] }, veil: [] }, {}]);
  lessons.present(true);
  await settled();
  lessons.reveal(true);
  lessons.next();
  await settled();
  assert.deepEqual(done(), []);
  lessons.next();
  assert.deepEqual(done(), [2], "what only tells is done once it was told");
  lessons.destroy();
});
