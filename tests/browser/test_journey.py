"""The journey of somebody whose agent forgot a rule: open, why, try a change, compare, back, share."""

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.looking import ROOT, drawn, idle, look, press, until, wait_addressed, wait_for, wait_step
from tests.browser.test_compare import figures, query_of, wait_message

pytestmark = pytest.mark.browser
RULE = "Never delete an original in photos/: the printed catalogue links to them by name."
PIN = "Pin message 16"


def at_why(page: Any, server: Any) -> None:
    """Open the app, and follow the rule that its overview tells of."""
    page.goto(server.url)
    page.locator(".fl-losses .fl-loss-text[data-kind]").first.click()
    page.get_by_role("button", name=f"Try {PIN}").wait_for()


def tried(page: Any) -> None:
    """Try the pin, and wait until it is said what came of it."""
    page.get_by_role("button", name=f"Try {PIN}").click()
    page.get_by_text(f"{PIN} keeps it").wait_for()


def compared(page: Any) -> None:
    """Go to Compare, and wait until the fate of the text is known in both lanes."""
    press(page, "v")
    page.locator(".fl-compare[data-rendered]").wait_for()
    page.locator("[data-pinned=text] .fl-state").nth(1).wait_for()


def test_compare_follows_the_text_and_names_the_pin(page: Any, server: Any) -> None:
    """From a tried pin: the text is followed on, lost in the lane as recorded and kept in the one that is named by the pin.

    A reload, the address's other settings of that lane, and taking the pin out change what they say and nothing else.
    """
    at_why(page, server)
    tried(page)
    compared(page)
    assert page.locator("[data-pinned=quote]").inner_text() == RULE
    assert page.locator("[data-pinned=text] .fl-state").all_inner_texts() == ["gone since compaction 1", "in window"]
    assert page.locator(".fl-lane-title").all_inner_texts() == ["As recorded", "agentkit.memory + pin"]
    assert "message 16 pinned" in page.locator(".fl-lane-settings").all_inner_texts()[1]
    wait_addressed(page, "why=Never")
    assert query_of(page)["b"] == "agentkit.memory,budget=1600,keep_recent=6,pin=pottery-15"
    page.reload()
    page.locator("[data-pinned=text] .fl-state").nth(1).wait_for()
    assert page.locator("[data-pinned=text] .fl-state").all_inner_texts() == ["gone since compaction 1", "in window"]
    page.get_by_role("button", name="Unpin").click()
    page.get_by_role("button", name="Unpin").wait_for(state="detached")
    wait_addressed(page, "b=agentkit.memory,budget=1600,keep_recent=6&")
    page.locator(".fl-state-gone").nth(1).wait_for()
    assert page.locator(".fl-lane-title").all_inner_texts() == ["As recorded", "agentkit.memory"]


def picture(page: Any) -> list[str]:
    """What Why shows, once its table is there: its answer, what came of the change, the list it is from; and the step."""
    page.locator(f"{ROOT}:not(.fl-compare)[data-rendered]").wait_for()
    page.get_by_text(f"{PIN} keeps it").wait_for()
    page.get_by_role("button", name=re.compile(r"^All \d+ changes")).wait_for()
    return [page.locator(".fl-position").inner_text(), page.locator(".fl-why-panel").inner_text()]


@pytest.mark.parametrize("way", ["Back", "v", "v after a step", "the sidebar's link"])
def test_debug_comes_back_as_it_was_left(page: Any, server: Any, way: str) -> None:
    """By the browser's Back, by v and by the sidebar: the same step, a compaction, and the tried change with its list.

    After a step in Compare v leads to that step, the compaction's again where the cursor came back to its message.
    """
    at_why(page, server)
    tried(page)
    idle(page)
    before = picture(page)
    assert before[0].startswith("compaction 1 of 1")
    compared(page)
    if way == "v after a step":
        press(page, "ArrowRight", "v")
        page.locator(f"{ROOT}:not(.fl-compare)[data-rendered]").wait_for()
        wait_step(page, 29)
        compared(page)
        press(page, "ArrowLeft")
        wait_message(page, 28)
    if way == "Back":
        page.go_back()
    elif way == "the sidebar's link":
        page.get_by_role("link", name="Debug").click()
    else:
        press(page, "v")
    wait_step(page, 28)
    until(page, lambda: picture(page) == before)


