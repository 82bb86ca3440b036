// What happened to a text, as marks: which there are, what each says, and its shape. The same in a lane and in the story.

import { capitalized } from "../lib/format.js";
import { stepName } from "../run/places.js";
import { isOnlySimulated } from "../run/shownas.js";
import { howReworded, stateAt } from "./states.js";
/** @import { Run } from "../run/model.js" */
/** @import { Fate, FateEvent, Stretch } from "./types.js" */

/** @typedef {"said" | "again" | "used" | "kept" | "dropped" | "needed"} MarkKind */

/** The kinds, the most telling last. @type {MarkKind[]} */
export const KINDS = ["said", "again", "used", "kept", "dropped", "needed"];

/** @typedef {{kind: MarkKind, step: number, label: string, words: string, event: FateEvent}} Mark  `label` beside it, "" for none; `words` when it is pointed at */

/** What marks of a kind have in common, in words. @type {Record<MarkKind, string>} */
const NAMES = { said: "said", again: "said again", used: "used", kept: "kept", dropped: "dropped", needed: "needed" };

/** The marks of a lane, in the order of time: what changes nothing in it, such as one of many places that goes, has none. @param {Run} run @param {Fate} fate @returns {Mark[]} */
export function marksOf(run, fate) {
  const said = fate.events.find(({ kind }) => kind === "said");
  const marks = [...fate.events.map((event) => markOf(run, fate, event, event === said)), ...fate.uses.map((event) => used(run, event))];
  return marks.filter((mark) => mark !== null).sort((a, b) => a.step - b.step || KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind));
}

/** @param {Run} run @param {Fate} fate @param {FateEvent} event @param {boolean} first  whether it was not said before @returns {Mark | null} */
function markOf(run, fate, event, first) {
  const mark = (/** @type {MarkKind} */ kind, /** @type {string} */ label, name = NAMES[kind]) => ({
    kind,
    step: event.step,
    label,
    words: spoken(run, event, name),
    event,
  });
  if (event.kind === "said") return first ? mark("said", "") : mark("again", NAMES.again);
  if (event.kind === "read_again") return mark("again", NAMES.again);
  if (event.kind === "needed") return mark("needed", "needed");
  const stretch = stateAt(fate, event.step);
  const { state, reworded } = stretch;
  if (event.kind === "in_summary")
    return mark("kept", state !== "summary" ? "" : `only in ${event.number ? `summary ${event.number}` : "a summary"}`);
  if (state !== "gone") return null;
  if (event.kind === "left_out" && reworded) return mark("kept", rewordedIn(stretch, event.number));
  if (event.kind === "left_out") return mark("dropped", event.number ? `left out of ${event.number}` : "left out");
  return leftOut(fate, event) ? null : mark("dropped", "gone");
}

/** "in part in #3". @param {Stretch} stretch @param {string} number */
const rewordedIn = (stretch, number) => `${howReworded(stretch)}${number ? ` in ${number}` : ""}`;

/** Whether what compaction k took is told of by what its summary left out. @param {Fate} fate @param {FateEvent} taken */
const leftOut = (fate, { step, k }) => fate.events.some((event) => event.kind === "left_out" && event.step === step && event.k === k);

/** A use; a reply that does what the text forbids is marked as a need is, unless it was recorded with another window. @param {Run} run @param {FateEvent} event @returns {Mark} */
function used(run, event) {
  const against = event.match === "against";
  const recorded = against && isOnlySimulated(run);
  const label = recorded ? "as recorded" : "against it";
  return {
    kind: against && !recorded ? "needed" : "used",
    step: event.step,
    label: against ? label : "",
    words: spoken(run, event, NAMES.used),
    event,
  };
}

/** "Compaction 2, gone: summary #2 left it out". @param {Run} run @param {FateEvent} event @param {string} name  where there are no words */
const spoken = (run, { step, words }, name) =>
  `${capitalized(stepName(run, step))}, ${words ? words.slice(0, 1).toLowerCase() + words.slice(1) : name}`;

/**
 * The outline of a mark, as the path of an SVG.
 * @param {MarkKind} kind
 * @param {number} x
 * @param {number} y
 */
export function shapeOf(kind, x, y) {
  const diamond = (/** @type {number} */ r) => `M${x} ${y - r}l${r} ${r}l${-r} ${r}l${-r} ${-r}z`;
  const circle = (/** @type {number} */ r) => `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;
  const triangle = (/** @type {number} */ r) => `M${x - r} ${y - 0.9 * r}h${2 * r}l${-r} ${1.8 * r}z`;
  return {
    said: () => circle(4),
    again: () => circle(3.6),
    kept: () => diamond(5.2),
    dropped: () => diamond(4.6),
    used: () => triangle(4.6),
    needed: () => triangle(5.2),
  }[kind]();
}
