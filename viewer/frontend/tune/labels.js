// Where the labels of the plot stand. Pure: no nodes.

/** @typedef {{x: number, y: number, width: number}} Label  x of its beginning, y of its line, in pixels */
/** `bottom` is where the numbers of the axis begin, `limit` a line across that labels keep off. @typedef {{left: number, right: number, bottom?: number, limit?: number}} Sides */
/** `room` is what it takes around its middle. @typedef {{x: number, y: number, room?: number}} Mark */

/** How far a label reaches above its line and below it, how far from its mark it stands, and the room that most marks take. */
const [ABOVE, BELOW, GAP, MARK] = [10, 3, 9, 4];

/** Labels beside their marks, where no other mark, no line and no label is: at the upper right first, then around. The first labels choose first.
 * One that fits nowhere is left out, unless it `must` be there: then it stands where the fewest marks are. Those of `taken` stand already.
 * @template {{x: number, y: number, width: number, must?: boolean}} Named  x and y of its mark
 * @param {Named[]} named @param {Mark[]} marks @param {Sides} sides @param {Label[]} [taken] @returns {(Named & Label)[]} */
export function placedLabels(named, marks, sides, taken = []) {
  /** @type {(Named & Label)[]} */ const kept = [];
  const { bottom = Number.POSITIVE_INFINITY, limit } = sides;
  for (const one of named) {
    /** @type {Label[]} */ const stand = [...taken, ...kept];
    const places = around(one).filter(({ x, y, width }) => x >= sides.left && x + width <= sides.right && y <= bottom);
    const free = places.filter((place) => !stand.some((other) => overlap(place, other)));
    const hidden = free.map((place) => marks.filter((mark) => covers(place, mark)).length + Number(struck(place, limit)));
    const best = hidden.indexOf(Math.min(...hidden));
    if (best >= 0 && (hidden[best] === 0 || one.must)) kept.push({ ...one, ...free[best] });
  }
  return kept;
}

/** Where the label of a line across the plot stands: above the line or below it, as far to the right as nothing is there; null where all is taken.
 * @param {number} y  of the line @param {number} width @param {Mark[]} marks @param {Label[]} labels @param {Sides} sides @returns {Label | null} */
export function labelOnLine(y, width, marks, labels, { left, right }) {
  for (let x = right - width; x >= left; x -= STEP)
    for (const place of [y - BELOW - 2, y + ABOVE + 4].map((base) => ({ x, y: base, width })))
      if (!marks.some((mark) => covers(place, mark)) && !labels.some((other) => overlap(place, other))) return place;
  return null;
}

/** Whether a line across goes through a label. @param {Label} one @param {number} [line] */
const struck = ({ y }, line) => line !== undefined && y - ABOVE - 2 < line && line < y + BELOW + 2;

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

/** The places of a label beside its mark, and those a line further off. @param {Label} one @returns {Label[]} */
function around({ x, y, width }) {
  const near = [
    [x + GAP, y - GAP],
    [x - GAP - width, y + GAP + 9],
    [x + GAP, y + GAP + 9],
    [x - GAP - width, y - GAP],
    [x + GAP + 4, y + 4],
    [x - GAP - 4 - width, y + 4],
    [x - width / 2, y - GAP - 4],
    [x - width / 2, y + GAP + 13],
  ];
  const far = near.slice(0, 4).map(([at, base]) => [at, base < y ? base - ABOVE : base + ABOVE]);
  return [...near, ...far].map(([at, base]) => ({ x: at, y: base, width }));
}

/** Whether two labels lie over one another. @param {Label} one @param {Label} other */
function overlap(one, other) {
  return Math.abs(other.y - one.y) < ABOVE + BELOW && one.x < other.x + other.width && other.x < one.x + one.width;
}

/** Whether a label lies over a mark. @param {Label} one @param {Mark} mark */
function covers(one, { x, y, room = MARK }) {
  const across = x + room > one.x && x - room < one.x + one.width;
  return across && y + room > one.y - ABOVE && y - room < one.y + BELOW;
}
