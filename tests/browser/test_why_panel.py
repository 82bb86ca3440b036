"""Why in the inspector of a real browser: from a selected text to the change that keeps it, and back."""

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.accessible import violations
from tests.browser.looking import (
    DEEP,
    ROOT,
    look,
    press,
    value,
    wait_addressed,
    wait_for,
    wait_painted_anew,
    wait_step,
)
from tests.browser.selecting import select

pytestmark = pytest.mark.browser
RULE = "no new dependency, not even a small one"  # said in message 2; summary #1 says it, summary #2 does not
LOST = {"source": "sample:foldline/forgotten-rule.json"}
GONE = "Gone since compaction 2: summary #2 left it out."
ANSWER = ".fl-why-answer"
ALL = re.compile(r"^(All \d+ changes?|All changes|What was tried)")
PIN = re.compile(r"Try Pin message 2: no compaction removes it \(~\d+ tokens\)")
FOCUSED = f"""() => {{
  const at = ({DEEP})('{ROOT}').getRootNode().activeElement;
  return at?.getAttribute('aria-label') ?? at?.textContent ?? '';
}}"""


def tried(page: Any) -> list[list[int]]:
    """The tokens that the rows of the table send, once every change has been tried: as it is, then each group."""
    whole = page.get_by_role("button", name=ALL)
    whole.wait_for()
    if whole.get_attribute("aria-expanded") == "false":
        whole.click()
    page.get_by_text("Each row is a run of this session with that one change.").wait_for()
    sent: list[list[int]] = [[]]
    for row in page.locator(".fl-why-fixes tbody tr").all():
        if row.evaluate("(row) => row.matches('.fl-why-group')"):
            sent.append([])
        elif (cell := row.locator("td:nth-child(4)")).count():
            sent[-1].append(int(cell.get_attribute("title").replace(",", "")))
    return sent


def tab_to(page: Any, words: str, key: str = "Tab") -> None:
    """Press a key until what says these words has the focus."""
    for _ in range(80):
        page.keyboard.press(key)
        if re.match(words, page.evaluate(FOCUSED)):
            return
    pytest.fail(f"{words!r} cannot be reached")


def test_from_a_selection_to_a_change_and_back(page: Any, server: Any) -> None:
    """A rule of the user is selected: the panel says where it went, its story leads there, a pin is tried and undone."""
    look(page, server.url, **LOST, step=1)
    select(page, RULE)
    press(page, "w")
    page.locator(ANSWER, has_text="In the window").wait_for()
    assert page.get_by_role("tab", selected=True).all_inner_texts() == ["Why"]
    page.locator(".fl-why-story").get_by_role("button", name="Go to compaction 2").click()
    wait_step(page, 134)
    page.locator(ANSWER, has_text=GONE).wait_for()
    assert page.locator(".fl-why-story [aria-current=step]").inner_text().startswith("#2")

    remedies = page.locator(".fl-why-remedies li")
    remedies.locator(".fl-why-cost").nth(2).wait_for()
    assert remedies.first.inner_text().split("\n")[:2] == [
        "Pin message 2: no compaction removes it (~122 tokens)",
        "+0.9 % tokens",
    ]
    (now,), own, others, only_quoted, weak = tried(page)
    expect(page.locator(".fl-why-fixes tbody tr").nth(6)).to_be_in_viewport()
    assert page.locator(".fl-why-fixes tbody th").first.inner_text() == "As it is"
    groups = page.locator(".fl-why-group").all_inner_texts()
    quoted = "Only in a summary, or in a quote in its place, which another summary may leave out: not counted"
    apart = "Kept only for a while, over the budget, or as nothing is ever compacted: not counted"
    assert groups == ["One setting of agentkit.memory, or a pin", "Another policy", quoted, apart]
    assert re.findall(r"\d+", page.get_by_role("button", name=ALL).inner_text()) == [str(len(own) + len(others))]
    assert len(only_quoted) >= 1
    assert len(weak) >= 1
    assert len(own) >= 1
    assert len(others) >= 1
    assert now > 0
    assert violations(page) == []
    page.get_by_role("button", name=ALL).click()

    page.get_by_role("tab", name="Compaction").click()
    page.get_by_role("heading", name="Compaction 2 of").wait_for()
    page.get_by_role("tab", name="Why").click()
    before = value(page, "rendered")
    page.get_by_role("button", name=PIN).click()
    wait_painted_anew(page, before)
    wait_addressed(page, "pin=")
    page.locator(ANSWER, has_text="In the window").wait_for()
    outcome = (
        "Pin message 2 keeps it: at message 187 the window has it. All 3 compactions stay where they were; tokens sent"
    )
    page.locator(".fl-why-tried", has_text=outcome).wait_for()
    assert page.get_by_role("button", name=PIN).is_hidden()
    assert page.get_by_role("button", name=ALL).is_visible()
    assert violations(page) == []
    page.get_by_role("button", name="Message 2 ×").wait_for()
    assert page.locator(".fl-lane").count() == 1

    page.go_back()
    page.locator(ANSWER, has_text=GONE).wait_for()
    wait_for(page, "() => !location.search.includes('pin=')")


