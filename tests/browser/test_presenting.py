"""A run in front of a room: large type, the timeline and the window alone, by mouse and by keys, in the app and in a file."""

import json
import re
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from playwright.sync_api import expect

from core import Message, load, replay, save
from core.trace.trace import as_session
from tests.browser.accessible import violations
from tests.browser.looking import (
    DEEP,
    PAINTED,
    ROOT,
    at,
    drawn,
    hold_clock,
    look,
    press,
    value,
    wait_addressed,
    wait_for,
    wait_step,
)
from viewer.export.file import export

pytestmark = pytest.mark.browser

SAMPLE = "foldline/broken-rule.json"
SOURCE = {"source": f"sample:{SAMPLE}"}
PHASES = [
    "The window is over the budget: 1,701 of 1,600 tokens.",
    "21 older messages will be summarized; 1 pinned and 6 recent stay.",
    "A summary of ~154 tokens is written. It stands for ~1,220 tokens of messages.",
    "Summary 1 takes the place of 21 messages. The window goes from 1,701 to 635 tokens.",
]
"""What each phase of the sample's compaction says."""
LOST = "Compaction 1 replaces 21 earlier messages with a summary. The summary does not say the rule."
"""What is said of it where the story stops at it."""
STATES = ("In the window, word for word", "It goes with them", "The summary does not say it")
COMES = ("→ partition: what goes, what stays", "→ summarize: a summary is written", "→ splice: it takes their place")
"""Of the first three phases: where the rule is, and what the next press shows."""
HIDDEN = (".fl-slot-header", ".fl-bar", ".fl-slot-inspector")


def caption(page: Any, text: str) -> None:
    """Wait until the caption says this."""
    page.locator(".fl-present-caption", has_text=text).wait_for()


def fills(page: Any) -> bool:
    """Whether the debugger has the whole screen, and nothing but the timeline and the window is on it."""
    box = page.locator(ROOT).bounding_box()
    size = page.viewport_size
    whole = [round(box[name]) for name in ("x", "y", "width", "height")] == [0, 0, size["width"], size["height"]]
    return whole and all(page.locator(name).is_hidden() for name in HIDDEN)


def test_a_button_presents_and_esc_returns(page: Any, server: Any) -> None:
    """The sidebar and all controls are away, type is 1.42 times as large at 1280 by 720; nothing that opens a panel does."""
    page.set_viewport_size({"width": 1280, "height": 720})
    look(page, server.url, **SOURCE, step=15)
    page.get_by_role("button", name="Present").click()
    caption(page, "The user sets a rule.")
    assert fills(page)
    assert page.locator("[data-testid=stSidebar]").is_hidden()
    box = page.locator(".fl-window .fl-row").last.bounding_box()
    assert box["height"] == pytest.approx(28 * 1.42, abs=0.6)
    assert violations(page) == []
    for key in ("/", "f", "o", "v"):
        page.keyboard.press(key)
    assert page.locator("dialog[open], .fl-find:visible").count() == 0
    assert fills(page)
    page.keyboard.press("Escape")
    page.locator("[data-testid=stSidebar]").wait_for()
    assert page.locator(".fl-present-top").count() == 0
    assert page.locator(".fl-slot-inspector").is_visible()


def test_esc_leads_back_to_where_it_was_presented(page: Any, server: Any) -> None:
    """To the overview, or to the message that was chosen, wherever the slides have led."""
    look(page, server.url, **SOURCE)
    page.locator(".fl-overview").wait_for()
    start = at(page)
    press(page, "Shift+P")
    page.locator(".fl-present-ahead", has_text="The rule is said").first.wait_for()
    page.keyboard.press("End")
    wait_step(page, 45)
    page.keyboard.press("Escape")
    page.locator(".fl-overview").wait_for()
    assert at(page) == start
    look(page, server.url, **SOURCE, step=20)
    press(page, "ArrowUp")
    chosen = page.locator(".fl-row[aria-selected=true]").get_attribute("data-key")
    press(page, "Shift+P")
    page.keyboard.press("End")
    wait_step(page, 45)
    page.keyboard.press("Escape")
    wait_step(page, 20)
    expect(page.locator(".fl-row[aria-selected=true]")).to_have_attribute("data-key", chosen)


def test_between_the_row_that_is_told_of_and_the_next_it_says_what_is_missing(page: Any, server: Any) -> None:
    """The row stands under the heading, out of its place: so many messages are between it and the row below."""
    page.set_viewport_size({"width": 1400, "height": 900})
    look(page, server.url, **SOURCE, step=28)
    press(page, "Shift+P")
    page.locator(".fl-present-ahead", has_text="It is needed").first.wait_for()
    page.keyboard.press("1")
    gap = page.locator(".fl-told-gap")
    expect(gap).to_have_text("⋯ 1 message")
    page.keyboard.press("Home")
    expect(gap).to_have_count(0)


def test_the_slide_of_a_loss_does_not_say_what_comes_of_it(page: Any, server: Any) -> None:
    """That it is needed again, and said again, is told by the slides behind it."""
    page.set_viewport_size({"width": 1280, "height": 720})
    look(page, server.url, **SOURCE, step=28)
    press(page, "Shift+P")
    lost = page.locator(".fl-lists .fl-tsfoot li").first
    expect(lost).to_contain_text("an instruction")
    assert "message" not in page.locator(".fl-lists .fl-tsfoot").inner_text()


def test_keys_step_through_messages_and_compactions(page: Any, server: Any) -> None:
    """Beside the story: a message, a compaction, its phases, and the speed as in front of a class; the same key returns."""
    look(page, server.url, **SOURCE, step=26)
    press(page, "Shift+P")
    caption(page, "The model calls run: identify photos")
    page.keyboard.press("ArrowDown")
    wait_step(page, 27)
    page.get_by_text("½× speed").wait_for()
    page.keyboard.press("-")
    page.get_by_text("¼× speed").wait_for()
    for sentence in PHASES[:3]:
        page.keyboard.press("ArrowDown")
        caption(page, sentence)
        wait_step(page, 28)
    page.keyboard.press("ArrowDown")
    caption(page, LOST)
    for key, lit in (("2", "partition"), ("ArrowRight", "summarize"), ("1", "trigger")):
        page.keyboard.press(key)
        page.locator(".fl-present-phases [data-lit]", has_text=lit).wait_for()
    caption(page, PHASES[0])
    page.get_by_text("→ partition: what goes, what stays").wait_for()
    page.keyboard.press("g")
    wait_step(page, 0)
    page.keyboard.press("n")
    wait_step(page, 28)
    caption(page, PHASES[0])
    page.keyboard.press("3")
    for sentence in PHASES[1::-1]:
        page.keyboard.press("ArrowUp")
        caption(page, sentence)
        wait_step(page, 28)
    page.keyboard.press("ArrowUp")
    wait_step(page, 27)
    page.keyboard.press("Shift+P")
    page.locator(".fl-present-top").wait_for(state="detached")
    assert page.get_by_label("Speed", exact=True).input_value() == "1"  # the pace of a room stays there


class Held:
    """Questions of a page that are not answered yet."""

    def __init__(self, page: Any, path: str) -> None:
        self.routes: list[Any] | None = []
        page.route(path, self.take)

    def take(self, route: Any) -> None:
        """Hold it, or answer it where nothing is held any more."""
        if self.routes is None:
            route.continue_()
        else:
            self.routes.append(route)

    def let_go(self) -> None:
        """Answer those that came, and at once those that come."""
        held, self.routes = self.routes or [], None
        for route in held:
            route.continue_()


def test_a_press_waits_until_it_is_known_what_it_leads_to(page: Any, server: Any) -> None:
    """The title stays, and what is worked out is named; of several presses one counts."""
    held = Held(page, "**/api/losses/**")
    look(page, server.url, **SOURCE)
    ahead = page.locator(".fl-present-ahead").first
    press(page, "Shift+P", "ArrowRight", "PageDown")
    expect(ahead).to_have_text("Working out what was lost…")
    page.keyboard.press("ArrowDown")  # needs not to know
    wait_step(page, 2)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    held.let_go()
    caption(page, "The user sets a rule.")
    expect(ahead).to_have_text("→ A compaction loses it")
    page.unroute_all()


def test_a_press_that_waits_leads_nowhere_once_the_cursor_is_elsewhere(page: Any, server: Any) -> None:
    """Who presses the timeline meanwhile stays there."""
    held = Held(page, "**/api/losses/**")
    look(page, server.url, **SOURCE, step=40)
    press(page, "Shift+P", "ArrowRight")
    expect(page.locator(".fl-present-ahead").first).to_have_text("Working out what was lost…")
    box = page.locator(".fl-timeline canvas").first.bounding_box()
    page.mouse.click(box["x"] + 0.4 * box["width"], box["y"] + box["height"] / 2)
    wait_for(page, f"() => Number(({DEEP})('{ROOT}').dataset.step) < 28")
    at = page.locator(ROOT).get_attribute("data-step")
    held.let_go()
    expect(page.locator(".fl-present-ahead").first).not_to_have_text("Working out what was lost…")
    wait_step(page, at)
    page.unroute_all()


def test_a_press_waits_until_it_is_known_how_the_session_ended(page: Any, server: Any) -> None:
    """Behind the last compaction of a run as recorded it shows what came of it, however late the overview is."""
    held = Held(page, "**/api/overview/**")
    look(page, server.url, source="sample:claude-code/recorded-compaction.jsonl", step=60)
    with page.expect_response("**/api/losses/**"):
        press(page, "Shift+P")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".fl-present-ahead").first).to_have_text("Working out what was lost…")
    wait_step(page, 60)
    held.let_go()
    expect(page.locator(".fl-present-kicker")).to_have_text("What came of it")
    page.unroute_all()
    page.keyboard.press("Escape")


