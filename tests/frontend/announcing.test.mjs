import assert from "node:assert/strict";
import { test } from "node:test";

import "./dom.mjs";
import { PhaseTiles } from "../../viewer/frontend/debugger/phasetiles.js";
import { announcement, phaseAnnouncement } from "../../viewer/frontend/run/announcing.js";
import { onlyEmpties } from "../../viewer/frontend/run/compactionfigures.js";
import { ADDED } from "../../viewer/frontend/run/pool.js";
import { phaseSentence } from "../../viewer/frontend/run/phasesentences.js";
import { phases, takenWords } from "../../viewer/frontend/run/phasefigures.js";
import { CLEARED, FOLDED, POLICY, run } from "./packed.mjs";

const DROPPED = { policy: { ...POLICY, kind: "drop" }, c: { ...FOLDED.c, number: [-1], summaryTokens: [0], layout: [[0, 1, 3, 4]], added: [[]] } };

test("a compaction is announced with its number, its tokens and what it did", () => {
  assert.equal(announcement(run(), 0), "Compaction 1: 100 to 57 tokens, 2 messages became summary 1");
  assert.equal(announcement(run(CLEARED), 0), "Compaction 1: 100 to 68 tokens, cleared 1 result in place");
  assert.equal(announcement(run(DROPPED), 0), "Compaction 1: 100 to 57 tokens, dropped 2 messages");
});

test("an earlier summary that was taken is none of the messages, which the overview counts alike", () => {
  assert.equal(
    takenWords(run(), [
      [1, 3],
      [ADDED, ADDED + 1],
    ]),
    "2 messages and 1 earlier summary",
  );
  assert.equal(takenWords(run(), [[ADDED, ADDED + 2]]), "2 earlier summaries");
});

test("an estimate is called one, and recorded tokens are those that are announced", () => {
  assert.match(announcement(run({}, { approximate: true }), 0), /^Compaction 1: about 100 to 57 tokens,/);
  const recorded = { kind: "replay", policy: null, c: { ...FOLDED.c, recordedBefore: [155_829], recordedAfter: [9_100] } };
  assert.match(announcement(run(recorded), 0), /^Compaction 1: 155,829 to 9,100 tokens,/);
  const sealed = { kind: "replay", policy: null, c: { ...FOLDED.c, after: [0], unreadable: ["encrypted"] } };
  assert.match(announcement(run(sealed), 0), /^Compaction 1: 100 tokens to a summary of unknown size,/, "never to 0 tokens");
  const known = { ...sealed, c: { ...sealed.c, recordedBefore: [51_097] } };
  assert.match(announcement(run(known), 0), /^Compaction 1: 51,097 tokens to a summary of unknown size,/, "as recorded");
});

test("where messages are cleared in their places, each phase is told so: no message goes, and nothing is put in", () => {
  const cleared = run(CLEARED);
  const spoken = [2, 3].map((phase) => phaseSentence(cleared, 4, 0, phase));
  assert.deepEqual(spoken, ["1 result of 4 messages will be cleared in place.", "1 result is cleared in place: 40 tokens become 8."]);
  const tiles = new PhaseTiles(() => {});
  const means = (changes) => (
    tiles.lay(phases(run(changes), 0), onlyEmpties(run(changes), 0)), [...tiles.node.children].map(({ title }) => title.split("\n")[1])
  );
  const [, partition, clear, splice] = means(CLEARED);
  assert.deepEqual(
    [partition, clear, splice],
    [
      "Partition: which messages are cleared, and which stay as they are.",
      "Clear: what is emptied and stays in its place.",
      "Splice: nothing leaves the window, and nothing is put in.",
    ],
  );
  assert.match(means()[3], /takes the place of what went/);
});

test("a phase is announced with its place, its name and its numbers", () => {
  assert.equal(phaseAnnouncement(run(), 4, 0, 2), "Phase 2 of 4, partition: 1 pinned · 2 summarized · 1 recent");
  assert.equal(phaseAnnouncement(run(CLEARED), 4, 0, 3), "Phase 3 of 4, clear: 40 → 8");
});

test("where no summary was written that comes first, then what was done instead", () => {
  const fell = { ...DROPPED, c: { ...DROPPED.c, setback: ["the summarizer failed: no answer"] } };
  assert.equal(announcement(run(fell), 0), "Compaction 1: 100 to 57 tokens, the summary failed, dropped 2 messages");
});

test("of a recorded compaction whose messages are not in the file no tile says that it took none", () => {
  const kept = { layout: [[0, 4, 50_000_000, 50_000_001]], folded: [0], removedTokens: [0] };
  const told = phases(run({ kind: "replay", policy: null, c: { ...FOLDED.c, ...kept } }), 0).map(({ figure }) => figure);
  assert.equal(told[1], "what it took is not in this file");
  assert.match(told[2], /^\? → ~?7$/);
});
