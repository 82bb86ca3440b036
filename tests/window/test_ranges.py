"""Ranges of places, taken together and apart."""

from hypothesis import given
from hypothesis import strategies as st

from core.window.ranges import Range, inside, merged, originals, outside, places

RANGES = st.lists(st.tuples(st.integers(0, 30), st.integers(0, 8)).map(lambda p: (p[0], p[0] + p[1])), max_size=6)


def test_an_emptied_copy_has_the_place_of_its_message() -> None:
    """Copies stand in spaces of their own, far behind: message 3 and its copies are the same message."""
    assert originals(((0, 2), (100_000_003, 100_000_005), (200_000_007, 200_000_008))) == ((0, 2), (3, 5), (7, 8))


def test_ranges_taken_together() -> None:
    """What overlaps or touches becomes one range; empty ones are left out."""
    assert merged(((5, 7), (0, 2)), ((2, 3), (6, 9), (4, 4))) == ((0, 3), (5, 9))


def test_ranges_taken_apart() -> None:
    """What lies inside the others and what does not, in the order of the first."""
    assert list(inside(((8, 12), (0, 4)), ((2, 9), (11, 20)))) == [(8, 9), (11, 12), (2, 4)]
    assert list(outside(((8, 12), (0, 4)), ((2, 9), (11, 20)))) == [(9, 11), (0, 2)]


@given(one=RANGES, other=RANGES)
def test_the_same_as_with_sets(one: list[Range], other: list[Range]) -> None:
    """Place by place, it is what sets of places would give."""
    first, second = set(places(one)), set(places(other))
    assert list(places(merged(one, other))) == sorted(first | second)
    assert set(places(inside(one, merged(other)))) == first & second
    assert set(places(outside(one, merged(other)))) == first - second
