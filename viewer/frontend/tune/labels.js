// Where the labels of the plot stand. Pure: no nodes.

/** @typedef {{x: number, y: number, width: number}} Label  x of its beginning, y of its line, in pixels */
/** `bottom` is where the numbers of the axis begin. @typedef {{left: number, right: number, bottom?: number}} Sides */

/** How far a label reaches above its line and below it, how far from its mark it stands, and the room that a mark takes around its middle. */
const [ABOVE, BELOW, GAP, MARK] = [10, 3, 9, 4];

/** Labels beside their marks, where no other mark and no label is: at the upper right first, then around. The first labels choose first.
 * One that fits nowhere is left out, unless it `must` be there: then it stands where the fewest marks are.
 * @template {{x: number, y: number, width: number, must?: boolean}} Named  x and y of its mark
 * @param {Named[]} named @param {{x: number, y: number}[]} marks @param {Sides} sides @returns {(Named & Label)[]} */
export function placedLabels(named, marks, sides) {
  /** @type {(Named & Label)[]} */ const kept = [];
  const { bottom = Number.POSITIVE_INFINITY } = sides;
  for (const one of named) {
    const places = around(one).filter(({ x, y, width }) => x >= sides.left && x + width <= sides.right && y <= bottom);
    const free = places.filter((place) => !kept.some((other) => overlap(place, other)));
    const hidden = free.map((place) => marks.filter((mark) => covers(place, mark)).length);
    const best = hidden.indexOf(Math.min(...hidden));
    if (best >= 0 && (hidden[best] === 0 || one.must)) kept.push({ ...one, ...free[best] });
  }
  return kept;
}

/** Pixels between two points of a line that labels keep off. */
const STEP = 6;

/** Points along the line through some marks, which no label is to lie over. @param {{x: number, y: number}[]} marks @returns {{x: number, y: number}[]} */
export const alongLine = (marks) =>
  marks.slice(1).flatMap((to, k) => {
    const from = marks[k];
    const count = Math.floor(Math.hypot(to.x - from.x, to.y - from.y) / STEP);
    return Array.from({ length: Math.max(0, count - 1) }, (_, n) => {
      const part = (n + 1) / count;
      return { x: from.x + part * (to.x - from.x), y: from.y + part * (to.y - from.y) };
    });
  });

/** @param {Label} one @returns {Label[]} */
function around({ x, y, width }) {
  const [right, left] = [x + GAP, x - GAP - width];
  const [above, below] = [y - GAP, y + GAP + 9];
  return [
    { x: right, y: above, width },
    { x: left, y: below, width },
    { x: right, y: below, width },
    { x: left, y: above, width },
    { x: right + 4, y: y + 4, width },
    { x: left - 4, y: y + 4, width },
  ];
}

/** Whether two labels lie over one another. @param {Label} one @param {Label} other */
export function overlap(one, other) {
  return Math.abs(other.y - one.y) < ABOVE + BELOW && one.x < other.x + other.width && other.x < one.x + one.width;
}

/** Whether a label lies over a mark. @param {Label} one @param {{x: number, y: number}} mark */
export function covers(one, mark) {
  const across = mark.x + MARK > one.x && mark.x - MARK < one.x + one.width;
  return across && mark.y + MARK > one.y - ABOVE && mark.y - MARK < one.y + BELOW;
}
