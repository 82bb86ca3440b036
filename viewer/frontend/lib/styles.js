// The style sheet of the debugger, fetched once and shared by every component on the page.

/** What is not here is asked for again by whoever needs it next. @type {Promise<CSSStyleSheet> | null} */
let loading = null;

/**
 * Give the root an element stands in its style; a component without one of its own has nothing to style.
 * @param {Node | null} parent
 */
export async function styled(parent) {
  const root = parent?.getRootNode();
  if (!(root instanceof ShadowRoot) || root.adoptedStyleSheets.length) return;
  loading ??= fetched().catch((error) => {
    loading = null;
    throw error;
  });
  const sheet = await loading;
  if (!root.adoptedStyleSheets.length) root.adoptedStyleSheets = [sheet];
}

async function fetched() {
  const answer = await fetch(new URL("viewer-assets/joined.css", document.baseURI));
  if (!answer.ok) throw new Error(`The server answered ${answer.status}`);
  return new CSSStyleSheet().replace(await answer.text());
}
