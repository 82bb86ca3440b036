// What a change of the settings has changed: in words, as a curve, and how long it stays.
import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { Earlier } from "../../viewer/frontend/debugger/earlier.js";
import { paintCurve } from "../../viewer/frontend/debugger/paint.js";
import { sawtoothOf } from "../../viewer/frontend/debugger/sawtooth.js";
import { curveOf } from "../../viewer/frontend/run/curve.js";
import { decodeStore, openView } from "../../viewer/frontend/run/decode.js";
import { differenceWords, earlierLine, peakOf, settingWords, sparse } from "../../viewer/frontend/run/earlier.js";
import { Run } from "../../viewer/frontend/run/model.js";
import { SvgPen } from "../../viewer/frontend/run/svgpen.js";
import { FOLDED, MESSAGES, storeBytes, viewJson } from "./packed.mjs";

const STORE = decodeStore(storeBytes(MESSAGES));
const QUIET = { length: 6, heads: [1], bodies: [1], tails: [0, 1, 1, 1, 1, 1] };

/** A run of the same six messages: with one compaction, or with none. */
const made = (tid, changes, store = STORE) => new Run(store, openView(viewJson({ ...changes, tid, stamp: tid })));
const one = () => made("one", FOLDED);
const none = () => made("none", QUIET);
const picture = (run, budget = 100) => ({ run, query: { policy: "p", budget } });

test("the peak is the highest window, before a compaction too", () => {
  assert.deepEqual([peakOf(one()), peakOf(none())], [167, 210]);
  assert.equal(peakOf(one()), curveOf(one(), 800).peak);
  const last = made("low", { ...FOLDED, c: { ...FOLDED.c, before: [300] } });
  assert.equal(peakOf(last), 300);
});

test("one line says what has changed, and what has not", () => {
  assert.equal(differenceWords(none(), one()), "0 → 1 compaction, peak 210 → 167");
  assert.equal(differenceWords(one(), none()), "1 → 0 compactions, peak 167 → 210");
  assert.equal(differenceWords(one(), made("other", FOLDED)), "1 compaction as before, same peak");
});

test("the setting before is named where it alone was changed", () => {
  const words = (before, now) => settingWords({ policy: "p", meter: "m", ...before }, { policy: "p", meter: "m", ...now });
  assert.equal(words({ budget: 16000 }, { budget: "24000" }), "budget 16,000");
  assert.equal(words({ share: "0.85" }, { share: "0.9" }), "share 0.85");
  assert.equal(words({ budget: 1, keep: 2 }, { budget: 3, keep: 4 }), "");
  assert.equal(words({ prompt: "be brief" }, { prompt: "be long" }), "");
  assert.equal(words({ policy: "other", budget: 1 }, { budget: 3 }), "other");
});

test("the curve of before lies over the steps of now, message by message", () => {
  assert.deepEqual(earlierLine(one(), curveOf(one(), 800), none()), [
    ...[
      [0, 10],
      [1, 30],
      [2, 60],
      [3, 100],
    ],
    ...[
      [3, 100],
      [3, 57],
    ],
    ...[
      [4, 107],
      [5, 167],
    ],
  ]);
  assert.deepEqual(earlierLine(none(), curveOf(none(), 800), one()).at(-1), [6, 210]);
});

test("where both compact behind the same message, the drop of before lies on the one that is shown", () => {
  const curve = curveOf(one(), 800);
  const drawn = Array.from(curve.steps, (step, k) => [step, curve.tops.at(-1)[k]]);
  assert.deepEqual(drawn.slice(4, 6), [
    [4, 100],
    [4, 57],
  ]);
  assert.deepEqual(earlierLine(one(), curve, made("other", FOLDED)), drawn);
});

test("a line is drawn through the points it needs: corners and upright drops stay, what lies on the way goes", () => {
  const rising = Array.from({ length: 1000 }, (_, x) => [x, x / 10 + (x % 2) / 2]);
  assert.deepEqual(sparse(rising), [
    [0, 0],
    [999, 100.4],
  ]);
  const teeth = Array.from({ length: 400 }, (_, k) => [k % 100 ? k / 4 : k / 4 - 1 / 4, k % 100]);
  const kept = sparse(teeth);
  assert.ok(kept.length < 20, String(kept.length));
  for (const corner of [0, 99, 100, 199, 200, 299, 300, 399]) assert.ok(kept.includes(teeth[corner]), `corner ${corner}`);
  const near = (x) => {
    const k = kept.findIndex(([to]) => to >= x);
    const [[x1, y1], [x2, y2]] = [kept[Math.max(0, k - 1)], kept[k]];
    return x2 > x1 ? y1 + ((x - x1) / (x2 - x1)) * (y2 - y1) : y2;
  };
  for (const [x, y] of teeth.filter(([x]) => x % 25 > 1 && x % 25 < 24)) assert.ok(Math.abs(near(x) - y) <= 2, `${x} ${y} ${near(x)}`);
  assert.deepEqual(sparse([[5, 5]]), [[5, 5]]);
});

test("the scale has room for the curve of before, unless it is much higher", () => {
  const top = (before) => Math.round(sawtoothOf(one(), 800, 200, { before }).scale.top);
  assert.deepEqual([top(null), top(none())], [184, 231]);
  const high = made("high", QUIET, decodeStore(storeBytes(MESSAGES.map(([role, size, ...rest]) => [role, 10 * size, ...rest]))));
  assert.equal(top(high), 184);
});

