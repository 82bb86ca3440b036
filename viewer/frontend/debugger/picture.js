// What a list shows at one moment, to be moved about while the list itself is already another.

import { HEADING, ROW } from "../run/layout.js";
/** @import { RowList } from "./rows.js" */

/** @typedef {{key: string, pool: number, section: string, y: number, ghost: boolean, node: HTMLElement}} SeenRow `y` from the top of what is seen */
/** @typedef {{id: string, y: number, title: string, note: string}} SeenHeading */
/**
 * @typedef {object} Picture
 * @property {SeenRow[]} rows          from the top
 * @property {SeenHeading[]} headings
 * @property {number} view             height of what is seen
 * @property {(pool: number) => number | null} yOf  where a message is, in sight or not; null where it is not in the list
 */

/** @param {RowList} list @returns {Picture} */
export function pictureOf(list) {
  const { layout, top, view, roof } = list;
  const screen = (/** @type {number} */ y) => (y < roof ? y : y - top);
  const items = [...(roof ? layout.between(0, roof) : []), ...layout.between(top + roof, top + view)].filter(
    (item, k, all) => k === 0 || item.y > all[k - 1].y,
  );
  const { held } = list.told;
  const covered = held ? held.y + ROW : list.sticky.hidden ? -Infinity : roof + HEADING;
  /** @type {SeenRow[]} */ const rows = [];
  /** @type {SeenHeading[]} */ const headings = [];
  for (const item of items) {
    const section = layout.sections[item.section];
    const y = screen(item.y);
    if (item.k < 0 && !section.blank && (item.y < roof || y >= covered))
      headings.push({ id: section.id, y, title: section.title, note: list.noteOf(item.section) });
    if (item.k < 0 || (item.y >= roof && y <= covered - item.height)) continue;
    const { key, pool, ghost = false, blank } = layout.row(item);
    if (blank) continue;
    const node = list.live.get(key)?.node;
    if (node) rows.push({ key, pool, section: section.id, y, ghost, node: copy(node, key) });
  }
  if (held) {
    const { key, pool } = held.row;
    const under = rows.filter(({ y }) => y < held.y).length;
    rows.splice(under, 0, { key, pool, section: held.section, y: held.y, ghost: false, node: copy(list.told.view.node, key) });
  }
  const at = list.sticky.hidden ? -1 : layout.sections.findIndex(({ id }) => id === list.sticky.dataset.section);
  const stuck = layout.sections[at];
  if (stuck) headings.push({ id: stuck.id, y: roof, title: stuck.title, note: list.noteOf(at) });
  const yOf = (/** @type {number} */ pool) => {
    const item = layout.find(pool);
    return item && screen(item.y);
  };
  return { rows, headings: headings.sort((a, b) => a.y - b.y), view, yOf };
}

/** A row for showing only: nobody can choose it, or hear of it twice. @param {HTMLElement} node @param {string} key */
function copy(node, key) {
  const picture = /** @type {HTMLElement} */ (node.cloneNode(true));
  picture.className = picture.className.replace("fl-row", "fl-picture");
  for (const { name } of [...picture.attributes]) if (name !== "class") picture.removeAttribute(name);
  picture.dataset.of = key;
  return picture;
}
