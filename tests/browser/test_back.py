"""Back and Forward across the pages: each entry of the history is a place that somebody was at, and shows it again."""

from typing import Any

import pytest

from tests.browser.looking import DEEP, ROOT, idle, look, press, wait_addressed, wait_for, wait_step

pytestmark = pytest.mark.browser
RULE = "sample:foldline/broken-rule.json"
OPENED = {"source": RULE, "policy": "agentkit.memory", "budget": 1600, "keep_recent": 6}


def shown(page: Any, source: str, step: int, front: str = "") -> None:
    """Wait until the address names this place of Debug, and Debug shows it; nothing of it changes any more."""
    page.locator(f"{ROOT}:not(.fl-compare)[data-rendered]").wait_for()
    wait_step(page, step)
    wait_for(page, "(query) => query.every((part) => location.search.includes(part))", [source, f"step={step}"])
    wait_for(page, "(front) => (new URLSearchParams(location.search).get('show') ?? '') === front", front)
    wait_for(
        page, f"(front) => (({DEEP})('.fl-overview:not([hidden])')?.offsetParent != null) === (front !== '')", front
    )
    idle(page)


def entries(page: Any) -> int:
    """How many entries the history has."""
    found: int = page.evaluate("() => history.length")
    return found


@pytest.mark.parametrize("way", ["button", "v", "link"])
@pytest.mark.parametrize("front", ["", "overview"])
def test_one_back_leads_from_compare_to_debug(fresh_page: Any, server: Any, way: str, front: str) -> None:
    """As it was left: its step, its policy, its overview. A reload shows the same, and Forward leads to Compare."""
    page, _ = fresh_page(server.url)
    look(page, server.url, **OPENED, step=40, **({"show": front} if front else {}))
    shown(page, RULE, 40, front)
    before, address = entries(page), page.url
    if way == "v":
        press(page, "v")
    else:
        page.get_by_role("button" if way == "button" else "link", name="Compare", exact=True).click()
    page.locator(".fl-compare[data-rendered]").wait_for()
    wait_addressed(page, "b=agentkit.memory")
    assert entries(page) == before + 1
    page.go_back()
    shown(page, RULE, 40, front)
    assert page.url == address
    page.reload()
    shown(page, RULE, 40, front)
    assert page.url == address
    page.go_forward()
    page.locator(".fl-compare[data-rendered]").wait_for()
    assert entries(page) == before + 1


def test_a_lane_opened_in_debug_is_one_entry(fresh_page: Any, server: Any) -> None:
    """Back leads to Compare at once, then to Debug as it was before."""
    page, _ = fresh_page(server.url)
    look(page, server.url, **OPENED, step=40)
    shown(page, RULE, 40)
    before = entries(page)
    for there in (".fl-compare[data-rendered]", f"{ROOT}:not(.fl-compare)[data-rendered]"):
        press(page, "v")
        page.locator(there).wait_for()
        wait_addressed(page, RULE)
        idle(page)
    assert entries(page) == before + 2
    page.go_back()
    page.locator(".fl-compare[data-rendered]").wait_for()
    page.go_back()
    shown(page, RULE, 40)
