"""The findings in a real browser: the button, the list that leads to steps, the marks on the timeline."""

from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.sync_api import expect

from core import Message, Usage, load, meter, policy, save, simulate
from core.model.session import ToolCall
from core.summaries.summarizers import summarizer
from core.trace.trace import as_session
from tests.browser.looking import (
    COUNT_NODES,
    at,
    dragged,
    held_down,
    idle,
    look,
    numbers,
    place,
    press,
    slider,
    source_box,
    value,
    wait_for,
    wait_painted_anew,
    wait_step,
)
from tests.serving import ROOT
from viewer.wire.findings import finding_list

pytestmark = pytest.mark.browser
LESSON = "foldline/lesson-3-calculator.json"
CODING = "openai-chat/coding-session.json"
FOCUS = """
() => {
  let node = document.activeElement;
  while (node.shadowRoot?.activeElement) node = node.shadowRoot.activeElement;
  return node.className;
}
"""


def lesson(page: Any, url: str, **query: Any) -> None:
    """The lesson's run, once its three findings are counted."""
    settings = {"policy": "agentkit.memory", "budget": 100, "keep_recent": 3, "meter": "agentkit"}
    look(page, url, source=f"sample:{LESSON}", **(settings | query))
    page.locator(".fl-found", has_text="3 findings").wait_for()


def pairs(count: int, name: str = "read") -> list[Message]:
    """A task, and calls with their results: of every pair that is cut a result is left over."""
    made = [Message(id="task", role="user", content="do all of it")]
    for i in range(count):
        call = ToolCall(id=f"{name}-{i}", name="read", arguments={})
        made.append(Message(id=f"a{i}", role="assistant", content="next", tool_calls=(call,)))
        made.append(Message(id=f"r{i}", role="tool", content="word " * 60, tool_call_id=call.id))
    return made


def mark(page: Any, severity: str) -> tuple[float, float]:
    """Where the first mark of a severity is on the page."""
    box = place(page, page.locator(f".fl-findmarks .fl-mark-{severity}"))
    return box["x"] + 3, box["y"] + box["height"] / 2


def test_the_button_counts_and_opens_the_list(page: Any, server: Any, watch: Any) -> None:
    """It says how many there are and how bad; the list has a group for each concern, a chip leaves the rows of its kind."""
    lesson(page, server.url, step=0)
    button = page.locator(".fl-found")
    assert button.get_attribute("data-worst") == "error"
    assert button.get_attribute("aria-label") == "3 findings: 1 error, 1 warning, 1 info"

    button.click()

    rows = page.locator(".fl-frow")
    rows.first.wait_for()
    assert button.get_attribute("aria-expanded") == "true"
    headings = page.locator(".fl-fgroup").all_inner_texts()
    assert [text.splitlines()[0] for text in headings] == ["Signs of forgetting", "Windows that an API may reject"]
    assert rows.count() == 3
    first = rows.nth(1).inner_text()
    assert all(word in first for word in ("E", "Orphaned tool result", "error", "compaction 1 of 1"))
    chip = page.locator(".fl-kind[data-kind=leading_assistant]")
    chip.click()
    assert chip.get_attribute("aria-pressed") == "true"
    assert rows.evaluate_all("(rows) => rows.map((r) => r.dataset.kind)") == ["leading_assistant"]
    chip.click()
    assert rows.count() == 3
    press(page, "Escape")
    assert watch.errors == []


def test_the_list_does_not_stay_over_another_session(page: Any, server: Any) -> None:
    """It belongs to the session it was opened for: another one is opened without it, and has its own."""
    lesson(page, server.url, step=0)
    page.locator(".fl-found").click()
    page.locator(".fl-frow").first.wait_for()
    before = value(page, "rendered")
    source_box(page).click()
    page.get_by_role("option").last.click()
    wait_painted_anew(page, before)
    assert page.locator(".fl-findings").is_hidden()
    assert page.locator(".fl-found").get_attribute("aria-expanded") == "false"


