// What can be done with the selected runs: open one in the debugger, rename or share it, delete all of them.
import { leaveFor } from "../run/liveplaces.js";
import { button, el, visible, write } from "../lib/dom.js";
import { cutWords, int, pluralize } from "../lib/format.js";
import { fetchJson, posting } from "../lib/json.js";
import { problemText } from "../lib/problem.js";
/** @import { RunRow } from "./runlist.js" */

export class RunActions {
  /** @param {{tell: (name: string, value: unknown) => void, changed: () => void, restored: () => void, numbers: () => Map<string, number>, clear: () => void, all: () => void, share: () => void}} how */
  constructor(how) {
    this.how = how;
    /** @type {RunRow[]} */ this.runs = [];
    this.drawn = "";
    /** When runs were last deleted. */ this.since = 0;
    this.parts = el("div", { class: "fl-run-actions", role: "group", "aria-label": "Selected runs" });
    this.all = button("", () => how.all(), { class: "fl-link" });
    this.said = el("span", { class: "fl-run-said", role: "status" });
    /** What was deleted last, while that can be undone. @type {string[]} */ this.deleted = [];
    this.undoing = button("Undo", () => void this.undo(), {
      class: "fl-link fl-run-undo",
      hidden: true,
      title: "Put back what was deleted (Ctrl Z)",
    });
    const told = el("div", { class: "fl-run-told" }, this.said, this.undoing);
    this.root = el("div", { class: "fl-library-filters" }, this.parts, told);
    this.show([], 0);
  }

  /** @param {RunRow[]} runs  those that are selected @param {number} listed  how many runs the list shows */
  show(runs, listed) {
    this.runs = runs;
    write(this.all, `Select all ${int(listed)}`);
    this.all.hidden = runs.length >= listed;
    this.#draw();
  }

  #draw() {
    const { runs } = this;
    const ids = runs.map(({ id }) => id).join(" ");
    if (ids === this.drawn && this.parts.children.length) return;
    this.drawn = ids;
    if (!runs.length) this.parts.replaceChildren(el("span", { class: "fl-run-hint", text: "Select runs to rename, share or delete them." }));
    else
      this.parts.replaceChildren(
        el("span", { text: `${pluralize(runs.length, "run")} selected` }),
        ...(runs.length === 1 ? this.#single(runs[0]) : [this.#remove()]),
        this.all,
        button("Clear", () => this.how.clear(), { class: "fl-link" }),
      );
    if (runs.length && !this.deleted.length) write(this.said, "");
  }

