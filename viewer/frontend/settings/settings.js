// One row of the panel for each kind of parameter. A row keeps the value it was given until somebody touches it.
import { amount, input, toggle } from "./amount.js";
import { attribute, breakable, button, el, write } from "../lib/dom.js";
import { capitalized, int } from "../lib/format.js";
import { explained } from "../lib/tooltip.js";
import { clausesSaid, numberText } from "./numbers.js";

/**
 * One parameter as Python describes it (viewer/settings/sliders.py).
 * @typedef {import("./numbers.js").Amount & {name: string, kind?: string, value: any, default: any, suggested?: any, about: string,
 * optional?: boolean, start?: any, session?: string, own?: number, whose?: string, because?: string, choices?: string[], known?: string[],
 * units?: (import("./numbers.js").Amount & {start: number})[]}} Param
 * @typedef {{node: HTMLElement, value: () => any, set: (value: any) => void}} Row
 */

/** @param {Param} param @param {() => void} tell @returns {Row} */
export function rowOf(param, tell) {
  return (KINDS[param.kind ?? "number"] ?? numberRow)(param, tell);
}

/** @type {{[kind: string]: (param: Param, tell: () => void) => Row}} */
const KINDS = {
  number: (param, tell) => (param.session ? sessionRow(param, tell) : numberRow(param, tell)),
  switch: switchRow,
  choice: choiceRow,
  text: textRow,
  names: namesRow,
  size: sizeRow,
  thresholds: thresholdsRow,
};

/** @param {Param} param @param {...(Node | null | false | undefined)} nodes */
function frame(param, ...nodes) {
  return el(
    "div",
    { class: "fl-param", "data-param": param.name, "data-kind": param.kind ?? "number", role: "group", "aria-label": param.name },
    ...nodes,
  );
}

/** A value in words. @param {any} value @param {Param} param @returns {string} */
export function sayable(value, param) {
  if (value === null || value === undefined) return "not set";
  if (typeof value === "number") return numberText(value, param);
  if (typeof value === "boolean") return value ? "on" : "off";
  if (param.kind === "thresholds") return clausesSaid(value);
  if (param.kind === "size") return clausesSaid([value]);
  return Array.isArray(value) ? value.join(", ") || "none" : String(value) || "empty";
}

/** @param {Param} param @param {string} [unit] */
function nameOf(param, unit = "") {
  const { name, about } = param;
  const known = name.toLowerCase().endsWith(`_${unit}`) || name.toLowerCase() === unit;
  const label = el("label", {}, ...breakable(name), " ", el("span", { class: "fl-unit", text: known ? "" : unit }));
  return about ? explained(label, `${capitalized(about)}. Default: ${sayable(param.default, param)}.`) : label;
}

/** A line below a row: the default where another value is suggested, and whether that is in force. @param {Param} param */
function noteOf(param) {
  const node = el("p", { class: "fl-note" });
  const other = param.suggested !== undefined && !same(param.suggested, param.default);
  const show = (/** @type {any} */ value) => {
    const own = `default ${sayable(param.default, param)}`;
    write(node, !other ? "" : same(value, param.suggested) ? `suggested for this session; ${own}` : own);
  };
  return { node, show };
}

