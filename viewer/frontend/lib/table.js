// A table of any length: column heads that sort it, and rows that are made for what is in view.
import { attribute, button, el, write } from "./dom.js";
import { LongList } from "./longlist.js";

/** A column: `numeric` sorts the largest first, `title` explains the head. @typedef {{name: string, label: string, title?: string, numeric?: boolean}} Column */
/** What a table is sorted by. @typedef {{column: string, down: boolean}} Sort */

/** A sort as the address has it: "tokens", or "-tokens" for the largest first. @param {Sort} sort */
export const sortText = ({ column, down }) => `${down ? "-" : ""}${column}`;

/** The sort that an address asks for, if the table has that column. @param {string} text @param {Column[]} columns @param {Sort} usual @returns {Sort} */
export function sortIn(text, columns, usual) {
  const column = text.replace(/^-/, "");
  return columns.some(({ name }) => name === column) ? { column, down: text.startsWith("-") } : usual;
}

/** What a click on a head sorts by: the other way round if it was sorted by it already. @param {Column} column @param {Sort} now @returns {Sort} */
export const nextSort = ({ name, numeric = false }, now) => ({ column: name, down: now.column === name ? !now.down : numeric });

/**
 * Compares values: numbers by size, texts as a reader would order them; what is not known comes last, either way.
 * @param {number | string | null} a @param {number | string | null} b @param {boolean} down
 */
export function compared(a, b, down) {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  const order = typeof a === "number" && typeof b === "number" ? a - b : ORDER.compare(String(a), String(b));
  return down ? -order : order;
}

const ORDER = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

/** @template T */
export class Table {
  /**
   * @param {{label: string, id: string, height: number, columns: Column[], tree?: boolean, row: (item: T) => (Node | string)[],
   * take: (item: T) => void, drawn?: (node: HTMLElement, item: T) => void, point?: () => void, scrolled?: () => void,
   * sort: (sort: Sort) => void}} how  `row` gives one cell for each column, `tree` is whether rows can be opened
   */
  constructor(how) {
    this.how = how;
    /** @type {Sort} */ this.sort = { column: "", down: false };
    this.list = new LongList({ ...how, grid: true, row: (item) => [this.#cells(how.row(item))] });
    this.heads = how.columns.map((column) => this.#head(column));
    const head = el(
      "div",
      { class: "fl-table-head", role: "rowgroup" },
      el("div", { class: "fl-listed-row", role: "row", "aria-rowindex": 1 }, ...this.heads),
    );
    this.root = el("div", { class: "fl-table", role: how.tree ? "treegrid" : "grid", "aria-label": how.label }, head, this.list.node);
  }

  /** Name a column, by what stands in it now. @param {string} column @param {string} label */
  name(column, label) {
    const head = this.heads.find((one) => one.dataset.column === column)?.querySelector("button");
    if (head) write(head, label);
  }

  /** @param {Column} column */
  #head(column) {
    const pressed = button(column.label, () => this.how.sort(nextSort(column, this.sort)), {
      title: column.title ?? `Sort by ${column.label.toLowerCase()}`,
    });
    return el("div", { role: "columnheader", "data-column": column.name }, pressed);
  }

  /** @param {(Node | string)[]} cells */
  #cells(cells) {
    const made = cells.map((cell, k) => el("div", { role: "gridcell", "data-column": this.how.columns[k].name }, cell));
    return el("div", { class: "fl-listed-row" }, ...made);
  }

  /** Say what the rows are sorted by. @param {Sort} sort */
  sortedBy(sort) {
    this.sort = sort;
    for (const head of this.heads) {
      const by = head.dataset.column === sort.column;
      attribute(head, "aria-sort", by ? (sort.down ? "descending" : "ascending") : null);
    }
  }

  /** @param {T[]} items @param {number} at @param {boolean} [still]  leave the list scrolled as it is */
  show(items, at, still = false) {
    attribute(this.root, "aria-rowcount", items.length + 1);
    if (still) this.list.replace(items, at);
    else this.list.show(items, at);
  }

  stop() {
    this.list.stop();
  }
}
