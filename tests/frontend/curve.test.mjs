import assert from "node:assert/strict";
import { test } from "node:test";
import { paintCurve } from "../../viewer/frontend/debugger/paint.js";
import { SvgPen } from "../../viewer/frontend/run/svgpen.js";
import { STACK, curveOf, intervalsIn, labelsOf, lastInFront, marksOf, scaleOf, ticksOf } from "../../viewer/frontend/run/curve.js";
import { sawtoothOf } from "../../viewer/frontend/debugger/sawtooth.js";
import { short } from "../../viewer/frontend/lib/format.js";
import { decodeStore, openView } from "../../viewer/frontend/run/decode.js";
import { Run } from "../../viewer/frontend/run/model.js";
import { ADDED } from "../../viewer/frontend/run/pool.js";
import { explained, keyOf } from "../../viewer/frontend/debugger/curvekey.js";
import { CLEARED, FOLDED, MESSAGES, POLICY, run, storeBytes, viewJson } from "./packed.mjs";

/** A thousand messages of ten tokens; after each hundred all of them are folded into a summary of five. */
function sawtooth() {
  const messages = Array.from({ length: 1000 }, () => ["user", 10, "x", 1]);
  const at = Array.from({ length: 9 }, (_, k) => 100 * (k + 1));
  const each = (value) => at.map(() => value);
  const c = {
    ...viewJson().c,
    at: [100, ...each(100).slice(1)],
    layout: at.map((_, k) => [ADDED + k, ADDED + k + 1]),
    number: at.map((_, k) => k + 1),
    added: at.map(() => [[0, "summary", 5, "s", -1]]),
    summaryTokens: each(5),
    micro: each(0),
  };
  const zeros = Array.from({ length: 10 }, () => 0);
  const view = viewJson({ length: 1009, c, heads: zeros, bodies: zeros, tails: Array.from({ length: 1009 }, () => 0) });
  return new Run(decodeStore(storeBytes(messages)), openView(view));
}

test("few steps are drawn each, a compaction's twice: the window before it drops upright to the one after", () => {
  const curve = curveOf(run(), 800);
  assert.deepEqual([...curve.steps], [0, 1, 2, 3, 4, 4, 5, 6]);
  assert.deepEqual([...curve.tops.at(-1)], [10, 30, 60, 100, 100, 57, 107, 167]);
  assert.deepEqual([curve.peak, curve.columns.length], [167, 0]);
});

test("many steps keep every tooth: the steps before and at each compaction are drawn", () => {
  const r = sawtooth();
  const drawn = new Set(curveOf(r, 60).steps);
  for (const step of r.steps) assert.ok(drawn.has(step) && drawn.has(step - 1), `step ${step}`);
  assert.ok(drawn.size <= 4 * 60);
});

test("where compactions crowd, each column has its lowest and highest step", () => {
  const { columns, tops } = curveOf(sawtooth(), 10);
  const total = tops.at(-1);
  assert.equal(columns.length, 10);
  assert.deepEqual([total[columns[4].low], total[columns[4].high]], [5, 1005]);
});

const ROOM = 1.1;

test("the limit and the recorded run are in sight up to three times the peak; a taller run has its own scale", () => {
  assert.deepEqual(scaleOf({ peak: 100, limit: 300, recorded: 0 }), { top: ROOM * 300, limitShown: true, shared: true, recordedTop: ROOM * 300 });
  assert.equal(scaleOf({ peak: 100, limit: 301, recorded: 0 }).limitShown, false);
  const both = scaleOf({ peak: 100, limit: null, recorded: 300 });
  assert.deepEqual([both.top, both.shared, both.recordedTop].map(Math.round), [330, 1, 330]);
  const own = scaleOf({ peak: 100, limit: 200, recorded: 1000 });
  assert.deepEqual([own.top, own.shared, own.recordedTop].map(Math.round), [220, 0, 1100]);
  const together = scaleOf({ peak: 100, limit: null, recorded: 1000, together: true });
  assert.deepEqual([together.top, together.shared, together.recordedTop].map(Math.round), [1100, 1, 1100]);
  assert.equal(scaleOf({ peak: 0, limit: null, recorded: 0 }).top, 1.1);
});

test("ticks are round and fit", () => {
  assert.deepEqual(ticksOf(3600, 5).map(short), ["0", "1k", "2k", "3k"]);
  assert.deepEqual(ticksOf(1.1, 4), [0, 1]);
});

test("an axis has the same numbers beside a followed text, which takes some of its height", () => {
  for (const height of [113, 88]) assert.deepEqual(ticksOf(1950, intervalsIn(height)), [0, 500, 1000, 1500]);
  assert.equal(ticksOf(170_000, intervalsIn(380)).length, 9, "a high chart has no more lines than are easy to read");
});

test("marks thin out: all labels, some, none, and lines instead of diamonds", () => {
  const at = (gap, count) => Array.from({ length: count }, (_, k) => 10 + k * gap);
  const columns = (gap, count) =>
    marksOf(
      at(gap, count),
      at(gap, count).map(() => 16),
      2000,
    );
  assert.deepEqual(columns(60, 3), { diamonds: true, labels: [true, true, true] });
  assert.deepEqual(columns(12, 30).labels.filter(Boolean), []);
  assert.equal(columns(3, 300).diamonds, false);
  assert.deepEqual(marksOf([], [], 100), { diamonds: true, labels: [] });
});

