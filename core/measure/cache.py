"""What of each prompt a provider's cache already holds, and what it writes to it."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from core.measure.prompts import Prompts
from core.model.session import Message
from core.window.ranges import ADDED, SPACE, Range, Ranges
from core.window.window import Pool, Window


@dataclass(frozen=True)
class CacheRule:
    """A provider's prompt cache.

    `lifetime` is in seconds; a prompt under `minimum` tokens is not cached, and hits count in whole blocks of `block` tokens.
    `overhead` are tokens in front of every prompt that never change: tools and hidden prompts.
    """

    lifetime: float = 300.0
    minimum: int = 0
    block: int = 1
    overhead: int = 0


class Cached(NamedTuple):
    """The tokens of one prompt: read from the cache, written to it, and sent past it."""

    hit: int
    written: int
    uncached: int


def cached_prompts(prompts: Prompts, rule: CacheRule) -> list[Cached]:
    """What the cache does with every prompt, a lower bound of hits: it looks back one prompt, at whole equal messages."""
    common = common_tokens(prompts)
    return [cached_prompt(prompts, n, prompts.tokens[n], common[n], rule) for n in range(len(prompts.calls))]


def cached_prompt(prompts: Prompts, n: int, tokens: int, common: int, rule: CacheRule) -> Cached:
    """What the cache does with a prompt of so many tokens at call n, so many of which the prompt before begins with."""
    size = tokens + rule.overhead
    if size < rule.minimum or not size:
        return Cached(0, 0, size)
    before = prompts.calls[n - 1] if n else None
    warm = before is not None and prompts.calls[n].gap(before) <= rule.lifetime
    hit = (common + rule.overhead) // rule.block * rule.block if warm else 0
    hit = hit if hit >= rule.minimum else 0
    return Cached(hit, size - hit, 0)


def common_tokens(prompts: Prompts) -> list[int]:
    """For each prompt, the tokens of the whole messages with which the prompt before begins, too; 0 for the first."""
    found = [0] if prompts.calls else []
    for n, (before, now) in enumerate(pairwise(prompts.done), 1):
        grown = before == now
        found.append(prompts.tokens[n - 1] if grown else common_prefix(prompts.window(n - 1), prompts.window(n)))
    return found


def common_prefix(one: Window, other: Window) -> int:
    """Tokens of the equal messages that two windows over one pool begin with."""
    pool, tokens = one.pool, 0
    for a, b in _beside(one.ranges, other.ranges):
        same = a[1] - a[0] if a == b else _same(pool, a, b)
        tokens += pool.tokens((a[0], a[0] + same)) if same else 0
        if same < a[1] - a[0]:
            break
    return tokens


def _beside(one: Ranges, other: Ranges) -> Iterator[tuple[Range, Range]]:
    """Both cut so that ranges of one length stand beside each other, up to the end of the shorter."""
    left, right = list(reversed(one)), list(reversed(other))
    while left and right:
        (a, b), (c, d) = left.pop(), right.pop()
        size = min(b - a, d - c)
        left += [(a + size, b)] if size < b - a else []
        right += [(c + size, d)] if size < d - c else []
        yield (a, a + size), (c, c + size)


def _same(pool: Pool, one: Range, other: Range) -> int:
    """How many messages at the beginning of two ranges of one length are equal."""
    count = one[1] - one[0]
    of_session = not any(ADDED <= a < SPACE for a in (one[0], other[0]))
    if of_session and one[0] % SPACE == other[0] % SPACE:  # one message in two states, mostly the same
        first = one[0] % SPACE
        copies = [pool.cleared_copies[a // SPACE - 1] for a in (one[0], other[0]) if a >= SPACE]
        changed = [places[0] for copy in copies if (places := copy.touched(first, first + count))]
        return min(changed, default=first + count) - first
    pairs = zip(pool.slice(one), pool.slice(other), strict=True)
    return next((k for k, (a, b) in enumerate(pairs) if as_sent(a) != as_sent(b)), count)


def as_sent(message: Message) -> tuple[object, ...]:
    """What a provider would see of a message."""
    return message.role, message.content, message.tool_calls, message.tool_call_id, message.images
