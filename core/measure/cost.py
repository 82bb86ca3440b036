"""What the model calls of a run cost, and the calls of its summarizer."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from core.measure.cache import Cached, CacheRule, cached_sizes
from core.measure.columns import Floats
from core.measure.prompts import Event, Prompts
from core.model.cached import cached


@dataclass(frozen=True)
class Prices:
    """Money a token: of a prompt's fresh part, of what is read from the cache and written to it, and of a reply."""

    input: float
    read: float
    write: float
    output: float

    def of(self, read: int, write: int, fresh: int, output: int) -> float:
        """What so many tokens cost: read from the cache and written to it, sent past it, and put out."""
        return read * self.read + write * self.write + fresh * self.input + output * self.output


class SummarizerTokens(NamedTuple):
    """Tokens of the summarizer's calls: what it read, and what it wrote."""

    read: int = 0
    wrote: int = 0


def prompt_costs(sent: Cached, prices: Prices) -> Floats:
    """What each prompt costs, without its reply."""
    costs: Floats = sent.hit * prices.read + sent.written * prices.write + sent.uncached * prices.input
    return costs


def summarizer_tokens(prompts: Prompts) -> Sequence[SummarizerTokens]:
    """What the summarizer read and wrote for each event: nothing where only something was cleared or dropped."""
    return cached(prompts, "summarizer", lambda prompts: [_tokens(prompts, event) for event in prompts.events])


def _tokens(prompts: Prompts, event: Event) -> SummarizerTokens:
    read = wrote = 0
    for found in prompts.compactions(event):
        written = [t for m, t in zip(found.added, found.added_tokens, strict=True) if m.injected == "summary"]
        if written:
            read += sum(map(prompts.trace.pool.tokens, found.ranges_of("summarised")))
            wrote += sum(written)
    return SummarizerTokens(read, wrote)


def summarizer_cost(tokens: SummarizerTokens, prices: Prices) -> float:
    """What the summarizer's calls for an event cost, each sent the folded messages alone."""
    return tokens.read * prices.input + tokens.wrote * prices.output


class SharedTokens(NamedTuple):
    """What summarizer calls are sent that go on with the agent's own prompt: read from its cache, and past it."""

    cached: int
    fresh: int


def shared_tokens(prompts: Prompts, rule: CacheRule) -> SharedTokens:
    """The tokens of all summarizer calls together, were each sent the whole window before its event.

    The cache then holds what the prompt before it left there.
    """
    wrote = [e for e, tokens in zip(prompts.events, summarizer_tokens(prompts), strict=True) if tokens.wrote]
    if not wrote:
        return SharedTokens(0, 0)
    calls = np.array([len(prompts.calls) if event.call is None else event.call for event in wrote])
    before = np.array([event.before for event in wrote])
    known = np.append(0, prompts.tokens)[calls]
    gap = np.append(prompts.columns.gap, 0.0 if len(prompts.calls) else np.nan)[calls]
    sent = cached_sizes(before, np.minimum(known, before), gap, rule)
    return SharedTokens(int(sent.hit.sum()), int((sent.written + sent.uncached).sum()))
