// Bisection, as in Python's bisect.

/** How many of the sorted values are smaller than x. @param {ArrayLike<number>} values @param {number} x */
export function lowerBound(values, x) {
  let low = 0,
    high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle] < x) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** How many of the sorted values are x or smaller. @param {ArrayLike<number>} values @param {number} x */
export function upperBound(values, x) {
  let low = 0,
    high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle] <= x) low = middle + 1;
    else high = middle;
  }
  return low;
}
