"""Which settings are worth choosing: against every pair, over random points."""

from hypothesis import given
from hypothesis import strategies as st

from core.tune.choice import Point, best_of, lowest, near_best, pareto_front, percentile

POINTS = {
    "20k": Point(64, 0.16),
    "60k": Point(87, 0.059),
    "80k": Point(97, 0.049),
    "80k/16": Point(100, 0.043),
    "90k": Point(120, 0.045),
    "thrash": Point(95, 0.04, thrashes=True),
}
points = st.dictionaries(
    st.integers(0, 60),
    st.builds(
        Point, st.integers(0, 20).map(float), st.integers(0, 20).map(lambda n: n / 20), st.booleans(), st.booleans()
    ),
    max_size=25,
)


def test_the_front_runs_from_the_cheapest_to_the_one_that_misses_least() -> None:
    """A setting that another beats on both is not on it."""
    assert pareto_front(POINTS) == ["20k", "60k", "thrash"]
    assert pareto_front({"a": Point(1, 0.2), "b": Point(1, 0.2), "c": Point(2, 0.2)}) == ["a"]
    assert pareto_front({}) == []


@given(points)
def test_the_front_is_what_no_pair_beats(given_points: dict[int, Point]) -> None:
    """Checked the slow way; and every setting that does not give up is beaten or equalled by one of the front."""
    front = pareto_front(given_points)
    given_points = {key: point for key, point in given_points.items() if not point.gives_up}
    for key in front:
        cost, rate = given_points[key][:2]
        others = [p for k, p in given_points.items() if k != key]
        assert not any(p.cost <= cost and p.miss_rate < rate for p in others)
        assert not any(p.cost < cost and p.miss_rate <= rate for p in others)
    for point in given_points.values():
        assert any(given_points[k].cost <= point.cost and given_points[k].miss_rate <= point.miss_rate for k in front)


def test_the_best_is_the_cheapest_within_the_limit_that_does_not_thrash() -> None:
    """Up to five percent dearer ones stand beside it."""
    assert best_of(POINTS, 0.05) == "80k"
    assert near_best(POINTS, "80k", 0.05) == ["80k/16"]
    assert best_of(POINTS, 0.01) is None
    assert lowest(POINTS) == "80k/16"
    assert lowest({"only": Point(1, 0.5, thrashes=True)}) == "only"
    assert lowest({}) is None


def test_a_setting_that_gives_up_is_none_of_these() -> None:
    """However cheap it is, and however little it misses: nothing is compacted any more."""
    found = {**POINTS, "gives up": Point(60, 0.01, gives_up=True)}
    assert pareto_front(found) == ["20k", "60k", "thrash"]
    assert (best_of(found, 0.05), lowest(found)) == ("80k", "80k/16")
    assert near_best({"best": Point(60, 0.03), "gives up": Point(61, 0.01, gives_up=True)}, "best", 0.05) == []


@given(points, st.integers(0, 20).map(lambda n: n / 20))
def test_no_setting_within_the_limit_is_cheaper_than_the_best(given_points: dict[int, Point], limit: float) -> None:
    """The best is one of them, or there are none."""
    fit = {key: p for key, p in given_points.items() if p.miss_rate <= limit and not p.unfit}
    best = best_of(given_points, limit)
    assert (best in fit) if fit else best is None
    if best is not None:
        assert all(p.cost >= given_points[best].cost for p in fit.values())
        assert all(fit[key].cost <= 1.05 * given_points[best].cost for key in near_best(given_points, best, limit))


def test_a_percentile_lies_on_a_straight_line_between_two_values() -> None:
    """Of 1 to 11, the tenth percentile is 2; between 0 and 10, a quarter of the way is 2.5."""
    assert (percentile(range(11, 0, -1), 0.1), percentile([0, 10], 0.25), percentile([7], 0.9)) == (2, 2.5, 7)
