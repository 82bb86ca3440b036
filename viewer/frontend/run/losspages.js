// What compactions lost comes in pages. Pure.

/** Compactions in one answer, as viewer/wire/losses.py has them. */
export const PAGE = 8;

/** So many compactions are all asked about, a page after the other; in a longer run nobody could follow. */
export const ALL = 32;

/** The first compaction of the page that one is on. @param {number} k */
export const pageOf = (k) => PAGE * Math.floor(k / PAGE);
