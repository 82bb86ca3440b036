// Where the cursor was in live runs and what was followed there, so that Debug opens a run as it was looked at.

/** By the id of the run. @type {Map<string, number>} */
const places = new Map();

/** The run that is being opened in Debug, and the texts that were followed in it, as the address names them. */
let leaving = { id: "", texts: /** @type {Record<string, string>} */ ({}) };

/** @param {string} id @param {number} step */
export const stoodAt = (id, step) => void places.set(id, step);

/** Debug is to open this run, and to follow these texts in it. @param {string} id @param {Record<string, string>} [texts] */
export function leaveFor(id, texts = {}) {
  leaving = { id, texts };
}

/**
 * The step at which Debug shows what it opened, and the texts it follows, asked once: those of the run it was left for; -1 and
 * none for any other source.
 * @param {string} source  as the address names it
 */
export function arriveAt(source) {
  const { id, texts } = leaving;
  if (!id || !source.endsWith(`/${id}.jsonl`)) return { step: -1, texts: {} };
  leaving = { id: "", texts: {} };
  return { step: places.get(id) ?? -1, texts };
}
