"""How a stage of a policy would split a window if it acted now: `partition(window, policy)`."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from core.policy.policy import Policy
from core.policy.vocabulary import Stage
from core.window.context import context_of
from core.window.protected import protected_from, requests
from core.window.ranges import Range, Ranges, without
from core.window.tails import tail_or_else, tail_start
from core.window.window import Pool, Window


class Partition(NamedTuple):
    """A window split for compaction, as indexes into it: head, earlier summary, what may go, what stays.

    `[0, head)` is pinned, `[head, body)` an earlier summary that is replaced, `[body, tail)` is
    compactable, and the rest stays verbatim. Typed messages of the session from `protected` on, system messages where
    the scope keeps them, and what a person has pinned (`Pool.pinned`) stay although they stand among the compactable.
    """

    head: int
    body: int
    tail: int
    protected: int | None = None


def partition(window: Window, policy: Policy, stage: Stage | None = None) -> Partition:
    """How the policy, or one stage of it, would split this window if it fired now.

    Of the policy: as its own stage does, or the one that acts where that takes nothing.
    """
    context = context_of(window, policy, stage or policy.main)
    tail = tail_start(context) if stage else tail_or_else(context)
    return Partition(context.head, context.body, tail, protected_from(window, policy, context.stage))


def goes(window: Window, stage: Stage, parts: Partition) -> Ranges:
    """The ranges of what the stage takes: all that is compactable, less what is protected or pinned."""
    taken = window.cut(parts.body, parts.tail)
    if parts.protected is None and not stage.scope.keep_systems and not window.pool.pinned:
        return taken
    return without(taken, tuple(stays(window, stage, parts, taken)))


def stays(window: Window, stage: Stage, parts: Partition, taken: Ranges) -> list[Range]:
    """The single messages among these ranges that are protected or pinned, as ranges of one."""
    protected = set[int]()
    if parts.protected is not None:
        asked = requests(Window(window.pool, taken), stage.placement)
        protected.update(i for i, place in asked if place >= parts.protected)
    for part in taken if stage.scope.keep_systems else ():
        own = window.pool.origin(part)
        protected.update(_between(window.pool.base.systems, *own, part[0] - own[0]) if own else ())
    protected.update(pinned_in(window.pool, taken))
    order = sorted(protected)
    return [(i, i + 1) for a, b in taken for i in order[bisect_left(order, a) : bisect_left(order, b)]]


def pinned_in(pool: Pool, taken: Ranges) -> Iterator[int]:
    """The pool indexes among these ranges of messages that a person has pinned."""
    order = sorted(pool.pinned)
    for part in taken if order else ():
        own = pool.origin(part)
        yield from _between(order, *own, part[0] - own[0]) if own else ()


def _between(places: Sequence[int], start: int, stop: int, shift: int) -> list[int]:
    return [p + shift for p in places[bisect_left(places, start) : bisect_left(places, stop)]] if start < stop else []
