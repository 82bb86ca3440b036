// The bar of a live run: how it stands, what it would send, what can be done, and the box that speaks to it.
import { BreakpointDialog } from "./breakpoints.js";
import { Chat } from "./chat.js";
import { attribute, button, el, visible, write } from "../lib/dom.js";
import { icon } from "../lib/icons.js";
import { Intro } from "./intro.js";
import { comesFirst } from "../run/comesfirst.js";
import { beforeReason } from "../run/statuswords.js";
import { busy, callWords, ending, statusWords } from "./statewords.js";
import { LiveTools } from "./tools.js";
import { ServersDialog } from "./servers.js";
import { RequestDialog } from "./request.js";
import { ErrorCard } from "./errorcard.js";
import { ForkDialog } from "./fork.js";
import { ToolCallDialog } from "./toolcall.js";
/** @import { Part } from "../debugger/types.js" */
/** @import { LiveRun } from "./liverun.js" */
/** @import { App } from "../debugger/app.js" */
/** @import { Change } from "../debugger/types.js" */

/** @param {HTMLElement} root @param {App} app @param {LiveRun} drive @returns {Part} */
export function part(root, app, drive) {
  const bar = new LiveBar(root, app, drive);
  return { update: (_, change) => (change.run ? bar.draw() : (change.step || change.follow) && bar.drawLine()), stop: () => bar.stop() };
}

class LiveBar {
  /** @param {HTMLElement} root @param {App} app @param {LiveRun} drive */
  constructor(root, app, drive) {
    this.app = app;
    this.drive = drive;
    this.lamp = el("span", { class: "fl-lamp", "aria-hidden": "true" });
    this.lead = el("b");
    this.rest = el("span", { class: "fl-rest" });
    this.status = button("", () => this.error.show(), { class: "fl-status" });
    this.status.append(this.lamp, el("span", { class: "fl-standing" }, this.lead, " ", this.rest));
    this.to = el("span", { class: "fl-runsto", hidden: true });
    this.toWords = el("span");
    const cancel = button("Cancel", () => void drive.do("cancel_to"), { class: "fl-link", title: "Go on to nowhere in particular (u)" });
    this.to.append(this.toWords, cancel);
    drive.on("cancel to", () => (drive.state?.to ? void drive.do("cancel_to") : app.message("The run goes on to nowhere in particular")));
    this.said = el("span", { class: "fl-said", role: "status" });
    this.line = el("div", { class: "fl-nextcall" });
    this.error = new ErrorCard(app, drive);
    this.breakpoints = new BreakpointDialog(app, drive);
    this.toolCall = new ToolCallDialog(drive, app.root);
    this.fork = new ForkDialog(app, drive);
    this.request = new RequestDialog(app, drive);
    this.servers = new ServersDialog(drive);
    this.tools = new LiveTools(drive);
    this.chat = new Chat(app, drive, this.tools.driving);
    this.chat.driving.before(this.toolCall.opener); // it comes and goes: what is pressed again and again stays in its place
    this.intro = new Intro(app, drive);
    const top = el("div", { class: "fl-livetop" }, this.status, this.tools.node);
    root.classList.add("fl-live");
    root.setAttribute("aria-label", "Live run");
    root.append(top, el("div", { class: "fl-nextrow" }, this.line, this.to), this.chat.node, this.said);
    app.grid.append(this.intro.node);
    const dialogs = [this.breakpoints, this.toolCall, this.fork, this.request, this.servers];
    app.root.append(this.error.node, ...dialogs.map((dialog) => dialog.node));
    this.drive.watch(() => this.draw());
    this.clock = setInterval(() => this.#tick(), 250);
    this.draw();
  }

  draw() {
    const { drive } = this;
    this.#status();
    this.#target();
    this.drawLine();
    this.tools.draw();
    this.chat.draw();
    this.error.draw();
    this.breakpoints.draw();
    this.toolCall.draw();
    this.intro.draw();
    if (this.app.run && !this.app.run.length) this.app.waiting.replaceChildren();
    this.app.setBusy(!drive.lost && busy(drive.state));
    attribute(this.app.root, "data-status", drive.lost ? "lost" : (drive.state?.status ?? ""));
  }

  #status() {
    const { state, lost, refused, empty, seconds } = this.drive;
    const { lead, rest } = statusWords(state, { lost, refused, empty, seconds });
    const status = lost ? "lost" : (state?.status ?? "opening");
    if (this.lamp.dataset.status !== status) {
      this.lamp.dataset.status = status;
      this.lamp.replaceChildren(icon(LAMPS[/** @type {keyof typeof LAMPS} */ (status)] ?? "dot"));
    }
    write(this.lead, beforeReason(lead, status, rest));
    write(this.rest, visible(rest));
    attribute(this.status, "title", [lead, rest].filter(Boolean).join(": "));
    attribute(this.status, "aria-disabled", state?.error ? null : "true");
    attribute(this.status, "data-status", status);
    const told = status === "running" || status === "pausing" ? lead : `${lead}: ${rest}`; // what changes every second is not read out
    write(this.said, visible(told));
  }

  /** Where the run goes on to, also while it waits on its way there. */
  #target() {
    const { state, hindered } = this.drive;
    const words = state?.to ? `${state.status === "running" ? "runs" : "Continue runs"} on to ${visible(state.to)}` : "";
    const held = this.to.matches(":focus-within");
    this.to.hidden = !words;
    if (held && !words) this.app.root.focus({ preventScroll: true });
    write(this.toWords, words);
    attribute(this.toWords, "title", words);
    attribute(/** @type {Element} */ (this.to.lastElementChild), "aria-disabled", hindered ? "true" : null);
  }

  /** What the next model call would be sent; where an earlier step is replayed, that this is of the newest window. */
  drawLine() {
    const { state } = this.drive;
    const { run, follow, step } = this.app;
    const replayed = Boolean(run?.length && !follow && step < run.length - 1);
    const writing = state?.partial ? ending(state.partial, 400) : "";
    const guess = Boolean(run?.store.header.approximate);
    attribute(this.line, "data-writing", writing ? (writing.length > 90 ? "long" : "true") : null);
    const words = () => callWords(state, guess, run?.store.header.meter ?? "", visible(comesFirst(run)), replayed);
    const text = writing ? visible(writing) : words().join(" · ");
    const shown = text || (state ? [state.provider, state.model].filter(Boolean).join(" · ") : "");
    if (this.line.textContent !== shown) this.line.replaceChildren(el("bdi", { text: shown }));
    attribute(this.line, "title", writing ? null : shown);
  }

  #tick() {
    if (busy(this.drive.state)) this.#status();
  }

  stop() {
    clearInterval(this.clock);
  }
}

const LAMPS = {
  ready: "ring",
  running: "dot",
  pausing: "pause",
  paused: "pause",
  failed: "warn",
  stopped: "stop",
  ended: "stop",
  lost: "warn",
  opening: "ring",
};
