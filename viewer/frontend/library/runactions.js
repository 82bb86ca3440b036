// What can be done with the selected runs: open one in the debugger, rename or export it, delete all of them.
import { button, el, visible, write } from "../lib/dom.js";
import { pluralize } from "../lib/format.js";
/** @import { RunRow } from "./runlist.js" */

const FORMS = [
  ["foldline", "foldline JSON"],
  ["openai", "OpenAI messages"],
  ["anthropic", "Anthropic messages"],
];

export class RunActions {
  /** @param {{tell: (name: string, value: unknown) => void, changed: () => void, clear: () => void}} how */
  constructor(how) {
    this.how = how;
    /** @type {RunRow[]} */ this.runs = [];
    this.drawn = "";
    this.parts = el("div", { class: "fl-run-actions", role: "group", "aria-label": "Selected runs" });
    this.said = el("span", { class: "fl-run-said", role: "status" });
    this.root = el("div", { class: "fl-library-filters" }, this.parts, this.said);
    this.show([]);
  }

  /** @param {RunRow[]} runs  those that are selected */
  show(runs) {
    this.runs = runs;
    const ids = runs.map(({ id }) => id).join(" ");
    if (ids === this.drawn && this.parts.children.length) return;
    this.drawn = ids;
    if (!runs.length) this.parts.replaceChildren(el("span", { class: "fl-run-hint", text: "Select runs to rename, export or delete them." }));
    else
      this.parts.replaceChildren(
        el("span", { text: `${pluralize(runs.length, "run")} selected` }),
        ...(runs.length === 1 ? this.#single(runs[0]) : [this.#remove()]),
        button("Clear selection", () => this.how.clear(), { class: "fl-link" }),
      );
    if (runs.length) write(this.said, "");
  }

  /** @param {RunRow} run */
  #single(run) {
    const debug = button("Open in Debug", () => this.how.tell("debug", run.id), { class: "fl-library-agent" });
    const rename = button("Rename…", () => this.#rename(run), { class: "fl-library-agent" });
    const links = FORMS.map(([form, text]) =>
      el("a", {
        class: "fl-library-agent",
        href: `api/runs/${encodeURIComponent(run.id)}/export?form=${form}`,
        download: "",
        text: `Export ${text}`,
      }),
    );
    return [debug, rename, this.#remove(), ...links];
  }

  #remove() {
    return button("Delete…", () => this.#confirm(), { class: "fl-library-agent" });
  }

  #again() {
    this.drawn = "?";
    this.show(this.runs);
  }

  #confirm() {
    const n = pluralize(this.runs.length, "run");
    const sure = button("Confirm delete", () => void this.#delete(), { class: "fl-library-agent fl-danger" });
    this.parts.replaceChildren(
      el("span", { text: `Delete ${n}? The files are removed from this machine.` }),
      sure,
      button("Cancel", () => this.#again(), { class: "fl-link" }),
    );
    sure.focus();
  }

  async #delete() {
    const answer = await send("delete", { ids: this.runs.map(({ id }) => id) });
    this.how.clear();
    const kept = (answer.kept ?? []).map((/** @type {[string, string]} */ [, why]) => why);
    write(
      this.said,
      answer.error ?? [`${pluralize(answer.deleted.length, "run")} deleted`, ...(kept.length ? [`${kept.length} not: ${kept[0]}`] : [])].join("; "),
    );
    this.how.changed();
  }

  /** @param {RunRow} run */
  #rename(run) {
    const field = el("input", { type: "text", class: "fl-run-name", "aria-label": "Name", maxlength: "200" });
    field.value = visible(run.title);
    const apply = async () => {
      const answer = await send("rename", { id: run.id, title: field.value });
      this.#again();
      write(this.said, answer.error ?? "");
      this.how.changed();
    };
    field.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && !event.isComposing) void apply();
      else if (event.key === "Escape") this.#again();
    });
    this.parts.replaceChildren(
      field,
      button("Apply", () => void apply(), { class: "fl-library-agent" }),
      button("Cancel", () => this.#again(), { class: "fl-link" }),
    );
    field.select();
  }
}

/** @param {string} path @param {object} body @returns {Promise<any>} */
const send = (path, body) =>
  fetch(new URL(`api/runs/${path}`, document.baseURI), {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  }).then(
    (a) => a.json(),
    () => ({ error: "The server does not answer. Is foldline still running?" }),
  );
