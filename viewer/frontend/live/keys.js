// The keys of the Live page beside those of every page. They act on a run that is driven.
import { undoes } from "../lib/keys.js";
/** @import { LiveRun } from "./liverun.js" */

/** @type {Record<string, (drive: LiveRun) => void>} */
const COMMANDS = {
  c: (drive) => drive.act("main"),
  ".": (drive) => drive.act("step"),
  s: (drive) => drive.act("stop"),
  m: (drive) => drive.ask("chat"),
  b: (drive) => drive.ask("breakpoints"),
  q: (drive) => drive.ask("request"),
  Q: (drive) => drive.ask("selected request"),
  u: (drive) => drive.ask("cancel to"),
  e: (drive) => drive.ask("tool call"),
  F: (drive) => drive.ask("fork"),
  h: (drive) => drive.ask("pin"),
  Delete: (drive) => drive.ask("drop"),
  Backspace: (drive) => drive.ask("drop"), // what is called delete on a Mac
};

/** What help shows of them. @type {[string[], string][]} */
export const LIVE_KEYS = [
  [["c"], "start, pause, continue, try again: what the main button does"],
  [["."], "one model call and its tools, then pause before the next"],
  [["s"], "stop: cancel the current call"],
  [["m"], "go to the message box; Enter sends, Shift Enter starts a new line, / lists the commands"],
  [["b"], "breakpoints, step mode, and run to a condition"],
  [["u"], "cancel where the run goes on to"],
  [["e"], "before a tool runs: edit its arguments, or answer in its place"],
  [["q"], "requests: the next one as it would be sent, and the earlier ones"],
  [["Q"], "the request that produced the selected message, or first sent it"],
  [["h"], "pin or unpin the selected message: a pinned one is kept through every compaction"],
  [["Delete"], "drop the selected message from the window; a tool call goes with its results"],
  [["Ctrl Z"], "undo the newest drop, until the next model call; ⌘ Z on a Mac"],
];

/**
 * What a key does to a live run, or nothing.
 * @param {KeyboardEvent} event
 * @param {LiveRun} drive
 * @returns {(() => void) | undefined}
 */
export function liveCommandOf(event, drive) {
  if (undoes(event)) return () => drive.ask("undo");
  const command = Object.hasOwn(COMMANDS, event.key) ? COMMANDS[event.key] : undefined;
  return command && (() => command(drive));
}
