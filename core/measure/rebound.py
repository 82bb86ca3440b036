"""How soon the window is full again, and how often it was over a budget."""

from collections.abc import Iterator
from typing import NamedTuple

from core.measure.prompts import Event, Prompts


class Rebound(NamedTuple):
    """From an event's first call to the first one that was over the limit again; seconds are None where nobody knows.

    0 calls: it was still over at once.
    """

    calls: int
    seconds: float | None


class OverBudget(NamedTuple):
    """The calls whose prompt was over a budget, by how many tokens in all, and for how many seconds where that is known."""

    calls: int
    tokens: int
    seconds: float


def over_budget(prompts: Prompts, budget: int) -> OverBudget:
    """How often, how far and how long the prompts of a run were over a budget in tokens."""
    over = [n for n, tokens in enumerate(prompts.tokens) if tokens > budget]
    known = (_between(prompts, n, n + 1) for n in over if n + 1 < len(prompts.calls))
    seconds = sum(time for time in known if time is not None)
    return OverBudget(len(over), sum(prompts.tokens[n] - budget for n in over), seconds)


def rebounds(prompts: Prompts, limit: int | None) -> list[Rebound | None]:
    """The rebound of every event, None where the window never filled again; `limit` None is the window before the event."""
    return [_rebound(prompts, event, event.before if limit is None else limit) for event in prompts.events]


def _rebound(prompts: Prompts, event: Event, limit: int) -> Rebound | None:
    first = event.call
    if first is None:
        return None
    found = next(_full(prompts, first, limit), None)
    return None if found is None else Rebound(found - first, _between(prompts, first, found))


def _full(prompts: Prompts, first: int, limit: int) -> Iterator[int]:
    """The calls from one on at which so many tokens or more were waiting to be sent."""
    if prompts.tokens[first] >= limit:
        yield first
    yield from (n for n in range(first + 1, len(prompts.calls)) if prompts.undone(n) >= limit)


def _between(prompts: Prompts, one: int, other: int) -> float | None:
    """Seconds from one call to another; None where one of their times is not known."""
    start, end = prompts.calls[one].time, prompts.calls[other].time
    return None if start is None or end is None else max(0.0, end - start)
