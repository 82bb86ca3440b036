// How many rows of each set a list shows: all where there is room for them, else a few of each and what room there is.

/** Rows of a set that are shown however little room there is, and what a set has to have beyond that to be shortened. */
const [FEW, BEYOND] = [3, 2];

/**
 * The rows that are shown of each set; of one that shows fewer than it has, the last says how many more there are.
 * @param {{count: number, open: boolean}[]} sets  from the top
 * @param {number} room  rows in all
 * @returns {number[]}
 */
export function shares(sets, room) {
  const shown = sets.map(({ count, open }) => (open ? count : least(count)));
  let left = room - shown.reduce((sum, rows) => sum + rows, 0);
  return shown.map((rows, k) => {
    const more = Math.max(0, Math.min(left, sets[k].count - rows));
    left -= more;
    return rows + more;
  });
}

/** The rows of a set in a list without room, with the one that says how many more there are. @param {number} count */
export const least = (count) => (count > FEW + BEYOND ? FEW + 1 : count);
