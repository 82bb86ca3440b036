"""Where a policy would cut the window, at every step of a trace, in one sweep.

Between two compactions the window only grows, so the place where the verbatim tail begins moves in a way that each kind
of tail gives away: by one a message, by a formula, from turn to turn, or along the running sum of tokens; and a snap
looks only at what lies around the cut. Asking `partition` at each of 100,000 steps would cost seconds; where the cut is of
these kinds it costs milliseconds and says the same, and where it is of another, `partition` is asked.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, chain, repeat
from typing import NamedTuple

from core.formula import names_in
from core.heads import head_size, leading_systems, replaced_size, summary_size
from core.policy import Policy
from core.spared import requests
from core.tails import counts_of, settled, tail_start
from core.trace import Trace
from core.vocabulary import Size
from core.window import Window


@dataclass(frozen=True)
class Bands:
    """The cuts of a whole trace, as indexes into the window.

    `heads[e]` and `bodies[e]` hold for the steps of epoch e, from compaction e - 1 (epoch 0: the start) up to the next;
    at a step they are no more than the window's size. `tails[i]` is where the verbatim tail begins at step i, `spared[i]`
    from which message of the session on typed ones are spared; it is empty where the policy spares none.
    """

    heads: tuple[int, ...]
    bodies: tuple[int, ...]
    tails: tuple[int, ...]
    spared: tuple[int, ...] = ()


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

    def after(self, size: int) -> Window:
        """The window when it had this size."""
        return self.window.grown(self.at, self.at + size - len(self.window))

    @cached_property
    def bounds(self) -> tuple[int, int]:
        """Where the head and the replaced summary end once everything has arrived."""
        head = head_size(self.whole, self.policy, self.policy.main)
        return head, head + replaced_size(self.whole, head, self.policy.main)


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
    spared = [_spared(epoch) for epoch in epochs] if trace.policy.scope.spare else []
    return Bands(
        tuple(h for h, _ in bounds),
        tuple(b for _, b in bounds),
        tuple(chain.from_iterable(starts)),
        tuple(chain.from_iterable(spared))[1:],
    )


class Cuts(NamedTuple):
    """Where a policy cuts a window while it grows: its head and body once it has, the tail after each arrival."""

    head: int
    body: int
    tails: list[int]
    spared: list[int]


def cuts_between(window: Window, policy: Policy, at: int, upto: int) -> Cuts:
    """The cuts of this window, to which `at` messages had come, and then after each further one up to `upto`."""
    epoch = _Epoch(window, policy, at, upto)
    spared = _spared(epoch) if policy.scope.spare else []
    return Cuts(*epoch.bounds, _tails(epoch), spared)


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


def _tails(epoch: _Epoch) -> list[int]:
    """The tail's start after each arrival, as `partition` says it."""
    raw = _raw(epoch)
    if raw is None:
        return [_directly(epoch, size) for size in epoch.sizes]
    policy, scope = epoch.policy, epoch.policy.scope
    starts = _at_least(raw, epoch.bounds[1], epoch.sizes)
    plain = policy.snap_of(scope) == "none" and not scope.look_back and not scope.least and not scope.few
    plain = plain and not scope.stay and scope.most is None
    return starts if plain else _settled(epoch, starts)


_LOOKS_AHEAD = frozenset(
    {"user_or_done", "user_or_pair", "answered", "exchange", "asked"}
)  # at the newest message: another at every step
_NEAR = 1  # a rule reads the message at the cut, so the cut must lie inside the window it is asked about


def _settled(epoch: _Epoch, starts: list[int]) -> list[int]:
    """The cuts where they may fall. What a rule says of the whole window holds for a smaller one that reaches beyond."""
    policy, scope, (head, body) = epoch.policy, epoch.policy.scope, epoch.bounds
    direct = (
        policy.snap_of(scope) in _LOOKS_AHEAD or scope.few or scope.look_back or scope.stay or scope.most is not None
    )
    known: dict[int, int] = {}
    found = []
    for start, size in zip(starts, epoch.sizes, strict=True):
        cut = min(start, max(min(body, size), size - scope.least))
        if direct or cut + _NEAR > size:
            found.append(_directly(epoch, size))
            continue
        if cut not in known:
            known[cut] = settled(epoch.whole, policy, scope, cut, head, body, least=0)
        found.append(known[cut] if body < known[cut] < size else _directly(epoch, size))
    return found


def _directly(epoch: _Epoch, size: int) -> int:
    """As `partition` says it, but for what holds all epoch long."""
    head, body = (min(cut, size) for cut in epoch.bounds)
    return tail_start(epoch.after(size), epoch.policy, epoch.policy.main, head, body)


