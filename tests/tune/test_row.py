"""A row of a sweep, over the worked session."""

import pytest

from core import policy, replay, simulate
from core.measure.cache import CacheRule
from core.measure.cost import Prices
from core.tune.row import cost_of, row_of
from tests.measure.worked import Table, compacted, session, unbounded

PRICES = Prices(input=1, read=0.1, write=1, output=5)


def test_the_row_of_the_worked_session() -> None:
    """Every figure that is worked out on paper."""
    row = row_of(compacted(), "worked", CacheRule(lifetime=3600), PRICES)
    assert (row.session, row.policy, row.settings) == ("worked", "agentkit.memory", {"budget": 400, "keep_recent": 2})
    assert (row.compactions, row.peak_tokens, row.mean_tokens, row.tokens_sent) == (2, 612, 315.2, 1576)
    assert (row.cache_read, row.cache_write, row.summarizer_in, row.summarizer_out) == (632, 944, 552, 124)
    assert (row.calls, row.uncached, row.output) == (5, 0, 140)
    assert row.cost == pytest.approx(2879.2)
    assert (row.uses, row.misses, row.miss_rate) == (8, 3, 0.375)
    assert (row.tool_calls, row.repeats, row.faults, row.rework_tokens) == (4, 1, 1, 200)
    assert (row.gaps, row.short_gaps, row.given_up_calls) == (1, 1, 0)
    assert (row.regret, row.repaid, row.over_budget_calls, row.rebound_calls) == (1, 0, 0, 2)
    assert (row.missed_calls, row.over_budget_seconds, row.orphaned_pairs, row.net_freed) == (2, 0.0, 0, 84 - 124)
    assert (row.shared_cached, row.shared_fresh) == (370 + 382, 130 + 230)
    assert row.cost_shared == pytest.approx(2879.2 - 552 + 75.2 + 360)
    assert row.waiting_seconds is None
    assert (row.worst_step, row.worst_message) == (7, 7)  # behind one compaction: the first fold took all three names


def test_a_row_without_compactions_and_without_prices() -> None:
    """Nothing is missed, nothing costs what nobody knows."""
    row = row_of(unbounded(), "worked")
    assert (row.compactions, row.misses, row.miss_rate, row.faults, row.regret) == (0, 0, 0.0, 0, 0)
    assert (row.cost, row.repaid, row.rebound_calls, row.tokens_sent) == (None, None, None, 2420)
    assert (row.worst_step, row.worst_message) == (None, None)


def test_a_run_without_a_budget_is_never_over_it() -> None:
    """Which is not the same as never: the figure is missing."""
    row = row_of(replay(session(), meter=Table()), "worked")
    assert (row.policy, row.over_budget_calls, row.over_budget_seconds) == ("recorded", None, None)


def test_other_prices_take_no_other_run() -> None:
    """The cost at the prices of a run is that of the run, to the last digit, and at others what a run at those would give."""
    rule, dear = CacheRule(lifetime=300, minimum=200, block=16, overhead=20), Prices(3e-6, 3.1e-7, 3.7e-6, 1.53e-5)
    row = row_of(compacted(), "worked", rule, PRICES)
    assert row.uncached == 160  # the first prompt, which is too small for the cache
    assert cost_of(row, PRICES) == row.cost
    assert cost_of(row, dear) == row_of(compacted(), "worked", rule, dear).cost
    assert cost_of(row_of(unbounded(), "worked", CacheRule(lifetime=3600)), PRICES) == pytest.approx(1680)


def test_findings_are_left_out_on_request() -> None:
    """The rest of the row is the same."""
    with_them, without = row_of(compacted(), "worked"), row_of(compacted(), "worked", findings=False)
    assert without.findings is None
    assert with_them.findings is not None
    assert without == with_them.model_copy(update={"findings": None})


def test_a_row_without_compactions_has_a_cost_where_there_are_prices() -> None:
    """Nothing was to be repaid."""
    row = row_of(unbounded(), "worked", CacheRule(lifetime=3600), PRICES)
    assert row.cost == pytest.approx(1680)
    assert row.repaid == 0


def test_a_shared_cache_is_empty_after_a_pause() -> None:
    """Ten seconds before the first window, one before the second: a cache that keeps five knows only the prompt before that."""
    row = row_of(compacted(), "worked", CacheRule(lifetime=5), PRICES)
    assert (row.shared_cached, row.shared_fresh) == (382, 500 + 230)


def test_time_over_the_budget() -> None:
    """From call 2 to call 4; how long the last call, which is over it as well, nobody knows."""
    tight = policy("agentkit.memory", budget=380, keep_recent=10)
    row = row_of(simulate(session(), tight, meter=Table()), "worked")
    assert (row.over_budget_calls, row.over_budget_seconds) == (3, 605.0 + 6.0)
