"""A row of a sweep, over the worked session."""

import pytest

from core.measure.cache import CacheRule
from core.measure.cost import Prices
from core.tune.row import row_of
from tests.measure.worked import compacted, unbounded

PRICES = Prices(input=1, read=0.1, write=1, output=5)


def test_the_row_of_the_worked_session() -> None:
    """Every figure that is worked out on paper."""
    row = row_of(compacted(), "worked", CacheRule(lifetime=3600), PRICES)
    assert (row.session, row.policy, row.settings) == ("worked", "agentkit.memory", {"budget": 400, "keep_recent": 2})
    assert (row.compactions, row.peak_tokens, row.mean_tokens, row.tokens_sent) == (2, 612, 315.2, 1576)
    assert (row.cache_read, row.cache_write, row.summarizer_in, row.summarizer_out) == (632, 944, 552, 124)
    assert row.cost == pytest.approx(2879.2)
    assert (row.uses, row.misses, row.miss_rate) == (8, 3, 0.375)
    assert (row.tool_calls, row.repeats, row.faults, row.rework_tokens) == (4, 1, 1, 200)
    assert (row.regret, row.repaid, row.over_budget_calls, row.rebound_calls) == (1, 0, 0, 2)


def test_a_row_without_compactions_and_without_prices() -> None:
    """Nothing is missed, nothing costs what nobody knows."""
    row = row_of(unbounded(), "worked")
    assert (row.compactions, row.misses, row.miss_rate, row.faults, row.regret) == (0, 0, 0.0, 0, 0)
    assert (row.cost, row.repaid, row.rebound_calls, row.tokens_sent) == (None, None, None, 2420)