def test_a_key_for_a_phase_behind_the_last_compaction_leaves_the_slide(page: Any, server: Any) -> None:
    """It names the key that leads back to one, which it does."""
    look(page, server.url, source="sample:claude-code/recorded-compaction.jsonl", step=60)
    press(page, "Shift+P")
    kicker = page.locator(".fl-present-kicker")
    page.keyboard.press("ArrowRight")
    expect(kicker).to_have_text("What came of it")
    page.keyboard.press("2")
    expect(page.locator(".fl-toast[data-shown=true]")).to_have_text("No compaction here: press p for the last one")
    expect(kicker).to_have_text("What came of it")
    page.keyboard.press("p")
    expect(page.locator(".fl-present-ahead").first).to_have_text("→ what was lost")
    page.keyboard.press("Escape")


def test_where_nothing_is_lost_a_press_waits_for_nothing(page: Any, server: Any) -> None:
    """A run without compactions goes message by message at once, and says that it has none."""
    held = Held(page, "**/api/overview/**")
    look(page, server.url, source="sample:openai-chat/three-messages.json")
    press(page, "Shift+P")
    ahead = page.locator(".fl-present-ahead").first
    expect(ahead).to_have_text("No compaction in this run")
    before = at(page)
    page.keyboard.press("ArrowRight")
    wait_step(page, before + 1)
    held.let_go()
    page.unroute_all()
    page.keyboard.press("Escape")


def test_each_press_is_a_phase_at_half_the_pace(lone_page: Any, server: Any) -> None:
    """It stops where a phase ends, until the next press, which ends one that moves; r tells each again, and rests at it."""
    page = lone_page
    look(page, server.url, **SOURCE, step=27)
    press(page, "Shift+P")
    caption(page, "The tool run answers with ~353 tokens.")
    hold_clock(page)
    page.keyboard.press("ArrowDown")
    page.clock.run_for(20)
    caption(page, PHASES[0])
    page.clock.run_for(270)
    assert page.locator(".fl-stage > *").count() > 0  # at 1x it would be over
    page.clock.run_for(5000)
    assert page.locator(".fl-stage > *").count() == 0
    caption(page, PHASES[0])
    page.keyboard.press("ArrowDown")
    page.clock.run_for(150)
    caption(page, PHASES[1])
    page.keyboard.press("ArrowDown")
    assert page.locator(".fl-stage > *").count() == 0
    caption(page, PHASES[1])
    page.keyboard.press("r")
    seen = []
    while not seen or seen[-1] != LOST:
        page.clock.run_for(500)
        seen.append(page.locator(".fl-present-caption").inner_text())
    assert list(dict.fromkeys(seen)) == [*PHASES[:3], LOST]
    assert min(seen.count(said) for said in PHASES[:3]) > 6  # over three seconds each
    page.clock.run_for(30_000)
    caption(page, LOST)  # and there it ends
    expect(page.locator(".fl-present-pace")).to_have_text("½× speed")
    assert page.locator(ROOT).get_attribute("data-step") == "28"


TOLD = """() => {
  const text = (name) => (DEEP)(name).textContent;
  window.told = [];
  const record = () => {
    const now = `${text('.fl-present-caption')} | ${text('.fl-present-state')}`;
    if (window.told.at(-1) !== now) window.told.push(now);
    requestAnimationFrame(record);
  };
  record();
}""".replace("DEEP", DEEP)
"""Record what is said at each frame, and where the rule is."""


@pytest.mark.parametrize("key", ["Space", "ArrowRight"])
def test_the_splice_is_told_as_it_ends_from_its_first_frame(lone_page: Any, server: Any, key: str) -> None:
    """Played or by hand nothing that is said of it changes while it is read, and the rule does not go a second time."""
    page = lone_page
    look(page, server.url, **SOURCE, step=28)
    press(page, "Shift+P")
    page.get_by_text("→ It is needed").wait_for()
    page.keyboard.press("3")
    caption(page, PHASES[2])
    hold_clock(page)
    page.evaluate(TOLD)
    page.keyboard.press(key)
    page.clock.run_for(5_000)
    assert page.locator(".fl-stage > *").count() == 0
    assert page.evaluate("window.told") == [f"{PHASES[2]} | {STATES[2]}", f"{LOST} | Gone since compaction 1"]


@pytest.mark.parametrize("plays", ["Space", "r"])
def test_a_press_in_the_last_phase_shows_its_end_and_not_the_next_stop(lone_page: Any, server: Any, plays: str) -> None:
    """Whatever plays it: the compaction is there as it ends, and stands still; the press behind that leads on."""
    page = lone_page
    look(page, server.url, **SOURCE, step=15 if plays == "Space" else 28)
    press(page, "Shift+P")
    page.get_by_text("→ It is needed" if plays == "r" else "→ A compaction loses it").wait_for()
    hold_clock(page)
    page.keyboard.press(plays)
    for _ in range(900):
        page.clock.run_for(50)
        if (
            page.locator(".fl-present-phases [data-lit]").inner_text().startswith("4")
            and page.locator(".fl-stage > *").count()
        ):
            break
    else:
        pytest.fail("phase 4 was never met while it moves")
    page.keyboard.press("ArrowRight")
    assert page.locator(".fl-stage > *").count() == 0
    for _ in range(2):
        assert value(page, "step") == "28"
        caption(page, LOST)
        expect(page.locator(".fl-present-pace")).to_have_text("½× speed")
        page.clock.run_for(9_000)  # nothing goes on by itself
    page.keyboard.press("ArrowRight")
    wait_step(page, 37)


def shown_slide(page: Any) -> tuple[str, str, str]:
    """What is above the caption, the phase that is lit, and the step."""
    kicker, lit = page.locator(".fl-present-kicker"), page.locator(".fl-present-phases [data-lit]")
    phase = lit.inner_text()[0] if lit.is_visible() else ""
    return (kicker.inner_text() if kicker.is_visible() else "", phase, value(page, "step"))


@pytest.mark.parametrize(
    ("sample", "last"),
    [(SAMPLE, "5 of 5 What would have kept it"), ("claude-code/recorded-compaction.jsonl", "What came of it")],
    ids=["story", "recorded"],
)
def test_play_rests_at_the_slides_that_a_clicker_leads_to(lone_page: Any, server: Any, sample: str, last: str) -> None:
    """The same in the same order, each for over a second; it ends at the last one, and from there begins anew."""
    page = lone_page
    ahead, pace = (page.locator(f".fl-present-{name}").first for name in ("ahead", "pace"))
    look(page, server.url, source=f"sample:{sample}")
    press(page, "Shift+P")
    expect(ahead).to_have_text(re.compile("^→"))
    first, by_hand = shown_slide(page), []
    while not ahead.inner_text().startswith(("The end of the story", "The session ends here")):
        page.keyboard.press("ArrowRight")
        drawn(page)
        by_hand.append(shown_slide(page))
    assert by_hand[-1][0] == last
    hold_clock(page)
    page.keyboard.press("Space")
    expect(pace).to_have_text("½× speed · playing")
    page.clock.run_for(50)
    assert shown_slide(page) == first
    seen = []
    for _ in range(1000):
        page.clock.run_for(200)
        if page.locator(".fl-stage > *").count() == 0:
            seen.append(shown_slide(page))
        if "playing" not in pace.inner_text():
            break
    assert list(dict.fromkeys(seen)) == [first, *by_hand]
    assert min(seen.count(one) for one in by_hand) > 5
    assert seen[-1] == by_hand[-1]


def test_any_key_but_the_pace_ends_play_in_front_of_a_room(lone_page: Any, server: Any) -> None:
    """Slower and faster leave the slide and playback as they are; Space and a click on the timeline end it there."""
    page = lone_page
    look(page, server.url, **SOURCE)
    press(page, "Shift+P")
    pace = page.locator(".fl-present-pace")
    page.get_by_text("→ The rule is said").wait_for()
    hold_clock(page)
    page.keyboard.press("Space")
    page.clock.run_for(100)
    caption(page, "The user sets a rule.")
    page.keyboard.press("-")
    expect(pace).to_have_text("¼× speed · playing")
    page.keyboard.press("Space")
    expect(pace).to_have_text("¼× speed")
    page.clock.run_for(20_000)
    caption(page, "The user sets a rule.")
    page.keyboard.press("Space")
    page.clock.run_for(100)
    caption(page, PHASES[0])
    box = page.locator(".fl-timeline canvas").first.bounding_box()
    page.mouse.click(box["x"] + 60, box["y"] + box["height"] / 2)
    page.clock.run_for(100)
    expect(pace).to_have_text("¼× speed")


def test_who_presses_a_number_stays_at_its_phase(lone_page: Any, server: Any) -> None:
    """Playback ends there, at the phase that was just read too; where no compaction is the key leads nowhere."""
    page = lone_page
    look(page, server.url, **SOURCE, step=27)
    press(page, "Shift+P")
    pace = page.locator(".fl-present-pace")
    page.get_by_text("The next compaction is 1 step ahead").wait_for()
    hold_clock(page)
    page.keyboard.press("1")
    expect(page.locator(".fl-toast[data-shown=true]")).to_have_text("No compaction here: press n for the next one")
    for number in (1, 3):
        page.keyboard.press("n" if number == 1 else "1")
        page.keyboard.press("Space")
        page.clock.run_for(4000)
        expect(pace).to_have_text("½× speed · playing")
        page.keyboard.press(str(number))
        expect(pace).to_have_text("½× speed")
        page.clock.run_for(20_000)
        caption(page, PHASES[number - 1])


