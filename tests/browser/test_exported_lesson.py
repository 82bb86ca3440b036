"""An exported lesson, opened from disk without a network: played from start to end, and in front of a room."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from core.lessons import lesson
from tests.browser.accessible import violations
from tests.browser.from_disk import offline
from tests.browser.looking import value, wait_for
from tests.browser.test_learn import keys, shown, state
from tests.conftest import Watch
from viewer.export.lesson import export_lesson

pytestmark = pytest.mark.browser
HASH = "(hash) => location.hash === hash"


@contextmanager
def lesson_open(watch: Watch, page: Any, address: str) -> Iterator[None]:
    """The lesson is open with nothing done yet, without a network."""
    with offline(watch, page, address):
        page.evaluate("() => localStorage.clear()")
        page.reload()
        yield


def written(number: int, out: Path) -> str:
    """Writes the file of a lesson; gives its address."""
    out.write_bytes(page_of(number))
    return out.as_uri()


@cache
def page_of(number: int) -> bytes:
    """The file of a lesson."""
    return b"".join(export_lesson(number).pieces())


RINGS = (
    "(nodes) => nodes.filter((node) => getComputedStyle(node).outlineStyle !== 'none').map((node) => node.className)"
)
"""What holds the keys and has a ring: it is no control."""


def test_a_lesson_is_played_from_start_to_end(fresh_page: Callable[..., Any], tmp_path: Path) -> None:
    """By keys: every question answered, the task solved, the end leads to the start; nothing in it breaks a rule of axe."""
    page, watch = fresh_page("file://nowhere")
    with lesson_open(watch, page, written(2, tmp_path / "lesson.html")):
        shown(page, "2.1")
        assert page.get_by_role("button", name="All lessons").count() == 0
        assert page.get_by_role("button", name="← Back").is_disabled()
        keys(page, "b", "Enter")
        for step, guess in ((2, "ArrowUp ArrowUp ArrowUp"), (3, "b"), (4, "b"), (5, "ArrowUp")):
            state(page, "told")
            assert violations(page) == []
            keys(page, "Enter")
            shown(page, f"2.{step}")
            assert page.locator(".fl-learn-page, .fl-app").evaluate_all(RINGS) == []
            keys(page, *guess.split(), "Enter")
        state(page, "told")
        keys(page, "Enter")
        shown(page, "2.6")
        state(page, "failing")
        page.get_by_label("keep_recent").press("ArrowLeft")
        state(page, "passed")
        assert page.locator(".fl-task-figure").all_inner_texts() == ["1", "0 of 4", "~161 of 400"]
        assert violations(page) == []
        page.get_by_role("button", name="Next →").click()
        shown(page, "2.7")
        page.get_by_text("This file shows a sample here").wait_for()
        assert violations(page) == []
        page.get_by_role("button", name="What you saw →").click()
        page.get_by_role("button", name="From the start").first.click()
        wait_for(page, HASH, "#lesson=2&step=1")
        page.go_back()
        wait_for(page, HASH, "#lesson=2&step=8")


TASKS = [(number, k) for number in range(1, 7) for k, step in enumerate(lesson(number).steps, 1) if step.task]


def test_every_check_fails_and_passes(fresh_page: Callable[..., Any], tmp_path: Path) -> None:
    """As a task begins it fails; who does not know is shown what the engine found, and it passes."""
    addresses = {number: written(number, tmp_path / f"{number}.html") for number in range(1, 7)}
    page, watch = fresh_page("file://nowhere")
    for number, step in TASKS:
        with lesson_open(watch, page, f"{addresses[number]}#lesson={number}&step={step}"):
            shown(page, f"{number}.{step}")
            state(page, "failing")
            page.get_by_role("button", name="I don't know").press("Enter")
            state(page, "passed")
            assert page.locator(".fl-task-conditions [data-passed=false]").count() == 0
        watch.strangers.clear()


def test_a_room_is_shown_a_lesson(fresh_page: Callable[..., Any], tmp_path: Path) -> None:
    """With a clicker alone, from the first step to the last: the sidebar is away, tasks solve themselves."""
    page, watch = fresh_page("file://nowhere", width=1280, height=720)
    with lesson_open(watch, page, written(1, tmp_path / "lesson.html")):
        shown(page, "1.1")
        keys(page, "Shift+P")
        page.locator(".fl-present-caption").wait_for()
        assert page.locator(".fl-classroom-side").is_hidden()
        assert page.evaluate("() => document.documentElement.scrollHeight <= innerHeight")
        assert violations(page) == []
        for _ in range(40):
            if page.locator(".fl-present-top", has_text="6 of 6").count():
                break
            page.keyboard.press("PageDown")
            page.locator(".fl-learn-page:not([data-state=asked])").wait_for()
        shown(page, "1.6")
        page.keyboard.press("PageDown")
        state(page, "told")
        assert page.locator(".fl-ask").first.get_attribute("data-answered") == "shown"
        page.keyboard.press("Escape")
        page.locator(".fl-classroom-side").wait_for()


def test_why_shows_where_a_rule_dies(fresh_page: Callable[..., Any], tmp_path: Path) -> None:
    """Its line stands below the timeline once it is guessed, the cursor where it was lost."""
    page, watch = fresh_page("file://nowhere", width=900, height=700, color_scheme="dark")
    with lesson_open(watch, page, f"{written(4, tmp_path / 'lesson.html')}#lesson=4&step=2"):
        shown(page, "4.2")
        assert page.locator(".fl-lane").count() == 0
        keys(page, "c", "Enter")
        page.get_by_text("Gone: summary #2 left it out").first.wait_for()
        assert value(page, "step") == "134"
        assert value(page, "theme") == "dark"
        assert violations(page) == []


@pytest.mark.parametrize("width", [600, 800])
def test_in_a_narrow_window_nothing_is_cut(fresh_page: Callable[..., Any], tmp_path: Path, width: int) -> None:
    """The step is asked beside the window, or above the debugger; its buttons are whole."""
    page, watch = fresh_page("file://nowhere", width=width, height=700)
    with lesson_open(watch, page, f"{written(1, tmp_path / 'lesson.html')}#lesson=1&step=2"):
        shown(page, "1.2")
        side = page.locator(".fl-classroom-main").bounding_box()
        for name in ("Next →", "Check", "I don't know"):
            box = page.get_by_role("button", name=name).bounding_box()
            assert side["x"] <= box["x"]
            assert box["x"] + box["width"] <= side["x"] + side["width"]
        assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
