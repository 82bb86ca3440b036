// What a press leads to may still be missing: Streamlit loads the code of its first field on demand.

/** Act on a node, as soon as it is drawn; whatever is pressed before that takes its place. @param {string} selector @param {(node: HTMLElement) => void} act */
export function onceDrawn(selector, act) {
  const over = new AbortController();
  const look = () => {
    const node = document.querySelector(selector);
    if (!(node instanceof HTMLElement)) return;
    over.abort();
    act(node);
  };
  const watch = new MutationObserver(look);
  over.signal.addEventListener("abort", () => watch.disconnect());
  for (const name of ["keydown", "pointerdown"]) document.addEventListener(name, () => over.abort(), { capture: true, signal: over.signal });
  watch.observe(document.body, { childList: true, subtree: true });
  look();
}
