// What the inspector shows, and which row of the window that is. Pure: no nodes.

import { compactionOf, poolOf } from "../run/sections.js";
/** @import { Run } from "../run/model.js" */
/** @import { App } from "./app.js" */

/** @typedef {{card: number} | {attempt: number} | {message: number}} Subject */

/**
 * What there is to look at: a message of the pool, a compaction, or an attempt that failed. A choice holds while messages arrive;
 * stepping onto a compaction or an attempt shows its card until something is chosen there. A chosen summary is shown by the
 * card of the compaction that wrote it.
 * @param {Run} run
 * @param {number} step
 * @param {string | null} selected
 * @param {boolean} chosenHere
 * @returns {Subject}
 */
export function subject(run, step, selected, chosenHere) {
  const { compaction, messages } = run.step(step);
  const pool = poolOf(run, selected);
  const attempt = compaction < 0 ? run.failedAt(step) : -1;
  if (pool >= 0 && ((compaction < 0 && attempt < 0) || chosenHere)) {
    const wrote = pool >= run.n && run.pool.row(pool).injected === "summary";
    return wrote ? { card: compactionOf(run, pool) } : { message: pool };
  }
  if (attempt >= 0) return { attempt };
  return compaction >= 0 ? { card: compaction } : { message: messages - 1 };
}

/** What is shown now. @param {App} app */
export const subjectOf = ({ run, step, selected, chosenAt }) => subject(run, step, selected, chosenAt === step);

/**
 * The key of the row that stands for what is shown: the message, or the first message that the compaction put in; null
 * where it put none in.
 * @param {Run} run
 * @param {Subject} shown
 */
export function rowKey(run, shown) {
  if ("attempt" in shown) return null;
  if ("message" in shown) return run.pool.row(shown.message).key;
  const { added } = run.compaction(shown.card);
  return (added.find((row) => row.injected === "summary") ?? added[0])?.key ?? null;
}

/** Whether a person has just taken the chosen message out of a live run: it is not held on to. @param {Run} before @param {Run} run @param {string | null} selected */
export function justDropped(before, run, selected) {
  const newest = run.compactions - 1;
  return newest >= before.compactions && run.compaction(newest).edit && run.indexInWindow(run.length - 1, poolOf(run, selected)) < 0;
}

/** Which recorded compaction a key names, or -1. @param {string | null} key */
export const recordedKey = (key) => Number(/^r(\d+)$/.exec(key ?? "")?.[1] ?? -1);
