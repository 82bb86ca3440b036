"""What compactions put in, as far as it can be read: the words in the place of what nobody can read say nothing."""

from collections.abc import Sequence, Set

from core.model.cached import cached
from core.model.session import Message
from core.policy.vocabulary import Opaque
from core.trace.trace import Trace


def readable_added(trace: Trace) -> Sequence[Message]:
    """The messages that compactions put in; a summary that nobody can read is empty, recorded or of a policy."""
    return cached(trace, "readable added", _emptied)


def unreadable(trace: Trace, k: int) -> bool:
    """Whether the summary of compaction k holds only a placeholder: what it says is not known."""
    found, policy = trace.compactions[k], trace.policy_at(trace.compaction_step(k))
    if found.recorded or policy is None:
        return bool(found.unreadable)
    return any(isinstance(stage.transform, Opaque) for stage in policy.stages) and found.summary is not None


def unreadable_ids(trace: Trace) -> Set[str]:
    """The ids of the summaries that nobody can read."""
    found = trace.compactions
    return {event.summary.id for k, event in enumerate(found) if event.summary and unreadable(trace, k)}


def _emptied(trace: Trace) -> Sequence[Message]:
    unknown = unreadable_ids(trace)
    if not unknown:
        return trace.pool.added
    return [m.model_copy(update={"content": ""}) if m.id in unknown else m for m in trace.pool.added]
