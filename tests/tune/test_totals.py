"""Sums over sessions: the cost of the sums is the sum of the costs."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.measure.cost import Prices
from core.tune.row import row_of
from core.tune.totals import Totals, totals
from tests.measure.worked import compacted, unbounded

PRICES = Prices(input=1, read=0.1, write=1, output=5)


def test_totals_of_the_worked_session() -> None:
    """Two runs of it: figures add up, the miss rate is of all uses, the cost that of both rows."""
    rows = [row_of(compacted(), "a", prices=PRICES), row_of(unbounded(), "b", prices=PRICES)]
    found = totals(rows)
    assert (found.sessions, found.compactions, found.tokens_sent) == (2, 2, 1576 + 2420)
    assert (found.uses, found.misses, found.miss_rate) == (16, 3, 3 / 16)
    assert found.cost(PRICES) == pytest.approx(sum(row.cost or 0 for row in rows))
    assert (found.gaps, found.short_gaps, found.calls, found.given_up_calls) == (1, 1, 10, 0)
    assert totals([]).miss_rate is None


@pytest.mark.parametrize(
    ("gaps", "short", "thrashes"), [(7, 7, False), (8, 2, True), (8, 1, False), (40, 10, True), (40, 9, False)]
)
def test_what_thrashes(gaps: int, short: int, thrashes: bool) -> None:
    """At least eight gaps, a quarter of them short."""
    assert Totals(gaps=gaps, short_gaps=short).thrashes is thrashes


@given(st.lists(st.integers(0, 5), max_size=6), st.floats(0, 10))
def test_cost_is_linear_in_prices(counts: list[int], factor: float) -> None:
    """Twice the price of everything is twice the cost."""
    some = Totals(uncached=100, cache_read=sum(counts), output=len(counts), summarizer_in=3)
    dearer = Prices(*(factor * part for part in (1, 0.1, 1, 5)))
    assert some.cost(dearer) == pytest.approx(factor * some.cost(PRICES))