def test_compare_tells_what_was_lost(page: Any, server: Any) -> None:
    """One rule is lost and needed in the lane as recorded, none with the pin; of misses there are none in either;
    the message that only one lane has is shown with the followed text in it.
    """
    at_why(page, server)
    tried(page)
    compared(page)
    found = figures(page)
    assert found["Statements lost"] == found["Needed later"] == ["1", "0"]
    assert found["Misses"] == ["0.0 %", "0.0 %"]
    assert f"… {RULE}" in page.locator(".fl-set-row .fl-preview").all_inner_texts()
    shown = page.locator(".fl-set-legend span:visible:has(> i)").all_inner_texts()
    assert shown == ["rewritten", "in one lane", "in all", "summary", "system", "recent"], "no compactable"


def test_the_story_quotes_whole_sentences(page: Any, server: Any) -> None:
    """In the overview, and before a room: a message whose preview is cut goes on to the end of its sentence."""
    page.goto(server.url)
    again = page.locator(".fl-ostep q").last
    again.wait_for()
    assert again.inner_text().endswith("I told you: never delete an original.")
    again.click()
    wait_step(page, 42)
    press(page, "P")
    page.locator(".fl-present-caption").get_by_text("I told you: never delete an original.").wait_for()


FOCUSED = """
() => {
  let node = document.activeElement;
  while (node?.shadowRoot?.activeElement) node = node.shadowRoot.activeElement;
  return [node.className, node.getAttribute("aria-label") ?? node.innerText ?? ""];
}
"""


def test_the_journey_by_keys_alone(page: Any, server: Any) -> None:
    """w in the overview gives Why the focus, on a change the way back; v goes to Compare and returns, S shares."""
    page.goto(server.url)
    page.locator(".fl-okept").wait_for()
    press(page, "w")  # the rule that the overview tells of
    page.get_by_role("button", name=f"Try {PIN}").wait_for()
    assert page.evaluate(FOCUSED)[0] == "fl-why-panel"
    for _ in range(60):
        if page.evaluate(FOCUSED)[1].startswith(f"Try {PIN}"):
            break
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.get_by_text(f"{PIN} keeps it").wait_for()
    assert page.evaluate(FOCUSED)[1] == "Undo"
    compared(page)
    assert page.evaluate(FOCUSED)[1] == "Compare"
    page.keyboard.press("v")
    wait_step(page, 28)
    page.get_by_text(f"{PIN} keeps it").wait_for()
    assert page.evaluate(FOCUSED)[1] == "foldline debugger"
    page.keyboard.press("S")
    page.locator("dialog[open]").wait_for()
    page.keyboard.press("Escape")


FRONT = "(front) => (new URLSearchParams(location.search).get('show') ?? '') === front"


def test_find_returns_to_the_overview_it_was_opened_from(fresh_page: Any, server: Any) -> None:
    """By Esc, whether its match was in the window or not; the history is as before, and Back leads to no step of find."""
    page, _ = fresh_page(server.url)  # a browser counts at most 50 entries
    page.goto(server.url)
    page.locator(".fl-overview").wait_for()
    wait_for(page, FRONT, "overview")
    began, at_first = page.evaluate("history.length"), page.url
    for text in ("small pottery", "never delete an original"):
        press(page, "/")
        page.locator(".fl-find input").fill(text)
        page.locator(".fl-find").get_by_text("1 of").wait_for()
        page.keyboard.press("Enter")
        page.get_by_role("button", name="Back to the overview").wait_for()
        wait_for(page, FRONT, "")
        page.keyboard.press("Escape")
        page.locator(".fl-overview").wait_for()
        wait_for(page, FRONT, "overview")
        assert page.url == at_first
    assert page.evaluate("history.length") <= began + 1  # the entry that was left may stand ahead, for Forward


