"""The Learn page: lessons by mouse and by keys, what is covered until it is guessed, tasks, the presenter."""

import json
import re
from importlib.resources import files
from itertools import pairwise
from typing import Any
from urllib.parse import urlencode

import pytest
from playwright.sync_api import expect

from tests.browser.accessible import violations
from tests.browser.looking import (
    COUNT_NODES,
    DEEP,
    DROP,
    ROOT,
    drawn,
    look,
    tokens,
    until,
    value,
    wait_addressed,
    wait_for,
)
from tests.serving import cookies

pytestmark = pytest.mark.browser
PAGE = ".fl-learn-page"
SCENE = {
    "source": "sample:foldline/lesson-3-calculator.json",
    "policy": "agentkit.memory",
    "settings": {"budget": 100, "keep_recent": 3},
    "meter": "agentkit",
    "summaries": "recorded",
    "step": 10,
    "phase": None,
}
BARE = {"veil": [], "spot": "window", "ask": None, "task": None, "figures": None, "empty": None}
CALLS = [{"step": 2, "old": 0, "new": 48}, {"step": 4, "old": 48, "new": 15}, {"step": 10, "old": 63, "new": 15}]
ALL_IN_SIGHT = (
    f"() => {{ const rows = ({DEEP})('.fl-window .fl-scroll'); return rows.scrollHeight <= rows.clientHeight; }}"
)
"""Whether the window is shown from its first message to its last."""
AT_END = f"""() => {{
  const {{ scrollTop, clientHeight, scrollHeight }} = ({DEEP})('.fl-window .fl-scroll');
  return scrollTop > 0 && scrollTop + clientHeight >= scrollHeight - 1;
}}"""
CUTS = {
    "kind": "cuts",
    "messages": [{"role": "user", "tokens": 9}] * 8,
    "pairs": [[2, 3], [4, 6]],
    "boundaries": [5],
    "first": 1,
    "last": 7,
    "cut": 3,
    "safe": None,
}
GAME = {
    "kind": "game",
    "room": 100,
    "past": 150,
    "stays": {"system": 5, "recent": 6},
    "groups": [
        {"id": 1, "label": "user", "count": 1, "preview": "<b>hello</b>", "tokens": 80, "later": 2},
        {"id": 3, "label": "→ bash", "count": 2, "preview": "ls", "tokens": 70, "later": 0},
    ],
    "scores": [{"name": "You", "about": "1 group", "window": 91, "misses": 3, "you": True}],
    "missed": [{"name": "cli.py", "was": 3, "at": 9}],
    "seen": [],
}


def learn(page: Any, url: str, **query: Any) -> None:
    """Open the Learn page with this query, with nothing done yet, and wait until its step is shown."""
    page.goto(f"{url}/learn?{urlencode(query)}")
    page.evaluate("() => localStorage.clear()")
    page.reload()
    shown(page, f"{query['lesson']}.{query.get('step', 1)}") if "lesson" in query else page.locator(
        ".fl-lesson"
    ).first.wait_for()


def shown(page: Any, place: str) -> None:
    """Wait until this step of a lesson is on the page, and the debugger shows its scene."""
    page.locator(f"{PAGE}[data-shown='{place}']:not([data-state=asked])").wait_for()
    page.locator(f"{ROOT}[data-rendered]").wait_for()
    drawn(page)


def learn_on(page: Any, place: str, step: int) -> None:
    """Go to a step of the open lesson by its list."""
    page.locator(".fl-learn-steps button").nth(step - 1).click()
    shown(page, place)


def state(page: Any, name: str) -> None:
    """Wait until the step stands so: asking, told, failing, passed."""
    page.locator(f"{PAGE}[data-state={name}]").wait_for()


def keys(page: Any, *names: str) -> None:
    """Press keys with nothing in the focus but the debugger."""
    page.locator(ROOT).focus()
    for name in names:
        page.keyboard.press(name)


def told(page: Any, *steps: dict[str, Any], check: Any = None) -> None:
    """Answer the questions for lessons with one that has these steps; `check` makes the answer to an attempt."""
    row = {"number": 1, "key": "told", "title": "Told", "about": "For a test.", "does": "Look.", "minutes": 5}
    index = {"lessons": [row | {"saw": ["One thing."], "steps": [f"step {k + 1}" for k in range(len(steps))]}]}

    def answer(route: Any) -> None:
        url = route.request.url.partition("?")
        path = url[0].partition("/api/lessons")[2].strip("/").split("/")
        if path == [""]:
            body: Any = index
        elif path[-1] == "check":
            body = check(dict(pair.split("=") for pair in url[2].split("&") if "=" in pair))
        else:
            number = int(path[1])
            body = {"lesson": 1, "step": number, "title": "", "caption": "A caption.", "scene": SCENE} | BARE
            body |= steps[number - 1]
        route.fulfill(body=json.dumps(body), content_type="application/json")

    page.route(re.compile(r"/api/lessons"), answer)


NOTE_STATES = f"""
() => {{
  const page = ({DEEP})('{PAGE}');
  window.states = [];
  const note = () => {{
    const now = `${{page.dataset.shown}} ${{page.dataset.state}}`;
    if (!window.states.includes(now)) window.states.push(now);
  }};
  new MutationObserver(note).observe(page, {{ attributes: true }});
  note();
}}
"""


@pytest.fixture
def own(fresh_page: Any, server: Any) -> Any:
    """A page that answers for the lessons itself."""
    return fresh_page(server.url)[0]


def test_the_list_leads_to_a_lesson_and_back(page: Any, server: Any) -> None:
    """A card for each lesson; keys open them; what is done shows, and one button clears it."""
    learn(page, server.url)
    page.locator("[data-lesson='2']").get_by_role("button").click()
    shown(page, "2.1")
    wait_addressed(page, "lesson=2&step=1")
    page.get_by_role("button", name="All lessons").first.click()
    page.locator("[data-lesson='2']").get_by_role("button", name="Start").wait_for()
    page.keyboard.press("2")
    shown(page, "2.1")
    keys(page, "b", "Enter", "Enter")
    shown(page, "2.2")
    page.go_back()
    shown(page, "2.1")
    page.go_forward()
    shown(page, "2.2")
    page.get_by_role("button", name="All lessons").first.click()
    page.locator("[data-lesson='2']").get_by_role("button", name="Continue").wait_for()
    page.get_by_role("button", name="Clear my progress").click()
    page.locator("[data-lesson='2']").get_by_role("button", name="Start").wait_for()
    assert page.evaluate("() => localStorage.getItem('foldline-lessons')") == "{}"


OUTLINED = f"""
() => [...({DEEP})('.fl-cards').children].filter((card) => {{
  const ring = getComputedStyle(card.querySelector('footer button'), '::after');
  return ring.outlineStyle !== 'none' || getComputedStyle(card).boxShadow !== 'none';
}}).map((card) => card.dataset.lesson)
"""
"""The lessons whose cards have an outline."""
FOCUSED = f"() => ({DEEP})('.fl-lesson:has(:focus)')?.dataset.lesson ?? ''"


def test_a_card_opens_its_lesson_wherever_it_is_pressed(page: Any, server: Any) -> None:
    """By its picture, too; arrows walk among the cards as they stand, Enter opens the one they came to."""
    learn(page, server.url)
    box = page.locator("[data-lesson='3'] .fl-lesson-picture").bounding_box()
    page.mouse.click(box["x"] + 20, box["y"] + 20)
    shown(page, "3.1")
    page.get_by_role("button", name="All lessons").first.click()
    page.locator("[data-lesson='1'] button").wait_for()
    across = page.locator(".fl-lesson").evaluate_all(
        "(all) => all.filter((one) => one.offsetTop === all[0].offsetTop).length"
    )
    assert across == 3
    walked = []
    for key in (
        "ArrowRight",
        "ArrowRight",
        "ArrowRight",
        "ArrowUp",
        "ArrowDown",
        "ArrowDown",
        "ArrowLeft",
    ):
        page.keyboard.press(key)
        walked.append(page.evaluate(FOCUSED))
    assert walked == ["2", "3", "4", "1", "4", "4", "3"]  # on from lesson 1, which was outlined as the next to be done
    assert page.evaluate(OUTLINED) == ["3"]
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    shown(page, "6.1")


def test_enter_opens_the_lesson_that_is_outlined(page: Any, server: Any) -> None:
    """The next to be done, before any arrow; no other card has an outline."""
    learn(page, server.url)
    assert page.evaluate(OUTLINED) == ["1"]
    page.keyboard.press("Enter")
    shown(page, "1.1")


LINK_HAS_FOCUS = "() => document.activeElement?.matches('[data-testid=stPageLink-NavLink]') ?? false"


def test_enter_opens_the_outlined_lesson_behind_the_link_to_the_list(page: Any, server: Any) -> None:
    """The list takes the focus from the link that led to it: one outline. Pressed again there, Enter opens the lesson, too."""
    learn(page, server.url)
    sidebar = page.get_by_test_id("stSidebar")
    sidebar.get_by_role("link", name="Tune").click()
    page.locator(".fl-tune-page").wait_for()
    sidebar.get_by_role("link", name="Learn").focus()
    page.keyboard.press("Enter")
    page.locator("[data-lesson='1'] button").wait_for()
    wait_for(page, f"() => !({LINK_HAS_FOCUS})()")
    assert page.evaluate(OUTLINED) == ["1"]
    sidebar.get_by_role("link", name="Learn").click()
    wait_for(page, LINK_HAS_FOCUS)
    page.keyboard.press("Enter")
    shown(page, "1.1")


