"""Which message stands at a place of a window."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.window.measured import Measured
from core.window.ranges import Range, places
from core.window.window import Pool, Window

RANGE = st.tuples(st.integers(0, 99), st.integers(1, 5)).map(lambda p: (p[0], p[0] + p[1]))


FEW, MANY = st.lists(RANGE, max_size=3), st.lists(RANGE, min_size=12, max_size=12)


@given((FEW | MANY).map(tuple))
def test_each_place_is_found_however_many_ranges_there_are(ranges: tuple[Range, ...]) -> None:
    """As if every place were listed; behind the last one there is nothing."""
    window = Window(Pool(Measured([], [])), ranges)
    expected = list(places(ranges))
    assert [window.at(i) for i in range(len(window))] == expected
    with pytest.raises(IndexError):
        window.at(len(expected))
