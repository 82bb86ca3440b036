// The links to the sections of a long page, in its head: each scrolls to its section, and that which is being read is marked.

import { attribute, button, el } from "../lib/dom.js";
import { int } from "../lib/format.js";

/** A section with its name, and how many there are of what it lists. @typedef {{node: HTMLElement, name: string, count?: number}} Section */

/** How far below the top of the page, in pixels, a section begins that is read already. */
const NEAR = 60;
/** How far below the top, in pixels, a section is put that is gone to. */
const AIR = 8;

export class SectionLinks {
  /** @param {HTMLElement} body  what scrolls */
  constructor(body) {
    this.body = body;
    /** @type {Section[]} */ this.sections = [];
    /** The section that was last gone to, and where that left the page: its end may stop it short. */ this.gone = { k: -1, top: -1 };
    this.node = el("nav", { class: "fl-onav", "aria-label": "On this page", hidden: true });
    this.resized = new ResizeObserver(() => this.mark());
    body.addEventListener("scroll", () => this.mark(), { passive: true });
  }

  /** Other sections; what is hidden or empty has no link. @param {Section[]} sections */
  show(sections) {
    this.sections = sections.filter(({ node }) => !node.hidden && node.childElementCount);
    this.gone = { k: -1, top: -1 };
    const names = this.sections.map(({ name, count }) => (count ? `${name} ${int(count)}` : name));
    if (names.join() !== [...this.node.children].map(({ textContent }) => textContent).join())
      this.node.replaceChildren(...names.map((name, k) => button(name, () => this.#go(k), { class: "fl-onav-link" })));
    this.resized.disconnect();
    for (const { node } of this.sections) this.resized.observe(node);
    this.resized.observe(this.body); // it marks as well, once all is laid out: asked for before, that would be done twice
  }

  /** Mark the section that is being read. Where all of them are in sight no links are needed. */
  mark() {
    const { body, sections, gone } = this;
    if (!sections.some(({ node }) => body.contains(node))) return;
    this.node.hidden = body.scrollHeight <= body.clientHeight || sections.length < 2;
    const at = gone.k >= 0 && gone.top === body.scrollTop ? gone.k : this.#read();
    [...this.node.children].forEach((link, k) => attribute(link, "aria-current", k === at ? "true" : null));
  }

  /** The last section that begins at the top or above it; at the end of the page the last one. */
  #read() {
    const { body, sections } = this;
    if (body.scrollTop > 0 && body.scrollTop + body.clientHeight >= body.scrollHeight - 1) return sections.length - 1;
    const line = body.getBoundingClientRect().top + NEAR;
    return sections.findLastIndex(({ node }) => node.getBoundingClientRect().top <= line);
  }

  /** Scroll to a section, and let the keys go on from there. @param {number} k */
  #go(k) {
    const { body } = this;
    const { node } = this.sections[k];
    const heading = node.querySelector("h3");
    body.scrollTop = k ? body.scrollTop + node.getBoundingClientRect().top - body.getBoundingClientRect().top - AIR : 0;
    if (k && heading) {
      heading.tabIndex = -1;
      heading.focus({ preventScroll: true });
    }
    this.gone = { k, top: body.scrollTop };
    this.mark();
  }
}
