"""The typed messages that a policy spares wherever they stand."""

from bisect import bisect_left
from collections.abc import Iterator
from typing import Any

from core.heads import header
from core.measured import Measured, is_cut_request
from core.policy import Policy
from core.shadow import SPACE
from core.vocabulary import Placement, Stage
from core.window import Window


def spared_from(window: Window, policy: Policy, stage: Stage) -> int | None:
    """The place in the session of the oldest typed message that is spared; None where the scope spares none.

    Where none fits, it is behind all of them. One whose middle is cut out counts as spared.
    """
    spare, base = stage.scope.spare, window.pool.base
    if spare is None:
        return None
    left, first = policy.value(spare.size.value), len(base.messages)
    for i, place in requests(window, stage.placement):
        if left <= 0:
            return first
        cost = window.pool.tokens((i, i + 1)) if spare.size.unit == "tokens" else 1
        if cost > left:
            return place if spare.cut == "middle" else first
        left, first = left - cost, place
    return first


def requests(window: Window, placement: Placement | None) -> Iterator[tuple[int, int]]:
    """The typed messages of the window, the newest first: where in the pool each stands, and where in the session.

    One whose middle an earlier compaction cut out is still one; one that begins as a summary does is taken for a summary.
    """
    alike = worded(window.pool.base, placement) if placement and placement.role == "user" else ()
    for i, place in _typed(window):
        if place not in alike:
            yield i, place


def worded(base: Measured, placement: Placement) -> frozenset[int]:
    """Where a typed message stands that begins as summaries of this placement do; found once for each."""
    pattern = header(placement)
    known: dict[Any, frozenset[int]] = base.__dict__.setdefault("worded", {})
    if pattern not in known:
        alike = (i for i in base.requests if pattern and pattern.match(base.messages[i].content))
        known[pattern] = frozenset(alike)
    return known[pattern]


def _typed(window: Window) -> Iterator[tuple[int, int]]:
    base, size = window.pool.base, len(window.pool.base.messages)
    for a, b in reversed(window.ranges):
        for i in range(b - 1, max(a, size) - 1, -1) if a < SPACE else ():
            message = window.pool.message(i)
            if is_cut_request(message):
                yield i, base.place_of(message.id)
        own = window.pool.origin((a, b)) or (0, 0)
        places = base.requests
        for place in reversed(places[bisect_left(places, own[0]) : bisect_left(places, own[1])]):
            yield a + place - own[0], place
