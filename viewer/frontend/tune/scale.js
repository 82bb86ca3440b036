// The scales of the plot: costs on a straight line, misses by their square root, so that small ones stand apart. Pure.

const RATES = [0, 0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.5, 0.75, 1];

/** Round steps of an axis from low to high, at most `most`. @param {number} low @param {number} high @param {number} most */
export function ticks(low, high, most) {
  if (!(high > low)) return [low];
  const rough = (high - low) / most;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((part) => part * power).find((part) => part >= rough) ?? 10 * power;
  const found = [];
  for (let n = Math.ceil(low / step); n * step <= high + step / 1e6; n++) found.push(Number((n * step).toPrecision(12)));
  return found;
}

/** The rates to name on an axis that ends at `high`; those that would stand too close are left out. @param {number} high @param {number} height pixels */
export function rateTicks(high, height) {
  /** @type {number[]} */ const found = [];
  for (const rate of RATES.filter((one) => one <= high * 1.001)) {
    const last = found.at(-1);
    if (last === undefined || (Math.sqrt(rate) - Math.sqrt(last)) * height >= 17 * Math.sqrt(high)) found.push(rate);
  }
  return found;
}

/**
 * Which costs the plot shows: all that anybody compares (the front, the best, the setting now, the recorded run), with a margin; what is
 * dearer is "beyond".
 * @param {number[]} costs  of all settings @param {number[]} compared
 */
export function costRange(costs, compared) {
  const all = [...costs, ...compared];
  if (!all.length) return { low: 0, high: 1 };
  const low = Math.min(...all);
  const dearest = Math.max(...compared, low);
  const margin = Math.max((dearest - low) * 0.06, dearest * 0.01, 1e-9);
  return { low: Math.max(0, low - margin), high: dearest + margin };
}
