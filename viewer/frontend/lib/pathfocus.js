// A path that does not open: Streamlit draws its field anew. The new one has the focus and the path is selected, to be mended; Escape
// dismisses what is said of the old one.

import { onceDrawn } from "./oncedrawn.js";

const FORM = '[data-testid="stSidebar"] [data-testid="stForm"]';
const TEXT = 'input[type="text"]';
const FIELD = `${FORM} ${TEXT}`;
const FAILURE = ":is(.st-key-not-opened, .st-key-not-opened-notice, .st-key-failure)";
/** While nothing runs: what is drawn now stays. */
const RESTS = '[data-testid="stApp"][data-test-script-state="notRunning"]';
const NOTICE = ":is(.st-key-not-opened-notice, .st-key-failure)";

/** Watch the field of the path, and Escape. */
export function watchFailures() {
  /** What of the path's form a person used last: null once they use something else. @type {Element | null} */ let used = null;
  const use = (/** @type {Event} */ { target }) => {
    used = target instanceof Element && target.closest(FORM)?.querySelector(TEXT) ? target : null;
  };
  const refocus = () => {
    const field = /** @type {HTMLInputElement | null} */ (document.querySelector(FIELD));
    if (!used || used.isConnected || !field?.value || !document.querySelector(RESTS)) return; // a field is there before its path is
    used = document.querySelector(FAILURE) && field; // it may be drawn anew once more; of a path that opened nothing is left to mend
    if (!used) return;
    field.focus();
    field.select();
  };
  for (const name of ["keydown", "pointerdown", "focusin"]) document.addEventListener(name, use, true); // Tab is pressed in the field
  new MutationObserver(refocus).observe(document.body, { childList: true, subtree: true, attributeFilter: ["data-test-script-state", "value"] });
  document.addEventListener("keydown", dismiss);
}

/** Escape dismisses the notice, also before its button is drawn. @param {KeyboardEvent} event */
function dismiss(event) {
  const { target, key } = event;
  const here = target instanceof Element && (target === document.body || target.matches(FIELD) || target.closest(FAILURE));
  if (key !== "Escape" || !here || event.defaultPrevented || !document.querySelector(NOTICE)) return;
  event.preventDefault(); // or the debugger closes what is newest in it as well
  onceDrawn(`${NOTICE} button`, (button) => button.click());
}
