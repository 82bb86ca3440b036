// The style sheets of the debugger, fetched once and shared by every component on the page.

const DEBUGGER = ["parts", "windowlist", "inspector", "markdown", "card", "overlays", "findings"].map((name) => `../debugger/${name}.css`);
const SHEETS = ["./base.css", ...DEBUGGER, "../live/live.css", "../settings/sidebar.css", "../library/library.css", "./small.css"];

/** @type {Promise<CSSStyleSheet[]> | null} */
let loading = null;

/**
 * Give the root an element stands in its style; a component without one of its own has nothing to style.
 * @param {Node | null} parent
 */
export async function styled(parent) {
  const root = parent?.getRootNode();
  if (!(root instanceof ShadowRoot) || root.adoptedStyleSheets.length) return;
  loading ??= Promise.all(SHEETS.map(sheet));
  const sheets = await loading;
  if (!root.adoptedStyleSheets.length) root.adoptedStyleSheets = sheets;
}

/** @param {string} name */
async function sheet(name) {
  const answer = await fetch(new URL(name, import.meta.url));
  return new CSSStyleSheet().replace(await answer.text());
}
