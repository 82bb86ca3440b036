// A text that is gone, as a press that leads to Why: in the overview, in its lists, and beside the picture of a compaction.

import { button, el, visible } from "../lib/dom.js";
import { USED } from "../run/losswords.js";
/** @import { App } from "./app.js" */

/** `followed` is what Why is asked about, "" where it can follow nothing; `at` is the message that said it. @typedef {{followed: string, at: number}} Followed */

/**
 * @param {string} text @param {string} followed @param {() => void} press
 * @param {{kind?: string, needed?: boolean}} [of]  what the text is, and whether something later needed it
 */
export function lossQuote(text, followed, press, { kind = "", needed = false } = {}) {
  const node = button("", press, {
    class: "fl-loss-text",
    "data-kind": kind || null,
    "data-why": followed ? "1" : null,
    "data-needed": needed ? "1" : null,
    title: followed ? "Why: where it went" : "Go to its message",
  });
  node.append(el(kind in USED && kind !== "task" ? "code" : "q", { dir: "auto", text: visible(text) }));
  return node;
}

/** Why of a text, at the step where it went; of one that cannot be followed, its message. @param {App} app @param {Followed} loss @param {number} step @param {(step: number) => void} go */
export function followLoss(app, { followed, at }, step, go) {
  if (app.hosted || !followed) return go(app.run.stepOfMessage(at));
  app.why.ask(followed); // takes the keys from what was pressed, which the step then hides
  go(step);
}
