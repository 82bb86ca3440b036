// The map: a table with a cell for each setting of a policy. The first parameter runs to the right, the second upward.
import { attribute, button, el, write } from "../lib/dom.js";
import { int, pluralize } from "../lib/format.js";
import { explained } from "../lib/tooltip.js";
import { amountOf, changesNothing, firstOf, labelOf, longName, movedIn, placeOf, settingAt, shortValue } from "./places.js";
import { SHADES, shadeOf } from "./shades.js";
import { GIVES_UP, MEASURES, THRASHES, bare, bestName, brief, cellName, cellText, faultKind, money, measured } from "./words.js";
/** @import { Tuning } from "./tuning.js" */
/** @import { Axis, Cell, Grid } from "./types.js" */

export class HeatMap {
  /** @param {Tuning} tuning @param {{explain: (measure: string, button: HTMLElement) => void}} how */
  constructor(tuning, how) {
    this.tuning = tuning;
    /** @type {Map<number, HTMLElement>} */ this.cells = new Map();
    this.drawn = "";
    /** The cell that Tab leads to. */ this.at = 0;
    this.policies = el("select", { class: "fl-tune-map-policy", "aria-label": "Policy on the map" });
    this.measures = MEASURES.map(({ name, label }) => button(label, () => tuning.set({ measure: name }), { "data-measure": name }));
    this.what = button("What is a miss?", () => how.explain(tuning.chosen.measure, this.what), {
      class: "fl-tune-link fl-tune-what",
      "aria-haspopup": "dialog",
    });
    this.views = el("div", { class: "fl-tune-switch fl-tune-views", role: "group", "aria-label": "Show" }, ...viewButtons(tuning));
    this.head = el(
      "div",
      { class: "fl-tune-map-head" },
      this.policies,
      el("div", { class: "fl-tune-switch", role: "group", "aria-label": "Measure" }, ...this.measures),
      this.what,
      this.views,
    );
    this.table = el("table", { role: "grid", class: "fl-tune-map" });
    this.side = el("span", { class: "fl-tune-map-side", "aria-hidden": "true" });
    this.below = el("span", { class: "fl-tune-map-below" });
    this.range = el("span");
    const scale = el(
      "span",
      { class: "fl-tune-scale", "aria-hidden": "true" },
      ...Array.from({ length: SHADES }, (_, k) => el("i", { "data-shade": k })),
    );
    const keys = [
      ["now", "now"],
      ["best", "best"],
      ["near", "up to 5 % dearer"],
      ["thrashes", "thrashes"],
      ["gives-up", "gives up"],
    ].map(([kind, text]) => el("span", { class: "fl-tune-key" }, el("i", { "data-kind": kind, "aria-hidden": "true" }), text));
    this.nowKey = keys[0];
    this.nearKey = keys[2];
    /** Those of what is never called best; each says what it means. @type {[string, HTMLElement][]} */
    this.faultKeys = [
      ["thrashes", explained(keys[3], THRASHES)],
      ["gives-up", explained(keys[4], GIVES_UP)],
    ];
    this.bestKey = /** @type {Text} */ (keys[1].lastChild);
    this.foot = el("div", { class: "fl-tune-map-foot" }, this.below, el("span", { class: "fl-tune-key" }, scale, this.range), ...keys.slice(0, 3));
    this.foot.append(...this.faultKeys.map(([, key]) => key));
    this.emptyText = el("span");
    this.empty = el("p", { class: "fl-tune-empty" }, this.emptyText);
    this.root = el(
      "section",
      { class: "fl-tune-card fl-tune-mapcard", "aria-label": "Map" },
      this.head,
      el("div", { class: "fl-tune-map-body" }, this.side, this.table, this.empty),
      this.foot,
    );
    this.#listen();
  }

  #listen() {
    this.policies.addEventListener("change", () => this.tuning.set({ map: this.policies.value }));
    const over = (/** @type {Event} */ { target }) =>
      this.tuning.point(this.#settingOf(target), /** @type {Element} */ (target).closest("td") ?? undefined);
    this.table.addEventListener("pointerover", over);
    this.table.addEventListener("pointerleave", () => this.tuning.point(-1));
    this.table.addEventListener("focusin", over);
    this.table.addEventListener("focusout", () => this.tuning.point(-1));
    this.table.addEventListener("click", (event) => this.#take(this.#settingOf(event.target)));
    this.table.addEventListener("keydown", (event) => this.#key(event));
  }

  /** @param {EventTarget | null} target */
  #settingOf(target) {
    const cell = /** @type {Element | null} */ (target)?.closest?.("td[data-k]");
    return cell ? Number(cell.getAttribute("data-k")) : -1;
  }

  /** @param {number} k */
  #take(k) {
    if (k < 0) return;
    this.#lead(k);
    this.tuning.choose(k);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const k = this.#settingOf(event.target);
    const place = placeOf(this.tuning.grids, k);
    if (!place || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Enter" || event.key === " ") this.#take(k);
    else {
      const to = movedIn(this.tuning.grids[place.g], place.x, place.y, event.key);
      if (!to) return;
      this.focus(settingAt(this.tuning.grids, place.g, to.x, to.y));
    }
    event.preventDefault();
    event.stopPropagation();
  }

  /** Let Tab lead to a cell. @param {number} k */
  #lead(k) {
    attribute(this.cells.get(this.at) ?? this.table, "tabindex", this.cells.has(this.at) ? -1 : null);
    this.at = k;
    attribute(this.cells.get(k) ?? this.table, "tabindex", this.cells.has(k) ? 0 : null);
  }

