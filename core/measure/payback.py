"""When a compaction has earned back what it cost. After Wang, "When Does Context Compaction Pay" (October 2026)."""

from collections.abc import Sequence
from typing import NamedTuple

from core.measure.cache import Cached, CacheRule, cached_prompt
from core.measure.cost import Prices, prompt_cost, summarizer_cost, summarizer_tokens
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


def paybacks(prompts: Prompts, cached: Sequence[Cached], rule: CacheRule, prices: Prices) -> list[Payback]:
    """The payback of every event. Rework is not in it: a lower bound."""
    found = []
    for event, used in zip(prompts.events, prompts.used, strict=True):
        calls = _calls(prompts, event, cached, rule, prices)
        tokens = summarizer_tokens(prompts, event)
        repaid = None if event is prompts.cut else calls is not None and calls < used
        found.append(Payback(event, calls, used, event.freed * used - tokens.read - tokens.wrote, repaid))
    return found


def _calls(prompts: Prompts, event: Event, cached: Sequence[Cached], rule: CacheRule, prices: Prices) -> float | None:
    n, saving = event.call, event.freed * prices.read
    if n is None or saving <= 0:
        return None
    before = prompts.tokens[n - 1] if n else 0
    undone = cached_prompt(prompts, n, prompts.undone(n), before, rule)
    dearer = prompt_cost(cached[n], prices) - prompt_cost(undone, prices)
    once = summarizer_cost(prompts, event, prices) + dearer + saving
    return max(0.0, once) / saving
