"""The front end's modules in a browser, without Streamlit: data that comes early, late, twice or in the wrong order."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from core import Session, meter, policy, replay, simulate
from tests.conftest import new_page
from tests.serving import ROOT
from tests.support import lesson_session, terse
from viewer.wire.joining import SHEETS
from viewer.wire.pack import store_bytes, view_payload

pytestmark = pytest.mark.browser

FRONTEND = ROOT / "viewer" / "frontend"
ORIGIN = "http://foldline.test/"
MOUNT = """
async () => {
  window.front = await import('./viewer-assets/main.js');
  const host = document.body.appendChild(document.createElement('div'));
  window.inside = host.attachShadow({ mode: 'open' });
  window.said = [];
  const setStateValue = (name, value) => said.push(value);
  window.triggered = [];
  const setTriggerValue = (name, value) => triggered.push([name, value]);
  window.view = (data) => front.view({ data, parentElement: inside, setStateValue, setTriggerValue });
  window.store = async (meter = 'agentkit') => {
    const bytes = new Uint8Array(await (await fetch('./store?' + meter)).arrayBuffer());
    front.store({ data: bytes, parentElement: document.body });
  };
}
"""

PLACES = """
(grid) => ['header', 'timeline', 'window', 'inspector'].map((slot) => {
  const { x, y, width, height } = inside.querySelector(`${grid} > .fl-slot-${slot}`).getBoundingClientRect();
  return [slot, x, y, width, height];
})
"""

DECODED = """
async (packed) => {
  const { decodeView } = await import('./viewer-assets/run/decode.js');
  await decodeView(packed);
}
"""


def bare(session: Session) -> tuple[bytes, dict[str, Any]]:
    """A session as recorded, as both components get it."""
    trace = replay(session, meter=meter("agentkit"))
    return store_bytes("bare", trace), view_payload("bare", "bare", trace, {"query": {}, "start": ""})


def packed(budget: int, counted_by: str = "agentkit") -> dict[str, Any]:
    """The lesson's run at a budget, as the component gets it."""
    rule = policy("agentkit.memory", budget=budget, keep_recent=3)
    trace = simulate(lesson_session(), rule, meter=meter(counted_by), summarizer=terse)
    return view_payload(f"lesson-{counted_by}", f"budget-{budget}", trace, {"query": {"budget": budget}, "start": "9"})


def answer(route: Any) -> None:
    """What the fake server says: the modules, the session, an empty page."""
    path, _, query = route.request.url.removeprefix(ORIGIN).partition("?")
    if path == "viewer-assets/joined.css":
        route.fulfill(body="".join((FRONTEND / name).read_text("utf-8") for name in SHEETS), content_type="text/css")
    elif path.startswith("viewer-assets/"):
        script = (FRONTEND / path.removeprefix("viewer-assets/")).read_text("utf-8")
        route.fulfill(body=script, content_type="text/javascript")
    elif path == "store":
        route.fulfill(body=store_bytes(f"lesson-{query}", replay(lesson_session(), meter=meter(query))))
    elif path.startswith("api/"):
        route.fulfill(body="{}", status=404, content_type="application/json")
    else:
        route.fulfill(body="<!doctype html><title>test</title>", content_type="text/html")


@pytest.fixture
def mounted(context: Any) -> Iterator[Any]:
    """A page with the modules loaded and a shadow root to mount in."""
    page = new_page(context, 1140, 880)
    page.route(f"{ORIGIN}**", answer)
    page.goto(ORIGIN)
    page.evaluate(MOUNT)
    yield page
    page.close()


def show(page: Any, budget: int, counted_by: str = "agentkit") -> None:
    """Hand the component a view; the call does not wait for it to be decoded."""
    page.evaluate(f"() => {{ window.leave = view({json.dumps(packed(budget, counted_by))}); }}")


def painted(page: Any, budget: int) -> None:
    """Wait until the run at this budget is on screen."""
    page.wait_for_function(f"inside.querySelector('.fl-app').dataset.rendered === 'budget-{budget}'")


def data_of(page: Any, name: str) -> str:
    """A data attribute of the root."""
    found: str = page.evaluate(f"inside.querySelector('.fl-app').dataset.{name}")
    return found


def test_a_view_waits_for_its_session(mounted: Any) -> None:
    """A trace that is there before its session is shown once the session arrives, at the step the address asks for."""
    show(mounted, 100)
    mounted.evaluate(DECODED, packed(100)["z"])
    assert data_of(mounted, "rendered") is None
    mounted.evaluate("store()")
    painted(mounted, 100)
    assert (data_of(mounted, "step"), data_of(mounted, "steps"), data_of(mounted, "mounts")) == ("9", "12", "1")


