// What a key that was pressed is for: a field, a widget of its own, or the page.

/** What moves a slider. */
const MOVES = /^(?:Arrow|Page|Home$|End$)/;

/** Whether a person is typing or choosing in a field; letters mean nothing to a slider. @param {Event} event */
export function typing(event) {
  const at = /** @type {HTMLInputElement | undefined} */ (event.composedPath()[0]);
  if (at?.isContentEditable || ["TEXTAREA", "SELECT"].includes(at?.tagName ?? "")) return true;
  if (at?.tagName !== "INPUT") return false;
  if (at.type === "range") return "key" in event && MOVES.test(String(event.key));
  return !["checkbox", "radio", "button"].includes(at.type);
}

/** What the arrow keys up and down move by themselves. */
export const OWN_ARROWS = '[role="slider"], [role="listbox"], [role="menu"], [role="radiogroup"], [type="radio"]';
/** What takes keys of its own outside of the debugger. */
const OWN_KEYS = `${OWN_ARROWS}, dialog, [role="dialog"], [role="combobox"], [role="grid"], [role="tree"]`;

/** Whether nothing but the debugger has a use for a key. @param {Event} event */
export const unused = (event) => !typing(event) && !within(event, OWN_KEYS);

/** @param {Event} event @param {string} selector */
export function within(event, selector) {
  return event.composedPath().some((node) => node instanceof Element && node.matches(selector));
}

/** Whether it is what undoes everywhere: Ctrl Z, on a Mac Cmd Z. @param {KeyboardEvent} event */
export const undoes = (event) => event.key.toLowerCase() === "z" && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;

/** @param {Event} event */
export function onButton(event) {
  const at = /** @type {HTMLInputElement | undefined} */ (event.composedPath()[0]);
  return at?.tagName === "BUTTON" || at?.tagName === "SUMMARY" || at?.getAttribute?.("role") === "tab";
}

/** Whether a node is a link to the page that is open, so that to follow it changes nothing. @param {unknown} node */
export function leadsHere(node) {
  if (!(node instanceof Element && node.matches("a"))) return false;
  return /** @type {HTMLAnchorElement} */ (node).href === location.origin + location.pathname;
}

/**
 * A click leaves the arrow keys to the page; they are a slider's, or those of a row of tabs, where it has the focus by Tab.
 * @param {MouseEvent} event  a button of the mouse goes down
 */
export function leaveArrows(event) {
  if (event.button !== 0 || !(event.currentTarget instanceof Element)) return;
  event.preventDefault();
  const page = event.currentTarget.closest(".fl-app");
  if (page instanceof HTMLElement) page.focus({ preventScroll: true });
}
