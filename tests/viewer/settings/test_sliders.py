"""The rows of the settings panel: what can be turned, how far, and where it begins."""

import json
from typing import Any

import pytest
from hypothesis import given, settings

from core import Policy, meter, policies, policy
from core.engine.policies_used import SessionModel, for_session_model
from core.meters import measured
from core.model.session import RecordedCompaction
from core.policy.parameters import Parameter
from core.trace.trace import as_session
from tests.support import EXAMPLES, assistant, calls, lesson_session, result, sessions, system, user
from tests.viewer.settings.chats import chat
from viewer.settings.scales import nice_above, nice_near
from viewer.settings.sliders import parameter_panel


def panel(rule: Any, session: Any, model: str = "") -> dict[str, dict[str, Any]]:
    """The rows by name."""
    return {
        row["name"]: row for row in parameter_panel(rule, measured(session, meter("agentkit")), SessionModel(model))
    }


def rule_with(*parameters: Parameter, **settings: Any) -> Policy:
    """A policy of the lesson's kind with these parameters beside its own."""
    lesson = policy("agentkit.memory")
    return lesson.model_copy(update={"parameters": (*lesson.parameters, *parameters)}).with_settings(settings)


def test_sliders_suit_the_session() -> None:
    """20,805 tokens in 201 messages: the budget goes from 100 to 25,000 in steps of 100, keep_recent to 200."""
    rows = panel(policy("agentkit.memory"), chat(100))
    assert {k: v for k, v in rows["budget"].items() if k != "about"} == {
        "name": "budget",
        "kind": "number",
        "unit": "tokens",
        "value": 400,
        "default": 400,
        "suggested": 3000,
        "optional": False,
        "whole": True,
        "at_least": 0,
        "at_most": None,
        "start": 400,
        "min": 100,
        "max": 25_000,
        "step": 100,
        "why": "",
    }
    assert (rows["keep_recent"]["min"], rows["keep_recent"]["max"], rows["keep_recent"]["step"]) == (0, 200, 1)
    assert rows["keep_recent"]["about"] == "newest messages that stay verbatim"


def test_a_slider_reaches_a_default_near_the_session() -> None:
    """The lesson's 126 tokens: the range goes up to the default of 400, and begins at the system message's 20."""
    row = panel(policy("agentkit.memory", budget=100), lesson_session())["budget"]
    assert (row["min"], row["max"], row["step"], row["value"]) == (20, 400, 2, 100)


def test_a_slider_ignores_a_default_far_off() -> None:
    """A default of 100,000 does not stretch the range of a session of 2,085 tokens; a value set by hand does."""
    rows = panel(policy("minimal_agent.rolling", max_input_tokens=400), chat(10))
    assert (rows["max_input_tokens"]["min"], rows["max_input_tokens"]["max"]) == (10, 2500)
    assert rows["keep_recent_turns"]["max"] == 10
    assert panel(policy("minimal_agent.rolling"), chat(10))["max_input_tokens"]["max"] == 100_000


@pytest.mark.parametrize(
    ("session", "why"),
    [
        (as_session([]), "the session has no messages, so budget makes no difference"),
        (as_session([system("abcd" * 16)]), "all 20 tokens of the session are pinned, so budget makes no difference"),
    ],
)
def test_nothing_to_turn(session: Any, why: str) -> None:
    """A session that no budget would change has a slider of one position that says why."""
    row = panel(policy("agentkit.memory"), session)["budget"]
    assert (row["min"], row["max"], row["why"]) == (400, 400, why)


def test_a_text_has_no_range() -> None:
    """A parameter that is a text has no numbers."""
    row = panel(policy("agentlib.summarizing"), chat(3))["summary_prompt"]
    assert (row["kind"], "min" in row, row["value"]) == ("text", False, None)


def test_a_fraction_goes_in_small_steps_up_to_the_most() -> None:
    """A share of 0 to 1 has a hundred steps; one without a most goes to 1 or four times its value."""
    share = Parameter(name="share", default=0.3, whole=False, at_most=1)
    ratio = Parameter(name="ratio", default=2.5, whole=False)
    rows = panel(rule_with(share, ratio), chat(3))
    assert [(rows[n]["min"], rows[n]["max"], rows[n]["step"], rows[n]["whole"]) for n in ("share", "ratio")] == [
        (0, 1, 0.01, False),
        (0, 10, 0.1, False),
    ]


def test_a_number_that_is_not_set_has_one_to_begin_with() -> None:
    """Off is None; switched on it begins at a third of the session's 425 tokens, in round numbers."""
    row = panel(rule_with(Parameter(name="most", default=None, unit="tokens", optional=True)), chat(2))["most"]
    assert (row["value"], row["default"], row["optional"], row["start"]) == (None, None, True, 150)
    assert row["min"] <= row["start"] <= row["max"]


WINDOW = Parameter(name="window", default=None, unit="tokens", optional=True, session="window")