test("where the name of a microcompaction has no room its number stands alone, once another has its name", () => {
  const width = (name) => name.length * 6.6;
  const at = (...xs) =>
    labelsOf(
      xs,
      xs.map((_, k) => `micro ${k + 1}`),
      width,
      600,
    ).names;
  assert.deepEqual(at(10, 110, 142, 162, 262), ["micro 1", "2", "3", "micro 4", "micro 5"]);
  assert.deepEqual(at(10, 60, 71), ["1", "", "micro 3"], "of a label that would run into a mark nothing stands there");
  assert.deepEqual(labelsOf([10, 40, 400], ["#1", "#2", "#3"], width, 600).names, ["#1", "#2", "#3"]);
});

test("the last compaction has its number in front of it where there is no room behind it", () => {
  const [xs, widths, right] = [[20, 120, 195], [13, 13, 13], 200];
  const { labels } = marksOf(xs, widths, right);
  assert.deepEqual(labels, [true, true, false]);
  assert.equal(lastInFront(xs, widths, labels), true);
  assert.equal(lastInFront([20, 160, 195], widths, labels), false);
  assert.equal(lastInFront(xs, widths, [true, true, true]), false);
});

test("the prompts of a run as recorded share the axis of its messages, however little of them the file holds", () => {
  const prompts = { at: [2, 4], tokens: [20_000, 21_000] };
  const scaleFor = (/** @type {string} */ kind) => {
    const run = new Run(
      decodeStore(storeBytes(MESSAGES)),
      openView(viewJson({ length: 6, heads: [1], bodies: [1], tails: [0, 1, 1, 1, 1, 1], kind })),
    );
    run.store.header.recorded.prompts = prompts;
    return sawtoothOf(run, 800, 170).scale;
  };
  assert.deepEqual([scaleFor("replay").shared, Math.round(scaleFor("replay").top)], [true, 23_100]);
  assert.deepEqual([scaleFor("simulate").shared, Math.round(scaleFor("simulate").top)], [false, 231]);
});

test("what prompts held beyond the messages is hatched behind them: it covers no part of the window", () => {
  const view = openView(viewJson({ length: 6, heads: [1], bodies: [1], tails: [0, 1, 1, 1, 1, 1], kind: "replay", policy: null }));
  const run = new Run(decodeStore(storeBytes(MESSAGES)), view);
  run.store.header.recorded.prompts = { at: [2, 4], tokens: [20_000, 21_000] };
  const pen = new SvgPen(800, 200, (text) => 6 * text.length);
  const regions = Object.fromEntries(STACK.map((region) => [region, "#007"]));
  paintCurve(pen, { ...sawtoothOf(run, 800, 200), palette: new Proxy(regions, { get: (own, name) => own[name] ?? "#123" }), run });
  const fills = [...pen.text("#fff", "t").matchAll(/<path[^>]*fill="([^"]*)"/g)].map(([, fill]) => fill);
  const [hatched, solid] = [fills.findIndex((fill) => fill.startsWith("url(")), fills.indexOf("#007")];
  assert.ok(hatched >= 0 && hatched < solid, fills.join(" "));
});

test("every color has its name, also where there is one alone, and a mark's where no region has it", () => {
  const palette = Object.fromEntries([...STACK, "card"].map((name) => [name, name]));
  const keys = (one) => keyOf(one, sawtoothOf(one, 800, 200).curve, palette).map(({ color, name, mark }) => [color, name, mark ?? false]);
  const named = (one) => keys(one).map(([, name]) => name);
  const quiet = { kind: "replay", policy: null, c: { ...CLEARED.c, micro: [1], layout: [[0, 4]], added: [[]], emptied: [0] }, shadows: [] };
  assert.deepEqual(keys(run(quiet)), [
    ["system", "system", false],
    ["message", "messages", false],
    ["cleared", "microcompaction", true],
  ]);
  const alone = { tops: STACK.map((_, r) => [r < STACK.indexOf("message") ? 0 : 10]) };
  assert.equal(keyOf(run(quiet), alone, palette).length, 2, "of one region, and the mark");
  const dropped = { policy: { ...POLICY, kind: "drop" }, c: { ...FOLDED.c, number: [-1], summaryTokens: [0], layout: [[0, 1, 3, 4]], added: [[]] } };
  assert.deepEqual(keys(run(dropped)).at(-1), ["summary", "compaction", true]);
  const clears = run(CLEARED);
  const meant = explained(keyOf(clears, sawtoothOf(clears, 800, 200).curve, palette)).map(({ name }) => name);
  assert.ok(meant.includes("compactable: next to be cleared"), meant.join());
  const folded = run({ kind: "replay", policy: null, c: { ...FOLDED.c, fidelity: ["exact"] } });
  const words = (one) => explained(keyOf(one, sawtoothOf(one, 800, 200).curve, palette)).map(({ name }) => name);
  assert.ok(words(folded).includes("messages: no later compaction"), words(folded).join());
  assert.ok(words(run(quiet)).includes("messages"), "of an earlier window it is not said");
  assert.deepEqual(named(run(CLEARED)).includes("clears in place"), false, "its color is that of what is cleared, which is named");
});