test("the caption begins with what has changed", () => {
  const pen = new SvgPen(800, 200, (text) => 6 * text.length);
  const run = one();
  const palette = new Proxy({}, { get: () => "#123" });
  paintCurve(pen, { ...sawtoothOf(run, 800, 200), palette, run, told: ["0 → 1 compaction", "dashes: before"] });
  assert.match(pen.text("#fff", "t"), /0 → 1 compaction<.*dashes: before · tokens in the window</s);
});

const REGIONS = ["system", "summary", "compactable", "recent"];

/** The texts of a caption in a timeline so wide, a letter being 6 pixels. */
function captionIn(width, plain = false) {
  const pen = new SvgPen(width, 200, (text) => 6 * text.length);
  paintCurve(pen, { ...sawtoothOf(one(), width, 200), palette: new Proxy({}, { get: () => "#123" }), run: one(), plain });
  return [...pen.text("#fff", "t").matchAll(/<text[^>]* y="11"[^>]*>([^<]*)</g)].map(([, text]) => text);
}

/** What each color means, to who sees its name first. */
const MEANT = ["system: always stays", "summary: in place of what left", "compactable: next to go", "recent: stays as it is"];

test("the caption says what the colors of the curve mean: where it has no room it names them, then it shortens the unit", () => {
  assert.deepEqual(captionIn(1100), ["tokens in the window", ...MEANT, "budget 100"]);
  assert.deepEqual(captionIn(800), ["tokens in the window", ...REGIONS, "budget 100"]);
  assert.deepEqual(captionIn(460), ["tokens", ...REGIONS, "budget 100"]);
  assert.deepEqual(captionIn(280), ["tokens in the window", "budget 100"]);
  assert.deepEqual(captionIn(800, true), ["tokens in the window", "budget 100"], "of covered parts no color is named");
});

test("where the caption is narrow, what the thin line and the hatching are is said in fewer words", () => {
  const quiet = { length: 6, heads: [1], bodies: [1], tails: [0, 1, 1, 1, 1, 1] };
  const prompts = { at: [2, 4], tokens: [300, 400], scaled: [1] };
  const said = (width, changes = quiet) => {
    const run = new Run(decodeStore(storeBytes(MESSAGES)), openView(viewJson({ ...changes, kind: "replay", policy: null })));
    run.store.header.recorded.prompts = prompts;
    const pen = new SvgPen(width, 200, (text) => 6 * text.length);
    paintCurve(pen, { ...sawtoothOf(run, width, 200), palette: new Proxy({}, { get: () => "#123" }), run });
    return [...pen.text("#fff", "t").matchAll(/<text[^>]* y="11"[^>]*>([^<]*)</g)].map(([, text]) => text).join("");
  };
  assert.match(said(1400), /· thin line: sent to the model, at most 400 · hatched: the part not in this file, or counted too low/);
  assert.match(said(760), /· thin line: sent to the model · hatched: not in this file, or counted low$/, "no half of a statement");
  assert.match(said(1400, FOLDED), /· thin line: sent to the model · hatched/, "a compaction has its own numbers, which no larger one stands beside");
});

test("a curve whose parts are covered has one color", () => {
  const run = one();
  const palette = Object.fromEntries(["system", "compactable", "recent", "message"].map((name, k) => [name, `#00${k}`]));
  const fills = (plain) => {
    const pen = new SvgPen(800, 200, (text) => 6 * text.length);
    paintCurve(pen, { ...sawtoothOf(run, 800, 200), palette, run, plain });
    return new Set([...pen.text("#fff", "t").matchAll(/<path[^>]*fill="(#00\d)"/g)].map(([, color]) => color));
  };
  assert.deepEqual([...fills(true)], ["#003"]);
  assert.ok(fills(false).size > 1);
});

test("what was before a slider moved stays until it has rested and moves again, or a step", (context) => {
  mock.timers.enable({ apis: ["setTimeout"] });
  context.after(() => mock.timers.reset());
  let rests = 0;
  const earlier = new Earlier(() => (rests += 1));
  const [first, second, third] = ["1", "2", "3"].map((tid) => picture(made(tid, tid === "1" ? FOLDED : QUIET), Number(tid)));
  earlier.take(first, second);
  mock.timers.tick(600);
  earlier.take(second, third);
  assert.equal(earlier.run, first.run);
  assert.deepEqual(earlier.words, ["1 → 0 compactions, peak 167 → 210", "dashes: before, budget 1"]);
  mock.timers.tick(600);
  assert.equal(rests, 0);
  mock.timers.tick(100);
  assert.equal(rests, 1);
  earlier.take(third, second);
  assert.equal(earlier.run, third.run);
  assert.equal(earlier.leave(), true);
  assert.deepEqual([earlier.run, earlier.words, earlier.leave()], [null, [], false]);
  assert.deepEqual(earlier.query, { policy: "p", budget: 3 }, "Compare offers what was set before, after a step too");
});

test("back at the place it came from, a slider has nothing to compare", () => {
  const earlier = new Earlier(() => {});
  const [first, second] = [picture(one()), picture(none())];
  earlier.take(first, second);
  earlier.take(second, first);
  assert.deepEqual([earlier.run, earlier.words], [null, []]);
  earlier.leave();
});

test("another session, another meter and the run as recorded are not compared", () => {
  const earlier = new Earlier(() => {});
  for (const other of [made("x", QUIET, decodeStore(storeBytes(MESSAGES))), made("y", { ...QUIET, kind: "replay", policy: null })]) {
    earlier.take(picture(one()), picture(other));
    assert.deepEqual([earlier.run, earlier.query], [null, null]);
  }
});
