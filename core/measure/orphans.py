"""Tool pairs of which a compaction left one half: real APIs refuse a call without its result, and a result without its call."""

from collections.abc import Iterable, Sequence

from core.model.cached import cached
from core.model.tool_pairs import Pair, tool_pairs
from core.trace.trace import Trace
from core.window.measured import Measured
from core.window.ranges import Range, Ranges, merged
from core.window.window import Pool


def orphaned_pairs(trace: Trace) -> int:
    """How many tool pairs stood in some window after a compaction with one half gone, each counted once."""
    found = set[tuple[int, int]]()
    for compaction in trace.compactions:
        there = merged(own for part in compaction.layout_after for own in _places(trace.pool, part))
        found.update(_parted(trace.measured, there, compaction.at))
    return len(found)


def _places(pool: Pool, part: Range) -> Iterable[Range]:
    """Which of the session's messages these are, whole, emptied, or put in once more emptied in part."""
    if (own := pool.origin(part)) is not None:
        return [own]
    places = (pool.base.places.get(message.id) for message in pool.slice(part))
    return [(place, place + 1) for place in places if place is not None]


def _parted(base: Measured, there: Ranges, at: int) -> set[tuple[int, int]]:
    """The pairs that had arrived and stand by half in these ranges: each of them reaches over one of their ends."""
    ends = {end for part in there for end in part if base.inside[end]}
    pairs = ((pair.call_at, pair.result_at) for end in ends for pair in _across(base, end) if pair.result_at < at)
    return {(call, result) for call, result in pairs if _holds(there, call) != _holds(there, result)}


def _holds(there: Ranges, place: int) -> bool:
    return any(a <= place < b for a, b in there)


def _across(base: Measured, end: int) -> Sequence[Pair]:
    """The pairs whose call stands before a place, and whose result does not; looked for once a place."""
    known = cached(base, "pairs across places", lambda _: dict[int, Sequence[Pair]]())
    if end not in known:
        known[end] = [pair for pair in _pairs(base) if pair.call_at < end <= pair.result_at]
    return known[end]


def _pairs(base: Measured) -> Sequence[Pair]:
    """The calls that are answered, each with its first result."""
    return cached(base, "pairs", lambda base: [pair for pair in tool_pairs(enumerate(base.messages)) if pair.first])
