"""Whether a recorded summary tells the future: a simulation may give it to a compaction before the one that wrote it."""

from core.model.cached import cached
from core.summaries.summarizers import Recorded
from core.trace.trace import Trace


def written_later(trace: Trace, j: int) -> int | None:
    """How many messages had arrived when the transcript wrote the summary of compaction j, where j has fewer; else None."""
    event = trace.compactions[j]
    if trace.kind != "simulate" or trace.summarizer != Recorded.name or event.summary is None:
        return None
    texts = cached(trace, "recorded summaries", lambda trace: Recorded(trace.session).texts)
    written = event.summary.content
    return next((at for at, text in texts if at > event.at and text and text in written), None)
