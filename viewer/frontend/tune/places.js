// Where the settings of a sweep stand: in the grid of their policy, by the values of its parameters. Pure.
/** @import { Axis, Grid } from "./types.js" */

/** What a grid is called: its policy, where a result has several maps of one, with what sets them apart. @param {Grid} grid */
export const labelOf = ({ policy, label }) => label ?? policy;

/** How many settings a grid has. @param {Grid} grid */
export const sizeOf = (grid) => grid.axes.reduce((product, { values }) => product * values.length, 1);

/** The number of a grid's first setting. @param {Grid[]} grids @param {number} g */
export const firstOf = (grids, g) => grids.slice(0, g).reduce((sum, grid) => sum + sizeOf(grid), 0);

/** Which grid a setting belongs to, its column and its row; null for a number that none has. @param {Grid[]} grids @param {number} k */
export function placeOf(grids, k) {
  let first = 0;
  for (const [g, grid] of grids.entries()) {
    const columns = grid.axes[0]?.values.length ?? 1;
    if (k >= first && k < first + sizeOf(grid)) return { g, x: (k - first) % columns, y: Math.floor((k - first) / columns) };
    first += sizeOf(grid);
  }
  return null;
}

/** The number of the setting at a column and a row. @param {Grid[]} grids @param {number} g @param {number} x @param {number} y */
export const settingAt = (grids, g, x, y) => firstOf(grids, g) + y * (grids[g].axes[0]?.values.length ?? 1) + x;

/** The values of a grid's parameters that are not swept. @param {Grid} grid @returns {{[name: string]: string}} */
export const fixedOf = ({ fixed, axes }) =>
  Object.fromEntries(Object.entries(fixed ?? {}).filter(([name]) => axes.every((axis) => axis.name !== name)));

/**
 * The setting that has these values, or null: a policy and its parameters as an address has them. What neither names is as by default.
 * @param {Grid[]} grids @param {{[name: string]: string}} query @param {{[name: string]: string}} [defaults]  of that policy
 */
export function settingOf(grids, query, defaults = {}) {
  const g = grids.findIndex(({ policy }) => policy === query.policy);
  if (g < 0) return null;
  const set = fixedOf(grids[g]);
  const others = [...Object.keys(query), ...Object.keys(set)].filter((name) => name in defaults && grids[g].axes.every((axis) => axis.name !== name));
  if (others.some((name) => (query[name] ?? defaults[name]) !== (set[name] ?? defaults[name]))) return null;
  const [x, y = 0] = grids[g].axes.map(({ name, values }) => values.indexOf(query[name] ?? ""));
  return x === undefined || x < 0 || y < 0 ? null : settingAt(grids, g, x, y);
}

/**
 * Where an arrow key leads in a grid; null where it leads out of it. Up is to the larger value of the second parameter.
 * @param {Grid} grid @param {number} x @param {number} y @param {string} key
 */
export function movedIn(grid, x, y, key) {
  const [columns, rows] = [grid.axes[0]?.values.length ?? 1, grid.axes[1]?.values.length ?? 1];
  const [dx, dy] = /** @type {{[key: string]: [number, number]}} */ ({ ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] })[
    key
  ] ?? [0, 0];
  const [toX, toY] = key === "Home" ? [0, y] : key === "End" ? [columns - 1, y] : [x + dx, y + dy];
  const stays = toX === x && toY === y;
  return stays || toX < 0 || toY < 0 || toX >= columns || toY >= rows ? null : { x: toX, y: toY };
}

/** Places from low to high, both included, evenly spread where there are more than `most`: as core/tune/proposals.py does. @param {number} low @param {number} high @param {number} most */
export function spreadOver(low, high, most) {
  const count = high - low + 1;
  const places = Math.min(count, most);
  if (count <= most) return Array.from({ length: places }, (_, k) => low + k);
  return Array.from({ length: places }, (_, k) => low + Math.floor((k * (count - 1) + Math.floor((most - 1) / 2)) / (most - 1)));
}

/** The number in a value: 80000 of "80000" and of "tokens:80000"; NaN of "on". @param {string} value */
export const amountOf = (value) => Number(value.slice(value.indexOf(":") + 1) || Number.NaN);

/** A value on an axis: 80k, 12, 0.5, on. @param {string} value */
export function shortValue(value) {
  const amount = amountOf(value);
  if (Number.isNaN(amount)) return value;
  const [whole, unit] = amount >= 1e6 ? [amount / 1e6, "M"] : amount >= 1000 ? [amount / 1000, "k"] : [amount, ""];
  return `${Math.round(whole * 100) / 100}${unit}`;
}

/** A value in words: 80,000, 0.5, on. @param {string} value */
export function longValue(value) {
  const amount = amountOf(value);
  return Number.isNaN(amount) ? value : amount.toLocaleString("en-US");
}

/** A setting in short: 80k/12. @param {Grid[]} grids @param {number} k */
export function shortName(grids, k) {
  const place = placeOf(grids, k);
  if (!place) return "";
  const { axes } = grids[place.g];
  return (
    [place.x, place.y]
      .slice(0, axes.length)
      .map((at, n) => shortValue(axes[n].values[at]))
      .join("/") || "defaults"
  );
}

/** The short names of some settings, with the policy where two have the same. @param {Grid[]} grids @param {number[]} settings */
export function namesApart(grids, settings) {
  const names = settings.map((k) => shortName(grids, k));
  return names.map((name, n) =>
    names.indexOf(name) === names.lastIndexOf(name) ? name : `${labelOf(grids[placeOf(grids, settings[n])?.g ?? 0])} ${name}`,
  );
}

/** A setting in words: "budget 80,000, keep_recent 12". @param {Grid[]} grids @param {number} k */
export function longName(grids, k) {
  const place = placeOf(grids, k);
  if (!place) return "";
  const { axes, policy } = grids[place.g];
  const words = [place.x, place.y].slice(0, axes.length).map((at, n) => `${axes[n].name} ${longValue(axes[n].values[at])}`);
  return words.join(", ") || `${policy}, its defaults`;
}

/** A setting in words, with its policy. @param {Grid[]} grids @param {number} k */
export function wholeName(grids, k) {
  const grid = grids[placeOf(grids, k)?.g ?? -1];
  return grid?.axes.length ? `${labelOf(grid)}, ${longName(grids, k)}` : longName(grids, k);
}

/**
 * Whether the values of a grid's parameter all come to the same, whatever the other parameter is.
 * @param {Grid[]} grids @param {number} g @param {number} n  the parameter @param {{cells: unknown[][], sessions: number} | null} picture
 */
export function changesNothing(grids, g, n, picture) {
  const [across, up] = [0, 1].map((k) => grids[g].axes[k]?.values.length ?? 1);
  if (!picture || [across, up][n] < 2) return false;
  const cellAt = (/** @type {number} */ x, /** @type {number} */ y) => picture.cells[settingAt(grids, g, x, y)] ?? [0];
  const places = Array.from({ length: across * up }, (_, k) => [k % across, Math.floor(k / across)]);
  return places.every(([x, y]) => {
    const [cell, first] = [cellAt(x, y), n ? cellAt(x, 0) : cellAt(0, y)];
    return cell[0] === picture.sessions && cell.join() === first.join();
  });
}

/** Whether two grids ask for the same. @param {Axis[]} a @param {Axis[]} b */
export const sameAxes = (a, b) => JSON.stringify(a) === JSON.stringify(b);
