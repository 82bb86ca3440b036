// How a motion is spread over its time: from a part of the time, 0 to 1, to a part of the way. Pure.

/** @typedef {(part: number) => number} Ease */

/** @param {number} part */
export const clamp = (part) => Math.max(0, Math.min(1, part));

/** @type {Ease} */
export const linear = (part) => clamp(part);

/** Fast at first. @type {Ease} */
export const easeOut = (part) => clamp(part) * (2 - clamp(part));

/**
 * The curve that CSS calls cubic-bezier(x1, y1, x2, y2).
 * @param {number} x1 @param {number} y1 @param {number} x2 @param {number} y2
 * @returns {Ease}
 */
export function bezier(x1, y1, x2, y2) {
  const at = (/** @type {number} */ a, /** @type {number} */ b, /** @type {number} */ u) =>
    3 * a * u * (1 - u) * (1 - u) + 3 * b * u * u * (1 - u) + u * u * u;
  return (part) => {
    const wanted = clamp(part);
    let [low, high] = [0, 1];
    for (let k = 0; k < 24; k++) {
      const middle = (low + high) / 2;
      if (at(x1, x2, middle) < wanted) low = middle;
      else high = middle;
    }
    return wanted === 0 || wanted === 1 ? wanted : at(y1, y2, (low + high) / 2);
  };
}
