// The library: every session on this machine in one list, searched while typing; opened by click or Enter.
import { attribute, button, el, visible, write } from "../lib/dom.js";
import { int, pluralize, short } from "../lib/format.js";
import { watchDrops } from "../lib/drop.js";
import { LongList, searchField } from "../lib/longlist.js";
import { themeOf } from "../lib/theme.js";

const POLL = 700;
const TYPING = 120;
const [START, END] = ["\ue000", "\ue001"];

/**
 * @typedef {[path: string, number: number, agent: string, format: string, title: string, project: string, model: string,
 * messages: number, turns: number, tokens: number, compactions: number, subagents: number, ended: string]} Row
 * @typedef {{done: number, total: number, now: string, building: boolean}} Progress
 * @typedef {{rows: Row[], found: string[], total: number, agents: [string, number][], progress: Progress}} Answer
 */

/** "14:26" today, "Mon 14:26" this week, "12 Mar", "12 Mar 2025". @param {string} iso @param {Date} [now] */
export function when(iso, now = new Date()) {
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return "";
  const days = (now.getTime() - at.getTime()) / 86_400_000;
  const clock = at.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
  if (days < 1 && at.getDate() === now.getDate()) return clock;
  if (days < 6) return `${at.toLocaleDateString("en-GB", { weekday: "short" })} ${clock}`;
  const year = at.getFullYear() === now.getFullYear() ? {} : { year: /** @type {const} */ ("numeric") };
  return at.toLocaleDateString("en-GB", { day: "numeric", month: "short", ...year });
}

/** The last two parts of a path. @param {string} path */
export const tail = (path) => path.split(/[\\/]/).filter(Boolean).slice(-2).join("/");

export class Library {
  /** @param {ParentNode} parent @param {(path: string, number: number) => void} open @param {(trigger: string, value: string) => void} tell */
  constructor(parent, open, tell) {
    this.open = open;
    this.tell = tell;
    this.stopped = new AbortController();
    this.agent = "";
    /** @type {string | null} */ this.places = null;
    /** @type {string | null} */ this.query = null;
    this.asked = 0;
    /** @type {Row[]} */ this.rows = [];
    /** @type {string[]} */ this.found = [];
    this.list = new LongList({
      label: "Sessions",
      id: "fl-library-list",
      height: 52,
      row: (k) => this.#row(k),
      take: (k) => this.#take(k),
      point: () => this.#pointed(),
    });
    this.root = el("div", { class: "fl-library" });
    this.field = searchField("Search sessions", "Search titles, projects, file names and message text", "fl-library-list", {
      input: () => this.#typed(),
      keydown: (event) => this.#key(event),
    });
    this.total = el("span", { class: "fl-pick-count", role: "status" });
    this.chips = el("div", { class: "fl-library-agents", role: "group", "aria-label": "Agents" });
    this.state = el("div", { class: "fl-library-state", role: "status", hidden: true }, el("span", { class: "fl-library-bar" }, el("i")), el("span"));
    this.none = el("p", { class: "fl-pick-none", hidden: true });
    this.#furnish();
    parent.append(this.root);
    watchDrops(this, this.stopped.signal);
  }

  /** @param {{places: string[]}} data  where is looked: asked anew when that changes */
  update(data) {
    this.root.dataset.theme = themeOf(this.root);
    const places = (data?.places ?? []).join("\n");
    if (places === this.places) return;
    this.places = places;
    void this.refresh();
  }

  #furnish() {
    const head = el("header", { class: "fl-library-head" }, el("h1", { text: "Library" }), this.field, this.total);
    const columns = el(
      "div",
      { class: "fl-listed-row fl-session-head", "aria-hidden": "true" },
      ...["session", "agent", "messages", "~tokens", "compactions", "last"].map((text) => el("span", { text })),
    );
    this.root.append(head, this.chips, this.state, columns, this.list.node, this.none);
    this.root.addEventListener("keydown", (event) => event.target === this.root && this.#key(event));
  }

