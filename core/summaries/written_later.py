"""Where a simulation's summaries come from that are said to be recorded.

It may give one to a compaction before the one that wrote it; behind the last one quotes stand in.
"""

from collections.abc import Iterable

from core.model.cached import cached
from core.summaries.summarizers import Recorded
from core.trace.added import adding
from core.trace.stand_in import quotes_only
from core.trace.trace import Trace


def written_later(trace: Trace, j: int) -> int | None:
    """How many messages had arrived when the transcript wrote the summary of compaction j, where j has fewer; else None."""
    event = trace.compactions[j]
    if trace.kind != "simulate" or trace.summarizer != Recorded.name or event.summary is None:
        return None
    written = event.summary.content
    return next((at for at, text in _recorded(trace) if at > event.at and text and text in written), None)


def quotes_at(trace: Trace, j: int) -> bool:
    """Whether quotes stand in for the summary of compaction j: in the whole run, or as the transcript has none so late."""
    event = trace.compactions[j]
    if trace.kind != "simulate" or trace.summarizer != Recorded.name or event.summary is None:
        return quotes_only(trace)
    last = max((end for _, end in event.ranges_of("summarised") if end <= len(trace.messages)), default=0)
    return not next((text for at, text in _recorded(trace) if at >= last), "")


def only_quotes(trace: Trace, places: Iterable[int]) -> bool:
    """Whether each of these messages of the pool is of a compaction for whose summary quotes stand in."""
    found = {adding(trace, place) for place in places}
    return bool(found) and all(k is not None and quotes_at(trace, k) for k in found)


def _recorded(trace: Trace) -> list[tuple[int, str]]:
    """The summaries on record, each stripped, and how many messages had arrived when it was written; read once."""
    return cached(trace, "recorded summaries", _read)


def _read(trace: Trace) -> list[tuple[int, str]]:
    return [(at, text.strip()) for at, text in Recorded(trace.session).texts]
