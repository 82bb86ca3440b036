// The policy in the sidebar, as a card; and the dialog it opens, to choose another one by mouse, keys or search.
import { aboutPolicy, badge, trust } from "./aboutpolicy.js";
import { attribute, breakable, button, el, write } from "../lib/dom.js";
import { pluralize } from "../lib/format.js";
import { matching, moved, recordedEntry } from "./picking.js";
import { searchField } from "../lib/longlist.js";
import { themeOf } from "../lib/theme.js";
import { explained } from "../lib/tooltip.js";
import { WhatIf } from "./whatif.js";

const MOVES = ["ArrowDown", "ArrowUp", "PageDown", "PageUp"];
const ENDS = ["Home", "End"];

/** @typedef {import("./picking.js").Entry} Entry */

/**
 * The policy in use, as Python tells of it.
 * @typedef {{name: string, fidelity: string, fidelity_words?: string, not_modelled?: string[], about: string, recorded: string, ran?: string,
 *   compacted?: boolean, what_if?: {name: string, label: string}[], note?: string}} Chosen
 */

export class Chooser {
  /**
   * @param {ParentNode} parent  the shadow root to fill
   * @param {(name: string) => void} choose
   * @param {() => import("./picking.js").Catalogue | null} catalogue  null until it has arrived
   */
  constructor(parent, choose, catalogue) {
    this.choose = choose;
    /** @type {Entry | null} */ this.shown = null;
    /** @type {Map<string, Entry>} */ this.entries = new Map();
    /** @type {string[]} */ this.names = [];
    this.catalogue = catalogue;
    this.card = button("", () => this.open(), { class: "fl-chosen", "aria-haspopup": "dialog", title: "Choose another policy" });
    this.dialog = el("dialog", { class: "fl-pick", "aria-labelledby": "fl-pick-title" });
    this.whatIf = new WhatIf(choose);
    this.root = el("div", { class: "fl-chooser" }, this.card, this.whatIf.root, this.dialog);
    this.field = searchField("Search policies", "Search by name, family or description", "fl-pick-list", { input: () => this.#list() });
    this.how = el("span", { class: "fl-pick-count", role: "status" });
    this.list = el("div", { id: "fl-pick-list", role: "listbox", "aria-label": "Policies", class: "fl-pick-list" });
    this.about = el("section", { class: "fl-pick-about", tabindex: "0", "aria-label": "About this policy" });
    this.use = button("Use this policy", () => this.#take(this.at), { class: "fl-pick-use" });
    this.#furnish();
    parent.append(this.root);
  }

  /** @param {Chosen} data */
  update(data) {
    this.root.dataset.theme = themeOf(this.root);
    if (data?.name === undefined) return; // "" is a place that has no policy yet
    this.data = data;
    const recorded = recordedEntry(data.recorded);
    const line = data.name === data.recorded ? data.ran || recorded.about : data.about;
    const name = data.name === data.recorded ? recorded.title : data.name;
    this.card.replaceChildren(
      el("span", { class: "fl-chosen-name" }, ...breakable(name)),
      this.#badge(data) ?? "",
      el("span", { class: "fl-chosen-line", text: line }),
      el("span", { class: "fl-chosen-more", text: "All policies, rules and sources…" }),
    );
    this.whatIf.update(data);
    this.refresh();
  }

  /** How faithful the policy is; pointed at, or the card focused, what that means. @param {Chosen} data */
  #badge({ fidelity, fidelity_words: words, not_modelled }) {
    attribute(this.card, "aria-describedby", null);
    const node = badge(fidelity, not_modelled);
    if (!node || !words) return node;
    attribute(node, "title", null);
    return explained(node, trust(words, not_modelled), this.card);
  }

  /** Redraw the open dialog, as when the list arrives after it. */
  refresh() {
    if (this.dialog.open) this.#list();
  }

  open() {
    if (!this.data || this.dialog.open) return;
    this.field.value = "";
    this.at = this.data.name;
    this.dialog.showModal();
    this.#list();
    this.list.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "center" });
    this.field.focus();
  }