  #typed() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.refresh(), TYPING);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    event.stopPropagation();
    if (this.list.key(event)) event.preventDefault();
    else if (event.key === "Escape" && this.field.value) {
      this.field.value = "";
      void this.refresh();
    }
  }

  /** Ask for what matches; again while the index is being built. */
  async refresh() {
    clearTimeout(this.poll);
    const turn = ++this.asked;
    const query = new URLSearchParams({ q: this.field.value, agent: this.agent });
    const answer = await fetch(new URL(`api/library?${query}`, document.baseURI)).then(
      (a) => a.json(),
      () => null,
    );
    if (turn !== this.asked) return;
    if (!answer || answer.error) {
      this.root.dataset.ready = "true";
      return this.#say(answer ? [answer.error, answer.hint].filter(Boolean).join("; ") : "The server does not answer. Is foldline still running?");
    }
    this.#show(answer);
  }

  /** @param {Answer} answer */
  #show({ rows, found, total, agents, progress }) {
    const same = rows.length === this.rows.length && rows.every((row, k) => row.every((value, c) => value === this.rows[k][c]));
    const held = this.list.at ? nameOf(this.rows[this.list.at]) : ""; // while sessions are found, the highlight stays on its own
    this.rows = rows;
    this.found = found;
    write(this.total, pluralize(total, "session"));
    this.#agents(agents);
    this.#progress(progress);
    const typed = this.field.value.trim();
    this.#say(
      rows.length
        ? ""
        : typed
          ? "No matching sessions"
          : progress.building
            ? "Looking for sessions…"
            : "No sessions found. Add a folder with transcripts in the sidebar, or open a transcript by its path.",
    );
    const at =
      this.query === typed && held
        ? Math.max(
            0,
            rows.findIndex((row) => nameOf(row) === held),
          )
        : 0;
    if (!same || this.query !== typed)
      this.list.show(
        rows.map((_, k) => k),
        at,
      );
    this.query = typed;
    if (progress.building) this.poll = setTimeout(() => void this.refresh(), POLL);
    this.root.dataset.ready = progress.building ? "false" : "true";
  }

  /** @param {string} text  what becomes of files that were dropped */
  message(text) {
    this.#say(text);
  }

  /** @param {string} text */
  #say(text) {
    this.none.hidden = !text;
    write(this.none, text);
  }

  /** @param {[string, number][]} agents */
  #agents(agents) {
    const held =
      this.agent && !agents.some(([name]) => name === this.agent) ? [...agents, /** @type {[string, number]} */ ([this.agent, 0])] : agents;
    const all = agents.reduce((sum, [, n]) => sum + n, 0);
    const chip = (/** @type {string} */ name, /** @type {string} */ label, /** @type {number} */ n) =>
      button(`${label} ${int(n)}`, () => this.#filter(name), { class: "fl-library-agent", "aria-pressed": String(name === this.agent) });
    const chips = agents.length > 1 || this.agent ? [chip("", "All", all), ...held.map(([name, n]) => chip(name, name, n))] : [];
    if (this.chips.textContent !== chips.map((node) => node.textContent).join("") || this.pressed !== this.agent)
      this.chips.replaceChildren(...chips);
    this.pressed = this.agent;
    this.chips.hidden = !chips.length;
  }

  /** @param {string} name */
  #filter(name) {
    this.agent = name;
    void this.refresh();
    this.field.focus();
  }

  /** @param {Progress} progress */
  #progress({ done, total, now, building }) {
    this.state.hidden = !building;
    const [bar, text] = this.state.children;
    /** @type {HTMLElement} */ (bar.firstChild).style.width = `${total ? (100 * done) / total : 0}%`;
    write(text, total ? `Reading ${int(done)} of ${int(total)}: ${now}` : "Looking for sessions…");
  }

  #pointed() {
    attribute(this.field, "aria-activedescendant", this.list.active);
  }

  /** @param {number} k */
  #row(k) {
    const [path, number, agent, , title, project, model, messages, , tokens, compactions, , ended] = this.rows[k];
    const place = `${tail(project || path)}${model ? ` · ${model}` : ""}${number ? ` · session ${int(number)}` : ""}`;
    const where = this.found[k] ? snippet(this.found[k]) : [visible(place)];
    const cells = [visible(agent), int(messages), short(tokens), compactions ? int(compactions) : "–", when(ended)];
    const name = el("span", { class: "fl-listed-title", text: visible(title) });
    const first = el("span", { class: "fl-listed-what" }, name, el("span", { class: "fl-listed-where" }, ...where));
    const node = el("div", { class: "fl-listed-row" }, first, ...cells.map((text) => el("span", { text })));
    node.title = `${path}\n${ended}`;
    return [node];
  }

  /** @param {number} k */
  #take(k) {
    const row = this.rows[k];
    if (row) this.open(row[0], row[1]);
  }

  destroy() {
    this.stopped.abort();
    clearTimeout(this.poll);
    clearTimeout(this.timer);
    this.list.stop();
    this.root.remove();
  }
}

/** @param {Row | undefined} row */
const nameOf = (row) => (row ? `${row[1]} ${row[0]}` : "");

/** A found text with the words marked. @param {string} text */
function snippet(text) {
  return text.split(START).flatMap((part, i) => {
    if (!i) return [visible(part)];
    const [word, rest = ""] = part.split(END);
    return [el("mark", { text: visible(word) }), visible(rest)];
  });
}
