// What a person can do so that a text stays: what the makers of the agent say, and of what came from a tool, to call that again.

import { el, visible } from "../lib/dom.js";
import { int } from "../lib/format.js";
/** @import { Run } from "../run/model.js" */
/** @import { Fate } from "./types.js" */

/** @typedef {{text: string, source: string}} Advice  code stands in backticks; `source` is the page that says so, or "" */

/** The number of its role in the store. */
const TOOL = 3;

/** What users of the agent of a run do to keep a text of theirs, or null. @param {Run} run @returns {Advice | null} */
export function adviceTo({ view }) {
  return view.advice ? { text: view.advice[0], source: view.advice[1] } : null;
}

/** What to do of a text, by who said it first; null where nothing is known to help. core/why/advice.py has the rules. @param {Run} run @param {Fate} fate @returns {Advice | null} */
export function adviceOf(run, fate) {
  const [first] = fate.places;
  if (first === undefined || fate.common || run.view.live) return null;
  const { role, tokens } = run.store;
  if (run.pool.isTyped(first)) return adviceTo(run);
  const text = `It came from a tool: the agent can call that tool again. The result has ${int(tokens[first])} tokens.`;
  return role[first] === TOOL ? { text, source: "" } : null;
}

/** Its words, with the link to the page that says so. @param {Advice} advice @returns {(Node | string)[]} */
export function adviceNodes({ text, source }) {
  const words = text.split("`").map((part, i) => (i % 2 ? el("code", { text: visible(part) }) : visible(part)));
  if (!source) return words;
  const { host } = new URL(source);
  return [...words, " ", el("a", { class: "fl-link", href: source, target: "_blank", rel: "noopener noreferrer", text: `Source: ${host}` })];
}
