// The way by key into the inspector and back: by Tab all that stands above it and the window lies between.

/** @import { App } from "./app.js" */

const INSPECTOR = ".fl-inspector";
/** What takes the keys there: Why where it is in front, a card's open tab, else all that is shown. */
const INSIDE = [".fl-why-panel:not([hidden])", ".fl-ibody .fl-tab[aria-selected=true]", ".fl-ibody"];

/** Give the keys to the inspector; where it has them, to the debugger. @param {App} app */
export function enterInspector(app) {
  const inspector = /** @type {HTMLElement} */ (app.root.querySelector(INSPECTOR));
  if (inspector.matches(":focus-within")) return app.root.focus({ preventScroll: true });
  const nodes = INSIDE.map((selector) => /** @type {HTMLElement | null} */ (inspector.querySelector(selector)));
  nodes.find(Boolean)?.focus();
}
