"""Why in a real browser: from a selected text to its lane, by mouse and by keys, in the address, under sliders."""

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from core import Message, save
from core.trace.trace import as_session
from tests.browser.accessible import violations
from tests.browser.looking import (
    DEEP,
    ROOT,
    at,
    drawn,
    held_down,
    look,
    place,
    press,
    value,
    wait_addressed,
    wait_for,
    wait_painted_anew,
    wait_step,
)
from tests.browser.selecting import select

pytestmark = pytest.mark.browser
CODING = {"source": "sample:openai-chat/coding-session.json", "policy": "agentkit.memory"}
SETTINGS = {"budget": 16_000, "keep_recent": 8, "meter": "o200k_base"}
RULE = "half past eleven"  # said in message 2, folded at step 65, from then on only in summaries
LANE = ".fl-lane-bar"


def coding(page: Any, server: Any, **query: Any) -> None:
    """The coding session under a budget that compacts it at the steps 65, 131 and 176."""
    look(page, server.url, **CODING, **SETTINGS, **query)


def says(page: Any, words: str) -> None:
    """Wait until the chosen lane says where its text is."""
    page.locator(f'.fl-lane[data-chosen] {LANE}[aria-valuetext="{words}"]').wait_for()


def on_lane(page: Any, step: int) -> tuple[float, float]:
    """Where on the page a step lies on the first lane's bar."""
    box, last = place(page, page.locator(LANE).first), int(value(page, "steps")) - 1
    return box["x"] + 46 + (box["width"] - 80) * step / last, box["y"] + 21


def test_from_a_selection_to_its_lane(page: Any, server: Any) -> None:
    """The button beside a selection moves nothing; pressed, it follows the text: a lane, aligned with the timeline, that is
    heard, kept by a reload, undone by Back, and scrubbed like the timeline.
    """
    coding(page, server, step=1)
    before = place(page, page.locator(".fl-inspector"))
    select(page, RULE)
    page.locator(".fl-whychip").wait_for()
    assert page.locator(".fl-inspector").bounding_box() == before
    page.locator(".fl-whychip").click()
    says(page, "in the window, recent.")
    page.locator(".fl-whychip").wait_for(state="hidden")
    assert page.locator(LANE).get_attribute("aria-label") == f"Lane 1 of 1, {RULE}"
    assert page.locator(".fl-announced").text_content().startswith("Why: In the window until")
    listed = page.locator(".fl-lane .fl-said").inner_text().split("\n")
    assert listed[:2] == ["Message 2, said by the user", "Compaction 1, summary #1 says it word for word"]
    wait_addressed(page, "why=half+past+eleven")

    page.mouse.move(*on_lane(page, 65))
    page.locator(".fl-lanetip", has_text="Compaction 1, summary #1 says it").wait_for()
    page.mouse.down()
    wait_step(page, 65)
    page.mouse.move(
        *on_lane(page, 66), steps=3
    )  # one step on: it belongs to the same jump, however long the button was held
    wait_step(page, 66)
    page.mouse.up()
    says(page, "only in summary #1.")

    wait_addressed(page, "step=66")
    page.reload()
    page.locator(f"{ROOT}[data-rendered]").wait_for()
    says(page, "only in summary #1.")
    page.go_back()
    wait_step(page, 1)
    page.go_back()
    page.locator(LANE).wait_for(state="hidden")


def test_on_a_compaction_it_follows_what_was_lost(page: Any, server: Any) -> None:
    """Without a selection `w` asks about the lost texts in the order of the overview, those that matter most first."""
    look(page, server.url, source="sample:foldline/broken-rule.json", step=28)
    press(page, "w")
    page.locator(f'{LANE}[aria-label^="Lane 1 of 1, Never delete an original in photos/"]').wait_for()
    coding(page, server, step=65)
    press(page, "w")
    page.locator(f'{LANE}[aria-label^="Lane 1 of 1, Good. Next one."]').wait_for()
    expect(page.locator(".fl-why-nth")).to_have_text("Lost text 1 of 3 · request")


def test_on_the_overview_it_goes_through_what_was_lost(page: Any, server: Any) -> None:
    """`w` asks about the rule that the overview tells of, of so many; where nothing was lost it says what can be asked."""
    look(page, server.url, source="sample:foldline/broken-rule.json")
    press(page, "w")
    page.locator(f'{LANE}[aria-label^="Lane 1 of 1, Never delete an original in photos/"]').wait_for()
    expect(page.locator(".fl-why-nth")).to_have_text("Lost text 1 of 1 · rule")
    look(
        page, server.url, source="sample:foldline/broken-rule.json", policy="agentlib.sliding_window", max_messages=100
    )
    page.locator(".fl-inspector[data-shows=overview]").wait_for()
    press(page, "w")
    expect(page.locator(".fl-why-panel:not([hidden]) h2")).to_have_text("Nothing would be lost.")
    assert violations(page) == []
    page.locator(".fl-why-panel .fl-loss-text").first.click()
    expect(page.locator(".fl-why-answer:visible")).to_contain_text("In the window")


def test_the_cursor_crosses_no_label_of_a_lane(page: Any, server: Any) -> None:
    """At the compaction that left a text out, whose label stands over it, the cursor's line begins below the words."""
    look(page, server.url, source="sample:foldline/broken-rule.json", step=28)
    press(page, "w")
    label = page.locator(".fl-lane-labels text", has_text="left out of #1")
    label.wait_for()
    cursor = page.locator(".fl-lane-cursor")
    words, line = place(page, label), place(page, cursor)
    assert words["x"] < line["x"] < words["x"] + words["width"]
    baseline = float(label.get_attribute("y"))
    assert float(cursor.get_attribute("y1")) >= baseline + 3


