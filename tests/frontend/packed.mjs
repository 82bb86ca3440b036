// A small store and view, made by hand as docs/wire.md lays them out, for the tests beside this file.
import { decodeStore, openView } from "../../viewer/frontend/run/decode.js";
import { Run } from "../../viewer/frontend/run/model.js";
import { ADDED, SPACE } from "../../viewer/frontend/run/pool.js";

const ROLE = { system: 0, user: 1, assistant: 2, tool: 3 };

/** Bytes of a store. `messages` are `[role, tokens, preview, flags, label]`. */
export function storeBytes(messages, header = {}) {
  const labels = ["", ...new Set(messages.map((m) => m[4]).filter(Boolean))];
  const n = messages.length;
  const texts = messages.map((m) => new TextEncoder().encode(m[2] ?? ""));
  const offsets = [0];
  for (const text of texts) offsets.push(offsets.at(-1) + text.length);
  const head = aligned(new TextEncoder().encode(JSON.stringify({ ...HEADER, n, labels, ...header })));
  const index = messages.map((m) => labels.indexOf(m[4] ?? ""));
  return joined([
    of(Uint32Array, [head.length]),
    head,
    of(
      Uint32Array,
      messages.map((m) => m[1]),
    ),
    of(Uint32Array, offsets),
    of(Uint16Array, n % 2 ? [...index, 0] : index),
    Uint8Array.from(messages, (m) => ROLE[m[0]]),
    Uint8Array.from(messages, (m) => m[3] ?? 0),
    ...texts,
  ]);
}

const HEADER = {
  version: 1,
  sid: "s",
  title: "",
  format: "",
  model: "",
  meter: "agentkit",
  how: "estimated",
  approximate: false,
  total: 0,
  turns: 1,
  notes: [],
  recordedCompactions: 0,
  recorded: { at: [], before: [], after: [], prompts: { at: [], tokens: [] } },
  marked: { summary: [], ack: [], cleared: [] },
};

const aligned = (bytes) => joined([bytes, new Uint8Array((4 - (bytes.length % 4)) % 4).fill(32)]);
const of = (Type, values) => new Uint8Array(Type.from(values).buffer);

function joined(parts) {
  const whole = new Uint8Array(parts.reduce((sum, p) => sum + p.length, 0));
  parts.reduce((at, p) => (whole.set(p, at), at + p.length), 0);
  return whole;
}

/** The lesson's policy. */
export const POLICY = {
  name: "agentkit.memory",
  title: "",
  fidelity: "exact",
  about: "",
  limit: 100,
  limitName: "budget",
  counts: "window",
  phase: "before_call",
  keep: { unit: "messages", name: "keep_recent", value: 2 },
};

/** The columns of a view that has no compactions. */
export const NONE = {
  ...{ at: [], before: [], after: [], folded: [], number: [], summaryTokens: [], removedTokens: [], status: [] },
  ...{ recordedBefore: [], recordedAfter: [], micro: [], layout: [], added: [] },
};

/** The JSON of a view before its deltas are summed. */
export function viewJson(changes = {}) {
  return {
    version: 1,
    sid: "s",
    tid: "t",
    stamp: "t",
    kind: "simulate",
    policy: POLICY,
    statuses: ["not_triggered", "compacted"],
    c: NONE,
    heads: [0],
    bodies: [0],
    tails: [],
    worded: [],
    typicalSummary: -1,
    notes: [],
    ...changes,
  };
}

/**
 * Six messages of 10, 20, 30, 40, 50 and 60 tokens: a system prompt, then a task and two calls. When four had arrived, messages 1
 * and 2 were folded into a summary of 7.
 */
export const MESSAGES = [
  ["system", 10, "be brief", 0],
  ["user", 20, "do it", 1],
  ["assistant", 30, "a.py", 66, "→ Read"],
  ["tool", 40, "text", 4],
  ["assistant", 50, "done", 64],
  ["user", 60, "and then?", 1],
];

export const FOLDED = {
  length: 7,
  heads: [1, 1],
  bodies: [1, 1],
  tails: [0, 1, 0, 1, -1, 1, 1],
  typicalSummary: 7,
  c: {
    at: [4],
    before: [100],
    after: [57],
    folded: [2],
    number: [1],
    summaryTokens: [7],
    removedTokens: [50],
    status: [1],
    recordedBefore: [-1],
    recordedAfter: [-1],
    micro: [0],
    layout: [[0, 1, ADDED, ADDED + 1, 3, 4]],
    added: [[[0, "summary", 7, "[summary #1 of 2 earlier messages] read a.py", -1]]],
  },
};

/** The same six messages under a policy that empties results: once four had arrived, message 3 was emptied, 40 tokens to 8. */
export const CLEARED = {
  ...FOLDED,
  heads: [0, 0],
  bodies: [0, 0],
  tails: [0, 0, 0, 4, 0, 0, 0],
  c: {
    ...FOLDED.c,
    ...{ after: [68], folded: [0], number: [-1], summaryTokens: [0], removedTokens: [0] },
    ...{ added: [[]], layout: [[SPACE, SPACE + 4]], tiers: [], emptied: [1] },
  },
  pins: { systems: false, emptied: [3] },
  shadows: [{ places: [3], tokens: [8], short: 0, thinking: 0 }],
  policy: { ...POLICY, kind: "clear", effect: "replace", limit: 92, ceiling: 92, limitName: "trigger", when: "tokens > 92" },
};

/** The run of these; `changes` go into the view, `header` into the store. */
export function run(changes = {}, header = {}) {
  return new Run(decodeStore(storeBytes(MESSAGES, header)), openView(viewJson({ ...FOLDED, ...changes })));
}
