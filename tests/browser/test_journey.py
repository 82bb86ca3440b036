"""The journey of somebody whose agent forgot a rule: open, why, try a change, compare, back, share."""

from typing import Any

import pytest

from tests.browser.looking import press, wait_addressed
from tests.browser.test_compare import query_of

pytestmark = pytest.mark.browser
RULE = "Never delete an original in photos/: the printed catalogue links to them by name."
PIN = "Pin message 16"


def at_why(page: Any, server: Any) -> None:
    """Open the app, and follow the rule that its overview tells of."""
    page.goto(server.url)
    page.locator(".fl-loss-text").first.click()
    page.get_by_role("button", name=f"Try {PIN}").wait_for()


def tried(page: Any) -> None:
    """Try the pin, and wait until it is said what came of it."""
    page.get_by_role("button", name=f"Try {PIN}").click()
    page.get_by_text(f"{PIN} keeps it").wait_for()


def compared(page: Any) -> None:
    """Go to Compare, and wait until the fate of the text is known in both lanes."""
    press(page, "v")
    page.locator(".fl-compare[data-rendered]").wait_for()
    page.locator("[data-pinned=text] .fl-state").nth(1).wait_for()


def test_compare_follows_the_text_and_names_the_pin(page: Any, server: Any) -> None:
    """From a tried pin: the text is followed on, lost in the lane as recorded and kept in the one that is named by the pin.

    A reload, the address's other settings of that lane, and taking the pin out change what they say and nothing else.
    """
    at_why(page, server)
    tried(page)
    compared(page)
    assert page.locator("[data-pinned=quote]").inner_text() == RULE
    assert page.locator("[data-pinned=text] .fl-state").all_inner_texts() == ["gone since 28", "in window"]
    assert page.locator(".fl-lane-title").all_inner_texts() == ["As recorded", "agentkit.memory + pin"]
    assert "message 16 pinned" in page.locator(".fl-lane-settings").all_inner_texts()[1]
    wait_addressed(page, "why=Never")
    assert query_of(page)["b"] == "agentkit.memory,budget=1600,keep_recent=6,pin=pottery-15"
    page.reload()
    page.locator("[data-pinned=text] .fl-state").nth(1).wait_for()
    assert page.locator("[data-pinned=text] .fl-state").all_inner_texts() == ["gone since 28", "in window"]
    page.get_by_role("button", name="Unpin").click()
    page.get_by_role("button", name="Unpin").wait_for(state="detached")
    wait_addressed(page, "b=agentkit.memory,budget=1600,keep_recent=6&")
    page.locator(".fl-state-gone").nth(1).wait_for()
    assert page.locator(".fl-lane-title").all_inner_texts() == ["As recorded", "agentkit.memory"]
