// The buttons of a live run: the main one, which says what it does now, and the others.
import { attribute, button, el, visible, write } from "../lib/dom.js";
import { icon } from "../lib/icons.js";
import { serverWords } from "./servers.js";
import { busy, leadOf } from "./statewords.js";
/** @import { LiveState } from "./types.js" */

/** Seconds between two model calls that are offered. */
const PACES = [0, 0.3, 1, 3];

export class LiveTools {
  /** @param {import("./liverun.js").LiveRun} drive */
  constructor(drive) {
    this.drive = drive;
    this.main = tool("play", "Start", "", () => drive.act("main"), "fl-main");
    this.step = tool("step", "Step", "One model call and its tools, then pause (.)", () => drive.act("step"));
    this.halt = tool("stop", "Stop", "Stop: cancel the current call and end the turn (s)", () => drive.act("stop"));
    this.compact = tool("compact", "Compact", "Compact now, regardless of the limit", () => drive.act("compact"));
    this.anew = tool("again", "Reset", "Reset: start a new run with the same settings and breakpoints; this run stays on disk", () =>
      drive.do("reset"),
    );
    this.stops = tool("mark", "Breakpoints", "Breakpoints: where to pause, and step mode (b)", () => drive.ask("breakpoints"));
    this.body = tool("braces", "Requests", "Requests: the next one and the earlier ones, word for word (q)", () => drive.ask("request"));
    this.servers = tool("plug", "MCP", "MCP servers: status, tools, reconnect", () => drive.ask("servers"));
    const change = () => void drive.do("set", { pace: Number(this.pace.value) });
    this.pace = el(
      "select",
      { class: "fl-pace", "aria-label": "Pause between model calls", title: "Pause between model calls", on: { change } },
      ...PACES.map(paceOption),
    );
    /** What drives the run, beside the message box; one of the two is the next thing to do. */
    this.driving = el("div", { class: "fl-driving", role: "group", "aria-label": "Drive the agent" }, this.step, this.main);
    const nodes = [this.halt, this.compact, this.anew, this.stops, this.body, this.servers, this.pace];
    this.node = el("div", { class: "fl-levers", role: "toolbar", "aria-label": "Run" }, ...nodes);
  }

  draw() {
    const { state, hindered, empty, main, sends } = this.drive;
    const status = state?.status ?? "";
    const works = busy(state);
    const steps = sends || status === "running" || (["paused", "ready", "stopped", "failed"].includes(status) && !empty);
    rename(this.main, main.icon, main.label);
    const leads = leadOf(state);
    attribute(this.main, "data-primary", leads === "main" ? "true" : null);
    attribute(this.step, "data-primary", leads === "step" ? "true" : null);
    off(
      this.main,
      hindered || (main.does ? "" : (main.why ?? "")),
      `${main.does === "without" ? "Continue without the unpaired message" : main.label} (c)`,
    );
    off(this.step, hindered || (steps ? "" : "Nothing to continue: write a message first"));
    off(this.halt, hindered || (works || status === "paused" ? "" : "Stop: nothing is running"));
    off(this.compact, hindered || (empty ? "There is nothing to compact yet" : ""));
    off(this.anew, hindered || (empty ? "Nothing to reset yet" : ""));
    for (const node of [this.stops, this.body]) off(node, state ? "" : "Not connected yet");
    const servers = state?.servers ?? [];
    const missing = serverWords(servers);
    this.servers.hidden = !servers.length;
    attribute(this.servers, "data-on", missing ? "!" : null);
    attribute(this.servers, "aria-label", missing ? `MCP servers: ${visible(missing)}` : "MCP servers");
    if (missing) attribute(this.servers, "title", visible(missing));
    this.pace.disabled = Boolean(hindered);
    this.#pace(state?.pace ?? 0);
    this.#stops(state);
  }

  /** How many places to pause at there are. @param {LiveState | null} state */
  #stops(state) {
    const on = (state?.breakpoints ?? []).filter((stop) => stop.on).length + (state?.stepping ? 1 : 0);
    attribute(this.stops, "data-on", on || null);
    attribute(this.stops, "aria-label", on ? `Breakpoints, ${on} on` : "Breakpoints");
  }

  /** @param {number} seconds */
  #pace(seconds) {
    const value = String(seconds);
    if (this.pace.value === value || this.pace.matches(":focus")) return;
    if (![...this.pace.options].some((option) => option.value === value)) this.pace.append(paceOption(seconds));
    this.pace.value = value;
  }
}

/** @param {number} seconds */
function paceOption(seconds) {
  return el("option", { value: seconds, text: seconds ? `${seconds} s apart` : "no delay" });
}

/** @param {string} name @param {string} label @param {string} title @param {() => void} act @param {string} [kind] */
function tool(name, label, title, act, kind = "") {
  const click = () => node.getAttribute("aria-disabled") || act();
  const node = button("", click, { class: `fl-lever ${kind}`, title, "aria-label": label, "data-icon": name, "data-title": title });
  node.append(icon(name), el("span", { text: label }));
  return node;
}

/** @param {HTMLElement} node @param {string} name @param {string} label */
function rename(node, name, label) {
  if (node.dataset.icon !== name) node.replaceChildren(icon(name), el("span"));
  node.dataset.icon = name;
  write(/** @type {Node} */ (node.lastChild), label);
  attribute(node, "aria-label", label);
}

/**
 * A button that stays focusable when it has nothing to do, and says why.
 * @param {HTMLElement} node @param {string} why @param {string} [title]
 */
function off(node, why, title) {
  attribute(node, "aria-disabled", why ? "true" : null);
  attribute(node, "title", why || title || (node.dataset.title ?? ""));
}
