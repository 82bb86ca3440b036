// What the keys do on the Learn page; those not named here are the debugger's.

import { leadsHere, onButton, unused, within } from "../lib/keys.js";
/** @import { Driver } from "./driver.js" */
/** @import { Lessons } from "./lessons.js" */

/** Keys that would show what is covered: all of the debugger's but those that walk through the messages. */
const TELLS = /^(.|Arrow(Left|Right)|Home|End|Escape)$/u;
/** Where the arrow keys have another use: tabs, and text that they scroll. */
const OWN_ARROWS = '[role="tablist"], .fl-ibody [tabindex]';
/** Lists of the debugger, which have a use for ↑ and ↓ alone: a row that a question asks for is clicked in one. */
const LISTS = ".fl-window .fl-scroll, .fl-tsparts";

/** @param {KeyboardEvent} event @param {Lessons} lessons @param {Driver | null} driver @returns {(() => void) | undefined} */
export function commandOf(event, lessons, driver) {
  const { key } = event;
  if (key === "P" && event.shiftKey) return () => lessons.present(true);
  const presses = onButton(event) || within(event, "a");
  const opens = key === "Enter" && (!presses || event.composedPath().some(leadsHere));
  if (!lessons.lesson) return opening(lessons, opens ? (lessons.begun?.number ?? 0) : /^[1-9]$/.test(key) ? Number(key) : 0);
  const chosen = lessons.asking && within(event, '.fl-ask-choice[aria-pressed="true"]');
  if (key === "Enter" && (!presses || chosen)) return () => enter(lessons, driver);
  const arrow = (unused(event) || within(event, LISTS)) && !event.shiftKey && !within(event, OWN_ARROWS) ? key : "";
  if (arrow === "ArrowRight") return () => enter(lessons, driver);
  if (key === "Backspace" || arrow === "ArrowLeft") return () => lessons.previous();
  const choice = lessons.choiceOf(key);
  if (choice) return () => lessons.suppose(choice.key);
  if (lessons.asking && lessons.data?.ask?.kind === "number" && /^\d$/.test(key)) return () => lessons.type(key);
  if (key.toUpperCase() === "S") return () => lessons.give();
  return lessons.held && !(key === " " && presses) && key !== "?" && TELLS.test(key) ? () => {} : undefined;
}

/** Open a lesson where it was left, if there is one of this number. @param {Lessons} lessons @param {number} number  0 for none */
const opening = (lessons, number) => (number ? () => lessons.open(number, resumed(lessons, number)) : undefined);

/** Check the guess, play what is to be watched, or go on, also where that did not come; a task is left by its button. What is expected first is said. @param {Lessons} lessons @param {Driver | null} driver */
function enter(lessons, driver) {
  if (lessons.asking && lessons.guess !== null) return lessons.reveal();
  if (lessons.blind && lessons.controls.keep) return lessons.score();
  if (driver?.plays()) return;
  if (lessons.done || lessons.watches || (lessons.failed && !lessons.data)) return lessons.next();
  lessons.want();
}

/** @param {Lessons} lessons @param {number} number */
function resumed(lessons, number) {
  const row = lessons.rows.find((one) => one.number === number);
  const kept = row && lessons.progress.of(row.key);
  return kept && row && kept.done.length < row.steps.length ? kept.at : 1;
}
