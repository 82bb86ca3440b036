"""A large transcript shows how it begins before Streamlit is on the page; what Streamlit then draws takes that place."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from tests.browser.looking import PAINTED, wait_for

pytestmark = pytest.mark.browser
SAMPLE = "sample:foldline/broken-rule.json"
BEGUN = {
    "id": "50",
    "name": "50.jsonl",
    "size": 50_000_000,
    "rows": [["user", "", "Fix the report"], ["assistant", "→ Read", "report.py"]],
    "first": "Fix the report",
}
COMPONENT = re.compile(r"/static/js/BidiComponent\..*\.js$")
"""The script of Streamlit that mounts a component, as the debugger is."""
CAME = """
window.came = 0;
const watch = new MutationObserver(() => (window.came += document.querySelectorAll(".fl-early").length));
watch.observe(document, { childList: true, subtree: true });
"""
"""Counts in `came` how often a beginning was on the page."""
STREAMLIT = re.compile(r"/static/js/index\..*\.js$")
"""The script that draws all of Streamlit."""


@contextmanager
def before_streamlit(page: Any, address: str, answer: dict[str, Any]) -> Iterator[None]:
    """The page at an address as long as Streamlit has drawn nothing, where the server has this to say of the beginning."""
    held: list[Any] = []
    page.route(re.compile("/api/beginning"), lambda route: route.fulfill(json=answer))
    page.route(
        "**/api/opening/50", lambda route: route.fulfill(json={"stage": "reading", "read": 12_000_000, "messages": 0})
    )
    page.route(STREAMLIT, lambda route: held.append(route))
    page.goto(address, wait_until="commit")
    yield
    page.unroute(STREAMLIT)
    for route in held:
        route.continue_()


@pytest.mark.parametrize("width", [1400, 900, 700])
def test_the_beginning_stands_where_the_debugger_will(fresh_page: Callable[..., Any], server: Any, width: int) -> None:
    """Its messages and how far it is, in the theme of the browser; then the debugger covers the same room."""
    page, watch = fresh_page(server.url, color_scheme="dark")
    page.set_viewport_size({"width": width, "height": 900})
    with before_streamlit(page, f"{server.url}/?source={SAMPLE}&step=3", {"opening": BEGUN}):
        page.locator(".fl-opening-stage", has_text="Reading: 12 of 50 MB…").wait_for()
        wait_for(page, "() => document.querySelector('.fl-early').shadowRoot.querySelector('[data-opening]')")
        assert page.locator(".fl-opening .fl-row").all_inner_texts() == [
            "M\nuser\nFix the report",
            "M\n→ Read\nreport.py",
        ]
        early = page.locator(".fl-app")
        assert (early.get_attribute("data-theme"), page.locator("[data-testid=stApp]").count()) == ("dark", 0)
        room = early.bounding_box()
    wait_for(page, PAINTED)

    assert page.locator(".fl-early, .fl-opening").count() == 0
    assert page.locator(".fl-app").bounding_box() == room
    assert watch.errors == []


def test_what_does_not_open_takes_the_place_of_the_beginning(fresh_page: Callable[..., Any], server: Any) -> None:
    """The notice is not covered."""
    page, _ = fresh_page(server.url)
    with before_streamlit(page, f"{server.url}/?source=sample:nowhere.json", {"opening": BEGUN}):
        page.locator(".fl-opening-first", has_text="Fix the report").wait_for()
    page.locator(".st-key-not-opened").wait_for()
    page.locator(".fl-early").wait_for(state="detached")


def test_another_page_takes_the_place_of_the_beginning(fresh_page: Callable[..., Any], server: Any) -> None:
    """Although no debugger came before it was left."""
    page, watch = fresh_page(server.url)
    page.set_viewport_size({"width": 1400, "height": 900})
    held: list[Any] = []
    page.route(COMPONENT, lambda route: held.append(route))
    with before_streamlit(page, f"{server.url}/?source={SAMPLE}", {"opening": BEGUN}):
        page.locator(".fl-opening-first", has_text="Fix the report").wait_for()
    learn = page.locator("[data-testid=stSidebar]").get_by_role("link", name="Learn")
    learn.wait_for()
    assert page.locator(".fl-early").count() == 1
    learn.click()
    page.locator(".fl-early").wait_for(state="detached")

    page.unroute(COMPONENT)
    for route in held:
        route.continue_()
    page.locator(".fl-learn").first.wait_for()
    assert watch.errors == []


def test_without_a_beginning_the_page_waits_for_streamlit(fresh_page: Callable[..., Any], server: Any) -> None:
    """A transcript that is open already, or one that is small."""
    page, watch = fresh_page(server.url)
    page.add_init_script(CAME)
    with before_streamlit(page, f"{server.url}/?source={SAMPLE}", {}):
        pass
    wait_for(page, PAINTED)
    assert (page.evaluate("() => window.came"), page.locator(".fl-app").count(), watch.errors) == (0, 1, [])


def test_only_a_page_of_a_session_asks_how_it_begins(fresh_page: Callable[..., Any], server: Any) -> None:
    """With the whole query of its address."""
    page, _ = fresh_page(server.url)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if "api/beginning" in request.url else None)
    for address in ("/", "/library?source=x", f"/debug?source={SAMPLE}&meter=agentkit"):
        page.goto(server.url + address)
        page.locator("[data-testid=stSidebar]").wait_for()

    assert asked == [f"{server.url}/api/beginning?source={SAMPLE}&meter=agentkit"]
