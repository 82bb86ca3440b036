"""The measures of compactions once more, the slow way: call by call. For policies that act once before a call."""

from typing import NamedTuple

from core import Trace
from core.measure.cost import Prices
from core.window.measured import seconds
from tests.measure.slow import common, replies, tokens_before


class Told(NamedTuple):
    """What one compaction came to."""

    net: int
    shared: tuple[int, int]
    rebound: tuple[int, float | None] | None
    payback: float | None


def hits(trace: Trace, lifetime: float) -> list[int]:
    """What of each prompt the cache holds."""
    found = []
    for n, same in enumerate(common(trace)):
        ids = {m.id: t for m, t in zip(trace.messages, trace.tokens, strict=True)}
        ids |= {m.id: t for c in trace.compactions for m, t in zip(c.added, c.added_tokens, strict=True)}
        found.append(sum(ids[m.id] for m in same) if gap(trace, n) <= lifetime else 0)
    return found


def gap(trace: Trace, n: int) -> float:
    """Seconds from the end of the reply before to call n; 0 where they are not known."""
    known = replies(trace)
    end = n and next(
        (t for i in reversed(known[n - 1]) if (t := seconds(trace.messages[i].timestamp)) is not None), None
    )
    start = time(trace, known[n][0])
    return max(0.0, start - end) if end and start is not None else 0.0


def time(trace: Trace, place: int) -> float | None:
    """The last time known before a message."""
    return next((t for m in trace.messages[:place][::-1] if (t := seconds(m.timestamp)) is not None), None)


def over(trace: Trace, budget: int) -> tuple[int, int, float]:
    """Calls over a budget, the excess, the seconds to the next call."""
    starts = [reply[0] for reply in replies(trace)]
    sizes = [tokens_before(trace, reply) for reply in replies(trace)]
    late = [n for n, size in enumerate(sizes) if size > budget]
    waits = [between(trace, starts[n], starts[n + 1]) or 0.0 for n in late if n + 1 < len(starts)]
    return len(late), sum(sizes[n] - budget for n in late), sum(waits)


def between(trace: Trace, one: int, other: int) -> float | None:
    """Seconds between the calls of two replies."""
    start, end = time(trace, one), time(trace, other)
    return None if start is None or end is None else max(0.0, end - start)


def compactions(trace: Trace, prices: Prices, lifetime: float) -> list[Told]:
    """What each compaction came to."""
    starts = [reply[0] for reply in replies(trace)]
    sizes = [tokens_before(trace, reply) for reply in replies(trace)]
    ats = [c.at for c in trace.compactions]
    return [_told(trace, k, starts, sizes, ats, prices, lifetime) for k in range(len(ats))]


def _told(
    trace: Trace, k: int, starts: list[int], sizes: list[int], ats: list[int], prices: Prices, lifetime: float
) -> Told:
    found, n = trace.compactions[k], starts.index(ats[k])
    later = starts.index(ats[k + 1]) if k + 1 < len(ats) else len(starts)
    freed = found.window_before - found.window_after
    read = sum(trace.pool.tokens(part) for part in found.ranges_of("summarised"))
    wrote = sum(found.added_tokens)
    held = sizes[n - 1] if n and gap(trace, n) <= lifetime else 0
    known, sent = hits(trace, lifetime)[n], found.window_after
    payback, saving = None, freed * prices.read
    if saving > 0:
        done = known * prices.read + (sent - known) * prices.write
        undone = held * prices.read + (found.window_before - held) * prices.write
        once = read * prices.input + wrote * prices.output + done - undone + saving
        payback = max(0.0, once) / saving
    shared = (held, found.window_before - held) if wrote else (0, 0)
    net = freed * (later - n) - read - wrote
    return Told(net, shared, _rebound(trace, n, starts, sizes, ats), payback)


def _rebound(
    trace: Trace, n: int, starts: list[int], sizes: list[int], ats: list[int]
) -> tuple[int, float | None] | None:
    limit = trace.policy.limit if trace.policy else None
    assert limit is not None
    for later in range(n, len(starts)):
        acted = later > n and starts[later] in ats
        waiting = trace.compactions[ats.index(starts[later])].window_before if acted else sizes[later]
        if waiting >= limit:
            return later - n, between(trace, starts[n], starts[later])
    return None
