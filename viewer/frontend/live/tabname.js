// What this tab is called, so that the server knows which of them drives: the same after a reload, another one for another tab.

const NAME = "foldline-tab";
/** @type {Promise<string> | null} */
let known = null;

/** @returns {Promise<string>} */
export const tabName = () => (known ??= ours());

/** The name kept in the session's storage, unless a tab this one was copied from still goes by it. */
async function ours() {
  const kept = stored();
  if (kept && (await mine(kept))) return kept;
  const made = globalThis.crypto.randomUUID?.() ?? Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(16)).join("-");
  await mine(made);
  try {
    sessionStorage.setItem(NAME, made);
  } catch {
    // storage is switched off: the name holds until the page is left
  }
  return made;
}

function stored() {
  try {
    return sessionStorage.getItem(NAME);
  } catch {
    return null;
  }
}

/**
 * Whether no other tab holds this name; from then on this one does, as long as it is open.
 * @param {string} name
 * @returns {Promise<boolean>}
 */
function mine(name) {
  const locks = globalThis.navigator?.locks;
  if (!locks) return Promise.resolve(true);
  const held = (/** @type {(free: boolean) => void} */ tell) =>
    locks
      .request(`${NAME}-${name}`, { ifAvailable: true }, (lock) => (tell(Boolean(lock)), lock ? new Promise(() => {}) : undefined))
      .catch(() => tell(true));
  return new Promise((tell) => void held(tell));
}
