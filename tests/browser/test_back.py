"""Back and Forward across the pages: each entry of the history is a place that somebody was at, and shows it again."""

import json
from typing import Any

import pytest

from tests.browser.looking import DEEP, ROOT, idle, look, press, wait_addressed, wait_for, wait_step

pytestmark = pytest.mark.browser
RULE = "sample:foldline/broken-rule.json"
OPENED = {"source": RULE, "policy": "agentkit.memory", "budget": 1600, "keep_recent": 6}
PLUMS = [{"role": "user", "content": "when are the plums ripe"}, {"role": "assistant", "content": "In September."}]


@pytest.fixture(scope="module")
def server(serve: Any) -> Any:
    """An app of its own: its home has one session."""
    served = serve()
    folder = served.home / "kept"
    folder.mkdir()
    (folder / "plums.json").write_text(json.dumps(PLUMS))
    return served


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


def opened_from_the_library(page: Any, server: Any) -> None:
    """Leave Debug for the Library, and open the session there."""
    page.get_by_role("link", name="Library").click()
    row = page.get_by_role("row").filter(has_text="plums")
    add = page.get_by_role("button", name="Add a folder…")
    row.or_(add).first.wait_for()
    if add.count():
        add.click()
        page.locator("input:focus").fill(str(server.home / "kept"))
        page.keyboard.press("Enter")
    row.click()
    shown(page, "plums.json", 1, "overview")


def test_each_entry_shows_its_own_session(fresh_page: Any, server: Any) -> None:
    """Back from a session of the Library: the list, then the session before it at its step and the one it jumped from.

    Forward goes the same way on to the newest. Nothing is added to the history, and a reload shows the same session.
    """
    page, _ = fresh_page(server.url)
    look(page, server.url, **OPENED, step=40)
    shown(page, RULE, 40)
    press(page, "g")
    shown(page, RULE, 0)
    opened_from_the_library(page, server)
    count = entries(page)
    page.go_back()
    page.get_by_role("row").filter(has_text="plums").wait_for()
    page.go_back()
    shown(page, RULE, 0)
    page.go_back()
    shown(page, RULE, 40)
    page.reload()
    shown(page, RULE, 40)
    page.go_forward()
    shown(page, RULE, 0)
    page.go_forward()
    page.get_by_role("row").filter(has_text="plums").wait_for()
    page.go_forward()
    shown(page, "plums.json", 1, "overview")
    assert "policy=" in page.url
    assert entries(page) == count


def test_back_twice_at_once(fresh_page: Any, server: Any) -> None:
    """Before the first page has come: what is shown is what is reached, and the history stays as it is."""
    page, _ = fresh_page(server.url)
    look(page, server.url, **OPENED, step=40)
    shown(page, RULE, 40)
    opened_from_the_library(page, server)
    count = entries(page)
    twice = "(way) => { addEventListener('popstate', () => history[way](), { once: true }); history[way](); }"
    page.evaluate(twice, "back")
    shown(page, RULE, 40)
    page.evaluate(twice, "forward")
    shown(page, "plums.json", 1, "overview")
    assert entries(page) == count