def test_what_the_overview_counts_opens_in_find(fresh_page: Any, server: Any) -> None:
    """A tool and a file by a press or by Enter: as many matches, which Enter walks; Esc comes back to what was pressed."""
    page, _ = fresh_page(server.url)
    page.goto(f"{server.url}/?source=sample:openai-chat/coding-session.json")
    for name, query, place in (
        ("edit_file 44×", "tool:edit_file", "of 44"),
        ("grep 4×", "tool:grep", "of 4"),
        ("report.py 11×", "wrote:report.py", "of 11"),
        ("107 tool calls", "", ""),
    ):
        button = page.locator(".fl-overview").get_by_role("button", name=name, exact=True)
        if not query:
            button.click()
            expect(page.get_by_role("heading", name="Tools", exact=True)).to_be_focused()
            expect(page.get_by_role("heading", name="Tools", exact=True)).to_be_in_viewport()
            break
        button.press("Enter")
        expect(page.get_by_role("textbox", name="Find in messages and summaries")).to_have_value(query)
        expect(page.locator(".fl-place")).to_have_text(f"1 {place}")
        page.keyboard.press("Enter")
        expect(page.locator(".fl-place")).to_have_text(f"2 {place}")
        page.keyboard.press("Escape")
        expect(button).to_be_focused()


def test_the_overview_opened_and_left_many_times_is_two_entries(fresh_page: Any, server: Any) -> None:
    """However slowly: what the entry before shows is gone back to."""
    page, _ = fresh_page(server.url)  # a browser counts at most 50 entries
    page.goto(server.url)
    page.locator(".fl-overview").wait_for()
    wait_for(page, FRONT, "overview")
    began = page.evaluate("history.length")
    for front in ("", "overview") * 4:
        press(page, "o")
        wait_for(page, FRONT, front)
    assert page.evaluate("history.length") <= began + 1


def test_back_to_other_settings_shows_the_overview_again(page: Any, server: Any) -> None:
    """Where it was in front of that entry."""
    page.goto(server.url)
    page.locator(".fl-overview").wait_for()
    wait_for(page, FRONT, "overview")
    press(page, "o")
    wait_for(page, FRONT, "")
    page.get_by_role("button", name="Drop the oldest, no summary").click()
    wait_for(page, "() => location.search.includes('sliding_window')")
    page.evaluate("history.go(-2)")
    wait_for(page, "() => location.search.includes('recorded')")
    page.locator(".fl-overview").wait_for()


def test_the_overview_has_an_address(page: Any, server: Any) -> None:
    """A reload shows it again, a link too, and behind it the step at which it was opened; without it the step alone."""
    overview = page.locator(".fl-overview")
    look(page, server.url, **CODING, step=40)
    press(page, "o")
    overview.wait_for()
    wait_for(page, FRONT, "overview")
    link = page.url
    assert link.endswith("&show=overview&step=40")
    page.reload()
    overview.wait_for()
    page.goto(server.url + "/library")
    page.goto(link)
    overview.wait_for()
    press(page, "o")
    overview.wait_for(state="detached")
    wait_for(page, FRONT, "")
    assert page.url == link.replace("&show=overview", "")
    page.reload()
    page.locator(".fl-slot-window").wait_for()
    expect(overview).to_have_count(0)


def test_back_leads_to_the_overview_again(page: Any, server: Any) -> None:
    """One entry of the history is made where it is left, and one where it is opened; Forward leaves it again."""
    overview = page.locator(".fl-overview")
    page.goto(server.url)
    overview.wait_for()
    wait_for(page, FRONT, "overview")
    press(page, "o")
    overview.wait_for(state="detached")
    wait_for(page, FRONT, "")
    page.go_back()
    overview.wait_for()
    page.go_forward()
    overview.wait_for(state="detached")
    press(page, "o")
    overview.wait_for()
    wait_for(page, FRONT, "overview")
    page.go_back()
    overview.wait_for(state="detached")


