"""What the model calls of a run cost, and the calls of its summarizer."""

from dataclasses import dataclass

from core.measure.cache import Cached
from core.measure.prompts import Event, Prompts


@dataclass(frozen=True)
class Prices:
    """Money a token: of a prompt's fresh part, of what is read from the cache and written to it, and of a reply."""

    input: float
    read: float
    write: float
    output: float


@dataclass(frozen=True)
class SummarizerTokens:
    """Tokens of the summarizer's calls: what it read, and what it wrote."""

    read: int = 0
    wrote: int = 0


def prompt_cost(cached: Cached, prices: Prices) -> float:
    """What one prompt costs, without its reply."""
    return cached.hit * prices.read + cached.written * prices.write + cached.uncached * prices.input


def summarizer_tokens(prompts: Prompts, event: Event) -> SummarizerTokens:
    """What the summarizer read and wrote for an event: nothing where only something was cleared or dropped."""
    written = [found for found in prompts.compactions(event) if found.summary is not None]
    pool = prompts.trace.pool
    read = sum(pool.tokens(part) for found in written for part in found.ranges_of("summarised"))
    return SummarizerTokens(read, sum(_summary_tokens(prompts, event)))


def _summary_tokens(prompts: Prompts, event: Event) -> list[int]:
    return [
        tokens
        for found in prompts.compactions(event)
        for message, tokens in zip(found.added, found.added_tokens, strict=True)
        if message.injected == "summary"
    ]


def summarizer_cost(prompts: Prompts, event: Event, prices: Prices) -> float:
    """What the summarizer's calls for an event cost, each sent the folded messages alone."""
    tokens = summarizer_tokens(prompts, event)
    return tokens.read * prices.input + tokens.wrote * prices.output