  /** For some time what was deleted can be put back. @param {string[]} ids  none: no more */
  #offer(ids) {
    this.deleted = ids;
    this.since = Date.now();
    this.undoing.hidden = !ids.length;
  }

  /** Whether a deletion can be undone. */
  get offers() {
    return this.deleted.length > 0;
  }

  /** Time has passed: Undo is not offered for ever. */
  expire() {
    if (!this.deleted.length || Date.now() - this.since < UNDO_FOR) return;
    this.#offer([]);
    write(this.said, "");
  }

  /** Put back what was deleted last. */
  async undo() {
    const ids = this.deleted;
    if (!ids.length) return;
    this.#offer([]);
    const answer = await send("restore", { ids });
    this.#say(answer, "restored", "put back");
    this.how.restored();
  }

  /** What came of it. @param {any} answer @param {string} name  of those for which it was done @param {string} what */
  #say(answer, name, what) {
    const kept = (answer.kept ?? []).map((/** @type {[string, string]} */ [, why]) => why);
    if (kept.length && !answer[name].length) return write(this.said, `Not ${what}: ${kept[0]}`);
    const done = () => [`${pluralize(answer[name].length, "run")} ${what}`, ...(kept.length ? [`${kept.length} not: ${kept[0]}`] : [])].join("; ");
    write(this.said, answer.error ?? done());
  }

  /** @param {RunRow} run */
  #single(run) {
    const debug = button("Open in Debug", () => (leaveFor(run.id), this.how.tell("debug", run.id)), { class: "fl-library-agent" });
    const rename = button("Rename…", () => this.#rename(run), { class: "fl-library-agent" });
    const share = button("Share…", () => this.how.share(), { class: "fl-library-agent" });
    return [debug, rename, share, this.#remove()];
  }

  #remove() {
    return button("Delete…", () => this.confirm(), { class: "fl-library-agent" });
  }

  /** A button that leads back to what can be done, where the button of this name has the focus. @param {string} text @param {string} name */
  #back(text, name) {
    return button(text, () => this.#again(name), { class: "fl-link" });
  }

  /** @param {string} name */
  #again(name) {
    this.drawn = "?";
    this.#draw();
    [...this.parts.querySelectorAll("button")].find((node) => node.textContent === name)?.focus();
  }

  confirm() {
    const stop = this.runs.some(midTurn);
    const sure = button(stop ? "Stop and delete" : "Confirm delete", () => void this.#delete(stop), { class: "fl-library-agent fl-danger" });
    const words = deleteWords(this.runs, this.how.numbers());
    this.parts.replaceChildren(el("span", { class: "fl-run-sure", text: words }), sure, this.#back("Cancel", "Delete…"));
    sure.focus();
  }

  /** @param {boolean} stop  also what is in the middle of a turn */
  async #delete(stop) {
    const answer = await send("delete", { ids: this.runs.map(({ id }) => id), stop });
    this.how.clear();
    this.#say(answer, "deleted", "deleted");
    this.#offer(answer.deleted ?? []);
    this.how.changed();
  }

  /** @param {RunRow} run */
  #rename(run) {
    const field = el("input", { type: "text", class: "fl-run-name", "aria-label": "Name", maxlength: "200" });
    field.value = visible(run.title);
    const apply = async () => {
      const answer = await send("rename", { id: run.id, title: field.value });
      this.#again("Rename…");
      this.#offer([]);
      write(this.said, answer.error ?? "");
      this.how.changed();
    };
    field.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && !event.isComposing) void apply();
      else if (event.key === "Escape") this.#again("Rename…");
    });
    this.parts.replaceChildren(
      field,
      button("Apply", () => void apply(), { class: "fl-library-agent" }),
      this.#back("Cancel", "Rename…"),
    );
    field.select();
  }
}

/** Milliseconds that Undo is offered; the server keeps the files for longer. */
const UNDO_FOR = 60_000;

/** Runs that are named before they are deleted; of more, how many more. */
const NAMED = 3;

/** Characters of a title in the question. */
const TITLE = 60;

/** Whether a run that is open has a turn to finish: it is stopped first. @param {RunRow} run */
const midTurn = ({ open, status }) => open && ["running", "pausing", "paused"].includes(status);

/** What is asked before runs are deleted: which, and which of them are stopped first. @param {RunRow[]} runs @param {Map<string, number>} [numbers]  of those that have a title in common */
export function deleteWords(runs, numbers = new Map()) {
  const busy = runs.filter(midTurn);
  const names = runs.slice(0, NAMED).map((run) => {
    const known = [run.fork && `fork at ${visible(run.forked_at)}`, busy.includes(run) && run.status].filter(Boolean);
    const number = numbers.get(run.id);
    const title = `“${visible(cutWords(run.title || "Untitled", TITLE))}”`;
    return [number && `run ${int(number)}`, title, known.length && `(${known.join(", ")})`].filter(Boolean).join(" ");
  });
  const more = runs.length > NAMED ? ` and ${int(runs.length - NAMED)} more` : "";
  const stopped = busy.length ? ` ${whoStops(busy.length, runs.length)} stopped first.` : "";
  const undo = `You can undo it for a minute${busy.length ? ", but not the stop" : ""}; then the files are removed from this machine.`;
  return `Delete ${pluralize(runs.length, "run")}: ${names.join(", ")}${more}?${stopped} ${undo}`;
}

/** @param {number} busy @param {number} all */
function whoStops(busy, all) {
  if (all === 1) return "It is in the middle of a turn and is";
  if (busy === all) return "They are in the middle of a turn and are";
  return busy === 1 ? "One of them is in the middle of a turn and is" : `${int(busy)} of them are in the middle of a turn and are`;
}

/** @param {string} path @param {object} body @returns {Promise<any>} */
const send = (path, body) => fetchJson(`api/runs/${path}`, posting(body)).catch((error) => ({ error: problemText(error) }));
