"""The settings panel: every kind of parameter by mouse and by key, first alone, then in the app."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from tests.browser.looking import look, slider, value, wait_addressed, wait_for, wait_painted_anew
from tests.conftest import new_page
from tests.serving import ROOT

pytestmark = pytest.mark.browser
FRONTEND = ROOT / "viewer" / "frontend"
ORIGIN = "http://foldline.test/"
CODING = "sample:openai-chat/coding-session.json"
MOUNT = """
async () => {
  const { Panel } = await import('./viewer-assets/settings/panel.js');
  window.said = [];
  window.panel = new Panel(document.body, (settings) => said.push(settings.values));
  window.show = (params) => panel.update({ policy: 'p', params });
}
"""


def answer(route: Any) -> None:
    """The modules and styles, and an empty page."""
    path = route.request.url.removeprefix(ORIGIN)
    if path.startswith("viewer-assets/"):
        text = (FRONTEND / path.removeprefix("viewer-assets/")).read_text("utf-8")
        kind = "text/css" if path.endswith(".css") else "text/javascript"
        route.fulfill(body=text, content_type=kind)
    else:
        sheets = "".join(f"<link rel=stylesheet href=viewer-assets/{n}.css>" for n in ("lib/base", "settings/sidebar"))
        body = f"<!doctype html>{sheets}<body style='width:240px'>"
        route.fulfill(body=body, content_type="text/html")


@pytest.fixture(scope="module")
def bare(context: Any) -> Iterator[Any]:
    """A page that holds a panel and nothing else."""
    page = new_page(context, 400, 900)
    page.route(f"{ORIGIN}**", answer)
    yield page
    page.close()


@pytest.fixture
def panel(bare: Any) -> Any:
    """Shows parameters in a fresh panel: `panel(row, …)` returns the page."""
    bare.goto(ORIGIN)
    bare.evaluate(MOUNT)

    def show(*rows: dict[str, Any]) -> Any:
        bare.evaluate(f"() => show({json.dumps([{'about': '', 'unit': '', 'why': ''} | row for row in rows])})")
        return bare

    return show


def last_event(page: Any, name: str) -> Any:
    """What the panel said last of a parameter."""
    return page.evaluate(f"said.length ? said.at(-1).{name} : 'nothing'")


RANGE = {"min": 0, "max": 1000, "step": 10, "whole": True, "at_least": 0, "at_most": None}
SHARE = {"min": 0, "max": 1, "step": 0.01, "whole": False, "at_least": 0, "at_most": 1}


def test_a_fraction(panel: Any) -> None:
    """Arrows move by its step, the box takes 0.85 and refuses 1.5 with the rule."""
    page = panel({"name": "share", "kind": "number", "value": 0.3, "default": 0.3, "suggested": 0.3, **SHARE})
    page.get_by_role("slider").focus()
    page.keyboard.press("ArrowRight")
    assert last_event(page, "share") == 0.31
    box = page.locator(".fl-exact")
    box.fill("0.85")
    assert last_event(page, "share") == 0.85
    box.press("ArrowUp")
    assert last_event(page, "share") == 0.86
    box.fill("1.5")
    assert (last_event(page, "share"), page.locator(".fl-fault").inner_text()) == (0.86, "A number from 0 to 1")


def test_a_number_that_need_not_be_set(panel: Any) -> None:
    """Off it says "not set" and is null; on, by mouse or space, it begins where Python says."""
    row = {"name": "most", "kind": "number", "value": None, "default": None, "optional": True, "start": 500, **RANGE}
    page = panel(row)
    box, slider = page.locator(".fl-exact"), page.locator("input[type=range]")
    assert (box.input_value(), slider.is_visible()) == ("not set", False)
    page.get_by_role("switch").click()
    assert (last_event(page, "most"), box.input_value(), slider.is_visible()) == (500, "500", True)
    page.get_by_role("switch").press("Space")
    assert (last_event(page, "most"), box.input_value()) == (None, "not set")


WINDOW = {
    "name": "window",
    "kind": "number",
    "unit": "tokens",
    "default": None,
    "optional": True,
    "session": "window",
    "min": 1000,
    "max": 200_000,
    "step": 1,
    "scale": "log",
    "whole": True,
    "at_least": 1,
    "at_most": None,
    "own": 200_000,
    "whose": "claude-sonnet-4-5",
    "start": 200_000,
    "because": "so that this session fills it",
}


def test_a_context_window(panel: Any) -> None:
    """The model's own by name; turned it is a number, a suggested one says why; a button gives it back by name."""
    page = panel(WINDOW | {"value": 20_000, "suggested": 20_000})
    note = page.locator("[data-param=window] .fl-note")
    said = "Suggested so that this session fills it. The window of claude-sonnet-4-5 is 200,000."
    assert said in note.inner_text()
    page.get_by_role("button", name="Use 200,000").click()
    assert last_event(page, "window") is None
    assert note.inner_text().strip() == "This is the window of claude-sonnet-4-5."
    assert page.locator(".fl-exact").input_value() == "200,000"
    page.get_by_role("slider").focus()
    page.keyboard.press("Home")
    assert last_event(page, "window") == 1000
    page.locator(".fl-exact").fill("64000")
    assert last_event(page, "window") == 64_000
    assert note.inner_text().startswith("The window of claude-sonnet-4-5 is 200,000.")


