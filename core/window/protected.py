"""The typed messages that a policy protects wherever they stand."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from itertools import accumulate

from core.model.cached import cached
from core.policy.policy import Policy
from core.policy.vocabulary import Placement, Protect, Stage
from core.window.context import Growth
from core.window.heads import header
from core.window.measured import Measured, is_cut_request
from core.window.ranges import ADDED, SPACE
from core.window.window import Window


def protected_from(window: Window, policy: Policy, stage: Stage) -> int | None:
    """The place in the session of the oldest typed message that is protected; None where the scope protects none.

    Where none fits, it is behind all of them. One whose middle is cut out counts as protected.
    """
    protect, base = stage.scope.protect, window.pool.base
    if protect is None:
        return None
    left, first = policy.value(protect.size.value), len(base.messages)
    for i, place in requests(window, stage.placement):
        if left <= 0:
            return first
        cost = _cost(window, protect, i)
        if cost > left:
            return place if protect.cut == "middle" else first
        left, first = left - cost, place
    return first


def protected_each(growth: Growth) -> list[int]:
    """The same after each arrival: back from the newest request, as long as what is allowed lasts. Empty where none are."""
    policy, protect, window = growth.policy, growth.scope.protect, growth.whole.window
    if protect is None:
        return []
    whole = list(reversed(list(requests(window, policy.placement))))
    places, end = [place for _, place in whole], len(window.pool.base.messages)
    sums = list(accumulate((_cost(window, protect, i) for i, _ in whole), initial=0))
    most, found, new = policy.value(protect.size.value), list[int](), bisect_left(places, growth.at)
    for arrived in range(growth.at, growth.upto + 1):
        while new < len(places) and places[new] < arrived:
            new += 1
        first = _first_protected(sums, new, most, protect.cut == "middle")
        found.append(places[first] if first < new else end)
    return found


def _cost(window: Window, protect: Protect, index: int) -> int:
    return window.pool.tokens((index, index + 1)) if protect.size.unit == "tokens" else 1


def _first_protected(sums: list[int], new: int, most: int, middle: bool) -> int:
    """The first of the requests that are protected: those that fit, and one more where its middle may be cut out.

    Once nothing is left of what is allowed, none before is protected, whatever it costs.
    """
    over = sums[new] - most
    if over < 0:
        return 0
    fits = bisect_left(sums, over, hi=new + 1)
    return bisect_right(sums, over, hi=new + 1) - 1 if sums[fits] == over else fits - middle


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

    def found(base: Measured) -> frozenset[int]:
        return frozenset(i for i in base.requests if pattern and pattern.match(base.messages[i].content))

    return cached(base, ("worded", pattern), found)


def _typed(window: Window) -> Iterator[tuple[int, int]]:
    base = window.pool.base
    for a, b in reversed(window.ranges):
        for i in range(b - 1, a - 1, -1) if ADDED <= a < SPACE else ():
            message = window.pool.message(i)
            if is_cut_request(message):
                yield i, base.place_of(message.id)
        own = window.pool.origin((a, b)) or (0, 0)
        places = base.requests
        for place in reversed(places[bisect_left(places, own[0]) : bisect_left(places, own[1])]):
            yield a + place - own[0], place
