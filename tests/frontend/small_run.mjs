// A run small enough to know by heart: twelve messages of ten tokens, message 0 from the system, a budget of
// 80, the newest three kept. At the ninth message the window holds 90: messages 1 to 5 are folded into a
// summary of seven tokens, pool index 12.
import { Run } from "../../viewer/frontend/run/model.js";
import { ADDED } from "../../viewer/frontend/run/pool.js";
import { NONE } from "./packed.mjs";
import { openView, runningSum } from "../../viewer/frontend/run/decode.js";

const N = 12;

/** @param {{compactions?: boolean}} [options] */
export function smallRun({ compactions = true } = {}) {
  return new Run(store(), compactions ? folding() : quiet());
}

function store() {
  const role = Uint8Array.from({ length: N }, (_, i) => (i === 0 ? 0 : 1 + (i % 3)));
  const tokens = new Uint32Array(N).fill(10);
  const header = {
    sid: "s",
    n: N,
    meter: "o200k_base",
    approximate: false,
    labels: [""],
    marked: {},
    recorded: { at: [9], prompts: { at: [], tokens: [] } },
  };
  const empty = Int32Array.from([]);
  return {
    header,
    n: N,
    tokens,
    running: runningSum(tokens),
    label: new Uint16Array(N),
    role,
    flags: new Uint8Array(N),
    turnStarts: empty,
    calls: empty,
    preview: (i) => `message ${i}`,
  };
}

const POLICY = {
  name: "p",
  limit: 80,
  limitName: "budget",
  counts: "window",
  phase: "before_call",
  keep: { name: "keep_recent", value: 3, unit: "messages" },
};

function folding() {
  const sizes = [1, 2, 3, 4, 5, 6, 7, 8, 9, 5, 6, 7, 8];
  const c = {
    at: [9],
    before: [90],
    after: [47],
    folded: [5],
    number: [1],
    summaryTokens: [7],
    removedTokens: [50],
    status: [0],
    recordedBefore: [-1],
    recordedAfter: [-1],
    micro: [0],
    layout: [[0, 1, ADDED, ADDED + 1, 6, 9]],
    added: [[[1, "summary", 7, "what happened", -1]]],
  };
  return view({ length: 13, sizes, c, heads: [1, 1], bodies: [1, 1] });
}

function quiet() {
  return view({ length: 12, sizes: Array.from({ length: 12 }, (_, i) => i + 1), c: NONE, heads: [1], bodies: [1] });
}

function view({ length, sizes, c, heads, bodies }) {
  const tails = sizes.map((size) => Math.max(1, size - 3));
  const deltas = tails.map((tail, i) => tail - (i ? tails[i - 1] : 0));
  return openView({
    version: 1,
    sid: "s",
    tid: "t",
    stamp: "t",
    kind: "simulate",
    length,
    policy: POLICY,
    statuses: ["compacted"],
    c,
    heads,
    bodies,
    tails: deltas,
    worded: [],
    typicalSummary: 7,
    notes: [],
  });
}