def test_the_newest_view_wins(mounted: Any) -> None:
    """Of ten views sent at once the last is shown, and the debugger was built once."""
    mounted.evaluate("store()")
    for budget in (*range(60, 150, 10), 100):
        show(mounted, budget)
    painted(mounted, 100)
    assert data_of(mounted, "mounts") == "1"


def test_the_cursor_stays_at_its_message(mounted: Any) -> None:
    """When a compaction appears before the cursor, the cursor moves on by a step and sees the same newest message."""
    mounted.evaluate("store()")
    show(mounted, 1000)
    painted(mounted, 1000)
    mounted.keyboard.press("End")
    assert (data_of(mounted, "step"), data_of(mounted, "steps")) == ("10", "11")
    show(mounted, 100)
    painted(mounted, 100)
    assert (data_of(mounted, "step"), data_of(mounted, "steps")) == ("11", "12")


def test_another_meter_keeps_the_place(mounted: Any) -> None:
    """Under another meter the cursor is at the same message, one step earlier where no compaction is before it any more."""
    mounted.evaluate("store()")
    show(mounted, 100)
    painted(mounted, 100)
    mounted.keyboard.press("End")
    mounted.evaluate("inside.querySelector('.fl-row:last-of-type').click()")
    mounted.evaluate("store('o200k_base')")
    show(mounted, 1000, "o200k_base")
    painted(mounted, 1000)
    assert (data_of(mounted, "step"), data_of(mounted, "steps")) == ("10", "11")
    assert mounted.evaluate("inside.querySelectorAll('.fl-row[aria-selected=true]').length") == 1


def test_the_plan_agrees_with_the_phase_on_show(mounted: Any) -> None:
    """While a compaction is taken apart the plan line tells of the window before it; after that, of what it left."""
    mounted.evaluate("store()")
    show(mounted, 100)
    painted(mounted, 100)
    mounted.keyboard.press("n")
    plan = mounted.locator(".fl-plan")
    seen = []
    for key in ("1", "3", "4"):
        mounted.keyboard.press(key)
        seen.append(plan.inner_text().partition(".")[0])
    assert seen == ["Over budget by ~8", "Before the compaction: over budget by ~8", "~39 below budget"]


def test_a_session_without_messages(mounted: Any) -> None:
    """One sentence says that there is nothing; the title stands above it, and its notes open."""
    packed_session, data = bare(Session(title="Never begun", notes=("the list is empty",)))
    numbers = json.dumps(list(packed_session))
    mounted.evaluate(f"() => front.store({{ data: new Uint8Array({numbers}), parentElement: document.body }})")
    mounted.evaluate(f"() => view({json.dumps(data)})")
    mounted.locator(".fl-waiting", has_text="This session has no messages.").wait_for()
    assert mounted.locator(".fl-waiting").inner_text() == "This session has no messages."
    assert mounted.locator(".fl-header h1").inner_text() == "Never begun"
    mounted.get_by_role("button", name="1 note").click()
    assert "the list is empty" in mounted.locator(".fl-notes").inner_text()


def test_a_transcript_that_is_being_opened(mounted: Any) -> None:
    """Its beginning and how far it is stand where the debugger will, until Python is asked for the run and sends it."""
    states = [
        {"stage": "reading", "read": 12_000_000, "messages": 0},
        {"stage": "reading", "read": 50_000_000, "messages": 0},
        {"stage": "counting", "read": 50_000_000, "messages": 23_453},
        {"stage": "done", "read": 50_000_000, "messages": 23_453},
    ]
    now = [0]
    mounted.route(f"{ORIGIN}api/opening/50", lambda route: route.fulfill(body=json.dumps(states[now[0]])))
    rows = [
        ["user", "", "<b>Fix</b> the report"],
        ["assistant", "→ Read", "report.py"],
        ["tool", "Read", "def report():"],
    ]
    begun = {"id": "50", "name": "50.jsonl", "size": 50_000_000, "rows": rows, "first": "<b>Fix</b> the report"}
    stage, bar = mounted.locator(".fl-opening-stage"), mounted.locator(".fl-opening-bar")

    mounted.evaluate("front.styled(inside)")
    mounted.evaluate(f"() => view({json.dumps({'opening': begun})})")
    mounted.wait_for_function("inside.querySelector('.fl-app').dataset.opening === '50'")
    mounted.locator(".fl-opening-stage", has_text="Reading: 12 of 50 MB…").wait_for()
    assert bar.evaluate("bar => [bar.value, bar.max]") == [12_000_000, 50_000_000]
    assert mounted.locator(".fl-opening-rows .fl-row").all_inner_texts() == [
        "M\nuser\n<b>Fix</b> the report",
        "M\n→ Read\nreport.py",
        "M\nRead\ndef report():",
    ]
    assert mounted.locator(".fl-opening-first").inner_text() == "<b>Fix</b> the report"
    places = mounted.evaluate(PLACES, ".fl-opening")
    for state, text in enumerate(["Reading the messages…", "Counting the tokens of 23,453 messages…"], 1):
        now[0] = state
        mounted.locator(".fl-opening-stage", has_text=text).wait_for()
        assert bar.get_attribute("value") is None
    now[0] = 3
    mounted.wait_for_function("triggered.length === 1")
    assert (mounted.evaluate("triggered"), stage.inner_text()) == ([["opened", "50"]], "Building the windows…")

    mounted.evaluate("store()")
    show(mounted, 100)
    painted(mounted, 100)
    assert (data_of(mounted, "mounts"), data_of(mounted, "opening"), mounted.locator(".fl-opening").count()) == (
        "1",
        None,
        0,
    )
    assert mounted.evaluate(PLACES, ".fl-grid") == places

    mounted.evaluate(f"() => view({json.dumps({'opening': {**begun, 'id': '51', 'rows': [], 'first': ''}})})")
    mounted.wait_for_function("inside.querySelector('.fl-app').dataset.opening === '51'")
    assert data_of(mounted, "rendered") is None
    assert not mounted.locator(".fl-opening .fl-slot-window").is_visible()
    show(mounted, 100)  # it did not open: Python sends what was shown before
    painted(mounted, 100)
    assert mounted.locator(".fl-opening").count() == 0


