"""How much of a window's end stays verbatim: one rule for each unit of a size.

A rule says where a tail of that size begins in one window (`start`), and where it can, in one sweep, where it begins after each
message that joins a growing window (`starts`).
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain, repeat
from typing import Any

from core.policy.policy import Policy
from core.policy.vocabulary import Clear, Digest, Size, Stage
from core.window.context import CutContext, Growth
from core.window.heads import summary_size
from core.window.measured import Measured
from core.window.ranges import ADDED, Range
from core.window.window import Window

Count = Callable[[Range], int]


@dataclass(frozen=True)
class SizeRule:
    """How a tail of so much of a unit is found.

    `about(keep, behind, base)` estimates its tokens in a session with `behind` tokens behind the head. `starts` is the fast
    path; it answers None where only `start` knows.
    """

    start: Callable[[CutContext, Size], int]
    about: Callable[[float, int, Measured], float]
    starts: Callable[[Growth, Size], Iterable[int] | None] = lambda growth, size: None


def _messages(context: CutContext, size: Size) -> int:
    return max(context.body, context.behind(0, context.messages() - context.value(size.value)))


def _messages_each(growth: Growth, size: Size) -> list[int] | None:
    """One further each time, once there are more messages than the body and these."""
    if growth.policy.grouping != "none":
        return None
    keep, body, sizes = growth.policy.value(size.value), growth.whole.body, growth.sizes
    starts = range(sizes.start - keep, sizes.stop - keep)
    short = max(0, body - starts.start)
    return [*(min(body, size) for size in sizes[:short]), *starts[short:]]


def _turns(context: CutContext, size: Size) -> int:
    """The start of the oldest of the newest turns; the head's end when there are no more turns than that.

    A summary in front is no turn, also where it was read back from a file and looks like a typed message.
    """
    window, keep, starts = context.window, context.value(size.value), context.window.pool.base.turn_starts
    if keep <= 0:
        return len(window)
    front = _turns_from(context)
    return context.head if _count(window, starts, front) <= keep else _nth_newest(window, starts, keep, front)


def _turns_from(context: CutContext) -> int:
    """Where in the window its turns begin: behind the head, and behind a summary there."""
    place = context.stage.placement
    return context.head + (summary_size(context.window, context.head, place) if place else 0)


def _turns_each(growth: Growth, size: Size) -> Iterable[int]:
    """It moves only when a turn begins."""
    first, turns, front = len(growth.window), growth.window.pool.base.turn_starts, _turns_from(growth.whole)
    old = [p for p in _places_inside(growth.window, turns) if p >= front]
    new = (first + t - growth.at for t in turns[bisect_left(turns, growth.at) : bisect_left(turns, growth.upto)])
    places = [*old, *(p for p in new if p >= front)]
    return chain.from_iterable(_turn_by_turn(growth, places, len(old), growth.policy.value(size.value)))


def _turn_by_turn(growth: Growth, places: list[int], seen: int, keep: int) -> Iterator[Iterable[int]]:
    """The tail's start from one arrival of a turn to the next."""
    head, size = growth.whole.head, growth.sizes[0]
    borders = [*(place + 1 for place in places[seen:]), growth.sizes[-1] + 1]
    for count, border in enumerate(borders, start=seen):
        if count > keep:
            yield repeat(places[count - keep], border - size) if keep else range(size, border)
        else:
            yield (min(head, s) for s in range(size, border)) if keep else range(size, border)
        size = border


def _tokens(context: CutContext, size: Size) -> int:
    keep = _tokens_of(context.policy, size)
    if context.scope.fit == "within":
        return token_tail(context.window, keep, context.body, counter(context.window, context.policy))
    return _reaching(context, keep)


def _tokens_of(policy: Policy, size: Size) -> int:
    """The tokens that a size stands for; of a share of the context window one at least."""
    if size.unit == "tokens":
        return policy.value(size.value)
    return max(1, int(policy.names["window"] * float(policy.number(size.value))))


def _tokens_each(growth: Growth, size: Size) -> Iterable[int] | None:
    """While what has joined counts no more than the tail, it reaches into the window as it was before."""
    if growth.scope.fit != "within":
        return None
    window, at, keep = growth.window, growth.at, _tokens_of(growth.policy, size)
    wordless, count = growth.policy.trigger.counts == "wordless", counter(window, growth.policy)
    running = window.pool.base.counted("wordless" if wordless else "window")
    reached = bisect_right(running, running[at] + keep, lo=at, hi=growth.upto + 1)
    sums, missing = _sums(window, count), sum(map(count, window.ranges)) - running[at] - keep
    inside = (bisect_left(sums, missing + r) for r in running[at:reached])
    shift, targets = len(window) - at, (r - keep for r in running[reached : growth.upto + 1])
    starts = map(bisect_left, repeat(running), targets, repeat(at), range(reached, growth.upto + 1))
    return chain(inside, (start + shift for start in starts))


