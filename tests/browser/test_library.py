"""The Library page: the sessions of this machine, searched while typing, sorted, filtered, one Enter away and back."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.accessible import violations
from tests.browser.looking import drawn, look, until, value, wait_addressed

pytestmark = pytest.mark.browser
OLD = 30
ALL = OLD + 5
ASKED = ("when are the plums ripe", "a recipe for quinces", "plums or pears")
TOOLS = [
    {"role": "assistant", "tool_calls": [{"id": "c", "function": {"name": "read", "arguments": "{}"}}]},
    {"role": "tool", "tool_call_id": "c", "content": "Mirabelles are picked in August."},
]
RIGHT = "node => { const { right, top } = node.getBoundingClientRect(); return { right, top }; }"
AIDER = "\n# aider chat started at 2026-03-0{n} 10:00:00\n\n> Aider v0.86.1\n\n#### About {what}\n\nAn answer.\n"


def write(folder: Path) -> None:
    """Three chats, a minute apart, older ones with a tool, and a file of two sessions."""
    folder.mkdir()
    for number in range(OLD):
        old = folder / f"old-{number:02}.json"
        old.write_text(json.dumps([{"role": "user", "content": f"Look in almanac {number:02}" + "!" * number}, *TOOLS]))
        os.utime(old, (1_600_000_000,) * 2)
    for minute, words in enumerate(ASKED):
        path = folder / f"{minute}.json"
        path.write_text(json.dumps([{"role": "user", "content": words}, {"role": "assistant", "content": "Soon."}]))
        os.utime(path, (1_700_000_000 + 60 * minute,) * 2)
    (folder / ".aider.chat.history.md").write_text(AIDER.format(n=1, what="figs") + AIDER.format(n=2, what="medlars"))


def titles(page: Any) -> list[str]:
    """What is listed, from the top."""
    found: list[str] = page.locator(".fl-listed-title").all_text_contents()
    return [title.removeprefix("▸ ") for title in found]


def rows_shown(page: Any) -> str:
    """What the rows say, but for the button of the row that is pointed at."""
    return str(page.locator(".fl-long").inner_text()).replace("Share…\n", "")


def listed(page: Any, number: int) -> None:
    """Wait until so many sessions are listed, and no build is at work."""
    page.locator(".fl-library[data-ready=true]").wait_for()
    page.get_by_role("status").filter(has_text=f"{number} ").wait_for()
    drawn(page)


@pytest.fixture(scope="module")
def server(serve: Any) -> Any:
    """An app of its own: its home begins empty."""
    return serve()


@pytest.fixture(scope="module")
def added(module_page: Any, server: Any, watch: Any) -> Any:
    """The page, once a folder with transcripts has been added by hand to a library that was empty.

    Streamlit asks for the code of a field with the first one: a press of the button that leads there is kept until it has come.
    """
    page = module_page
    held: list[Any] = []
    page.route("**/TextInput.*.js", lambda route: held.append(route))
    write(server.home / "kept")
    with watch.requests(page):
        look(page, server.url)
        page.get_by_role("link", name="Library").click()
        page.get_by_role("heading", name="No sessions found").wait_for()
        page.get_by_role("button", name="Add a folder…").click()
        until(page, lambda: len(held) > 0)
        held.pop().continue_()
        box = page.locator("input:focus")
        assert box.get_attribute("placeholder") == "/path/to/folder"
        box.fill(str(server.home / "kept"))
        box.press("Enter")
        listed(page, ALL)  # without a reload
    page.unroute("**/TextInput.*.js")
    assert (watch.errors, watch.strangers) == ([], [])  # a reload of the page makes Streamlit ask for what is not there
    return page


@pytest.fixture
def library(added: Any, server: Any) -> Any:
    """The Library, opened anew: nothing is typed in its search, sorted or filtered, whatever another test did."""
    look(added, server.url)
    added.evaluate("() => sessionStorage.clear()")
    added.get_by_role("link", name="Library").click()
    field = added.get_by_role("combobox", name="Search sessions")
    field.fill("x")
    field.press("Escape")
    listed(added, ALL)
    return added


def test_a_folder_that_is_added_is_listed_newest_first(library: Any) -> None:
    """Files by their time, the newest on top; nothing was asked of anybody else, and nothing went wrong."""
    assert titles(library)[:4] == [".aider.chat.history.md", *reversed(ASKED)]


def test_typing_filters_and_enter_opens_in_the_debugger(library: Any) -> None:
    """Titles and what was said are searched; arrows choose, and the keys stay in the field."""
    field = library.get_by_role("combobox", name="Search sessions")
    field.fill("plu")
    listed(library, 2)
    assert titles(library) == [ASKED[2], ASKED[0]]
    field.press("ArrowDown")
    assert library.locator(".fl-long-row[aria-selected=true]").inner_text().startswith(ASKED[0])
    field.press("Enter")

    library.locator(".fl-app[data-steps='2']").wait_for()
    library.get_by_text(ASKED[0]).first.wait_for()
    wait_addressed(library, "0.json")


def test_one_back_leads_from_the_match_that_was_opened_to_the_list(library: Any) -> None:
    """Find has what was typed and counts the messages that the list counted; the way there makes one entry of the history."""
    library.get_by_role("combobox", name="Search sessions").fill("plums ripe")
    listed(library, 1)
    wait_addressed(library, "q=plums+ripe")
    expect(library.locator(".fl-listed-often")).to_have_text("in 1 message")
    began = library.evaluate("history.length")
    library.locator(".fl-listed-title").click()
    expect(library.locator(".fl-place")).to_have_text("1 of 1")
    assert library.locator(".fl-find input").input_value() == "plums ripe"
    until(library, lambda: "step=" in library.url and "show=overview" not in library.url)
    assert library.evaluate("history.length") == began + 1

    library.go_back()
    wait_addressed(library, "q=plums+ripe")
    listed(library, 1)


def test_the_button_of_a_row_covers_none_of_its_words(library: Any) -> None:
    """A long title, a long place and the color of a word that was found end before *Share…* on a wide page; on a narrow one the
    place is below it.
    """
    library.get_by_role("combobox", name="Search sessions").fill("almanac 29")
    listed(library, 1)
    library.locator(".fl-listed-title").hover()
    for width in (1280, 900):
        library.set_viewport_size({"width": width, "height": 720})
        drawn(library)
        share = library.locator(".fl-listed-share").bounding_box()
        assert share, width
        for words in ("title", "where"):
            found = library.locator(f".fl-listed-{words}").evaluate(RIGHT)
            assert found["right"] <= share["x"] or found["top"] >= share["y"] + share["height"] - 1, (width, words)


def test_the_first_session_of_a_file_of_many_opens_without_asking(library: Any) -> None:
    """It was picked here: the debugger does not ask which one is meant."""
    library.get_by_role("combobox", name="Search sessions").fill("figs")
    listed(library, 1)
    library.locator(".fl-listed-title").click()

    library.get_by_text("About figs").first.wait_for()
    library.get_by_role("button", name="Session 0").wait_for()
    wait_addressed(library, "aider")
    assert library.get_by_role("dialog").count() == 0
    assert value(library, "steps") == "2"


def with_snippets(library: Any) -> None:
    """Wait until every row that is drawn shows where its session holds the words: the server is asked for those in view."""
    library.locator(".fl-long mark").first.wait_for()
    expect(library.locator(".fl-long-row:not(:has(mark))")).to_have_count(0)


def test_back_returns_to_the_list_as_it_was(library: Any) -> None:
    """Words that only tool output holds find a session; sorted, filtered, scrolled and opened: Back, a reload and the page's
    link all show the same list again, at the same place.
    """
    library.get_by_role("combobox", name="Search sessions").fill("mirabelles")
    listed(library, OLD)
    library.locator(".fl-listed-often").first.wait_for()
    assert violations(library) == []
    library.get_by_role("button", name="OpenAI chat messages").click()
    library.get_by_role("button", name="Transcript tokens").focus()
    library.keyboard.press("Enter")
    assert library.locator("[aria-sort=descending]").inner_text() == "Transcript tokens"
    before = library.locator(".fl-long").evaluate("(list) => (list.scrollTop = 300, list.scrollTop)")
    drawn(library)
    with_snippets(library)
    shown = rows_shown(library)
    library.get_by_role("row").filter(has_text="almanac 20").click()
    wait_addressed(library, "old-20.json")

    for back in (library.go_back, library.reload, library.get_by_role("link", name="Library").click):
        back()
        wait_addressed(library, "q=mirabelles&agent=OpenAI+chat+messages&sort=-tokens")
        listed(library, OLD)
        assert library.locator(".fl-long").evaluate("(list) => list.scrollTop") == before
        with_snippets(library)
        assert rows_shown(library) == shown