def test_cleaning_up_waits_for_the_element_to_go(mounted: Any) -> None:
    """A clean-up that comes while the element is in the page does nothing; afterwards it may come twice."""
    mounted.evaluate("store()")
    show(mounted, 100)
    painted(mounted, 100)
    mounted.evaluate("leave()")
    assert data_of(mounted, "step") == "9"
    gone = mounted.evaluate("inside.host.remove(), leave(), leave(), inside.querySelector('.fl-app') === null")
    assert gone is True


def test_keys_move_unless_a_person_types(mounted: Any) -> None:
    """Arrows and letters step; in the find field the same keys are text."""
    mounted.evaluate("store()")
    show(mounted, 100)
    painted(mounted, 100)
    seen = []
    for key in ("g", "n", "ArrowLeft", "End", "p", "Shift+ArrowLeft"):
        mounted.keyboard.press(key)
        seen.append(data_of(mounted, "step"))
    assert seen == ["0", "10", "9", "11", "10", "1"]
    mounted.keyboard.press("/")
    mounted.keyboard.type("nGp ")
    assert data_of(mounted, "step") == "1"


def test_the_address_follows_the_cursor(mounted: Any) -> None:
    """The query of the page holds the settings and the step, a moment after the last move."""
    mounted.evaluate("store()")
    show(mounted, 100)
    painted(mounted, 100)
    mounted.keyboard.press("ArrowLeft")
    mounted.wait_for_function("location.search === '?budget=100&step=8'")


PARAM = {"name": "budget", "unit": "tokens", "min": 500, "max": 20000, "step": 1, "value": 16000, "default": 400}


def test_the_exact_number_goes_below_the_slider(mounted: Any) -> None:
    """The box takes what the policy takes, says why it does not take the rest, and groups thousands when it is left."""
    mounted.evaluate("store()")
    show(mounted, 100)
    painted(mounted, 100)
    data = {"policy": "p", "params": [PARAM | {"about": "", "why": "", "at_least": 1}]}
    mounted.evaluate(f"() => front.panel({{ data: {json.dumps(data)}, parentElement: document.body }})")
    box = mounted.locator(".fl-exact")
    seen = [box.input_value()]
    for typed in ("30", "0"):
        box.fill(typed)
        seen.extend([box.input_value(), mounted.locator(".fl-fault").inner_text()])
    box.fill("12345678")
    box.blur()
    mounted.wait_for_function("said.length && said.at(-1).values.budget === 12345678")
    assert [*seen, box.input_value()] == ["16,000", "30", "", "0", "A whole number, 1 or more", "12,345,678"]


def test_sliders_speak_once_a_frame_and_the_last_word_counts(mounted: Any) -> None:
    """A hundred moves of a slider reach Python as a few, the last of which is the slider's value."""
    mounted.evaluate("store()")
    show(mounted, 100)
    painted(mounted, 100)
    param = {"name": "budget", "unit": "tokens", "min": 1, "max": 500, "step": 1, "value": 100, "default": 400}
    data = {"policy": "p", "params": [param | {"about": "", "why": ""}]}
    mounted.evaluate(f"() => front.panel({{ data: {json.dumps(data)}, parentElement: document.body }})")
    mounted.evaluate(
        "() => { const range = document.querySelector('input[type=range]');"
        " for (let v = 101; v <= 200; v++) { range.value = v; range.dispatchEvent(new Event('input')); } }"
    )
    mounted.wait_for_function("said.at(-1)?.values.budget === 200")
    said = mounted.evaluate("said")
    assert len(said) < 10
    assert said[-1] == {"policy": "p", "values": {"budget": 200}, "nth": len(said)}
