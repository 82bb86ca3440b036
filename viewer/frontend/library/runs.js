// The Runs page: every run of an agent on this machine, opened by click or Enter, several deleted at once.
import { attribute, button, el, visible, write } from "../lib/dom.js";
import { int, pluralize, short } from "../lib/format.js";
import { fetchJson } from "../lib/json.js";
import { undoes } from "../lib/keys.js";
import { ListPlace } from "../lib/listplace.js";
import { searchField } from "../lib/longlist.js";
import { problemText } from "../lib/problem.js";
import { Table, sortIn, sortText } from "../lib/table.js";
import { themeOf } from "../lib/theme.js";
import { reasonWords, statusTitle } from "../run/statuswords.js";
import { ShareDialog } from "../share/dialog.js";
import { ofList, ofSession } from "../share/subjects.js";
import { Bare } from "./bare.js";
import { ListKeys } from "./listkeys.js";
import { RunActions } from "./runactions.js";
import { about, costText, costWhy, listed, numbered, parentName, resumable } from "./runlist.js";
import { when } from "./when.js";
/** @import { RunRow } from "./runlist.js" */
/** @import { Sort } from "../lib/table.js" */

const POLL = 2000;
const COST =
  "Cost of the model calls in US dollars, as the server reported it. ≥: it reported none for some calls. –: for no call. free: the demo agent is a script";
const SENT =
  "The prompts of all model calls together, as the provider recorded them. Each call is sent the window again, so they are many times the transcript";
const COLUMNS = [
  { name: "title", label: "Run" },
  { name: "status", label: "Status" },
  { name: "policy", label: "Policy" },
  { name: "messages", label: "Messages", numeric: true },
  { name: "compactions", label: "Compactions", numeric: true, title: "Compactions of the policy; what a person took out is not among them" },
  { name: "calls", label: "Calls", numeric: true, title: "Model calls of the run" },
  { name: "tokens", label: "Tokens sent", numeric: true, title: SENT },
  { name: "cost", label: "Cost", numeric: true, title: COST },
  { name: "changed", label: "Last active", numeric: true },
];
/** @type {ConstructorParameters<typeof ListKeys>[2]} */
const KEYS = {
  title: "Keys of Runs",
  keys: [
    [["Enter"], "open the run on Live"],
    [["Space"], "select the run, or let go of it"],
    [["Delete"], "delete the selected runs, or this one, once that is confirmed"],
    [["Ctrl Z"], "put back what was deleted within the last minute; ⌘ Z on a Mac"],
  ],
  search: "A run is found that holds every word you type in its title, model, policy or status. What is in quotes must stand there as you type it.",
};
/** @type {Sort} */
const NEWEST = { column: "changed", down: true };

