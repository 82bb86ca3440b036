// The table under the map: each session as recorded and under the setting that is shown, what it costs more or less, and what it loses.
import { attribute, el, visible } from "../lib/dom.js";
import { int } from "../lib/format.js";
import { Table, compared } from "../lib/table.js";
import { titleWords } from "../lib/titlewords.js";
import { debugLink, placeQuery } from "./links.js";
import { allTitle, brief, change, money, rate, sumOver } from "./words.js";
/** @import { Sort } from "../lib/table.js" */
/** @import { Tuning } from "./tuning.js" */
/** @import { Line, SessionFacts } from "./types.js" */

const COLUMNS = [
  { name: "title", label: "Session" },
  { name: "agent", label: "Agent" },
  { name: "messages", label: "Messages", numeric: true },
  { name: "tokens", label: "~Tokens", numeric: true },
  { name: "before", label: "As recorded", numeric: true },
  { name: "after", label: "Setting", numeric: true },
  { name: "change", label: "Cost", numeric: true },
  { name: "bar", label: "", title: "Cost beside as recorded: cheaper to the left, dearer to the right" },
  { name: "misses", label: "Misses", numeric: true },
  { name: "compactions", label: "Compactions", numeric: true },
];

/** @typedef {{session: SessionFacts | null, line: Line}} Item  a session, or all of them in one */

export class SessionTable {
  /** @param {Tuning} tuning */
  constructor(tuning) {
    this.tuning = tuning;
    /** @type {Sort} */ this.sort = { column: "change", down: true };
    /** How many rows there are. */ this.rows = 0;
    /** The largest change, which fills its half of the bar. */ this.widest = 1;
    /** @type {Table<Item>} */ this.table = new Table({
      label: "Sessions",
      id: "fl-tune-sessions",
      height: 26,
      columns: COLUMNS,
      row: (item) => this.#row(item),
      drawn: (node, { session, line }) => {
        attribute(node, "data-all", session === null);
        attribute(node, "data-failed", line[9] !== "");
      },
      take: (item) => this.#open(item),
      sort: (sort) => {
        this.sort = sort.column === "bar" ? { column: "change", down: !this.sort.down } : sort;
        this.draw();
      },
    });
    this.table.list.node.addEventListener("keydown", (event) => {
      if (this.table.list.key(event)) {
        event.preventDefault();
        event.stopPropagation();
      }
    });
    this.root = el("section", { class: "fl-tune-card fl-tune-tablecard", "aria-label": "Sessions" }, this.table.root);
  }

