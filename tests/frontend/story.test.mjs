import assert from "node:assert/strict";
import { test } from "node:test";

import { bezier, easeOut } from "../../viewer/frontend/lib/ease.js";
import { fromBeginning } from "../../viewer/frontend/run/beginning.js";
import { endTime, momentAt, paceOf, stillOf, storyOf } from "../../viewer/frontend/run/story.js";

/** What is true at a time of a story told at a speed, rounded. */
function at(time, story = "summarise", speed = 1) {
  const moment = momentAt(story, paceOf(story, speed), time);
  return Object.fromEntries(
    Object.entries(moment).map(([name, value]) => [name, typeof value === "number" ? Math.round(value * 1000) / 1000 : value]),
  );
}

/** These of them. */
const of = (moment, ...names) => names.map((name) => moment[name]);

test("what is true at 0, 25, 50, 75 and 100 % of a compaction", () => {
  const names = ["phase", "ring", "lift", "gathered", "text", "splice", "settle", "arrived"];
  assert.deepEqual(of(at(0), ...names), [1, 0, 0, 0, 0, 0, 0, false]);
  assert.deepEqual(of(at(400), ...names), [2, 1, 1, 0, 0, 0, 0, false]);
  assert.deepEqual(of(at(800), ...names), [3, 1, 1, 0.962, 0, 0, 0, false]);
  assert.deepEqual(of(at(1200), ...names), [4, 1, 1, 1, 1, 0.301, 0.093, true]);
  assert.deepEqual(of(at(1600), ...names), [4, 1, 1, 1, 1, 1, 1, true]);
});

test("a still has all of its phase, and nothing of the next", () => {
  const of = (story, phase) => {
    const moment = stillOf(story, phase);
    const { lift, brackets, gathered, text, number, splice, settle, arrived } = moment;
    return [moment.phase, moment.ring > 0.9, lift, brackets[2], gathered, text, number, splice, settle, arrived, moment.emptied(1).drained];
  };
  assert.deepEqual(of("summarise", 1), [1, true, 0, 0, 0, 0, 0, 0, 0, false, 0]);
  assert.ok(stillOf("summarise", 1).ring < 1, "the ring is there");
  for (const story of ["summarise", "digest", "clear"]) assert.deepEqual(of(story, 2), [2, true, 1, 1, 0, 0, 0, 0, 0, false, 0], story);
  assert.deepEqual(of("summarise", 3), [3, true, 1, 0, 1, 1, 1, 0, 0, false, 0]);
  assert.deepEqual(of("clear", 3), [3, true, 1, 0, 0, 1, 1, 0, 0, false, 1]);
});

test("from the end of a phase on it is the next one that is told, at any speed that is read", () => {
  for (const story of ["summarise", "opaque", "digest", "drop", "tiers", "clear", "fallback"])
    for (const pace of [0.25, 0.5, 1].map((speed) => paceOf(story, speed)))
      assert.deepEqual(
        [1, 2, 3].map((phase) => momentAt(story, pace, endTime(story, pace, phase)).phase),
        [2, 3, 4],
        story,
      );
});

test("the moments of the storyboard: folding, folded, the summary is written, the splice, the totals", () => {
  const half = at(600);
  assert.deepEqual([half.phase, half.gathered > 0 && half.gathered < 1, half.amber, half.number], [3, true, 0, 0]);
  assert.deepEqual(of(at(860), "phase", "amber", "text", "number", "splice"), [3, 0, 0, 0, 0]);
  assert.deepEqual(of(at(1020), "phase", "amber", "text", "number", "splice", "settle"), [3, 1, 0.5, 0.75, 0, 0]);
  assert.deepEqual(of(at(1300), "phase", "text", "number", "settle", "arrived"), [4, 1, 1, 0.49, true]);
  assert.deepEqual(of(at(1490), "phase", "splice", "settle", "arrived"), [4, 1, 0.931, true]);
});

test("brackets are drawn one after the other, and are gone when the rows move", () => {
  const drawn = (time) => at(time).brackets.map((one) => Math.round(one * 100));
  assert.deepEqual(
    [drawn(200), drawn(270), drawn(460), drawn(560)],
    [
      [0, 0, 0],
      [75, 27, 0],
      [100, 100, 100],
      [0, 0, 0],
    ],
  );
});

test("rows go into the stack one after the other, the top one first, and all are there when it is closed", () => {
  const rows = (time) => [0, 0.5, 1].map((share) => Math.round(100 * at(time).row(share)));
  assert.deepEqual(
    [rows(460), rows(900)],
    [
      [0, 0, 0],
      [100, 100, 100],
    ],
  );
  const [first, middle, last] = rows(640);
  assert.ok(first > middle && middle > last && last > 0, rows(640).join());
  for (let time = 460; time < 900; time += 20) assert.ok(rows(time + 20).every((way, k) => way >= rows(time)[k]));
});