def test_keys_move_and_jump_and_the_focus_goes_back(page: Any, server: Any) -> None:
    """`f` opens it on the first row, arrows move, Enter goes to the step and the list stays; Escape and Find close it."""
    lesson(page, server.url, step=3)
    press(page, "f")
    page.locator(".fl-frow:focus").wait_for()

    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    wait_step(page, 10)

    assert page.locator(".fl-frow:focus").get_attribute("data-kind") == "orphaned_tool_result"
    assert page.locator(".fl-frow[aria-current=true]").get_attribute("data-kind") == "orphaned_tool_result"
    assert page.locator(".fl-frow[data-here=true]").count() == 3
    page.locator(".fl-comp").wait_for()
    page.keyboard.press("ArrowLeft")
    wait_step(page, 9)
    assert page.locator(".fl-frow:is([aria-current], [data-here])").count() == 0
    page.keyboard.press("Escape")
    page.locator(".fl-findings").wait_for(state="hidden")
    assert "fl-app" in page.evaluate(FOCUS)
    page.locator(".fl-found").click()
    page.locator(".fl-frow:focus").wait_for()
    page.keyboard.press("Escape")
    wait_for(page, f"() => ({FOCUS})().includes('fl-found')")

    page.keyboard.press("f")
    page.locator(".fl-frow:focus").wait_for()
    page.keyboard.press("/")
    page.locator(".fl-findings").wait_for(state="hidden")
    find = page.get_by_label("Find in messages and summaries")
    page.keyboard.type("3000")
    assert find.input_value() == "3000"
    page.locator(".fl-found").click()
    page.locator(".fl-frow:focus").wait_for()
    assert not find.is_visible()
    page.keyboard.press("Escape")


def test_tab_goes_from_finding_to_finding(page: Any, server: Any) -> None:
    """Whether or not a Why stands beside one; from a Why the arrows go on from its row."""
    look(page, server.url, source=f"sample:{CODING}", step=3)
    page.locator(".fl-found", has_text="findings").wait_for()
    press(page, "f")
    page.locator(".fl-frow:focus").wait_for()
    every = page.locator(".fl-findings-list :is(.fl-frow, .fl-finding-why)")
    page.keyboard.press("Home")
    count = every.count()
    assert count > page.locator(".fl-findings-list .fl-frow").count() > page.locator(".fl-finding-why").count()
    for k in range(count):
        expect(every.nth(k)).to_be_focused()
        page.keyboard.press("Tab")

    page.locator(".fl-has-why .fl-finding-why").first.focus()
    here = page.locator(".fl-findings-list li").evaluate_all(
        "(all) => all.findIndex((li) => li.matches(':focus-within'))"
    )
    page.keyboard.press("ArrowDown")
    expect(page.locator(".fl-frow").nth(here + 1)).to_be_focused()


def test_a_mark_says_what_was_found_and_leads_there(page: Any, server: Any) -> None:
    """Under the pointer it names the first findings; a press goes to the compaction."""
    lesson(page, server.url, step=0)
    x, y = mark(page, "error")
    page.mouse.move(x, y)
    tip = page.locator(".fl-findtip")
    tip.wait_for()
    assert "compaction 1" in tip.inner_text()
    assert "Orphaned tool result" in tip.inner_text()

    page.mouse.click(x, y)
    wait_step(page, 10)
    page.mouse.move(x - 80, y + 60)
    tip.wait_for(state="hidden")


def test_a_prompt_that_shrank_leads_to_a_window_marked_uncertain(page: Any, server: Any, tmp_path: Path) -> None:
    """The row goes to the reply; from there on the line under the window and the header's list say so, before it neither."""
    said = [
        message
        for k, prompt in enumerate((2_000, 4_000, 6_000, 3_000, 5_000))
        for message in (
            Message(id=f"u{k}", role="user", content="word " * 1_900),
            Message(id=f"a{k}", role="assistant", content="ok", usage=Usage(input_uncached=prompt)),
        )
    ]
    save(as_session(said), tmp_path / "shrank.json")
    look(page, server.url, source=f"path:{tmp_path / 'shrank.json'}", policy="recorded", step=5)
    page.locator(".fl-found", has_text="1 finding").wait_for()
    note = page.locator(".fl-gauge .fl-counts")
    assert "uncertain" not in note.inner_text()
    press(page, "f")
    row = page.locator(".fl-frow")
    row.wait_for()
    assert "model call · message 8" in row.inner_text()
    row.click()
    wait_step(page, 7)
    press(page, "Escape")
    assert note.inner_text() == "uncertain from message 8 on: the recorded prompt shrank"
    page.get_by_role("button", name="Details").click()
    assert "uncertain from message 8 on: the recorded prompt shrank" in page.locator(".fl-notes").inner_text()
    press(page, "Escape")


