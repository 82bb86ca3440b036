// The lanes under the timeline, on its steps: choose one, scrub, go from event to event, remove it.

import { attribute, el, visible } from "../lib/dom.js";
import { draw } from "../lib/svg.js";
import { groupAt } from "./geometry.js";
import { LaneRow } from "./lanerow.js";
import { pieceWords } from "./lanewords.js";
import { nextOf } from "./states.js";
/** @import { Axis } from "./geometry.js" */
/** @import { Host } from "./types.js" */

/** Lines of a tip at most. */
const LINES = 4;

export class Lanes {
  /** @param {HTMLElement} root  the timeline's card @param {Host} app */
  constructor(root, app) {
    this.app = app;
    this.root = root;
    /** @type {LaneRow[]} */ this.rows = [];
    /** Where steps lie. @type {(Axis & {stepAt(x: number): number}) | undefined} */ this.axis = undefined;
    this.list = el("ul", { class: "fl-lanes-list", "aria-label": "Followed texts" });
    this.node = el("div", { class: "fl-lanes", hidden: true }, hatching(), this.list);
    this.tip = el("div", { class: "fl-lanetip", "aria-hidden": "true", hidden: true });
    root.append(this.node, this.tip);
    this.node.addEventListener("mousedown", (event) => this.#keepFocus(event));
    this.node.addEventListener("pointermove", (event) => this.#move(event));
    for (const type of /** @type {const} */ (["pointerup", "pointercancel"])) this.node.addEventListener(type, () => (this.pressed = false));
    this.node.addEventListener("pointerleave", () => this.#point(null));
    this.pressed = false;
  }

  /** The texts have changed, or what is known of them. */
  update() {
    const { why, root } = this.app;
    const lanes = why.open ? why.lanes : [];
    if (lanes.length !== this.rows.length || lanes.some((lane, i) => lane !== this.rows[i].lane)) {
      this.rows = lanes.map((lane) => this.rows.find((row) => row.lane === lane) ?? this.#row(lane));
      this.list.replaceChildren(...this.rows.map(({ node }) => node));
      this.#point(null);
    }
    this.rows.forEach((row, i) => row.place(i, lanes.length, i === why.at));
    this.node.hidden = !lanes.length;
    attribute(root, "data-lanes", lanes.length || null);
    root.style.setProperty("--fl-lanes", String(lanes.length)); // the page makes room for them
    this.#draw();
  }

  /** @param {import("./types.js").Lane} lane */
  #row(lane) {
    return new LaneRow(this.app, lane, {
      press: (event, row) => this.#press(event, row),
      key: (event, row) => this.#key(event, row),
      remove: (row) => this.#remove(row),
    });
  }

  /** @param {(Axis & {stepAt(x: number): number}) | undefined} axis  where steps lie from now on */
  draw(axis) {
    this.axis = axis;
    this.#draw();
  }

  #draw() {
    if (!this.axis || !this.app.run?.length) return;
    for (const row of this.rows) row.draw(this.axis);
    this.cursor(this.at ?? this.app.step);
  }

  /** The cursor is at this step, or on its way there. @param {number} step */
  cursor(step) {
    this.at = step;
    for (const row of this.rows) row.cursor(step);
  }

  /** The chosen lane takes the focus: it is heard, and the keys are its. */
  focus() {
    this.rows[this.app.why.at]?.bar.focus({ preventScroll: false });
  }

  /** @param {PointerEvent} event @param {LaneRow} row */
  #press(event, row) {
    if (event.button !== 0 || !this.axis) return;
    this.app.why.choose(this.rows.indexOf(row));
    if (this.#onName(event, row)) return;
    row.bar.setPointerCapture(event.pointerId);
    this.pressed = true;
    this.app.pause();
    const group = groupAt(row.groups, this.#x(event));
    this.app.go(group ? group.marks[0].step : this.#stepAt(event));
  }

  /** The number and the words choose the lane, and leave the cursor where it is. @param {PointerEvent} event @param {LaneRow} row */
  #onName(event, row) {
    return event.composedPath().some((node) => node === row.name || node === row.number);
  }

  /** A click leaves the keys to the debugger. @param {MouseEvent} event */
  #keepFocus(event) {
    event.preventDefault();
    this.app.root.focus({ preventScroll: true });
  }

  /** @param {PointerEvent} event  scrubs while pressed, at most once a frame */
  #move(event) {
    if (!this.pressed) return this.#point(event);
    this.#point(null);
    if (this.scrubTo === undefined) requestAnimationFrame(() => this.#scrub());
    this.scrubTo = this.#stepAt(event);
  }

  #scrub() {
    const to = this.scrubTo;
    this.scrubTo = undefined;
    if (to !== undefined) this.app.go(to, { scrubbed: true });
  }

  /** @param {PointerEvent} event  from the left of the card */
  #x(event) {
    return event.clientX - this.node.getBoundingClientRect().left;
  }

