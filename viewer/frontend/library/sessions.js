// A file or folder of many sessions: the one that is open as a card in the sidebar, and the dialog it opens to choose another.
import { attribute, button, el, visible, write } from "../lib/dom.js";
import { int, pluralize } from "../lib/format.js";
import { LongList, searchField } from "../lib/longlist.js";
import { themeOf } from "../lib/theme.js";
import { titleWords } from "../lib/titlewords.js";

/**
 * One session: its number where that is known, title, messages, tokens by the default meter, compactions, its address, and "".
 * Of a file that was not read: no number, its path, three times 0, its address, and what is said of it.
 * @typedef {[number | null, string, number, number, number, string, string]} Row
 */

/** The rows whose title, number or address holds every word that is typed. @param {Row[]} rows @param {string} query */
export function matching(rows, query) {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const text = (/** @type {Row} */ [n, title, , , , address]) => `${n ?? ""} ${title} ${address}`.toLowerCase();
  return words.length ? rows.filter((row) => words.every((word) => text(row).includes(word))) : rows;
}

/** How many sessions there are, and files that gave none: one may hold many. @param {Row[]} rows */
function countedWords(rows) {
  const files = rows.filter((row) => row[6]).length;
  const words = [rows.length - files && pluralize(rows.length - files, "session"), files && `${pluralize(files, "file")} not read`];
  return words.filter(Boolean).join(", ") || "0 sessions";
}

export class Sessions {
  /** @param {ParentNode} parent @param {(address: string) => void} choose */
  constructor(parent, choose) {
    this.choose = choose;
    this.opened = "";
    this.card = button("", () => this.open(), { class: "fl-chosen", "aria-haspopup": "dialog", title: "Choose another session of this file" });
    this.dialog = el("dialog", { class: "fl-pick fl-sessions", "aria-labelledby": "fl-sessions-title" });
    this.list = new LongList({
      label: "Sessions",
      id: "fl-session-list",
      height: 34,
      row: (row) => this.#row(row),
      take: (row) => this.#take(row[5]),
      point: () => this.#pointed(),
    });
    this.root = el("div", { class: "fl-chooser" }, this.card, this.dialog);
    this.field = searchField("Search sessions", "Search by title, number or path", "fl-session-list", { input: () => this.#search(0) });
    this.how = el("span", { class: "fl-pick-count", role: "status" });
    this.none = el("p", { class: "fl-pick-none", text: "No matching sessions", hidden: true });
    this.#furnish();
    parent.append(this.root);
  }

  /** @param {{file: string, rows: Row[], address: string, ask: boolean}} data  `ask`: nobody has chosen one yet */
  update(data) {
    this.root.dataset.theme = themeOf(this.root);
    if (!data?.rows) return;
    this.data = data;
    const here = data.rows[this.#place()];
    const number = here?.[0] ?? null;
    this.card.replaceChildren(
      el("span", { class: "fl-chosen-name", text: number === null ? "Session" : `Session ${int(number)}` }),
      el("span", { class: "fl-fidelity", text: `${int(data.rows.length)} in all` }),
      el("span", { class: "fl-chosen-line", dir: "auto", text: visible(titleWords(here?.[1] || "Untitled")) }),
      el("span", { class: "fl-chosen-more", text: "All sessions…" }),
    );
    if (data.ask && this.opened !== data.file) this.open();
    this.opened = data.file;
  }

  open() {
    if (!this.data || this.dialog.open) return;
    this.field.value = "";
    this.took = false;
    this.dialog.showModal();
    this.#search(this.#place());
    this.field.focus();
  }

  #furnish() {
    const close = button("×", () => this.dialog.close(), { class: "fl-icon", "aria-label": "Close" });
    const head = el("header", {}, el("h2", { id: "fl-sessions-title", text: "Choose a session" }), this.field, this.how, close);
    const columns = el(
      "div",
      { class: "fl-session fl-session-head", "aria-hidden": "true" },
      ...["#", "title", "messages", "~tokens", "compactions"].map((text) => el("span", { text })),
    );
    const foot = el(
      "footer",
      {},
      el("span", { text: "↑ ↓ move · Enter opens · Esc closes" }),
      el("span", { text: "~tokens: each by the default meter of its session" }),
    );
    this.dialog.append(el("div", { class: "fl-sessions-box" }, head, columns, this.list.node, this.none, foot));
    this.dialog.addEventListener("keydown", (event) => this.#key(event));
    this.dialog.addEventListener("click", (event) => event.target === this.dialog && this.dialog.close());
    this.dialog.addEventListener("close", () => (this.took ? this.card.blur() : this.card.focus())); // then the keys are the debugger's again
  }

  /** Where the open session stands in the list. */
  #place() {
    const { rows = [], address = "" } = this.data ?? {};
    return Math.max(
      0,
      rows.findIndex((row) => row[5] === address),
    );
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    event.stopPropagation();
    if (event.target === this.field && this.list.key(event)) event.preventDefault();
  }

  /** @param {number} at */
  #search(at) {
    const found = matching(this.data?.rows ?? [], this.field.value);
    write(this.how, countedWords(found));
    this.none.hidden = found.length > 0;
    this.list.show(found, at);
  }

  #pointed() {
    attribute(this.field, "aria-activedescendant", this.list.active);
  }

  /** @param {Row} row */
  #row([number, title, messages, tokens, compactions, address, about]) {
    const now = address === this.data?.address ? "true" : null;
    const cells = [
      el("span", { text: number === null ? "" : int(number) }),
      el("span", { dir: "auto", text: visible(titleWords(title || "Untitled")), title: visible(title) }),
    ];
    const sizes = [int(messages), int(tokens), compactions ? int(compactions) : "–"].map((text) => el("span", { text }));
    const rest = about ? [el("span", { class: "fl-session-about", dir: "auto", text: visible(about), title: visible(about) })] : sizes;
    return [el("div", { class: "fl-session", "data-now": now }, ...cells, ...rest)];
  }

  /** @param {string} address */
  #take(address) {
    this.took = true;
    this.dialog.close();
    if (address !== this.data?.address || this.data?.ask) this.choose(address);
  }

  destroy() {
    this.list.stop();
    this.root.remove();
  }
}
