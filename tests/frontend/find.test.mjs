import assert from "node:assert/strict";
import { test } from "node:test";
import { begin, described, foundIn, tally } from "../../viewer/frontend/debugger/find.js";
import { hitName, listed } from "../../viewer/frontend/debugger/hitlist.js";
import { holds, snippet, wantedIn } from "../../viewer/frontend/export/searching.js";
import { matches } from "../../viewer/frontend/lib/text.js";
import { ADDED } from "../../viewer/frontend/run/pool.js";
import { smallRun } from "./small_run.mjs";

test("hits are told apart: in the window, gone from it, yet to come", () => {
  const run = smallRun();
  assert.deepEqual(tally(run, 10, [0, 2, 5, 6, 9, 10, 11]), { present: 3, emptied: 0, gone: 2, later: 2 });
  assert.deepEqual(tally(run, 8, [1, 2, 11]), { present: 2, emptied: 0, gone: 0, later: 1 });
});

test("a summary is a hit, too: it arrives with its compaction, and counts as in the window while it stands there", () => {
  const run = smallRun();
  const hits = foundIn(
    run,
    [2, 8, 9],
    [
      [0, 0],
      [7, 0],
    ],
  );
  assert.deepEqual(hits, [2, 8, ADDED, 9], "what a run is not yet known to have added is left out");
  assert.deepEqual(tally(run, 10, hits), { present: 3, emptied: 0, gone: 1, later: 0 });
  assert.deepEqual(tally(run, 8, hits), { present: 2, emptied: 0, gone: 0, later: 2 });
  assert.deepEqual([described(run, 10, ADDED), described(run, 8, ADDED)], ["in the window", "not yet arrived"]);
  assert.equal(begin(run, 10, [2, ADDED], -1), 1, "nothing but the summary is in the window");
});

test("the words of what is found may be parted by a line break, or by several spaces, on the page and in a file", () => {
  const content = "It should  be\n short (only).";
  assert.deepEqual(matches(content, "Should be short (ONLY)"), [[3, 27]]);
  const [body, wanted] = [{ content }, wantedIn(" should\nbe  short")];
  assert.deepEqual([wanted, holds(body, wanted), holds(body, wantedIn("shouldbe"))], ["should be short", true, false]);
  assert.deepEqual(snippet(body, wanted), { part: "content", before: "It ", match: "should  be\n short", after: " (only)." });
});

test("a hit says where it is at this step", () => {
  const run = smallRun();
  assert.deepEqual(
    [0, 2, 11].map((i) => described(run, 10, i)),
    ["in the window", "summarized by compaction 1", "not yet arrived"],
  );
});

test("find begins at the chosen message, else in the window, else at the first hit", () => {
  const run = smallRun();
  const first = (hits, chosen) => begin(run, 10, hits, chosen);
  assert.deepEqual([first([2, 5, 7, 9], 6), first([2, 5, 7, 9], -1), first([2, 5], -1), first([2, 5], 8), first([], -1)], [2, 2, 0, 0, -1]);
});

test("of many matches those of the user are listed first, then the nearest, the one on show always, and all in order", () => {
  const run = smallRun();
  const hits = [1, 2, 3, 5, 6, 7, 8, 9, ADDED];
  const users = hits.filter((i) => hitName(run, i).endsWith(", user"));
  const names = (at, most) => listed(run, hits, at, most).map((k) => hits[k]);
  assert.ok(users.length > 0 && users.length < 5, users.join());
  const five = names(8, 5);
  assert.deepEqual(
    five,
    [...five].sort((a, b) => hits.indexOf(a) - hits.indexOf(b)),
  );
  assert.ok(five.includes(ADDED) && users.every((i) => five.includes(i)), five.join());
  assert.deepEqual(names(4, 1), [6]);
  assert.deepEqual(users, [3, 6, 9]);
  assert.deepEqual(
    [names(4, 2), names(4, 5), names(0, 5), names(7, 2)],
    [
      [3, 6],
      [3, 5, 6, 7, 9],
      [1, 2, 3, 6, 9],
      [6, 9],
    ],
  );
  assert.equal(names(0, 20).length, hits.length);
});