export class Runs {
  /** @param {ParentNode} parent @param {(name: string, value: unknown) => void} tell */
  constructor(parent, tell) {
    this.tell = tell;
    this.kept = new ListPlace("runs", ["q", "sort"]);
    const { chosen, place } = this.kept.read();
    this.sort = sortIn(chosen.sort ?? "", COLUMNS, NEWEST);
    /** The place to return to, until it is shown. @type {typeof place | null} */ this.back = place;
    /** @type {RunRow[] | null} */ this.runs = null;
    /** Of those that have a title in common, by id. @type {Map<string, number>} */ this.numbers = new Map();
    /** @type {Set<string>} */ this.selected = new Set();
    this.known = "";
    this.stopped = false;
    this.root = el("div", { class: "fl-library fl-runs" });
    this.table = this.#table();
    const listeners = { input: () => this.#show(false), keydown: (/** @type {KeyboardEvent} */ event) => this.#key(event) };
    this.field = searchField("Search runs", "Search titles, models, policies and statuses", "fl-run-list", listeners);
    this.field.value = chosen.q ?? "";
    this.count = el("span", { class: "fl-pick-count", role: "status" });
    this.none = el("p", { class: "fl-pick-none", hidden: true });
    this.clearing = button("Clear search", () => (this.#clearSearch(), this.field.focus()), { class: "fl-link" });
    this.bare = new Bare({ ...NO_RUNS, press: () => this.tell("open", { id: "", resume: false }) });
    this.actions = new RunActions({
      tell,
      changed: () => void this.refresh(),
      restored: () => void this.refresh().then(() => this.table.list.node.focus()),
      numbers: () => this.numbers,
      clear: () => this.#select([]),
      all: () => this.#select(this.table.list.items.map(({ id }) => id)),
      share: () => this.share.open("html"),
    });
    this.share = this.#sharing();
    this.keys = new ListKeys(this.root, this.field, KEYS);
    const share = button("Share…", () => this.share.open("csv"), { class: "fl-library-share", title: "Hand on this list, or one run of it" });
    const head = el("header", { class: "fl-library-head" }, el("h1", { text: "Runs" }), this.field, this.count, share, this.keys.button);
    this.root.append(head, this.actions.root, this.table.root, this.none, this.bare.node, this.share.node);
    this.table.list.node.addEventListener("keydown", (event) => this.#key(event));
    this.table.sortedBy(this.sort);
    parent.append(this.root);
    void this.refresh();
  }

  /** Share, of the list, and of the run that is selected, or else highlighted. */
  #sharing() {
    return new ShareDialog({
      subject: ({ list }) => (list ? ofList("runs", this.#listed(), "run") : this.#one()),
      pictures: null,
      list: { label: "Runs", about: "A row for each run that is listed: its title, status, model, policy and figures." },
    });
  }

  #listed() {
    return this.table.list.items.map(({ id }) => id);
  }

  #one() {
    const { list } = this.table;
    const selected = (this.runs ?? []).filter(({ id }) => this.selected.has(id));
    const run = selected.length ? selected[0] : list.items[list.at];
    return run && selected.length < 2 ? ofSession({ run: run.id }, run.title || "Untitled") : null;
  }

  update() {
    this.root.dataset.theme = themeOf(this.root);
  }

  /** @returns {Table<RunRow>} */
  #table() {
    return new Table({
      label: "Runs",
      id: "fl-run-list",
      height: 62,
      columns: COLUMNS,
      row: (run) => this.#cells(run),
      take: (run) => this.#open(run, false),
      drawn: (node, run) => attribute(node, "title", visible(about(run))),
      point: () => attribute(this.field, "aria-activedescendant", this.table?.list.active),
      scrolled: () => this.#keepSoon(),
      sort: (sort) => {
        this.sort = sort;
        this.table.sortedBy(sort);
        this.#show(false);
      },
    });
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    event.stopPropagation();
    const { list } = this.table;
    if (undoes(event) && event.target !== this.field) void this.actions.undo();
    else if (event.key === "Escape" && this.field.value) this.#clearSearch();
    else if (event.key === "Delete" && event.target !== this.field) this.#askToDelete();
    else if (event.key === " " && event.target !== this.field && list.items[list.at]) this.#toggle(list.items[list.at]);
    else if (!list.key(event)) return;
    event.preventDefault();
  }

  #clearSearch() {
    this.field.value = "";
    this.#show(false);
  }

  /** Of the selected runs, or else of the highlighted one. */
  #askToDelete() {
    const { list } = this.table;
    const run = list.items[list.at];
    if (!this.selected.size && run) this.#toggle(run);
    if (this.selected.size) this.actions.confirm();
  }

  /** Ask for the runs, now and every two seconds: their status changes while they run. */
  async refresh() {
    clearTimeout(this.poll);
    this.actions.expire();
    const answer = await fetchJson("api/runs").catch((error) => ({ error: problemText(error) }));
    if (this.stopped) return;
    this.poll = setTimeout(() => void this.refresh(), POLL);
    if (answer.error) return this.#say(answer.error);
    const text = JSON.stringify(answer.rows);
    if (text === this.known) return;
    this.known = text;
    this.runs = answer.rows;
    this.numbers = numbered(answer.rows);
    const ids = new Set(answer.rows.map((/** @type {RunRow} */ { id }) => id));
    for (const id of this.selected) if (!ids.has(id)) this.selected.delete(id);
    this.#show(true);
    this.root.dataset.ready = "true";
  }

