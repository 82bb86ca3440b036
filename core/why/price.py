"""What a run costs: how often it compacts, its largest window, and the tokens of all its prompts."""

from bisect import bisect_left
from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

from core.model.cached import cached
from core.model.session import Session
from core.trace.compaction import Compaction
from core.window.measured import Measured


class Price(NamedTuple):
    """Behind how many messages it compacted each time, tokens of the largest window, and of all prompts of model calls."""

    compacted_at: tuple[int, ...]
    peak_tokens: int
    tokens_sent: int

    @property
    def compactions(self) -> int:
        """How often it compacted."""
        return len(self.compacted_at)


def price(compactions: Sequence[Compaction], base: Measured) -> Price:
    """The price of a run over these messages with these compactions, in order, by the meter of its trace.

    What a provider adds to a prompt (tools, hidden system prompts) is not in it. What a person did by hand is no compaction.
    """
    calls, sums = cached(base, "calls sent", _calls)
    sent, peak, beyond, since = 0, 0, 0, 0  # a window is what arrived and `beyond`, which is mostly below 0
    for until, after in (*((found.at, found.window_after) for found in compactions), (len(base.messages), None)):
        first, last = bisect_left(calls, since), len(calls) if after is None else bisect_left(calls, until)
        sent += sums[last] - sums[first] + beyond * (last - first)
        peak = max(peak, base.running[until] + beyond)
        if after is not None:
            since, beyond = until, after - base.running[until]
    return Price(tuple(found.at for found in compactions if not found.by_hand), max(peak, 0), sent)


def _calls(base: Measured) -> tuple[list[int], list[int]]:
    """How many messages had arrived at each model call, and the sums of all that had arrived at the first k of them."""
    return base.calls, list(accumulate((base.running[at] for at in base.calls), initial=0))


def sent_on_record(session: Session) -> tuple[int, int]:
    """The tokens of all prompts that a session's usage records, and how many prompts those are."""
    prompts = [m.usage.prompt for m in session.messages if m.usage is not None and m.usage.prompt > 0]
    return sum(prompts), len(prompts)