def test_the_link_to_the_list_leads_to_it_from_a_lesson(page: Any, server: Any) -> None:
    """Back leads to the step again. On the list the link keeps the focus, whatever is drawn anew."""
    learn(page, server.url, lesson=1, step=2)
    link = page.get_by_test_id("stSidebar").get_by_role("link", name="Learn")
    link.click()
    page.locator("[data-lesson='1'] button").wait_for()
    page.go_back()
    shown(page, "1.2")
    page.go_forward()
    page.locator("[data-lesson='1'] button").wait_for()
    link.focus()
    page.locator(".fl-learn-page").evaluate("(root) => root.dispatchEvent(new Event('popstate', { bubbles: true }))")
    wait_for(page, LINK_HAS_FOCUS)


def test_enter_on_a_link_beside_the_list_follows_it(page: Any, server: Any) -> None:
    """Only the link to the list itself leaves Enter to the outlined lesson."""
    learn(page, server.url)
    page.get_by_test_id("stSidebar").get_by_role("link", name="Tune").focus()
    page.keyboard.press("Enter")
    page.locator(".fl-tune-page").wait_for()


def test_nothing_tells_the_answer_before_it_is_guessed(page: Any, server: Any) -> None:
    """The covered parts are neither seen nor heard, no key and no press drives the debugger; then all of it is there."""
    learn(page, server.url, lesson=2, step=2)
    covered = (".fl-plan", ".fl-legend", ".fl-found", ".fl-announced", ".fl-numbers .fl-after")
    assert [name for name in covered if page.locator(name).first.is_visible()] == []
    assert set(page.locator(".fl-row").evaluate_all("(rows) => rows.map((row) => row.dataset.region)")) == {"message"}
    before = (value(page, "step"), tokens(page))
    keys(page, "ArrowRight", "n", "G", "4", "Escape", "Shift+ArrowLeft", "Shift+ArrowRight", "End", "o")
    page.locator("[data-tool=last]").dispatch_event("click")
    page.locator(".fl-timeline").dispatch_event("pointerdown")
    drawn(page)
    assert (value(page, "step"), tokens(page)) == before
    assert page.locator(".fl-window .fl-title").inner_text() == "Window at message 9"
    keys(page, *["ArrowUp"] * 2)
    page.locator(".fl-row[data-pool='6']").click()
    page.get_by_role("button", name="Check").click()
    state(page, "told")
    page.locator(".fl-legend").wait_for()
    assert page.locator(".fl-ask[data-answered=right]").count() == 1
    assert page.locator(".fl-row[data-region=recent]").count() == 3


def test_what_the_next_step_asks_stays_covered(page: Any, server: Any) -> None:
    """The answer says when the policy acts: what it keeps, what it writes, where that goes is covered until each is guessed."""
    learn(page, server.url, lesson=2, step=1)
    keys(page, "b", "Enter")
    state(page, "told")
    assert page.locator(".fl-when").inner_text() == "after message 9 · before a model call"
    covered = (".fl-plan", ".fl-legend", ".fl-found", ".fl-numbers .fl-after", ".fl-tab .fl-count")
    assert [name for name in covered if page.locator(name).first.is_visible()] == []
    assert set(page.locator(".fl-row").evaluate_all("(rows) => rows.map((row) => row.dataset.region)")) == {"message"}
    before = (value(page, "step"), tokens(page))
    keys(page, "Shift+ArrowRight", "n", "G", "4")
    page.locator("[data-tool=last]").dispatch_event("click")
    drawn(page)
    assert (value(page, "step"), tokens(page)) == before
    keys(page, "Enter")
    shown(page, "2.2")


TASKS = [(1, 4), (2, 6), (3, 3), (3, 5), (4, 5), (5, 4), (5, 5), (6, 2), (6, 3), (6, 5), (6, 6), (6, 7)]


def test_every_check_fails_and_passes(page: Any, server: Any) -> None:
    """As the step begins it fails; who does not know is shown what the engine finds, and it passes."""
    for lesson, step in TASKS:
        learn(page, server.url, lesson=lesson, step=step)
        state(page, "failing")
        assert page.locator(".fl-task-conditions [data-passed=false]").count() > 0
        page.get_by_role("button", name="I don't know").press("Enter")
        state(page, "passed")
        page.locator(".fl-task-passed:focus").wait_for()  # not lost with the button: Tab and Enter go on from here
        assert page.locator(".fl-task-conditions [data-passed=false]").count() == 0
        assert page.locator(".fl-task-passed").inner_text() != ""
        assert page.locator(".fl-learn-steps li").nth(step - 1).get_attribute("data-done") == "true"


def test_a_choice_is_scored_when_it_is_made(page: Any, server: Any) -> None:
    """By keys: a group is read, kept, and scored at the next step; of another round nothing is told before."""
    learn(page, server.url, lesson=6, step=2)
    keys(page, *["ArrowDown"] * 6)  # the first leads to the board
    page.get_by_text("Transaction.month uses booked").wait_for()
    assert page.locator(".fl-board-later:not(:empty), .fl-scores").count() == 0
    page.keyboard.press("Space")
    for _ in range(3):
        page.keyboard.press("ArrowDown")
    page.keyboard.press("Space")
    state(page, "passed")
    page.keyboard.press("Enter")
    shown(page, "6.3")
    state(page, "passed")
    assert page.locator(".fl-scores [data-you] small").inner_text() == "2 groups · window 2,424"
    learn(page, server.url, lesson=6, step=5)
    page.locator(".fl-board-groups input").first.press("Space")
    page.get_by_text("37 of 230").first.wait_for()
    assert page.locator(".fl-board-later:not(:empty), .fl-scores").count() == 0
    assert page.locator(".fl-task-figure").last.inner_text() == "?"
    page.keyboard.press("Enter")
    page.locator(".fl-scores [data-you]").wait_for()
    page.locator(".fl-task-figure", has_text="4 missed").wait_for()
    state(page, "failing")


def test_in_a_narrow_window_what_is_read_stands_beside_the_board(own: Any, server: Any) -> None:
    """Below the task, whole in the window; the board has the tokens of each group, and nothing is without a name."""
    own.set_viewport_size({"width": 900, "height": 700})
    learn(own, server.url, lesson=6, step=5)
    keys(own, *["ArrowDown"] * 3)
    message = own.locator(".fl-slot-inspector")
    message.get_by_text("Which pages show hours?").first.wait_for()
    names = (".fl-board-groups", ".fl-desk", ".fl-slot-inspector", ".fl-learn-foot")
    board, task, read, foot = (own.locator(name).bounding_box() for name in names)
    assert board["x"] + board["width"] <= read["x"]
    assert task["y"] + task["height"] <= read["y"]
    assert read["y"] + read["height"] <= foot["y"]
    assert foot["y"] + foot["height"] <= 700
    assert read["height"] > 100
    assert own.locator(".fl-board-groups li:has(:focus) .fl-tokens").inner_text() == "32"
    assert violations(own) == []


MARK = "(one) => getComputedStyle(one.querySelector('button'), '::before').content"


def test_an_answer_that_was_shown_is_no_right_guess(page: Any, server: Any) -> None:
    """In the list of steps a tick, a cross and a question mark tell them apart; of the choices a tick is a right guess alone.

    The end of the lesson counts the first answers.
    """
    learn(page, server.url, lesson=2, step=1)
    rows, answer = page.locator(".fl-learn-steps li"), page.locator(".fl-ask-choice[data-is=answer]")
    signs = []
    for step, pressed, said in ((1, ("b", "Enter"), "right"), (3, ("c", "Enter"), "wrong"), (4, ("s",), "shown")):
        learn_on(page, f"2.{step}", step)
        keys(page, *pressed)
        expect(rows.nth(step - 1)).to_have_attribute("data-said", said)
        sign = rows.nth(step - 1).evaluate(MARK), answer.evaluate("(one) => getComputedStyle(one, '::after').content")
        signs.append([text.partition(" /")[0].strip('"') for text in sign])
    assert signs == [["✓", "✓"], ["✗", "answer"], ["?", "answer"]]
    expect(page.get_by_role("button", name="Guess the summary's size, your guess was not right")).to_be_visible()
    learn_on(page, "2.6", 6)
    keys(page, "s")
    expect(rows.nth(5)).to_have_attribute("data-said", "shown")
    tick = page.locator(".fl-task-mark").first.evaluate("(one) => getComputedStyle(one).backgroundColor")
    edge = page.locator(".fl-task-box").evaluate("(one) => getComputedStyle(one).borderTopColor")
    assert edge != tick  # it is not the green of what is solved
    learn_on(page, "2.7", 7)
    page.get_by_role("button", name="What you saw →").click()
    expect(page.locator(".fl-learn-end header")).to_contain_text("Your first answers: 1 right, 1 not right, 2 shown.")


