// A row of tabs and the panel below them: one Tab stop, left, right, Home and End between the tabs while one has the focus.

import { attribute, button, el, write } from "./dom.js";
import { int } from "./format.js";
import { leaveArrows } from "./keys.js";

/** A tab: its id, its name, and how many there are of what it shows; null while that is asked, -1 where it is not known or no number; what it means, where its name does not say it. @typedef {[id: string, name: string, count: number | null, about?: string]} Tab */

/** @param {number | null} count */
const counted = (count) => (count === null ? " …" : count >= 0 ? ` ${int(count)}` : "");

let made = 0;

export class Tabs {
  /** @param {string} label @param {(id: string) => void} open  a person opened a tab */
  constructor(label, open) {
    this.open = open;
    /** @type {string[]} */ this.ids = [];
    this.chosen = "";
    const id = `fl-tabpanel-${++made}`;
    this.panel = el("div", { class: "fl-tabpanel", role: "tabpanel", id, tabindex: 0 });
    const on = { keydown: (/** @type {KeyboardEvent} */ event) => this.#key(event), mousedown: leaveArrows };
    this.node = el("div", { class: "fl-tabs", role: "tablist", "aria-label": label, on });
  }

  /** Other tabs. @param {string[]} ids */
  lay(ids) {
    this.ids = ids;
    const tab = (/** @type {string} */ id) => {
      const node = button("", () => this.#turn(id), { class: "fl-tab", role: "tab", "data-tab": id, "aria-controls": this.panel.id });
      node.append(el("span"), el("span", { class: "fl-count" }));
      return node;
    };
    this.node.replaceChildren(...ids.map(tab));
  }

  /** Say what the tabs are called now, and which one is open. @param {Tab[]} tabs @param {string} chosen */
  draw(tabs, chosen) {
    this.chosen = chosen;
    for (const [id, name, count, about] of tabs) {
      const tab = this.node.children[this.ids.indexOf(id)];
      attribute(tab, "aria-selected", String(id === chosen));
      attribute(tab, "tabindex", id === chosen ? 0 : -1);
      attribute(tab, "title", about);
      write(tab.children[0], name);
      write(tab.children[1], counted(count));
    }
  }

  /** @param {string} id */
  #turn(id) {
    const focused = this.node.matches(":focus-within");
    this.open(id);
    if (focused) /** @type {HTMLElement | null} */ (this.node.querySelector('[aria-selected="true"]'))?.focus({ preventScroll: true });
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const at = this.ids.indexOf(this.chosen);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: this.ids.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    this.#turn(this.ids[(to + this.ids.length) % this.ids.length]);
  }
}