def test_a_switch(panel: Any) -> None:
    """By mouse and by space."""
    page = panel({"name": "inputs", "kind": "switch", "value": False, "default": False, "suggested": False})
    page.get_by_role("switch", name="inputs").click()
    assert last_event(page, "inputs") is True
    page.keyboard.press("Space")
    assert last_event(page, "inputs") is False


def test_a_few_choices_are_segments(panel: Any) -> None:
    """Two short ones stand side by side: by mouse, and by arrow."""
    row = {"name": "strategy", "kind": "choice", "value": "first", "default": "first", "choices": ["first", "last"]}
    page = panel(row)
    page.get_by_role("radio", name="last").click(force=True)
    assert last_event(page, "strategy") == "last"
    page.keyboard.press("ArrowLeft")
    assert last_event(page, "strategy") == "first"


def test_many_choices_are_a_list(panel: Any) -> None:
    """Five are a select."""
    row = {"name": "snap", "kind": "choice", "value": "a", "default": "a", "choices": ["a", "b", "c", "d", "e"]}
    page = panel(row)
    page.get_by_role("combobox").select_option("d")
    assert last_event(page, "snap") == "d"


def test_a_text_keeps_its_lines(panel: Any) -> None:
    """What is typed is said; an empty field is null where that is the default; line breaks stay."""
    row = {"name": "prompt", "kind": "text", "value": "one\ntwo", "default": None}
    page = panel(row)
    field = page.get_by_role("textbox", name="prompt")
    assert field.input_value() == "one\ntwo"
    field.press("End")
    field.press_sequentially("!")
    assert last_event(page, "prompt") in ("one!\ntwo", "one\ntwo!")
    field.fill("")
    assert last_event(page, "prompt") is None


def test_names_are_toggled_and_typed(panel: Any) -> None:
    """The session's tools are buttons; others can be typed with commas between."""
    row = {"name": "exclude_tools", "kind": "names", "value": ["skill"], "default": [], "known": ["bash", "grep"]}
    page = panel(row)
    page.get_by_role("button", name="bash").click()
    assert last_event(page, "exclude_tools") == ["skill", "bash"]
    page.keyboard.press("Space")
    assert last_event(page, "exclude_tools") == ["skill"]
    page.get_by_role("textbox").fill("grep, mine ,, grep")
    assert last_event(page, "exclude_tools") == ["grep", "mine"]
    assert page.get_by_role("button", name="grep").get_attribute("aria-pressed") == "true"


UNITS = [
    {"unit": "messages", "start": 20, "min": 1, "max": 60, "step": 1, "whole": True, "at_least": 1, "at_most": None},
    {"unit": "tokens", "start": 500, "min": 10, "max": 2500, "step": 10, "whole": True, "at_least": 1, "at_most": None},
    {"unit": "fraction", "start": 0.3, **SHARE},
]


