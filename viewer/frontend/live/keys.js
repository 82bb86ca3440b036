// The keys of the Live page beside those of every page. They act on a run that is driven.

/** @type {{[key: string]: (drive: any) => void}} */
const COMMANDS = {
  c: (drive) => drive.act("main"),
  ".": (drive) => drive.act("step"),
  s: (drive) => drive.act("stop"),
  m: (drive) => drive.ask("chat"),
  b: (drive) => drive.ask("breakpoints"),
  q: (drive) => drive.ask("request"),
  h: (drive) => drive.ask("pin"),
  Delete: (drive) => drive.ask("drop"),
  Backspace: (drive) => drive.ask("drop"), // what is called delete on a Mac
};

/** What help shows of them. @type {[string[], string][]} */
export const LIVE_KEYS = [
  [["c"], "start, pause, continue, try again: what the main button does"],
  [["."], "one model call and its tools, then pause before the next"],
  [["s"], "stop: the call under way is cancelled"],
  [["m"], "to the message box; Enter sends, Shift Enter begins a line, / offers commands"],
  [["b"], "breakpoints and step mode"],
  [["q"], "the request that would be sent next, as it is sent"],
  [["h"], "pin the message that is shown, or let it go: it stays, whatever is compacted"],
  [["Delete"], "drop it from the window; a tool call goes with its results"],
];

/**
 * What a key does to a live run, or nothing.
 * @param {KeyboardEvent} event
 * @returns {((app: any) => void) | undefined}
 */
export function liveCommandOf(event) {
  const command = Object.hasOwn(COMMANDS, event.key) ? COMMANDS[event.key] : undefined;
  return command && ((app) => command(app.drive));
}
