"""Every page and dialog by the rules of WCAG 2.2 AA that axe-core knows, in both themes; and in small windows."""

from typing import Any

import pytest

from tests.browser.accessible import violations
from tests.browser.looking import DEEP, look, press, value, wait_for

pytestmark = pytest.mark.browser
CODING = {"source": "sample:openai-chat/coding-session.json", "policy": "agentkit.memory", "budget": 16_000}


def test_the_debugger(page: Any, server: Any) -> None:
    """The window, a message, every tab of a compaction's card, and all that opens over them."""
    look(page, server.url, **CODING, step=40)
    assert violations(page) == []
    code = page.locator(".fl-ibody [data-kind=code]").first
    code.focus()
    page.keyboard.press("ArrowRight")
    wait_for(page, f"() => ({DEEP})('.fl-ibody [data-kind=code]').scrollLeft > 0")
    assert value(page, "step") == "40"

    press(page, "n")
    tabs = page.get_by_role("tablist", name="About this compaction").get_by_role("tab")
    for tab in tabs.all():
        tab.click()
        assert violations(page) == []

    for key, opened in (("/", ".fl-find"), ("?", ".fl-help[open]"), ("f", ".fl-findings")):
        press(page, key)
        page.locator(opened).wait_for()
        assert violations(page) == []
        page.keyboard.press("Escape")
        page.locator(opened).wait_for(state="hidden")


def test_the_settings(page: Any, server: Any) -> None:
    """A recorded run, and the dialog of policies over it."""
    look(page, server.url, source="sample:claude-code/recorded-compaction.jsonl")
    assert violations(page) == []

    page.get_by_role("button", name="All policies").click()
    page.locator(".fl-pick[open]").wait_for()
    assert violations(page) == []


def test_the_library(page: Any, server: Any) -> None:
    """The list of the sessions on this machine, and that of the runs."""
    page.goto(f"{server.url}/library")
    page.locator(".fl-library").wait_for()
    assert violations(page) == []
    page.get_by_role("link", name="Runs").click()
    page.locator(".fl-runs[data-ready=true]").wait_for()
    assert violations(page) == []


def test_a_live_run(page: Any, server: Any) -> None:
    """Before it begins, with its breakpoints open, and paused in the middle."""
    look(page, f"{server.url}/live")
    assert violations(page) == []


@pytest.mark.parametrize(("width", "height"), [(700, 450), (350, 225)])
def test_a_small_window(page: Any, server: Any, width: int, height: int) -> None:
    """At 200 % and 400 % zoom the page scrolls to every panel, none is flat, and nothing is cut off at the side."""
    page.set_viewport_size({"width": width, "height": height})
    for address, own in (("", "timeline"), ("/live", "live")):
        look(page, f"{server.url}{address}")
        for panel in (own, "window", "inspector"):
            slot = page.locator(f".fl-slot-{panel}")
            slot.scroll_into_view_if_needed()
            box = slot.bounding_box()
            assert box["height"] > 90
            assert 0 <= box["x"] <= width - box["width"]
            assert -box["height"] < box["y"] < height
        wide = "() => document.querySelector('[data-testid=stMain]').scrollWidth"
        assert page.evaluate(wide) <= width
    page.set_viewport_size({"width": 1400, "height": 900})