CODING = {
    "source": "sample:openai-chat/coding-session.json",
    "policy": "agentkit.memory",
    "budget": 16_000,
    "keep_recent": 8,
}


def test_find_marks_a_hit_in_the_summary_on_show(fresh_page: Any, server: Any) -> None:
    """A card that is there already marks what find looks for, and brings it into sight."""
    page, _ = fresh_page(server.url)
    look(page, server.url, **CODING, step=65)
    page.get_by_role("tab", name=re.compile(r"Findings \d")).wait_for()
    page.get_by_role("tab", name=re.compile(r"Ledger \d")).wait_for()  # all of the card is there
    press(page, "/")
    page.locator(".fl-find input").fill("stability")
    page.locator(".fl-find").get_by_text("of").first.wait_for()
    page.keyboard.press("Enter")
    expect(page.locator(".fl-inspector mark").first).to_have_text(re.compile("stability", re.IGNORECASE))
    expect(page.locator(".fl-inspector mark").first).to_be_in_viewport()


def beside_a_table(page: Any, server: Any) -> None:
    """At 900 pixels, open Find beside a message with a table."""
    page.set_viewport_size({"width": 900, "height": 700})
    look(page, server.url, **CODING, step=64)
    page.locator(".fl-inspector .fl-text").get_by_text("Home / Rent").wait_for()
    press(page, "/")


def find(page: Any, text: str) -> None:
    """Look for a text, and wait until it is known where it is."""
    page.locator(".fl-find input").fill(text)
    page.locator(".fl-find-line").get_by_text("1 of").wait_for()


def test_find_stays_at_the_top_of_the_window_when_that_moves_down(page: Any, server: Any) -> None:
    """Why, asked of the message beside Find, draws a track that takes room above the window; Find covers only the window."""
    beside_a_table(page, server)
    find(page, "public API")
    page.locator(".fl-inspector .fl-askwhy").click()
    page.locator(".fl-lanes").wait_for()
    band, window = page.locator(".fl-find"), page.locator(".fl-slot-window")
    until(page, lambda: band.bounding_box()["y"] == window.bounding_box()["y"])


def test_a_message_stays_as_it_is_where_find_marks_nothing(page: Any, server: Any) -> None:
    """The lines of its table are as long as before, the switch for them is there, and it is scrolled to where it was."""
    beside_a_table(page, server)
    body = page.locator(".fl-inspector .fl-ibody")
    body.evaluate("(body) => { body.scrollTop = 40; }")
    drawn(page)  # a piece of a text has its own height from the frame on in which it is first drawn
    height = body.locator(".fl-text").bounding_box()["height"]
    find(page, "public API")
    assert body.locator(".fl-text").bounding_box()["height"] == height
    assert page.get_by_role("switch", name="Wrap").is_visible()
    assert body.evaluate("(body) => body.scrollTop") == 40


def test_each_row_of_find_shows_its_match_whole(page: Any, server: Any) -> None:
    """Also at 900 pixels, where a row has little room for what stands before the match."""
    beside_a_table(page, server)
    find(page, "public API")
    marks = page.locator(".fl-hitlist mark")
    expect(marks).to_have_text(["public API"] * 5)
    boxes = page.locator(".fl-hitlist li:visible .fl-snippet").all()
    for mark, box in zip(marks.all(), boxes, strict=True):
        inside, around = mark.bounding_box(), box.bounding_box()
        assert around["x"] <= inside["x"]
        assert inside["x"] + inside["width"] <= around["x"] + around["width"]
        assert mark.evaluate("(mark) => mark.scrollWidth <= mark.clientWidth")
