import assert from "node:assert/strict";
import { test } from "node:test";

import { closingSceneOf, sceneOf } from "../../viewer/frontend/debugger/scene.js";
import { effect } from "../../viewer/frontend/run/effect.js";
import { ADDED } from "../../viewer/frontend/run/pool.js";
import { CLEARED, run } from "./packed.mjs";

/** What a list of 400 pixels shows: headings as [id, y], rows as [pool, section, y]; `far` are messages out of sight. */
function picture(headings, rows, far = {}) {
  const all = new Map([...rows.map(([pool, , y]) => [pool, y]), ...Object.entries(far).map(([pool, y]) => [Number(pool), y])]);
  return {
    headings: headings.map(([id, y]) => ({ id, y, title: id, note: "" })),
    rows: rows.map(([pool, section, y]) => ({ key: `m${pool}`, pool, section, y, node: null })),
    view: 400,
    yOf: (pool) => all.get(pool) ?? null,
  };
}

const WAS = picture(
  [
    ["system", 0],
    ["compactable", 50],
    ["recent", 128],
  ],
  [
    [0, "system", 22],
    [1, "compactable", 72],
    [2, "compactable", 100],
    [3, "recent", 150],
  ],
);
const IS = picture(
  [
    ["system", 0],
    ["summary", 50],
    ["recent", 100],
  ],
  [
    [0, "system", 22],
    [ADDED, "summary", 72],
    [3, "recent", 122],
  ],
);

test("rows that go gather where the first of them stood; what is put in stands there; what stays closes up behind it", () => {
  const { stayers, groups } = sceneOf(WAS, IS, effect(run(), 0));
  assert.deepEqual(
    stayers.map(({ row, y0, y1 }) => [row.pool, y0, y1]),
    [
      [0, 22, 22],
      [3, 150, 122],
    ],
  );
  const [{ rows, y0, puts, count }] = groups;
  assert.deepEqual(
    [rows.map(({ row, share }) => [row.pool, share]), y0, puts.map(({ row, y0, y1 }) => [row.pool, y0, y1]), count],
    [
      [
        [1, 0],
        [2, 1],
      ],
      72,
      [[ADDED, 72, 72]],
      2,
    ],
  );
});

test("the heading of what goes becomes that of what is put in; that of what stays moves with its rows, whatever it is called", () => {
  const renamed = picture(
    [
      ["system", 0],
      ["summary", 50],
      ["compactable", 100],
    ],
    [
      [0, "system", 22],
      [ADDED, "summary", 72],
      [3, "compactable", 122],
    ],
  );
  const { headings } = sceneOf(WAS, renamed, effect(run(), 0));
  assert.deepEqual(
    headings.map(({ from, to, y0, y1, goes, leads }) => [from?.id, to?.id, y0, y1, goes, leads]),
    [
      ["system", "system", 0, 0, false, false],
      ["compactable", "summary", 50, 50, true, true],
      ["recent", "compactable", 128, 100, false, false],
    ],
  );
});

test("brackets span what stays in front, what goes and what stays behind, and count them", () => {
  const { brackets } = sceneOf(WAS, IS, effect(run(), 0));
  assert.deepEqual(
    brackets.map(({ name, top, bottom, count }) => [name, top, bottom, count]),
    [
      ["front", 22, 50, 1],
      ["goes", 72, 128, 2],
      ["stays", 150, 178, 1],
    ],
  );
});

test("a row that comes into sight comes from where it was, not from farther than a screen or two", () => {
  const late = picture(
    [["recent", 100]],
    [
      [3, "recent", 122],
      [4, "recent", 150],
    ],
  );
  const from = (y) =>
    sceneOf({ ...WAS, yOf: (pool) => (pool === 4 ? y : null) }, late, effect(run(), 0)).stayers.find(({ row }) => row.pool === 4).y0;
  assert.deepEqual([from(430), from(90_000)], [430, 800]);
});

test("messages that are emptied stay where they are, and have their place in the wave", () => {
  const here = picture(
    [["compactable", 0]],
    [
      [0, "compactable", 22],
      [3, "compactable", 50],
    ],
  );
  const { stayers, groups } = sceneOf(here, here, effect(run(CLEARED), 0));
  assert.deepEqual(
    [stayers.map(({ row, y0, y1, share }) => [row.pool, y0, y1, share]), groups],
    [
      [
        [0, 22, 22, -1],
        [3, 50, 50, 0],
      ],
      [],
    ],
  );
});

test("what went fades in as a ghost, where ghosts are shown", () => {
  const ghosts = picture(
    [["ghosts", 50]],
    [
      [0, "system", 22],
      [2, "ghosts", 72],
      [ADDED, "summary", 122],
    ],
  );
  ghosts.rows[1].ghost = true;
  const { stayers, groups } = sceneOf(WAS, ghosts, effect(run(), 0));
  const ghost = stayers.find(({ row }) => row.pool === 2);
  assert.deepEqual([ghost.fresh, ghost.y0, ghost.y1, groups[0].y0, groups[0].puts[0].y1], [true, 72, 72, 72, 122]);
});

test("of several rows put in at one place each takes that of a row that goes; of more than are in sight only the last", () => {
  const both = {
    ...effect(run(), 0),
    after: [
      [0, 1],
      [ADDED, ADDED + 2],
      [3, 4],
    ],
    added: [[ADDED, ADDED + 2]],
  };
  const is = picture(
    [["summary", 50]],
    [
      [0, "system", 22],
      [ADDED, "summary", 72],
      [ADDED + 1, "summary", 100],
      [3, "recent", 128],
    ],
  );
  const puts = (was) => sceneOf(was, is, both).groups.map((group) => group.puts.map(({ row, y0, y1 }) => [row.pool, y0, y1]));
  assert.deepEqual(puts(WAS), [
    [
      [ADDED, 72, 72],
      [ADDED + 1, 100, 100],
    ],
  ]);
  assert.deepEqual(puts({ ...WAS, rows: WAS.rows.filter(({ pool }) => pool !== 1) }), [[[ADDED + 1, 100, 100]]]);
});

test("where what stays closes up first, what goes gathers where what is put in is to stand", () => {
  const closed = picture(
    [["compactable", 0]],
    [
      [0, "compactable", 22],
      [ADDED, "compactable", 50],
      [3, "compactable", 78],
    ],
  );
  const { closes, stayers, groups } = closingSceneOf(WAS, closed, effect(run(), 0));
  assert.ok(closes);
  assert.deepEqual(
    stayers.map(({ row, y0, y1 }) => [row.pool, y0, y1]),
    [
      [0, 22, 22],
      [3, 150, 78],
    ],
  );
  assert.deepEqual(
    groups.map(({ y0, puts }) => [y0, ...puts.map((put) => put.y0)]),
    [[50, 50]],
  );
});

test("of the headings of what goes only the first becomes that of what is put in", () => {
  const parts = { ...WAS, headings: [...WAS.headings, { id: "second", y: 90, title: "second", note: "" }].sort((a, b) => a.y - b.y) };
  const rows = WAS.rows.map((row) => (row.pool === 2 ? { ...row, section: "second" } : row));
  const { headings } = sceneOf({ ...parts, rows }, IS, effect(run(), 0));
  assert.deepEqual(
    headings.filter(({ goes }) => goes).map(({ from, to, leads }) => [from.id, to?.id, leads]),
    [
      ["compactable", "summary", true],
      ["second", undefined, false],
    ],
  );
});