def test_a_size(panel: Any) -> None:
    """The unit is chosen, the amount turned; each unit keeps its own amount."""
    row = {"name": "keep", "kind": "size", "value": {"messages": 12}, "default": {"messages": 20}, "units": UNITS}
    page = panel(row)
    page.get_by_role("slider").focus()
    page.keyboard.press("ArrowRight")
    assert last_event(page, "keep") == {"messages": 13}
    page.get_by_role("combobox").select_option("fraction")
    assert last_event(page, "keep") == {"fraction": 0.3}
    page.locator(".fl-exact").fill("0.5")
    assert last_event(page, "keep") == {"fraction": 0.5}
    page.get_by_role("combobox").select_option("messages")
    assert last_event(page, "keep") == {"messages": 13}


def test_thresholds(panel: Any) -> None:
    """A switch and a slider for each unit: all that are on must hold, none on is never."""
    row = {"name": "trigger", "kind": "thresholds", "value": None, "default": None, "units": UNITS}
    page = panel(row)
    assert "manual trigger only" in page.locator(".fl-param").inner_text()
    page.get_by_role("switch", name="trigger, messages").click()
    page.get_by_role("switch", name="trigger, fraction").press("Space")
    assert last_event(page, "trigger") == [{"messages": 20, "fraction": 0.3}]
    page.get_by_role("slider", name="trigger, messages").focus()
    page.keyboard.press("End")
    assert last_event(page, "trigger") == [{"messages": 60, "fraction": 0.3}]
    page.get_by_role("switch", name="trigger, messages").click()
    page.get_by_role("switch", name="trigger, fraction").click()
    assert last_event(page, "trigger") is None


def test_several_clauses_stay_until_they_are_touched(panel: Any) -> None:
    """They stand there as text, and go out with every other change; a switch turned replaces them."""
    clauses = [{"messages": 8, "tokens": 60}, {"fraction": 0.8}]
    trigger = {"name": "trigger", "kind": "thresholds", "value": clauses, "default": None, "units": UNITS}
    page = panel(trigger, {"name": "inputs", "kind": "switch", "value": False, "default": False})
    assert "Any of: messages 8 and tokens 60; or fraction 0.8." in page.locator(".fl-panel").inner_text()
    page.get_by_role("switch", name="inputs").click()
    assert last_event(page, "trigger") == clauses
    page.get_by_role("switch", name="trigger, tokens").click()
    assert last_event(page, "trigger") == [{"tokens": 500}]


def test_back_to_the_defaults_and_to_what_was_suggested(panel: Any) -> None:
    """Each way back is there where it leads somewhere, and sets every parameter at once."""
    budget = {"name": "budget", "kind": "number", "value": 700, "default": 400, "suggested": 600, **RANGE}
    keep = {"name": "keep", "kind": "number", "value": 9, "default": 4, "suggested": 4, **RANGE}
    page = panel(budget, keep)
    reset = page.get_by_role("button", name="Reset to defaults")
    suggest = page.get_by_role("button", name="Use suggested values")
    reset.click()
    assert (last_event(page, "budget"), last_event(page, "keep"), reset.is_disabled()) == (400, 4, True)
    suggest.click()
    assert (last_event(page, "budget"), last_event(page, "keep"), suggest.is_disabled()) == (600, 4, True)
    assert "suggested for this session; default 400" in page.locator("[data-param=budget]").inner_text()


def test_what_is_being_turned_is_not_overruled(panel: Any) -> None:
    """A value from the server that comes while a row has the focus is older than the hand on it; the other rows take it."""
    row = {"name": "inputs", "kind": "switch", "value": False, "default": False}
    other = {"name": "partly", "kind": "switch", "value": False, "default": False}
    page = panel(row, other)
    page.get_by_role("switch", name="inputs").click()
    panel(row, other | {"value": True})
    boxes = [page.get_by_role("switch", name=name).is_checked() for name in ("inputs", "partly")]
    assert boxes == [True, True]


