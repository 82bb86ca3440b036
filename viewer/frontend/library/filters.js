// The filters above the list: one button for each agent, and one for sessions with compactions.
import { attribute, button, el, write } from "../lib/dom.js";
import { int } from "../lib/format.js";

export class Filters {
  /** @param {{agent: (name: string) => void, compacted: (on: boolean) => void}} pick */
  constructor(pick) {
    this.pick = pick;
    /** @type {Map<string, HTMLButtonElement>} */ this.chips = new Map();
    this.agents = el("div", { class: "fl-library-agents", role: "group", "aria-label": "Agents" });
    this.compacted = button("With compactions", () => pick.compacted(this.compacted.getAttribute("aria-pressed") !== "true"), {
      class: "fl-library-agent",
    });
    const scroll = () => this.#tellMore();
    this.root = el("div", { class: "fl-library-filters", on: { focusin, scroll } }, this.compacted, this.agents);
    this.watch = new ResizeObserver(scroll);
    this.watch.observe(this.root);
  }

  /**
   * @param {string[]} agents  all there are, those of the most sessions first
   * @param {{agents: Map<string, number>, compacted: number}} counts  of what matches
   * @param {{agent: string, compacted: boolean}} chosen
   */
  show(agents, counts, chosen) {
    const all = [...counts.agents.values()].reduce((sum, n) => sum + n, 0);
    const some = agents.filter((name) => counts.agents.has(name) || name === chosen.agent);
    const names = agents.length > 1 || chosen.agent ? ["", ...some] : [];
    const nodes = names.map((name) => this.#chip(name, name ? (counts.agents.get(name) ?? 0) : all, name === chosen.agent));
    if (nodes.length !== this.agents.children.length || nodes.some((node, k) => node !== this.agents.children[k]))
      this.agents.replaceChildren(...nodes);
    write(this.compacted, `With compactions ${int(counts.compacted)}`);
    attribute(this.compacted, "aria-pressed", String(chosen.compacted));
    this.#tellMore();
  }

  /** Where the buttons are one line, say at which end more follow. */
  #tellMore() {
    const { scrollLeft, scrollWidth, clientWidth } = this.root;
    const ends = [scrollLeft > 1 && "start", scrollLeft + clientWidth < scrollWidth - 1 && "end"].filter(Boolean);
    attribute(this.root, "data-more", ends.join(" ") || null);
  }

  stop() {
    this.watch.disconnect();
  }

  /** The button of an agent: the same one each time, so that it keeps the focus. @param {string} name @param {number} n @param {boolean} pressed */
  #chip(name, n, pressed) {
    const chosen = () => chip.getAttribute("aria-pressed") === "true";
    const chip = this.chips.get(name) ?? button("", () => this.pick.agent(chosen() ? "" : name), { class: "fl-library-agent" });
    this.chips.set(name, chip);
    write(chip, `${name || "All agents"} ${int(n)}`);
    attribute(chip, "aria-pressed", String(pressed));
    return chip;
  }
}

/** On a small page the buttons are one line that scrolls: the one with the focus is in sight whole, which a browser leaves out. @param {Event} event */
function focusin({ target }) {
  /** @type {HTMLElement} */ (target).scrollIntoView?.({ block: "nearest", inline: "nearest" });
}
