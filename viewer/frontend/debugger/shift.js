// From one picture of a list to another without a story: what stays moves, what is new fades in.

import { pictureOf } from "./picture.js";
/** @import { RowList } from "./rows.js" */

const TIME = 260;

const still = () => globalThis.matchMedia?.("(prefers-reduced-motion: reduce)").matches ?? false;

/** @param {RowList} list @param {() => void} draw  draws the other picture */
export function shift(list, draw) {
  const was = new Map(pictureOf(list).rows.map(({ key, y }) => [key, y]));
  draw();
  if (still()) return;
  for (const { key, y } of pictureOf(list).rows) {
    const node = list.live.get(key)?.node;
    const from = was.get(key);
    if (from === undefined) node?.animate([{ opacity: 0 }, { opacity: 1 }], { duration: TIME });
    else if (Math.abs(from - y) > 1)
      node?.animate([{ translate: `0 ${from - y}px` }, { translate: "0 0" }], { duration: TIME, easing: "ease-in-out" });
  }
}