  /** Put the focus on a setting's cell; without one, on the cell that had it last. @param {number} [k] */
  focus(k = this.cells.has(this.at) ? this.at : this.tuning.firstMapped) {
    this.#lead(k);
    this.cells.get(k)?.focus();
  }

  draw() {
    const { tuning } = this;
    const grid = tuning.grids[tuning.mapped];
    this.#heads();
    const nothing = emptyText(tuning);
    this.table.hidden = this.foot.hidden = this.side.hidden = !grid;
    this.empty.hidden = !nothing;
    this.emptyText.textContent = nothing;
    if (!grid) return;
    const shape = JSON.stringify([grid.axes, firstOf(tuning.grids, tuning.mapped)]);
    if (shape !== this.drawn) this.#build(grid);
    this.drawn = shape;
    this.bestKey.data = `${bestName(tuning.picture?.sessions || tuning.sessions.length)}${this.#elsewhere()}`;
    this.nowKey.hidden = !this.cells.has(tuning.nowAt ?? -1);
    this.#fill();
    const has = (/** @type {string} */ mark) => !tuning.picture || [...this.cells.values()].some((node) => node.matches(mark));
    this.nearKey.hidden = !has("[data-near]");
    for (const [kind, key] of this.faultKeys) key.hidden = !has(`[data-fault=${kind}]`);
    this.#axes(grid);
  }

  /** On which other policy's map the best is. */
  #elsewhere() {
    const { picture, grids, mapped } = this.tuning;
    const at = placeOf(grids, picture?.best ?? -1)?.g ?? mapped;
    return at === mapped ? "" : `: in ${labelOf(grids[at])}`;
  }

  #heads() {
    const { grids, chosen, mapped } = this.tuning;
    const names = grids.map(labelOf);
    if ([...this.policies.options].map(({ value }) => value).join() !== names.join())
      this.policies.replaceChildren(...names.map((name) => el("option", { value: name, text: name })));
    this.policies.value = names[mapped] ?? "";
    this.policies.hidden = !names.length;
    for (const one of this.measures) attribute(one, "aria-pressed", String(one.dataset.measure === chosen.measure));
    for (const one of this.views.children) attribute(one, "aria-pressed", String(/** @type {HTMLElement} */ (one).dataset.view === chosen.view));
    this.what.textContent = chosen.measure === "misses" ? "What is a miss?" : "What is this?";
  }

  /** @param {Grid} grid */
  #build(grid) {
    const [across, up] = [grid.axes[0] ?? { name: "", values: [""] }, grid.axes[1] ?? { name: "", values: [""] }];
    this.cells.clear();
    const heads = across.values.map((value) => el("th", { scope: "col", text: shortValue(value), title: `${across.name} ${value}` }));
    const rows = up.values.map((value, y) => this.#row(across, up, value, y)).reverse();
    this.table.replaceChildren(el("thead", {}, el("tr", {}, el("td", { class: "fl-tune-corner" }), ...heads)), el("tbody", {}, ...rows));
    attribute(this.table, "aria-label", `${grid.policy}: ${[across.name, up.name].filter(Boolean).join(" by ")}`);
    this.#lead(this.cells.has(this.at) ? this.at : firstOf(this.tuning.grids, this.tuning.mapped));
  }

  /** What stands beside the map and below it: a parameter with its unit, and whether its values differ in nothing. @param {Grid} grid */
  #axes({ policy, axes }) {
    const { known, grids, mapped, picture } = this.tuning;
    const units = new Map((known.get(policy) ?? []).map(({ parameter, unit }) => [parameter, unit]));
    const text = axes.map((axis, n) => `${named(axis, units)}${changesNothing(grids, mapped, n, picture) ? ": changes nothing here" : ""}`);
    write(this.below, text[0] ?? "");
    write(this.side, text[1] ?? "");
  }

  /** @param {Axis} across @param {Axis} up @param {string} value @param {number} y */
  #row(across, up, value, y) {
    const cells = across.values.map((_, x) => {
      const k = settingAt(this.tuning.grids, this.tuning.mapped, x, y);
      const cell = el("td", { role: "gridcell", tabindex: -1, "data-k": k }, el("span", { class: "fl-tune-number" }));
      this.cells.set(k, cell);
      return cell;
    });
    return el(
      "tr",
      {},
      el("th", { scope: "row", text: up.name ? shortValue(value) : "", title: `${up.name} ${value}`, "data-y": amountOf(value) }),
      ...cells,
    );
  }

  #fill() {
    const { tuning } = this;
    const { measure } = tuning.chosen;
    const picture = tuning.picture;
    const whole = [...this.cells.keys()].filter((k) => picture && picture.cells[k]?.[0] === picture.sessions && picture.sessions > 0);
    const shaded = whole.filter((k) => !isUnshaded(/** @type {Cell} */ (picture?.cells[k])));
    const values = shaded.map((k) => measured(measure, /** @type {Cell} */ (picture?.cells[k]))).filter((value) => value !== null);
    const [low, high] = [Math.min(...values), Math.max(...values)];
    for (const [k, node] of this.cells) this.#cell(node, k, picture?.cells[k] ?? [0, null, null, 0, 0, false, 0, 0, 0], low, high);
    const unit = MEASURES.find(({ name }) => name === measure)?.unit ?? "";
    this.range.textContent = values.length ? rangeText(measure, low, high, unit) : unit;
  }

  /** @param {HTMLElement} node @param {number} k @param {Cell} cell @param {number} low @param {number} high */
  #cell(node, k, cell, low, high) {
    const { picture, chosen, unfinished, grids, nowAt } = this.tuning;
    const sessions = picture?.sessions || this.tuning.sessions.length;
    const done = cell[0] === sessions && cell[0] > 0;
    const value = done ? measured(chosen.measure, cell) : null;
    const about = { sessions, best: picture?.best === k, near: picture?.near.includes(k) ?? false, now: nowAt === k, chosen: chosen.cell === k };
    const number = /** @type {HTMLElement} */ (node.firstElementChild);
    const text = done ? cellText(chosen.measure, value, chosen.limit / 100) : cell[0] ? `${int(cell[0])}/${int(sessions)}` : "";
    if (number.textContent !== text) number.textContent = text;
    attribute(node, "data-shade", value === null || isUnshaded(cell) ? null : shadeOf(value, low, high));
    attribute(node, "data-part", !done && cell[0] > 0);
    node.style.setProperty("--part", cell[0] && !done ? `${(100 * cell[0]) / sessions}%` : "0%");
    attribute(node, "data-fault", (done && faultKind(cell)) || null);
    attribute(node, "data-best", about.best && (unfinished ? "so far" : "true"));
    attribute(node, "data-near", about.near);
    attribute(node, "data-now", about.now);
    attribute(node, "aria-selected", about.chosen ? "true" : null);
    attribute(node, "aria-label", cellName(longName(grids, k), cell, about));
  }

  /** Show which setting is pointed at. */
  point() {
    for (const [k, node] of this.cells) attribute(node, "data-pointed", k === this.tuning.pointed);
  }
}

