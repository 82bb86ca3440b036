"""When a compaction has earned back what it cost. After Wang, "When Does Context Compaction Pay" (October 2026)."""

from typing import NamedTuple

import numpy as np

from core.measure.cache import Cached, CacheRule, cached_sizes
from core.measure.cost import Prices, SummarizerTokens, prompt_costs, summarizer_cost, summarizer_tokens
from core.measure.prompts import Event, Prompts


class Payback(NamedTuple):
    """What one event earned. `calls` until it has repaid itself, on a straight line; None where it never does.

    `used` calls came before the next event, `net` tokens were freed in all, and `repaid` is whether that was in time: None
    where the session ends before anybody knows.
    """

    event: Event
    calls: float | None
    used: int
    net: int
    repaid: bool | None


def paybacks(prompts: Prompts, cached: Cached, rule: CacheRule, prices: Prices) -> list[Payback]:
    """The payback of every event. Rework is not in it: a lower bound."""
    dearer, found = _dearer(prompts, cached, rule, prices), []
    for event, used, tokens in zip(prompts.events, prompts.used, summarizer_tokens(prompts), strict=True):
        calls = None
        if event.call is not None and (saving := event.freed * prices.read) > 0:
            calls = max(0.0, summarizer_cost(tokens, prices) + dearer[event.call] + saving) / saving
        repaid = None if event is prompts.cut else calls is not None and calls < used
        found.append(Payback(event, calls, used, net_freed(event, used, tokens), repaid))
    return found


def net_freed(event: Event, used: int, tokens: SummarizerTokens) -> int:
    """Tokens that an event spared the calls which used what it left, less those of its summarizer."""
    return event.freed * used - tokens.read - tokens.wrote


def _dearer(prompts: Prompts, cached: Cached, rule: CacheRule, prices: Prices) -> dict[int, float]:
    """By how much the first prompt after each event costs more than it would have without it, by the index of its call."""
    calls = np.array([event.call for event in prompts.events if event.call is not None], np.int64)
    before = np.append(0, prompts.tokens)[calls]
    undone = cached_sizes(prompts.undone[calls], before, prompts.columns.gap[calls], rule)
    now = Cached(*(column[calls] for column in cached))
    return dict(zip(calls.tolist(), (prompt_costs(now, prices) - prompt_costs(undone, prices)).tolist(), strict=True))
