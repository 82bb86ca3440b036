// A number as a slider and a box for the exact figure; both say the same, and what is typed wrong is told about.
import { attribute, el, write } from "../lib/dom.js";
import { int } from "../lib/format.js";
import { atNotch, leastOf, notchOf, notchesOf, numberOf, partOf, ruleOf, numberText, stepOf, within } from "./numbers.js";

/** Characters the box is at least and at most as wide as: 8 digits with their commas fit. */
const NARROW = 5;
const WIDE = 10;

/**
 * @typedef {{exact: HTMLInputElement, range: HTMLInputElement, fault: HTMLElement, value: () => number,
 * show: (value: number) => void, enable: (on: boolean) => void}} Control
 * @param {import("./numbers.js").Amount} param
 * @param {string} label  what a screen reader calls it
 * @param {number} value
 * @param {(value: number) => void} taken  told of every number that is taken
 * @returns {Control}
 */
export function amount(param, label, value, taken) {
  const fixed = param.min >= param.max;
  let now = value;
  let on = true;
  const range = input({ type: "range", ...notchesOf(param), disabled: fixed, tabindex: fixed ? "-1" : null, "aria-label": label });
  const mode = param.whole === false ? "decimal" : "numeric";
  const exact = input({ type: "text", role: "spinbutton", class: "fl-exact", inputmode: mode, autocomplete: "off", disabled: fixed });
  const fault = el("p", { class: "fl-fault", role: "alert", hidden: true });
  const show = (/** @type {Element | null} */ from) => {
    if (from !== range) range.value = String(notchOf(now, param));
    if (from !== exact) exact.value = !on ? "not set" : exact.matches(":focus") ? String(now) : numberText(now, param);
    exact.style.width = `${Math.max(NARROW, Math.min(WIDE, int(Math.max(param.max, now)).length), on ? 0 : 7) + 1.5}ch`;
    range.style.setProperty("--part", `${on ? partOf(now, param) : 0}%`);
    attribute(range, "aria-valuetext", on ? `${numberText(now, param)} ${param.unit}`.trim() : "not set");
    attribute(exact, "aria-valuenow", on ? now : null);
    complain(exact, fault, "");
  };
  const take = (/** @type {number} */ next, /** @type {Element | null} */ from) => {
    now = next;
    show(from);
    taken(now);
  };
  range.addEventListener("input", () => take(atNotch(Number(range.value), param), range));
  exact.addEventListener("input", () => {
    const typed = numberOf(exact.value, param);
    if (Number.isNaN(typed)) complain(exact, fault, ruleOf(param));
    else take(typed, exact);
  });
  exact.addEventListener("keydown", (event) => {
    const by = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    take(within(now + by * stepOf(param), param), null);
  });
  exact.addEventListener("focus", () => (show(null), exact.select())); // without commas, ready to be typed over
  exact.addEventListener("blur", () => show(null)); // what cannot be taken gives way to what is in force
  attribute(exact, "aria-label", `${label.split(",")[0]}, exact number of ${param.unit || "units"}`);
  attribute(exact, "aria-valuemin", leastOf(param));
  attribute(exact, "aria-valuemax", param.at_most ?? null);
  show(null);
  return {
    exact,
    range,
    fault,
    value: () => now,
    show: (next) => {
      now = next;
      show(null);
    },
    enable: (wanted) => {
      on = wanted;
      for (const node of [range, exact]) node.disabled = fixed || !on;
      range.hidden = !on;
      show(null);
    },
  };
}

/**
 * Say beside a box why what it holds is not taken, or that all is well.
 * @param {HTMLInputElement} box
 * @param {HTMLElement} fault
 * @param {string} text
 */
function complain(box, fault, text) {
  attribute(box, "aria-invalid", text ? "true" : null);
  attribute(box, "title", text || null);
  fault.hidden = !text;
  write(fault, text);
}

/** @param {any} attributes */
export function input(attributes) {
  return el("input", attributes);
}

/** A switch: a checkbox drawn as one. @param {string} label @param {boolean} on @param {(on: boolean) => void} turned */
export function toggle(label, on, turned) {
  const box = input({ type: "checkbox", role: "switch", class: "fl-toggle", "aria-label": label });
  box.checked = on;
  box.addEventListener("change", () => turned(box.checked));
  return box;
}