def test_the_list_is_the_engines(page: Any, server: Any) -> None:
    """On a long run the kinds, the counts and the steps are those of the trace."""
    session = load(ROOT / "sample_sessions" / CODING)
    trace = simulate(session, policy("agentkit.memory", budget=12_000, keep_recent=2), meter=meter("o200k_base"))
    found = finding_list(trace)
    query = {"policy": "agentkit.memory", "budget": 12_000, "keep_recent": 2, "meter": "o200k_base"}
    look(page, server.url, source=f"sample:{CODING}", step=0, **query)
    page.locator(".fl-found", has_text=f"{found['total']} finding").wait_for()
    press(page, "f")
    rows = page.locator(".fl-frow")
    rows.first.wait_for()

    steps = rows.evaluate_all("(rows) => rows.map((r) => Number(r.dataset.step))")
    assert steps == [row["step"] for row in found["findings"]]
    press(page, "Escape")


def test_a_pass_that_failed_leads_to_the_step_before_it(page: Any, server: Any) -> None:
    """With a summarizer that does not answer nothing is compacted, and the list says where it was tried."""
    session = load(ROOT / "sample_sessions" / CODING)
    rule = policy("agentlib.summarizing", active_window_tokens=8_000)
    trace = simulate(session, rule, meter=meter("o200k_base"), summarizer=summarizer("error", session=session))
    query = {"policy": "agentlib.summarizing", "active_window_tokens": 8_000, "meter": "o200k_base"}
    look(page, server.url, source=f"sample:{CODING}", step=0, summaries="error", **query)
    page.locator(".fl-found", has_text="1 finding").wait_for()
    press(page, "f")
    row = page.locator(".fl-frow")
    row.wait_for()
    assert "compaction attempt failed" in row.inner_text()

    row.click()

    wait_step(page, trace.failed[0].at - 1)
    press(page, "Escape")


def test_nothing_found_is_said(page: Any, server: Any) -> None:
    """Three messages are never compacted: the button and the list say so."""
    look(page, server.url, source="sample:openai-chat/three-messages.json", policy="agentkit.memory")
    page.locator(".fl-found", has_text="nothing to check").wait_for()
    press(page, "f")
    page.get_by_text("No compactions, so nothing to check.").wait_for()
    press(page, "Escape")


def test_nothing_is_asked_while_a_slider_is_held(page: Any, server: Any) -> None:
    """What was found under the old settings is gone at once; the server is asked when the button is let go of."""
    look(page, server.url, source=f"sample:{CODING}", policy="agentkit.memory", budget=60_000, keep_recent=4)
    page.locator(".fl-found", has_text="nothing to check").wait_for()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if "/api/findings/" in request.url else None)
    before = value(page, "rendered")
    held_down(page, "budget", 0.4)
    for part in (0.3, 0.2):
        wait_painted_anew(page, before)
        idle(page)
        before = value(page, "rendered")
        dragged(page, "budget", part)
    wait_painted_anew(page, before)
    idle(page)
    assert page.locator(".fl-found").inner_text() == "findings…"
    assert asked == []
    page.mouse.up()

    page.locator(".fl-found[data-worst]").wait_for()
    assert asked
    assert int(slider(page, "budget").input_value()) < 60_000


def test_a_hostile_name_is_text(page: Any, server: Any, watch: Any, tmp_path: Path) -> None:
    """Markup in the id of a tool call is shown as it stands, in the list and under the pointer."""
    save(as_session(pairs(6, "<img src=x onerror=alert(1)>")), tmp_path / "hostile.json")
    query = {"policy": "agentkit.memory", "budget": 150, "keep_recent": 1, "meter": "agentkit"}
    look(page, server.url, source=f"path:{tmp_path / 'hostile.json'}", step=0, **query)
    page.locator(".fl-found[data-worst=error]").wait_for()
    press(page, "f")
    page.locator(".fl-ftext", has_text="<img src=x onerror=alert(1)>").first.wait_for()
    page.mouse.move(*mark(page, "error"))
    page.locator(".fl-findtip").wait_for()
    assert page.locator(".fl-findings img, .fl-findtip img").count() == 0
    assert watch.errors == []
    press(page, "Escape")


def test_thousands_of_findings(page: Any, server: Any, tmp_path: Path) -> None:
    """They come a page at a time, the marks are merged, and the page stays small."""
    save(as_session(pairs(3_000)), tmp_path / "many.json")
    query = {"policy": "agentkit.memory", "budget": 150, "keep_recent": 1, "meter": "agentkit"}
    look(page, server.url, source=f"path:{tmp_path / 'many.json'}", step=0, **query)
    page.locator(".fl-found[data-worst=error]").wait_for()
    press(page, "f")
    page.locator(".fl-frow").first.wait_for()

    assert page.evaluate(COUNT_NODES) <= 3_000
    drawn = page.locator(".fl-findmarks path").evaluate_all("(ps) => ps.map((p) => p.getAttribute('d')).join('')")
    assert 20 < drawn.count("M") < 400
    here = at(page)
    page.mouse.click(*mark(page, "error"))
    assert at(page) != here
    press(page, "Escape")


