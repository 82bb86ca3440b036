// Waiting for a state, however long a busy machine takes.

/** Until something holds. @param {() => unknown} holds */
export async function until(holds) {
  while (!holds()) await new Promise((next) => globalThis.setTimeout(next));
}
