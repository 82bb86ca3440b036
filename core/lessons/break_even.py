"""When a compaction has paid for itself, at prices relative to that of fresh input."""

from dataclasses import dataclass, replace
from math import ceil

from core.measure.cache import common_prefix
from core.measure.cost import Prices
from core.trace.compaction import Compaction
from core.trace.trace import Trace
from core.window.window import Window

PRICES = Prices(input=1.0, read=0.1, write=1.25, output=5.0)
"""An example: what a token of each kind costs, as so many tokens of fresh input."""


@dataclass(frozen=True)
class Bill:
    """What a compaction changes: tokens of the window before and after it, those at the beginning of both, and those that the
    summarizer read and wrote.
    """

    before: int
    after: int
    warm: int
    read: int
    wrote: int

    def break_even(self, prices: Prices = PRICES, shared: bool = False) -> float | None:
        """The model calls until it has paid, on a straight line; None where it frees nothing, or what it frees is free.

        The summarizer reads what goes as fresh input, or where it is `shared` goes on with the agent's own prompt and reads
        the whole window from the cache.
        """
        saved = (self.before - self.after) * prices.read
        if saved <= 0:
            return None
        read = self.before * prices.read if shared else self.read * prices.input
        again = (self.after - self.warm) * (prices.write - prices.read)
        return (read + self.wrote * prices.output + again) / saved

    def calls(self, prices: Prices = PRICES, shared: bool = False) -> int | None:
        """The same in whole calls."""
        found = self.break_even(prices, shared)
        return None if found is None else ceil(max(0.0, found))


def bill_of(trace: Trace, found: Compaction) -> Bill:
    """What a compaction of a trace changes."""
    before, after = (Window(trace.pool, layout) for layout in (found.layout_before, found.layout_after))
    return Bill(
        found.window_before,
        found.window_after,
        common_prefix(before, after),
        sum(map(trace.pool.tokens, found.ranges_of("summarised"))),
        found.summary_tokens,
    )


def cached_at(price: float) -> Prices:
    """The example with another price for what is read from the cache, as a share of that of fresh input."""
    return replace(PRICES, read=price)