def mixed(count: int) -> list[Message]:
    """Pairs with a turn between every two of them: what goes wrong, goes wrong at every third compaction."""
    work = pairs(count)
    turns = [user for i in range(count // 2) for user in (_turn(i, "user"), _turn(i, "assistant"))]
    return [work[0], *(m for i in range(count // 2) for m in (*work[1 + 4 * i : 5 + 4 * i], *turns[2 * i : 2 * i + 2]))]


def _turn(i: int, role: Literal["user", "assistant"]) -> Message:
    return Message(id=f"{role}-{i}", role=role, content=f"and now {i} " + "x" * 300)


def test_more_is_shown_when_asked_for(page: Any, server: Any, tmp_path: Path) -> None:
    """Fifty rows at a time, over the end of the first two hundred; the headings count all there are."""
    rule, session = policy("agentkit.memory", budget=400, keep_recent=2), as_session(mixed(200))
    trace = simulate(session, rule, meter=meter("agentkit"))
    found = [row for start in (0, 200, 400) for row in finding_list(trace, start=start)["findings"]]
    assert len(found) > 250
    save(session, tmp_path / "mixed.json")
    query = {"policy": "agentkit.memory", "budget": 400, "keep_recent": 2, "meter": "agentkit"}
    look(page, server.url, source=f"path:{tmp_path / 'mixed.json'}", step=0, **query)
    page.locator(".fl-found", has_text=f"{len(found)} findings").wait_for()
    press(page, "f")
    rows = page.locator(".fl-frow")
    rows.first.wait_for()
    for shown in (50, 100, 150, 200):
        assert rows.count() == shown
        page.locator(".fl-more").click()
        rows.nth(shown).wait_for()

    steps = rows.evaluate_all("(rows) => rows.map((r) => Number(r.dataset.step))")
    assert steps == [row["step"] for row in found[:250]]
    counted = [numbers(text)[0] for text in page.locator(".fl-fgroup").all_inner_texts()]
    assert counted == [n for n in finding_list(trace)["matching"].values() if n][: len(counted)]
    assert page.locator(".fl-more").inner_text() == f"Show {min(50, len(found) - 250)} more of {len(found) - 250}"
    press(page, "Escape")


def test_the_list_fits_a_small_page(fresh_page: Any, server: Any) -> None:
    """At 900 by 700, in the dark: the list lies inside the page and the page does not scroll."""
    page, watch = fresh_page(server.url, width=900, height=700, color_scheme="dark")
    lesson(page, server.url, step=0)
    press(page, "f")
    page.locator(".fl-frow").first.wait_for()
    box = page.locator(".fl-findings").bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 900
    assert box["y"] + box["height"] <= 700
    assert page.evaluate("() => document.documentElement.scrollHeight <= innerHeight")
    assert watch.errors == []


def test_a_finding_leads_to_what_became_of_its_text(page: Any, server: Any, watch: Any) -> None:
    """`w` on its row, or the button beside it, goes to its step and asks Why about the text; the list gives way to the window.

    Opened again it covers no control: the lane has pushed them down.
    """
    look(page, server.url, source=f"sample:{CODING}", step=3)
    page.locator(".fl-found", has_text="findings").wait_for()
    press(page, "f")
    row = page.locator(".fl-frow[data-kind=first_user_message_lost]")
    row.focus()
    page.keyboard.press("w")
    wait_step(page, int(row.get_attribute("data-step") or 0))
    page.locator(".fl-why-answer").wait_for()
    assert page.locator(".fl-why-quote q").inner_text().startswith("The monthly report is wrong")
    page.locator(".fl-lane").wait_for()
    page.locator(".fl-findings").wait_for(state="hidden")
    press(page, "f")
    page.locator(".fl-findings").wait_for()
    tools, listed = (place(page, page.locator(name)) for name in (".fl-transport", ".fl-findings"))
    assert listed["y"] >= tools["y"] + tools["height"]

    names = page.locator(".fl-has-why", has=page.locator(".fl-frow[data-kind=lost_reference]"))
    names.first.get_by_text("Why").click()
    page.locator(".fl-why-quote q", has_text="monthly_report").wait_for()
    page.locator(".fl-findings").wait_for(state="hidden")
    assert watch.errors == []
