"""Grids of settings."""

import pytest

from core.model.errors import FoldlineError
from core.tune.grid import grid, parse_grid


def test_every_combination_in_order() -> None:
    """The values of the last parameter change first; what is fixed is in all."""
    values = parse_grid(["keep_recent=4, 8", "budget=1000,2000,1000"])
    found = grid("agentkit.memory", {}, values)
    assert [rule.settings for rule in found] == [
        {"budget": budget, "keep_recent": keep} for keep in (4, 8) for budget in (1000, 2000)
    ]
    assert [rule.settings["keep_recent"] for rule in grid("agentkit.memory", {"keep_recent": 3}, {"budget": [5]})] == [
        3
    ]


@pytest.mark.parametrize(
    ("parts", "why"),
    [
        (["budget"], "'budget' is no line of a grid"),
        (["=4"], "'=4' is no line of a grid"),
        (["budget="], "'budget=' is no line of a grid"),
        (["budget=1", "budget=2"], "budget is given twice"),
    ],
)
def test_what_is_no_grid(parts: list[str], why: str) -> None:
    """The error names the part."""
    with pytest.raises(FoldlineError, match=why):
        parse_grid(parts)


def test_a_grid_has_an_end() -> None:
    """Its size is known before anything is made."""
    with pytest.raises(FoldlineError, match="1,000,000 settings are too many"):
        grid("agentkit.memory", {}, {"budget": range(1, 1001), "keep_recent": range(1000)})


def test_the_end_counts_the_grids_of_all_policies() -> None:
    """A parameter that one of them does not have does not multiply its settings."""
    values = {"budget": range(1, 301), "keep_recent": range(300), "max_input_tokens": range(1000, 11_000)}
    with pytest.raises(FoldlineError, match="100,001 settings are too many"):
        grid(["agentkit.memory", "minimal_agent.rolling", "agentkit.memory", "crush"], {}, values)