def test_in_the_app_thresholds_and_sizes_go_to_the_engine(page: Any, server: Any) -> None:
    """LangChain's trigger and keep: turned in the panel they are in the picture and in the address, and come back."""
    look(page, server.url, source=CODING, policy="langchain.summarization", trigger="never")
    steps, before = value(page, "steps"), value(page, "rendered")
    page.get_by_role("switch", name="trigger, messages").click()
    wait_painted_anew(page, before)
    assert int(value(page, "steps")) > int(steps)
    before = value(page, "rendered")
    page.get_by_role("combobox", name="keep, unit").select_option("tokens")
    wait_painted_anew(page, before)
    wait_for(page, "() => /trigger=messages/.test(location.search) && /keep=tokens/.test(location.search)")
    steps, address = value(page, "steps"), page.evaluate("() => location.search")
    look(page, server.url + "/" + address)
    assert value(page, "steps") == steps
    assert page.get_by_role("switch", name="trigger, messages").is_checked()
    assert page.get_by_role("combobox", name="keep, unit").input_value() == "tokens"


def test_in_the_app_a_suggestion_can_be_taken_back(page: Any, server: Any) -> None:
    """The model's own window never fills: one is suggested; taken back by hand it stays so through a reload."""
    look(page, server.url, source=CODING, policy="gemini_cli.compression")
    window = page.locator("[data-param=window]")
    assert "Suggested so that this session fills it." in window.inner_text()
    steps, before = int(value(page, "steps")), value(page, "rendered")
    window.get_by_role("button", name=re.compile("^Use ")).click()
    wait_painted_anew(page, before)
    assert int(value(page, "steps")) < steps
    wait_for(page, "() => /window=none/.test(location.search)")
    look(page, server.url + "/" + page.evaluate("() => location.search"))
    assert "Suggested" not in page.locator("[data-param=window]").inner_text()
    before = value(page, "rendered")
    page.get_by_role("button", name="Use suggested values").click()
    wait_painted_anew(page, before)
    assert int(value(page, "steps")) == steps


def test_in_the_app_a_sample_opens_with_what_is_suggested_for_it(page: Any, server: Any) -> None:
    """The sample's own settings are the suggestion: it says what they come to, and taking it up changes nothing."""
    look(page, server.url, source=CODING)
    suggest = page.get_by_role("button", name="Use suggested values")
    assert suggest.is_disabled()
    said = page.locator("#fl-suggested").inner_text()
    assert said.startswith(
        "Suggested: budget 16,000, keep_recent 8. By a quick trial without real summaries: about 3 compactions. "
        "The defaults make 40 or more, and "
    )
    before = value(page, "rendered")
    page.get_by_role("button", name="Reset to defaults").click()
    wait_painted_anew(page, before)
    assert page.locator("#fl-suggested").inner_text() == said
    before = value(page, "rendered")
    suggest.click()
    wait_painted_anew(page, before)
    assert (slider(page, "budget").get_attribute("aria-valuetext"), suggest.is_disabled()) == ("16,000 tokens", True)


def test_in_the_app_a_pinned_message_stays_until_it_is_let_go(page: Any, server: Any) -> None:
    """The address pins a message: the sidebar lists it, the last window is the larger for it, and a click lets it go."""
    query = {"source": CODING, "policy": "agentkit.memory", "budget": 16_000, "keep_recent": 8, "step": 9999}
    look(page, server.url, **query)
    without = value(page, "tokens")
    look(page, server.url, **query, pin=4)
    pin = page.get_by_role("button", name="Message 5 ×")
    pin.wait_for()
    with_it, before = value(page, "tokens"), value(page, "rendered")
    assert int(with_it) != int(without)
    pin.click()
    wait_painted_anew(page, before)
    wait_for(page, "() => !location.search.includes('pin=')")
    pin.wait_for(state="detached")
    assert value(page, "tokens") == without
    page.go_back()
    pin.wait_for()
    wait_for(page, "() => /pin=[^&]/.test(location.search)")


def test_in_the_app_a_runs_own_policy_loses_what_the_run_lost(page: Any, server: Any) -> None:
    """Simulated, it has the summaries that the run wrote: the overview tells of the same rule as the run as recorded."""
    look(page, server.url, source="sample:foldline/broken-rule.json")
    page.get_by_role("button", name="The run's own policy, simulated").click()
    wait_addressed(page, "summaries=recorded")
    assert all(part in page.url for part in ("policy=agentkit.memory", "budget=1600", "keep_recent=6"))
    page.locator(".fl-overview").get_by_text("The rule that would be lost").wait_for()
