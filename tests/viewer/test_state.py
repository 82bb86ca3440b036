"""What an address spells out."""

from typing import Any

import pytest

from core import FoldlineError, policies, policy
from core.parameters import Parameter
from viewer.sources import Source, first_source
from viewer.state import RECORDED, RESERVED, Choice, chosen_policy, from_address, read, spoken


def test_an_address_is_read_whole() -> None:
    """Source, policy, parameters, meter and summaries; the step is not a parameter."""
    choice, wrong = from_address(
        {
            "source": "path:/a.jsonl",
            "policy": "agentkit.memory",
            "budget": "900",
            "keep_recent": "3",
            "meter": "agentkit",
            "step": "12",
        }
    )

    assert choice.source == Source("path", "/a.jsonl")
    assert choice.policy == "agentkit.memory"
    assert dict(choice.settings) == {"budget": 900, "keep_recent": 3}
    assert wrong is None
    assert choice.meter == "agentkit"


def test_what_an_address_gets_wrong_is_said_and_stays_open() -> None:
    """Unknown names and values that do not fit are named; the rest is used; the recorded run is a policy of its own."""
    choice, wrong = from_address({"policy": "agentkit.memory", "budget": "many", "keep_recent": "3", "meter": "feet"})

    assert (choice.policy, dict(choice.settings), choice.meter) == ("agentkit.memory", {"keep_recent": 3}, "")
    assert str(wrong) == "not known: meter=feet, budget=many"
    assert from_address({"policy": "no.such"})[0].policy == ""
    assert from_address({"policy": RECORDED}) == (Choice(first_source(), RECORDED), None)
    assert from_address({})[0].source.kind in ("sample", "path")


@pytest.mark.parametrize(
    ("said", "budget"), [({"budget": "900"}, 900), ({"budget": "many"}, 400), ({"budget": -5}, 400), ({"x": 1}, 400)]
)
def test_settings_that_do_not_fit_are_left_at_their_default(said: dict[str, object], budget: int) -> None:
    """A stale or hand-written address never breaks the page."""
    assert chosen_policy("agentkit.memory", said).settings["budget"] == budget


PARAMETERS = (
    Parameter(name="budget", default=400, unit="tokens"),
    Parameter(name="share", default=0.8, whole=False, at_most=1),
    Parameter(name="most", default=None, unit="tokens", optional=True),
    Parameter(name="window", default=None, unit="tokens", session="window"),
    Parameter(name="inputs", kind="switch", default=False),
    Parameter(name="strategy", kind="choice", default="first", choices=("first", "last")),
    Parameter(name="placeholder", kind="text", default="[gone]"),
    Parameter(name="exclude", kind="names", default=["skill"]),
    Parameter(name="keep", kind="size", default={"messages": 20}, units=("messages", "tokens", "fraction")),
    Parameter(name="trigger", kind="thresholds", default=None, units=("messages", "tokens", "fraction")),
)
RULE = policy("agentkit.memory").model_copy(update={"parameters": PARAMETERS})


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"share": 0.35, "budget": 900}, {"share": "0.35", "budget": "900"}),
        ({"inputs": True, "strategy": "last"}, {"inputs": "on", "strategy": "last"}),
        ({"exclude": ["bash", "grep"], "placeholder": "x=1&y"}, {"exclude": "bash,grep", "placeholder": "x=1&y"}),
        ({"exclude": []}, {"exclude": ","}),
        ({"keep": {"fraction": 0.3}}, {"keep": "fraction:0.3"}),
        (
            {"trigger": [{"messages": 8, "tokens": 60}, {"fraction": 0.8}]},
            {"trigger": "messages:8+tokens:60,fraction:0.8"},
        ),
        ({"window": 50_000, "most": 12}, {"window": "50000", "most": "12"}),
    ],
)
def test_settings_of_every_kind_go_through_the_address(settings: dict[str, Any], said: dict[str, str]) -> None:
    """Each is spoken as written here, and read back as the same value; what is not set is left out."""
    rule = RULE.with_settings(settings)
    found = spoken(rule, {})
    assert said.items() <= found.items()
    assert {name for name, value in rule.settings.items() if value is None} & set(found) == set()
    assert {p.name: read(p, found[p.name]) for p in PARAMETERS if p.name in found} == {
        name: value for name, value in rule.settings.items() if value is not None
    }


def test_what_is_switched_off_is_said_where_it_would_be_on() -> None:
    """A window and thresholds that would be suggested, taken back by hand, stay so in the address."""
    rule = RULE.with_settings({"window": None, "trigger": None, "most": None})
    found = spoken(rule, {"window": 20_000, "trigger": [{"tokens": 4000}], "most": 7})
    assert (found["window"], found["trigger"], found["most"]) == ("none", "never", "none")
    known = {p.name: p for p in PARAMETERS}
    assert [read(known[name], found[name]) for name in ("window", "trigger", "most")] == [None, None, None]


def test_none_is_not_a_number_that_must_be_set() -> None:
    """Only what may be unset takes "none"."""
    with pytest.raises(FoldlineError, match="budget"):
        read(PARAMETERS[0], "none")


def test_no_parameter_bears_a_name_the_address_has_taken() -> None:
    """A parameter called "step" or "meter" could not be read back."""
    assert [p.name for rule in policies() for p in rule.parameters if p.name in RESERVED] == []