def _sums(window: Window, count: Count) -> list[int]:
    """The running sum of the window's tokens, one more entry than messages."""
    if count == window.pool.tokens:
        return list(accumulate(chain.from_iterable(map(window.pool.each, window.ranges)), initial=0))
    return list(accumulate((count((i, i + 1)) for part in window.ranges for i in range(*part)), initial=0))


def _results(context: CutContext, size: Size) -> int:
    places = places_of_results(context.window, context.stage)
    return newest(context.window, places, context.value(size.value), context.body)


def _all_of(keep: float, behind: int, base: Measured) -> float:
    return keep


def _none_of(keep: float, behind: int, base: Measured) -> float:
    return 0


def _share_of(count: Callable[[Measured], int]) -> Callable[[float, int, Measured], float]:
    """An estimate by the average size of what is counted."""
    return lambda keep, behind, base: behind / max(1, count(base)) * keep


SIZES = {
    "messages": SizeRule(_messages, _share_of(lambda base: len(base.messages)), _messages_each),
    "turns": SizeRule(_turns, _share_of(lambda base: len(base.turn_starts)), _turns_each),
    "tokens": SizeRule(_tokens, _all_of, _tokens_each),
    "fraction": SizeRule(_tokens, _none_of, _tokens_each),
    "results": SizeRule(_results, _share_of(lambda base: len(base.results))),
}


def places_of_results(window: Window, stage: Stage) -> Sequence[int]:
    """Where in the session the results stand that a stage counts: all, or those it could empty; of groups the calls."""
    base, transform = window.pool.base, stage.transform
    if isinstance(transform, Digest):
        return base.groups
    if isinstance(transform, Clear) and transform.keeps == "emptied":
        return window.pool.cleared_copy_of(stage).places
    return base.results


def newest(window: Window, places: Sequence[int], keep: int, body: int) -> int:
    """The start of a tail that holds the `keep` newest of these places; the body's end where there are no more."""
    if keep <= 0:
        return len(window)
    return max(body, _nth_newest(window, places, keep, 0)) if _count(window, places, 0) >= keep else body


def _count(window: Window, places: Sequence[int], front: int) -> int:
    """How many of these places stand in the window, from index `front` on."""
    total = 0
    for start, (a, b) in window.origins():
        low = max(a, a + front - start)
        total += max(0, bisect_left(places, b) - bisect_left(places, low)) if low < b else 0
    return total


def _nth_newest(window: Window, places: Sequence[int], n: int, front: int) -> int:
    """The index of the n-th newest of these places in the window, from index `front` on; `front` if there are fewer."""
    for start, (a, b) in reversed(window.origins()):
        low_at = max(a, a + front - start)
        low, high = bisect_left(places, low_at), bisect_left(places, b)
        if low_at < b and high - low >= n > 0:
            return start + places[high - n] - a
        n -= max(0, high - low) if low_at < b else 0
    return front


def counter(window: Window, policy: Policy) -> Count:
    """What counts the tokens of a range for a policy's tail: those of its messages, or with those of replies without text."""
    pool = window.pool
    if policy.trigger.counts != "wordless":
        return pool.tokens
    running = pool.base.with_wordless
    return lambda part: running[part[1]] - running[part[0]] if part[0] < ADDED else pool.counted(part, "wordless")


def token_tail(window: Window, keep: int, body: int, count: Count | None = None) -> int:
    """The start of the longest tail of at most `keep` tokens; `count` says how many a range of the pool has."""
    passed, count = len(window), count or window.pool.tokens
    for a, b in reversed(window.cut(body, passed)):
        tokens = count((a, b))
        if tokens > keep:
            return min(len(window), passed - (b - a) + bisect_left(_RunningSum(count, a, b), tokens - keep))
        keep, passed = keep - tokens, passed - (b - a)
    return body


class _RunningSum(Sequence[int]):
    """The tokens of the first k messages of a range, for every k: a sequence that never falls, to be searched."""

    def __init__(self, count: Count, start: int, stop: int) -> None:
        self._count, self._start, self._stop = count, start, stop

    def __len__(self) -> int:
        return self._stop - self._start + 1

    def __getitem__(self, k: Any) -> Any:
        return self._count((self._start, self._start + k)) if k else 0


def _reaching(context: CutContext, want: int) -> int:
    """The start of the shortest tail of at least `want` tokens; the body's end where all of it holds fewer."""
    window, body = context.window, context.body
    there = context.tokens(body, len(window))
    return body if there < want else max(body, token_tail(window, want - 1, body) - 1)


def prefix_end(window: Window, want: float, body: int) -> int:
    """The first index in front of which the window holds at least `want` tokens."""
    total = 0
    for k, part in enumerate(window.ranges):
        tokens = window.pool.tokens(part)
        if total + tokens >= want:
            first, (a, b) = sum(y - x for x, y in window.ranges[:k]), part
            return max(body, first + bisect_left(_RunningSum(window.pool.tokens, a, b), want - total))
        total += tokens
    return len(window)


def _places_inside(window: Window, places: Sequence[int]) -> Iterator[int]:
    """The indexes in the window of these places of the session."""
    for first, (a, b) in window.origins():
        yield from (first + t - a for t in places[bisect_left(places, a) : bisect_left(places, b)])
