// The library: every session on this machine in one list, searched while typing, sorted and filtered; opened by click or Enter.
import { attribute, button, el, visible, write } from "../lib/dom.js";
import { watchDrops } from "../lib/drop.js";
import { int, pluralize, tokens } from "../lib/format.js";
import { fetchJson } from "../lib/json.js";
import { ListPlace } from "../lib/listplace.js";
import { searchField } from "../lib/longlist.js";
import { onceDrawn } from "../lib/oncedrawn.js";
import { problemText } from "../lib/problem.js";
import { Table, sortIn, sortText } from "../lib/table.js";
import { themeOf } from "../lib/theme.js";
import { endedNodes } from "../lib/titled.js";
import { titleWords } from "../lib/titlewords.js";
import { lookFor } from "../run/lookedfor.js";
import { ShareDialog } from "../share/dialog.js";
import { ofList, ofSession } from "../share/subjects.js";
import { arranged, counted, fileName, sessionOf, tail, columnValue } from "./arranging.js";
import { Bare } from "./bare.js";
import { Filters } from "./filters.js";
import { ListKeys } from "./listkeys.js";
import { Snippets, snippetNodes } from "./snippets.js";
import { undated, when } from "./when.js";
/** @import { FileItem, Item, Row, Session } from "./arranging.js" */
/** @import { Sort } from "../lib/table.js" */