def test_the_answer_names_another_agent_and_where_to_read_it(page: Any, server: Any) -> None:
    """Where the summary lands is asked of this agent alone; behind the answer stands the source for Codex, as a link."""
    learn(page, server.url, lesson=2, step=4)
    expect(page.locator(".fl-ask-question")).to_have_text("Where does the summary land in this agent?")
    keys(page, "b", "Enter")
    expect(page.locator(".fl-ask-said")).to_contain_text("in Codex it comes last.")
    link = page.get_by_role("link", name="Source: compact.rs in openai/codex")
    assert link.get_attribute("href").startswith("https://github.com/openai/codex/")


def test_the_title_of_a_sample_has_the_free_space_of_its_line(page: Any, server: Any) -> None:
    """It is cut at 1400 pixels by nothing that the lesson leaves out."""
    page.set_viewport_size({"width": 1400, "height": 900})
    learn(page, server.url, lesson=2)
    title = page.locator(".fl-header .fl-cut-lead").first
    expect(title).to_have_text("A warm night in a cold room")
    assert title.evaluate("(node) => node.scrollHeight <= node.clientHeight")


def test_the_phase_that_is_asked_about_is_lit(page: Any, server: Any) -> None:
    """In front of a room: the caption, the question and the phases below tell of the same."""
    learn(page, server.url, lesson=2, step=2, present=1)
    for step, name in ((2, "partition"), (3, "summarize"), (4, "splice")):
        learn(page, server.url, lesson=2, step=step, present=1)
        expect(page.locator(".fl-present-phases [data-lit]")).to_contain_text(name)
    page.keyboard.press("Escape")
    page.locator("[data-testid=stSidebar]").wait_for()


def test_why_shows_where_a_rule_dies(page: Any, server: Any) -> None:
    """Its line stands below the timeline once it is guessed, the cursor where it was lost; what would keep it is not told."""
    learn(page, server.url, lesson=4, step=2)
    assert page.locator(".fl-lane").count() == 0
    keys(page, "c", "Enter")
    page.get_by_text("You chose C: Compaction 3. The summary it read had lost the rule already.").wait_for()
    page.get_by_text("Gone: summary #2 left it out").first.wait_for()
    assert value(page, "step") == "134"
    assert page.get_by_text("What would have kept it").first.is_hidden()
    page.get_by_role("button", name="Cover it and guess again").click()
    state(page, "asking")
    wait_for(page, f"() => !({DEEP})('{ROOT}').querySelector('.fl-lane')")


def test_twice_the_work_is_shown_as_one_run(page: Any, server: Any) -> None:
    """The first five of nine requests, with the window behind them; the answer goes to the end of the same run."""
    bars = page.locator(".fl-figures figcaption b")
    learn(page, server.url, lesson=1, step=3)
    assert (value(page, "step"), bars.inner_text()) == ("10", "5 of 9 requests: 390 tokens sent")
    keys(page, "b", "Enter")
    bars.get_by_text("9 of 9 requests: 972 tokens sent", exact=True).wait_for()
    assert value(page, "step") == "18"
    page.get_by_role("button", name="Cover it and guess again").click()
    bars.get_by_text("5 of 9 requests: 390 tokens sent", exact=True).wait_for()
    assert value(page, "step") == "10"


def test_a_file_that_does_not_open_leads_to_the_sample(page: Any, server: Any) -> None:
    """What is wrong with it stands where the question would, with a way on; so it does of one that has nothing to show."""
    page.goto(f"{server.url}/learn?{urlencode({'lesson': 2, 'step': 7, 'source': 'path:/nowhere.jsonl'})}")
    page.get_by_text("/nowhere.jsonl: no such file").wait_for()
    page.get_by_role("button", name="Show it on the sample").click()
    shown(page, "2.7")
    wait_addressed(page, "source=sample:openai-chat/coding-session.json")
    learn(page, server.url, lesson=2, step=7, source="sample:openai-chat/three-messages.json")
    page.get_by_text("never fills its window").wait_for()
    page.get_by_role("button", name="Show it on the sample").click()
    page.get_by_text("first simulated compaction of 3").wait_for()


def test_the_session_of_the_last_step_is_chosen_in_the_library(own: Any, server: Any) -> None:
    """Where one has nothing to show, and beside any other; the Library says what for, and its row leads back to the step."""
    path = str(files("sample_sessions").joinpath("openai-chat/coding-session.json"))
    row = [1, path, 0, "A", "f", "A day", "p", "m", 187, 4, 49_164, "o200k_base", 0, 0, "", 0, "", False]
    progress = {"done": 1, "total": 1, "now": "", "building": False}
    listed = {
        "rows": [row],
        "total": 1,
        "cut": {"folders": [], "most": 9},
        "unread": {"count": 0, "files": []},
        "progress": progress,
    }
    own.route(re.compile("/api/library$"), lambda route: route.fulfill(json=listed))
    learn(own, server.url, lesson=6, step=7, source="sample:openai-chat/three-messages.json")
    own.locator(".fl-learn-empty").get_by_role("button", name="Choose a session…").click()
    own.get_by_role("heading", name="Choose a session for lesson 6").wait_for()
    own.get_by_role("button", name="Keys").click()
    own.get_by_text("take the session to lesson 6").wait_for()
    own.keyboard.press("Escape")
    own.locator(".fl-library .fl-long-row").click()
    shown(own, "6.7")
    own.get_by_text("Your session: ").first.wait_for()
    own.locator(".fl-learn-panel").get_by_role("button", name="Choose another session…").click()
    own.get_by_role("heading", name="Choose a session for lesson 6").wait_for()
    own.evaluate(DROP, '[{"role": "user", "content": "Too short."}]')
    shown(own, "6.7")
    own.get_by_text("never fills its window").wait_for()


def test_the_time_that_is_left_is_never_cut(page: Any, server: Any) -> None:
    """At 900 by 700, beside the longest button: that of the last step but one, in each lesson."""
    page.set_viewport_size({"width": 900, "height": 700})
    for lesson, step in ((1, 5), (2, 6), (3, 5), (4, 5), (5, 5), (6, 6)):
        learn(page, server.url, lesson=lesson, step=step)
        left = page.locator(".fl-learn-left", has_text="min left")
        assert left.evaluate("(node) => node.scrollWidth <= node.clientWidth")


def test_boxes_come_where_there_is_something_to_choose(page: Any, server: Any) -> None:
    """Lesson 6 shows the groups first: they can be read, and none can be ticked yet; then each has its box."""
    for step, seen in ((1, 0), (2, 1)):
        learn(page, server.url, lesson=6, step=step)
        box = page.locator(".fl-board-groups input").first
        box.wait_for()
        assert box.evaluate("(node) => Number(getComputedStyle(node).opacity)") == seen


def test_new_words_are_explained(page: Any, server: Any) -> None:
    """Those that a newcomer meets at this step."""
    learn(page, server.url, lesson=1)
    assert page.locator(".fl-learn-words dt").all_inner_texts() == ["token", "window"]


def test_a_step_is_found_again_by_its_address(page: Any, server: Any) -> None:
    """Loaded anew: the same step, with what was guessed beside the answer; it can be guessed again."""
    learn(page, server.url, lesson=2, step=1)
    keys(page, "c", "Enter")
    state(page, "told")
    page.reload()
    shown(page, "2.1")
    said = page.locator(".fl-ask-said").inner_text()
    assert "Before the next model call" in said
    assert "You chose C" in said
    page.get_by_role("button", name="Cover it and guess again").click()
    state(page, "asking")
    assert page.locator(".fl-plan").is_hidden()


@pytest.mark.parametrize(("guess", "verdict"), [("A", "wrong"), ("B", "right"), ("", "shown")])
def test_a_place_is_chosen_in_the_window(page: Any, server: Any, guess: str, verdict: str) -> None:
    """Dashed lines between the messages; the answer is kept beside the guess, or without one."""
    learn(page, server.url, lesson=2, step=4)
    assert page.locator(".fl-slot-place:visible").count() == 3
    if guess:
        page.locator(".fl-slot-place", has_text=guess).first.click()
        keys(page, "Enter")
    else:
        page.get_by_role("button", name="I don't know").click()
    state(page, "told")
    assert page.locator(".fl-ask").get_attribute("data-answered") == verdict
    assert page.locator(".fl-slot-place:visible").count() == 0
    wait_for(page, f"() => ({DEEP})('{ROOT}').querySelector('.fl-row[data-region=summary]') !== null")


def test_the_arrow_keys_lead_on_after_a_row_was_clicked(page: Any, server: Any) -> None:
    """The list that has the row has the focus then, and a use for up and down alone; left leads back."""
    learn(page, server.url, lesson=2, step=2)
    page.locator(".fl-window .fl-row").nth(7).click()
    page.locator(".fl-window .fl-scroll:focus").wait_for()
    page.keyboard.press("ArrowRight")
    state(page, "told")
    page.keyboard.press("ArrowRight")
    shown(page, "2.3")
    page.keyboard.press("ArrowLeft")
    shown(page, "2.2")


FRAME = (".fl-learn-caption", ".fl-slot-timeline", ".fl-desk", ".fl-learn-foot")