def test_a_line_shows_that_it_plays_and_how_long_the_slide_stands(lone_page: Any, server: Any) -> None:
    """It grows while a slide is read, and begins anew at the next; where less motion is wanted it stands whole."""
    page = lone_page
    page.emulate_media(reduced_motion="no-preference")
    look(page, server.url, **SOURCE)
    press(page, "Shift+P")
    page.get_by_text("→ The rule is said").wait_for()
    line = page.locator(".fl-present-rest")
    expect(line).to_be_hidden()
    hold_clock(page)
    page.keyboard.press("Space")
    part = "(line) => line.firstElementChild.getBoundingClientRect().width / line.getBoundingClientRect().width"
    grown = []
    for _ in range(12):
        page.clock.run_for(500)
        grown.append(line.evaluate(part))
    assert grown == sorted(grown)
    assert 0.4 < grown[-1] < 1
    assert grown[2] - grown[1] == pytest.approx(grown[9] - grown[8], abs=0.01)
    page.clock.run_for(3000)
    assert line.evaluate(part) < grown[-1]
    page.emulate_media(reduced_motion="reduce")
    assert line.evaluate(part) == 1
    page.keyboard.press("Space")
    expect(line).to_be_hidden()


WHOLE = """
() => {
  const list = DEEP('.fl-window .fl-list');
  const at = (x, y) => list.getRootNode().elementFromPoint(x, y)?.closest('.fl-row');
  const whole = (row) => {
    const box = row.getBoundingClientRect();
    return at(box.x + 20, box.top + 3) === row && at(box.x + 20, box.bottom - 3) === row;
  };
  const count = (region) => [...list.querySelectorAll(`.fl-row[data-region=${region}]`)].filter(whole).length;
  return ['system', 'compactable', 'summary', 'recent'].map(count);
}
""".replace("DEEP", f"({DEEP})")
"""How many rows of each region are in sight, with no part hidden."""


SEES_RULE = """
(words) => {
  const list = DEEP('.fl-window .fl-list');
  const at = (x, y) => list.getRootNode().elementFromPoint(x, y)?.closest('.fl-row');
  const whole = (row) => {
    const box = row.getBoundingClientRect();
    return at(box.x + 20, box.top + 3) === row && at(box.x + 20, box.bottom - 3) === row;
  };
  return [...list.querySelectorAll('.fl-row.fl-told-of')].some((row) => row.innerText.includes(words) && whole(row));
}
""".replace("DEEP", f"({DEEP})")
"""Whether the row of the rule is in sight, whole, and says it."""


def test_a_presented_compaction_shows_all_that_stays(page: Any, server: Any) -> None:
    """In each phase at 1280 by 720: what is pinned, some of what goes or the summary, and all 6 recent messages, whole."""
    page.set_viewport_size({"width": 1280, "height": 720})
    look(page, server.url, **SOURCE, step=28)
    press(page, "Shift+P")
    caption(page, LOST)
    assert page.evaluate(WHOLE) == [1, 0, 1, 6]
    stands = page.locator(".fl-timeline").bounding_box()
    for phase, seen in ((1, [1, 4, 0, 6]), (2, [1, 4, 0, 6]), (3, [1, 0, 1, 6])):
        page.keyboard.press(str(phase))
        caption(page, PHASES[phase - 1])
        assert page.evaluate(WHOLE) == seen
        assert page.locator(".fl-timeline").bounding_box() == stands  # no part of the frame moves
    page.keyboard.press("Escape")


def slide(page: Any) -> list[str]:
    """What stands on the slide, line by line."""
    return [line for line in page.locator(".fl-present-told").inner_text().split("\n") if line]


ROOMY = f"""() => {{
  const rows = [...({DEEP})('.fl-app').querySelectorAll('.fl-window .fl-row')].filter((row) => row.checkVisibility());
  const spare = (row) => row.clientHeight - row.querySelector('.fl-preview').offsetHeight;
  return rows.length > 0 && Math.min(...rows.map(spare)) >= 4 }}"""
"""Whether there are rows, and two lines of text leave four pixels of the height of each, of the page as it is laid out."""


def test_two_lines_of_a_row_keep_clear_of_its_edges(page: Any, server: Any) -> None:
    """Words and code alike have two pixels above and below."""
    page.set_viewport_size({"width": 1280, "height": 720})
    look(page, server.url, **SOURCE, step=27)
    press(page, "Shift+P")
    caption(page, "The tool run answers with ~353 tokens.")
    wait_for(page, ROOMY)
    expect(page.locator(".fl-present-word")).to_have_text("Compactable: may go at the next compaction. Recent: stays")


def test_a_session_with_a_story_is_presented_by_its_stops(page: Any, server: Any) -> None:
    """A clicker leads to what would have kept it, and back; each phase is held; the rule is crossed once it is gone."""
    look(page, server.url, **SOURCE)
    press(page, "Shift+P")
    caption(page, "The rule it broke")
    page.get_by_text("→ The rule is said").wait_for()
    stops = (
        (15, "1 of 5 The rule is said", "The user sets a rule."),
        (28, "2 of 5 A compaction loses it", LOST),
        (37, "3 of 5 It is needed, and the model cannot see it", "so I delete the originals."),
        (42, "4 of 5 The user has to say it again", "I told you: never delete an original."),
        (36, "5 of 5 What would have kept it", "With message 16 pinned it would have stayed, word for word."),
    )
    for k, (step, title, said) in enumerate(stops):
        page.keyboard.press("PageDown")
        if k < 2:
            wait_for(page, SEES_RULE, "Never delete an original")
        if k == 1:
            for sentence, state, comes in zip(PHASES, STATES, COMES, strict=False):
                caption(page, sentence)
                page.locator(".fl-present-kicker", has_text=title).wait_for()
                page.locator(".fl-present-rule", has_text=state).wait_for()
                page.get_by_text(comes).wait_for()
                seen = "true" if comes != COMES[2] else "false"
                wait_for(page, f"(text) => ({SEES_RULE})(text) === {seen}", "Never delete an original")
                assert page.locator(".fl-present-rule s").count() == 0
                page.keyboard.press("PageDown")
        page.locator(".fl-present-kicker", has_text=title).wait_for()
        caption(page, said)
        wait_step(page, step)
        crossed = page.locator(".fl-present-rule s", has_text="Never delete an original")
        expect(crossed).to_have_count(1 if 0 < k < 3 else 0)
        if k == 3:  # the user says it once more: the row of that says so, too
            expect(page.locator(".fl-present-state")).to_have_text("Back in other words, since message 42")
            expect(page.locator(".fl-row[aria-selected=true] .fl-preview")).to_contain_text("never delete an original.")
        assert violations(page) == []
    page.keyboard.press("ArrowRight")
    page.locator(".fl-present-ahead", has_text="The end of the story. ↓ goes on message by message").wait_for()
    expect(page.locator(".fl-toast")).to_have_text(
        "The end of the story. ↓ goes on message by message"
    )  # heard, not seen twice
    expect(page.locator(".fl-toast[data-shown=true]")).to_have_count(0)
    for _, title, _said in reversed(stops[1:-1]):
        page.keyboard.press("PageUp")
        page.locator(".fl-present-kicker", has_text=title).wait_for()
    for sentence in [LOST, *PHASES[2::-1], "The user sets a rule."]:
        caption(page, sentence)
        page.keyboard.press("PageUp")
    caption(page, "The rule it broke")
    page.keyboard.press("PageUp")
    toast = page.locator(".fl-toast[data-shown=true]")
    expect(toast).to_have_text("The story begins here")
    note, told = toast.bounding_box(), page.locator(".fl-present-told").bounding_box()
    assert note["y"] + note["height"] <= told["y"]  # it covers no row, no word of the slide, and not what comes


def test_where_a_summary_carried_the_rule_no_slide_says_that_the_window_has_its_message(page: Any, server: Any) -> None:
    """The compaction that loses it finds it in a summary alone."""
    look(page, server.url, source="sample:foldline/forgotten-rule.json", step=100)
    press(page, "Shift+P")
    page.locator(".fl-present-ahead", has_text="next compaction").first.wait_for()
    for state in ("Only a summary says it", "It goes with them"):
        page.keyboard.press("n" if state.startswith("Only") else "2")
        page.locator(".fl-present-kicker", has_text="3 of 5 A compaction would lose it").wait_for()
        expect(page.locator(".fl-present-state")).to_have_text(state)


PINNED = "Window at message 36, with message 16 pinned"
"""What the window is called in which the rule would have stayed, before the model deletes the originals."""


