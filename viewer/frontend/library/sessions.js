// A file of many sessions: the one that is open as a card in the sidebar, and the dialog it opens to choose another.
import { attribute, button, el, visible, write } from "../lib/dom.js";
import { int, pluralize } from "../lib/format.js";
import { LongList, searchField } from "../lib/longlist.js";
import { themeOf } from "../lib/theme.js";

/**
 * One session of a file: its number, title, messages, tokens by the default meter and compactions.
 * @typedef {[number, string, number, number, number]} Row
 */

/** The rows whose title or number holds every word that is typed. @param {Row[]} rows @param {string} query */
export function matching(rows, query) {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return words.length ? rows.filter(([n, title]) => words.every((word) => `${n} ${title.toLowerCase()}`.includes(word))) : rows;
}

export class Sessions {
  /** @param {ParentNode} parent @param {(number: number) => void} choose */
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
      take: (row) => this.#take(row[0]),
      point: () => this.#pointed(),
    });
    this.root = el("div", { class: "fl-chooser" }, this.card, this.dialog);
    this.field = searchField("Search sessions", "Search by title or number", "fl-session-list", { input: () => this.#search(0) });
    this.how = el("span", { class: "fl-pick-count", role: "status" });
    this.none = el("p", { class: "fl-pick-none", text: "No matching sessions", hidden: true });
    this.#furnish();
    parent.append(this.root);
  }

  /** @param {{file: string, rows: Row[], number: number, ask: boolean}} data  `ask`: nobody has chosen one yet */
  update(data) {
    this.root.dataset.theme = themeOf(this.root);
    if (!data?.rows) return;
    this.data = data;
    const here = data.rows[data.number];
    this.card.replaceChildren(
      el("span", { class: "fl-chosen-name", text: `Session ${int(data.number)}` }),
      el("span", { class: "fl-fidelity", text: `${int(data.rows.length)} in all` }),
      el("span", { class: "fl-chosen-line", text: visible(here?.[1] || "Untitled") }),
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
    this.#search(this.data.number);
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
    const foot = el("footer", {}, el("span", { text: "↑ ↓ move · Enter opens · Esc closes" }), el("span", { text: "~tokens: by its default meter" }));
    this.dialog.append(el("div", { class: "fl-sessions-box" }, head, columns, this.list.node, this.none, foot));
    this.dialog.addEventListener("keydown", (event) => this.#key(event));
    this.dialog.addEventListener("click", (event) => event.target === this.dialog && this.dialog.close());
    this.dialog.addEventListener("close", () => (this.took ? this.card.blur() : this.card.focus())); // then the keys are the debugger's again
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    event.stopPropagation();
    if (event.target === this.field && this.list.key(event)) event.preventDefault();
  }

  /** @param {number} at */
  #search(at) {
    const found = matching(this.data?.rows ?? [], this.field.value);
    write(this.how, pluralize(found.length, "session"));
    this.none.hidden = found.length > 0;
    this.list.show(found, at);
  }

  #pointed() {
    attribute(this.field, "aria-activedescendant", this.list.active);
  }

  /** @param {Row} row */
  #row([number, title, messages, tokens, compactions]) {
    const now = number === this.data?.number ? "true" : null;
    const cells = [int(number), visible(title || "Untitled"), int(messages), int(tokens), compactions ? int(compactions) : "–"];
    return [el("div", { class: "fl-session", "data-now": now }, ...cells.map((text) => el("span", { text })))];
  }

  /** @param {number} number */
  #take(number) {
    this.took = true;
    this.dialog.close();
    if (number !== this.data?.number || this.data?.ask) this.choose(number);
  }

  destroy() {
    this.list.stop();
    this.root.remove();
  }
}