  /** @param {PointerEvent} event */
  #stepAt(event) {
    return this.axis ? Math.min(this.axis.stepAt(this.#x(event)), this.app.run.length - 1) : 0;
  }

  /** Tell what is under the pointer: marks, or what the bar means there. @param {PointerEvent | null} event */
  #point(event) {
    const row = event && this.rows.find(({ bar }) => event.composedPath().includes(bar));
    const lines = row && event && !this.#onName(event, row) ? this.#linesAt(row, event) : [];
    this.tip.hidden = !lines.length;
    if (!row || !event || !lines.length) return;
    const said = lines.slice(0, LINES).map((text) => el("span", { dir: "auto", text: visible(text) }));
    const rest = lines.length - LINES;
    this.tip.replaceChildren(...said, ...(rest > 0 ? [el("span", { class: "fl-mute", text: `and ${rest} more` })] : []));
    const room = this.root.clientWidth - this.tip.offsetWidth - 6;
    this.tip.style.left = `${Math.max(6, Math.min(room, this.#x(event) - 14))}px`;
    const top = row.node.getBoundingClientRect().top - this.root.getBoundingClientRect().top;
    this.tip.style.top = `${Math.max(2, top - this.tip.offsetHeight - 3)}px`;
  }

  /** @param {LaneRow} row @param {PointerEvent} event */
  #linesAt(row, event) {
    const group = groupAt(row.groups, this.#x(event));
    if (group) return group.marks.map(({ words }) => words);
    const step = this.#stepAt(event);
    const piece = row.pieces.find(({ from, to }) => from <= step && step <= to);
    return piece ? [pieceWords(this.app.run, piece)] : [];
  }

  /** @param {KeyboardEvent} event @param {LaneRow} row */
  #key(event, row) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { app } = this;
    const page = Math.max(1, Math.round(app.run.length / 20));
    const by = { PageUp: -page, PageDown: page, ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (event.key === "Enter") this.#next(row);
    else if (event.key === "Delete" || event.key === "Backspace") this.#remove(row);
    else if (by) app.pause(), app.go(app.step + by);
    else return;
    event.preventDefault(); // on the Live page Delete drops a message
  }

  /** To the next event of a lane. @param {LaneRow} row */
  #next(row) {
    const { app } = this;
    app.why.choose(this.rows.indexOf(row));
    const steps = row.groups.flatMap(({ marks }) => marks.map(({ step }) => step));
    const to = nextOf(steps, app.step);
    if (to < 0) return app.message(steps.length ? "No later event of this text" : "This text has no events");
    app.pause();
    app.go(to, { jump: true });
  }

  /** @param {LaneRow} row */
  #remove(row) {
    const { app } = this;
    const i = this.rows.indexOf(row);
    const focused = row.node.contains(/** @type {Document | ShadowRoot} */ (row.node.getRootNode()).activeElement);
    app.why.remove(i);
    if (!focused) return;
    if (this.rows.length) this.rows[Math.min(i, this.rows.length - 1)].bar.focus();
    else app.root.focus({ preventScroll: true });
  }
}

/** What the bars are hatched with where the text is gone. */
function hatching() {
  const tile = { id: "fl-lane-hatch", width: 5, height: 5, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" };
  const pattern = draw("pattern", tile, draw("rect", { class: "fl-lane-hatched", width: 1.4, height: 5 }));
  return draw("svg", { width: 0, height: 0, "aria-hidden": "true", class: "fl-lane-defs" }, draw("defs", {}, pattern));
}
