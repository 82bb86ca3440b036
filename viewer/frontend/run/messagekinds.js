// What kind of message one is, for a picture that adds the tokens of each kind up. Pure.

import { FLAG } from "./decode.js";
import { isPutBack } from "./pool.js";
/** @import { Run } from "./model.js" */

/** Kinds in the order in which they are shown; those that are not here, results of tools, come last. */
export const KINDS = ["summary", "text", "put back", "system", "agent", "user", "replies", "calls"];

/** How the kind of a tool's results begins; its name follows. */
export const RESULTS = "results: ";

/** What a message of the session is, or what a compaction put in. @param {Run} run @param {number} pool */
export function kindOf(run, pool) {
  const { store } = run;
  const origin = run.pool.originOf(pool);
  if (origin >= run.n) return kindOfAdded(run.pool.row(origin));
  if (run.pool.classOf(origin) === 1) return "summary";
  const flags = store.flags[origin];
  if (store.role[origin] === 3) return RESULTS + (store.header.labels[store.label[origin]] || "a tool");
  if (store.role[origin] === 0) return "system";
  if (flags & FLAG.injected) return "agent";
  if (store.role[origin] === 1) return "user";
  return flags & FLAG.calls ? "calls" : "replies";
}

/** What kind of message a compaction put in. @param {{injected: string, of: number}} row */
export function kindOfAdded(row) {
  if (isPutBack(row)) return "put back";
  if (row.injected === "digest") return "text";
  return row.injected === "summary" || row.injected === "ack" ? "summary" : "agent";
}
