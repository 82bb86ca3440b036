// What stands in the debugger's place while a large transcript is opened: how it begins, and how far it is. The grid is the debugger's own,
// so that nothing jumps when that takes its place.
import { el, write } from "../lib/dom.js";
import { int, pluralize } from "../lib/format.js";
/** @import { Server } from "../lib/api.js" */
/** @import { OpeningData, OpeningState } from "./types.js" */

const POLL_MS = 200;
const MB = 1e6;

export class Opening {
  /** @param {Server} server @param {() => void} ended  called once the transcript is open, or does not open */
  constructor(server, ended) {
    this.server = server;
    this.ended = ended;
    this.stopped = new AbortController();
    this.id = "";
    this.size = 0;
    this.title = el("h1", { dir: "auto" });
    this.stage = el("p", { class: "fl-opening-stage" });
    this.bar = el("progress", { class: "fl-opening-bar", "aria-label": "Bytes read" });
    this.rows = el("div", { class: "fl-opening-rows" });
    this.first = el("p", { class: "fl-opening-first", dir: "auto" });
    this.root = el(
      "div",
      { class: "fl-grid fl-opening" },
      el("section", { class: "fl-slot-header" }, el("div", { class: "fl-header" }, this.title)),
      el("section", { class: "fl-slot-timeline fl-card", role: "status" }, this.stage, this.bar),
      el("div", { class: "fl-bar" }),
      el("section", { class: "fl-slot-window fl-card" }, el("h2", { text: "Beginning of the transcript" }), this.rows),
      el("section", { class: "fl-slot-inspector fl-card" }, el("h2", { text: "First user message" }), this.first),
    );
  }

  /** @param {OpeningData} data */
  show({ id, name, size, rows, first }) {
    const before = this.id;
    Object.assign(this, { id, size });
    write(this.title, name);
    this.rows.replaceChildren(...rows.map(row));
    write(this.first, first);
    this.root.toggleAttribute("data-blank", !rows.length);
    if (before === id) return;
    this.#tell({ stage: "reading", read: 0, messages: 0 });
    void this.#watch(id);
  }

  /** Ask how far it is until it has ended. @param {string} id */
  async #watch(id) {
    while (this.id === id && !this.stopped.signal.aborted) {
      const state = await this.server.get(`api/opening/${id}`).catch(() => null); // the server may be away for a moment
      if (state?.stage === "done") return this.#end();
      if (state && this.id === id) this.#tell(state);
      await new Promise((done) => setTimeout(done, POLL_MS));
    }
  }

  #end() {
    write(this.stage, "Building the windows…");
    this.bar.removeAttribute("value");
    this.ended();
  }

  /** @param {OpeningState} state */
  #tell({ stage, read, messages }) {
    const known = stage === "reading" && read < this.size;
    write(this.stage, stage === "counting" ? `Counting the tokens of ${pluralize(messages, "message")}…` : this.#reading(read));
    this.bar.max = Math.max(1, this.size);
    if (known) this.bar.value = read;
    else this.bar.removeAttribute("value");
  }

  /** @param {number} read  a file that is one JSON value is read whole before its messages are */
  #reading(read) {
    return read < this.size ? `Reading: ${int(read / MB)} of ${int(this.size / MB)} MB…` : "Reading the messages…";
  }

  stop() {
    this.stopped.abort();
    this.id = "";
    this.root.remove();
  }
}

/** @param {[role: string, label: string, preview: string]} message */
const row = ([role, label, preview]) =>
  el(
    "div",
    { class: `fl-row fl-is-message${role === "tool" ? " fl-code" : ""}` },
    el("span", { class: "fl-badge", text: "M" }),
    el("span", { class: "fl-role", text: label || role }),
    el("span", { class: "fl-preview", dir: "auto", text: preview }),
  );
