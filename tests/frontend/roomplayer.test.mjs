import assert from "node:assert/strict";
import { test } from "node:test";

import { RoomPlayer } from "../../viewer/frontend/debugger/roomplayer.js";

test("a slide is measured once while it rests, and again once it has other words", () => {
  let [frame, now, read, presses, part] = [() => {}, performance.now(), 0, 0, -1];
  globalThis.requestAnimationFrame = (callback) => ((frame = callback), 1);
  globalThis.cancelAnimationFrame = () => {};
  const words = { text: "A slide.".repeat(20) };
  const root = {
    get innerText() {
      read += 1;
      return words.text;
    },
  };
  const told = {
    press: () => ((presses += 1), player.drawn()),
    again: () => {},
    sought: () => false,
    changed: () => {},
    rested: (now) => (part = now),
  };
  const player = new RoomPlayer({ step: 0, speed: 1, show: { moves: false } }, { root }, told);
  const pass = (frames) => {
    for (let k = 0; k < frames; k += 1) frame((now += 100));
  };
  player.start();
  pass(1);
  assert.equal(presses, 1, "the first one leads on at once");
  assert.equal(part, 0);
  pass(33);
  assert.equal(part, 0.5, "of the time that it takes");
  pass(32);
  assert.deepEqual([read, presses], [2, 1]);
  pass(1);
  assert.equal(part, 0, "the next one begins");
  assert.deepEqual([read, presses], [2, 2], "1,000 ms and 35 for each of 160 letters");
  words.text = "Short.";
  player.drawn();
  pass(12);
  assert.deepEqual([read, presses], [3, 2]);
  pass(1);
  assert.deepEqual([read, presses], [3, 3]);
});