def test_with_keys_alone(page: Any, server: Any) -> None:
    """`w`, brackets, Enter, Delete and Esc; without a selection `w` opens what was asked last; a bracket says what to do."""
    coding(page, server, step=1)
    press(page, "n")
    press(page, "]")
    page.get_by_text("Select a text first, then press w").wait_for()
    press(page, "g")
    press(page, "ArrowRight")
    press(page, "/")
    page.locator(".fl-find input").fill("is_spending")
    page.keyboard.press("Alt+w")
    page.locator(".fl-find").wait_for(state="hidden")
    says(page, "not said yet.")

    page.get_by_role("tab", name="Message 2").click()
    select(page, "half")
    page.keyboard.press("w")
    page.locator(f'{LANE}[aria-label="Lane 2 of 2, half"]').wait_for()

    page.keyboard.press("[")
    page.locator(f'{LANE}[aria-label="Lane 1 of 2, is_spending"]:focus').wait_for()
    page.keyboard.press("Enter")
    said = at(page)
    page.keyboard.press("Enter")
    assert at(page) > said > 1
    page.keyboard.press("f")
    page.locator(".fl-findings").wait_for()
    page.keyboard.press("Escape")
    page.locator(".fl-findings").wait_for(state="hidden")
    assert page.locator(LANE).count() == 2

    page.keyboard.press("]")
    page.keyboard.press("Delete")
    page.locator(f'{LANE}[aria-label="Lane 1 of 1, is_spending"]:focus').wait_for()
    page.keyboard.press("Escape")
    page.locator(LANE).wait_for(state="hidden")
    wait_for(page, "() => !location.search.includes('why')")
    page.keyboard.press("w")
    page.locator(f'{LANE}[aria-label="Lane 1 of 1, is_spending"]').wait_for()


def test_lanes_stay_under_another_budget(page: Any, server: Any) -> None:
    """While a slider is held the old lanes are faded; at rest they are those of the new trace. Axe finds nothing in them."""
    coding(page, server, step=150, why=RULE, why2="is_spending", why3="pandas", why4="the")
    says(page, "only in summary #2.")
    bars, close = (
        page.locator(".fl-lane-bars").first.bounding_box(),
        page.get_by_role("button", name="Remove lane 1").bounding_box(),
    )
    assert bars["x"] + bars["width"] + 7 <= close["x"]  # half a mark, at the last step
    assert close["width"] * close["height"] > 500
    expect(page.locator(LANE).nth(2)).to_have_attribute("aria-valuetext", "never in this file.")
    expect(page.locator(LANE).nth(3)).to_have_attribute("aria-valuetext", re.compile(r"^said in \d+ messages\.$"))
    assert violations(page) == []

    painted = value(page, "rendered")
    held_down(page, "budget", 0.9)
    wait_painted_anew(page, painted)
    page.locator(".fl-lane[data-outdated]").first.wait_for()
    page.mouse.up()
    page.locator(".fl-lane[data-outdated]").first.wait_for(state="detached")
    assert "why4=the" in page.url
    drawn(page)
    assert page.locator(".fl-lane").count() == 4


CLEAR = f"""
() => {{
  const [chip, body] = ['.fl-whychip', '.fl-ibody'].map((name) => ({DEEP})(name));
  const lines = [...chip.getRootNode().getSelection().getRangeAt(0).getClientRects()];
  const [at, box] = [chip, body].map((node) => node.getBoundingClientRect());
  const inside = at.left >= box.left && at.right <= box.right && at.top >= box.top && at.bottom <= box.bottom;
  return lines.length > 0 && inside && lines.every(({{ top, bottom }}) => at.bottom <= top || at.top >= bottom);
}}
"""


@pytest.mark.parametrize("width", [1400, 900, 420])
@pytest.mark.parametrize(
    ("first", "last"), [("Good.", ""), ("Never delete", ""), ("gallery", "pictures"), ("Now", "original")]
)
def test_the_button_at_a_selection_covers_none_of_its_lines(
    page: Any, server: Any, width: int, first: str, last: str
) -> None:
    """Within the message's box: above what is on one line, or below it; where there is no room above, below too."""
    page.set_viewport_size({"width": width, "height": 900})
    look(page, server.url, source="sample:foldline/broken-rule.json", policy="recorded", step=15)
    select(page, first, last)
    page.locator(".fl-whychip").wait_for()
    assert page.evaluate(CLEAR)


@pytest.mark.parametrize("after", ["w", "Escape", "press"])
def test_the_button_beside_a_selection_goes_with_what_is_done_next(page: Any, server: Any, after: str) -> None:
    """Asked by w, it does not float over the panel that has opened; Escape and a press elsewhere take it away, too."""
    coding(page, server, step=1)
    select(page, RULE)
    chip = page.locator(".fl-whychip")
    chip.wait_for()
    if after == "press":
        page.locator(".fl-transport").get_by_role("button", name="Play", exact=True).click()
    else:
        page.keyboard.press(after)
    if after == "w":
        says(page, "in the window, recent.")
    expect(chip).to_be_hidden()


def test_markdown_is_asked_about_as_it_was_written(page: Any, server: Any, tmp_path: Any) -> None:
    """A selection over bold words finds the message that has asterisks there."""
    save(
        as_session([Message(id="m0", role="user", content="Take **no new** dependency, please.")]),
        tmp_path / "bold.json",
    )
    look(page, server.url, source=f"path:{tmp_path / 'bold.json'}", policy="agentkit.memory", step=0)
    select(page, "no new", "dependency")
    page.locator(".fl-whychip").wait_for()
    page.keyboard.press("w")
    page.locator(f'{LANE}[aria-label="Lane 1 of 1, no new** dependency"]').wait_for()
    says(page, "in the window, recent.")
