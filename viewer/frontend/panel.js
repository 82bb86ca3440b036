// The policy's parameters as sliders, live while they are dragged.
import { attribute, el, write } from "./dom.js";
import { int } from "./format.js";
import { themeOf } from "./theme.js";

/**
 * One parameter as Python describes it.
 * @typedef {{name: string, unit: string, min: number, max: number, step: number, value: any, default: any, about: string,
 * at_least?: number, why?: string}} Param
 */

/** Characters the box for the exact number is at least and at most as wide as: 8 digits with their commas fit. */
const NARROW = 5;
const WIDE = 10;

export class Panel {
  /**
   * @param {any} parent  the shadow root to fill
   * @param {(settings: {policy: string, values: any}) => void} say  told of every change
   */
  constructor(parent, say) {
    this.say = say;
    this.shape = "";
    /** @type {Map<string, Row>} */ this.rows = new Map();
    this.root = el("div", { class: "fl-panel", role: "group", "aria-label": "Policy parameters" });
    parent.append(this.root);
  }

  /** @param {{policy: string, params: Param[]}} data */
  update(data) {
    this.root.dataset.theme = themeOf(this.root);
    if (!data?.params) return;
    this.policy = data.policy;
    const shape = JSON.stringify([data.policy, data.params.map(({ value: _, ...rest }) => rest)]);
    const busy = this.root.matches(":focus-within") && this.policy === this.built;
    if (shape !== this.shape && !busy) this.#build(data.params);
    else for (const param of data.params) this.rows.get(param.name)?.set(param.value);
    if (!busy) this.shape = shape;
  }

  /** @param {Param[]} params */
  #build(params) {
    this.built = this.policy;
    this.rows = new Map(params.map((param) => [param.name, rowOf(param, () => this.#tell())]));
    this.root.replaceChildren(...[...this.rows.values()].map((row) => row.node));
  }

  #tell() {
    const values = Object.fromEntries([...this.rows].map(([name, row]) => [name, row.value()]));
    this.say({ policy: this.policy ?? "", values });
  }

  destroy() {
    this.root.remove();
  }
}

/**
 * @typedef {{node: HTMLElement, value: () => any, set: (value: any) => void}} Row
 * @param {Param} param
 * @param {() => void} tell
 * @returns {Row}
 */
function rowOf(param, tell) {
  return param.unit === "text" ? textRow(param, tell) : numberRow(param, tell);
}

/**
 * @param {Param} param
 * @param {() => void} tell
 * @returns {Row}
 */
function numberRow(param, tell) {
  const fixed = param.min >= param.max;
  let now = Number(param.value);
  const range = input({ type: "range", min: param.min, max: param.max, step: param.step || 1, disabled: fixed, tabindex: fixed ? "-1" : null });
  const exact = input({ type: "text", role: "spinbutton", class: "fl-exact", inputmode: "numeric", autocomplete: "off", disabled: fixed });
  const fault = el("p", { class: "fl-fault", role: "alert", hidden: true });
  const show = (/** @type {Element | null} */ from) => {
    if (from !== range) range.value = String(now);
    if (from !== exact) exact.value = exact.matches(":focus") ? String(now) : int(now);
    exact.style.width = `${Math.max(NARROW, Math.min(WIDE, int(Math.max(param.max, now)).length)) + 1.5}ch`;
    range.style.setProperty("--part", `${partOf(now, param)}%`);
    attribute(range, "aria-valuetext", `${int(now)} ${param.unit}`);
    attribute(exact, "aria-valuenow", now);
    complain(exact, fault, "");
  };
  const take = (/** @type {number} */ value, /** @type {Element | null} */ from) => {
    now = value;
    show(from);
    tell();
  };
  range.addEventListener("input", () => take(Number(range.value), range));
  exact.addEventListener("input", () => {
    const value = wholeOf(exact.value);
    if (value >= leastOf(param)) take(value, exact);
    else complain(exact, fault, `A whole number, ${int(leastOf(param))} or more`);
  });
  exact.addEventListener("keydown", (event) => {
    const by = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    take(Math.max(leastOf(param), now + by), null);
  });
  exact.addEventListener("focus", () => (show(null), exact.select())); // without commas, ready to be typed over
  exact.addEventListener("blur", () => show(null)); // what cannot be taken gives way to what is in force
  attribute(exact, "aria-valuemin", leastOf(param));
  show(null);
  const busy = () => [range, exact].some((node) => node.matches(":focus") || node.matches(":active"));
  return {
    node: frame(param, range, exact, fault, fixed),
    value: () => now,
    set: (value) => {
      if (busy()) return; // a finger is on it: what comes from the server is older
      now = Number(value);
      show(null);
    },
  };
}

/** @param {Param} param  the smallest number the policy takes, which the slider need not reach */
export function leastOf({ at_least: least, unit, min }) {
  return least ?? Math.min(min, unit === "tokens" ? 1 : 0);
}

/** @param {string} text  the whole number it says, thousands marked or not; NaN where it says none */
export function wholeOf(text) {
  const digits = text.replace(/[\s,_]/g, "");
  return /^\d{1,15}$/.test(digits) ? Number(digits) : NaN;
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

/** @param {number} value @param {Param} param  how far along the track, in percent */
function partOf(value, { min, max }) {
  return max > min ? Math.max(0, Math.min(100, (100 * (value - min)) / (max - min))) : 0;
}

/**
 * @param {Param} param
 * @param {HTMLInputElement} range
 * @param {HTMLInputElement} exact
 * @param {HTMLElement} fault
 * @param {boolean} fixed
 */
function frame(param, range, exact, fault, fixed) {
  attribute(range, "aria-label", `${param.name}, ${param.unit}`);
  attribute(exact, "aria-label", `${param.name}, exact number of ${param.unit || "units"}`);
  const why = fixed && el("p", { class: "fl-why", text: param.why || `only ${int(param.max)} is possible here` });
  const title = `${param.about} (default ${int(param.default)})`;
  return el("div", { class: "fl-param", title, "data-param": param.name }, nameOf(param), exact, fault, range, why);
}

/** @param {Param} param */
function nameOf({ name, unit }) {
  const said = unit === "text" || name.endsWith(`_${unit}`);
  return el("label", {}, name, " ", el("span", { class: "fl-unit", text: said ? "" : unit }));
}

/**
 * @param {Param} param
 * @param {() => void} tell
 * @returns {Row}
 */
function textRow(param, tell) {
  const field = input({ type: "text", placeholder: "as the policy has it", "aria-label": param.name });
  const set = (/** @type {any} */ value) => (field.value = value ?? "");
  set(param.value);
  field.addEventListener("change", tell);
  const node = el("div", { class: "fl-param", title: param.about, "data-param": param.name }, nameOf(param), field);
  return { node, value: () => field.value || null, set: (value) => field.matches(":focus") || set(value) };
}

/** @param {any} attributes */
function input(attributes) {
  return /** @type {HTMLInputElement} */ (el("input", attributes));
}
