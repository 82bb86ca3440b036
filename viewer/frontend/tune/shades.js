// Which of nine shades a value has: spaced by square roots, so that small values differ from each other.

/** Shades from the faintest to the strongest. */
export const SHADES = 9;

/** The shade of a value between the smallest and the largest, 0 to 8. @param {number} value @param {number} low @param {number} high */
export function shadeOf(value, low, high) {
  if (!(high > low)) return 0;
  const part = Math.sqrt(Math.max(0, value - low) / (high - low));
  return Math.min(SHADES - 1, Math.floor(part * SHADES));
}