def _raw(epoch: _Epoch) -> Iterable[int] | None:
    """Where the sizes alone put the cut after each arrival; None where only `partition` knows."""
    policy, scope, sizes = epoch.policy, epoch.policy.scope, epoch.sizes
    head, body = epoch.bounds
    if scope.until is not None or scope.reach is not None or scope.beyond is not None or scope.with_head:
        return None
    if policy.transform.kind in ("clear", "digest"):
        return None
    if scope.evict is not None:
        return _by_evict(epoch, body)
    parts = [_of_size(epoch, part, head, body) for part in policy.tail_of(scope)]
    if not parts:
        return list(sizes)
    if any(part is None for part in parts):
        return None
    pick: Callable[..., int] = min if scope.of_tails == "longest" else max
    return parts[0] if len(parts) == 1 else list(map(pick, *[_at_least(p or [], body, sizes) for p in parts]))


def _by_evict(epoch: _Epoch, body: int) -> list[int] | None:
    """The ends of what a formula takes; None where it asks for tokens."""
    policy, evict = epoch.policy, epoch.policy.scope.evict
    assert evict is not None
    if isinstance(evict, str) and "tokens" in names_in(evict):
        return None
    known = counts_of(epoch.whole, policy, policy.main, body) | {"k": 0}
    found = []
    for size in epoch.sizes:
        known |= {"n": size - body, "count": size - body, "all": size}
        found.append(min(size, max(body, body + policy.value(evict, **known))) if size > body else size)
    return found


def _of_size(epoch: _Epoch, part: Size, head: int, body: int) -> Iterable[int] | None:
    policy, fit = epoch.policy, epoch.policy.scope.fit
    if part.unit == "messages":
        return _by_messages(policy.value(part.value), body, epoch.sizes)
    if part.unit == "turns":
        return list(_by_turns(epoch, policy.value(part.value), head))
    if part.unit in ("tokens", "fraction") and fit == "within":
        window = policy.names["window"]
        keep = policy.value(part.value) if part.unit == "tokens" else max(1, int(window * float(part.value)))
        return list(_by_tokens(epoch, keep))
    return None


def _spared(epoch: _Epoch) -> list[int]:
    """From which message of the session on typed ones are spared, after each arrival: it changes with a turn.

    As `spared_from` says it: back from the newest request, as long as what is allowed lasts.
    """
    policy, base = epoch.policy, epoch.window.pool.base
    spare = policy.scope.spare
    assert spare is not None
    most, middle, end = policy.value(spare.size.value), spare.cut == "middle", len(base.messages)
    whole = list(reversed(list(requests(epoch.whole, policy.placement))))
    places = [place for _, place in whole]
    costs = [epoch.whole.pool.tokens((i, i + 1)) if spare.size.unit == "tokens" else 1 for i, _ in whole]
    sums, found = list(accumulate(costs, initial=0)), list[int]()
    new = bisect_left(places, epoch.at)
    for arrived in range(epoch.at, epoch.upto + 1):
        while new < len(places) and places[new] < arrived:
            new += 1
        first = _first_spared(sums, new, most, middle)
        found.append(places[first] if first < new else end)
    return found


def _first_spared(sums: list[int], new: int, most: int, middle: bool) -> int:
    """The first of the requests that are spared: those that fit, and one more where its middle may be cut out.

    Once nothing is left of what is allowed, none before is spared, whatever it costs.
    """
    over = sums[new] - most
    if over < 0:
        return 0
    fits = bisect_left(sums, over, hi=new + 1)
    return bisect_right(sums, over, hi=new + 1) - 1 if sums[fits] == over else fits - middle


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
    first, turns, place = len(epoch.window), epoch.window.pool.base.turn_starts, epoch.policy.placement
    front = head + (summary_size(epoch.whole, head, place) if place else 0)
    old = [p for p in _turns_inside(epoch.window) if p >= front]
    new = (first + t - epoch.at for t in turns[bisect_left(turns, epoch.at) : bisect_left(turns, epoch.upto)])
    places = [*old, *(p for p in new if p >= front)]
    return chain.from_iterable(_stretches(epoch, places, len(old), keep, head))


def _turns_inside(window: Window) -> Iterator[int]:
    """The indexes in the window at which its turns begin."""
    turns = window.pool.base.turn_starts
    for first, (a, b) in window.origins():
        yield from (first + t - a for t in turns[bisect_left(turns, a) : bisect_left(turns, b)])


def _stretches(epoch: _Epoch, places: list[int], seen: int, keep: int, head: int) -> Iterator[Iterable[int]]:
    """The tail's start from one arrival of a turn to the next."""
    borders = [*(place + 1 for place in places[seen:]), epoch.sizes[-1] + 1]
    size = epoch.sizes[0]
    for count, border in enumerate(borders, start=seen):
        if count > keep:
            yield repeat(places[count - keep], border - size) if keep else range(size, border)
        else:
            yield (min(head, s) for s in range(size, border)) if keep else range(size, border)
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
    tokens = chain.from_iterable(window.pool.each(part) for part in window.ranges)
    return list(accumulate(tokens, initial=0))