/** Milliseconds between two questions how far a build is; while nothing is listed, fewer. */
const [POLL, POLL_FIRST] = [700, 200];
const TYPING = 120;
const WORDS = /[\p{L}\p{N}]+/gu;
/** What must stand there as it is typed: in quotes, or a word with other characters inside, as core/library/query.py has it. */
const EXACT = /["“”„]|[\p{L}\p{N}][^\p{L}\p{N}\s]+[\p{L}\p{N}]/u;
const LOOKING = "Looking for sessions…";

const NO_SESSIONS = {
  title: "No sessions found",
  about:
    "The Library lists every session that agents such as Claude Code and Codex keep on this machine, and searches in all of them. None was found in the folders that it looks into.",
  label: "Add a folder…",
  does: "Or drop transcripts anywhere on this page.",
};

const COLUMNS = [
  { name: "title", label: "Session" },
  { name: "agent", label: "Agent" },
  { name: "messages", label: "Messages", numeric: true },
  {
    name: "tokens",
    label: "Transcript tokens",
    numeric: true,
    title:
      "The text of the transcript, counted once: all its messages and what its compactions added, as in the header of Debug and Live. Not what was sent: each call is sent the window again, with a system prompt and tools that many transcripts leave out. ~: an estimate for this model",
  },
  { name: "compactions", label: "Compactions", numeric: true, title: "Compactions that the session recorded, microcompactions among them" },
  { name: "ended", label: "Last message", numeric: true },
];
/** @type {Sort} */
const NEWEST = { column: "ended", down: true };
/** What no column orders. @type {Sort} */
const UNSORTED = { column: "", down: false };
const SEARCHED = "Searches titles, folders, messages, tool calls and tool output";

/** The keys, and what Enter does: a session may be chosen for a lesson. @param {string} lesson @returns {ConstructorParameters<typeof ListKeys>[2]} */
const keysFor = (lesson) => ({
  title: "Keys of the Library",
  keys: [
    [["Enter"], lesson ? `take the session to lesson ${lesson}` : "open the session in Debug"],
    [["→", "←"], "open, close a file of several sessions"],
  ],
  search:
    "A session is found that holds every word you type; the last one may be begun. What is in quotes, and a word such as git-ai, must stand there as you type it. Sessions that hold the words in a row come first.",
});

/** @typedef {{done: number, total: number, now: string, building: boolean}} Progress */

/** @param {Session} session */
const countWords = ({ tokens: counted, approximate, meter }) => (meter ? `${tokens(counted, approximate)} tokens by ${meter}` : "not read yet");

export class Library {
  /** @param {ParentNode} parent @param {(path: string, number: number) => void} open @param {(trigger: string, value: string) => void} tell */
  constructor(parent, open, tell) {
    this.open = open;
    this.tell = tell;
    this.stopped = new AbortController();
    this.kept = new ListPlace("library", ["q", "agent", "with", "sort"]);
    const { chosen, place } = this.kept.read();
    this.agent = chosen.agent ?? "";
    this.compacted = chosen.with === "compactions";
    /** NEWEST itself until a column is chosen: then what holds the words in a row comes first. */
    this.sort = sortIn(chosen.sort ?? "", COLUMNS, NEWEST);
    /** The place to return to, until it is shown. @type {typeof place | null} */ this.back = place;
    /** Files that a person opened or closed. @type {Set<string>} */ this.turned = new Set();
    /** The number of the lesson that a session is chosen for, "" for none. */ this.lesson = "";
    /** The folders that there are, each on a line; null until that is known. @type {string | null} */ this.places = null;
    this.asked = 0;
    /** @type {Session[]} */ this.sessions = [];
    /** @type {Item[]} */ this.items = [];
    /** @type {Set<number> | null} */ this.found = null;
    /** Those of them that hold the words in a row. @type {Set<number>} */ this.phrase = new Set();
    /** Whether what is listed is not yet what the words in the field find. */ this.searching = false;
    /** Whether Enter was pressed meanwhile: it means the first of what they find. */ this.entered = false;
    this.total = 0;
    /** Folders with more files than are looked at, and how many are. */ this.large = { folders: /** @type {string[]} */ ([]), most: 0 };
    /** The files that could not be read: how many, and of the first ones the name and why. */
    this.unread = { count: 0, files: /** @type {[name: string, why: string][]} */ ([]) };
    this.building = true;
    /** How many sessions are listed. */ this.listed = 0;
    /** What an empty list says, and for which query. */ this.said = "";
    /** How far the reading of the files is. */ this.reading = { total: 0, words: LOOKING };
    this.snippets = new Snippets(() => this.table.list.draw());
    this.table = this.#table();
    this.filters = new Filters({ agent: (name) => this.#choose({ agent: name }), compacted: (on) => this.#choose({ compacted: on }) });
    this.root = el("div", { class: "fl-library" });
    this.title = el("h1", { text: "Library" });
    const listeners = { input: () => this.#typed(), keydown: (/** @type {KeyboardEvent} */ event) => this.#key(event) };
    this.field = searchField("Search sessions", "Search titles, folders, messages and tool output", "fl-library-list", listeners);
    this.field.value = chosen.q ?? "";
    this.counted = el("span");
    this.whole = el("span", { class: "fl-listed-wide" });
    this.count = el("span", { class: "fl-pick-count", role: "status" }, this.counted, this.whole);
    this.all = button("Clear", () => this.#clearAll(), { class: "fl-link", title: "Clear search and filters", hidden: true });
    this.state = el("div", { class: "fl-library-state", role: "status", hidden: true }, el("span", { class: "fl-library-bar" }, el("i")), el("span"));
    this.none = el("p", { class: "fl-pick-none", hidden: true });
    this.bare = new Bare({ ...NO_SESSIONS, press: () => toFolderField() });
    this.foot = el("p", { class: "fl-library-foot fl-ended" });
    /** What the foot says where it names no path. */ this.searches = "";
    this.share = this.#sharing();
    this.keys = new ListKeys(this.root, this.field, keysFor(""));
    this.#furnish();
    parent.append(this.root);
    watchDrops(this, this.stopped.signal);
  }

  /** @returns {Table<Item>} */
  #table() {
    return new Table({
      label: "Sessions",
      id: "fl-library-list",
      height: 52,
      columns: COLUMNS,
      tree: true,
      row: (item) => (item.kind === "file" ? this.#fileCells(item) : this.#sessionCells(item.session, item.inside)),
      drawn: (node, item) => this.#drawn(node, item),
      take: (item) => this.#take(item),
      point: () => attribute(this.field, "aria-activedescendant", this.table?.list.active),
      scrolled: () => this.#keepSoon(),
      sort: (sort) => this.#choose({ sort }),
    });
  }

  #furnish() {
    const share = button("Share…", () => this.share.open("csv"), {
      class: "fl-library-share",
      title: "Hand on this list, or the highlighted session",
    });
    const head = el("header", { class: "fl-library-head" }, this.title, this.field, this.count, this.all, share, this.keys.button);
    this.root.append(head, this.filters.root, this.table.root, this.none, this.bare.node, this.foot, this.state, this.share.node);
    this.table.list.node.addEventListener("keydown", (event) => this.#key(event));
    this.root.addEventListener("focusout", () => write(this.foot, this.searches));
  }

  /** Share, of the list, and of the session whose row is highlighted. */
  #sharing() {
    return new ShareDialog({
      subject: ({ list }) => (list ? ofList("library", this.#listed(), "session") : this.#pointed()),
      pictures: null,
      list: { label: "Sessions", about: "A row for each session that is listed: its title, folder, path, model and figures." },
    });
  }

  /** The sessions that are listed, in order, those of closed files among them. */
  #listed() {
    const { found, first, agent, compacted, sort } = this;
    const { items } = arranged(this.sessions, { found, first, agent, compacted, sort, open: () => true });
    return items.flatMap((item) => (item.kind === "session" ? [item.session.id] : []));
  }

  #pointed() {
    const { list } = this.table;
    const item = list.items[list.at];
    if (item?.kind !== "session") return null;
    const { path, number, title } = item.session;
    return ofSession({ path, number: number ? String(number) : "" }, title);
  }

  /** @param {Session} session */
  #shareOne(session) {
    const { list } = this.table;
    list.point(list.items.findIndex((item) => item.kind === "session" && item.session === session));
    this.share.open("html");
  }

  /** @param {{places: string[], lesson?: string}} data  the folders that there are: asked anew when that changes; the lesson that a session is chosen for */
  update(data) {
    this.lesson = data?.lesson ?? "";
    this.keys.said = keysFor(this.lesson);
    write(this.title, this.lesson ? `Choose a session for lesson ${this.lesson}` : "Library");
    this.root.dataset.theme = themeOf(this.root);
    const places = (data?.places ?? []).join("\n");
    if (places === this.places) return;
    this.places = places;
    void this.refresh();
  }

  get query() {
    return this.field.value.trim();
  }

  #typed() {
    Object.assign(this, { searching: true, entered: false });
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.#search(), TYPING);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    event.stopPropagation();
    this.entered = this.searching && event.key === "Enter" && !event.isComposing && event.target === this.field;
    if (this.entered) return event.preventDefault();
    const item = this.table.list.items[this.table.list.at];
    const turns = event.target !== this.field && item?.kind === "file" && event.key === (item.open ? "ArrowLeft" : "ArrowRight");
    if (turns) this.#turn(item.path);
    else if (event.key === "Escape" && this.field.value) this.#clear();
    else if (!this.table.list.key(event)) return;
    else if (event.key !== "Enter") this.#tellPath();
    event.preventDefault();
  }

  /** Below the list, the whole path of the row that a key went to. */
  #tellPath() {
    const item = this.table.list.items[this.table.list.at];
    this.foot.replaceChildren(...endedNodes(visible(item.kind === "file" ? item.path : item.session.path)));
  }

  #clear() {
    this.field.value = "";
    void this.#search();
  }

  #clearAll() {
    Object.assign(this, { agent: "", compacted: false });
    this.field.focus();
    this.#clear();
  }

  /** @param {string} path @returns {Promise<any>}  the answer, or null after saying why there is none */
  async #answer(path) {
    try {
      return await fetchJson(path);
    } catch (error) {
      this.root.dataset.ready = "true";
      this.#say(problemText(error));
      return null;
    }
  }

  /** Ask for all sessions, and what matches; again while the index is being built. */
  async refresh() {
    clearTimeout(this.poll);
    const turn = ++this.asked;
    const answer = await this.#answer("api/library");
    if (turn !== this.asked || !answer) return;
    this.sessions = answer.rows.map((/** @type {Row} */ row) => sessionOf(row));
    Object.assign(this, { total: answer.total, large: answer.cut, unread: answer.unread });
    this.#progress(answer.progress);
    await this.#search(true);
    if (turn === this.asked) this.#pollSoon(answer.progress);
  }

  /** @param {Progress} last */
  #pollSoon(last) {
    if (last.building) this.poll = setTimeout(() => void this.#poll(last), this.sessions.length ? POLL : POLL_FIRST);
  }

  /** Ask how far the build is: the list is long, and is asked for only when there is more of it. @param {Progress} last */
  async #poll(last) {
    const turn = this.asked;
    const now = await this.#answer("api/library/progress");
    if (turn !== this.asked || !now) return;
    this.#progress(now);
    if (now.done !== last.done || now.total !== last.total || !now.building) return this.refresh();
    this.#pollSoon(now);
  }

  /** Ask what matches, and show it. @param {boolean} [still]  the same is looked for: the list stays where it is */
  async #search(still = false) {
    clearTimeout(this.timer);
    const { query } = this;
    if (query) {
      const answer = await this.#answer(`api/library/search?${new URLSearchParams({ q: query })}`);
      if (query !== this.query) return;
      if (!answer) return void Object.assign(this, { searching: false, entered: false });
      Object.assign(this, { found: new Set(answer.ids), phrase: new Set(answer.phrase) });
    } else Object.assign(this, { found: null, phrase: new Set() });
    if (!still) this.turned.clear();
    if (!still && sortText(this.sort) === sortText(NEWEST)) this.sort = NEWEST;
    this.snippets.of(query);
    this.#show(still);
    this.#found();
  }

  /** What is listed is what the words find: Enter takes it. */
  #found() {
    const { list } = this.table;
    const item = this.entered ? list.items[list.at] : undefined;
    Object.assign(this, { searching: false, entered: false });
    if (item) this.#take(item);
  }

  /** @param {{agent?: string, compacted?: boolean, sort?: Sort}} chosen */
  #choose({ agent = this.agent, compacted = this.compacted, sort = this.sort }) {
    Object.assign(this, { agent, compacted, sort });
    this.#show(false);
  }

  /** What is listed before the others, unless a column was chosen to sort by. */
  get first() {
    return this.sort === NEWEST ? this.phrase : undefined;
  }

  /** @param {string} path  a file to open, or to close */
  #turn(path) {
    if (!this.turned.delete(path)) this.turned.add(path);
    this.#show(true);
  }

  /** @param {boolean} still */
  #show(still) {
    const { found, first, agent, compacted, sort } = this;
    const { list } = this.table;
    const open = (/** @type {string} */ path) => this.turned.has(path) !== (found !== null); // a search shows what it found
    const now = arranged(this.sessions, { found, first, agent, compacted, sort, open });
    const held = still && (list.at || list.node.scrollTop); // at the very top the newest stays on top
    const key = this.back?.at ?? (held ? list.items[list.at]?.key : "");
    const at = Math.max(0, key ? now.items.findIndex((item) => item.key === key) : 0);
    this.table.show(now.items, at, still || this.back !== null);
    this.#goBack(now.items.length);
    const agents = [...counted(this.sessions, "agent")].sort(([a, n], [b, m]) => m - n || a.localeCompare(b)).map(([name]) => name);
    this.filters.show(agents, now, this);
    this.#words(now.shown);
    if (!this.back) this.#keep();
    this.root.dataset.ready = this.building ? "false" : "true";
  }

  /** Scroll to where the list was when it was left. @param {number} count */
  #goBack(count) {
    if (!this.back || !(count || !this.building)) return;
    const { top } = this.back;
    this.back = null;
    this.table.list.node.scrollTop = top;
    this.table.list.draw();
  }

  /** How many there are, and what was searched. @param {Session[]} shown */
  #words(shown) {
    const known = this.sessions.length;
    const filtered = this.found !== null || Boolean(this.agent) || this.compacted;
    const whole = shown.filter(({ id }) => this.phrase.has(id)).length;
    const row = whole && whole < shown.length ? `, ${int(whole)} with the words in a row` : "";
    const ahead = row && this.first ? " first" : "";
    this.table.sortedBy(ahead ? UNSORTED : this.sort);
    const counted = filtered ? `${int(shown.length)} of ${pluralize(known, "session")}` : pluralize(this.total, "session");
    this.listed = shown.length;
    this.all.hidden = !filtered;
    attribute(this.count, "data-filtered", filtered);
    write(this.counted, this.building && !this.listed ? "" : counted);
    write(this.whole, filtered ? row + ahead : "");
    const partly = this.sessions.filter(({ unsearched }) => unsearched).length;
    const searched = partly ? `${SEARCHED}; of ${pluralize(partly, "very long session")} only the beginning` : SEARCHED;
    const cut = this.total > known ? `The newest ${int(known)} of ${int(this.total)} are listed. ` : "";
    const { folders, most } = this.large;
    const large = folders.map((folder) => `Of ${visible(folder)} only the first ${int(most)} files are looked at: add a folder inside it for more. `);
    this.searches = `${large.join("")}${cut}${searched}.${unreadText(this.unread)}`;
    write(this.foot, this.searches);
    attribute(this.foot, "title", this.unread.files.map(([name, why]) => visible(`${name}: ${why}`)).join("\n") || null);
    this.#tellEmpty();
    this.bare.show(this.#empty);
  }

  /** Whether there is nothing to list: all has been read, or there is no folder to look in. */
  get #empty() {
    return !this.sessions.length && (!this.building || this.places === "");
  }

  /** An empty list says one thing: how far the reading is while there may be more, and then that nothing matches. */
  #tellEmpty() {
    const { building, listed, reading, sessions } = this;
    this.state.hidden = !building || !listed || !reading.total;
    const why = building && !this.#empty ? reading.words : sessions.length ? "No matching sessions" : "";
    this.#say(listed ? "" : why);
  }

  /** @param {string} text  what becomes of files that were dropped */
  message(text) {
    this.#say(text);
  }

  /** @param {string} text */
  #say(text) {
    this.none.hidden = !text;
    const said = `${text} ${this.query}`;
    if (said !== this.said)
      this.none.replaceChildren(
        el("span", { text }),
        ...(text.startsWith("No matching")
          ? [...this.#apart(), button("Clear search and filters", () => this.#clearAll(), { class: "fl-link" })]
          : []),
      );
    this.said = said;
  }

  /** A search for the words alone, where nothing holds them as they are typed. */
  #apart() {
    const words = (this.query.match(WORDS) ?? []).join(" ");
    const search = () => ((this.field.value = words), this.field.focus(), void this.#search());
    return this.found?.size === 0 && words && EXACT.test(this.query) ? [button(`Search for ${words}`, search, { class: "fl-link" })] : [];
  }

  /** @param {Progress} progress */
  #progress({ done, total, now, building }) {
    this.building = building;
    this.reading = { total, words: total ? `Reading ${int(done)} of ${int(total)}${now && `: ${now}`}` : LOOKING };
    const [bar, text] = this.state.children;
    /** @type {HTMLElement} */ (bar.firstChild).style.width = `${total ? (100 * done) / total : 0}%`;
    write(text, this.reading.words);
    this.#tellEmpty();
  }

  /** Keep what is chosen, and the place in the list. */
  #keep() {
    clearTimeout(this.keeping);
    const { list } = this.table;
    const sort = this.sort === NEWEST ? "" : sortText(this.sort);
    const chosen = { q: this.query, agent: this.agent, with: this.compacted ? "compactions" : "", sort };
    this.kept.write(chosen, { top: list.node.scrollTop, at: list.items[list.at]?.key ?? "" });
  }

  #keepSoon() {
    if (this.back) return;
    clearTimeout(this.keeping);
    this.keeping = setTimeout(() => this.#keep(), TYPING);
  }

  /** @param {Session} session @param {boolean} inside */
  #sessionCells(session, inside) {
    const {
      id,
      path,
      number,
      agent,
      title,
      project,
      model,
      messages,
      tokens: counted,
      meter: counter,
      approximate,
      compactions,
      ended,
      changed,
    } = session;
    const of = inside || number ? [`session ${int(number)}`] : [];
    const read = counter !== "";
    const place = inside ? "" : visible(tail(project || path));
    const rest = visible([...(place ? [""] : []), ...(model ? [model] : []), ...of].join(" · "));
    const snippet = this.snippets.get(id);
    const first = el(
      "div",
      { class: "fl-listed-what" },
      el("span", { class: "fl-listed-title fl-ended", dir: "auto" }, ...endedNodes(visible(titleWords(title)))),
      snippet
        ? el("span", { class: "fl-listed-where" }, ...snippetNodes(snippet))
        : el("span", { class: "fl-listed-where fl-ended" }, ...endedNodes(place), el("span", { class: "fl-listed-rest", text: rest })),
      button("Share…", () => this.#shareOne(session), {
        class: "fl-library-agent fl-listed-share",
        tabindex: "-1",
        "aria-label": `Share ${visible(title)}`,
      }),
    );
    const figures = read
      ? [int(messages), tokens(counted, approximate), compactions ? int(compactions) : "–", lastNode(ended, changed)]
      : ["…", "…", "…", "…"];
    return [first, visible(agent), ...figures];
  }

  /** @param {FileItem} item */
  #fileCells(item) {
    const value = (/** @type {string} */ column) => columnValue(item, column);
    const number = (/** @type {string} */ column) => int(Number(value(column)));
    const [shown, all] = [item.sessions.length, pluralize(item.all, "session")];
    const inFile = shown < item.all ? `${int(shown)} of ${all} in this file` : `${all} in this file`;
    const first = el(
      "div",
      { class: "fl-listed-what" },
      el(
        "span",
        { class: "fl-listed-title fl-ended" },
        el("span", { class: "fl-listed-twist", "aria-hidden": "true", text: item.open ? "▾ " : "▸ " }),
        el("bdi", { class: "fl-ended" }, ...endedNodes(visible(fileName(item.path)))),
      ),
      el(
        "span",
        { class: "fl-listed-where fl-ended" },
        el("span", { class: "fl-cut-end", text: `${inFile} · ` }),
        ...endedNodes(visible(tail(item.path))),
      ),
    );
    const about = item.sessions.some(({ approximate }) => approximate) ? "~" : "";
    const sum = value("tokens") === null ? "" : `${about}${number("tokens")}`;
    return [
      first,
      visible(item.sessions[0].agent),
      number("messages"),
      sum,
      value("compactions") ? number("compactions") : "–",
      lastNode(value("ended"), item.sessions[0].changed),
    ];
  }

  /** @param {HTMLElement} node @param {Item} item */
  #drawn(node, item) {
    attribute(node, "aria-level", item.kind === "session" && item.inside ? 2 : 1);
    const { kind } = item;
    if (kind === "file") attribute(node, "aria-expanded", String(item.open));
    node.title = visible(
      kind === "file" ? item.path : [item.session.title, item.session.path, ...timeWords(item.session), countWords(item.session)].join("\n"),
    );
  }

  /** @param {Item} item */
  #take(item) {
    if (item.kind === "file") return this.#turn(item.path);
    const { list } = this.table;
    list.at = list.items.indexOf(item);
    this.#keep();
    void this.#open(item.session);
  }

  /** Open a session; Debug finds there what was searched for. @param {Session} session */
  async #open({ id, path, number }) {
    const text = await this.snippets.textFor(id);
    lookFor(path, number, this.lesson ? "" : text);
    clearTimeout(this.keeping);
    this.open(path, number);
  }

  destroy() {
    this.stopped.abort();
    this.keys.stop();
    this.filters.stop();
    for (const timer of [this.poll, this.timer, this.keeping]) clearTimeout(timer);
    this.table.stop();
    this.root.remove();
  }
}

/** The files that are not listed, by the names of the first. @param {{count: number, files: [name: string, why: string][]}} unread */
function unreadText({ count, files }) {
  const names = files.slice(0, 3).map(([name]) => visible(name));
  const more = count > names.length ? ` and ${int(count - names.length)} more` : "";
  return count ? ` ${pluralize(count, "file")} could not be read: ${names.join(", ")}${more}.` : "";
}

/** The time of the last message, or why there is none; a file that is not read tells none. @param {Session} session */
const timeWords = ({ ended, changed, meter }) => (meter ? [ended || undated(changed)] : []);

/** The time of the last message, or a dash that says why there is none. @param {unknown} ended @param {string} changed */
const lastNode = (ended, changed) => (ended ? when(String(ended)) : el("span", { text: "–", title: undated(changed) }));

/** The field of the sidebar in which a folder is typed; a sidebar that is closed is opened. */
function toFolderField() {
  const shut = document.querySelector('[data-testid="stSidebar"][data-collapsed="true"]');
  const open = document.querySelector('[data-testid="stExpandSidebarButton"]');
  if (shut && open instanceof HTMLElement) open.click();
  onceDrawn(".st-key-new-place input", (field) => field.focus());
}