  draw() {
    const { tuning } = this;
    const { picture, shown } = tuning;
    const lines = new Map((picture?.table ?? []).map((line) => [line[0], line]));
    const none = /** @type {Line} */ ([0, null, null, null, null, null, null, null, null, ""]);
    const items = tuning.sessions.map((session, k) => ({ session, line: lines.get(k) ?? none }));
    const sorted = items.sort((a, b) => compared(this.#value(a), this.#value(b), this.sort.down));
    this.widest = Math.max(0.05, ...items.map(({ line }) => Math.abs(this.#change(line).part)));
    const name = shown === null ? "Setting" : tuning.nameOf(shown);
    const pointed = tuning.elsewhere;
    attribute(this.root, "data-shown", shown !== null);
    attribute(this.root, "data-pointed", pointed);
    this.table.name("title", pointed ? `Session, under ${name}, pointed at` : "Session");
    this.table.name("after", name);
    this.table.name("change", tuning.prices ? "Cost" : "Tokens");
    this.table.name("before", "As recorded");
    this.table.sortedBy(this.sort);
    const all = { session: null, line: this.#whole() };
    const shownRows = [...(items.length > 1 ? [all] : []), ...sorted];
    this.rows = shownRows.length;
    this.table.show(shownRows, Math.max(0, this.table.list.at), true);
  }

  /** All sessions as one line. @returns {Line} */
  #whole() {
    const { picture, shown } = this.tuning;
    return [0, ...sumOver(picture, picture?.recorded), ...sumOver(picture, picture?.cells[shown ?? -1]), ""];
  }

  /** @param {Line} line */
  #change(line) {
    return this.tuning.prices ? change(line[5], line[1]) : change(line[8], line[4]);
  }

  /** @param {Item} item @returns {number | string | null} */
  #value({ session, line }) {
    const priced = this.tuning.prices !== null;
    const before = priced ? line[1] : line[4];
    const after = priced ? line[5] : line[8];
    /** @type {{[column: string]: number | string | null}} */
    const values = {
      title: session?.title ?? "",
      agent: session?.agent ?? "",
      messages: session?.messages ?? 0,
      tokens: session?.tokens ?? 0,
      before,
      after,
    };
    if (this.sort.column in values) return values[this.sort.column];
    if (this.sort.column === "misses") return line[6];
    return this.sort.column === "compactions" ? line[7] : after === null || before === null ? null : this.#change(line).part;
  }

  /** @param {Item} item @returns {(Node | string)[]} */
  #row({ session, line }) {
    const { sessions, prices } = this.tuning;
    const worth = (/** @type {number | null} */ cost, /** @type {number | null} */ sent) =>
      prices ? money(cost) : sent === null ? "–" : brief(sent);
    const facts = session ?? {
      title: allTitle(sessions.length, this.tuning.picture),
      agent: "",
      messages: sum(sessions, "messages"),
      tokens: sum(sessions, "tokens"),
    };
    const whole = session ? visible(facts.title) : null;
    const first = el("span", { class: "fl-tune-title", dir: session && "auto", text: visible(titleWords(facts.title)), title: whole });
    if (line[9]) first.append(el("span", { class: "fl-tune-failed", text: ` left out: ${visible(line[9])}` }));
    const { text, tone, part } = this.#change(line);
    const by = el("span", { class: tone ? `fl-tune-${tone}` : "" }, text, tone ? el("span", { class: "fl-said", text: `, ${tone}` }) : "");
    return [
      first,
      visible(facts.agent),
      int(facts.messages),
      el("span", { title: session ? `by ${session.meter}` : null, text: brief(facts.tokens) }),
      el("span", { class: "fl-tune-mute", text: worth(line[1], line[4]) }),
      worth(line[5], line[8]),
      by,
      this.#bar(part, session === null),
      led(line[2] === null ? "–" : rate(line[2]).replace(" %", ""), rate(line[6])),
      led(line[3] === null ? "–" : int(line[3]), line[7] === null ? "–" : int(line[7])),
    ];
  }

  /** @param {number} part @param {boolean} whole */
  #bar(part, whole) {
    const bar = el("i", { "data-tone": part < 0 ? "better" : "worse", hidden: part === 0 });
    bar.style.width = `${Math.min(50, (50 * Math.abs(part)) / this.widest).toFixed(1)}%`;
    return el("span", { class: "fl-tune-bar", "aria-hidden": "true", "data-all": whole }, bar);
  }

  /** @param {Item} item */
  #open({ session }) {
    const { tuning } = this;
    if (!session || !tuning.picture?.query.policy) return;
    const open = { source: tuning.data?.source ?? "", session: tuning.data?.session ?? "" };
    const terms = { meter: tuning.linkMeter, summaries: tuning.chosen.summaries };
    location.assign(new URL(debugLink(placeQuery(session, open), tuning.settingFor(session, tuning.picture.query), terms), document.baseURI));
  }

  stop() {
    this.table.stop();
  }
}

/** What was, and what it led to. @param {string} before @param {string} after */
const led = (before, after) => el("span", {}, el("span", { class: "fl-tune-mute", text: `${before} → ` }), after);

/** @param {SessionFacts[]} sessions @param {"messages" | "tokens"} what */
const sum = (sessions, what) => sessions.reduce((total, one) => total + one[what], 0);
