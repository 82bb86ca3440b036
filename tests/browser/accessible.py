"""axe-core over a page: the rules of WCAG 2.2 AA and the good practice that it knows. https://github.com/dequelabs/axe-core"""

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