test("messages that are emptied stay: a wave from the top, then the totals; nothing closes up", () => {
  const wave = (time) => [0, 1].map((share) => Object.values(at(time, "clear").emptied(share)).map((part) => Math.round(part * 100)));
  assert.deepEqual(
    [wave(460), wave(900)],
    [
      [
        [0, 0],
        [0, 0],
      ],
      [
        [100, 100],
        [100, 100],
      ],
    ],
  );
  assert.deepEqual(wave(620), [
    [100, 89],
    [0, 0],
  ]);
  assert.deepEqual([paceOf("clear", 1).total, ...of(at(1110, "clear"), "phase", "gathered", "splice", "settle")], [1220, 4, 0, 0, 0.75]);
});

test("what is dropped leaves before the rest closes up, and no summary is written", () => {
  assert.deepEqual(of(at(1010, "drop"), "gathered", "leave", "amber", "text", "splice"), [1, 0.75, 0, 0, 0]);
});

test("of tiers the first empties, then the next takes", () => {
  const moment = at(760, "tiers");
  assert.deepEqual([moment.emptied(1).drained, moment.row(0), moment.phase], [1, 0, 3]);
  assert.deepEqual(of(at(1180, "tiers"), "gathered", "number", "splice"), [1, 1, 0]);
});

test("an attempt that fails closes the stack in part, and it springs back", () => {
  const closed = [460, 592, 772].map((time) => at(time, "failed").gathered);
  assert.deepEqual([closed, at(772, "failed").phase, paceOf("failed", 1).total], [[0, 0.3, 0], 3, 772]);
});

test("of a fallback the stack springs back first; only then it goes, and the rest closes up", () => {
  const closed = [460, 592, 772, 1120].map((time) => at(time, "fallback").gathered);
  assert.deepEqual(closed, [0, 0.3, 0, 1]);
  assert.deepEqual(of(at(772, "fallback"), "phase", "leave", "splice", "settle", "arrived"), [3, 0, 0, 0, false]);
  assert.deepEqual(of(at(1280, "fallback"), "phase", "leave", "splice"), [4, 1, 0]);
  assert.deepEqual(of(at(1680, "fallback"), "splice", "settle", "arrived"), [1, 1, true]);
  assert.deepEqual(of(stillOf("fallback", 3), "phase", "gathered", "leave", "arrived"), [3, 0, 0, false]);
});

test("a story takes 1,600 ms at 1×, more below, less above; above 8× there is none", () => {
  assert.deepEqual(
    [0.25, 0.5, 1, 2, 4, 8, 16].map((speed) => paceOf("summarise", speed)?.total),
    [6400, 3200, 1600, 800, 400, 200, undefined],
  );
});

test("at 2× texts appear whole; at 4× the rows move in 220 ms; at 8× none does, one picture fades into the other", () => {
  assert.deepEqual([at(500, "summarise", 2).text, at(420, "summarise", 2).text], [1, 0]);
  assert.deepEqual(of(at(80, "summarise", 4), "lift", "gathered", "settle"), [1, 0, 0]);
  assert.deepEqual(of(at(300, "summarise", 4), "gathered", "splice", "fade"), [1, 1, 0]);
  assert.deepEqual(
    [0, 60, 100, 140, 200].map((time) => at(time, "summarise", 8).fade),
    [0, 0, 0.5, 1, 1],
  );
  assert.equal(at(400, "summarise", 4).settle, at(200, "summarise", 8).settle);
});

test("a story is that of the last thing done, or of several where emptying comes first", () => {
  assert.deepEqual([["clear"], ["clear", "summarise"], ["drop"], ["digest", "summarise"]].map(storyOf), ["clear", "tiers", "drop", "summarise"]);
});

test("easings begin at 0 and end at 1, and never leave that", () => {
  for (const ease of [bezier(0.45, 0, 0.25, 1), bezier(0.2, 0.7, 0.2, 1), easeOut]) assert.deepEqual([-1, 0, 1, 2].map(ease), [0, 0, 1, 1]);
  assert.equal(Math.round(100 * bezier(0.25, 0.1, 0.25, 1)(0.5)), 80); // CSS ease, half way in time
});

test("a beginning that was cut goes on to the end of its sentence", () => {
  const text = "Every code in the catalogue leads to an error page! I told you:\nnever delete an original. And more than that, at length.";
  const cut = "Every code in the catalogue leads to an error page! I told…";
  assert.equal(fromBeginning(cut, text, 100), "Every code in the catalogue leads to an error page! I told you: never delete an original.");
  assert.equal(fromBeginning(cut, text, 500), text.replace("\n", " "));
  assert.equal(fromBeginning("one two three…", "one two three four five six", 20), "one two three four…");
  assert.equal(fromBeginning(cut, "{}", 100), cut, "the preview is not of the content's own words");
});

test("no sentence ends behind an abbreviation; behind etc. one does before a capital", () => {
  const told = (text, most) => fromBeginning(`${text.slice(0, 12)}…`, text, most);
  const first = "Put it into one file.";
  for (const shortened of ["e.g.", "i.e.", "z.B.", "vs."])
    assert.equal(told(`${first} Use another tool, ${shortened} Docker or a small script of your own. And so on.`, 50), first);
  assert.equal(told(`${first} Mend code, docs, etc. in one commit for each of the parts.`, 46), first);
  assert.equal(told(`${first} Mend code, docs, etc. In one commit for each of the parts.`, 46), `${first} Mend code, docs, etc.`);
  assert.equal(told("fix the exporter first. then write down how it works", 40), "fix the exporter first.");
});