def test_the_last_slide_shows_the_window_that_would_have_been(page: Any, server: Any) -> None:
    """The pinned rule is in it, and its title names the pin; Back, another key and Esc return to the real run."""
    page.set_viewport_size({"width": 1280, "height": 720})
    look(page, server.url, **SOURCE, step=42)
    title = page.locator(".fl-window .fl-title")
    press(page, "Shift+P")
    page.get_by_text("→ What would have kept it").wait_for()
    for leave, real in (
        ("PageUp", "Window at message 42"),
        ("ArrowDown", "Window at message 43"),
        ("Escape", "Window at message 42"),
    ):
        page.locator(".fl-present-kicker", has_text="4 of 5").wait_for()
        page.keyboard.press("PageDown")
        expect(title).to_have_text(PINNED)
        wait_for(page, SEES_RULE, "Never delete an original")
        assert slide(page)[1:] == [
            "With message 16 pinned it would have stayed, word for word.",
            "In the window, word for word",
            "Never delete an original in photos/: the printed catalogue links to them by name.",
            "The window beside this is the one that the model would have been sent before message 37.",
        ]
        page.keyboard.press(leave)
        expect(title).to_have_text(real)
        if leave == "ArrowDown":
            page.keyboard.press("ArrowUp")
    wait_step(page, 42)
    page.locator(".fl-present-top").wait_for(state="detached")
    wait_addressed(page, "step=42")


def keeps_too(route: Any, change: str) -> None:
    """Answer what would have kept the rule as the server does, but for one change, which keeps it too."""
    lines = [json.loads(line) for line in route.fetch().text().splitlines()]
    for row in (line["row"] for line in lines if "row" in line):
        row["cure"] |= row["change"] == change
    route.fulfill(body="".join(f"{json.dumps(line)}\n" for line in lines), content_type="application/x-ndjson")


def test_each_change_that_would_have_kept_it_can_be_shown(page: Any, server: Any) -> None:
    """Of several the last slide has a list; ↓, ↑ and the mouse choose whose window stands beside it; ↓ goes on behind them."""
    page.set_viewport_size({"width": 1280, "height": 720})
    page.route("**/api/fixes/**", lambda route: keeps_too(route, "budget"))
    look(page, server.url, **SOURCE, step=42)
    title, ahead = page.locator(".fl-window .fl-title"), page.locator(".fl-present-ahead").first
    changes = page.locator(".fl-present-keepers button")
    press(page, "Shift+P")
    page.get_by_text("→ What would have kept it").wait_for()
    page.keyboard.press("PageDown")
    caption(page, "Each of these changes would have kept it, word for word.")
    expect(changes).to_have_text(["message 16 pinned", "budget 1,600 → 1,908"])
    other = "Window at message 36, with budget 1,600 → 1,908"
    pinned, raised = (page.get_by_role("button", name=name, pressed=True) for name in ("message 16", "budget 1,600"))
    for choose, shown, chosen in (
        (lambda: None, PINNED, pinned),
        (lambda: page.keyboard.press("ArrowDown"), other, raised),
        (lambda: page.keyboard.press("ArrowUp"), PINNED, pinned),
        (changes.last.click, other, raised),
        (changes.first.click, PINNED, pinned),
    ):
        choose()
        expect(title).to_have_text(shown)
        chosen.wait_for()
        said = page.locator(".fl-present-said > p")
        expect(said).to_contain_text(f"would have been sent before message 37, with {shown.partition(', with ')[2]}.")
        rest = "shows the next change" if shown == PINNED else "goes on message by message"
        expect(ahead).to_have_text(f"The end of the story. ↓ {rest}")
        wait_for(page, f"() => ({WHOLE_WORDS})(({DEEP})('.fl-present-told'))")
        assert violations(page) == []
    page.keyboard.press("ArrowDown")
    expect(title).to_have_text(other)
    page.keyboard.press("ArrowDown")
    expect(title).to_have_text("Window at message 43")
    page.unroute_all()
    page.keyboard.press("Escape")


def test_a_click_on_the_timeline_or_back_leaves_the_last_slide(page: Any, server: Any) -> None:
    """The real run stands at the message that is gone to, and the address says so; no slide tells of the other run."""
    page.set_viewport_size({"width": 1280, "height": 720})
    look(page, server.url, **SOURCE, step=42)
    title, kicker = page.locator(".fl-window .fl-title"), page.locator(".fl-present-kicker")
    press(page, "Shift+P")
    page.get_by_text("→ What would have kept it").wait_for()
    page.keyboard.press("PageDown")
    expect(title).to_have_text(PINNED)
    box = page.locator(".fl-timeline canvas").first.bounding_box()
    page.mouse.click(box["x"] + box["width"] / 4, box["y"] + box["height"] / 2)
    expect(kicker).to_be_hidden()
    expect(title).not_to_contain_text("pinned")
    here = at(page)
    assert 0 < here < 28
    wait_addressed(page, f"step={here}")
    named = title.inner_text()
    page.go_back()
    expect(kicker).to_contain_text("4 of 5")
    expect(title).to_have_text("Window at message 42")
    page.keyboard.press("PageDown")
    expect(title).to_have_text(PINNED)
    page.go_forward()
    expect(kicker).to_be_hidden()
    expect(title).to_have_text(named)
    page.keyboard.press("Escape")
    page.locator(".fl-present-top").wait_for(state="detached")


def test_another_run_is_presented_where_one_ends(page: Any, server: Any) -> None:
    """Back to other settings, on the last slide or before it: the new run has the whole screen, and Esc returns from it."""
    page.set_viewport_size({"width": 1280, "height": 720})
    for last in (True, False):
        look(page, server.url, **SOURCE, step=42)
        recorded = value(page, "rendered")
        page.get_by_role("button", name="The run's own policy, simulated").click()
        wait_addressed(page, "summaries=recorded")
        page.locator(f"{ROOT}[data-rendered]:not([data-rendered='{recorded}'])").wait_for()
        press(page, "Shift+P")
        page.get_by_text("→ What would have kept it").wait_for()
        if last:
            page.keyboard.press("PageDown")
            page.locator(".fl-present-kicker", has_text="5 of 5").wait_for()
            expect(page.locator(".fl-window .fl-title")).to_contain_text("pinned")
        simulated = value(page, "rendered")
        page.go_back()
        wait_addressed(page, "policy=recorded")
        page.locator(f"{ROOT}[data-present][data-rendered]:not([data-rendered='{simulated}'])").wait_for()
        expect(page.locator(".fl-window .fl-title")).to_have_text("Window at message 42")
        assert fills(page)
        assert page.locator(".fl-present-told").count() == 1
        page.keyboard.press("Escape")
        page.locator(".fl-present-top").wait_for(state="detached")


def test_the_message_that_needs_the_rule_stands_beside_what_the_model_has(page: Any, server: Any) -> None:
    """Rule, summary and call on one slide; of the window's rows the summary is in sight with the call, at 1280 by 720."""
    page.set_viewport_size({"width": 1280, "height": 720})
    look(page, server.url, **SOURCE, step=36)
    press(page, "Shift+P")
    caption(page, "The tool run answers")
    assert page.locator(".fl-present-rule, .fl-present-note").filter(visible=True).count() == 0
    page.keyboard.press("ArrowRight")
    page.locator(".fl-present-kicker", has_text="3 of 5").wait_for()
    assert slide(page) == [
        "3 of 5 It is needed, and the model cannot see it",
        "The model calls run: Nothing on the site links to the large ones any more, so I delete the originals.",
        "Gone since compaction 1",
        "Never delete an original in photos/: the printed catalogue links to them by name.",
        "The summary that the model has instead says: “The six new pots, numbers 41 to 46, stand first in "
        "gallery.html, newest first. What is left: check the page, then say what was done.”",
    ]
    assert page.evaluate(WHOLE) == [1, 2, 1, 6]
    page.keyboard.press("Escape")


def test_a_session_without_a_story_is_presented_by_its_compactions(page: Any, server: Any) -> None:
    """A clicker leads from phase to phase and on to the next compaction, and back; a summary of a summary is in sight.

    What the user had asked for stands beside the trigger, what goes beside the partition, who wrote it beside the summary;
    and what was lost has a slide. Behind the last message it says what came of it.
    """
    coding = {"source": "sample:openai-chat/coding-session.json", "policy": "agentkit.memory", "meter": "o200k_base"}
    look(page, server.url, **coding, budget=16_000, keep_recent=8, step=40)
    press(page, "Shift+P")
    ahead, lit = page.locator(".fl-present-ahead").first, page.locator(".fl-present-phases [data-lit]")
    ahead.get_by_text("→ the next compaction, 25 steps ahead").wait_for()
    said = page.locator(".fl-present-said")
    beside = {
        "trigger": "In turn 4. The user had asked:",
        "partition": "29 tool results",
        "summarize": "It quotes the messages",
    }
    for phase, words in beside.items():
        page.keyboard.press("ArrowRight")
        lit.get_by_text(phase).wait_for()
        wait_step(page, 65)
        expect(said).to_contain_text(words)
    page.keyboard.press("ArrowRight")
    ahead.get_by_text("→ what was lost").wait_for()
    page.keyboard.press("ArrowRight")
    caption(page, "Compaction 1 lost 2 names that the model used later.")
    ahead.get_by_text("→ the next compaction, 66 steps ahead").wait_for()
    page.keyboard.press("PageDown")
    wait_step(page, 131)
    lit.get_by_text("trigger").wait_for()
    page.keyboard.press("3")
    page.locator(".fl-window .fl-front .fl-row", has_text="summary #2").wait_for()  # where summary 1 stood, in sight
    page.keyboard.press("1")
    lit.get_by_text("trigger").wait_for()
    page.keyboard.press("PageUp")
    wait_step(page, 65)
    page.keyboard.press("ArrowDown")
    wait_step(page, 66)
    page.keyboard.press("End")
    ahead.get_by_text("→ what came of it, as recorded").wait_for()
    page.keyboard.press("ArrowRight")
    expect(page.locator(".fl-present-kicker")).to_have_text("What came of it, as recorded")
    ahead.get_by_text("The session ends here").wait_for()
    page.keyboard.press("Escape")


