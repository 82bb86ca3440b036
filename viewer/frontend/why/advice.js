// What a person can do so that a text stays: what the makers of the agent say, and of what came from a tool, to call that again.

import { button, el, visible } from "../lib/dom.js";
import { capitalized, cutWords, int } from "../lib/format.js";
import { SAME, comparedWith, costWords, pinnedBy } from "./fixwords.js";
import { apart, recordedPlaces } from "./outcome.js";
/** @import { FixRun } from "./fixruns.js" */
/** @import { Run } from "../run/model.js" */
/** @import { Fate, Fix } from "./types.js" */

/** @typedef {{text: string, source: string}} Advice  code stands in backticks; `source` is the page that says so, or "" */

/** The number of its role in the store. */
const TOOL = 3;

/** None of the agents whose advice is known lets its user pin a message. */
const STANDS_IN = "The agent itself cannot pin a message: the try shows what the advice would give.";

/** Of a recorded run: what the press changes beside what it promises. */
const SIMULATED = "The try is a simulation of the agent: its compactions fall elsewhere than the record's.";

/** Characters of an order that a command repeats; of a longer one it names the message. */
const NAMED = 60;

/**
 * What users of the agent of a run do to keep a text of theirs, or null: only a rule belongs into a file that the agent reads each time.
 * @param {Run} run @param {{text: string, standing?: boolean}} said @returns {Advice | null}
 */
export function adviceTo({ view }, { text, standing }) {
  const [words, source] = (standing ? view.advice : view.once) ?? ["", ""];
  const line = text.replace(/`/g, "").replace(/"/g, "'").replace(/\s+/g, " ").trim();
  const said = line.length > NAMED ? "the message of the user that says" : "what the user said:";
  return words ? { text: words.replace("{words}", () => `${said} "${cutWords(line, NAMED)}"`), source } : null;
}

/** What to do of a text, by who said it first; null where nothing is known to help. core/why/advice.py has the rules. @param {Run} run @param {Fate} fate @returns {Advice | null} */
export function adviceOf(run, fate) {
  const [first] = fate.places;
  if (first === undefined || fate.common || run.view.live) return null;
  const { role, tokens } = run.store;
  if (run.pool.isTyped(first)) return adviceTo(run, fate);
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

/** The pin of the message that says it, by which advice to a user is tried; null before it has come. @param {FixRun} run */
export const pinOf = ({ rows }) => rows.find((fix) => fix.helps && pinnedBy(fix)) ?? null;

/**
 * What it costs to follow the advice, and the button that shows it: a pin stands for whatever keeps the message in the window.
 * @param {FixRun} run @param {((fix: Fix) => void) | null} act @returns {(Node | string)[]}
 */
export function triedAdvice(run, act) {
  const pin = pinOf(run);
  if (!pin) return run.done ? [] : ["Trying it…"];
  const base = comparedWith(run.rows);
  const { text } = costWords(pin, base);
  const message = pinnedBy(pin)?.message ?? "";
  const cost = text === SAME ? ", for about as many tokens as the run without a change" : text && `, for ${text} against the run without a change`;
  const label = `Try it: ${message} stays in the window`;
  const press = act ? [button("Try it", () => act(pin), { class: "fl-why-try", "aria-label": label, title: label })] : [];
  const elsewhere = apart(base, recordedPlaces(run.rows)) ? ` ${SIMULATED}` : "";
  return [...press, ` ${capitalized(message)} stays in the window${cost}. ${STANDS_IN}${elsewhere}`];
}