/** Whether a cell has no shade: what a setting comes to that gave up says nothing of its values. @param {Cell} cell */
const isUnshaded = (cell) => faultKind(cell) === "gives-up";

/** The name of an axis with its unit: "budget, tokens". @param {Axis} axis @param {Map<string, string>} units */
const named = ({ name }, units) => [name, units.get(name)].filter(Boolean).join(", ");

/** @param {string} measure @param {number} low @param {number} high @param {string} unit */
function rangeText(measure, low, high, unit) {
  if (measure === "misses") return `${bare(low)}–${bare(high)} ${unit}`;
  const text = measure === "cost" ? money : measure === "sent" ? brief : int;
  return `${text(low)}–${text(high)}${measure === "cost" ? "" : ` ${unit}`}`;
}

/** @param {Tuning} tuning */
function viewButtons(tuning) {
  return [
    ["map", "Map"],
    ["plot", "Trade-off"],
  ].map(([view, text]) => button(text, () => tuning.set({ view }), { "data-view": view }));
}

/** Tokens below which no budget has anything to take. */
const TINY = 1000;

/** Why a sweep over so little says nothing. @param {number} count @param {number} largest  of the sessions, in tokens */
const tooSmall = (count, largest) =>
  `${count === 1 ? "This session has" : "The largest session has"} ${pluralize(largest, "token")}: too few for a budget to matter. Choose a folder, the Library or a longer session.`;

/** What stands over a map that has nothing to show yet. @param {Tuning} tuning */
export function emptyText({ found, kept, reading, preparing, problem, picture, running, sessions, chosen, grids }) {
  if (picture || running || kept) return "";
  if (chosen.kind === "result" && !reading) return problem ? "" : "Choose a result of foldline tune --parquet.";
  if (reading) return reading[1] > 1 ? `Reading ${int(reading[0])} of ${int(reading[1])} files…` : "Reading…";
  if (problem && !found) return "";
  if (!found && chosen.kind === "folder") return "Choose sessions. Run shows which budget suits them.";
  const largest = Math.max(0, ...sessions.map(({ tokens }) => tokens));
  if (found && sessions.length && largest < TINY) return tooSmall(sessions.length, largest);
  if (found && !sessions.length) return found.sessions.length ? "Every session is left out. Choose some." : "No sessions here. Choose others.";
  if (preparing && !grids.length) return "Choosing settings that suit the sessions…";
  return "Run shows which of these settings suits the sessions.";
}