  /** @param {boolean} still  the list stays where it is scrolled to */
  #show(still) {
    const { runs, table } = this;
    if (!runs) return;
    const found = listed(runs, this.field.value, this.sort);
    const key = this.back?.at ?? (still ? table.list.items[table.list.at]?.id : "");
    const at = Math.max(
      0,
      found.findIndex(({ id }) => id === key),
    );
    table.show(found, at, still);
    if (this.back) table.list.node.scrollTop = this.back.top;
    this.back = null;
    write(this.count, found.length < runs.length ? `${int(found.length)} of ${pluralize(runs.length, "run")}` : pluralize(runs.length, "run"));
    this.#say(found.length || !runs.length ? "" : "No matching runs. Titles, models, policies and statuses were searched, not messages.");
    if (!this.none.hidden) this.none.append(" ", this.clearing);
    this.bare.show(!runs.length, this.actions.offers ? "No runs left" : NO_RUNS.title);
    this.#act();
    this.#keep();
  }

  #act() {
    const selected = (this.runs ?? []).filter(({ id }) => this.selected.has(id));
    this.actions.show(selected, this.table.list.items.length);
  }

  /** @param {string} text */
  #say(text) {
    this.none.hidden = !text;
    write(this.none, text);
  }

  #keep() {
    clearTimeout(this.keeping);
    const { list } = this.table;
    const sort = sortText(this.sort) === sortText(NEWEST) ? "" : sortText(this.sort);
    this.kept.write({ q: this.field.value.trim(), sort }, { top: list.node.scrollTop, at: list.items[list.at]?.id ?? "" });
  }

  #keepSoon() {
    clearTimeout(this.keeping);
    this.keeping = setTimeout(() => this.#keep(), 120);
  }

  /** @param {RunRow} run */
  #toggle({ id }) {
    if (!this.selected.delete(id)) this.selected.add(id);
    this.table.list.draw();
    this.#act();
  }

  /** @param {string[]} ids */
  #select(ids) {
    this.selected = new Set(ids);
    this.table.list.draw();
    this.table.list.node.focus();
    this.#act();
  }

  /** @param {RunRow} run @param {boolean} resume */
  #open(run, resume) {
    const { list } = this.table;
    list.at = list.items.indexOf(run);
    this.#keep();
    clearTimeout(this.keeping);
    this.tell("open", { id: run.id, resume });
  }

  /** @param {RunRow} run */
  #cells(run) {
    const box = el("input", {
      type: "checkbox",
      "aria-label": `Select ${visible(run.title || run.id)}`,
      tabindex: "-1",
      on: { change: () => this.#toggle(run) },
    });
    box.checked = this.selected.has(run.id);
    const where = (run.free ? [run.agent] : [run.model, run.agent]).filter(Boolean).join(" · "); // the demo agent's model is called "demo"
    const policy = [run.policy, run.settings].filter(Boolean);
    const what = el(
      "div",
      { class: "fl-listed-what" },
      el("span", { class: "fl-listed-title", dir: "auto" }, ...this.#number(run), visible(run.title || "Untitled")),
      el("span", { class: "fl-listed-where" }, ...this.#fork(run), visible(where)),
      el("span", { class: "fl-listed-where fl-run-policy", text: visible(policy.join(", ")) }),
    );
    const first = el("div", { class: "fl-run-first" }, el("label", {}, box), what);
    const status = el("span", { class: "fl-run-status", "data-status": run.status, text: statusTitle(run.status) });
    const reason = el("span", {
      class: "fl-listed-where",
      text: visible(reasonWords(run.status, run.why, run.problem)).replace(/ (?=\d+$)/, "\u00a0"),
    }); // "hit 5" stays on one line
    const resume = resumable(run)
      ? [button("Resume", () => this.#open(run, true), { class: "fl-link", tabindex: "-1", title: "Open on the Live page and continue" })]
      : [];
    const cost = el("span", { text: costText(run), title: costWhy(run) });
    const numbers = [int(run.messages), run.compactions ? int(run.compactions) : "–", int(run.calls), run.prompt ? short(run.prompt) : "–", cost];
    const standing = el("div", { class: "fl-listed-what" }, el("span", {}, status, ...resume), reason);
    const settings = el("span", { class: "fl-listed-where", text: visible(run.settings) });
    const rules = el("div", { class: "fl-listed-what" }, el("span", { text: visible(run.policy) }), settings);
    return [first, standing, rules, ...numbers, when(run.changed)];
  }

  /** @param {RunRow} run */
  #number({ id }) {
    const number = this.numbers.get(id);
    return number ? [el("span", { class: "fl-run-number", text: `Run ${int(number)}` }), " "] : [];
  }

  /** What it was forked from, which is cut where it is long, and where. @param {RunRow} run */
  #fork(run) {
    if (!run.fork) return [];
    const name = el("span", { text: visible(parentName(run, this.runs ?? [], this.numbers)) });
    return [el("span", { class: "fl-run-fork" }, "from\u00a0", name, visible(`\u00a0at ${run.forked_at}`))];
  }

  destroy() {
    this.stopped = true;
    this.keys.stop();
    for (const timer of [this.poll, this.keeping]) clearTimeout(timer);
    this.table.stop();
    this.root.remove();
  }
}

const NO_RUNS = {
  title: "No runs yet",
  about:
    "A run is an agent at work on the Live page. Each message, model call and compaction is saved as it happens: here you look at it again, continue it, fork it, or share it.",
  label: "Start a run on Live",
  does: "The demo agent works offline and needs no key.",
};
