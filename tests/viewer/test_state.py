"""What an address spells out."""

import pytest

from viewer.sources import Source, first_source
from viewer.state import RECORDED, Choice, chosen_policy, from_address


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
