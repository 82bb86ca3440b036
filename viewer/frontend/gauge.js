// How full the window is: one bar of regions to scale with the limit, and a legend whose numbers add up.

import { attribute, el, number, write } from "./dom.js";
import { tilde } from "./sections.js";

const REGIONS = ["system", "summary", "compactable", "recent", "cleared"];

/**
 * What the gauge says of a step. Widths are per cent of the larger of tokens and limit.
 * @param {any} run
 * @param {number} step
 * @returns {{parts: {region: string, name: string, tokens: number, share: number}[], tokens: number, limit: number, over: boolean, mark: number, total: string, note: string}}
 */
export function reading(run, step) {
  const { regions, tokens, counted } = run.step(step);
  const limit = run.view.policy?.limit ?? 0;
  const active = run.view.policy?.counts === "active";
  const full = Math.max(tokens, limit, 1);
  const replay = !run.view.policy;
  const names = { compactable: replay ? "messages" : "compactable" };
  const parts = REGIONS.filter((region) => regions[region] > 0).map((region) => ({
    region,
    name: /** @type {Record<string, string>} */ (names)[region] ?? region,
    tokens: regions[region],
    share: (100 * regions[region]) / full,
  }));
  const over = limit > 0 && (active ? counted : tokens) > limit;
  const of = limit > 0 && !active ? ` of ${number(limit)}` : "";
  const note = limit > 0 && active ? `the policy counts ${number(counted)} of ${number(limit)}` : "";
  return { parts, tokens, limit, over, mark: limit > 0 && !active ? (100 * limit) / full : -1, total: `= ${tilde(run)}${number(tokens)}${of}`, note };
}

/** The gauge's nodes: `update` shows a step, `run` counts from one reading to the next. */
export class Gauge {
  constructor() {
    /** @type {Map<string, HTMLElement>} */ this.bars = new Map();
    this.mark = el("i", { class: "fl-limit", title: "limit" });
    this.bar = el("div", { class: "fl-regions", role: "img" }, ...REGIONS.map((region) => this.#bar(region)), this.mark);
    this.items = el("span", { class: "fl-items" });
    this.total = el("span", { class: "fl-total" });
    this.note = el("span", { class: "fl-counts" });
    this.node = el("div", { class: "fl-gauge" }, this.bar, el("div", { class: "fl-legend" }, this.items, this.note, this.total));
  }

  /** @param {string} region */
  #bar(region) {
    const node = el("span", { class: `fl-part fl-is-${region}` });
    this.bars.set(region, node);
    return node;
  }

  /** @param {any} run @param {number} step */
  update(run, step) {
    const read = reading(run, step);
    const shares = new Map(read.parts.map((part) => [part.region, part.share]));
    for (const [region, node] of this.bars) node.style.width = `${shares.get(region) ?? 0}%`;
    this.mark.hidden = read.mark < 0 || read.mark >= 99.9;
    this.mark.style.left = `${read.mark}%`;
    this.#legend(read);
    this.say(read.total, read.over);
    const said = read.parts.map((part) => `${part.name} ${number(part.tokens)}`).join(", ");
    attribute(this.bar, "aria-label", `tokens by region: ${said}; ${read.total}${read.over ? ", over the limit" : ""}`);
  }

  /** @param {ReturnType<typeof reading>} read */
  #legend(read) {
    while (this.items.childElementCount > read.parts.length) this.items.lastElementChild?.remove();
    while (this.items.childElementCount < read.parts.length) this.items.append(el("span", { class: "fl-item" }, el("i"), el("span")));
    read.parts.forEach((part, k) => {
      const item = this.items.children[k];
      attribute(item, "data-region", part.region);
      item.className = `fl-item fl-is-${part.region}`;
      write(/** @type {Node} */ (item.lastChild), `${part.name} ${number(part.tokens)}`);
    });
    write(this.note, read.note);
  }

  /** @param {string} total @param {boolean} over */
  say(total, over) {
    write(this.total, total);
    this.total.classList.toggle("fl-over", over);
    this.bar.classList.toggle("fl-over", over);
  }
}