UNDER = """() => { const list = (DEEP)('.fl-window .fl-list');
  const end = list.getBoundingClientRect().bottom + 1;
  const boxes = [...list.querySelectorAll('.fl-scroll .fl-row')].filter((row) => row.textContent.startsWith('R'));
  const whole = boxes.map((row) => row.getBoundingClientRect()).filter((box) => box.bottom <= end).length;
  const heading = [...list.querySelectorAll('.fl-scroll .fl-heading')].find((node) => node.textContent.startsWith('Recent'));
  return [whole, heading.querySelector('.fl-note').textContent]; }""".replace("DEEP", DEEP)
"""How many of the kept messages are seen as a whole, and the note of their heading."""


@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080)])
def test_a_room_is_told_how_many_kept_messages_are_below(page: Any, server: Any, size: tuple[int, int]) -> None:
    """Of 8 that stay 2 are in sight while a summary is written, then 3, which leave room for the picture."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    settings = {"policy": "agentkit.memory", "budget": 16_000, "keep_recent": 8, "step": 131}
    look(page, server.url, source="sample:openai-chat/coding-session.json", **settings)
    press(page, "Shift+P")
    for key, seen, note in (("2", 2, "8 stay · ↓ 6 more"), ("3", 2, "↓ 6 more"), ("4", 3, "↓ 5 more")):
        page.keyboard.press(key)
        wait_for(page, f"(note) => ({UNDER})()[1] === note", note)
        assert page.evaluate(UNDER)[0] == seen
    assert page.locator(".fl-lists .fl-toscale").bounding_box()["height"] >= 200  # enlarged, as the room sees it


def test_a_recorded_compaction_is_told_by_what_is_known_of_it(page: Any, server: Any) -> None:
    """Why it happened, what goes, what its summary says, what is left and what was lost; no word is cut at three sizes."""
    look(page, server.url, source="sample:claude-code/recorded-compaction.jsonl", step=40)
    press(page, "Shift+P")
    ahead, card = page.locator(".fl-present-ahead").first, page.locator(".fl-present-told")
    ahead.get_by_text("→ the next compaction").wait_for()
    slides = (
        ("Claude Code compacted automatically at 23,016 tokens.", "after turn 3. The user had asked: “Good catch,"),
        ("45 older messages will be summarized; 1 stays.", "Among them: 23 tool results (~3,837 tokens)"),
        ("A summary of ~351 tokens is written.", "The summary begins: “The summary below covers"),
        ("The window goes from 23,016 tokens to 17,575 in the next prompt.", "The agent waited 41 s for it."),
        ("Compaction 1 lost 1 command that the model used later", "1 request seems gone, already answered: “Good"),
    )
    for said, line in slides:
        page.keyboard.press("PageDown")
        caption(page, said)
        card.get_by_text(line).wait_for()
        for width, height in ((1280, 720), (1400, 900), (900, 700)):
            page.set_viewport_size({"width": width, "height": height})
            wait_for(page, f"() => ({ALL_WORDS})(({DEEP})('.fl-present-told'))")
    page.keyboard.press("Escape")


def test_what_was_lost_has_a_slide_of_its_own(page: Any, server: Any) -> None:
    """It comes behind the last phase, and says so ahead; back leads to that phase; going on and away it does not stay."""
    look(page, server.url, source="sample:claude-code/recorded-compaction.jsonl", step=40)
    press(page, "Shift+P")
    ahead, kicker = page.locator(".fl-present-ahead").first, page.locator(".fl-present-kicker")
    ahead.get_by_text("→ the next compaction").wait_for()
    page.keyboard.press("n")
    page.keyboard.press("4")
    expect(ahead).to_have_text("→ what was lost")
    page.keyboard.press("ArrowRight")
    expect(kicker).to_have_text("What was lost")
    expect(ahead).to_have_text("→ what came of it")
    assert violations(page) == []
    page.keyboard.press("ArrowLeft")
    expect(kicker).to_be_hidden()
    caption(page, "The window goes from 23,016")
    page.keyboard.press("ArrowRight")
    expect(kicker).to_have_text("What was lost")
    page.keyboard.press("ArrowDown")
    expect(kicker).to_be_hidden()
    page.keyboard.press("ArrowLeft")
    expect(kicker).to_have_text("What was lost")
    page.keyboard.press("Escape")


def test_a_recorded_session_begins_with_its_headline_and_ends_with_what_came_of_it(page: Any, server: Any) -> None:
    """Behind the title stands the overview's headline, behind the last loss how it ended; back leads through all."""
    look(page, server.url, source="sample:claude-code/recorded-compaction.jsonl")
    headline = page.locator(".fl-oheadline", has_not_text="Working out").inner_text()
    press(page, "Shift+P")
    ahead, kicker, told = (page.locator(f".fl-present-{name}").first for name in ("ahead", "kicker", "told"))
    expect(ahead).to_have_text("→ what happened")
    page.keyboard.press("PageDown")
    expect(kicker).to_have_text("What happened")
    caption(page, headline.partition(".")[0])
    expect(ahead).to_contain_text("→ the next compaction")
    for _ in range(5):
        page.keyboard.press("PageDown")
    expect(kicker).to_have_text("What was lost")
    page.keyboard.press("PageDown")
    expect(kicker).to_have_text("What came of it")
    expect(told).to_contain_text("The last reply: “")
    expect(ahead).to_have_text("The session ends here")
    assert at(page) == int(value(page, "steps")) - 1
    assert violations(page) == []
    page.keyboard.press("PageDown")
    page.keyboard.press("PageUp")
    expect(kicker).to_have_text("What was lost")
    expect(page.locator(".fl-toast[data-shown=true]")).to_have_count(0)  # the words below the window say it
    for _ in range(5):
        page.keyboard.press("PageUp")
    expect(kicker).to_have_text("What happened")
    page.keyboard.press("PageUp")
    expect(told).to_contain_text("The user's first request")
    page.keyboard.press("Escape")


COVERED = """
() => {
  const canvas = DEEP('.fl-timeline canvas:nth-of-type(2)');
  const { width, height } = canvas;
  return canvas.getContext('2d').getImageData(Math.round(width * 0.9), Math.round(height * 0.6), 1, 1).data[3] === 255;
}
""".replace("DEEP", f"({DEEP})")
"""Whether the curve is covered near its end; what is only still to come shines through."""


BARE = """
() => {
  const canvas = DEEP('.fl-timeline canvas:nth-of-type(2)');
  const { width, height } = canvas;
  const plot = canvas.getContext('2d').getImageData(0, Math.round(height * 0.2), width, Math.round(height * 0.7)).data;
  return plot.every((value, k) => k % 4 !== 3 || value === 0);
}
""".replace("DEEP", f"({DEEP})")
"""Whether neither a cursor nor what is still to come covers any of the curve."""


def test_what_happened_stands_beside_the_whole_curve(page: Any, server: Any) -> None:
    """In the place of the window, without a cursor, in larger type; around it the window is back and the rest is covered."""
    page.set_viewport_size({"width": 1280, "height": 720})
    look(page, server.url, source="sample:claude-code/recorded-compaction.jsonl")
    press(page, "Shift+P")
    ahead, kicker, told = (page.locator(f".fl-present-{name}").first for name in ("ahead", "kicker", "told"))
    window, count = page.locator(".fl-window"), page.locator(".fl-present-top > span").first
    expect(ahead).to_have_text("→ what happened")
    place = window.bounding_box()
    for around in ("PageUp", "PageDown"):
        page.keyboard.press("PageDown")
        expect(kicker).to_have_text("What happened")
        expect(window).to_be_hidden()
        expect(count).to_have_text("71 messages")
        expect(page.locator(".fl-present-word")).to_contain_text("Hatched: not in this file")
        wait_for(page, BARE)
        wait_for(page, f"() => Number(({DEEP})('.fl-present-told').style.getPropertyValue('--fit')) > 1.4")
        curve, card = page.locator(".fl-slot-timeline").bounding_box(), told.bounding_box()
        assert curve == pytest.approx(place, abs=2)
        assert card["height"] == pytest.approx(place["height"], abs=2)
        assert violations(page) == []
        page.keyboard.press(around)
        expect(kicker).to_be_hidden()
        expect(window).to_be_visible()
        wait_for(page, COVERED)
        assert window.bounding_box() == pytest.approx(place, abs=2)
    page.keyboard.press("PageUp")
    expect(kicker).to_have_text("What happened")
    page.keyboard.press("Escape")
    page.locator(".fl-present-top").wait_for(state="detached")
    press(page, "Shift+P")  # from where the cursor is
    page.locator(".fl-present-top").wait_for()
    expect(window).to_be_visible()
    wait_for(page, COVERED)


def test_the_title_tells_no_more_than_the_title(page: Any, server: Any) -> None:
    """No row is marked and the curve is covered behind the moment on show, as on each slide until the run is over."""
    look(page, server.url, **SOURCE)
    press(page, "Shift+P")
    page.get_by_text("→ The rule is said").wait_for()
    marked = page.locator(".fl-window .fl-row:is([aria-selected=true], .fl-told-of)")
    expect(page.locator(".fl-window .fl-row").first).to_be_visible()
    expect(marked).to_have_count(0)
    expect(page.locator(".fl-findmarks")).to_be_hidden()
    wait_for(page, COVERED)
    page.keyboard.press("PageDown")
    wait_step(page, 15)
    expect(marked).to_have_count(1)
    wait_for(page, COVERED)
    page.keyboard.press("End")
    wait_for(page, f"() => !({COVERED})()")
    page.keyboard.press("Escape")


