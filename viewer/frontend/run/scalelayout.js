// Columns of tokens on one scale, as rectangles, bands between them, and labels that do not touch. Pure: numbers in, numbers out.

/** Pixels of a label's line. */
export const LINE = 15;
/** No part is thinner than this, so that it can be seen. */
const THINNEST = 2;

/** @typedef {{id: string, tokens: number}} Sized */
/** @typedef {{y: number, height: number}} Span */
/** @typedef {Sized & Span} Box */

/** The name of the line for the parts that have no label of their own. */
export const REST = "";

/** Pixels of a token: the taller of two columns is as tall as there is room. @param {Sized[][]} columns @param {number} height */
export const scaleOf = (columns, height) => height / Math.max(1, ...columns.map((parts) => parts.reduce((sum, { tokens }) => sum + tokens, 0)));

/**
 * Parts one below the other. What those that would be too thin take is taken from the tallest.
 * @param {Sized[]} parts @param {number} scale @returns {Box[]}
 */
export function stacked(parts, scale) {
  const heights = parts.map(({ tokens }) => Math.max(THINNEST, tokens * scale));
  const over = heights.reduce((sum, height, k) => sum + height - parts[k].tokens * scale, 0);
  const tallest = heights.indexOf(Math.max(...heights));
  if (heights[tallest] > 2 * over) heights[tallest] -= over;
  let y = 0;
  return parts.map(({ id, tokens }, k) => ({ id, tokens, y: (y += heights[k]) - heights[k], height: heights[k] }));
}

/** @typedef {{from: Span, to: Span, flow: import("./scaleparts.js").Flow}} Band */

/**
 * The bands between two columns: of some parts to all of some others, or of so many tokens from one to one. What became nothing ends in a
 * point, below what stays in front of it.
 * @param {import("./scaleparts.js").Flow[]} flows @param {Box[]} before @param {Box[]} after @param {number} scale @returns {Band[]}
 */
export function bands(flows, before, after, scale) {
  const sides = [new Side(before, scale), new Side(after, scale)];
  const nothing = { y: 0, height: 0 };
  const found = flows.map((flow) => {
    const from = sides[0].span(flow.from, flow.tokens) ?? nothing;
    return { from, to: sides[1].span(flow.to, flow.tokens) ?? nothing, flow };
  });
  const end = (/** @type {Span} */ from) => Math.max(0, ...found.filter((band) => band.from.y < from.y).map(({ to }) => to.y + to.height));
  return found.map((band) => (band.flow.to.length ? band : { ...band, to: { y: end(band.from), height: 0 } }));
}

/** Where the bands of a column end. */
class Side {
  /** @param {Box[]} boxes @param {number} scale */
  constructor(boxes, scale) {
    this.boxes = new Map(boxes.map((box) => [box.id, box]));
    this.scale = scale;
    /** Pixels of each part that have a band. @type {Map<string, number>} */ this.used = new Map();
  }

  /** @param {string[]} ids @param {number} [tokens]  of the one, below those that have a band @returns {Span | null} */
  span(ids, tokens) {
    const found = ids.flatMap((id) => this.boxes.get(id) ?? []);
    if (!found.length) return null;
    const [first, last] = [found[0], found[found.length - 1]];
    if (tokens === undefined) return { y: first.y, height: last.y + last.height - first.y };
    const used = this.used.get(first.id) ?? 0;
    const height = Math.min(Math.max(1, tokens * this.scale), first.height - used);
    this.used.set(first.id, used + height);
    return { y: first.y + used, height };
  }
}

/**
 * The middles of labels that stand beside boxes, each as near to its box as the others leave it; of more than there is room for, those of
 * the fewest tokens have none, and one line, `REST`, stands where half of their tokens lie.
 * @param {Box[]} boxes @param {number} whole  the height @param {Set<string>} [marked]  boxes that have one before others @returns {Map<string, number>}
 */
export function labelled(boxes, whole, marked = new Set()) {
  const room = Math.max(0, Math.floor(whole / LINE));
  const named = Math.max(0, boxes.length > room ? room - 1 : room);
  const sorted = boxes.toSorted((a, b) => Number(marked.has(b.id)) - Number(marked.has(a.id)) || b.tokens - a.tokens);
  const chosen = new Set(sorted.slice(0, named));
  const home = halfway(boxes.filter((box) => !chosen.has(box)));
  const lines = boxes.filter((box) => chosen.has(box) || box === home);
  const middles = apart(
    lines.map(({ y, height }) => y + height / 2),
    whole,
  );
  return new Map(lines.map((box, k) => [box === home ? REST : box.id, middles[k]]));
}

/** The box in which half of their tokens are reached; undefined of none. @param {Box[]} boxes */
function halfway(boxes) {
  let left = boxes.reduce((sum, { tokens }) => sum + tokens, 0) / 2;
  return boxes.find(({ tokens }) => (left -= tokens) <= 0);
}

/** Lines moved down, then up, until none touches the next or leaves the height. @param {number[]} wanted @param {number} whole */
function apart(wanted, whole) {
  const middles = [...wanted];
  middles.forEach((_, k) => {
    middles[k] = Math.max(middles[k], k ? middles[k - 1] + LINE : LINE / 2);
  });
  for (let k = middles.length - 1; k >= 0; k--) middles[k] = Math.min(middles[k], k + 1 < middles.length ? middles[k + 1] - LINE : whole - LINE / 2);
  return middles;
}

/** A band as an SVG path. @param {[x: number, span: Span]} from @param {[x: number, span: Span]} to */
export function bandPath([x0, a], [x1, b]) {
  const middle = (x0 + x1) / 2;
  const round = (/** @type {number} */ n) => Math.round(n * 10) / 10;
  const curve = (/** @type {number[]} */ ...at) => at.map(round).join(" ");
  return `M${curve(x0, a.y)}C${curve(middle, a.y, middle, b.y, x1, b.y)}V${round(b.y + b.height)}C${curve(middle, b.y + b.height, middle, a.y + a.height, x0, a.y + a.height)}Z`;
}