def test_with_keys_alone(page: Any, server: Any) -> None:
    """From Find to the table and to Undo, and every part in between can be reached and pressed."""
    look(page, server.url, **LOST, step=150)
    press(page, "/")
    page.locator(".fl-find input").fill(RULE)
    page.keyboard.press("Alt+w")
    page.locator(ANSWER, has_text=GONE).wait_for()
    tried(page)
    page.locator(ROOT).focus()
    tab_to(page, "Go to message 2$")
    tab_to(page, "Go to compaction 2", "ArrowDown")
    page.keyboard.press("Enter")
    wait_step(page, 134)
    tab_to(page, "Try ", "Shift+Tab")
    tab_to(page, PIN.pattern, "ArrowUp")
    before = value(page, "rendered")
    page.keyboard.press("Enter")
    wait_painted_anew(page, before)
    wait_for(page, f"() => ({FOCUSED})() === 'Undo'")
    page.keyboard.press("Enter")
    page.locator(ANSWER, has_text=GONE).wait_for()
    wait_for(page, "() => !location.search.includes('pin=')")
    wait_for(page, f"() => ({FOCUSED})().startsWith('Try Pin message 2')")
    page.keyboard.press("Escape")
    page.locator(".fl-why-top").wait_for(state="detached")


def test_of_a_recorded_run_the_agents_own_settings_come_first(page: Any, server: Any) -> None:
    """Under the name of its policy, behind its run without a change; one that is tried is that policy, with its setting, and
    the text is in its window."""
    typed = "The bank wrote back"
    look(page, server.url, source="sample:claude-code/recorded-compaction.jsonl", policy="recorded", step=71, why=typed)
    page.locator(ANSWER, has_text="since compaction 1").wait_for()
    page.locator(".fl-why-lines", has_text="The model did not use it in this stretch").wait_for()
    tried(page)
    rows = page.locator(".fl-why-fixes tbody tr").all_inner_texts()
    assert rows[1].startswith("claude_code.auto simulated, without a change")
    assert not any(row.startswith("claude_code.auto") for row in rows[2:])

    page.locator(".fl-why-fixes").get_by_role("button", name=re.compile(r"Try claude_code\.auto: window")).click()
    wait_addressed(page, "policy=claude_code.auto")
    page.locator(".fl-why-tried", has_text="claude_code.auto: window").wait_for()
    page.locator(ANSWER, has_text="In the window").wait_for()


RINGS = f"""() => ['.fl-why-panel', '{ANSWER}'].map((name) => getComputedStyle(({DEEP})(name)).outlineStyle)"""


def test_why_takes_the_keys_without_a_ring(page: Any, server: Any) -> None:
    """After a press elsewhere and a key none is around what nobody went to; a reader who tabs to the panel sees its own."""
    look(page, server.url, source="sample:foldline/broken-rule.json", step=37)
    page.get_by_role("button", name="Overview").first.click()
    page.get_by_role("button", name="Why: follow it step by step").click()
    page.locator(ANSWER).wait_for()
    page.keyboard.press("p")
    wait_step(page, 28)
    assert page.evaluate(RINGS) == ["none", "none"]
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Tab")
    assert page.evaluate(RINGS) == ["solid", "none"]


