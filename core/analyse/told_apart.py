"""A message of the user is told once: among the statements that went, among the requests, or as no request, with the reason."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Literal

from core.analyse.losses import statements
from core.analyse.requests import Requests, Uncounted, why_uncounted
from core.model.own_text import own_text
from core.trace.trace import Trace

_BACK = 256  # compactions that are looked through, up to 8 ms each: of thousands, a page far in would wait for all
_SHORT = 240  # characters: a longer message is told by its statements only where they are half of it

NoRequest = Uncounted | Literal["stated"]
"""Why a message of the user's is not among the requests; `stated` ones stand among the statements that went."""


def told_apart(trace: Trace, k: int, found: Requests) -> tuple[Requests, dict[int, NoRequest]]:
    """The requests at compaction k without the messages that went as statements; why each other message of the user is none.

    What the agent was working on stays a request, whatever it states.
    """
    if not found.asked:
        return found, {}
    stated = _stated(trace, k).difference(found.open)
    kept = {name: tuple(place for place in places if place not in stated) for name, places in vars(found).items()}
    typed = (place for place in trace.measured.turn_starts if place < trace.compactions[k].at)
    others = set(typed).difference(kept["asked"])
    reasons = (
        (place, "stated" if place in stated else why_uncounted(trace.messages[place])) for place in sorted(others)
    )
    return replace(found, **kept), {place: why for place, why in reasons if why}


def _stated(trace: Trace, k: int) -> set[int]:
    """The places of the messages that are told, for the most part, by statements that compactions up to k took."""
    told: dict[int, set[str]] = {}
    for j in range(max(0, k + 1 - _BACK), k + 1):
        for place, text in statements(trace, j):
            told.setdefault(place, set()).add(text)
    return {place for place, texts in told.items() if _are_most(texts, own_text(trace.pool.message(place)))}


def _are_most(texts: Iterable[str], message: str) -> bool:
    return len(message) <= _SHORT or 2 * sum(map(len, texts)) >= len(message)
