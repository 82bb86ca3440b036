// The table of a kept result: the sessions that lose most under the setting that is shown. Each opens Debug where most was lost.
import { el, visible } from "../lib/dom.js";
import { int } from "../lib/format.js";
import { Table } from "../lib/table.js";
import { debugLink } from "./links.js";
import { brief, money, rate } from "./words.js";
/** @import { Tuning } from "./tuning.js" */
/** @import { Loser } from "./types.js" */

const COLUMNS = [
  { name: "name", label: "Session", title: "The sessions that lose most, with their places" },
  { name: "misses", label: "Misses", numeric: true },
  { name: "miss_rate", label: "Miss rate", numeric: true },
  { name: "cost", label: "Cost", numeric: true },
  { name: "tokens_sent", label: "Tokens sent", numeric: true },
  { name: "compactions", label: "Compactions", numeric: true, title: "How often the window was rewritten" },
  { name: "message", label: "Most lost at", numeric: true, title: "The message at which what one compaction lost is first missed; the row opens it" },
];
/** What the server lists by. */
const FIGURES = ["misses", "miss_rate", "cost", "tokens_sent"];

/** The name of a file without its folders, which many share. @param {string} name */
const lastPart = (name) => name.match(/[^/\\]+$/)?.[0] ?? name;

export class LoserTable {
  /** @param {Tuning} tuning */
  constructor(tuning) {
    this.tuning = tuning;
    /** How many rows there are. */ this.rows = 0;
    /** @type {Table<Loser>} */ this.table = new Table({
      label: "Sessions that lose most",
      id: "fl-tune-losers",
      height: 26,
      columns: COLUMNS,
      row: (item) => this.#row(item),
      take: (item) => this.#open(item),
      sort: ({ column }) => FIGURES.includes(column) && tuning.listBy(column),
    });
    this.table.list.node.addEventListener("keydown", (event) => {
      if (!this.table.list.key(event)) return;
      event.preventDefault();
      event.stopPropagation();
    });
    this.root = el("section", { class: "fl-tune-card fl-tune-tablecard fl-tune-losers", "aria-label": "Sessions that lose most" }, this.table.root);
    this.root.hidden = true; // until the page knows that a kept result is open
  }

  draw() {
    const { tuning } = this;
    const shown = tuning.picture?.shown ?? null;
    this.table.name("name", shown === null ? "Session" : `Session, under ${tuning.nameOf(shown)}`);
    this.table.sortedBy({ column: tuning.figure, down: true });
    const worst = tuning.picture?.worst ?? [];
    this.rows = worst.length;
    this.table.show(worst, Math.max(0, this.table.list.at), true);
  }

  /** @param {Loser} item @returns {(Node | string)[]} */
  #row({ name, source, misses, miss_rate, cost, tokens_sent, compactions, message }) {
    const first = el("span", { class: "fl-tune-title", dir: "auto", text: visible(lastPart(name)), title: visible(name) });
    if (!source) first.append(el("span", { class: "fl-tune-mute", text: " not on this machine" }));
    return [
      first,
      int(misses),
      rate(miss_rate),
      money(cost),
      brief(tokens_sent),
      int(compactions),
      message === null ? "–" : `message ${int(message)}`,
    ];
  }

  /** @param {Loser} item */
  #open({ source, session, step, query }) {
    if (!source) return;
    const place = { source, session, step: step === null ? "" : String(step) };
    location.assign(new URL(debugLink(place, query, this.tuning.terms), document.baseURI));
  }

  stop() {
    this.table.stop();
  }
}
