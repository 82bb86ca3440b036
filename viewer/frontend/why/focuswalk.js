// The arrow keys walk through what can be pressed in a list, as Tab does.

/** @param {HTMLElement} list @param {string} selector  of what takes the focus */
export function walkable(list, selector) {
  list.addEventListener("keydown", (event) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key] ?? 0;
    const all = /** @type {HTMLElement[]} */ ([...list.querySelectorAll(selector)]);
    const { target } = event;
    const at = target instanceof HTMLElement ? all.indexOf(target) : -1;
    if (!by || at < 0 || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation(); // in the window they choose a row
    all[at + by]?.focus();
  });
}
