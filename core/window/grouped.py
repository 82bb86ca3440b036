"""Messages as the real system counts them, where it writes a reply and its results down otherwise than we do.

Strands writes all results of one reply into one message; OpenHands makes an event of each call. A window of ours then has
another size, and half of it lies elsewhere. `Policy.grouping` says which it is; a cut never falls inside such a message.
"""

from bisect import bisect_left, bisect_right
from itertools import pairwise

from core.policy.vocabulary import Grouping
from core.window.measured import WEIGHTS
from core.window.ranges import ADDED, SPACE, Range
from core.window.window import Window


def size(window: Window, grouping: Grouping, start: int = 0, stop: int | None = None) -> int:
    """How many messages those from index `start` up to `stop` are in the real system."""
    stop = len(window) if stop is None else stop
    if grouping == "none":
        return max(0, stop - start)
    total, last = 0, -1
    for part in window.cut(start, stop):
        total += _of_part(window, grouping, part, last)
        last = part[1] - 1
    return total


def _of_part(window: Window, grouping: Grouping, part: Range, last: int) -> int:
    """The same of one range of the pool, behind the pool's message `last`; -1 where nothing is in front of it."""
    pool, weigh = window.pool, WEIGHTS[grouping]
    first = weigh(pool.message(part[0]), pool.message(last) if last >= 0 else None)
    if ADDED <= part[0] < SPACE:
        messages = pool.slice(part)
        return first + sum(weigh(m, before) for before, m in pairwise(messages))
    running, (a, b) = pool.base.counted_messages(grouping), pool.origin(part) or part
    return first + running[b] - running[a + 1]


def behind(window: Window, grouping: Grouping, start: int, count: int) -> int:
    """The index behind the first so many messages of the real system, from index `start` on: never inside one of them."""
    if grouping == "none" or count <= 0:
        return min(len(window), start + max(0, count))
    places = range(start, len(window) + 1)
    end = bisect_left(places, count, key=lambda stop: size(window, grouping, start, stop))
    if end == len(places):
        return len(window)
    reached = size(window, grouping, start, start + end)
    return start + bisect_right(places, reached, key=lambda stop: size(window, grouping, start, stop)) - 1


def sizes(window: Window, grouping: Grouping, start: int) -> list[int]:
    """How many messages of the real system those from index `start` up to each index behind it are."""
    weigh, before, found = WEIGHTS[grouping], None, [0]
    for message in window.pool.listed(window.cut(start, len(window))):
        found.append(found[-1] + weigh(message, before))
        before = message
    return found
