// Findings along the timeline: a small mark above each compaction and model call that has some, worked out once for a run and a width, and
// drawn as three paths that no step repaints.

import { attribute, el, visible } from "../lib/dom.js";
import { SEVERITIES, columnAt, columnsOf, shapeAt, stepOfMark, tipOf } from "../run/findingwords.js";
import { findingsOf } from "./findingstore.js";
/** @import { App } from "./app.js" */
/** @import { Severity } from "../run/types.js" */
/** @import { Column } from "../run/findingwords.js" */

const SVG = "http://www.w3.org/2000/svg";
const GAP = 10;
const REACH = 7;
const ABOVE = 9; // pixels over the compactions' own marks

/** The marks over one timeline; a pointer finds what they say, a press goes there. Keys and readers use the list. */
export class FindingMarks {
  /** @param {HTMLElement} root  what holds the timeline @param {App} app */
  constructor(root, app) {
    this.app = app;
    this.findings = findingsOf(app);
    /** @type {Column[]} */ this.columns = [];
    /** @type {Column | null} */ this.over = null;
    this.paths = SEVERITIES.map((severity) => shape(`fl-mark-${severity}`));
    this.svg = document.createElementNS(SVG, "svg");
    this.svg.setAttribute("class", "fl-findmarks");
    this.svg.setAttribute("aria-hidden", "true");
    this.svg.append(...[...this.paths].reverse());
    this.tip = el("div", { class: "fl-findtip", "aria-hidden": "true", hidden: true });
    this.root = root;
    root.append(this.svg, this.tip);
    this.findings.watch(() => this.draw(this.frame));
    root.addEventListener("pointermove", (event) => this.#point(this.#at(event)));
    root.addEventListener("pointerleave", () => this.#point(null));
    root.addEventListener("pointerdown", (event) => this.#press(event), { capture: true });
  }

  /** @param {import("./paint.js").Frame | undefined} frame  where steps lie */
  draw(frame) {
    this.frame = frame;
    const { run } = this.app;
    const { tid, marks } = this.findings;
    if (!frame || !run?.length) return;
    this.y = frame.markY - ABOVE;
    const x = (/** @type {import("../run/findingwords.js").Mark} */ mark) => frame.x(stepOfMark(run, mark));
    const inOrder = marks.toSorted((a, b) => stepOfMark(run, a) - stepOfMark(run, b));
    this.columns = tid === run.view.tid ? columnsOf(inOrder, x, GAP) : [];
    this.paths.forEach((path, severity) => path.setAttribute("d", this.#drawn(severity)));
    this.#point(null);
  }

  /** @param {number} severity */
  #drawn(severity) {
    const own = this.columns.filter((column) => column.severity === severity);
    return own.map(({ x }) => shapeAt(SEVERITIES[severity], Math.round(2 * x) / 2, this.y ?? 0)).join("");
  }

  /** @param {PointerEvent} event  the column there, or null */
  #at(event) {
    const box = this.root.getBoundingClientRect();
    const high = Math.abs(event.clientY - box.top - (this.y ?? -99)) <= REACH;
    return high ? columnAt(this.columns, event.clientX - box.left, REACH) : null;
  }

  /** @param {PointerEvent} event */
  #press(event) {
    const column = event.button === 0 ? this.#at(event) : null;
    if (!column) return;
    event.stopPropagation(); // else the timeline would take it for a step
    jump(this.app, stepOfMark(this.app.run, column.worst));
  }

  /** @param {Column | null} column */
  #point(column) {
    if (column === this.over) return;
    this.over = column;
    attribute(this.root, "data-over-finding", column ? "true" : null);
    this.tip.hidden = !column;
    if (column) this.#tell(column);
  }

  /** @param {Column} column */
  #tell(column) {
    const { head, lines, rest } = tipOf(this.app.run, column);
    const said = lines.map(({ severity, text }) => el("span", { class: `fl-tipline fl-${severity}` }, icon(severity), visible(text)));
    const more = rest ? [el("span", { class: "fl-tiprest", text: rest })] : [];
    this.tip.replaceChildren(el("b", { text: head }), ...said, ...more);
    const room = this.root.clientWidth - this.tip.offsetWidth - 6;
    this.tip.style.left = `${Math.max(6, Math.min(room, column.x - 14))}px`;
    this.tip.style.top = `${(this.y ?? 0) + 18}px`;
  }
}

/** @param {string} name */
function shape(name) {
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("class", name);
  path.setAttribute("fill-rule", "evenodd");
  return path;
}

/** The shape of a severity beside words. @param {Severity} severity */
export function icon(severity) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "-4.5 -4.5 9 9");
  svg.setAttribute("aria-hidden", "true");
  svg.setAttribute("class", "fl-findicon");
  const path = shape(`fl-mark-${severity}`);
  path.setAttribute("d", shapeAt(severity, 0, 0));
  svg.append(path);
  return svg;
}

/**
 * Go where a finding is: the compaction's card is shown, or the window just before a compaction attempt that failed.
 * @param {App} app
 * @param {number} step
 */
export function jump(app, step) {
  app.pause();
  app.highlights.set({ phase: null, at: -1 });
  app.select(null);
  app.go(step, { animate: false });
}
