"""How soon the window is full again, and how often it was over a budget."""

from typing import NamedTuple

import numpy as np

from core.measure.columns import Integers
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
    over = prompts.tokens > budget
    excess = int((prompts.tokens[over] - budget).sum())
    return OverBudget(int(over.sum()), excess, float(np.nansum(prompts.columns.until_next[over])))


def rebounds(prompts: Prompts, limit: int | None) -> list[Rebound | None]:
    """The rebound of every event, None where the window never filled again; `limit` None is the window before the event."""
    if limit is None:
        return [_rebound(prompts, event, np.flatnonzero(prompts.undone >= event.before)) for event in prompts.events]
    full = np.flatnonzero(prompts.undone >= limit)  # at these calls so many tokens or more were waiting to be sent
    return [_rebound(prompts, event, full, limit) for event in prompts.events]


def _rebound(prompts: Prompts, event: Event, full: Integers, limit: int | None = None) -> Rebound | None:
    first = event.call
    if first is None:
        return None
    if prompts.tokens[first] >= (event.before if limit is None else limit):
        return Rebound(0, _between(prompts, first, first))
    k = int(np.searchsorted(full, first, side="right"))
    return None if k == len(full) else Rebound(int(full[k]) - first, _between(prompts, first, int(full[k])))


def _between(prompts: Prompts, one: int, other: int) -> float | None:
    """Seconds from one call to another; None where one of their times is not known."""
    start, end = prompts.calls[one].time, prompts.calls[other].time
    return None if start is None or end is None else max(0.0, end - start)
