// The MCP servers of a live run: how each stands, what went wrong last, which tools it has, and the way to start them again.
import { dialogOf } from "../lib/dialog.js";
import { attribute, button, el, visible, write } from "../lib/dom.js";
import { pluralize } from "../lib/format.js";
import { problemText } from "../lib/problem.js";
/** @import { LiveRun } from "./liverun.js" */
/** @import { ServerState } from "./types.js" */

export class ServersDialog {
  /** @param {LiveRun} drive */
  constructor(drive) {
    this.drive = drive;
    this.drawn = "";
    /** Whether the servers are being started. */ this.connecting = false;
    this.list = el("div", { class: "fl-servers" });
    this.again = button("Reconnect", () => this.#reconnect(), { class: "fl-send" });
    this.note = el("p", { class: "fl-reqnote", role: "status" });
    this.node = dialogOf("MCP servers", "fl-mcp", this.list, el("div", { class: "fl-reqhead" }, this.note, this.again));
    drive.on("servers", () => this.open());
    drive.watch(() => this.draw());
  }

  open() {
    if (this.node.open) return;
    write(this.note, "");
    this.node.showModal();
    this.draw();
    this.again.focus();
  }

  draw() {
    if (!this.node.open) return;
    const servers = this.drive.state?.servers ?? [];
    const known = JSON.stringify([servers, this.connecting]);
    attribute(this.again, "aria-disabled", this.connecting || this.#why() ? "true" : null);
    attribute(this.again, "title", this.#why() || "Restart or reconnect every server");
    if (known === this.drawn) return;
    this.drawn = known;
    this.list.replaceChildren(...servers.map((server) => this.#server(server)));
  }

  /** @param {ServerState} server */
  #server({ name, target, status, problem, tools }) {
    const now = this.connecting ? "connecting" : status;
    const offered = tools.filter(([, , on]) => on).length;
    const rows = tools.map(([tool, about, on]) =>
      el(
        "li",
        {},
        el("code", { text: visible(tool) }),
        el("span", { text: visible(about) }),
        ...(on ? [] : [el("em", { text: "not offered to the model" })]),
      ),
    );
    return el(
      "section",
      { class: "fl-server", "data-status": now },
      el("h3", {}, el("bdi", { text: visible(name) }), " ", el("span", { class: "fl-serverstatus", text: now })),
      el("p", { class: "fl-servertarget", text: visible(target) }),
      ...(problem ? [el("p", { class: "fl-serverproblem", text: `${now === "not started" ? "" : "Last error: "}${visible(problem)}` })] : []),
      ...(rows.length
        ? [el("p", { text: `${pluralize(tools.length, "tool")}, ${offered === tools.length ? "all" : offered} offered to the model` })]
        : []),
      ...(rows.length ? [el("ul", {}, ...rows)] : []),
    );
  }

  /** Why they cannot be started again now, "" where they can. */
  #why() {
    const { state, hindered } = this.drive;
    if (hindered) return hindered;
    return ["running", "pausing", "paused"].includes(state?.status ?? "") ? "Stop the run first" : "";
  }

  async #reconnect() {
    if (this.connecting) return;
    if (this.#why()) return write(this.note, this.#why());
    this.connecting = true;
    write(this.note, "Connecting…");
    this.draw();
    const came = await this.drive.order("reconnect").then(() => "Reconnected.", problemText);
    this.connecting = false;
    write(this.note, visible(came));
    this.drawn = "";
    this.draw();
  }
}

/** What the button of the servers says: how many there are, or that one is not there. @param {ServerState[]} servers */
export function serverWords(servers) {
  const missing = servers.filter(({ status }) => status !== "connected");
  if (!missing.length) return "";
  return missing.length === 1 ? `MCP server ${missing[0].name} is ${missing[0].status}` : `${missing.length} MCP servers are not connected`;
}
