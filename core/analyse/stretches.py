"""Ranges of places, taken together and taken apart, so that a window of 100,000 messages is looked at as a few pairs."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator

from core.shadow import SPACE
from core.window import Range, Ranges


def plain(ranges: Iterable[Range]) -> Ranges:
    """The same ranges in the same order, of copies those of the messages that they are copies of."""
    return tuple((a % SPACE, a % SPACE + b - a) for a, b in ranges)


def merged(*many: Iterable[Range]) -> Ranges:
    """All places that any of these hold, as few ranges in ascending order."""
    parts: list[Range] = []
    for a, b in sorted(part for ranges in many for part in ranges if part[0] < part[1]):
        if parts and a <= parts[-1][1]:
            parts[-1] = (parts[-1][0], max(b, parts[-1][1]))
        else:
            parts.append((a, b))
    return tuple(parts)


def inside(ranges: Iterable[Range], others: Ranges) -> Iterator[Range]:
    """What of these ranges lies in the others, in the order of the first; the others are `merged`."""
    for a, b in ranges:
        k = bisect_right(others, a, key=lambda part: part[1])
        while k < len(others) and others[k][0] < b:
            yield max(a, others[k][0]), min(b, others[k][1])
            k += 1


def outside(ranges: Iterable[Range], others: Ranges) -> Iterator[Range]:
    """What of these ranges does not lie in the others, in the order of the first; the others are `merged`."""
    for a, b in ranges:
        start = a
        for x, y in inside(((a, b),), others):
            if start < x:
                yield start, x
            start = y
        if start < b:
            yield start, b


def places(ranges: Iterable[Range]) -> Iterator[int]:
    """Every place that these ranges hold, in order."""
    return (i for part in ranges for i in range(*part))