/** @param {any} a @param {any} b */
export function same(a, b) {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** @param {Param} param @param {() => void} tell @returns {Row} */
function numberRow(param, tell) {
  let on = param.value !== null;
  const note = noteOf(param);
  const value = () => (on ? control.value() : null);
  const changed = () => {
    note.show(value());
    tell();
  };
  const control = amount(param, `${param.name}, ${param.unit}`, on ? Number(param.value) : Number(param.start ?? param.min), changed);
  const turn = (/** @type {boolean} */ wanted) => {
    on = wanted;
    control.enable(on);
    if (box) box.checked = on;
    note.show(value());
  };
  const box = param.optional || param.default === null ? toggle(`${param.name}, set`, on, (wanted) => (turn(wanted), tell())) : null;
  if (!on) control.enable(false);
  note.show(value());
  const name = el("div", { class: "fl-headed" }, box, nameOf(param, param.unit));
  const why = param.min >= param.max && el("p", { class: "fl-why", text: param.why || `only ${numberText(param.max, param)} is possible here` });
  return {
    node: frame(param, name, control.exact, control.fault, control.range, why, note.node),
    value,
    set: (next) => {
      if (next !== null) control.show(Number(next));
      turn(next !== null);
    },
  };
}

/** A number that the session's model settles where it is not set. @param {Param} param @param {() => void} tell @returns {Row} */
function sessionRow(param, tell) {
  /** @type {number | null} */ let now = param.value;
  const own = Number(param.own);
  const control = amount(param, `${param.name}, ${param.unit}`, now ?? own, (next) => {
    now = next;
    show();
    tell();
  });
  const text = el("span", {});
  const back = button(`Use ${int(own)}`, () => (set(null), tell()), { class: "fl-small" });
  const show = () => {
    write(text, `${settledBy(param, now)} `);
    back.hidden = now === null;
  };
  const set = (/** @type {number | null} */ next) => {
    now = next;
    control.show(next ?? own);
    show();
  };
  show();
  const note = el("p", { class: "fl-note" }, text, back);
  return { node: frame(param, nameOf(param, param.unit), control.exact, control.fault, control.range, note), value: () => now, set };
}

/** Whose number this is, and where another is suggested, why. @param {Param} param @param {number | null} now */
function settledBy(param, now) {
  const what = param.session === "output" ? "longest answer" : "window";
  const own = int(Number(param.own));
  if (now === null) return param.whose ? `This is the ${what} of ${param.whose}.` : `The model is unknown: ${own} is assumed.`;
  if (now === param.suggested && param.because) return `Suggested ${param.because}. ${whoseOwn(param, what, own)}`;
  return whoseOwn(param, what, own);
}

/** What would stand where none is set. @param {Param} param @param {string} what @param {string} own */
function whoseOwn({ whose }, what, own) {
  return whose ? `The ${what} of ${whose} is ${own}.` : `The model is unknown: ${own} would be assumed.`;
}

/** @param {Param} param @param {() => void} tell @returns {Row} */
function switchRow(param, tell) {
  const note = noteOf(param);
  const box = toggle(param.name, Boolean(param.value), () => (note.show(box.checked), tell()));
  note.show(box.checked);
  const set = (/** @type {any} */ value) => ((box.checked = Boolean(value)), note.show(box.checked));
  return { node: frame(param, nameOf(param), box, note.node), value: () => box.checked, set };
}

const FEW = 3;
const SHORT = 26; // characters of all choices side by side

/** @param {Param} param @param {() => void} tell @returns {Row} */
function choiceRow(param, tell) {
  const choices = param.choices ?? [];
  const few = choices.length <= FEW && choices.join("").length <= SHORT;
  let now = param.value;
  const note = noteOf(param);
  const take = (/** @type {string} */ value) => {
    now = value;
    note.show(now);
    tell();
  };
  const { node, show } = few ? segments(param, choices, take) : list(param, choices, take);
  const set = (/** @type {any} */ value) => ((now = value), show(value), note.show(value));
  set(now);
  return { node: frame(param, nameOf(param), node, note.node), value: () => now, set };
}

/** @param {Param} param @param {string[]} choices @param {(value: string) => void} take */
function segments(param, choices, take) {
  const radios = choices.map((value) => input({ type: "radio", name: `fl-${param.name}`, value }));
  for (const radio of radios) radio.addEventListener("change", () => take(radio.value));
  const labels = radios.map((radio) => el("label", {}, radio, el("span", { text: radio.value })));
  const node = el("div", { class: "fl-segments", role: "radiogroup", "aria-label": param.name }, ...labels);
  return { node, show: (/** @type {any} */ value) => radios.forEach((radio) => (radio.checked = radio.value === value)) };
}

/** @param {Param} param @param {string[]} choices @param {(value: string) => void} take */
function list(param, choices, take) {
  const options = choices.map((value) => el("option", { value, text: value }));
  const node = el("select", { class: "fl-select", "aria-label": param.name }, ...options);
  node.addEventListener("change", () => take(node.value));
  return { node, show: (/** @type {any} */ value) => void (node.value = value) };
}

/** @param {Param} param @param {() => void} tell @returns {Row} */
function textRow(param, tell) {
  let now = param.value;
  const note = noteOf(param);
  const field = /** @type {HTMLTextAreaElement} */ (
    el("textarea", { rows: 1, placeholder: "policy default", "aria-label": param.name, spellcheck: "false", class: "fl-text-field" })
  );
  const set = (/** @type {any} */ value) => {
    now = value;
    field.value = value ?? "";
    note.show(now);
  };
  field.addEventListener("input", () => {
    now = field.value === "" && param.default === null ? null : field.value;
    note.show(now);
    tell();
  });
  set(now);
  return { node: frame(param, nameOf(param), field, note.node), value: () => now, set };
}

/** @param {Param} param @param {() => void} tell @returns {Row} */
function namesRow(param, tell) {
  /** @type {string[]} */ let now = param.value ?? [];
  const field = input({ type: "text", placeholder: "none; separate names with commas", "aria-label": param.name, spellcheck: "false" });
  const chips = (param.known ?? []).map((name) => {
    const flip = () => take(now.includes(name) ? now.filter((one) => one !== name) : [...now, name]);
    return button(name, flip, { class: "fl-tool", "data-name": name });
  });
  const show = (/** @type {boolean} */ typing) => {
    if (!typing) field.value = now.join(", ");
    for (const chip of chips) attribute(chip, "aria-pressed", String(now.includes(chip.dataset.name ?? "")));
  };
  const take = (/** @type {string[]} */ names, typing = false) => {
    now = names;
    show(typing);
    tell();
  };
  field.addEventListener("input", () => take(namesIn(field.value), true));
  field.addEventListener("blur", () => show(false));
  show(false);
  const tools = chips.length > 0 && el("div", { class: "fl-tools", role: "group", "aria-label": "tools of this session" }, ...chips);
  return { node: frame(param, nameOf(param), field, tools), value: () => now, set: (value) => ((now = value ?? []), show(false)) };
}

/** @param {string} text  names with commas between, each once */
function namesIn(text) {
  return [
    ...new Set(
      text
        .split(",")
        .map((name) => name.trim())
        .filter(Boolean),
    ),
  ];
}

/** @param {Param} param @param {() => void} tell @returns {Row} */
function sizeRow(param, tell) {
  const units = param.units ?? [];
  const [unit0, value0] = Object.entries(param.value ?? {})[0] ?? [units[0].unit, units[0].start];
  let unit = unit0;
  const note = noteOf(param);
  const controls = new Map(
    units.map((one) => [one.unit, amount(one, `${param.name}, ${one.unit}`, Number(one.unit === unit0 ? value0 : one.start), () => changed())]),
  );
  const value = () => ({ [unit]: controls.get(unit)?.value() });
  const changed = () => {
    note.show(value());
    tell();
  };
  const options = units.map((one) => el("option", { value: one.unit, text: one.unit }));
  const select = el("select", { class: "fl-select", "aria-label": `${param.name}, unit` }, ...options);
  const body = el("div", { class: "fl-inner" });
  const show = () => {
    const control = controls.get(unit);
    select.value = unit;
    if (control) body.replaceChildren(select, control.exact, control.fault, control.range);
    note.show(value());
  };
  select.addEventListener("change", () => {
    unit = select.value;
    show();
    select.focus();
    tell();
  });
  show();
  return {
    node: frame(param, nameOf(param), body, note.node),
    value,
    set: (next) => {
      const [wanted, size] = Object.entries(next ?? {})[0] ?? [unit, controls.get(unit)?.value()];
      unit = wanted;
      controls.get(unit)?.show(Number(size));
      show();
    },
  };
}

/** @param {Param} param @param {() => void} tell @returns {Row} */
function thresholdsRow(param, tell) {
  /** @type {{[unit: string]: number}[] | null} */ let now = param.value;
  const note = noteOf(param);
  const several = el("p", { class: "fl-note" });
  const units = (param.units ?? []).map((one) => threshold(param, one, () => take()));
  const take = () => {
    const clause = Object.fromEntries(units.filter(({ box }) => box.checked).map((one) => [one.unit, one.control.value()]));
    now = Object.keys(clause).length ? [clause] : null;
    show();
    tell();
  };
  const show = () => {
    const clauses = now ?? [];
    const lone = clauses.length === 1 ? clauses[0] : {};
    for (const { unit, box, control } of units) {
      box.checked = unit in lone;
      control.enable(box.checked);
    }
    const many = clauses.length > 1 ? `Any of: ${clausesSaid(clauses)}. Changing a value here replaces them.` : "";
    const on = Object.keys(lone).length;
    write(several, many || (on > 1 ? "acts when all of these are met" : on ? "" : "manual trigger only"));
    note.show(now);
  };
  show();
  return {
    node: frame(param, nameOf(param), ...units.map(({ node }) => node), several, note.node),
    value: () => now,
    set: (next) => {
      now = next;
      for (const { unit, control } of units) {
        const held = next?.length === 1 ? next[0][unit] : undefined;
        if (held !== undefined) control.show(Number(held));
      }
      show();
    },
  };
}

/** One unit of thresholds. @param {Param} param @param {any} one @param {() => void} changed */
function threshold(param, one, changed) {
  const label = `${param.name}, ${one.unit}`;
  const held = param.value?.length === 1 ? param.value[0][one.unit] : undefined;
  const control = amount(one, label, Number(held ?? one.start), changed);
  const box = toggle(`${label}, set`, held !== undefined, changed);
  const name = el("div", { class: "fl-headed" }, box, el("span", { class: "fl-unit", text: one.unit }));
  return {
    unit: one.unit,
    box,
    control,
    node: el("div", { class: "fl-inner", "data-unit": one.unit }, name, control.exact, control.fault, control.range),
  };
}