@pytest.mark.parametrize(
    ("model", "own", "whose"), [("claude-sonnet-4-5", 200_000, "claude-sonnet-4-5"), ("nobody-1", 200_000, "")]
)
def test_a_context_window_is_the_models_own(model: str, own: int, whose: str) -> None:
    """Unset, it is the model's, 200,000 where the model is not known; the range runs over decades."""
    row = panel(rule_with(WINDOW), chat(10), model)["window"]
    assert (row["value"], row["own"], row["whose"], row["scale"], row["session"]) == (None, own, whose, "log", "window")
    assert (row["min"], row["max"]) == (100, 200_000)


def test_a_context_window_beyond_the_models_is_reached() -> None:
    """The range holds the window that was set, however large."""
    assert panel(rule_with(WINDOW, window=3_000_000), chat(3), "gpt-4")["window"]["max"] == 3_000_000


def test_an_amount_has_a_range_for_each_unit() -> None:
    """A size of 20 messages of 21: messages up to 21, tokens up to beyond all 2,104, fractions up to 1."""
    keep = Parameter(
        name="keep", kind="size", default={"messages": 20}, units=("messages", "tokens", "fraction"), at_least=1
    )
    units = panel(rule_with(keep), chat(10))["keep"]["units"]
    assert [(u["unit"], u["min"], u["max"], u["step"], u["start"]) for u in units] == [
        ("messages", 1, 21, 1, 20),
        ("tokens", 10, 2500, 10, 500),
        ("fraction", 0, 1, 0.01, 0.3),
    ]


def test_thresholds_begin_where_they_would_show_something() -> None:
    """Each unit has its range, also under the real system's names; what is set is where it begins."""
    trigger = Parameter(name="trigger", kind="thresholds", default=None, units=("input_tokens", "tool_uses"))
    rows = panel(rule_with(trigger, trigger={"input_tokens": 9000}), chat(10))
    units = rows["trigger"]["units"]
    assert rows["trigger"]["value"] == [{"input_tokens": 9000}]
    assert [(u["unit"], u["max"], u["start"]) for u in units] == [("input_tokens", 9000, 9000), ("tool_uses", 1, 1)]


def test_names_come_with_the_tools_of_the_session() -> None:
    """The tools the session calls, those most called first."""
    asked = assistant("", calls("a", "grep"), calls("b", "bash"), calls("c", "bash"))
    session = as_session([user("go"), asked, result("a", "x"), result("b", "y"), result("c", "z")])
    row = panel(rule_with(Parameter(name="exclude", kind="names", default=[])), session)["exclude"]
    assert (row["known"], row["value"]) == (["bash", "grep"], [])


def test_choices_and_switches() -> None:
    """A choice comes with what can be chosen; a switch is true or false."""
    strategy = Parameter(name="strategy", kind="choice", default="first", choices=("first", "last"))
    partly = Parameter(name="partly", kind="switch", default=False)
    rows = panel(rule_with(strategy, partly, partly=True), chat(1))
    assert (rows["strategy"]["choices"], rows["strategy"]["value"]) == (["first", "last"], "first")
    assert (rows["partly"]["value"], rows["partly"]["default"]) == (True, False)


def test_a_number_of_nothing_can_be_turned_up() -> None:
    """A default of 0 tokens reaches beyond the session's 421, one of 0 tries reaches 10."""
    least = Parameter(name="least", default=0, unit="tokens")
    tries = Parameter(name="tries", default=0, unit="tries", at_most=8)
    rows = panel(rule_with(least, tries), chat(2))
    assert (rows["least"]["max"], rows["tries"]["max"]) == (500, 8)


@settings(max_examples=EXAMPLES)
@given(session=sessions())
def test_every_range_holds_its_value(session: Any) -> None:
    """Whatever the session, for every policy: min <= value <= max, a step above 0, a reason where nothing turns; JSON."""
    for rule in policies():
        for row in panel(rule, session).values():
            for one in row.get("units", [row] if row["kind"] == "number" else []):
                assert one["min"] <= one["start"] <= one["max"]
                assert one["step"] > 0
                assert one["min"] < one["max"] or one["why"]
            assert json.loads(json.dumps(row)) == row


def test_nice_numbers() -> None:
    """Nice numbers are 1, 1.5, 2, 2.5, 3, 4, 5, 6 and 8 times a power of ten, and whole."""
    assert [nice_near(n) for n in (0, 0.4, 1, 7, 11, 13, 990, 12_345)] == [1, 1, 1, 6, 10, 15, 1000, 10_000]
    assert [nice_above(n) for n in (0, 1, 10, 126, 1000)] == [1, 2, 15, 150, 1500]


def test_the_window_that_a_transcript_tells_counts_more_than_the_makers() -> None:
    """Codex says what it gives its model; the row and the run have that number."""
    event = RecordedCompaction(at=1, context_window=258_400)
    session = as_session([user("hi"), assistant("yes")]).model_copy(
        update={"model": "gpt-5.4", "compactions": (event,)}
    )
    assert for_session_model(policy("codex.local"), session).ceiling == 232_560
    rows = parameter_panel(
        policy("codex.local"), measured(session, meter("agentkit")), SessionModel("gpt-5.4", given_window=258_400)
    )
    row = next(row for row in rows if row["name"] == "model_context_window")
    assert (row["own"], row["whose"], row["start"]) == (258_400, "this transcript", 258_400)
