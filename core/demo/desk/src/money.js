// Cents, as whole numbers. Nothing here ever holds a fraction of a cent.

/** The cents rounded to a multiple of a step, halves up: tills have had no 1 and 2 cent coins since 2015. */
export function roundTo(cents, step) {
  return Math.floor((cents + step / 2) / step) * step;
}

/** "12.50" for 1250 cents. */
export function format(cents) {
  const whole = Math.trunc(cents / 100);
  return `${whole}.${String(Math.abs(cents % 100)).padStart(2, "0")}`;
}

/** 1250 cents for "12.50". Throws RangeError for anything that is no amount. */
export function parse(text) {
  const found = /^(\d+)\.(\d{2})$/.exec(text.trim());
  if (!found) throw new RangeError(`not an amount: ${text}`);
  return Number(found[1]) * 100 + Number(found[2]);
}
