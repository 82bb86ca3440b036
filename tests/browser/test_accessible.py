"""Every page and dialog by the rules of WCAG 2.2 AA that axe-core knows, in both themes; and in small windows."""

import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode

import pytest

from core.drive import Store
from core.model.session import Message, Usage
from core.trace.events import AnyEvent, Arrived, Began, Called, Ended, Failed, Used
from tests.browser.accessible import cut_rings, violations
from tests.browser.looking import DEEP, carded, idle, look, press, until, value, wait_for

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
    carded(page)
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


def test_a_message_that_comes_late(page: Any, server: Any) -> None:
    """Until its text is there, nothing offers to switch how it is read."""
    held: list[Any] = []
    page.route("**/api/message/**", lambda route: held.append(route))
    look(page, server.url, **CODING, step=1)
    until(page, lambda: len(held) > 0)
    assert violations(page) == []
    for route in held:
        route.continue_()
    page.get_by_role("switch", name="Markdown").wait_for()
    page.unroute("**/api/message/**")


@pytest.mark.parametrize("width", [1400, 900])
def test_rings_are_whole(page: Any, server: Any, width: int) -> None:
    """Whatever has the focus by Tab has a ring that nothing cuts: with lanes and Why, with a card, and on Compare."""
    page.set_viewport_size({"width": width, "height": 900 if width == 1400 else 700})
    why = "No new dependency, not even a small one"
    forgotten = {"source": "sample:foldline/forgotten-rule.json", "step": 134}
    look(page, server.url, **forgotten, why=why)
    page.get_by_role("button", name=re.compile("^All .* changes")).click()
    page.locator(".fl-why-fixes tbody tr").nth(2).wait_for()
    found, wrong = cut_rings(page)
    assert (found > 40, wrong) == (True, [])
    press(page, "Escape")
    carded(page)
    assert cut_rings(page)[1] == []
    page.goto(f"{server.url}/compare?{urlencode({**forgotten, 'a': 'none', 'b': 'recorded', 'why': why})}")
    page.locator(".fl-totals-card[data-figures=all]").wait_for()
    page.locator("[data-pinned=text] .fl-state").nth(1).wait_for()
    found, wrong = cut_rings(page)
    assert (found > 20, wrong) == (True, [])


@pytest.mark.parametrize("width", [1400, 900])
@pytest.mark.parametrize(
    ("path", "there"),
    [
        ("/tune", ".fl-tune-map td"),
        ("/learn", "[data-lesson='6']"),
        ("/learn?lesson=2&step=2", ".fl-app[data-rendered]"),
        ("/live", ".fl-app[data-rendered]"),
        ("/library", ".fl-library"),
        ("/runs", ".fl-runs[data-ready=true]"),
    ],
)
def test_rings_are_whole_on_every_page(page: Any, server: Any, path: str, there: str, width: int) -> None:
    """The same of the other pages, as they open."""
    page.set_viewport_size({"width": width, "height": 900 if width == 1400 else 700})
    page.goto(server.url + path)
    page.locator(there).first.wait_for(state="attached")
    idle(page)
    found, wrong = cut_rings(page, 70)
    assert (found > 2, wrong) == (True, [])


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


TYPED = Arrived(message=Message(role="user", content="Read the ledger of March."), tokens=9)
PAID: list[AnyEvent] = [Called(number=1, messages=1, estimate=9), Used(number=1, usage=Usage(output=9, cost=0.0123))]
RUNS: dict[str, list[AnyEvent]] = {
    "ready": [],
    "ended": [TYPED, *PAID, Ended(why="answered")],
    "failed": [TYPED, *PAID, Called(number=2, messages=2, estimate=9), Failed(error="rate_limit", text="429")],
    "stopped": [TYPED, Ended(why="stopped")],
}


@pytest.fixture
def runs(server: Any) -> Iterator[None]:
    """A run of each status on the app's disk, as long as the test takes."""
    store = Store(server.home / ".local" / "share" / "foldline" / "sessions")
    for id, events in RUNS.items():
        recorder = store.recorder(id)
        for event in (Began(id=id), *events):
            recorder.write(event)
        recorder.close()
        store.release(id)
    yield
    for id in RUNS:
        store.delete(id)


def test_the_runs(page: Any, server: Any, runs: None) -> None:
    """A run of each status, and what can be done with one and with several of them."""
    page.goto(f"{server.url}/runs")
    page.locator(".fl-runs[data-ready=true]").wait_for()
    shown = page.locator(".fl-long-row .fl-run-status")
    assert sorted(shown.all_inner_texts()) == ["Ended", "Failed", "Ready", "Stopped"]
    table, row = page.locator(".fl-table").bounding_box(), page.locator(".fl-long-row").first.bounding_box()
    assert row["width"] == table["width"] - 2  # nothing to scroll: the rows go from edge to edge
    assert violations(page) == []
    boxes = page.get_by_role("checkbox")
    boxes.nth(0).check()
    for name, opened in (
        ("Rename…", page.get_by_label("Name", exact=True)),
        ("Delete…", page.get_by_role("button", name="Confirm delete")),
    ):
        assert violations(page) == []
        page.get_by_role("button", name=name).click()
        opened.wait_for()
        assert violations(page) == []
        page.get_by_role("button", name="Cancel").click()
    boxes.nth(1).check()
    page.get_by_text("2 runs selected").wait_for()
    assert violations(page) == []
    page.get_by_label("Search runs").fill("no such run")
    page.get_by_text("No matching runs").wait_for()
    assert violations(page) == []


def test_a_live_run(page: Any, server: Any) -> None:
    """Before it begins; its dialogs are in test_live.py."""
    look(page, f"{server.url}/live")
    assert violations(page) == []


