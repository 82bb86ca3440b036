// How faithful a policy is to the real system, in a few words. Pure.

/**
 * Its fidelity; of an exact policy that leaves something out, that it does.
 * @param {string} fidelity
 * @param {string[]} [notModelled]
 */
export function claim(fidelity, notModelled = []) {
  return fidelity === "exact" && notModelled.length ? "exact, except …" : fidelity;
}