RUNS_ON = """
() => {
  const rows = [...DEEP('.fl-window .fl-list').querySelectorAll('.fl-row')];
  const told = rows.find((row) => row.classList.contains('fl-told-of')).querySelector('.fl-preview');
  const box = (row, part) => row.querySelector(part).getBoundingClientRect();
  const gaps = rows.map((row) => box(row, '.fl-meter i').left - box(row, '.fl-preview').right);
  return told.scrollHeight <= told.clientHeight + 1 && Math.max(...gaps) < 16;
}
""".replace("DEEP", f"({DEEP})")
"""Whether the row of the rule says all of it, and the text of each row runs up to its bar."""


def test_a_row_says_all_that_there_is_room_for(page: Any, server: Any) -> None:
    """Its text has two lines and all of the width that its bar leaves, at three sizes."""
    look(page, server.url, **SOURCE)
    press(page, "Shift+P")
    page.get_by_text("→ The rule is said").wait_for()
    page.keyboard.press("PageDown")
    for width, height in ((1280, 720), (1400, 900), (900, 700)):
        page.set_viewport_size({"width": width, "height": height})
        wait_for(page, RUNS_ON)
    page.keyboard.press("Escape")


MARKED = """
(words) => {
  const list = DEEP('.fl-window .fl-list');
  const row = list.querySelector('.fl-row[aria-selected=true]');
  const [box, around] = [row, list].map((node) => node.getBoundingClientRect());
  const scale = around.height / list.clientHeight;
  const end = around.bottom - (list.dataset.more ? 22 * scale : 0);
  return row.innerText.includes(words) && box.top >= around.top && box.bottom <= end + 1;
}
""".replace("DEEP", f"({DEEP})")
"""Whether the marked row says this and is in sight, all of it, above where a list that goes on fades."""


def test_a_result_is_told_by_its_size_and_how_it_begins(page: Any, server: Any) -> None:
    """Below its size stand its words, of a long one as many as there is room for."""
    look(page, server.url, **SOURCE, step=3)
    press(page, "Shift+P")
    caption(page, "The tool read_file answers with ~49 tokens.")
    days = "Monday and Tuesday closed Wednesday to Friday 10 to 18 Saturday 9 to 16"
    whole = f"Summer, 1 May to 30 September {days} First Sunday of the month: kiln opening, 11 to 15"
    expect(page.locator(".fl-present-said")).to_have_text(whole)
    page.keyboard.press("Escape")
    look(page, server.url, **SOURCE, step=27)
    press(page, "Shift+P")
    caption(page, "The tool run answers with ~353 tokens.")
    wait_for(page, f"() => /^.{{190,220}}…$/.test(({DEEP})('.fl-present-said').textContent)")


def test_an_attempt_that_failed_is_told_as_it_ends(page: Any, server: Any) -> None:
    """Its last phase and the step at rest say the same: what came of it, and which message had arrived."""
    settings = {"policy": "agentkit.memory", "budget": 16_000, "keep_recent": 8, "summaries": "error", "step": 64}
    look(page, server.url, source="sample:openai-chat/coding-session.json", **settings)
    press(page, "Shift+P")
    told = ["The attempt failed: the window stays as it was.", "The tool bash answers with ~630 tokens."]
    caption(page, told[0])
    assert slide(page) == told
    page.keyboard.press("3")
    caption(page, "No summary came of it")
    page.keyboard.press("4")
    caption(page, told[0])
    assert slide(page) == told


def test_the_message_that_a_slide_tells_of_is_in_sight(page: Any, server: Any) -> None:
    """All of it, at four sizes, behind the slide that stands in the place of the window, and where somebody had scrolled."""
    page.set_viewport_size({"width": 1280, "height": 720})
    look(page, server.url, source="sample:claude-code/recorded-compaction.jsonl", step=30)
    press(page, "o")
    page.locator(".fl-oheadline", has_not_text="Working out").wait_for()
    press(page, "Shift+P")
    kicker = page.locator(".fl-present-kicker")
    page.get_by_text("→ what happened").wait_for()
    page.keyboard.press("PageDown")
    expect(kicker).to_have_text("What happened")
    for _ in range(6):
        page.keyboard.press("PageDown")
    expect(kicker).to_have_text("What came of it")
    for width, height in ((1280, 720), (1400, 900), (1920, 1080), (900, 700)):
        page.set_viewport_size({"width": width, "height": height})
        wait_for(page, f"() => innerWidth === {width} && ({MARKED})('Both files open')")
    page.keyboard.press("ArrowUp")
    wait_for(page, MARKED, "commit b234bf4")
    page.locator(".fl-window .fl-scroll").hover()
    page.mouse.wheel(0, -3000)
    wait_for(page, f"() => ({DEEP})('.fl-window .fl-scroll').scrollTop === 0")
    page.keyboard.press("ArrowDown")
    wait_for(page, MARKED, "Both files open")
    page.keyboard.press("Escape")


LARGER = """
() => {
  const [app, scroller] = [DEEP('.fl-app'), DEEP('.fl-window .fl-scroll')];
  const stood = scroller.scrollTop;
  app.style.setProperty('--by', '0.5');
  const scrolled = stood - scroller.scrollTop;
  app.style.setProperty('--by', '1.3');
  return scrolled;
}
""".replace("DEEP", f"({DEEP})")
"""More room for a moment, then larger type; returns by how much the browser scrolled the list at once."""


def test_a_list_that_becomes_larger_has_not_been_scrolled_by_a_person(page: Any, server: Any) -> None:
    """The message told of stays in sight: the browser reports that the list was scrolled before it reports the size."""
    page.set_viewport_size({"width": 1280, "height": 720})
    look(page, server.url, source="sample:claude-code/recorded-compaction.jsonl", step=71)
    press(page, "Shift+P")
    wait_for(page, MARKED, "Both files open")
    assert page.evaluate(LARGER) > 50
    wait_for(page, MARKED, "Both files open")
    page.keyboard.press("Escape")


def with_long_losses(route: Any) -> None:
    """Answer what was lost as the server does, with many and long texts."""
    answer = route.fetch().json()
    for row in answer["rows"]:
        one = {
            "kind": "said",
            "at": 0,
            "used_at": 60,
            "said_again_at": -1,
            "carried_at": -1,
            "rank": 0,
            "kept": 0,
            "words": 9,
        }
        words = {
            name: f"{name} {'so many words in one sentence ' * 6}end."
            for name in ("text", "followed", "used", "said_again")
        }
        row["told"] = [{**words, **one, "followed": ""} for _ in range(3)]
        row["told_total"], row["rules"] = 3, [3, 3]
    route.fulfill(json=answer)


def test_what_has_no_room_on_a_slide_is_counted(page: Any, server: Any) -> None:
    """Of a very full one the last lines are left out, and it says how many."""
    page.set_viewport_size({"width": 1280, "height": 720})
    page.route("**/api/losses/**", with_long_losses)
    look(page, server.url, source="sample:claude-code/recorded-compaction.jsonl", step=40)
    press(page, "Shift+P")
    page.locator(".fl-present-ahead").first.get_by_text("→ the next compaction").wait_for()
    page.keyboard.press("n")
    page.keyboard.press("4")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".fl-present-kicker")).to_have_text("What was lost")
    hidden = page.locator(".fl-present-said p[hidden]")
    expect(page.locator(".fl-present-more")).to_have_text(re.compile(r"^and \d more$"))
    expect(page.locator(".fl-present-more")).to_have_text(f"and {hidden.count()} more")
    expect(page.locator(".fl-present-more")).to_be_visible()
    page.unroute_all()
    page.keyboard.press("Escape")


def test_much_that_was_lost_takes_two_slides(page: Any, server: Any) -> None:
    """The user's words first, then the rest, with its title ahead; back leads through both, also from what comes behind."""
    page.route("**/api/losses/**", with_long_losses)
    look(page, server.url, source="sample:claude-code/recorded-compaction.jsonl", step=40)
    press(page, "Shift+P")
    ahead, kicker = page.locator(".fl-present-ahead").first, page.locator(".fl-present-kicker")
    expect(ahead).to_contain_text("→ the next compaction")
    page.keyboard.press("n")
    page.keyboard.press("4")
    slides = (("What was lost", "what else was lost"), ("What else was lost", "what came of it"))
    for title, comes in slides:
        page.keyboard.press("PageDown")
        expect(kicker).to_have_text(title)
        expect(ahead).to_have_text(f"→ {comes}")
    caption(page, "The text of 23 results left the window")
    page.keyboard.press("PageDown")
    expect(kicker).to_have_text("What came of it")
    for title, _ in reversed(slides):
        page.keyboard.press("PageUp")
        expect(kicker).to_have_text(title)
    page.keyboard.press("PageUp")
    expect(kicker).to_be_hidden()
    caption(page, "The window goes from 23,016")
    page.unroute_all()
    page.keyboard.press("Escape")


