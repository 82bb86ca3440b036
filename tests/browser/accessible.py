"""axe-core over a page: the rules of WCAG 2.2 AA and the good practice that it knows. https://github.com/dequelabs/axe-core

And what it does not know: whether the ring around what has the focus is whole.
"""

from functools import cache
from typing import Any

from tests.serving import ROOT

TAGS = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")
RUN = """
async (runOnly) => {
  const { violations } = await axe.run(document, { runOnly, resultTypes: ['violations'] });
  const why = (node) => [...node.any, ...node.all, ...node.none].map((check) => check.message).join('; ');
  return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html.slice(0, 200)} (${why(node)})`));
}
"""


@cache
def axe() -> str:
    """The source of axe-core."""
    return (ROOT / "node_modules" / "axe-core" / "axe.min.js").read_text(encoding="utf-8")


def violations(page: Any) -> list[str]:
    """What axe-core finds wrong with the page as it stands, by the light theme in full, by the dark one in its contrasts."""
    page.evaluate(axe())
    found = []
    for scheme, run_only in (
        ("light", {"type": "tag", "values": TAGS}),
        ("dark", {"type": "rule", "values": ["color-contrast"]}),
    ):
        page.emulate_media(color_scheme=scheme)
        page.locator(f'[data-theme="{scheme}"]').first.wait_for(state="attached")
        found += [f"{scheme}: {text}" for text in page.evaluate(RUN, run_only)]
    page.emulate_media(color_scheme="light")
    return found


CUT_RING = """
() => {
  let at = document.activeElement;
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  if (!at?.closest('.fl-app, .fl-panel, .fl-chooser, .fl-library, .fl-tune, .fl-learn')) return null;
  const style = getComputedStyle(at), box = at.getBoundingClientRect();
  const drawn = style.outlineStyle !== 'none';
  const grown = drawn ? parseFloat(style.outlineOffset) + parseFloat(style.outlineWidth) : 0;
  const above = (node) => node.parentElement ?? node.getRootNode().host ?? null;
  const cut = [];
  let tall = false; // seen a part at a time, its ring too
  for (let node = above(at); node; node = above(node)) {
    const { display, overflowX, overflowClipMargin, borderLeftWidth } = getComputedStyle(node);
    if (display === 'inline' || !/hidden|auto|scroll|clip/.test(overflowX)) continue;
    const room = node.getBoundingClientRect();
    const inset = parseFloat(borderLeftWidth) - (overflowX === 'clip' ? parseFloat(overflowClipMargin) : 0) - 0.6;
    const sides = { left: room.left + inset - box.left + grown, right: box.right + grown - room.right + inset };
    const ends = { top: room.top + inset - box.top + grown, bottom: box.bottom + grown - room.bottom + inset };
    tall ||= box.height > room.height;
    const over = Object.entries(tall ? sides : { ...sides, ...ends }).filter(([, by]) => by > 0);
    cut.push(...over.map(([side]) => `${side} by ${node.className}`));
  }
  const name = `${at.className} ${at.ariaLabel ?? at.textContent.trim().slice(0, 30)}`;
  const around = getComputedStyle(at, '::after').outlineStyle !== 'none'; // a control that fills its card
  return { name, cut, none: !drawn && !around && !at.matches('.fl-timeline') };
}
"""


def cut_rings(page: Any, most: int = 120) -> tuple[int, list[str]]:
    """How many controls of ours Tab leads to, and those whose ring is not there or is cut by what they stand in."""
    seen: set[str] = set()
    wrong = []
    for _ in range(most):
        page.keyboard.press("Tab")
        found = page.evaluate(CUT_RING)
        if found is None or found["name"] in seen:
            continue
        seen.add(found["name"])
        wrong += [f"{found['name']}: {', '.join(found['cut']) or 'no ring'}"] if found["cut"] or found["none"] else []
    return len(seen), wrong