def test_a_list_in_a_small_window(fresh_page: Any, server: Any, runs: None) -> None:
    """At 400 % zoom the titles are still there to read, some rows at a time, and the other columns a scroll away."""
    page, _ = fresh_page(server.url, width=350, height=225)
    page.goto(f"{server.url}/runs")
    page.locator(".fl-runs[data-ready=true]").wait_for()
    table = page.locator(".fl-table")
    table.scroll_into_view_if_needed()
    assert table.bounding_box()["height"] > 200
    assert page.locator(".fl-long-row .fl-listed-title").first.bounding_box()["width"] > 90
    last = page.get_by_role("columnheader").last
    last.scroll_into_view_if_needed()
    box = last.bounding_box()
    assert 0 <= box["x"] <= 350 - box["width"]


def test_a_page_of_900_pixels_has_room_for_its_header_and_find(page: Any, server: Any) -> None:
    """The last button of the header is whole; the field of Find has a line of its own."""
    page.set_viewport_size({"width": 900, "height": 700})
    look(page, server.url, **CODING, step=40)
    last, header = page.get_by_role("button", name="Help").bounding_box(), page.locator(".fl-header").bounding_box()
    assert last["x"] + last["width"] <= header["x"] + header["width"]
    press(page, "/")
    field = page.get_by_role("textbox", name="Find in messages and summaries").bounding_box()
    assert field["width"] > 200
    page.keyboard.press("Escape")


PANELS = {
    "/": (".fl-slot-timeline", ".fl-slot-inspector"),
    "/?step=3": (".fl-slot-timeline", ".fl-slot-window", ".fl-slot-inspector"),
    "/live": (".fl-slot-live", ".fl-slot-window", ".fl-slot-inspector"),
    "/compare?a=none&b=agentkit.memory&c=recorded": (
        ".fl-slot-lanes",
        ".fl-bar",
        ".fl-slot-window",
        ".fl-totals-card",
    ),
    "/tune": (".fl-tune-mapcard", ".fl-tune-verdict", ".fl-tune-tablecard:not([hidden])"),
    "/learn?lesson=1&step=2": (".fl-learn-side", ".fl-desk", ".fl-slot-timeline", ".fl-slot-window"),
}
CUT_OFF = f"""
(selectors) => {{
  const nodes = selectors.map((selector) => ({DEEP})(selector));
  const boxes = nodes.map((node) => node.getBoundingClientRect());
  const over = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
  const upon = selectors.filter((_, k) => boxes.some((box, other) => other !== k && over(box, boxes[k])));
  const out = selectors.filter((_, k) => boxes[k].left < 0 || boxes[k].right > innerWidth || boxes[k].height < 60);
  const less = selectors.filter((_, k) => {{
    const parts = [...nodes[k].querySelectorAll('button, select, input')].filter((node) => node.checkVisibility());
    const rolls = (node) => /auto|scroll/.test(getComputedStyle(node).overflowY);
    const scrolled = (node) => node !== nodes[k] && (rolls(node) || scrolled(node.parentElement));
    return parts.some((node) => !scrolled(node) && node.getBoundingClientRect().bottom > boxes[k].bottom + 1);
  }});
  const wide = document.querySelector('[data-testid=stMain]').scrollWidth > innerWidth ? ['the page'] : [];
  return {{ upon, out, less, wide }};
}}
"""


@pytest.mark.parametrize(("width", "height"), [(700, 450), (350, 225)])
@pytest.mark.parametrize("address", PANELS)
def test_a_small_window(page: Any, server: Any, address: str, width: int, height: int) -> None:
    """At 200 % and 400 % zoom the page scrolls to every panel; none is flat, cut or upon another, and all buttons are there."""
    page.set_viewport_size({"width": width, "height": height})
    page.goto(server.url + address)
    panels = PANELS[address]
    page.locator(panels[-1]).wait_for()
    page.locator(".fl-app[data-rendered], .fl-tune-page:has(.fl-tune-map td)").first.wait_for(state="attached")
    idle(page)
    assert page.evaluate(CUT_OFF, list(panels)) == {"upon": [], "out": [], "less": [], "wide": []}
    for panel in panels:
        slot = page.locator(panel)
        slot.scroll_into_view_if_needed()
        box = slot.bounding_box()
        assert -box["height"] < box["y"] < height


@pytest.mark.parametrize(("width", "height"), [(700, 450), (350, 225)])
def test_a_lesson_in_a_small_window(lone_page: Any, server: Any, width: int, height: int) -> None:
    """Where the sidebar is away, the list scrolls to its last lesson, and a step asks and answers above the debugger."""
    page = lone_page  # nothing is answered yet
    page.set_viewport_size({"width": width, "height": height})
    page.goto(f"{server.url}/learn")
    last = page.locator("[data-lesson='6']").get_by_role("button")
    last.scroll_into_view_if_needed()
    box = last.bounding_box()
    assert 0 <= box["y"] <= height - box["height"]
    page.goto(f"{server.url}/learn?lesson=1&step=2")
    aside = page.get_by_role("complementary", name="Lesson")
    aside.get_by_text("step 2 of 6").wait_for()
    asked, stage = page.locator(".fl-desk"), page.locator(".fl-learn-stage")
    asked.get_by_role("textbox").fill("600")
    asked.get_by_role("button", name="Check").click()
    asked.locator(".fl-ask[data-answered]").wait_for()
    box = asked.bounding_box()
    assert box["y"] + box["height"] <= stage.bounding_box()["y"]
    page.set_viewport_size({"width": 1400, "height": 900})
    aside.wait_for(state="hidden")