def cleared_twice(path: Path) -> Path:
    """A session in which Claude Code cleared something twice, and does not say what."""
    lines: list[dict[str, Any]] = []

    def add(**line: Any) -> None:
        parent = lines[-1]["uuid"] if lines else None
        more = {
            "sessionId": "s",
            "version": "2.1.56",
            "cwd": "/w",
            "timestamp": f"2026-02-28T05:{len(lines):02}:46.877Z",
        }
        lines.append({"uuid": f"u{len(lines)}", "parentUuid": parent, "isSidechain": False, **more, **line})

    for k in range(3):
        add(type="user", message={"role": "user", "content": f"Look at page {k}."})
        said = [{"type": "text", "text": f"Page {k} is good."}]
        usage = {"input_tokens": 300 + 100 * k, "output_tokens": 9}
        add(
            type="assistant",
            message={"id": f"m{k}", "role": "assistant", "content": said, "usage": usage, "model": "c"},
        )
        if k < 2:
            about = {"trigger": "auto", "preTokens": 200, "tokensSaved": 50, "compactedToolIds": []}
            add(
                type="system",
                subtype="microcompact_boundary",
                content="Context microcompacted",
                microcompactMetadata=about,
            )
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    return path


def test_what_a_record_does_not_name_takes_one_slide(page: Any, server: Any, tmp_path: Path) -> None:
    """Of a compaction of which no message is named each press is the next one, with its time, and no phase is named."""
    look(page, server.url, source=f"path:{cleared_twice(tmp_path / 's.jsonl')}")
    press(page, "Shift+P")
    ahead, told = (page.locator(f".fl-present-{name}").first for name in ("ahead", "told"))
    expect(ahead).to_contain_text("→ the next compaction")
    for k in (1, 2):
        page.keyboard.press("PageDown")
        expect(told).to_contain_text(f"Microcompaction {k}")
        expect(told).to_contain_text("2026-02-28 05:0")
        expect(page.locator(".fl-present-phases")).to_be_hidden()
        expect(ahead).not_to_contain_text("partition")
    page.keyboard.press("PageUp")
    expect(told).to_contain_text("Microcompaction 1")
    page.keyboard.press("Escape")


def test_one_moment_has_one_number_in_front_of_a_room(page: Any, server: Any) -> None:
    """A compaction has one pair of numbers; those of a prompt are called that. What the window held is told apart."""
    look(page, server.url, source="sample:codex/tide-tables.jsonl", step=20)
    press(page, "Shift+P")
    page.locator(".fl-present-ahead").first.get_by_text("→ the next compaction").wait_for()
    page.keyboard.press("n")
    caption(page, "Codex CLI compacted after a prompt of 5,871 tokens")
    told = page.locator(".fl-present-told")
    told.get_by_text("With what came since the last prompt, the window holds ~6,111 tokens: 1,337 of them").wait_for()
    expect(page.locator(".fl-window")).to_contain_text("= 1,337 visible")
    page.keyboard.press("4")
    caption(page, "The prompt goes from 5,871 to 3,105 tokens.")
    page.locator(".fl-present-said", has_text="shows 1,337 of the window's tokens before and 280 after.").wait_for()
    page.keyboard.press("Escape")


def test_a_room_reads_no_word_that_nothing_explains_there(page: Any, server: Any) -> None:
    """How it is known what went is not said of the regions; the debugger's own window says it again."""
    look(page, server.url, source="sample:codex/tide-tables.jsonl", step=20)
    items = page.locator(".fl-window .fl-legend .fl-items")
    expect(items).to_contain_text("compactable (")
    press(page, "Shift+P")
    expect(items).to_contain_text("compactable")
    expect(items).not_to_contain_text("(")
    press(page, "End")
    expect(items).not_to_contain_text("no later compaction")
    page.keyboard.press("Escape")
    page.locator(".fl-present-top").wait_for(state="detached")


def test_it_begins_with_what_the_session_is(page: Any, server: Any) -> None:
    """Where nothing is chosen yet: title, size and first request, beside its window; no row is marked until ↓ goes on."""
    look(page, server.url, **SOURCE)
    press(page, "Shift+P")
    caption(page, "The rule it broke")
    said = page.locator(".fl-present-said")
    said.get_by_text("turns, 1 compaction").wait_for()
    said.get_by_text("The user's first request: “").wait_for()
    rows, marked = page.locator(".fl-window .fl-row:visible"), page.locator(".fl-window .fl-row[aria-selected=true]")
    expect(rows).to_have_count(2)
    expect(rows.last).to_contain_text("The opening hours on the site are those of the winter.")
    expect(marked).to_have_count(0)
    page.keyboard.press("ArrowDown")
    caption(page, "The model calls")
    expect(marked).to_have_count(1)
    assert said.is_hidden()


def test_home_and_p_lead_back_to_the_title(page: Any, server: Any) -> None:
    """It is the first slide; a key for a compaction that is not there leaves the slide as it is."""
    look(page, server.url, **SOURCE)
    press(page, "Shift+P")
    ahead = page.locator(".fl-present-ahead").first
    for key in ("Home", "p"):
        ahead.get_by_text("→ The rule is said").wait_for()
        press(page, "ArrowRight")
        caption(page, "The user sets a rule.")
        press(page, key)
        caption(page, "The rule it broke")
    press(page, "p")
    page.locator(".fl-toast", has_text="No earlier compaction").wait_for()
    caption(page, "The rule it broke")
    press(page, "Home")
    caption(page, "The rule it broke")
    page.keyboard.press("Escape")


def test_a_pointer_does_what_the_keys_do(page: Any, server: Any) -> None:
    """On what names a key, a phase, or what comes next; what comes later is not shown by a click on the curve."""
    look(page, server.url, **SOURCE)
    press(page, "Shift+P")
    ahead = page.locator(".fl-present-ahead").first
    ahead.get_by_text("→ The rule is said").wait_for()
    ahead.click()
    caption(page, "The user sets a rule.")
    page.get_by_role("button", name="→ next").click()
    caption(page, PHASES[0])
    page.locator(".fl-present-phases button", has_text="summarize").click()
    caption(page, PHASES[2])
    curve = page.locator(".fl-timeline")
    box = curve.bounding_box()
    page.mouse.click(box["x"] + 0.8 * box["width"], box["y"] + 0.5 * box["height"])
    page.locator(".fl-toast", has_text="That comes later: → leads there").wait_for()
    assert at(page) == 28
    page.mouse.click(box["x"] + 0.3 * box["width"], box["y"] + 0.5 * box["height"])
    ahead.get_by_text("The next compaction is").wait_for()
    page.get_by_role("button", name="Esc leave").click()
    page.locator(".fl-present-top").wait_for(state="detached")


def test_a_room_reads_what_the_summary_says(page: Any, server: Any) -> None:
    """Where a compaction is over, beside what it lost, whole and above the timeline; not while its messages are still there."""
    said = page.locator(".fl-present-said")
    page.set_viewport_size({"width": 1280, "height": 720})
    look(page, server.url, **SOURCE, step=28)
    press(page, "Shift+P")
    said.get_by_text("The summary says of the work at hand: “The six new pots, numbers 41 to 46,").wait_for()
    told = page.locator(".fl-present-told")
    assert told.evaluate(
        "(box) => [...box.querySelectorAll('*')].every((one) => one.scrollHeight <= one.clientHeight + 1)"
    )
    box = told.bounding_box()
    assert box["y"] + box["height"] <= page.locator(".fl-timeline").bounding_box()["y"]
    assert violations(page) == []
    page.keyboard.press("2")
    caption(page, PHASES[1])
    assert said.is_hidden()
    page.keyboard.press("Escape")


BETWEEN = """
(words) => {
  const box = (selector, words = '') =>
    [...DEEP('.fl-app').querySelectorAll(selector)].find((node) => node.textContent.includes(words)).getBoundingClientRect();
  const above = box('.fl-window .fl-row[data-region=summary]');
  const below = box('.fl-window .fl-heading:not(.fl-sticky)', 'Recent');
  const here = box('.fl-summary-below', words);
  return above.bottom <= here.top + 1 && here.bottom <= below.top + 1;
}
""".replace("DEEP", f"({DEEP})")
"""Whether what the summary says stands below its row, and above what stays."""


def test_a_summary_that_is_written_can_be_read(page: Any, server: Any) -> None:
    """Below its row, as far as there is room until what stays; at three sizes; not when it has taken its place."""
    look(page, server.url, **SOURCE, step=28)
    press(page, "Shift+P")
    caption(page, LOST)
    written = page.locator(".fl-summary-below")
    expect(written).to_be_hidden()
    page.keyboard.press("3")
    for width, height in ((1280, 720), (1400, 900), (900, 700)):
        page.set_viewport_size({"width": width, "height": height})
        wait_for(page, BETWEEN, "The site of a small pottery: index.html,")
    page.keyboard.press("4")
    expect(written).to_be_hidden()
    page.keyboard.press("Escape")


def test_a_later_summary_covers_nothing_that_stays(page: Any, server: Any) -> None:
    """Where the row stands under fixed headings, and the list has scrolled, too; the numbers of the regions are whole."""
    page.set_viewport_size({"width": 1400, "height": 900})
    look(page, server.url, source="sample:openai-chat/coding-session.json")
    press(page, "Escape", "n", "n")
    press(page, "Shift+P")
    for number in "23":
        page.locator(".fl-present-top").get_by_text(f"compaction {number} of 3").wait_for()
        page.keyboard.press("3")
        wait_for(page, BETWEEN, f"[summary #{number} of ")
        items = page.locator(".fl-window .fl-legend .fl-items")
        assert items.evaluate("(node) => node.scrollWidth <= node.clientWidth")
        press(page, "n")
    page.keyboard.press("Escape")