@pytest.mark.parametrize(("width", "height"), [(1400, 900), (900, 700)])
def test_the_parts_of_a_lesson_stand_still(own: Any, server: Any, width: int, height: int) -> None:
    """From step to step, and behind an answer; question and figure fill the column beside the window, nothing is cut."""
    own.set_viewport_size({"width": width, "height": height})
    frames = set()
    for lesson, step in ((1, 1), (1, 2), (1, 5), (2, 1), (3, 3), (4, 2), (6, 2)):
        learn(own, server.url, lesson=lesson, step=step)
        for _ in range(2):
            frames.add(tuple((box["x"], box["y"]) for box in (own.locator(name).bounding_box() for name in FRAME)))
            whole = own.locator(".fl-desk")
            assert whole.evaluate("(node) => node.scrollHeight <= node.clientHeight + 1"), (lesson, step)
            for name in ("Check", "Next →"):
                for found in own.get_by_role("button", name=name, exact=True).all():
                    assert found.bounding_box()["y"] + 24 < height
            keys(own, "s")
            own.locator(f"{PAGE}:not([data-state=asking])").wait_for()
            drawn(own)
    assert len(frames) == 1


@pytest.mark.parametrize(("lesson", "step"), [(1, 1), (1, 2), (3, 2)])
def test_a_figure_fills_what_the_question_leaves(own: Any, server: Any, lesson: int, step: int) -> None:
    """Down to the buttons; once a message is chosen to be read, it stands below the figure."""
    learn(own, server.url, lesson=lesson, step=step)
    figure, foot = own.locator(".fl-figure-box"), own.locator(".fl-learn-foot").bounding_box()
    box = figure.bounding_box()
    assert foot["y"] - (box["y"] + box["height"]) == pytest.approx(10, abs=2)
    assert box["width"] > 400
    assert own.locator(".fl-slot-inspector").is_hidden()
    own.locator(".fl-window .fl-row").first.click()
    message = own.locator(".fl-slot-inspector")
    message.wait_for()
    assert own.locator(".fl-desk").bounding_box()["y"] < message.bounding_box()["y"]
    assert message.bounding_box()["height"] > 100


BELOW = f"""() => {{
  const list = ({DEEP})('{ROOT}').querySelector('.fl-window .fl-scroll');
  const rows = [...list.querySelectorAll('.fl-row, .fl-picture')].filter((row) => row.checkVisibility());
  return list.getBoundingClientRect().bottom - Math.max(...rows.map((row) => row.getBoundingClientRect().bottom));
}}"""
"""Pixels of the window in which no message stands, neither one that is there nor one that is still to come."""


@pytest.mark.parametrize("lesson", [1, 2, 3, 4, 5])
def test_the_first_step_of_a_lesson_fills_the_page(own: Any, server: Any, lesson: int) -> None:
    """At most five rows of its window are free at 1400 by 900, and the way on is in sight at 900 by 700."""
    own.set_viewport_size({"width": 1400, "height": 900})
    learn(own, server.url, lesson=lesson)
    wait_for(own, f"() => ({BELOW})() < 5 * 28")
    own.set_viewport_size({"width": 900, "height": 700})
    foot = own.get_by_role("button", name="Next →", exact=True)
    until(own, lambda: (box := foot.bounding_box())["y"] + box["height"] < 700)


def test_what_is_still_to_come_is_pale_until_it_is_there(page: Any, server: Any) -> None:
    """Of eleven messages ten at first; none at the end of the run, and none beside a question."""
    pale = page.locator(".fl-to-come .fl-picture:visible")
    page.set_viewport_size({"width": 1400, "height": 900})
    learn(page, server.url, lesson=1)
    expect(pale).to_have_count(10)
    page.locator("[data-tool=last]").click()
    expect(pale).to_have_count(0)
    learn(page, server.url, lesson=2)
    expect(pale).to_have_count(0)


def test_a_run_is_watched_before_its_step_is_done(page: Any, server: Any) -> None:
    """The first press plays it, the next ends it, and only then one goes on with a tick; Next goes on at once, without one.

    Of each press the keys say what it does.
    """
    learn(page, server.url, lesson=1)
    page.evaluate(NOTE_LEADS)
    first, leads = page.locator(".fl-learn-steps li").first, page.locator(".fl-learn-told > .fl-learn-keys").last
    on = page.get_by_role("button", name="Next →")
    expect(leads).to_contain_text("→ play")
    expect(on).to_have_attribute("data-ready", "false")
    on.click()
    shown(page, "1.2")
    assert first.get_attribute("data-done") is None
    keys(page, "ArrowLeft")
    shown(page, "1.1")
    expect(leads).to_contain_text("→ play")
    keys(page, "ArrowRight")
    wait_for(page, f"() => ({DEEP})('{ROOT}').dataset.step !== '0'")
    assert page.locator(PAGE).get_attribute("data-shown") == "1.1"
    keys(page, "ArrowRight")
    expect(on).to_have_attribute("data-ready", "true")
    expect(leads).to_contain_text("→ next")
    assert page.evaluate("() => window.leads.slice(-3)") == ["play", "to the end", "next"]
    keys(page, "ArrowRight")
    shown(page, "1.2")
    expect(first).to_have_attribute("data-done", "true")


def test_a_compaction_is_watched_before_its_step_is_done(page: Any, server: Any) -> None:
    """Each press tells its next phase, and only behind the last one goes on with a tick; Next goes on at once, without one."""
    learn(page, server.url, lesson=2, step=7)
    last, leads = page.locator(".fl-learn-steps li").last, page.locator(".fl-learn-told > .fl-learn-keys").last
    on = page.get_by_role("button", name="What you saw →")
    expect(on).to_have_attribute("data-ready", "false")
    on.click()
    state(page, "ended")
    assert last.get_attribute("data-done") is None
    keys(page, "ArrowLeft")
    shown(page, "2.7")
    for phase in (1, 2, 3):
        page.locator(f".fl-phase[data-phase='{phase}'][aria-pressed=true]").wait_for()
        expect(leads).to_contain_text("→ next phase")
        keys(page, "ArrowRight")
    expect(leads).to_contain_text("→ next ·")
    expect(on).to_have_attribute("data-ready", "true")
    assert page.locator(PAGE).get_attribute("data-shown") == "2.7"
    keys(page, "ArrowRight")
    state(page, "ended")
    expect(last).to_have_attribute("data-done", "true")


@pytest.mark.parametrize("comes", [True, False])
def test_a_press_before_the_run_is_there_waits_for_it(page: Any, server: Any, comes: bool) -> None:
    """It plays once it has come; where it does not come a press goes on, without a tick."""
    held: list[Any] = []
    page.route("**/api/scene?*", lambda route: held.append(route), times=1)
    page.goto(f"{server.url}/learn?lesson=1&step=1")
    leads = page.locator(".fl-learn-told > .fl-learn-keys").last
    expect(leads).to_contain_text("→ play")
    until(page, lambda: bool(held))
    page.keyboard.press("ArrowRight")
    if comes:
        held[0].continue_()
        wait_for(page, f"() => Number(({DEEP})('{ROOT}')?.dataset.step) > 0")
        return
    held[0].abort()
    page.locator(".fl-waiting:visible").wait_for()
    expect(page.locator(".fl-waiting")).not_to_have_text("Opening…")
    page.keyboard.press("ArrowRight")
    shown(page, "1.2")
    assert page.locator(".fl-learn-steps li").first.get_attribute("data-done") is None


NOTE_LEADS = f"""() => {{
  const keys = ({DEEP})('.fl-learn-told > .fl-learn-keys:last-of-type');
  window.leads = [];
  const note = () => {{
    const leads = keys.textContent.split(' · ').find((key) => key.startsWith('→'))?.slice(2);
    if (leads && window.leads.at(-1) !== leads) window.leads.push(leads);
  }};
  new MutationObserver(note).observe(keys, {{ childList: true, subtree: true }});
  note();
}}"""

NOTE_LIT = f"""() => {{
  const root = ({DEEP})('{PAGE}');
  window.lit = [];
  const note = () => {{
    const name = root.querySelector('.fl-present-phases [data-lit]')?.textContent.split(':')[0];
    if (name && window.lit.at(-1) !== name) window.lit.push(name);
  }};
  new MutationObserver(note).observe(root.querySelector('.fl-present-phases'), {{ subtree: true, attributes: true }});
  note();
}}"""


def test_a_summary_is_written_before_it_is_placed(page: Any, server: Any) -> None:
    """Its text and its size stand over the window, what it stands for is left as ghosts; it goes to its place from there."""
    learn(page, server.url, lesson=2, step=4)
    page.locator(".fl-position", has_text="phase 3 of 4").wait_for()
    hand = page.locator(".fl-slot-hand")
    assert hand.locator(".fl-role").inner_text() == "summary #1"
    assert hand.locator(".fl-preview").inner_text().startswith("[summary #1 of 5 earlier messages]")
    assert hand.locator(".fl-tokens").inner_text() == "94"
    page.locator(".fl-tabpanel", has_text="Which shelf got warmest").wait_for()
    assert page.locator(".fl-phase[data-phase='3'] .fl-figure").inner_text() == "~314 → ~94"
    assert page.locator(".fl-window .fl-row.fl-ghost").count() == 5
    assert page.locator(".fl-window .fl-row[data-region=summary]").count() == 0
    page.evaluate("() => history.replaceState(history.state, '', location.href + '&present=1')")
    page.reload()
    shown(page, "2.4")
    page.evaluate(NOTE_LIT)
    page.keyboard.press("PageDown")
    state(page, "told")
    wait_for(page, f"() => ({DEEP})('{ROOT}').querySelector('.fl-row[data-region=summary]') !== null")
    assert page.evaluate("window.lit") == ["4 splice"]  # no phase that was seen comes once more
    assert hand.is_hidden()
    page.keyboard.press("Escape")
    page.locator("[data-testid=stSidebar]").wait_for()


