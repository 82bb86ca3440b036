"""Ranges of places in a pool, taken together and taken apart, so that a window of 100,000 messages is a few pairs.

A pool has three parts, each of which begins at a fixed place: the session's messages at 0, what compactions added at
`ADDED`, and behind that, `SPACE` apart, the copies of the session's messages that a policy clears in place. No range lies
in two parts. So a session may have up to 50 million messages, and its compactions may add as many.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence

Range = tuple[int, int]
Ranges = tuple[Range, ...]

ADDED = 50_000_000  # the k-th message that compactions added stands at ADDED + k
SPACE = 100_000_000  # copy s of message i stands at (s + 1) * SPACE + i


def joined(ranges: Iterable[Range]) -> Ranges:
    """The same messages in as few ranges as can be."""
    parts: list[Range] = []
    for part in ranges:
        a, b = part
        if a == b:
            continue
        if parts and parts[-1][1] == a:
            parts[-1] = (parts[-1][0], b)
        else:
            parts.append(part)
    return tuple(parts)


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
        k = bisect_right(others, a, key=_end)
        while k < len(others) and others[k][0] < b:
            yield max(a, others[k][0]), min(b, others[k][1])
            k += 1


def outside(ranges: Iterable[Range], others: Ranges) -> Iterator[Range]:
    """What of these ranges does not lie in the others, in the order of the first; the others are `merged`."""
    for part in ranges:
        a, b = part
        k = bisect_right(others, a, key=_end)
        if k >= len(others) or others[k][0] >= b:
            yield part  # the same pair, not an equal one: thousands of layouts share theirs
            continue
        while k < len(others) and others[k][0] < b:
            if a < others[k][0]:
                yield (a, others[k][0])
            a, k = others[k][1], k + 1
        if a < b:
            yield (a, b)


def without(ranges: Iterable[Range], taken: Ranges) -> Ranges:
    """The ranges without what lies in `taken`, which need not be in order."""
    return joined(outside(ranges, merged(taken) if len(taken) > 1 else taken)) if taken else joined(ranges)


def replaced(layout: Ranges, groups: Sequence[Range], put: Sequence[Range]) -> Ranges:
    """The layout with each of these ranges, in the order of the layout, replaced by what was put in for it."""
    parts, k = list[Range](), 0
    for part in layout:
        a, b = part
        while k < len(groups) and a <= groups[k][0] < b:
            parts += [(a, groups[k][0]), put[k]]
            a, k = groups[k][1], k + 1
        parts.append(part if a == part[0] else (a, b))
    return joined(part for part in parts if part[0] < part[1])


def places(ranges: Iterable[Range]) -> Iterator[int]:
    """Every place that these ranges hold, in order."""
    return (i for part in ranges for i in range(*part))


def single(ranges: Iterable[Range]) -> Iterator[Range]:
    """A range for each message."""
    return ((i, i + 1) for i in places(ranges))


def size(ranges: Iterable[Range]) -> int:
    """How many messages these ranges hold."""
    return sum(b - a for a, b in ranges)


def originals(ranges: Iterable[Range]) -> Ranges:
    """The same ranges in the same order, of copies those of the messages that they are copies of."""
    return tuple((a % SPACE, a % SPACE + b - a) for a, b in ranges)


def _end(part: Range) -> int:
    return part[1]
