"""What of each prompt a provider's cache already holds, and what it writes to it."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from core.measure.columns import Floats, Integers
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
    """The tokens of prompts, one entry a prompt: read from the cache, written to it, and sent past it."""

    hit: Integers
    written: Integers
    uncached: Integers


def cached_prompts(prompts: Prompts, rule: CacheRule) -> Cached:
    """What the cache does with every prompt, a lower bound of hits: it looks back one prompt, at whole equal messages."""
    return cached_sizes(prompts.tokens, common_tokens(prompts), prompts.columns.gap, rule)


def cached_sizes(tokens: Integers, common: Integers, gap: Floats, rule: CacheRule) -> Cached:
    """What the cache does with prompts of so many tokens, so many of which the prompt before begins with.

    `gap` are the seconds since that prompt's reply ended; NaN where there is no prompt before.
    """
    size = tokens + rule.overhead
    cacheable = (size >= rule.minimum) & (size > 0)
    hit = (common + rule.overhead) // rule.block * rule.block
    hit = np.where(cacheable & (gap <= rule.lifetime) & (hit >= rule.minimum), hit, 0)
    return Cached(hit, np.where(cacheable, size - hit, 0), np.where(cacheable, 0, size))


def common_tokens(prompts: Prompts) -> Integers:
    """For each prompt, the tokens of the whole messages with which the prompt before begins, too; 0 for the first."""
    found = np.zeros(len(prompts.calls), np.int64)
    found[1:] = prompts.tokens[:-1]
    for n in np.flatnonzero(np.diff(prompts.done)).tolist():
        found[n + 1] = common_prefix(prompts.window(n), prompts.window(n + 1))
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