@pytest.mark.parametrize("present", [0, 1])
def test_places_to_choose_cover_no_message(own: Any, server: Any, present: int) -> None:
    """Nor one another, in a small window, too: what is to be placed leaves the list its room, the newest is in sight."""
    own.set_viewport_size({"width": 900, "height": 700})
    learn(own, server.url, lesson=2, step=4, **({"present": 1} if present else {}))
    newest = own.locator(".fl-window .fl-row[data-pool='8']").bounding_box()
    end = own.locator(".fl-slot-place", has_text="C").bounding_box()
    assert newest["y"] + newest["height"] <= end["y"] + 1
    tops = sorted(box["y"] for box in (slot.bounding_box() for slot in own.locator(".fl-slot-place").all()) if box)
    assert all(below - above > 20 for above, below in pairwise(tops))
    assert own.locator(".fl-slot-hand").is_visible()


AREAS = f"""() => {{
  const root = ({DEEP})('{ROOT}');
  const canvas = root.querySelector('.fl-timeline canvas');
  const region = (name) => getComputedStyle(root).getPropertyValue('--fl-' + name).trim();
  const pixels = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
  const seen = new Set();
  for (let k = 0; k < pixels.length; k += 4)
    seen.add('#' + [...pixels.slice(k, k + 3)].map((value) => value.toString(16).padStart(2, '0')).join(''));
  return ['system', 'compactable', 'recent'].filter((name) => seen.has(region(name)));
}}"""


def test_the_curve_does_not_tell_which_messages_stay_before_it_is_guessed(page: Any, server: Any) -> None:
    """Its areas have one color until the question which message stays is answered, as the rows have."""
    for step in (1, 2):
        learn(page, server.url, lesson=2, step=step)
        assert page.evaluate(AREAS) == []
    keys(page, "s")
    state(page, "told")
    wait_for(page, f"() => ({AREAS})().length === 3")


def test_a_number_is_guessed(own: Any, server: Any) -> None:
    """Digits with commas count, letters do not; a wrong number stands beside the right one."""
    ask = {"kind": "number", "question": "How many?", "unit": "tokens", "answer": 1390, "because": "So it is."}
    told(own, {"ask": ask, "veil": ["gauge"], "figures": {"kind": "sent", "calls": CALLS, "total": 1390}})
    learn(own, server.url, lesson=1)
    field = own.get_by_label("Your guess, in tokens")
    field.fill("many")
    field.press("Enter")
    state(own, "asking")
    field.fill("1,200")
    field.press("Enter")
    state(own, "told")
    assert own.locator(".fl-ask-said").inner_text().startswith("1,390 tokens. You said 1,200, which is 190 too few.")
    assert "3 of 3 requests: 1,390 tokens sent" in own.locator(".fl-figures").inner_text()


GREEN = f"""() => {{
  const [, green, blue] = getComputedStyle(({DEEP})('.fl-ask-kind')).color.match(/[\\d.]+/g).map(Number);
  return green > blue;
}}"""


def test_digits_go_into_the_field_wherever_the_focus_is(page: Any, server: Any) -> None:
    """Typed beside the debugger; Enter checks. What is right is said in the color of its frame."""
    learn(page, server.url, lesson=1, step=2)
    keys(page, "3", "9", "0", "Enter")
    state(page, "told")
    assert page.locator(".fl-ask[data-answered=right]").count() == 1
    wait_for(page, GREEN)
    learn(page, server.url, lesson=1, step=2)
    keys(page, "4", "0", "0", "Enter")
    state(page, "told")
    assert page.locator(".fl-ask-kind").first.inner_text().lower() == "≈ close"


def test_enter_checks_the_letter_that_was_pressed(page: Any, server: Any) -> None:
    """Also behind a press that asks for an answer first, which gives the first choice the focus."""
    learn(page, server.url, lesson=2, step=1)
    page.keyboard.press("ArrowRight")
    page.locator(".fl-ask-how", has_text="Choose an answer first").wait_for()
    page.keyboard.press("c")
    page.locator(".fl-ask-choice[data-choice=C][aria-pressed=true]").wait_for()
    page.keyboard.press("Enter")
    state(page, "told")
    assert page.locator(".fl-ask-choice[aria-pressed=true]").inner_text().split() == [
        "C",
        "After",
        "the",
        "final",
        "answer",
    ]


def test_a_task_fails_and_passes_while_a_slider_moves(page: Any, server: Any) -> None:
    """Each condition ticks as the engine says; the debugger shows the setting; what every setting does comes at the end."""
    learn(page, server.url, lesson=2, step=6)
    state(page, "failing")
    assert page.locator(".fl-task-conditions [data-passed=false]").count() == 1
    assert page.locator(".fl-strip").count() == 0
    slider = page.get_by_role("slider", name="keep_recent")
    slider.focus()
    page.keyboard.press("ArrowLeft")
    state(page, "passed")
    wait_for(page, f"() => ({DEEP})('{ROOT}').dataset.tokens === '161'")
    assert page.locator(".fl-task-conditions [data-passed=true]").count() == 3
    bars = page.locator(".fl-strip-bar").all_inner_texts()
    assert bars == ["166", "161", "185", "387", "387", "426", "421", "405"]
    parts = page.locator(".fl-strip-summary").evaluate_all("(parts) => parts.map((part) => part.style.height)")
    assert len(set(parts[:7])) == 7  # of each bar the part that is its own summary
    page.keyboard.press("ArrowLeft")
    state(page, "failing")


def test_a_task_chooses_a_policy_a_cut_and_what_to_keep(own: Any, server: Any) -> None:
    """Buttons for names, arcs with a cut that says what it parts, the board of the game with its room."""
    task = {
        "text": "Do it.",
        "controls": ["policy"],
        "ranges": {"policy": ["none", "agentkit.memory"]},
        "passed": "Done.",
    }
    cut = task | {"controls": ["cut"], "ranges": {"cut": [1, 7, 1]}}
    keep = task | {"controls": ["keep"], "ranges": {}}
    figures = {"cut": CUTS, "keep": GAME}

    def check(asked: dict[str, str]) -> dict[str, Any]:
        name = next(iter(asked), "keep")
        passed = (name, asked.get(name)) in (("policy", "agentkit.memory"), ("cut", "5"), ("keep", "1"))
        missing = [] if passed else ["Not yet."]
        return {"passed": passed, "missing": missing, "figures": figures.get(name)}

    steps = (
        {"task": task, "scene": SCENE | {"policy": "none"}},
        {"task": cut, "figures": CUTS},
        {"task": keep, "figures": GAME},
    )
    told(own, *steps, check=check)
    learn(own, server.url, lesson=1)
    state(own, "failing")
    own.get_by_role("button", name="agentkit.memory").click()
    state(own, "passed")
    keys(own, "Enter")
    shown(own, "1.2")
    state(own, "failing")
    handle = own.get_by_role("slider", name="cut")
    handle.focus()
    own.keyboard.press("ArrowRight")
    own.get_by_text("parts no pair").wait_for()
    handle.press("ArrowRight")
    own.get_by_text("parts 1 pair, at a turn boundary").wait_for()
    state(own, "passed")
    keys(own, "Enter")
    shown(own, "1.3")
    own.get_by_role("checkbox").first.check()
    state(own, "passed")
    own.get_by_role("checkbox").last.click()
    own.get_by_text("No room: 50 tokens too many").wait_for()
    assert not own.get_by_role("checkbox").last.is_checked()
    assert own.locator(".fl-board b", has_text="hello").count() == 0  # text of a transcript is no markup


def dragged(page: Any, x: float, y: float, width: float) -> list[str]:
    """Hold the mouse and move it by this width in six steps; what the cut is said to be before once each one is drawn."""
    page.mouse.move(x, y)
    page.mouse.down()
    said = []
    for k in range(1, 7):
        page.mouse.move(x + k * width, y, steps=4)
        said.append(page.locator(".fl-figure-box figcaption b").inner_text())
        state(
            page, "failing" if "no pair" not in said[-1] else "passed"
        )  # the engine has answered, and its figure is drawn
    page.mouse.up()
    return [text.split()[3].rstrip(":") for text in said]


@pytest.mark.parametrize("by", ["slider", "line"])
def test_a_cut_follows_the_mouse_as_far_as_it_is_dragged(page: Any, server: Any, by: str) -> None:
    """By the slider and by the line in the picture, whose numbers are not selected; keys go on from there."""
    learn(page, server.url, lesson=3, step=3)
    state(page, "failing")
    slider = page.get_by_role("slider", name="cut")
    line, last = (page.locator(".fl-cuts > rect").nth(k).bounding_box() for k in (2, 17))
    block = (last["x"] - line["x"]) / 15
    handle = slider.bounding_box()
    edge = line["x"] + line["width"] + 1  # the cut begins before message 4
    y = handle["y"] + handle["height"] / 2 if by == "slider" else line["y"] + 60
    assert slider.input_value() == "3"
    assert dragged(page, edge, y, block) == ["5", "6", "7", "8", "9", "10"]
    assert page.evaluate("() => String(getSelection())") == ""
    page.keyboard.press("ArrowLeft")
    page.get_by_text("Cut before message 9:").wait_for()


