"""The window before and after a compaction, to scale, below the rows of the window list."""

import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.accessible import CUT_RING, violations
from tests.browser.looking import DEEP, ROOT, carded, drawn, look, press, value, wait_for, wait_step
from tests.browser.test_exported import PAINTED, exported
from tests.serving import ROOT as PROJECT

pytestmark = pytest.mark.browser
RECORDED = "claude-code/recorded-compaction.jsonl"
SMALL = {"source": f"sample:{RECORDED}", "policy": "agentkit.memory", "budget": 5000, "keep_recent": 1}
SIMULATED = {
    "source": "sample:foldline/broken-rule.json",
    "policy": "agentkit.memory",
    "budget": 2000,
    "keep_recent": 2,
}
PICTURE = ".fl-lists .fl-toscale"
LAID = f"""
() => {{
  const root = ({DEEP})('{ROOT}');
  const box = (node) => node.getBoundingClientRect();
  const all = (selector) => [...root.querySelectorAll(selector)].filter((node) => node.checkVisibility());
  const picture = root.querySelector('{PICTURE}');
  const meet = (a, b) => a.left < b.right - 0.5 && b.left < a.right - 0.5 && a.top < b.bottom - 0.5 && b.top < a.bottom - 0.5;
  const within = (a, b) => a.left >= b.left && a.right <= b.right && a.bottom <= b.bottom;
  const texts = all('.fl-tslabel, .fl-tshead, .fl-tsfoot').map(box);
  const above = all('.fl-window .fl-row, .fl-gone').map(box);
  const [list, here] = [box(root.querySelector('.fl-window .fl-list')), box(picture)];
  return {{
    touching: texts.filter((one, k) => texts.slice(k + 1).some((other) => meet(one, other))).length,
    covered: above.filter((one) => meet(one, here)).length,
    outside: [here, ...texts].filter((one) => !within(one, list)).length,
    heights: all('.fl-tspart').map((node) => [node.dataset.side, Number(node.dataset.tokens), box(node).height]),
    columns: all('.fl-tspart').reduce((sums, {{ dataset }}) => {{
      sums[dataset.side] += Number(dataset.tokens);
      if (dataset.deed !== 'hidden') sums.seen[dataset.side] += Number(dataset.tokens);
      return sums;
    }}, {{ before: 0, after: 0, seen: {{ before: 0, after: 0 }} }}),
  }};
}}
"""


def numbers(text: str) -> list[int]:
    """The tokens that a line names: of "7 messages, ~1,220 tokens → 1 summary, ~151" 1,220 and 151."""
    return [
        int(one.replace(",", ""))
        for one in re.findall(
            r"(?m)~?([\d,]*\d)(?= tokens|$|;| sent| in the window| by the agent| in this file| not in it| that came)",
            text,
        )
    ]


def labelled(page: Any) -> list[int]:
    """What the labels of each column come to."""
    sides = [
        page.locator(f".fl-lists [data-side={side}]").locator("css=.fl-tslabel b, b") for side in ("before", "after")
    ]
    return [sum(int(re.sub(r"\D", "", text)) for text in side.all_inner_texts()) for side in sides]


@pytest.mark.parametrize(("width", "height", "query"), [(1400, 900, SIMULATED), (900, 700, SMALL)])
def test_it_stands_where_the_rows_leave_room(
    fresh_page: Any, server: Any, width: int, height: int, query: dict[str, Any]
) -> None:
    """At a compaction, over nothing; its labels do not touch, and add up to their columns; at the next message it is gone."""
    page, watch = fresh_page(server.url, width=width, height=height)
    look(page, server.url, **query, step=0)
    assert page.locator(PICTURE).is_hidden()
    press(page, "n")
    page.locator(PICTURE).wait_for()
    laid = page.evaluate(LAID)
    assert (laid["touching"], laid["covered"], laid["outside"]) == (0, 0, 0)
    assert labelled(page) == [laid["columns"]["before"], laid["columns"]["after"]]
    assert page.locator(".fl-tsfold").is_hidden()  # the same picture stands once
    press(page, "ArrowRight")
    page.locator(PICTURE).wait_for(state="hidden")
    assert watch.errors == []


@pytest.mark.parametrize("query", [{"source": f"sample:{RECORDED}"}, SIMULATED])
def test_its_numbers_are_those_of_the_card_and_the_gauge(page: Any, server: Any, query: dict[str, Any]) -> None:
    """Both columns add up to what the card and the gauge say; heights are tokens on one scale."""
    look(page, server.url, **query, step=0)
    press(page, "n")
    carded(page)
    page.locator(PICTURE).wait_for()
    laid = page.evaluate(LAID)
    heads = [numbers(page.locator(".fl-lists .fl-tshead").nth(k).inner_text().strip()) for k in (0, 1)]
    columns = laid["columns"]
    assert [head[0] for head in heads] == [columns["before"], columns["after"]]
    assert all(len(head) == 1 or head[0] in (head[1] + head[2], head[1] - head[2]) for head in heads), heads
    seen = columns["seen"]["after"]
    assert seen == int(value(page, "tokens"))
    assert f"{seen:,}" in page.locator(".fl-gauge .fl-total").inner_text()
    words = page.locator(".fl-lists .fl-tswords").inner_text()
    line = page.locator(".fl-line").inner_text()
    assert all(f"{one:,}" in line for one in numbers(words))
    tall = [(tokens, high) for _, tokens, high in laid["heights"] if high > 20]
    scales = [high / tokens for tokens, high in tall]
    assert max(scales) / min(scales) < 1.1
    press(page, "ArrowLeft")
    assert int(value(page, "tokens")) == columns["seen"]["before"]


