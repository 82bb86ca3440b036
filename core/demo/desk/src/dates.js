// Days without a time of day. A day is held as a Date at local midnight since 2.3.0 (docs/decisions/004-local-time.md):
// the printer formats a Date with the desk's own clock, and a UTC midnight came out as the day before in some browsers.

const DAY_MS = 24 * 60 * 60 * 1000;

/** "2026-03-27" as a day. Throws RangeError for anything else. */
export function parseDay(text) {
  const found = /^(\d{4})-(\d{2})-(\d{2})$/.exec(String(text).trim());
  if (!found) throw new RangeError(`not a day: ${text}`);
  const [, year, month, day] = found.map(Number);
  const made = new Date(year, month - 1, day);
  if (made.getMonth() !== month - 1) throw new RangeError(`there is no such day: ${text}`);
  return made;
}

/** A day as "2026-03-27". */
export function formatDay(day) {
  const two = (n) => String(n).padStart(2, "0");
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`;
}

/** The day so many days later. */
export function addDays(day, count) {
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() + count);
}

/** Whole days from one day to a later one; 0 if it is not later. */
export function daysBetween(from, to) {
  return Math.max(0, Math.floor((to - from) / DAY_MS));
}

/** Whether a day is a Saturday or a Sunday. */
export function isWeekend(day) {
  return day.getDay() === 0 || day.getDay() === 6;
}
