// The sliders of an exported file: each position is one of the settings that were worked out when it was made.
import { el, visible, write } from "../lib/dom.js";
import { int } from "../lib/format.js";
/** @import { Axis } from "./types.js" */

/** The run at a position; the one that the file opens with has more to it. @param {Axis[]} axes @param {number[]} places */
const runAt = (axes, places) => (axes.every(({ at }, k) => places[k] === at) ? "opened" : `g${places[0]}x${places[1] ?? 0}`);

/** The position of a run, null for one that has none. @param {Axis[]} axes @param {string} tid @returns {number[] | null} */
export function placesOf(axes, tid) {
  if (!axes.length) return null;
  if (tid === "opened") return axes.map(({ at }) => at);
  const found = /^g(\d+)x(\d+)$/.exec(tid)?.slice(1).map(Number);
  return found?.every((place, k) => place < (axes[k]?.values.length ?? 1)) ? found.slice(0, axes.length) : null;
}

/** A value in words. @param {Axis} axis @param {number} place */
function valueWords({ values, unit }, place) {
  const text = values[place].replace(/^[a-z_]+:/, "");
  if (!text) return "not set";
  return `${/^\d+$/.test(text) ? int(Number(text)) : visible(text)}${unit ? ` ${unit}` : ""}`;
}

/** "one of 48 combinations in this file". @param {Axis[]} axes */
const gridWords = (axes) => `one of ${int(axes.reduce((all, { values }) => all * values.length, 1))} combinations in this file`;

const ABOUT = "The settings that were worked out when this file was made. Open the session in foldline for any other.";

export class Sliders {
  /** @param {Axis[]} axes @param {(tid: string) => void} turned */
  constructor(axes, turned) {
    this.axes = axes;
    this.said = axes.map(() => el("output"));
    this.ranges = axes.map(({ name, values }) =>
      el("input", { type: "range", min: 0, max: values.length - 1, step: 1, "aria-label": name, on: { input: () => this.#turned(turned) } }),
    );
    const rows = axes.map(({ name }, k) => el("label", {}, el("span", { text: name, title: name }), this.ranges[k], this.said[k]));
    this.note = el("span", { class: "fl-export-note", title: ABOUT, text: axes.length ? gridWords(axes) : "" });
    this.node = el("div", { class: "fl-export-sliders", hidden: !axes.length }, ...rows, this.note);
  }

  /** @param {(tid: string) => void} turned */
  #turned(turned) {
    const places = this.ranges.map((range) => Number(range.value));
    this.#say(places);
    turned(runAt(this.axes, places));
  }

  /** @param {number[]} places */
  #say(places) {
    for (const [k, axis] of this.axes.entries()) {
      write(this.said[k], valueWords(axis, places[k]));
      this.ranges[k].setAttribute("aria-valuetext", `${valueWords(axis, places[k])}, ${places[k] + 1} of ${axis.values.length}`);
    }
  }

  /** Show where a run is; a run without a position has no sliders. @param {string} tid */
  show(tid) {
    const places = placesOf(this.axes, tid);
    this.node.hidden = !places;
    if (!places) return;
    for (const [k, range] of this.ranges.entries()) range.value = String(places[k]);
    this.#say(places);
  }
}