def test_a_part_says_what_it_is_and_leads_to_its_first_message(page: Any, server: Any) -> None:
    """By pointer and by keyboard: its messages, its tokens, what became of them; Enter shows the first, among the removed."""
    look(page, server.url, source=f"sample:{RECORDED}", step=0)
    press(page, "n")
    page.locator(PICTURE).wait_for()
    page.locator(".fl-lists .fl-tsfoot li").first.wait_for()  # what was lost is there: nothing moves any more
    part = page.locator(".fl-lists .fl-tspart[data-side=before]").first
    part.hover()
    said = page.locator(".fl-lists .fl-tstip").inner_text()
    assert re.fullmatch(r".+: \d+ messages?, ~?[\d,]+ tokens?, summarized", said)
    assert part.locator(".fl-said").text_content().endswith(said)
    page.locator(".fl-lists .fl-tsparts").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowUp")
    assert part.get_attribute("aria-selected") == "true"
    page.keyboard.press("Enter")
    page.locator(".fl-row.fl-ghost[aria-selected=true]").wait_for()
    assert page.locator(".fl-switch[role=switch]").first.get_attribute("aria-checked") == "true"
    assert page.locator(PICTURE).is_hidden()


def test_it_is_accessible(page: Any, server: Any) -> None:
    """By the rules that axe-core knows, in both themes, also while a part is explained."""
    look(page, server.url, source=f"sample:{RECORDED}", step=0)
    press(page, "n")
    page.locator(PICTURE).wait_for()
    page.locator(".fl-lists .fl-tsparts").focus()
    page.keyboard.press("ArrowDown")
    assert violations(page) == []


def test_it_waits_until_the_compaction_has_been_told(lone_page: Any, server: Any) -> None:
    """It is not there while messages move, while a phase is taken apart, nor while the run plays."""
    page = lone_page
    look(page, server.url, source=f"sample:{RECORDED}", step=0)
    press(page, "n", "2")
    drawn(page)
    assert page.locator(PICTURE).is_hidden()
    press(page, "4")
    page.locator(PICTURE).wait_for()


def test_an_exported_file_has_it_too(fresh_page: Any, tmp_path: Any) -> None:
    """It needs nothing but what the browser has."""
    page, watch = fresh_page("")
    page.goto(exported(PROJECT / "sample_sessions" / RECORDED, tmp_path / "run.html", ""))
    wait_for(page, PAINTED)
    press(page, "n")
    page.locator(PICTURE).wait_for()
    assert page.evaluate(LAID)["covered"] == 0
    assert watch.errors == []


def test_in_front_of_a_room_it_stands_where_there_is_room(fresh_page: Any, server: Any) -> None:
    """Presented, too, it covers nothing and its labels do not touch."""
    page, _ = fresh_page(server.url, width=1280, height=720)
    look(page, server.url, source=f"sample:{RECORDED}", step=0)
    press(page, "n", "Shift+P")
    page.locator(PICTURE).wait_for()
    laid = page.evaluate(LAID)
    assert (laid["touching"], laid["covered"], laid["outside"]) == (0, 0, 0)


@pytest.mark.parametrize(
    ("width", "height", "words"), [(1400, 900, None), (1920, 1080, "nothing in the window says it any more")]
)
def test_a_large_room_sees_what_became_of_them(
    fresh_page: Any, server: Any, width: int, height: int, words: str | None
) -> None:
    """The window before and after, or where that has no room what was lost: neither covers a row, and both are whole."""
    page, _ = fresh_page(server.url, width=width, height=height)
    look(page, server.url, source="sample:foldline/broken-rule.json", step=0)
    press(page, "n", "Shift+P")
    page.locator(f"{PICTURE}{'[data-words]' if words else ':not([data-words])'}", has_text=words or "Before").wait_for()
    laid = page.evaluate(LAID)
    assert (laid["touching"], laid["covered"], laid["outside"]) == (0, 0, 0)


