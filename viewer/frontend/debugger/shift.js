// From one picture of a list to another without a story: what stays moves, what is new fades in.

import { pictureOf } from "./picture.js";
/** @import { RowList } from "./rows.js" */

const TIME = 260;

const still = () => globalThis.matchMedia?.("(prefers-reduced-motion: reduce)").matches ?? false;

/** @param {RowList} list @param {() => void} draw  draws the other picture */
export function shift(list, draw) {
  const was = placesIn(list);
  draw();
  if (still()) return;
  for (const [key, { y, node }] of placesIn(list)) {
    const from = was.get(key)?.y;
    if (from === undefined) node?.animate([{ opacity: 0 }, { opacity: 1 }], { duration: TIME });
    else if (Math.abs(from - y) > 1)
      node?.animate([{ translate: `0 ${from - y}px` }, { translate: "0 0" }], { duration: TIME, easing: "ease-in-out" });
  }
}

/** Where each row is that is seen, and each heading that goes with its rows. @param {RowList} list @returns {Map<string, {y: number, node: HTMLElement | undefined}>} */
function placesIn(list) {
  const { rows, headings } = pictureOf(list);
  const under = list.sticky.hidden ? "" : list.sticky.dataset.section; // that one stays where it is
  return new Map([
    ...rows.map(({ key, y }) => /** @type {const} */ ([key, { y, node: list.live.get(key)?.node }])),
    ...headings.filter(({ id }) => id !== under).map(({ id, y }) => /** @type {const} */ ([`heading ${id}`, { y, node: list.headings.get(id) }])),
  ]);
}
