import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { Follower } from "../../viewer/frontend/live/follower.js";
import { run } from "./packed.mjs";

let clock = 0;
let frames = [];
const kept = { raf: globalThis.requestAnimationFrame, cancel: globalThis.cancelAnimationFrame, now: performance.now };

beforeEach(() => {
  [clock, frames] = [1000, []];
  globalThis.requestAnimationFrame = (act) => frames.push(act);
  globalThis.cancelAnimationFrame = () => (frames = []);
  performance.now = () => clock;
});
afterEach(() => {
  Object.assign(globalThis, { requestAnimationFrame: kept.raf, cancelAnimationFrame: kept.cancel });
  performance.now = kept.now;
});

/** Let so many milliseconds pass, a frame every sixteen; how many of them did anything. */
function pass(time) {
  const end = clock + time;
  while (clock < end && frames.length) {
    clock += 16;
    for (const act of frames.splice(0)) act(clock);
  }
  clock = Math.max(clock, end);
}

/** An app at a step of the run's first messages, that writes down where it goes. */
function app(step, more = {}) {
  const here = {
    run: run({ length: 3, tails: [0, 1, 0], c: { ...run().view.c, at: [], layout: [], added: [], number: [] }, heads: [1] }),
    step,
    follow: true,
    playing: false,
    reduced: false,
    went: [],
    shown: 0,
    setLive: (next) => ((here.run = next), (here.shown += 1)),
    go: (to, { animate = false, walked }) => {
      here.step = to;
      here.went.push(animate ? `!${to}` : to);
      assert.equal(walked, true);
      if (animate && !here.reduced) here.follower.hold(1800);
    },
    ...more,
  };
  here.follower = new Follower(here);
  return here;
}

test("the cursor walks to the end of what has come, and the compaction on the way is animated", () => {
  const here = app(2);
  here.follower.arrive(() => run(), true);
  pass(3500);
  assert.deepEqual([here.went, frames.length], [[3, "!4", 6], 0]);
});

test("what comes while a compaction is animated waits until that is over", () => {
  const here = app(3);
  here.follower.arrive(() => run(), true);
  pass(40);
  assert.deepEqual(here.went, ["!4"]);
  here.follower.arrive(() => run(), true);
  pass(1700);
  assert.deepEqual([here.shown, here.went], [1, ["!4"]]);
  pass(500);
  assert.deepEqual([here.shown, here.step], [2, 6]);
});

test("of many runs that come between two frames only the last is made", () => {
  const here = app(2);
  let made = 0;
  for (let k = 0; k < 5; k++) here.follower.arrive(() => ((made += 1), run()), true);
  pass(3000);
  assert.deepEqual([made, here.step], [1, 6]);
});

test("a cursor that does not follow stays where it is, and sees the run grow", () => {
  const here = app(1, { follow: false });
  here.follower.arrive(() => run(), true);
  pass(500);
  assert.deepEqual([here.shown, here.step, here.went, frames.length], [1, 1, [], 0]);
});

test("where no motion is wanted the end is gone to at once", () => {
  const here = app(2, { reduced: true });
  here.follower.arrive(() => run(), true);
  pass(40);
  assert.deepEqual(here.went, [6]);
});
