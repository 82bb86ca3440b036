"""A page of 900 by 700: what a person reads first is there whole, and nothing of it is cut off."""

from typing import Any

import pytest

from tests.browser.looking import DEEP, ROOT, drawn, look, press, wait_for

pytestmark = pytest.mark.browser

RECORDED = "sample:claude-code/recorded-compaction.jsonl"
SIZE = {"width": 900, "height": 700}

CUT = f"""
(selector) => {{
  const shown = (node) => node.offsetParent && !node.closest('[hidden]');
  const cut = (node) => node.scrollWidth > node.clientWidth + 1 || node.scrollHeight > node.clientHeight + 1;
  const nodes = [...({DEEP})('{ROOT}').querySelectorAll(selector)].filter(shown);
  return [nodes.length, nodes.filter(cut).map((node) => node.textContent)];
}}
"""


@pytest.fixture
def narrow(page: Any) -> Any:
    """A page of this size."""
    page.set_viewport_size(SIZE)
    return page


def test_the_legend_and_the_headings_of_a_recorded_window_are_whole(narrow: Any, server: Any) -> None:
    """That a region is told with hindsight is said at this width, too; of what is above there is at least its number."""
    look(narrow, server.url, source=RECORDED, step=24)
    assert narrow.locator(".fl-legend").inner_text().count("compactable (hindsight)") == 1
    assert narrow.locator(".fl-sticky > span").first.inner_text() == "Removed by the next compaction"
    found, cut = narrow.evaluate(CUT, ".fl-legend, .fl-item, .fl-sticky, .fl-sticky > *")
    assert found >= 4
    assert not cut


def test_the_overview_begins_with_what_was_forgotten_in_sight(narrow: Any, server: Any) -> None:
    """Whether it mattered leaves room for the first words of what was forgotten."""
    look(narrow, server.url, source=RECORDED)
    wait_for(narrow, f"() => !!({DEEP})('{ROOT}').querySelector('.fl-overdict b')")
    panel = narrow.locator(".fl-inspector .fl-ibody").bounding_box()
    first = narrow.locator(".fl-loss-head").first.bounding_box()
    assert first["y"] + first["height"] <= panel["y"] + panel["height"]


def test_all_names_of_the_tabs_of_a_card_are_whole(narrow: Any, server: Any) -> None:
    """Where numbers have no room beside six names they go; no name is cut off, and none begins on a second line."""
    look(narrow, server.url, source=RECORDED)
    press(narrow, "n")
    narrow.locator(".fl-tab").nth(5).wait_for()
    for width in (900, 1000, 1100, 1400):
        narrow.set_viewport_size({"width": width, "height": 700})
        drawn(narrow)
        boxes = (
            "(nodes) => nodes.map((node) => node.getBoundingClientRect().toJSON())"  # at once: the card may still grow
        )
        row, *names = narrow.locator(".fl-tabs, .fl-tab > span:first-child").evaluate_all(boxes)
        assert len(names) == 6
        assert all(name["right"] <= row["right"] for name in names)
        assert len({name["y"] for name in names}) == 1
