"""How a stage of a policy would split a window if it acted now: `partition(window, policy)`."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from core.heads import head_size, replaced_size
from core.policy import Policy
from core.spared import requests, spared_from
from core.tails import raw_start, settled, tail_start
from core.vocabulary import Stage
from core.window import Pool, Range, Ranges, Window, without


class Partition(NamedTuple):
    """A window split for compaction, as indexes into it: head, earlier summary, what may go, what stays.

    `[0, head)` is pinned, `[head, body)` an earlier summary that is not folded again but replaced, `[body, tail)` is
    compactable, and the rest stays verbatim. Typed messages of the session from `spared` on, system messages where
    the scope keeps them, and what a person has pinned (`Pool.held`) stay although they stand among the compactable.
    """

    head: int
    body: int
    tail: int
    spared: int | None = None


def partition(window: Window, policy: Policy, stage: Stage | None = None) -> Partition:
    """How the policy, or one stage of it, would split this window if it fired now."""
    stage = stage or policy.main
    head = head_size(window, policy, stage)
    body = head + replaced_size(window, head, stage)
    tail = tail_start(window, policy, stage, head, body)
    return Partition(head, body, tail, spared_from(window, policy, stage))


def goes(window: Window, stage: Stage, parts: Partition) -> Ranges:
    """The ranges of what the stage takes: all that is compactable, less what is spared."""
    taken = window.cut(parts.body, parts.tail)
    if parts.spared is None and not stage.scope.keep_systems and not window.pool.held:
        return taken
    return without(taken, tuple(stays(window, stage, parts, taken)))


def stays(window: Window, stage: Stage, parts: Partition, taken: Ranges) -> list[Range]:
    """The single messages among these ranges that are spared or held, as ranges of one."""
    spared = set[int]()
    if parts.spared is not None:
        asked = requests(Window(window.pool, taken), stage.placement)
        spared.update(i for i, place in asked if place >= parts.spared)
    for part in taken if stage.scope.keep_systems else ():
        own = window.pool.origin(part)
        spared.update(_between(window.pool.base.systems, *own, part[0] - own[0]) if own else ())
    spared.update(held_in(window.pool, taken))
    order = sorted(spared)
    return [(i, i + 1) for a, b in taken for i in order[bisect_left(order, a) : bisect_left(order, b)]]


def held_in(pool: Pool, taken: Ranges) -> Iterator[int]:
    """The pool indexes among these ranges of messages that a person has pinned."""
    order = sorted(pool.held)
    for part in taken if order else ():
        own = pool.origin(part)
        yield from _between(order, *own, part[0] - own[0]) if own else ()


def _between(places: Sequence[int], start: int, stop: int, shift: int) -> list[int]:
    return [p + shift for p in places[bisect_left(places, start) : bisect_left(places, stop)]] if start < stop else []


def takes_few(window: Window, policy: Policy, stage: Stage) -> bool:
    """Whether all go only because no more than `few` would have to."""
    head = head_size(window, policy, stage)
    body = head + replaced_size(window, head, stage)
    plain = stage.scope.model_copy(update={"few": 0})
    cut = settled(window, policy, plain, raw_start(window, policy, stage, head, body), head, body, plain.least)
    return 0 < cut - body <= stage.scope.few
