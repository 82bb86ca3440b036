"""Parameters: what each kind takes, how it is said, and what is refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.model.errors import ParameterError
from core.policy.parameters import Parameter

WHOLE = Parameter(name="keep", default=3, unit="messages", at_least=1, at_most=9)
SHARE = Parameter(name="ratio", default=0.3, unit="fraction", whole=False, at_most=1)
MAYBE = Parameter(name="cap", default=None, unit="tokens", optional=True)
MODEL = Parameter(name="window", default=None, unit="tokens", session="window")
SWITCH = Parameter(name="inputs", default=False, kind="switch")
CHOICE = Parameter(name="start_on", default="human", kind="choice", choices=("human", "ai"))
NAMES = Parameter(name="exclude", default=[], kind="names")
SIZE = Parameter(name="keep", default={"messages": 20}, kind="size", units=("messages", "tokens", "fraction"))
TRIGGER = Parameter(name="trigger", default=None, kind="thresholds", units=("messages", "tokens", "fraction"))


@pytest.mark.parametrize(
    ("parameter", "value", "kept"),
    [
        (WHOLE, 4, 4),
        (WHOLE, "4", 4),
        (WHOLE, 4.0, 4),
        (SHARE, "0.25", 0.25),
        (SHARE, 1, 1),
        (MAYBE, None, None),
        (MAYBE, "none", None),
        (MAYBE, "500", 500),
        (MODEL, None, None),
        (SWITCH, "on", True),
        (SWITCH, "0", False),
        (SWITCH, True, True),
        (CHOICE, "ai", "ai"),
        (NAMES, "bash, grep", ["bash", "grep"]),
        (NAMES, ("bash",), ["bash"]),
        (NAMES, "", []),
        (SIZE, {"tokens": 4000}, {"tokens": 4000}),
        (SIZE, ("fraction", 0.3), {"fraction": 0.3}),
        (SIZE, "messages:12", {"messages": 12}),
        (TRIGGER, None, None),
        (TRIGGER, "never", None),
        (TRIGGER, ("tokens", 4000), [{"tokens": 4000}]),
        (TRIGGER, {"messages": 8, "tokens": 60}, [{"messages": 8, "tokens": 60}]),
        (TRIGGER, "messages:8+tokens:60,fraction:0.8", [{"messages": 8, "tokens": 60}, {"fraction": 0.8}]),
        (TRIGGER, [("messages", 8), {"tokens": 60}], [{"messages": 8}, {"tokens": 60}]),
        (TRIGGER, '[{"messages": 8, "tokens": 60}]', [{"messages": 8, "tokens": 60}]),
        (TRIGGER, {"type": "tokens", "value": 60}, [{"tokens": 60}]),
        (TRIGGER, ("tokens", "60"), [{"tokens": 60}]),
        (SIZE, '{"tokens": 4000}', {"tokens": 4000}),
        (NAMES, '["bash", "grep"]', ["bash", "grep"]),
        (NAMES, None, []),
    ],
)
def test_a_value_is_taken_as_json_has_it(parameter, value, kept):
    """Whatever way it is written, the policy keeps numbers, texts, lists and dictionaries."""
    assert parameter.check(value) == kept


@pytest.mark.parametrize(
    ("parameter", "value"),
    [
        (WHOLE, 0),
        (WHOLE, 10),
        (WHOLE, 2.5),
        (WHOLE, True),
        (WHOLE, None),
        (MAYBE, 10**400),
        (MAYBE, "9" * 5000),
        (SIZE, {"messages": 10**400}),
        (SIZE, {"messages": "9" * 5000}),
        (SHARE, "1.5"),
        (SHARE, float("nan")),
        (MAYBE, "many"),
        (SWITCH, "maybe"),
        (CHOICE, "tool"),
        (NAMES, 3),
        (SIZE, {"turns": 2}),
        (SIZE, {"messages": 1, "tokens": 2}),
        (SIZE, {}),
        (SIZE, "messages"),
        (SIZE, {"fraction": 1.5}),
        (SIZE, {"messages": 1.5}),
        (TRIGGER, {"messages": -1}),
        (TRIGGER, 4000),
        (TRIGGER, "{tokens: 4000"),
        (TRIGGER, {"type": [], "value": 1}),
        (TRIGGER, "[" * 100_000),
        (TRIGGER, ("tokens", "many")),
    ],
)
def test_a_value_that_will_not_do_names_the_rule(parameter, value):
    """The error names the parameter and the value, its hint the rule."""
    with pytest.raises(ParameterError, match="is not valid") as caught:
        parameter.check(value)
    assert caught.value.hint == parameter.rule


@pytest.mark.parametrize(
    ("parameter", "value", "said"),
    [
        (WHOLE, 4, "4"),
        (MAYBE, None, ""),
        (SWITCH, True, "on"),
        (NAMES, ["bash", "grep"], "bash,grep"),
        (SIZE, {"tokens": 4000}, "tokens:4000"),
        (TRIGGER, [{"messages": 8, "tokens": 60}, {"fraction": 0.8}], "messages:8+tokens:60,fraction:0.8"),
        (TRIGGER, None, "never"),
    ],
)
def test_a_value_is_said_as_text(parameter, value, said):
    """As an address or a command line holds it."""
    assert parameter.to_text(value) == said


AMOUNTS = st.dictionaries(st.sampled_from(["messages", "tokens"]), st.integers(0, 10**9), min_size=1)


@given(st.one_of(st.none(), st.lists(AMOUNTS, min_size=1, max_size=3)))
def test_what_is_said_is_read_back(value):
    """Thresholds survive the address bar."""
    assert TRIGGER.check(TRIGGER.to_text(value)) == value