def test_the_end_of_a_lesson_names_the_steps_that_are_open(own: Any, server: Any) -> None:
    """A task that was left for later is one press away; once it is solved the lesson is done."""
    ranges = {"policy": ["none", "agentkit.memory"]}
    task = {"text": "Do it.", "controls": ["policy"], "ranges": ranges, "passed": "Done."}

    def check(asked: dict[str, str]) -> dict[str, Any]:
        passed = asked.get("policy") == "agentkit.memory"
        return {"passed": passed, "missing": [] if passed else ["Not yet."], "figures": None}

    told(own, {}, {"task": task, "scene": SCENE | {"policy": "none"}}, {}, check=check)
    learn(own, server.url, lesson=1)
    where, left = own.locator(".fl-learn-where").first, own.locator(".fl-learn-open")
    own.get_by_role("button", name="Next →").click()
    state(own, "failing")
    own.locator(".fl-learn-foot .fl-learn-primary").click()
    shown(own, "1.3")
    own.get_by_role("button", name="What you saw →").click()
    expect(left).to_have_text("1 step open:step 2")
    expect(where).to_have_text("Lesson 1 of 1 · 1 step open")
    left.get_by_role("button", name="step 2").click()
    state(own, "failing")
    own.get_by_role("button", name="agentkit.memory").click()
    state(own, "passed")
    learn_on(own, "1.3", 3)
    own.get_by_role("button", name="What you saw →").click()
    expect(where).to_have_text("Lesson 1 of 1 · done")
    expect(left).to_have_count(0)


def test_a_board_of_any_length_is_walked_by_keys(own: Any, server: Any) -> None:
    """1,400 groups are few nodes, with one stop for Tab; arrows lead to them, End to the last, Space keeps it."""
    groups = [{"id": k, "label": "user", "count": 1, "preview": "said", "tokens": 1} for k in range(1400)]
    game = GAME | {"groups": groups, "scores": None, "missed": []}
    task = {"text": "Do it.", "controls": ["keep"], "ranges": {}, "passed": "Done."}

    def check(asked: dict[str, str]) -> dict[str, Any]:
        passed = asked.get("keep") == "1399"
        return {"passed": passed, "missing": [] if passed else ["Not yet."], "figures": game}

    told(own, {"task": task, "figures": game}, check=check)
    learn(own, server.url, lesson=1)
    state(own, "failing")
    stop = own.locator(".fl-board-groups input[tabindex='0']")
    assert own.evaluate(COUNT_NODES) < 3000
    keys(own, "ArrowUp")
    assert stop.evaluate_all("(found) => found.map((one) => one.dataset.group)") == ["0"]
    own.keyboard.press("End")
    own.keyboard.press("Space")
    state(own, "passed")
    assert stop.evaluate_all("(found) => found.map((one) => one.dataset.group)") == ["1399"]
    assert stop.is_checked()
    own.locator(".fl-board-groups").evaluate("(list) => { list.scrollTop = 0; }")
    own.locator(".fl-board-groups input[data-group='0']").wait_for()
    own.keyboard.press("ArrowUp")
    own.locator(".fl-board-groups input[data-group='1398']:focus").wait_for()
    assert own.evaluate(COUNT_NODES) < 3000


def test_what_a_file_does_not_have_is_said(own: Any, server: Any) -> None:
    """Nothing to show, and why; a step that fails to load says so."""
    told(
        own, {"empty": "This session was never over budget. Try Suggested."}, {"scene": SCENE | {"source": "sample:no"}}
    )
    learn(own, server.url, lesson=1)
    own.get_by_text("never over budget").wait_for()
    own.get_by_role("button", name="step 2").click()
    own.get_by_text("There is no sample").wait_for()


def test_a_room_sees_all_messages_that_a_compaction_takes(page: Any, server: Any) -> None:
    """In lesson 2 at 1280 by 720 no row is scrolled away while the compaction is told, under a caption of two lines too."""
    page.set_viewport_size({"width": 1280, "height": 720})
    for step in (2, 3, 4):
        learn(page, server.url, lesson=2, step=step, present=1)
        page.locator(".fl-window .fl-row", has_text="Cold room 3 warmed up").wait_for()
        wait_for(page, ALL_IN_SIGHT)


def test_a_room_sees_whole_rows_where_the_window_is_at_its_end(page: Any, server: Any) -> None:
    """Also where the step before had another window, in a list of another height."""
    page.set_viewport_size({"width": 1280, "height": 720})
    learn(page, server.url, lesson=4, step=1, present=1)
    page.keyboard.press("ArrowRight")
    shown(page, "4.2")
    wait_for(page, AT_END)


def test_a_list_at_its_end_is_there_with_other_settings(page: Any, server: Any) -> None:
    """Also while a message is chosen: headings that come with them push no row half out of sight."""
    page.set_viewport_size({"width": 1280, "height": 720})
    learn(page, server.url, lesson=3, step=4, present=1)
    page.keyboard.press("ArrowRight")
    page.locator(f"{PAGE}[data-state=told]").wait_for()
    page.keyboard.press("ArrowRight")
    shown(page, "3.5")
    page.keyboard.press("ArrowRight")
    page.locator(".fl-window .fl-heading", has_text="Compactable").first.wait_for()
    wait_for(page, AT_END)


def test_the_presenter_is_driven_by_keys(page: Any, server: Any) -> None:
    """Forward shows the answer, then the next step; a guess is not judged; back, phases, speed, pause, again, leave."""
    learn(page, server.url, lesson=2, step=3, present=1)
    page.set_viewport_size({"width": 1280, "height": 720})
    assert page.locator("[data-testid=stSidebar]").is_hidden()
    keys(page, "a")
    page.keyboard.press("PageDown")
    state(page, "told")
    page.locator(".fl-present-phases [data-lit]", has_text="summarize").wait_for()
    for key, lit in (("2", "partition"), ("r", "summarize")):
        page.keyboard.press(key)
        page.locator(".fl-present-phases [data-lit]", has_text=lit).wait_for()
    page.keyboard.press("-")
    page.get_by_text("¼× speed").wait_for()
    page.keyboard.press(" ")
    page.get_by_text("paused").wait_for()
    page.keyboard.press("ArrowRight")
    shown(page, "2.4")
    page.keyboard.press("ArrowLeft")
    shown(page, "2.3")
    state(page, "asking")  # what a room said is not kept
    box = page.locator(".fl-window .fl-row").last.bounding_box()
    assert 28 * 1.2 <= box["height"] <= 28 * 1.42 + 0.6
    assert page.locator(".fl-present-caption").evaluate("(node) => getComputedStyle(node).fontSize") == "31px"
    page.keyboard.press("Escape")
    page.locator("[data-testid=stSidebar]").wait_for()
    shown(page, "2.3")


def test_a_room_is_told_where_the_first_lesson_begins(page: Any, server: Any) -> None:
    """A press back leads nowhere there: it is seen and heard."""
    learn(page, server.url, lesson=1, step=1, present=1)
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".fl-toast[data-shown=true]")).to_have_text("The first lesson begins here")
    shown(page, "1.1")


def test_findings_are_not_told_of_before_somebody_has_heard_of_them(page: Any, server: Any) -> None:
    """Lesson 1 is about what is sent: neither the header nor the curve has any; lesson 2, which asks for one, does."""
    for lesson, step, many in ((2, 6, 1), (1, 4, 0)):
        learn(page, server.url, lesson=lesson, step=step)
        keys(page, "s")
        state(page, "passed")
        for part in (".fl-found", ".fl-findmarks"):
            expect(page.locator(f"{part}:visible")).to_have_count(many)


WHOLE = """(selector) => { const root = (DEEP)('ROOT');
  const list = root.querySelector('.fl-slot-window .fl-list').getBoundingClientRect();
  const nodes = [...root.querySelectorAll(`.fl-slot-window ${selector}`)].filter((node) => node.checkVisibility());
  const inside = (box) => box.height > 0 && box.top >= list.top - 1 && box.bottom <= list.bottom + 1;
  return nodes.length > 0 && nodes.every((node) => inside(node.getBoundingClientRect())) }""".replace("DEEP", DEEP)
WHOLE = WHOLE.replace("ROOT", ROOT)


def test_a_room_sees_whole_what_is_asked_about(page: Any, server: Any) -> None:
    """The newest message, each place to choose and the summary are in sight without a pointer, and nobody is told to click."""
    page.set_viewport_size({"width": 1280, "height": 720})
    newest = {1: "bash3", 2: "bash3", 4: "bash3", 5: "bash3"}
    for step, text in newest.items():
        learn(page, server.url, lesson=2, step=step, present=1)
        row = page.locator(".fl-window .fl-row", has_text=text).last.element_handle()
        row.evaluate("(node) => node.classList.add('newest')")
        assert page.evaluate(WHOLE, ".newest"), step
        assert page.evaluate(WHOLE, ".fl-slot-place") == (step == 4)
        assert "Click" not in page.locator(".fl-present-side .fl-ask-question").inner_text()
    learn(page, server.url, lesson=2, step=3, present=1)
    page.keyboard.press("PageDown")
    state(page, "told")
    wait_for(page, f"() => ({WHOLE})('.fl-row[data-region=summary]')")
    card, ask = page.locator(".fl-inspector").bounding_box(), page.locator(".fl-present-side").bounding_box()
    assert card["y"] + card["height"] < ask["y"]
    page.keyboard.press("PageDown")
    shown(page, "2.4")
    wait_for(page, f"() => ({WHOLE})('.fl-row[data-pool=\"8\"]') && ({WHOLE})('.fl-slot-place')")
    page.keyboard.press("Escape")
    page.locator("[data-testid=stSidebar]").wait_for()


