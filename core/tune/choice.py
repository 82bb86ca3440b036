"""Which settings of a sweep are worth choosing: those that no other beats, and the cheapest that loses little enough."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeVar

K = TypeVar("K")

NEAR = 1.05
"""How much dearer than the best a setting may be to be named beside it."""


class Point(NamedTuple):
    """What one setting comes to: its cost (dollars, or tokens sent where there are no prices), and its miss rate, 0 to 1.

    One that gives up compacts nothing any more from some call on: it misses little, and its window is past its limit.
    """

    cost: float
    miss_rate: float
    thrashes: bool = False
    gives_up: bool = False

    @property
    def unfit(self) -> bool:
        """Whether it is never to be recommended."""
        return self.thrashes or self.gives_up


def pareto_front(points: Mapping[K, Point]) -> list[K]:
    """The settings that no other beats, from the cheapest to the one that misses least: none is as cheap and misses less.

    Of settings that come to the same, the first. One that gives up is not among them.
    """
    front: list[K] = []
    least = float("inf")
    for key, point in sorted(points.items(), key=lambda item: (item[1].cost, item[1].miss_rate)):
        if point.miss_rate < least and not point.gives_up:
            front.append(key)
            least = point.miss_rate
    return front


def best_of(points: Mapping[K, Point], limit: float) -> K | None:
    """The cheapest setting that misses at most `limit` (0 to 1) and is not unfit; None where there is none."""
    fit = [key for key, point in points.items() if point.miss_rate <= limit and not point.unfit]
    return min(fit, key=lambda key: (points[key].cost, points[key].miss_rate), default=None)


def near_best(points: Mapping[K, Point], best: K, limit: float) -> list[K]:
    """Settings within the limit that cost up to 5 % more than the best, without it and without those that are unfit."""
    dearest = NEAR * points[best].cost
    return [
        key
        for key, point in points.items()
        if key != best and point.cost <= dearest and point.miss_rate <= limit and not point.unfit
    ]


def lowest(points: Mapping[K, Point]) -> K | None:
    """The setting that misses least of those that are not unfit, else of all; the cheapest of several."""
    fit = {key: point for key, point in points.items() if not point.unfit} or dict(points)
    return min(fit, key=lambda key: (fit[key].miss_rate, fit[key].cost), default=None)


def percentile(values: Sequence[float], part: float) -> float:
    """The value below which `part` (0 to 1) of them lie, between two of them on a straight line. Raises ValueError for none."""
    if not values:
        raise ValueError("no values have no percentile")
    ordered = sorted(values)
    place = part * (len(ordered) - 1)
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (place - below) * (ordered[above] - ordered[below])