def test_what_was_lost_is_marked_on_the_window_before(fresh_page: Any, server: Any) -> None:
    """The rule stands below the columns, whole, with what it was needed for; the part that held it has the same mark."""
    page, watch = fresh_page(server.url, width=1400, height=900)
    look(page, server.url, source="sample:foldline/broken-rule.json", step=0)
    press(page, "n")
    page.locator(".fl-lists .fl-tsfoot li").first.wait_for()
    assert page.locator(".fl-lists .fl-tsfoot li").all_inner_texts() == [
        "Never delete an original in photos/: the printed catalogue links to them by name."
        " · an instruction, needed again at message 37, said again by the user at message 42",
        "the text of 9 tool results",
    ]
    marked = page.locator(".fl-lists .fl-tspart:has(.fl-tsmark)")
    assert marked.count() == 1
    assert marked.locator(".fl-tslabel").inner_text().startswith("user")
    laid = page.evaluate(LAID)
    assert (laid["touching"], laid["covered"], laid["outside"]) == (0, 0, 0)
    assert watch.errors == []


RULE = "Never delete an original in photos/: the printed catalogue links to them by name."


@pytest.mark.parametrize("at", [".fl-lists", ".fl-tsfold"], ids=["window", "card"])
def test_what_was_lost_leads_to_why(fresh_page: Any, server: Any, at: str) -> None:
    """By mouse and by key, from below the rows and from the card; the text is its name, and it has a ring."""
    page, watch = fresh_page(server.url, width=1400, height=900)
    look(page, server.url, source="sample:foldline/broken-rule.json", step=0)
    press(page, "n")
    if at == ".fl-tsfold":
        page.locator(".fl-switch[role=switch]").first.press("Enter")  # the rows that are gone leave no room below
        page.locator(".fl-tsfold summary").press("Enter")
    lost = page.locator(f"{at} .fl-tsfoot").get_by_role("button", name=RULE)
    lost.focus()
    assert lost.evaluate("(node) => node.matches(':focus-visible') && getComputedStyle(node).outlineStyle") == "solid"
    assert violations(page) == []
    page.keyboard.press("Enter")
    page.locator(".fl-why-quote", has_text="Never delete").wait_for()
    wait_step(page, 28)
    press(page, "Escape")
    page.locator(".fl-why-panel").wait_for(state="hidden")
    lost.click()
    page.locator(".fl-why-quote", has_text="Never delete").wait_for()
    assert watch.errors == []


def test_where_the_picture_has_no_room_what_was_lost_is_pressed_in_words(
    fresh_page: Any, server: Any, shared: Path
) -> None:
    """Each text that is in sight is high enough to be met, its ring is whole, and axe-core finds nothing."""
    page, _ = fresh_page(server.url, width=900, height=700)
    recorded = shared / "transcripts" / "claude-code" / "6113e919-67d3-417b-b525-c63700228d19.jsonl"
    look(page, server.url, source=f"path:{recorded}", step=0)
    press(page, "n", "n", "w")
    page.locator(".fl-why-quote", has_text="I think by file is to much").wait_for()
    words = page.locator(".fl-toscale[data-words] .fl-loss-text")
    words.first.wait_for()
    expect(page.locator(".fl-toscale[data-words] .fl-tsmore")).to_have_text("the rest is on the card")
    assert violations(page) == []
    words.first.focus()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Tab")
    assert page.evaluate(CUT_RING) == {"name": "fl-loss-text I think by file is to much", "cut": [], "none": False}


def test_what_was_lost_is_no_press_in_front_of_a_room(fresh_page: Any, server: Any) -> None:
    """There Why is not to be had: it is only read."""
    page, _ = fresh_page(server.url, width=1400, height=1200)
    look(page, server.url, source="sample:foldline/broken-rule.json", step=0)
    press(page, "n")
    page.locator(".fl-lists .fl-tsfoot button").wait_for()
    press(page, "Shift+P")
    page.locator(".fl-lists .fl-tsfoot li > q", has_text=RULE).wait_for()
    assert page.locator(".fl-tsfoot button").count() == 0
    press(page, "Escape")
    page.locator(".fl-lists .fl-tsfoot button").wait_for()


@pytest.mark.parametrize(("width", "height"), [(1400, 900), (900, 700)])
def test_the_card_has_it_however_many_rows_there_are(fresh_page: Any, server: Any, width: int, height: int) -> None:
    """Folded up in the card where the list has no room for it; open, its labels do not touch, and axe-core finds nothing."""
    page, watch = fresh_page(server.url, width=width, height=height)
    look(page, server.url, **{**SIMULATED, "keep_recent": 12}, step=0)
    press(page, "n")
    fold = page.locator(".fl-tsfold")
    fold.locator("summary").click()
    fold.locator(".fl-toscale").wait_for()
    fold.locator(".fl-tsfoot li").first.wait_for()
    labels = fold.locator(".fl-tslabel, .fl-tshead").evaluate_all(
        "(nodes) => nodes.map((node) => node.getBoundingClientRect().toJSON())"
    )
    inside = fold.bounding_box()
    assert all(box["left"] >= inside["x"] and box["right"] <= inside["x"] + inside["width"] + 1 for box in labels)
    rows = sorted(
        (box for box in labels if box["left"] < inside["x"] + inside["width"] / 2), key=lambda box: box["top"]
    )
    assert all(below["top"] >= above["bottom"] - 0.5 for above, below in pairwise(rows))
    assert violations(page) == []
    assert watch.errors == []