def test_a_clicker_is_enough(page: Any, server: Any) -> None:
    """The top names what next does: it plays the run to be seen, ends it, goes on; a task's solution is shown first."""
    learn(page, server.url, lesson=1, step=1, present=1)
    page.locator(".fl-present-caption", has_text="Watch 5 of them grow.").wait_for()
    assert "Press" not in page.locator(".fl-present-caption").inner_text()
    page.locator(".fl-present-top", has_text="play").wait_for()
    page.keyboard.press("PageDown")
    wait_for(page, f"() => ({DEEP})('{ROOT}').dataset.step !== '0'")
    page.keyboard.press("PageDown")
    page.locator(".fl-present-side").get_by_text("5 of 5 requests").wait_for()
    page.keyboard.press("PageDown")
    shown(page, "1.2")
    learn(page, server.url, lesson=2, step=6, present=1)
    state(page, "failing")
    page.keyboard.press("PageDown")
    state(page, "passed")
    page.keyboard.press("PageDown")
    shown(page, "2.7")
    for name in ("trigger", "partition", "summarize", "splice"):  # each press one tile of the card, then on
        page.locator(".fl-present-phases [data-lit]", has_text=name).wait_for()
        assert page.locator(PAGE).get_attribute("data-shown") == "2.7"
        page.keyboard.press("PageDown")
    state(page, "ended")
    assert "Here it takes their place" in page.locator(".fl-learn-end").inner_text()
    page.keyboard.press("PageDown")
    shown(page, "3.1")
    for place in ("2.7", "2.6"):
        page.keyboard.press("PageUp")
        shown(page, place)
    page.keyboard.press("Escape")
    page.locator("[data-testid=stSidebar]").wait_for()


def test_a_room_says_its_answer_by_digits(page: Any, server: Any) -> None:
    """A number is typed and shown, a message and a choice are chosen; where nothing is asked a digit does nothing.

    With Shift it opens a lesson. Backspace takes a digit back, of a message too, down to none.
    """
    learn(page, server.url, lesson=1, step=2, present=1)
    for key in ("4", "0", "1", "Backspace", "0"):
        page.keyboard.press(key)
    assert page.locator(".fl-ask-number input").input_value() == "400"
    page.keyboard.press("PageDown")
    page.get_by_text("You said 400, which is 10 too many.").wait_for()
    page.keyboard.press("4")
    page.keyboard.press("Shift+Digit2")
    shown(page, "2.1")
    page.keyboard.press("2")
    page.locator(".fl-ask-choice[data-choice=B][aria-pressed=true]").wait_for()
    learn(page, server.url, lesson=3, step=4, present=1)
    for key, row in (("1", "0"), ("0", "9"), ("Backspace", "0"), ("0", "9"), ("8", "7")):
        page.keyboard.press(key)
        page.locator(f".fl-row[data-pool='{row}'][aria-selected=true]").wait_for()
    page.keyboard.press("Backspace")
    page.locator(".fl-row[data-pool='17'][aria-selected=true]").wait_for()  # none: the newest is marked, as before
    for key, row in (("1", "0"), ("4", "13")):
        page.keyboard.press(key)
        page.locator(f".fl-row[data-pool='{row}'][aria-selected=true]").wait_for()
    page.keyboard.press("PageDown")
    page.locator(".fl-present-side .fl-ask[data-answered=right]").wait_for()
    page.keyboard.press("Escape")
    page.locator("[data-testid=stSidebar]").wait_for()


AFTER = """(selectors) => selectors.map((one) => getComputedStyle((DEEP)(one), '::after').content)""".replace(
    "DEEP", DEEP
)


def test_behind_an_answer_a_slide_agrees_with_itself(page: Any, server: Any) -> None:
    """314 became 94: in the window, too, and the card shows no total that the next step asks for. Nothing says "?"."""
    learn(page, server.url, lesson=2, step=3, present=1)
    figures = [f".fl-phase[data-phase='{phase}'] .fl-figure" for phase in (3, 4)]
    assert [text.partition(" /")[0] for text in page.evaluate(AFTER, figures)] == ['"?"', '"…"']  # one thing is asked
    page.keyboard.press("PageDown")
    state(page, "told")
    page.locator(".fl-gauge .fl-counts", has_text="314 became 94").wait_for()
    assert page.locator(".fl-gauge .fl-total").inner_text() == "still ~405 of 400"
    assert not page.locator(".fl-card .fl-numbers, .fl-inspector .fl-numbers").first.is_visible()
    learn(page, server.url, lesson=2, step=1, present=1)
    assert '"?"' in page.evaluate(AFTER, [".fl-when"])[0]
    assert '"?"' not in page.evaluate(AFTER, [".fl-gauge"])[0]
    page.keyboard.press("PageDown")
    state(page, "told")
    assert '"?"' not in page.evaluate(AFTER, [".fl-when"])[0]
    page.keyboard.press("Escape")
    page.locator("[data-testid=stSidebar]").wait_for()
    page.get_by_role("button", name="I don't know, show me").click()
    state(page, "told")
    covers = page.evaluate(AFTER, [".fl-gauge", ".fl-tabpanel"])
    assert [text.partition(" /")[0] for text in covers] == ['""', '"The next step goes on from here."']
    assert page.locator(".fl-slot-plan").is_hidden()


def test_what_stands_alone_begins_where_the_window_does(page: Any, server: Any) -> None:
    """A drawing, whose requests to come are outlines, has the whole height; a question has what its words need."""
    page.set_viewport_size({"width": 1280, "height": 720})
    for lesson, part in ((1, ".fl-figure-box"), (2, ".fl-ask")):
        learn(page, server.url, lesson=lesson, step=lesson, present=1)
        box = page.locator(f".fl-present-side {part}").bounding_box()
        beside = page.locator(".fl-learn-stage").bounding_box()
        assert box["y"] == pytest.approx(beside["y"], abs=2)
        if lesson == 1:
            assert box["height"] == pytest.approx(beside["height"], abs=4)
        else:
            assert box["height"] < 0.5 * beside["height"]
        assert page.locator(".fl-present-side").evaluate("(side) => side.scrollHeight <= side.clientHeight")
    learn(page, server.url, lesson=1, step=1, present=1)
    assert page.locator(".fl-present-side .fl-sent-later").count() == 5
    page.keyboard.press("Escape")


def test_a_room_sees_the_whole_window_before_it_is_compacted(page: Any, server: Any) -> None:
    """Its nine messages, and beside them the curve over the question; the phase is lit, also of a lesson that was open."""
    page.set_viewport_size({"width": 1280, "height": 720})
    learn(page, server.url, lesson=2)
    keys(page, "Shift+P")
    page.locator(f"{PAGE}[data-present]").wait_for()
    page.locator(".fl-present-phases [data-lit]", has_text="1 trigger").wait_for()
    drawn(page)
    end = page.locator(".fl-slot-window").bounding_box()
    rows = [row.bounding_box() for row in page.locator(".fl-window .fl-row").all()]
    assert len(rows) == 9
    assert all(row["y"] >= end["y"] and row["y"] + row["height"] <= end["y"] + end["height"] for row in rows)
    curve, ask = (page.locator(name).bounding_box() for name in (".fl-slot-timeline", ".fl-present-side"))
    assert curve["x"] == pytest.approx(ask["x"], abs=3)
    assert curve["y"] + curve["height"] <= ask["y"]
    page.keyboard.press("Escape")


def test_a_room_sees_one_pair_of_numbers_for_a_recorded_compaction(page: Any, server: Any) -> None:
    """Title and card have the tokens on record; the card has no other pair. A sample is not called one's own session."""
    learn(page, server.url, lesson=2, step=7, present=1, source="sample:claude-code/recorded-compaction.jsonl")
    page.keyboard.press("4")
    page.locator(".fl-present-phases [data-lit]", has_text="splice").wait_for()
    said = page.locator(".fl-present-caption").inner_text()
    assert said.startswith("A sample session, first compaction of 1: 23,016 tokens become 17,575, 24\u00a0% less.")
    page.locator(".fl-numbers .fl-after", has_text="17,575").wait_for()
    assert page.locator(".fl-numbers .fl-before:visible").count() == 1
    page.keyboard.press("Escape")
    page.locator("[data-testid=stSidebar]").wait_for()


NOT_DIMMED = f"""() => {{
  const parts = [...({DEEP})('{PAGE}').querySelectorAll('.fl-learn-stage, .fl-learn-stage *')];
  const filters = new Set(parts.map((part) => getComputedStyle(part).filter.split('(')[0]));
  return parts.length > 100 && [...filters].every((name) => ['none', 'drop-shadow'].includes(name));
}}"""


