// What a live run's state says, in words. Pure: no nodes.
import { dollars, int, lasting, pluralize } from "../lib/format.js";
import { reasonWords, statusTitle } from "../run/statuswords.js";
/** @import { LiveState } from "./types.js" */

/**
 * The state in one line, its first words apart.
 * @param {LiveState | null} state
 * @param {{lost?: string, refused?: boolean, empty?: boolean, seconds?: number}} [how]  why there is no connection, or that the server knows no such run;
 * nothing has been sent yet; for how long it has been doing what it does
 * @returns {{lead: string, rest: string}}
 */
export function statusWords(state, { lost = "", refused = false, empty = false, seconds = 0 } = {}) {
  if (lost) return { lead: refused ? "Not available" : "No connection", rest: lost };
  if (!state) return { lead: "Connecting…", rest: "" };
  const lead = statusTitle(state.status);
  if (state.status === "running" || state.status === "pausing") return { lead, rest: running(state, seconds) };
  if (state.status === "paused") return { lead: `Paused before ${waitsBefore(state)}`, rest: state.why };
  if (state.status === "ready" && empty) return { lead, rest: "press Start to send the task" };
  return { lead, rest: reasonWords(state.status, state.why, state.error?.kind) };
}

/** What a paused run waits before: a call by its number in the run, by which Requests lists it. @param {LiveState} state */
function waitsBefore({ tool, compaction, all }) {
  if (compaction) return "a compaction";
  return tool ? `${tool} runs` : `model call ${int(all + 1)}`;
}

/** @param {LiveState} state @param {number} seconds */
function running(state, seconds) {
  const { status, doing, next_try: again } = state;
  const what = again ? limited(again, seconds) : doing && [doing.replace(/^tool: /, "runs "), lasting(seconds)].filter(Boolean).join(" ");
  const after = status === "pausing" ? "before the next model call" : "";
  return [after, callNumber(state), what].filter(Boolean).join(" · ");
}

/** Which call it is at, by its number in the run; behind the first turn also which of this turn, whose calls are limited. @param {LiveState} state */
function callNumber({ doing, calls, all, most }) {
  const [begin, more] = /^tool/.test(doing) ? ["after model call", 0] : ["model call", 1];
  const call = `${begin} ${int(all + more)}`;
  if (!most) return call;
  return all === calls ? `${call} of ${int(most)}` : `${call}, ${int(calls + more)} of ${int(most)} in this turn`;
}

/** The server accepts no more requests: when the next one is sent. @param {NonNullable<LiveState["next_try"]>} again @param {number} seconds  since it said so */
function limited({ wait, number, of }, seconds) {
  const left = lasting(Math.ceil(wait - seconds));
  return `Rate limited. ${left ? `Next try in ${left}` : "Trying again"} (${int(number)} of ${int(of)})`;
}

/** "−8.2 %". @param {number} share  in per cent */
function offBy(share) {
  const size = Math.abs(share);
  return size < 0.05 ? "exact" : `${share < 0 ? "−" : "+"}${size < 10 ? size.toFixed(1) : Math.round(size)} %`;
}

/**
 * The tool call that comes first, what the next model call would be sent, and what the last one was, in parts.
 * @param {LiveState | null} state
 * @param {boolean} guess  whether the meter only estimates
 * @param {string} meter  its name, which stands beside an estimate
 * @param {string} [first]  what comes before the window is sent
 * @param {boolean} [replayed]  whether the page shows an earlier window than the one that is told of
 * @returns {string[]}
 */
export function callWords(state, guess, meter, first = "", replayed = false) {
  if (!state) return [];
  const tool = toolWords(state);
  const before = tool.length && first && !replayed ? "its result" : first;
  return [...tool, ...nextWords(state, guess, meter, before, replayed), ...lastWords(state), ...totalWords(state)];
}

/** The tool call that comes next: a reply may call the tool more than once. @param {LiveState} state */
function toolWords(state) {
  const { tool, tool_arguments: with_ } = state;
  return !busy(state) && tool && with_ ? [`next tool call: ${tool} ${with_}`] : [];
}

/** @param {LiveState} state @param {boolean} guess @param {string} meter @param {string} first @param {boolean} replayed */
function nextWords({ next }, guess, meter, first, replayed) {
  if (!next) return [];
  const { messages, tokens, tools_tokens: tools, counted } = next;
  const about = guess ? "~" : "";
  const estimated = guess || tools ? ` by ${meter}` : ""; // how a provider writes out the tools is not known: their count is ours
  const size = `${about}${int(tokens)} tokens${tools ? ` + ~${int(tools)} for tools` : ""}${estimated}`;
  const error = counted ? offBy((100 * (tokens + tools - counted)) / counted) : "";
  return [
    `${whichWindow(first, replayed)} ${pluralize(messages, "message")}`,
    size,
    ...(counted ? [`counted ${int(counted)} (estimate ${error})`] : []),
  ];
}

