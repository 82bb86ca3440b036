// Where the cursor was in live runs, so that Debug opens a run at the step that was looked at.

/** By the id of the run. @type {Map<string, number>} */
const places = new Map();

/** The run that is being opened in Debug. */
let leaving = "";

/** @param {string} id @param {number} step */
export const stoodAt = (id, step) => void places.set(id, step);

/** Debug is to open this run. @param {string} id */
export function leaveFor(id) {
  leaving = id;
}

/** The step at which Debug shows what it opened, asked once: that of the run it was left for; -1 for any other source. @param {string} source  as the address names it */
export function arriveAt(source) {
  const id = leaving;
  if (!id || !source.endsWith(`/${id}.jsonl`)) return -1;
  leaving = "";
  return places.get(id) ?? -1;
}