def test_a_question_is_a_slide_in_color(page: Any, server: Any) -> None:
    """Nothing beside it is turned grey, no card is empty, and only keys are named that do something there."""
    keys_of: dict[str, str] = {}
    page.set_viewport_size({"width": 1280, "height": 720})
    for step in (1, 2, 3):
        learn(page, server.url, lesson=2, step=step, present=1)
        state(page, "asking")
        assert page.evaluate(NOT_DIMMED)
        assert page.locator(".fl-slot-inspector").is_hidden()
        keys_of[f"2.{step}"] = " ".join(page.locator(".fl-present-top p kbd").all_text_contents())
    assert keys_of == {"2.1": "→ ← A – C, 1 – 3 Esc", "2.2": "→ ← 0 – 9 Esc", "2.3": "→ ← A – C, 1 – 3 Esc"}
    ask, stage = (
        page.locator(".fl-present-side > .fl-ask").bounding_box(),
        page.locator(".fl-learn-stage").bounding_box(),
    )
    assert ask["y"] == pytest.approx(stage["y"], abs=12)  # beside the head of the window
    page.keyboard.press("PageDown")
    state(page, "told")
    page.locator(".fl-slot-inspector").wait_for()
    assert " ".join(page.locator(".fl-present-top p kbd").all_text_contents()) == "→ ← Space R − + 1 – 4 Esc"
    page.keyboard.press("Escape")
    page.locator("[data-testid=stSidebar]").wait_for()


EMPTY = f"""() => {{
  const root = ({DEEP})('{ROOT}');
  const box = (node) => node.getBoundingClientRect();
  const rows = [...root.querySelectorAll('.fl-window .fl-scroll .fl-row')];
  const [stage, end] = [box(root.closest('.fl-learn-stage')), Math.max(...rows.map((row) => box(row).bottom))];
  return (stage.bottom - end) / stage.height;
}}"""


@pytest.mark.parametrize("step", [5, 6])
def test_after_a_compaction_the_curve_has_the_room(page: Any, server: Any, step: int) -> None:
    """Over the few messages that are left; what is below them is no more than a row or two."""
    page.set_viewport_size({"width": 1280, "height": 720})
    learn(page, server.url, lesson=2, step=step, present=1)
    page.locator(".fl-timeline").wait_for()
    assert page.evaluate(EMPTY) < 0.1
    page.keyboard.press("ArrowLeft")
    shown(page, f"2.{step - 1}")
    assert page.locator(".fl-timeline").is_hidden() == (step == 5)  # a compaction that is told has all of the room
    page.keyboard.press("Escape")
    page.locator("[data-testid=stSidebar]").wait_for()


def test_the_curve_follows_rows_that_are_laid_out_late(page: Any, server: Any) -> None:
    """On a slow machine some frames pass between a step and its rows: the curve has the room that they leave by then."""
    page.set_viewport_size({"width": 1280, "height": 720})
    learn(page, server.url, lesson=2, step=6, present=1)
    page.locator(".fl-timeline").wait_for()
    lists = page.locator(".fl-slot-window .fl-lists")
    high = lists.evaluate("(node) => node.style.getPropertyValue('--fl-rows')")
    for rows, state in (("2000px", "hidden"), (high, "visible")):
        lists.evaluate("(node, rows) => node.style.setProperty('--fl-rows', rows)", rows)
        page.locator(".fl-timeline").wait_for(state=state)
    page.keyboard.press("Escape")
    page.locator("[data-testid=stSidebar]").wait_for()


NUMBERS = """(selector) => [...(DEEP)(selector).querySelectorAll('.fl-role')]
  .map((node) => getComputedStyle(node, '::before').content.replaceAll('"', ''))""".replace("DEEP", DEEP)


def test_rows_are_numbered_where_a_message_is_asked_for(page: Any, server: Any) -> None:
    """The answer "message 7" is a number that its row shows; where nothing asks for a message, rows have none."""
    learn(page, server.url, lesson=2, step=2, present=1)
    assert page.evaluate(NUMBERS, ".fl-window .fl-scroll") == [str(k + 1) for k in range(9)]
    page.keyboard.press("PageDown")
    page.locator(".fl-present-side").get_by_text("Message 7.").wait_for()
    page.keyboard.press("PageDown")
    shown(page, "2.3")
    assert set(page.evaluate(NUMBERS, ".fl-window .fl-scroll")) == {"none"}
    page.keyboard.press("Escape")
    page.locator("[data-testid=stSidebar]").wait_for()


def test_the_blocks_of_a_window_have_the_numbers_that_the_answer_names(page: Any, server: Any) -> None:
    """Lesson 3 tells safe places by the message behind them: also where blocks are narrow, and where a room sees them low."""
    for size, present in (((1400, 900), {}), ((900, 700), {}), ((1280, 720), {"present": 1})):
        page.set_viewport_size({"width": size[0], "height": size[1]})
        learn(page, server.url, lesson=3, step=2, **present)
        page.keyboard.press("s")
        page.get_by_text("They lie before messages 3, 7, 10, 13, 14, 15 and 18.").wait_for()
        numbers = page.locator(".fl-cuts-name").filter(has_text=re.compile(r"\d"))
        expect(numbers).to_have_text([str(k + 1) for k in range(18)])
        boxes = numbers.evaluate_all("(all) => all.map((one) => one.getBoundingClientRect().toJSON())")
        assert all(one["right"] <= other["left"] for one, other in pairwise(boxes))
        assert all(box["height"] >= 10 for box in boxes)


def test_in_front_of_a_room_s_shows_the_answer_too(page: Any, server: Any) -> None:
    """As it does beside the lesson; the list says which lesson it presents."""
    learn(page, server.url)
    page.get_by_role("button", name="Present from lesson 1").click()
    shown(page, "1.1")
    learn(page, server.url, lesson=2, step=1, present=1)
    state(page, "asking")
    page.keyboard.press("s")
    page.locator(".fl-ask-choice[data-is=answer]").wait_for()
    page.keyboard.press("Escape")
    page.locator("[data-testid=stSidebar]").wait_for()


def test_a_booth_goes_on_by_itself(lone_page: Any, server: Any) -> None:
    """It shows the answer, goes to the next step, tries a task until it passes; the clock is the test's."""
    lone_page.context.add_cookies(cookies())
    lone_page.clock.install()
    lone_page.goto(f"{server.url}/learn?lesson=2&step=5&play=1")
    shown(lone_page, "2.5")
    lone_page.evaluate(NOTE_STATES)
    seen: list[str] = []
    while "2.7 told" not in seen:
        lone_page.clock.run_for(500)
        drawn(lone_page)
        seen = lone_page.evaluate("() => window.states")
    wanted = ["2.5 told", "2.6 failing", "2.6 passed"]
    assert [place for place in seen if place in wanted] == wanted


@pytest.mark.parametrize(
    "query",
    [
        {},
        {"lesson": 2, "step": 4},
        {"lesson": 2, "step": 6},
        {"lesson": 2, "step": 3, "present": 1},
        {"lesson": 6, "step": 2},
        {"lesson": 6, "step": 2, "present": 1},
    ],
)
def test_learn_is_accessible(page: Any, server: Any, query: dict[str, int]) -> None:
    """The list, a question with its covers, a task, the presenter, the board beside a lesson and in front of a room."""
    learn(page, server.url, **query)
    assert violations(page) == []
    if query.get("step") == 4:
        keys(page, "a", "Enter")
        state(page, "told")
        assert violations(page) == []


def guessed(page: Any, then: str) -> None:
    """Guess B and check it by Enter, wherever the focus is; Enter goes on to that step."""
    page.keyboard.press("b")
    page.keyboard.press("Enter")
    state(page, "told")
    page.keyboard.press("Enter")
    shown(page, then)


def test_enter_checks_a_guess_also_after_next_was_clicked(page: Any, server: Any) -> None:
    """The button keeps no focus; a question that is passed over is not done, one that is answered is."""
    learn(page, server.url, lesson=2, step=2)
    page.get_by_role("button", name="Next →").click()
    shown(page, "2.3")
    guessed(page, "2.4")
    steps = page.locator(".fl-learn-steps li")
    assert [steps.nth(k).get_attribute("data-done") for k in range(4)] == [None, None, "true", None]


def test_enter_checks_in_a_lesson_opened_from_the_sidebar_by_its_number(lone_page: Any, server: Any) -> None:
    """A lesson that opens takes the focus, which a click has left on the page's link: there Enter would follow the link."""
    page = lone_page
    look(page, server.url, source=SCENE["source"])
    page.get_by_role("link", name="Learn").click()
    page.locator(".fl-lesson").first.wait_for()
    page.keyboard.press("2")
    shown(page, "2.1")
    guessed(page, "2.2")


def test_a_question_is_whole_in_front_of_a_room(page: Any, server: Any) -> None:
    """Also where the debugger beside it is laid out after it."""
    page.set_viewport_size({"width": 1280, "height": 720})
    learn(page, server.url, lesson=2, step=1)
    keys(page, "Shift+P")
    page.locator(".fl-present-caption").wait_for()
    drawn(page)
    wait_for(page, f"() => (({DEEP})('.fl-present-side')).scrollHeight === (({DEEP})('.fl-present-side')).clientHeight")


def test_a_room_reads_the_summary_of_the_last_step_where_it_is_written(page: Any, server: Any) -> None:
    """Below its row, in the room that the messages leave, while phase 3 is shown."""
    page.set_viewport_size({"width": 1280, "height": 720})
    learn(page, server.url, lesson=2, step=7, present=1, source="sample:claude-code/recorded-compaction.jsonl")
    page.keyboard.press("3")
    page.locator(".fl-summary-below", has_text="What the user asked for").wait_for()
