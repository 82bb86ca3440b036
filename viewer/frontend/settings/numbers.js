// Numbers of the settings panel: read from text, written as text, and where on a slider they stand. Pure.
import { int } from "../lib/format.js";

/**
 * A number that can be turned, as Python describes it (viewer/settings/sliders.py).
 * @typedef {{name?: string, unit: string, min: number, max: number, step: number, whole?: boolean, at_least?: number,
 * at_most?: number | null, scale?: string, why?: string}} Amount
 */

/** Positions of a slider whose range runs over decades. */
export const NOTCHES = 400;

/** @param {Amount} param  the smallest number the policy takes, which the slider need not reach */
export function leastOf({ at_least: least, unit, min }) {
  return least ?? Math.min(min, unit === "tokens" ? 1 : 0);
}

/** @param {string} text  the whole number it says, thousands marked or not; NaN where it says none */
export function wholeOf(text) {
  const digits = text.replace(/[\s,_]/g, "");
  return /^\d{1,15}$/.test(digits) ? Number(digits) : NaN;
}

/** The number a text says, if the policy takes it; NaN otherwise. @param {string} text @param {Amount} param */
export function numberOf(text, param) {
  const plain = text.trim();
  const value = param.whole !== false ? wholeOf(text) : /^(\d{1,12}(\.\d{0,9})?|\.\d{1,9})$/.test(plain) ? Number(plain) : NaN;
  return value >= leastOf(param) && value <= (param.at_most ?? Infinity) ? value : NaN;
}

/** What a number must be, in words. @param {Amount} param */
export function ruleOf(param) {
  const kind = param.whole !== false ? "A whole number" : "A number";
  const most = param.at_most ?? null;
  const least = leastOf(param);
  return most === null ? `${kind}, ${numberText(least, param)} or more` : `${kind} from ${numberText(least, param)} to ${numberText(most, param)}`;
}

/** A number for people: 12,345 or 0.85. @param {number} value @param {Amount} param */
export function numberText(value, param) {
  return param.whole === false ? String(Number(value.toFixed(4))) : int(value);
}

/** A number held within what the policy takes. @param {number} value @param {Amount} param */
export function within(value, param) {
  const held = Math.max(leastOf(param), Math.min(param.at_most ?? Infinity, value));
  return param.whole === false ? Number(held.toFixed(6)) : Math.round(held);
}

/** What `min`, `max` and `step` of the slider are. @param {Amount} param */
export function notchesOf({ min, max, step, scale }) {
  return scale === "log" ? { min: 0, max: NOTCHES, step: 1 } : { min, max, step: step || 1 };
}

/** Where on the slider a number stands. @param {number} value @param {Amount} param */
export function notchOf(value, { min, max, scale }) {
  if (scale !== "log" || max <= min) return value;
  const low = Math.max(1, min);
  const at = (NOTCHES * Math.log(Math.max(low, value) / low)) / Math.log(max / low);
  return Math.round(Math.max(0, Math.min(NOTCHES, at)));
}

/**
 * The number a place on the slider stands for: on a scale of decades one of two digits, the ends as they are.
 * @param {number} notch
 * @param {Amount} param
 */
export function atNotch(notch, { min, max, scale }) {
  if (scale !== "log") return notch;
  if (notch <= 0 || notch >= NOTCHES) return notch <= 0 ? min : max;
  const low = Math.max(1, min);
  const value = low * (max / low) ** (notch / NOTCHES);
  const digit = 10 ** (Math.floor(Math.log10(value)) - 1);
  return Math.max(min, Math.min(max, Math.round(value / digit) * digit || Math.round(value)));
}

/** How far along the track, in percent. @param {number} value @param {Amount} param */
export function partOf(value, param) {
  if (param.max <= param.min) return 0;
  const { min, max } = notchesOf(param);
  return Math.max(0, Math.min(100, (100 * (notchOf(value, param) - min)) / (max - min)));
}

/** By how much an arrow key in the box changes a number. @param {Amount} param */
export function stepOf({ whole, step }) {
  return whole === false ? step || 0.01 : 1;
}

/** Clauses of thresholds for people: "messages 8 and tokens 60; or fraction 0.8". @param {{[unit: string]: number}[]} clauses */
export function clausesSaid(clauses) {
  const each = clauses.map((clause) =>
    Object.entries(clause)
      .map(([unit, value]) => `${unit} ${value.toLocaleString("en-US")}`)
      .join(" and "),
  );
  return each.join("; or ");
}
