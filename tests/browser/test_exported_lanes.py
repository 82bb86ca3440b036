"""An exported file of lanes, opened from disk without a network: by keys and by mouse, at both sizes and themes."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

from core import Trace, load, meter, policy, replay, simulate
from core.engine.unbounded import unbounded
from tests.browser.accessible import violations
from tests.browser.from_disk import offline
from tests.browser.looking import drawn, press, value, wait_for
from tests.browser.test_compare import RULE, compare, figures, wait_message
from tests.browser.test_safety import MADE_OF_TEXT, hostile
from tests.browser.test_share import saved
from tests.conftest import Watch
from tests.serving import ROOT
from viewer.export.lanes import export_lanes

pytestmark = pytest.mark.browser
SAMPLE = ROOT / "sample_sessions" / "foldline" / "forgotten-rule.json"
LANES = {"a": "recorded", "b": "agentkit.memory,budget=8000,keep_recent=4", "c": "none"}


def exported(source: Path, out: Path, texts: tuple[str, ...] = (), **settings: Any) -> str:
    """Writes the file of a session as recorded, under agentkit.memory and without compaction; gives its address."""
    session, counter = load(source), meter("o200k_base")
    recorded = replay(session, meter=counter)
    lanes: list[Trace] = [
        recorded,
        simulate(session, policy("agentkit.memory", **settings), meter=counter),
        unbounded(recorded),
    ]
    export_lanes(lanes, recorded, texts).write(out)
    return out.as_uri()


@contextmanager
def lanes_open(watch: Watch, page: Any, address: str) -> Iterator[None]:
    """Compare is drawn, without a network."""
    with offline(watch, page, address):
        page.locator(".fl-compare[data-rendered]").wait_for()
        yield


def lines(page: Any) -> list[str]:
    """What lanes, plan, windows and totals say, line by line; of the messages what has room in both."""
    page.locator(".fl-totals-card[data-figures=all]").wait_for()
    parts = (".fl-lane-names", ".fl-plan", ".fl-set-bars", ".fl-totals-card")
    messages = page.locator(".fl-sets .fl-content").inner_text().splitlines()[:30]
    return [*messages, *(line for part in parts for line in page.locator(part).inner_text().splitlines())]


def test_the_file_shows_what_the_app_shows(fresh_page: Callable[..., Any], server: Any, tmp_path: Path) -> None:
    """Where the lanes first differ, and at their last difference: lanes, plan, windows, figures, the place of a text."""
    theirs, _ = fresh_page(server.url)
    ours, watch = fresh_page("file://nowhere")
    compare(theirs, server.url, **LANES, meter="o200k_base", summaries="structural", why=RULE)
    with lanes_open(watch, ours, exported(SAMPLE, tmp_path / "out.html", (RULE,), budget=8000, keep_recent=4)):
        for key in ("", "G", "D"):
            for page in (theirs, ours):
                press(page, *filter(None, [key]))
                page.locator(".fl-state").nth(2).wait_for()
                drawn(page)
            assert lines(ours) == lines(theirs)
        assert figures(ours) == figures(theirs)


@pytest.mark.parametrize(("size", "theme"), [((1400, 900), "light"), ((900, 700), "dark")])
def test_lanes_are_walked_by_keys_and_by_mouse(
    fresh_page: Callable[..., Any], tmp_path: Path, size: tuple[int, int], theme: str
) -> None:
    """Differences, the flag, the timeline, another baseline, a pair, a text that is followed; no rule of axe is broken."""
    page, watch = fresh_page("file://nowhere", color_scheme=theme, width=size[0], height=size[1])
    address = exported(SAMPLE, tmp_path / "out.html", budget=8000, keep_recent=4)
    with lanes_open(watch, page, address):
        assert value(page, "theme") == theme
        first = int(value(page, "message"))
        press(page, "G", "D", "g")
        wait_message(page, 1)
        page.get_by_role("button", name="first differ at message").click()
        wait_message(page, first)
        page.get_by_role("slider", name="Message").press("ArrowUp")
        wait_message(page, first + 1)
        page.get_by_role("button", name="Lane B, baseline").click()
        page.locator(".fl-told").get_by_text("against B, agentkit.memory").wait_for(state="attached")
        page.get_by_role("button", name="A · C").click()
        wait_for(page, "(text) => location.hash.includes(text)", "base=b")
        page.get_by_label("Texts that this file follows").select_option(index=1)
        page.locator("[data-pinned] .fl-state").first.wait_for(state="attached")
        page.get_by_role("button", name="About this file").click()
        page.get_by_text("budget 8,000 · keep_recent 4 · summaries structural").wait_for()
        assert violations(page) == []
        page.keyboard.press("Escape")
        page.get_by_role("button", name="Follow it no longer").or_(page.get_by_role("button", name="Remove")).click()
        assert page.locator("[data-pinned]").count() == 0
        press(page, "v")
        page.locator(".fl-toast").get_by_text("This is an exported file").wait_for()
        assert page.get_by_role("button", name="Share…").count() == 0
        assert violations(page) == []
        assert page.evaluate("() => document.documentElement.scrollHeight <= innerHeight")


def test_the_address_returns_to_the_place(fresh_page: Callable[..., Any], tmp_path: Path) -> None:
    """Message, baseline and texts stand behind "#", and a reload shows them again."""
    page, watch = fresh_page("file://nowhere")
    with lanes_open(watch, page, exported(SAMPLE, tmp_path / "out.html", (RULE,), budget=8000, keep_recent=4)):
        press(page, "2", "x", "G")
        last = value(page, "message")
        wait_for(page, "(text) => location.hash.includes(text)", f"message={last}")
        page.reload()
        wait_message(page, int(last))
        assert page.locator(".fl-lane-base").count() == 1
        assert "base=b" in page.url
        assert page.locator(".fl-export-pins li").all_inner_texts() == [f"{RULE}\n×"]


def test_nothing_a_transcript_says_is_done(fresh_page: Callable[..., Any], tmp_path: Path) -> None:
    """No script of it runs, nothing is fetched, no dialog opens, and the text is there to be read."""
    source = tmp_path / "hostile.json"
    source.write_bytes(hostile())
    page, watch = fresh_page("file://nowhere")
    page.on("dialog", lambda dialog: pytest.fail("a dialog opened"))
    text = "<script>window.__ran"
    with lanes_open(watch, page, exported(source, tmp_path / "out.html", (text,), budget=200, keep_recent=3)):
        for key in ("g", *9 * ["ArrowRight"], "n", "n", "G"):
            press(page, key)
            drawn(page)
            assert page.locator(MADE_OF_TEXT.replace(".fl-inspector", ".fl-compare")).count() == 0
        page.locator(".fl-export-pins").get_by_text(text).wait_for()
        assert page.evaluate("() => window.__ran") is None
        assert page.locator(".fl-set-row").first.is_visible()


def test_lanes_are_shared_from_the_page(fresh_page: Callable[..., Any], server: Any, tmp_path: Path) -> None:
    """The first form of Share on Compare: the file opens at the same message, against the same baseline, with the text."""
    page, _ = fresh_page(server.url)
    sample = {"source": f"path:{SAMPLE}", **LANES, "message": 70, "base": "b", "why": RULE}
    page.goto(f"{server.url}/compare?{urlencode(sample)}")
    page.locator(".fl-compare[data-rendered]").wait_for()
    page.get_by_role("button", name="Share…").click()
    page.get_by_text("2 entries look secret or personal, 2 masked").wait_for()
    assert page.get_by_label("Form").input_value() == "compare"
    assert violations(page) == []
    out = tmp_path / "out.html"
    out.write_bytes(saved(page, "compare"))
    page.goto(out.as_uri())
    wait_message(page, 70)
    page.locator(".fl-totals-card .fl-told").get_by_text("against B, agentkit.memory").wait_for()
    page.locator(".fl-export-pins").get_by_text(RULE).wait_for()
    page.get_by_role("button", name="About this file").click()
    page.get_by_text("2 entries that look secret or personal were masked").wait_for()
