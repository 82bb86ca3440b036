"""Messages as the real system counts them, where it writes a reply and its results down otherwise than we do.

Strands writes all results of one reply into one message; OpenHands makes an event of each call. A window of ours then has
another size, and half of it lies elsewhere. `Policy.grouping` says which it is; a cut never falls inside such a message.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import accumulate

from core.policy.vocabulary import Grouping
from core.window.measured import WEIGHTS, results_as_one
from core.window.ranges import Range
from core.window.window import Window


def size(window: Window, grouping: Grouping, start: int = 0, stop: int | None = None) -> int:
    """How many messages those from index `start` up to `stop` are in the real system."""
    stop = len(window) if stop is None else stop
    if grouping == "none":
        return max(0, stop - start)
    total, last = 0, -1
    for part in window.cut(start, stop):
        running, a, b = _running(window, grouping, part)
        total += running[b] - running[a] - _joins(window, grouping, part, last, running[a + 1] - running[a])
        last = part[1] - 1
    return total


def behind(window: Window, grouping: Grouping, start: int, count: int) -> int:
    """The index behind the first so many messages of the real system, from index `start` on: never inside one of them."""
    if grouping == "none" or count <= 0:
        return min(len(window), start + max(0, count))
    left, place, last = count, start, -1
    for part in window.cut(start, len(window)):
        running, a, b = _running(window, grouping, part)
        before = running[a] + _joins(window, grouping, part, last, running[a + 1] - running[a])
        if running[b] - before < left:
            left, place, last = left - running[b] + before, place + b - a, part[1] - 1
            continue
        reached = running[bisect_left(running, before + left, a + 1, b + 1)] if left else before
        end = bisect_right(running, reached, a + 1, b + 1) - 1
        place, left, last = place + end - a, 0, part[1] - 1
        if end < b:
            break
    return place


def _running(window: Window, grouping: Grouping, part: Range) -> tuple[Sequence[int], int, int]:
    """A running sum over messages of the real system, and from where to where in it a range of the pool lies."""
    own = window.pool.origin(part)
    if own is not None:
        return window.pool.base.counted_messages(grouping), *own
    weigh, messages = WEIGHTS[grouping], window.pool.slice(part)
    pairs = zip(messages, (None, *messages), strict=False)
    return list(accumulate((weigh(m, before) for m, before in pairs), initial=0)), 0, len(messages)


def _joins(window: Window, grouping: Grouping, part: Range, last: int, counted: int) -> int:
    """How many fewer the first message of a range is here than `counted`; behind the pool's message `last`, -1 for none."""
    if grouping != "results":
        return 0
    pool = window.pool
    return counted - results_as_one(pool.message(part[0]), pool.message(last) if last >= 0 else None)


def sizes(window: Window, grouping: Grouping, start: int) -> list[int]:
    """How many messages of the real system those from index `start` up to each index behind it are."""
    weigh, before, found = WEIGHTS[grouping], None, [0]
    for message in window.pool.listed(window.cut(start, len(window))):
        found.append(found[-1] + weigh(message, before))
        before = message
    return found
