"""A message of the user stands in one list of what went: among the statements, or among the requests."""

from collections.abc import Iterable
from dataclasses import replace

from core.analyse.losses import statements
from core.analyse.requests import Requests
from core.model.own_text import own_text
from core.trace.trace import Trace

_BACK = 256  # compactions that are looked through, up to 8 ms each: of thousands, a page far in would wait for all
_SHORT = 240  # characters: a longer message is told by its statements only where they are half of it


def told_apart(trace: Trace, k: int, found: Requests) -> tuple[Requests, int]:
    """The requests at compaction k without the messages that went as statements, and how many those are.

    What the agent was working on stays a request, whatever it states.
    """
    stated = _stated(trace, k).intersection(found.asked).difference(found.open)
    kept = {name: tuple(place for place in places if place not in stated) for name, places in vars(found).items()}
    return replace(found, **kept), len(stated)


def _stated(trace: Trace, k: int) -> set[int]:
    """The places of the messages that are told, for the most part, by statements that compactions up to k took."""
    told: dict[int, set[str]] = {}
    for j in range(max(0, k + 1 - _BACK), k + 1):
        for place, text in statements(trace, j):
            told.setdefault(place, set()).add(text)
    return {place for place, texts in told.items() if _are_most(texts, own_text(trace.pool.message(place)))}


def _are_most(texts: Iterable[str], message: str) -> bool:
    return len(message) <= _SHORT or 2 * sum(map(len, texts)) >= len(message)