  #furnish() {
    this.list.addEventListener("click", (event) => this.#point(nameAt(event)));
    this.list.addEventListener("dblclick", (event) => this.#take(nameAt(event)));
    this.list.addEventListener("mousedown", (event) => event.preventDefault()); // the field keeps the focus
    this.dialog.addEventListener("keydown", (event) => this.#key(event));
    this.dialog.addEventListener("click", (event) => event.target === this.dialog && this.dialog.close());
    this.dialog.addEventListener("close", () => this.card.focus());
    const close = button("×", () => this.dialog.close(), { class: "fl-icon", "aria-label": "Close" });
    const head = el("header", {}, el("h2", { id: "fl-pick-title", text: "Choose a policy" }), this.field, this.how, close);
    const foot = el("footer", {}, el("span", { text: "↑ ↓ move · Enter selects · Esc closes" }), this.use);
    this.dialog.append(el("div", { class: "fl-pick-box" }, head, this.list, this.about, foot));
  }

  /** @param {KeyboardEvent} event  Streamlit's and the debugger's own keys stay quiet */
  #key(event) {
    event.stopPropagation();
    const typing = event.target === this.field;
    const moves = MOVES.includes(event.key) || (ENDS.includes(event.key) && event.ctrlKey);
    if (moves && (typing || this.list.contains(/** @type {Node} */ (event.target)))) {
      event.preventDefault();
      this.#point(moved(this.names, this.at ?? "", event.key));
    } else if (event.key === "Enter" && typing && !event.isComposing) {
      event.preventDefault();
      this.#take(this.at);
    }
  }

  /** The list for what is typed; the highlight stays if it can, else it is on the first. */
  #list() {
    const catalogue = this.catalogue();
    if (!catalogue || !this.data) return void this.list.replaceChildren(el("p", { text: "Loading…" }));
    const top = [{ name: "", policies: [recordedEntry(this.data.recorded)] }];
    const shown = matching([...top, ...catalogue.families], this.field.value);
    this.entries = new Map(shown.flatMap(({ policies }) => policies).map((entry) => [entry.name, entry]));
    this.names = [...this.entries.keys()];
    write(this.how, pluralize(this.names.filter((name) => name !== this.data?.recorded).length, "policy", "policies"));
    this.list.replaceChildren(...shown.map((family, i) => this.#family(family, i)));
    this.#point(this.entries.has(this.at ?? "") ? this.at : this.names[0]);
  }

  /** @param {import("./picking.js").Family} family @param {number} i */
  #family({ name, policies }, i) {
    const rows = policies.map((entry) => this.#option(entry));
    if (!name) return el("div", { role: "group", "aria-label": "No policy" }, ...rows);
    const heading = el("div", { id: `fl-family-${i}`, class: "fl-pick-family", role: "presentation", text: name });
    return el("div", { role: "group", "aria-labelledby": `fl-family-${i}` }, heading, ...rows);
  }

  /** @param {Entry} entry */
  #option({ name, title, fidelity, not_modelled, about }) {
    const recorded = name === this.data?.recorded;
    const now = name === this.data?.name && el("span", { class: "fl-pick-now", text: "in use" });
    return el(
      "div",
      { role: "option", id: `fl-option-${name}`, class: "fl-pick-option", "data-name": name, "aria-selected": "false" },
      el("span", { class: "fl-pick-name" }, ...breakable(recorded ? title : name)),
      now,
      badge(fidelity, not_modelled),
      el("span", { class: "fl-pick-text", text: about }),
    );
  }

  /** Highlight the policy of this name and describe it. @param {string | undefined} name */
  #point(name) {
    const entry = this.entries.get(name ?? "");
    const catalogue = this.catalogue();
    for (const node of this.list.querySelectorAll("[role=option]")) {
      attribute(node, "aria-selected", String(node.getAttribute("data-name") === name));
    }
    attribute(this.use, "aria-disabled", entry ? null : "true");
    attribute(this.field, "aria-activedescendant", entry ? `fl-option-${name}` : null);
    if (!entry || !catalogue) return void this.about.replaceChildren(el("p", { text: "No matching policies" }));
    if (this.shown !== entry) this.about.scrollTop = 0;
    this.shown = entry;
    this.at = entry.name;
    this.about.replaceChildren(...aboutPolicy(entry, catalogue));
    this.list.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
  }

  /** @param {string | undefined} name */
  #take(name) {
    if (!name || !this.entries.has(name)) return;
    this.dialog.close();
    if (name !== this.data?.name) this.choose(name);
  }

  destroy() {
    this.root.remove();
  }
}

/** @param {Event} event  the name of the policy whose row was pressed */
function nameAt(event) {
  const target = /** @type {Element} */ (event.target);
  return target.closest?.("[role=option]")?.getAttribute("data-name") ?? undefined;
}