def test_a_message_that_a_change_pins_is_in_sight(page: Any, server: Any) -> None:
    """In a small window, too, under a heading that says it stays, until the next step: what arrives then is in sight."""
    page.set_viewport_size({"width": 900, "height": 700})
    rule = "Never delete an original in photos/"
    look(page, server.url, source="sample:foldline/broken-rule.json", policy="recorded", step=42, why=rule)
    press_pin = page.locator(".fl-why-remedies").get_by_role("button", name="Try Pin message 16")
    press_pin.wait_for()
    assert press_pin.evaluate(f"(button) => {{ button.click(); return ({DEEP})('.fl-why-tried').innerText; }}") == (
        "Trying Pin message 16: no compaction removes it (~61 tokens)…"
    )
    page.locator(".fl-why-tried", has_text="Pin message 16 keeps it").wait_for()
    wait_for(page, f"({IN_SIGHT})", ".fl-row.fl-held")
    headings = page.locator(".fl-window .fl-heading:not(.fl-sticky)").all_inner_texts()
    assert [one for one in headings if one.casefold().startswith("pinned: not to be summarized")]
    press(page, "ArrowRight")
    wait_step(page, 43)
    wait_for(page, f"({IN_SIGHT})", NEWEST)


def test_what_came_of_a_try_is_in_sight_below_the_answer(page: Any, server: Any) -> None:
    """In a small window, too, wherever the button stood: the panel is scrolled back to where the answer begins."""
    page.set_viewport_size({"width": 900, "height": 700})
    rule = "Never delete an original in photos/"
    look(page, server.url, source="sample:foldline/broken-rule.json", policy="recorded", step=42, why=rule)
    tried(page)
    page.locator(".fl-why-fixes").get_by_role("button", name="Try Pin message 16").click()
    outcome = page.locator(".fl-why-tried > span").first
    expect(outcome).to_contain_text("Pin message 16 keeps it")
    for node in (page.locator(ANSWER), outcome):
        expect(node).to_be_in_viewport(ratio=1)


def test_closed_why_leaves_undo(page: Any, server: Any) -> None:
    """What is tried, and its Undo, are in the place of Why after Esc, seen whole in a small window; Undo leads back to it."""
    page.set_viewport_size({"width": 900, "height": 700})
    rule = "Never delete an original in photos/"
    look(page, server.url, source="sample:foldline/broken-rule.json", policy="recorded", step=37, why=rule)
    page.locator(".fl-why-remedies").get_by_role("button", name="Try Pin message 16").click()
    page.locator(".fl-why-tried", has_text="Pin message 16 keeps it").wait_for()
    page.keyboard.press("Escape")
    away = page.locator(".fl-why-away")
    wait_addressed(page, "pin=")
    expect(away).to_have_text("Tried: message 16 pinnedUndo")
    expect(away.get_by_role("button", name="Undo")).to_be_in_viewport(ratio=1)
    assert violations(page) == []
    press(page, "Home")
    wait_step(page, 0)
    away.get_by_role("button", name="Undo").click()
    wait_for(page, "() => !location.search.includes('pin=')")
    expect(away).to_have_count(0)
    wait_step(page, 37)
    expect(page.locator(".fl-why-quote q")).to_have_text(rule)
    wait_addressed(page, "why=Never")


def test_undo_of_a_closed_why_by_a_key_gives_the_focus_back_to_the_button(page: Any, server: Any) -> None:
    """As Undo in Why itself does."""
    rule = "Never delete an original in photos/"
    look(page, server.url, source="sample:foldline/broken-rule.json", policy="recorded", step=37, why=rule)
    page.locator(".fl-why-remedies").get_by_role("button", name="Try Pin message 16").click()
    page.locator(".fl-why-tried", has_text="Pin message 16 keeps it").wait_for()
    page.keyboard.press("Escape")
    undo = page.locator(".fl-why-away").get_by_role("button", name="Undo")
    undo.focus()
    page.keyboard.press("Enter")
    wait_for(page, f"() => ({FOCUSED})().startsWith('Try Pin message 16')")


NEWEST = ".fl-window .fl-row[data-key=m42]"
IN_SIGHT = f"""
(selector) => {{
  const [row, list] = [selector, '.fl-list'].map((name) => ({DEEP})(name)?.getBoundingClientRect());
  return row && list && row.top >= list.top && row.bottom <= list.bottom + 1;
}}
"""