LINE = """
(node) => {
  const range = document.createRange();
  range.selectNodeContents(node);
  return range.getClientRects()[0].height;
}
"""
"""How high the first line of a text is on the screen."""
WHOLE_WORDS = "(card) => [card, ...card.querySelectorAll('*')].every((one) => one.scrollHeight <= one.clientHeight + 1)"
ALL_WORDS = f"(card) => ({WHOLE_WORDS})(card) && !card.querySelector('.fl-present-said p[hidden]')"
"""The same, and no line is left out."""


def test_words_are_as_large_as_the_card_has_room_for(page: Any, server: Any) -> None:
    """A slide of few words has larger ones than a full slide; on both every word is in sight, at 1280 by 720 and 900 by 700."""
    look(page, server.url, **SOURCE, step=15)
    press(page, "Shift+P")
    card = page.locator(".fl-present-told")
    for width, height in ((1280, 720), (900, 700)):
        page.set_viewport_size({"width": width, "height": height})
        heights = []
        for key, said in (("n", PHASES[0]), ("4", LOST)):
            page.keyboard.press(key)
            caption(page, said)
            assert card.evaluate(WHOLE_WORDS)
            heights.append(page.locator(".fl-present-caption").evaluate(LINE))
        assert heights[0] > 1.1 * heights[1]
        page.keyboard.press("Home")


def test_slides_of_a_compaction_look_alike(page: Any, server: Any) -> None:
    """Where the words fit, however few they are; a name stands in one line, and a second one is told, too."""
    page.set_viewport_size({"width": 1280, "height": 720})
    look(page, server.url, source="sample:openai-chat/coding-session.json", step=64)
    press(page, "Shift+P")
    page.get_by_text("→ the next compaction").wait_for()
    heights = []
    for said in ("The window is over", "56 older messages", "A summary of"):
        press(page, "ArrowRight")
        caption(page, said)
        heights.append(page.locator(".fl-present-caption").evaluate(LINE))
    assert max(heights) == pytest.approx(min(heights), abs=0.5)
    press(page, "ArrowRight", "ArrowRight")
    caption(page, "Compaction 1 lost 2 names")
    names = page.locator(".fl-present-said p", has_text="2 names:")
    expect(names).to_contain_text(
        "“monthly_report”, used again at message 73; “test_an_empty_book_has_no_months”, used again"
    )
    height = "(name) => name.getBoundingClientRect().height"
    for name in names.locator(".fl-present-name").all():
        assert name.evaluate(height) == pytest.approx(19 * 1.42 * 1.04, abs=1)


def test_a_long_request_is_whole_on_the_title(page: Any, server: Any, tmp_path: Path) -> None:
    """Known before the slide is there, it is fitted as it stands there."""
    request = f"Please {'look at each of the pages in turn and ' * 7}say what you find."
    said = [
        Message(id=f"m{k}", role=("user", "assistant")[k % 2], content=("Go on.", request)[k == 0]) for k in range(8)
    ]
    save(as_session(said, title="Pages"), tmp_path / "s.json")
    page.set_viewport_size({"width": 1280, "height": 720})
    look(page, server.url, source=f"path:{tmp_path / 's.json'}")
    page.locator(".fl-overview .fl-oquote").first.wait_for()
    press(page, "Shift+P")
    page.locator(".fl-present-told").get_by_text("say what you find.").wait_for()
    wait_for(page, f"() => ({ALL_WORDS})(({DEEP})('.fl-present-told'))")
    page.keyboard.press("Escape")


def test_keys_are_named_while_they_are_used(lone_page: Any, server: Any) -> None:
    """Those of a clicker, ? and Esc; after three seconds they are away until a key, or a move of the pointer."""
    page = lone_page
    look(page, server.url, **SOURCE, step=10)
    page.clock.install()
    page.clock.pause_at(page.evaluate("() => Date.now() + 1000"))
    press(page, "Shift+P")
    keys = page.locator(".fl-present-top p")
    assert keys.locator("kbd").all_inner_texts() == ["→", "←", "?", "Esc"]
    for use in (
        lambda: page.mouse.move(300, 300),
        lambda: page.keyboard.press("ArrowRight"),
        lambda: page.keyboard.press("2"),
    ):
        assert keys.is_visible()
        page.clock.run_for(2900)
        assert keys.is_visible()
        page.clock.run_for(200)
        assert keys.is_hidden()  # at once: this page asks for less motion
        use()
    assert keys.is_visible()
    page.emulate_media(reduced_motion="no-preference")
    assert keys.evaluate("(node) => getComputedStyle(node).transitionDuration") == "0.6s, 0.6s"


def test_below_the_window_stands_what_comes(page: Any, server: Any) -> None:
    """How far the next compaction is, and its key: no strip is empty, and nothing jumps when the phases take the place."""
    page.set_viewport_size({"width": 1280, "height": 720})
    look(page, server.url, **SOURCE, step=26)
    press(page, "Shift+P")
    page.get_by_text("The next compaction is 2 steps ahead: key n").wait_for()
    before = page.locator(".fl-window").bounding_box()
    page.keyboard.press("n")
    page.locator(".fl-present-phases [data-lit]", has_text="1 trigger").wait_for()
    assert page.locator(".fl-window").bounding_box() == before
    page.keyboard.press("End")
    page.get_by_text("No later compaction").first.wait_for()
    page.keyboard.press("Escape")


def test_the_list_of_keys_names_it(page: Any, server: Any) -> None:
    """Beside what it does, and how to return."""
    look(page, server.url, **SOURCE)
    press(page, "?")
    page.get_by_text("present: large type for a room, keys alone; Esc returns").wait_for()
    page.keyboard.press("Escape")


def test_the_keys_of_a_room_are_listed_alone(page: Any, server: Any) -> None:
    """Presented, the list on ? has the keys that do something there and no others, whole at 1280 by 720; in a lesson too."""
    page.set_viewport_size({"width": 1280, "height": 720})
    listed = page.locator(".fl-help[open]")
    for query, first, last in (
        (f"?{urlencode(SOURCE)}", "the next stop of the story", "leave"),
        ("learn?lesson=2&step=1&present=1", "to the end of what moves", "leave"),
    ):
        page.goto(f"{server.url}/{query}")
        page.locator(f"{ROOT}[data-rendered]").wait_for()
        if "present" not in query:
            press(page, "Shift+P")
            page.get_by_text("→ The rule is said").wait_for()
        page.keyboard.press("?")
        listed.wait_for()
        told = listed.locator("dd").all_inner_texts()
        assert told[0].startswith(first)
        assert told[-1] == last
        assert not [text for text in told if "fork" in text or "find" in text]
        assert listed.evaluate("(box) => box.scrollHeight <= box.clientHeight")
        box = listed.bounding_box()
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= 720
        page.keyboard.press("Escape")
        listed.wait_for(state="hidden")
        page.keyboard.press("Escape")


def test_who_goes_back_to_another_page_has_left_the_room(page: Any, server: Any) -> None:
    """The same session, opened again from there, is not presented."""
    page.goto(f"{server.url}/library")
    page.locator(".fl-library").wait_for()
    page.get_by_role("link", name="Debug", exact=True).click()
    wait_for(page, PAINTED)
    page.locator(".fl-overview").wait_for()
    overview = "(shown) => location.search.includes('show=overview') === shown"
    wait_for(page, overview, True)
    press(page, "o")
    wait_for(page, overview, False)
    press(page, "Shift+P")
    page.locator(".fl-present-top").wait_for()
    page.go_back()
    wait_for(page, overview, True)
    page.go_back()
    wait_for(page, "() => location.pathname.endsWith('/library')")
    page.locator(".fl-library").wait_for()
    page.get_by_role("link", name="Debug", exact=True).click()
    wait_for(page, PAINTED)
    page.locator(".fl-slot-inspector").wait_for()
    expect(page.locator(".fl-present-top")).to_have_count(0)


def test_an_exported_file_is_presented_from_its_title_first(fresh_page: Any, tmp_path: Path) -> None:
    """Wherever it was shared, and whatever was looked at before; the next time it goes on from where the cursor is."""
    trace = replay(load(Path(__file__).parents[2] / "sample_sessions" / SAMPLE))
    export(trace, trace, 42).write(tmp_path / "run.html")
    page, _ = fresh_page((tmp_path / "run.html").as_uri(), width=1280, height=720)
    page.goto((tmp_path / "run.html").as_uri())
    page.locator(f"{ROOT}[data-rendered]").wait_for()
    wait_step(page, 42)
    press(page, "ArrowRight")
    wait_step(page, 43)
    press(page, "Shift+P")
    caption(page, "A pottery and its photos")
    wait_step(page, 1)
    page.keyboard.press("ArrowRight")
    caption(page, "The user sets a rule.")
    page.keyboard.press("Escape")
    page.locator(".fl-present-top").wait_for(state="detached")
    wait_step(page, 43)
    press(page, "Shift+P")
    page.locator(".fl-present-caption").wait_for()
    assert at(page) == 43


def test_an_exported_file_presents_too(fresh_page: Any, tmp_path: Path) -> None:
    """Without a server: over its bar, too, by the same key."""
    trace = replay(load(Path(__file__).parents[2] / "sample_sessions" / SAMPLE))
    export(trace, trace).write(tmp_path / "run.html")
    page, _ = fresh_page((tmp_path / "run.html").as_uri(), width=1280, height=720)
    page.goto((tmp_path / "run.html").as_uri() + "#step=15")
    page.locator(f"{ROOT}[data-rendered]").wait_for()
    page.get_by_role("button", name="Present").click()
    caption(page, "The user sets a rule.")
    assert fills(page)
    page.keyboard.press("Escape")
    page.locator(".fl-present-top").wait_for(state="detached")
