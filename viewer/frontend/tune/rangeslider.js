// A slider with two ends over a list of stops: which of them are swept. The ends stand beside their stop, so that they never cover
// each other: https://www.w3.org/WAI/ARIA/apg/patterns/slider-multithumb/
import { attribute, el } from "../lib/dom.js";

/** How wide an end is, in pixels. */
const WIDE = 24;

export class RangeSlider {
  /** @param {string} label @param {(low: number, high: number) => void} changed  once an end has come to rest @param {(low: number, high: number) => void} moved */
  constructor(label, changed, moved) {
    this.changed = changed;
    this.moved = moved;
    this.places = [0, 0];
    /** @type {string[]} */ this.names = [];
    /** Which end is dragged, -1 for none. */ this.held = -1;
    this.ends = ["from", "to"].map((end, n) =>
      el("span", {
        class: "fl-tune-end",
        role: "slider",
        tabindex: 0,
        "aria-label": `${label}, ${end}`,
        "data-end": end,
        on: { keydown: (event) => this.#key(event, n) },
      }),
    );
    this.track = el("span", { class: "fl-tune-track" });
    this.root = el("span", { class: "fl-tune-range" }, this.track, ...this.ends);
    this.root.addEventListener("pointerdown", (event) => this.#take(event));
    this.root.addEventListener("pointermove", (event) => this.held >= 0 && this.#move(this.held, this.#placeAt(event)));
    for (const type of ["pointerup", "pointercancel"]) this.root.addEventListener(type, () => this.#rest());
  }

  /** @param {string[]} names  of the stops, as they are read out @param {number} low @param {number} high */
  show(names, low, high) {
    if (this.held >= 0) return;
    this.names = names;
    this.places = [low, high];
    this.#draw();
  }

  get #last() {
    return Math.max(1, this.names.length - 1);
  }

  /** @param {PointerEvent} event */
  #placeAt({ clientX }) {
    const { left, width } = this.track.getBoundingClientRect();
    return Math.round(((clientX - left) / Math.max(1, width)) * this.#last);
  }

  /** Take the end under the pointer, else the one that is nearer. @param {PointerEvent} event */
  #take(event) {
    if (event.button) return;
    const at = this.#placeAt(event);
    const under = this.ends.indexOf(/** @type {HTMLElement} */ (event.target));
    const [low, high] = this.places;
    this.held = under >= 0 ? under : Math.abs(at - low) <= Math.abs(at - high) ? 0 : 1;
    this.root.setPointerCapture(event.pointerId);
    this.ends[this.held].focus();
    if (under < 0) this.#move(this.held, at);
    event.preventDefault();
  }

  /** Move an end, no further than the other one. @param {number} n @param {number} to */
  #move(n, to) {
    const [low, high] = this.places;
    const place = n ? Math.max(low, Math.min(this.#last, to)) : Math.min(high, Math.max(0, to));
    if (place === this.places[n]) return;
    this.places[n] = place;
    this.#draw();
    this.moved(this.places[0], this.places[1]);
  }

  #rest() {
    if (this.held < 0) return;
    this.held = -1;
    this.changed(this.places[0], this.places[1]);
  }

  /** @param {KeyboardEvent} event @param {number} n */
  #key(event, n) {
    const at = this.places[n];
    const to = {
      ArrowLeft: at - 1,
      ArrowDown: at - 1,
      ArrowRight: at + 1,
      ArrowUp: at + 1,
      PageDown: at - 3,
      PageUp: at + 3,
      Home: 0,
      End: this.#last,
    }[event.key];
    if (to === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    this.#move(n, to);
    this.changed(this.places[0], this.places[1]);
  }

  #draw() {
    this.ends.forEach((end, n) => {
      const part = (100 * this.places[n]) / this.#last;
      this.track.style.setProperty(n ? "--to" : "--from", `${part}%`);
      end.style.left = `calc(${WIDE}px + (100% - ${2 * WIDE}px) * ${part / 100} - ${n ? 0 : WIDE}px)`;
      attribute(end, "aria-valuemin", n ? this.places[0] : 0);
      attribute(end, "aria-valuemax", n ? this.#last : this.places[1]);
      attribute(end, "aria-valuenow", this.places[n]);
      attribute(end, "aria-valuetext", this.names[this.places[n]] ?? "");
    });
  }
}
