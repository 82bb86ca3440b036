"""A page of 900 by 700: what a person reads first is there whole, and nothing of it is cut off."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.looking import DEEP, ROOT, carded, drawn, idle, look, press, wait_for

pytestmark = pytest.mark.browser

RECORDED = "sample:claude-code/recorded-compaction.jsonl"
SIZE = {"width": 900, "height": 700}

CUT = f"""
(selector) => {{
  const shown = (node) => node.offsetParent && !node.closest('[hidden]');
  const cut = (node) => node.scrollWidth > node.clientWidth + 1 || node.scrollHeight > node.clientHeight + 1;
  const nodes = [...({DEEP})('{ROOT}').querySelectorAll(selector)].filter(shown);
  return [nodes.length, nodes.filter(cut).map((node) => node.textContent)];
}}
"""

LEFTS = "(links) => links.map((link) => Math.round(link.getBoundingClientRect().left))"

GAPS = """
(row) => {
  const ink = (tab) => {
    const words = [...tab.children].filter((part) => part.textContent && getComputedStyle(part).position !== 'absolute');
    return [words[0].getBoundingClientRect().left, words.at(-1).getBoundingClientRect().right];
  };
  const spans = [...row.children].map(ink);
  return spans.slice(1).map(([left], k) => left - spans[k][1]);
}
"""


@pytest.fixture
def narrow(page: Any) -> Any:
    """A page of this size."""
    page.set_viewport_size(SIZE)
    return page


def test_the_legend_and_the_headings_of_a_recorded_window_are_whole(narrow: Any, server: Any) -> None:
    """That a region is told with hindsight is said at this width, too; of what is above there is at least its number."""
    look(narrow, server.url, source=RECORDED, step=24)
    assert narrow.locator(".fl-legend").inner_text().count("compactable (hindsight)") == 1
    assert narrow.locator(".fl-sticky > span").first.inner_text() == "The next compaction removes these"
    found, cut = narrow.evaluate(CUT, ".fl-legend, .fl-item, .fl-sticky, .fl-sticky > *")
    assert found >= 4
    assert not cut


def test_the_overview_begins_with_the_task_and_what_was_forgotten_in_sight(narrow: Any, server: Any) -> None:
    """What was asked, how it ended, and a sentence of what the compactions took stand there without scrolling."""
    look(narrow, server.url, source=RECORDED)
    first = narrow.locator(".fl-oheadline:not(:empty)", has_not_text="Working out")
    first.wait_for()
    panel = narrow.locator(".fl-inspector .fl-ibody").bounding_box()
    first = first.bounding_box()
    assert first["y"] + first["height"] <= panel["y"] + panel["height"]


def test_why_names_what_would_have_kept_a_text_whole(narrow: Any, server: Any) -> None:
    """Over two lines if need be, its cost below."""
    look(narrow, server.url)
    narrow.locator(".fl-owhy").click()
    narrow.locator(".fl-why-remedies .fl-why-cost").nth(2).wait_for()
    found, cut = narrow.evaluate(CUT, ".fl-why-remedies li, .fl-why-remedies .fl-why-what > :first-child")
    assert found == 6
    assert not cut


def test_the_headings_of_why_are_one_line(narrow: Any, server: Any) -> None:
    """What took a text stands in the lines below the answer; the button of all changes says how many they are."""
    look(narrow, server.url, source="sample:foldline/broken-rule.json", step=28)
    press(narrow, "w")
    answer = narrow.locator(".fl-why-answer")
    expect(answer).to_have_text("Gone since compaction 1: summary #1 left it out.")
    expect(answer).to_have_text("Gone since compaction 1", use_inner_text=True)
    whole = narrow.get_by_role("button", name=re.compile(r"^All \d+ changes that would have kept it$"))
    for heading in (answer, whole):
        lines = heading.evaluate(
            "(node) => node.getBoundingClientRect().height / parseFloat(getComputedStyle(node).lineHeight)"
        )
        assert lines < 1.9


def test_a_card_behind_why_begins_at_its_top(narrow: Any, server: Any) -> None:
    """However far down the overview was when its rule was asked about: the sizes of the compaction are in sight."""
    look(narrow, server.url)
    narrow.locator(".fl-owhy").click()
    narrow.locator(".fl-why-answer").wait_for()
    narrow.get_by_role("tab", name="Compaction").click()
    numbers = narrow.locator(".fl-numbers")
    numbers.wait_for()
    drawn(narrow)
    body, sizes = narrow.locator(".fl-inspector .fl-ibody").bounding_box(), numbers.bounding_box()
    assert sizes["y"] >= body["y"]


def test_all_names_of_the_tabs_of_a_card_are_whole(narrow: Any, server: Any) -> None:
    """Where numbers have no room beside six names they go; no name is cut off, and none begins on a second line."""
    look(narrow, server.url, source=RECORDED)
    press(narrow, "n")
    narrow.locator(".fl-tab").nth(5).wait_for()
    for width in (900, 1000, 1100, 1400):
        narrow.set_viewport_size({"width": width, "height": 700})
        drawn(narrow)
        boxes = (
            "(nodes) => nodes.map((node) => node.getBoundingClientRect().toJSON())"  # at once: the card may still grow
        )
        row, *names = narrow.locator(".fl-tabs, .fl-tab > span:first-child").evaluate_all(boxes)
        assert len(names) == 6
        assert all(name["right"] <= row["right"] for name in names)
        assert len({name["y"] for name in names}) == 1


def test_the_gaps_between_the_tabs_of_a_card_are_even(narrow: Any, server: Any) -> None:
    """With numbers and without them."""
    look(narrow, server.url, source=RECORDED)
    press(narrow, "n")
    carded(narrow)
    for width in (900, 1400):
        narrow.set_viewport_size({"width": width, "height": 700})
        drawn(narrow)
        gaps = narrow.locator(".fl-tabs").evaluate(GAPS)
        assert len(gaps) == 5
        assert max(gaps) - min(gaps) < 2, gaps


def test_the_links_to_the_pages_stand_below_one_another(narrow: Any, server: Any) -> None:
    """Four in a row, at any width: each of the second row begins where one of the first does, and none is cut."""
    look(narrow, server.url, source=RECORDED)
    idle(narrow)
    for width in (900, 1400):
        narrow.set_viewport_size({"width": width, "height": 700})
        drawn(narrow)
        lefts = narrow.locator(".st-key-pages a").evaluate_all(LEFTS)
        assert len(lefts) == 7
        assert lefts[4:] == lefts[:3]
        assert lefts[:4] == sorted(set(lefts))
        cut = narrow.locator(".st-key-pages a p").evaluate_all(
            "(ps) => ps.filter((p) => p.scrollWidth > p.clientWidth).length"
        )
        assert cut == 0


def test_the_sidebar_leaves_three_quarters_of_the_page(narrow: Any, server: Any) -> None:
    """It is narrower than on a large page, and no name of a source or a setting is cut off in it."""
    look(narrow, server.url, source=RECORDED)
    idle(narrow)
    sidebar = narrow.get_by_test_id("stSidebar")
    assert sidebar.bounding_box()["width"] <= SIZE["width"] / 4
    cut = "(nodes) => nodes.filter((n) => n.scrollWidth > n.clientWidth + 1).map((n) => n.textContent)"
    names = sidebar.locator("[data-testid=stButtonGroup] p, .fl-whatif button, .fl-chosen-name, .fl-chosen-more")
    assert names.count() >= 8
    assert names.evaluate_all(cut) == []


ONE_LINE = f"""
() => {{
  const header = ({DEEP})('.fl-header');
  const [lead, facts, count] = ['.fl-cut-lead', '.fl-facts', '[data-kind=messages]'].map((one) => header.querySelector(one));
  const right = (node) => node.getBoundingClientRect().right;
  const cut = lead.scrollHeight > lead.clientHeight && lead.getBoundingClientRect().height <= 26;
  const counted = getComputedStyle(count).visibility === 'visible' && right(count) <= right(facts) + 1;
  return cut && counted && header.scrollWidth <= header.clientWidth;
}}
"""


def named(page: Any, server: Any, path: Path, title: str) -> None:
    """Open a recorded session of that title, behind its findings: their number takes room of the title."""
    sample = Path(__file__).parents[2] / "sample_sessions/claude-code/recorded-compaction.jsonl"
    path.write_text(sample.read_text("utf-8").replace("Alpenbank statements in local time", title), "utf-8")
    look(page, server.url, source=f"path:{path}", step=24)
    expect(page.locator(".fl-header h1")).to_have_text(title)
    expect(page.locator(".fl-found[data-worst]")).to_be_visible()


@pytest.mark.parametrize("width", [1200, 1280])
def test_the_title_gives_way_to_the_name_of_a_policy(page: Any, server: Any, tmp_path: Path, width: int) -> None:
    """On a page that is not small every button of the header is in sight, whatever is simulated."""
    page.set_viewport_size({"width": width, "height": 720})
    path = tmp_path / "long.jsonl"
    named(page, server, path, "Analyze the codebase, compare it with ours, and say which of the two to keep")
    look(page, server.url, source=f"path:{path}", policy="claude_code.auto", step=24)
    expect(page.locator(".fl-header .fl-mode")).to_have_text("Simulated: claude_code.auto")
    wait_for(
        page, f"() => {{ const header = ({DEEP})('.fl-header'); return header.scrollWidth <= header.clientWidth; }}"
    )


def test_a_short_title_is_whole(narrow: Any, server: Any) -> None:
    """Nothing beside it is cut for that, and the header is as high as ever."""
    look(narrow, server.url, source="sample:foldline/broken-rule.json", step=24)
    expect(narrow.locator(".fl-header h1")).to_have_text("The rule it broke")
    parts = ".fl-header h1, .fl-header .fl-cut-lead, .fl-header button, .fl-header .fl-mode"
    wait_for(narrow, f"(parts) => (([found, cut]) => found >= 6 && !cut.length)(({CUT})(parts))", parts)
    assert narrow.locator(".fl-header").bounding_box()["height"] == 26


@pytest.mark.parametrize("width", [1400, 900, 700])
def test_a_long_title_is_cut_on_its_one_line_and_the_messages_are_counted(
    page: Any, server: Any, tmp_path: Path, width: int
) -> None:
    """At every width: the number of messages stands beside it, nothing leaves the header; pointed at, the title is whole."""
    page.set_viewport_size({"width": width, "height": 700})
    title = "Alpenbank statements in local time, and the reports of the last two years"
    named(page, server, tmp_path / "statements.jsonl", title)
    wait_for(page, ONE_LINE)
    page.locator(".fl-header h1").hover()
    tip = page.locator(".fl-header .fl-titled [role=tooltip]")
    expect(tip).to_be_visible()
    expect(tip).to_have_text(title)


RUN = {
    "id": "b",
    "title": "Find the fault",
    "status": "ended",
    "why": "answered",
    "problem": "",
    "agent": "Demo agent, offline",
    "model": "demo",
    "free": True,
    "policy": "agentkit.memory",
    "settings": "budget 4,000, keep_recent 4",
    "messages": 93,
    "compactions": 4,
    "calls": 38,
    "prompt": 134_400,
    "cost": 0,
    "changed": 1_795_900_000,
    "fork": "",
    "path": "/x",
}
FORK = RUN | {
    "id": "a",
    "title": "The other",
    "fork": "b",
    "parent": "b",
    "parent_title": "",
    "forked_at": "message 17",
}
AROUND = """
(pill) => {
  const around = getComputedStyle(pill).position === "absolute" ? pill.closest(".fl-long-row") : pill.parentElement;
  const [own, line] = [pill, around].map((node) => node.getBoundingClientRect());
  return [own.top - line.top, line.bottom - own.bottom];
}
"""
"""How much room the line of a pill has above and below it; the row, where the pill stands beside the title."""


@pytest.mark.parametrize("width", [900, 1400])
def test_a_fork_and_the_policy_of_a_run_are_whole(fresh_page: Any, server: Any, width: int) -> None:
    """The pill has room on all sides, wherever its line begins between two pixels; no setting is cut."""
    page, _ = fresh_page(server.url, width=width, height=700)
    answer = json.dumps({"rows": [RUN, FORK]})
    page.route(re.compile(r"/api/runs$"), lambda route: route.fulfill(body=answer, content_type="application/json"))
    page.goto(f"{server.url}/runs")
    page.locator(".fl-runs[data-ready=true]").wait_for()
    above, below = page.locator(".fl-run-fork").evaluate(AROUND)
    assert above >= 0.5
    assert below >= 0.5
    settings = page.locator(".fl-listed-where", has_text="keep_recent").locator("visible=true")
    assert settings.evaluate_all("(all) => all.map((one) => one.scrollWidth - one.clientWidth)") == [0, 0]
    reasons = page.get_by_text("the agent has answered").locator("visible=true")
    assert reasons.evaluate_all("(all) => all.map((one) => one.scrollWidth - one.clientWidth)") == [0, 0]
