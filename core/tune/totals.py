"""The figures of one setting over all sessions of a sweep: sums of its rows, from which prices make a cost."""

from collections.abc import Iterable

from core.measure.cost import Prices
from core.model.session import Frozen
from core.tune.row import Row

MANY_GAPS = 8
"""Gaps between compactions that must have been seen before a setting can be said to thrash."""

THRASHES = 0.25
"""The share of short gaps from which on it does."""


class Totals(Frozen):
    """Sums over the rows of one setting. Tokens by the meter of the sweep.

    `gaps` counts the stretches of model calls between compactions, `short_gaps` those of at most three calls. Of all `calls`,
    `given_up_calls` came after the policy had stopped for good.
    """

    sessions: int = 0
    compactions: int = 0
    gaps: int = 0
    short_gaps: int = 0
    calls: int = 0
    given_up_calls: int = 0
    tokens_sent: int = 0
    cache_read: int = 0
    cache_write: int = 0
    uncached: int = 0
    output: int = 0
    summarizer_in: int = 0
    summarizer_out: int = 0
    uses: int = 0
    misses: int = 0

    @property
    def miss_rate(self) -> float | None:
        """The share of later uses that the window no longer held; None where nothing was used."""
        return self.misses / self.uses if self.uses else None

    @property
    def thrashes(self) -> bool:
        """Whether it compacts again and again: of 8 gaps or more, a quarter are of at most three model calls."""
        return self.gaps >= MANY_GAPS and self.short_gaps >= THRASHES * self.gaps

    def cost(self, prices: Prices) -> float:
        """What the model's calls and the summarizer's cost, as `cost_of` says of one row."""
        fresh, written = self.uncached + self.summarizer_in, self.output + self.summarizer_out
        return prices.of(self.cache_read, self.cache_write, fresh, written)


_SUMMED = tuple(name for name in Totals.model_fields if name != "sessions")


def totals(rows: Iterable[Row]) -> Totals:
    """The sums of the rows of one setting."""
    listed = list(rows)
    return Totals(sessions=len(listed), **{name: sum(getattr(row, name) for row in listed) for name in _SUMMED})
