// The keys of a page that is one long list: "/" goes to its search, "?" lists them all.
import { dialogOf } from "../lib/dialog.js";
import { button, el } from "../lib/dom.js";
import { typing } from "../lib/keys.js";

/** Keys of every list. @type {[string[], string][]} */
const EVERY = [
  [["/"], "search"],
  [["↑", "↓"], "previous, next row, also while you type"],
  [["PgUp", "PgDn"], "a page up, down"],
  [["Home", "End"], "first, last row; with Ctrl while you type"],
  [["Esc"], "clear the search"],
  [["?"], "this list"],
];

export class ListKeys {
  /**
   * @param {HTMLElement} root @param {HTMLInputElement} field
   * @param {{title: string, keys: [string[], string][], search: string}} said  the keys of this list alone, and what can be searched
   */
  constructor(root, field, said) {
    this.root = root;
    this.field = field;
    this.said = said;
    this.stopped = new AbortController();
    this.button = button("?", () => this.#show(), { class: "fl-library-share", title: "Keys (?)", "aria-label": "Keys" });
    // Before the list has it: of a key that moves the highlight the page hears nothing.
    document.addEventListener("keydown", (event) => this.#key(event), { capture: true, signal: this.stopped.signal });
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (typing(event) || event.ctrlKey || event.metaKey || event.altKey || this.root.querySelector("dialog[open]")) return;
    if (event.key === "/") this.#search();
    else if (event.key === "?") this.#show();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  #search() {
    this.field.focus();
    this.field.select();
  }

  #show() {
    const { title, keys, search } = this.said;
    const rows = [...keys, ...EVERY].flatMap(([names, text]) => [
      el("dt", {}, ...names.flatMap((name) => [el("kbd", { text: name }), " "])),
      el("dd", { text }),
    ]);
    const node = dialogOf(title, "fl-list-keys", el("dl", { class: "fl-keys" }, ...rows), el("p", { text: search }));
    node.addEventListener("close", () => node.remove());
    node.addEventListener("keydown", (event) => event.key === "?" && node.close());
    this.root.append(node);
    node.showModal();
  }

  stop() {
    this.stopped.abort();
  }
}
