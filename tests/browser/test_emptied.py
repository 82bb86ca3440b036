"""Policies that empty, drop and fail, in a real browser: what is on screen is what the engine says."""

from typing import Any

import pytest

from core import load, meter, policy, simulate
from core.trace.trace import Trace
from tests.browser.looking import carded, hold_clock, look, moving, press, tokens, wait_step
from tests.serving import ROOT as PROJECT

pytestmark = pytest.mark.browser
CODING = "openai-chat/coding-session.json"
CLEARS: dict[str, Any] = {"policy": "langchain.clear_tool_uses", "trigger": 4000, "keep": 3}


def simulated(name: str, **settings: Any) -> Trace:
    """The engine's own trace of the coding session."""
    session = load(PROJECT / "sample_sessions" / CODING)
    return simulate(session, policy(name, **settings), meter=meter("agentkit"))


def opened(page: Any, server: Any, **query: Any) -> None:
    """The coding session under a policy, at its first step."""
    look(page, server.url, source=f"sample:{CODING}", meter="agentkit", step=0, **query)


def emptied_row(page: Any) -> Any:
    """The newest row whose body is gone."""
    return page.locator(".fl-window .fl-row[data-region=cleared]").last


def test_an_emptied_message_stays_in_its_row(page: Any, server: Any, watch: Any) -> None:
    """At each of the first compactions tokens and regions are the engine's; the row keeps its key, its text is struck out."""
    trace = simulated("langchain.clear_tool_uses", trigger=4000, keep=3)
    opened(page, server, **CLEARS)

    for k in range(4):
        press(page, "n")
        wait_step(page, trace.compaction_step(k))
        assert tokens(page) == trace.step(trace.compaction_step(k)).tokens
    place = trace.compactions[3].edits[0].ranges[-1][0]
    row = page.locator(f".fl-window .fl-row[data-key=m{place}]")
    assert row.get_attribute("data-region") == "cleared"
    assert row.get_attribute("data-tokens") == str(trace.cleared_copies[0].tokens[place])
    assert "line-through" in row.locator(".fl-preview").evaluate("node => getComputedStyle(node).textDecoration")
    assert watch.errors == []


def test_the_inspector_shows_what_is_left_and_what_it_was(page: Any, server: Any) -> None:
    """A chosen row stays chosen before and after it is emptied; emptied, both bodies are there to read."""
    opened(page, server, **CLEARS)
    press(page, "n")
    emptied_row(page).click()
    page.locator(".fl-left", has_text="[cleared]").wait_for()
    key = page.locator(".fl-window .fl-row[aria-selected=true]").get_attribute("data-key")
    assert page.get_by_role("heading", name="Original content").count() == 1

    press(page, "ArrowLeft")
    page.locator(".fl-left").wait_for(state="detached")
    assert page.locator(".fl-window .fl-row[aria-selected=true]").get_attribute("data-key") == key


def test_clearing_is_seen_to_happen_in_the_row(lone_page: Any, server: Any) -> None:
    """While it is played, a picture of the row lies on it with its text struck out; then nothing is left of the play."""
    page = lone_page
    opened(page, server, **CLEARS)
    hold_clock(page)
    press(page, "n")
    page.clock.run_for(650)
    assert page.locator(".fl-stage .fl-picture .fl-strike").count() > 0
    page.clock.run_for(2000)
    assert page.locator(".fl-stage > *").count() == 0


def test_the_four_phases_of_clearing(page: Any, server: Any) -> None:
    """Partition marks what is about to be emptied, clear shows it emptied; the numbers are the engine's."""
    trace = simulated("langchain.clear_tool_uses", trigger=4000, keep=3)
    first = trace.compactions[0]
    opened(page, server, **CLEARS)
    press(page, "n")
    wait_step(page, trace.compaction_step(0))
    said = page.locator(".fl-phases").inner_text().replace("\xa0", " ")
    count = sum(b - a for edit in first.edits for a, b in edit.ranges)
    assert f"{count} of {sum(b - a for a, b in first.layout_before)}" in said
    assert "3 clear" in said

    press(page, "2")
    page.locator(".fl-window .fl-row.fl-emptying").first.wait_for()
    press(page, "3")
    page.locator(".fl-window .fl-row.fl-fresh[data-region=cleared]").first.wait_for()
    carded(page)
    assert "Recomputed before each model call" in page.locator(".fl-about-numbers").text_content()


def test_dropping_leaves_no_summary(page: Any, server: Any, watch: Any) -> None:
    """The card of a window that only slides says how many were dropped, and has no tab for a summary."""
    trace = simulated("langchain.trim", max_tokens=4000)
    opened(page, server, policy="langchain.trim", max_tokens=4000)
    press(page, "n")
    wait_step(page, trace.compaction_step(0))
    assert tokens(page) == trace.step(trace.compaction_step(0)).tokens
    carded(page)
    card = page.locator(".fl-comp").inner_text()
    assert f"{trace.compactions[0].folded} message" in card
    assert "dropped, no summary" in card
    assert page.get_by_role("tab", name="Summary").count() == 0
    assert watch.errors == []


def test_a_summary_behind_an_earlier_one_is_played(page: Any, server: Any, watch: Any) -> None:
    """Where every compaction leaves the summaries before it, each is played to its end: what it took is gone from the page."""
    trace = simulated("adk.sliding_window", compaction_interval=3, overlap_size=1)
    opened(page, server, policy="adk.sliding_window", compaction_interval=3, overlap_size=1)

    for k in range(2):
        with moving(page):
            press(page, "n")
            wait_step(page, trace.compaction_step(k))
    assert page.locator(".fl-window .fl-row").count() == 3
    assert watch.errors == []


def test_a_reply_without_its_thinking_is_not_struck_out(page: Any, server: Any, watch: Any) -> None:
    """The text of such a reply is as it was: its row is as high as any, and nothing in it is struck out."""
    look(
        page,
        server.url,
        source="sample:pi/bakery-stock.jsonl",
        policy="anthropic.clear_thinking",
        meter="agentkit",
        step=0,
    )
    press(page, "n")
    row = page.locator(".fl-window .fl-row[data-region=cleared]").first
    assert "line-through" not in row.locator(".fl-preview").evaluate("node => getComputedStyle(node).textDecoration")
    assert row.evaluate("node => [node.offsetHeight, getComputedStyle(node).marginTop]") == [28, "0px"]
    carded(page)
    assert "Thinking removed from" in page.locator(".fl-comp .fl-line").inner_text()
    assert watch.errors == []


def test_no_failed_pass_is_said(page: Any, server: Any) -> None:
    """The key that goes to failed passes says that there is none."""
    opened(page, server, **CLEARS)
    press(page, "x")
    page.get_by_text("No compaction attempt has failed in this run").wait_for()