/** Which window has so many messages. @param {string} first @param {boolean} replayed */
function whichWindow(first, replayed) {
  if (replayed) return `newest window${first ? `, before ${first}` : ""}:`;
  return first ? `before ${first}:` : "would send";
}

/** By every count there was of it: the provider's before the call, what it read. The demo agent, a script, counts for itself: no provider says how far off that is. @param {LiveState} state */
function lastWords({ last, provider }) {
  if (!last) return [];
  const { usage, counted, error } = last;
  const script = provider === "demo";
  const off = script ? ", by the demo agent's own count" : error === null || error === undefined ? "" : ` (estimate ${offBy(error)})`;
  if (!usage) return counted ? [`last call counted ${int(counted)}${off}`] : [];
  const read = usage.input_uncached + usage.cache_read + usage.cache_write;
  const cached = usage.cache_read ? ` (${int(usage.cache_read)} cached)` : "";
  const before = counted ? `counted ${int(counted)}, ` : "";
  return [`last call ${before}read ${int(read)}${cached}, wrote ${int(usage.output)}${off}`];
}

/** @param {LiveState} state */
function totalWords({ totals }) {
  if (!totals) return [];
  const read = totals.input_uncached + totals.cache_read + totals.cache_write;
  const cost = totals.cost === undefined ? "" : `, reported cost ${dollars(totals.cost)}`;
  return read || totals.output ? [`total ${int(read)} in, ${int(totals.output)} out${cost}`] : [];
}

/**
 * What the main button says and does.
 * @param {LiveState | null} state
 * @param {{empty: boolean, text: boolean}} how  no message has been sent yet; something stands in the box
 * @returns {{label: string, icon: string, does: "say" | "go" | "pause" | "retry" | "without" | "", why?: string}}
 */
export function mainOf(state, { empty, text }) {
  switch (state?.status) {
    case "running":
      return { label: "Pause", icon: "pause", does: "pause" };
    case "pausing":
      return { label: "Pausing…", icon: "pause", does: "", why: "The run pauses before the next model call" };
    case "paused":
      return { label: "Continue", icon: "play", does: "go" };
    case "failed":
      if (state.error?.orphans?.length) return { label: "Continue", icon: "play", does: "without" };
      return { label: "Try again", icon: "again", does: "retry" };
    case "ready":
    case "stopped":
    case "ended":
      return resting(state, empty, text);
    default:
      return { label: "Start", icon: "play", does: "", why: "Not connected yet" };
  }
}

/** Nothing is under way: what is written is sent, what was left is gone on with, else there is something to write. @param {LiveState} state @param {boolean} empty @param {boolean} text @returns {{label: string, icon: string, does: "say" | "go"}} */
function resting(state, empty, text) {
  if (empty) return { label: "Start", icon: "play", does: "say" };
  if (text) return { label: "Send", icon: "play", does: "say" };
  return state.more ? { label: "Continue", icon: "play", does: "go" } : { label: "Send", icon: "play", does: "say" };
}

/**
 * Which of the buttons that drive is the one to press next: where the run waits because it is stepped through, another step.
 * @param {LiveState | null} state
 * @returns {"step" | "main"}
 */
export function leadOf(state) {
  const stepped = state?.status === "paused" && (state.stepping || /^(step mode|one step made|one tool call made)$/.test(state.why));
  return stepped ? "step" : "main";
}

/** Why a command cannot be given here and now, "" where it can. @param {LiveState | null} state @param {string} lost */
export function hindrance(state, lost) {
  if (lost || !state) return "No connection to the server";
  return !state.drives && state.driven ? "Another tab drives this run" : "";
}

/** Whether the agent is at work. @param {LiveState | null} state */
export const busy = (state) => ["running", "pausing"].includes(state?.status ?? "");

/** Whether the window stands still, so that a message of it may be dropped or pinned. @param {LiveState | null} state */
export const still = (state) => state !== null && !busy(state);

/** The end of what is being written, as one line. @param {string} text @param {number} most  characters */
export function ending(text, most) {
  const line = text
    .slice(-4 * most)
    .replace(/\s+/g, " ")
    .trimStart();
  return line.length > most ? `…${line.slice(-most)}` : line;
}
