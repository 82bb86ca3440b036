"""What compactions put in, as far as it can be read."""

from collections.abc import Sequence

from core.model.cached import cached
from core.model.session import Message
from core.trace.trace import Trace


def readable_added(trace: Trace) -> Sequence[Message]:
    """The messages that compactions put in; a summary that nobody can read says nothing, not the words in its place."""
    unknown = trace.session.unreadable_summaries if trace.kind == "replay" else frozenset()
    return cached(trace, "readable added", _emptied) if unknown else trace.pool.added


def _emptied(trace: Trace) -> Sequence[Message]:
    unknown = trace.session.unreadable_summaries
    return [m.model_copy(update={"content": ""}) if m.id in unknown else m for m in trace.pool.added]
