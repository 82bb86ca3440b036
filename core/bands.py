"""Where a policy would cut the window, at every step of a trace, in one sweep.

Between two compactions the window only grows, so the place where the verbatim tail begins moves in a way that each kind
of tail gives away: by one a message, by half, from turn to turn, or along the running sum of tokens. Asking `partition`
at each of 100,000 steps would cost minutes; this costs milliseconds and says the same.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, chain, repeat

from core.policy import Policy
from core.trace import Trace
from core.window import Window, head_size, leading_systems, summary_size


@dataclass(frozen=True)
class Bands:
    """The cuts of a whole trace, as indexes into the window.

    `heads[e]` and `bodies[e]` hold for the steps of epoch e, from compaction e - 1 (epoch 0: the start) up to the next;
    at a step they are no more than the window's size. `tails[i]` is where the verbatim tail begins at step i.
    """

    heads: tuple[int, ...]
    bodies: tuple[int, ...]
    tails: tuple[int, ...]


@dataclass(frozen=True)
class _Epoch:
    """A window as a compaction left it, and the messages from `at` up to `upto` that join it."""

    window: Window
    policy: Policy
    at: int
    upto: int

    @property
    def sizes(self) -> range:
        """The window's size after each arrival."""
        return range(len(self.window), len(self.window) + self.upto - self.at + 1)

    @cached_property
    def whole(self) -> Window:
        """The window once everything has arrived."""
        return self.window.grown(self.at, self.upto)

    @cached_property
    def bounds(self) -> tuple[int, int]:
        """Where the head and the replaced summary end once everything has arrived."""
        head = head_size(self.whole, self.policy)
        replaced = 0 if self.policy.scope.fold_summary else summary_size(self.whole, head, self.policy.placement)
        return head, head + replaced


def tail_starts(window: Window, policy: Policy, at: int, upto: int) -> list[int]:
    """Where the tail begins while the messages from `at` up to `upto` join the window, one entry an arrival.

    The first entry is for `window` itself, the last for it with all of them: as `partition(...).tail` says each time.
    """
    return _tails(_Epoch(window, policy, at, upto))


def _tails(epoch: _Epoch) -> list[int]:
    policy, tail = epoch.policy, epoch.policy.scope.tail
    head, body = epoch.bounds
    if tail == "half":
        return [body + (size - body) // 2 if size > body else size for size in epoch.sizes]
    keep = policy.value(tail.value)
    if tail.unit == "turns":
        return list(_by_turns(epoch, keep, head))
    if tail.unit == "tokens":
        return _at_least(_by_tokens(epoch, keep), body, epoch.sizes)
    return _by_messages(keep, body, epoch.sizes)


def bands(trace: Trace) -> Bands:
    """The cuts at every step of a trace. A replay has no policy: nothing but its system messages is pinned."""
    if not len(trace):
        return Bands((0,), (0,), ())
    if trace.policy is None:
        return _of_replay(trace)
    epochs = [_Epoch(window, trace.policy, at, upto) for window, at, upto in _epochs(trace)]
    bounds = [epoch.bounds for epoch in epochs]
    starts = [_tails(epoch) for epoch in epochs]
    starts[0] = starts[0][1:]  # the first step of all is the first message, not the empty window before it
    return Bands(tuple(h for h, _ in bounds), tuple(b for _, b in bounds), tuple(chain.from_iterable(starts)))


def _of_replay(trace: Trace) -> Bands:
    sizes = (range(len(window), len(window) + upto - at + 1) for window, at, upto in _epochs(trace))
    heads = tuple(leading_systems(window.grown(at, upto)) for window, at, upto in _epochs(trace))
    return Bands(heads, heads, tuple(chain.from_iterable(sizes))[1:])


def _epochs(trace: Trace) -> Iterator[tuple[Window, int, int]]:
    """The window each epoch begins with, how many messages had arrived then, and how many when it ended."""
    pool = trace.window_of(0).pool
    arrivals = [c.at for c in trace.compactions]
    layouts = [(), *(c.layout_after for c in trace.compactions)]
    for layout, at, upto in zip(layouts, [0, *arrivals], [*arrivals, len(trace.messages)], strict=True):
        yield Window(pool, layout), at, upto


def _by_messages(keep: int, body: int, sizes: range) -> list[int]:
    """The start of the `keep` newest messages: one further each time, once there are more than the body and these."""
    starts = range(sizes.start - keep, sizes.stop - keep)
    short = max(0, body - starts.start)
    return [*(min(body, size) for size in sizes[:short]), *starts[short:]]


def _at_least(starts: Iterable[int], body: int, sizes: range) -> list[int]:
    """The starts, none before the end of the body as far as the window reaches."""
    return [start if start >= body else min(body, size) for start, size in zip(starts, sizes, strict=True)]


def _by_turns(epoch: _Epoch, keep: int, head: int) -> Iterable[int]:
    """The start of the oldest of the `keep` newest turns, or the head's end; it moves only when a turn begins.

    A summary in front is no turn, also where it looks like a typed message.
    """
    first, turns = len(epoch.window), epoch.window.pool.base.turn_starts
    front = head + summary_size(epoch.whole, head, epoch.policy.placement)
    old = [p for p in _turns_inside(epoch.window) if p >= front]
    new = (first + t - epoch.at for t in turns[bisect_left(turns, epoch.at) : bisect_left(turns, epoch.upto)])
    places = [*old, *(p for p in new if p >= front)]
    return chain.from_iterable(_stretches(epoch, places, len(old), keep, head))


def _turns_inside(window: Window) -> Iterator[int]:
    """The indexes in the window at which its turns begin."""
    turns, size, passed = window.pool.base.turn_starts, len(window.pool.base.messages), 0
    for a, b in window.ranges:
        if a < size:
            yield from (passed + t - a for t in turns[bisect_left(turns, a) : bisect_left(turns, b)])
        passed += b - a


def _stretches(epoch: _Epoch, places: list[int], seen: int, keep: int, head: int) -> Iterator[Iterable[int]]:
    """The tail's start from one arrival of a turn to the next."""
    borders = [*(place + 1 for place in places[seen:]), epoch.sizes[-1] + 1]
    size = epoch.sizes[0]
    for count, border in enumerate(borders, start=seen):
        if count > keep:
            yield repeat(places[count - keep], border - size) if keep else range(size, border)
        else:
            yield (min(head, s) for s in range(size, border))
        size = border


def _by_tokens(epoch: _Epoch, keep: int) -> Iterator[int]:
    """The start of the longest tail of at most `keep` tokens, as if there were no body.

    While what has joined counts no more than that, the tail reaches into the window as the compaction left it.
    """
    window, at, running = epoch.window, epoch.at, epoch.window.pool.base.running
    reached = bisect_right(running, running[at] + keep, lo=at, hi=epoch.upto + 1)
    sums, missing = _sums(window), window.tokens - running[at] - keep
    yield from (bisect_left(sums, missing + r) for r in running[at:reached])
    shift = len(window) - at
    targets = (r - keep for r in running[reached : epoch.upto + 1])
    starts = map(bisect_left, repeat(running), targets, repeat(at), range(reached, epoch.upto + 1))
    yield from (start + shift for start in starts)


def _sums(window: Window) -> list[int]:
    """The running sum of the window's tokens, one more entry than messages."""
    base, size = window.pool.base.tokens, len(window.pool.base.messages)
    added = window.pool.added_tokens
    parts = (base[a:b] if a < size else added[a - size : b - size] for a, b in window.ranges)
    return list(accumulate(chain.from_iterable(parts), initial=0))
