"""A recorded compaction compared with what a policy would have done to the same window."""

from dataclasses import dataclass, replace

from core.engine.compaction import compact_window, pool_over
from core.meters import Meter
from core.policy.policy import Policy
from core.summaries.summarizers import Summarizer
from core.trace.compaction import Compaction
from core.trace.trace import Trace
from core.window.ranges import Ranges, without
from core.window.window import Window


@dataclass(frozen=True)
class RecordedComparison:
    """A recorded compaction and what the policy does to the same window, both counted by the same meter.

    `automatic` is whether the policy would have compacted there by itself, `why` the amounts that it did or did not act on;
    `made` is what it does when forced to. The ranges name messages of the session: kept by both, kept by the transcript's
    agent alone, kept by the policy alone.
    """

    recorded: Compaction
    made: Compaction
    automatic: bool
    why: str
    both: Ranges
    recorded_alone: Ranges
    policy_alone: Ranges


def compare_recorded(
    trace: Trace, k: int, policy: Policy, meter: Meter, write: Summarizer | None = None
) -> RecordedComparison:
    """Compaction k of a replayed trace against the policy; the trace is left as it is.

    Only the session's own messages of that window are given to the policy, and the summary that stood in it, if any.
    """
    recorded = trace.compactions[k]
    seen = trace.window_of(trace.compaction_step(k)).pool
    pool = replace(seen.copy(), cleared_copies=pool_over(seen.base, policy, meter).cleared_copies)
    found = Window(pool, recorded.layout_before)
    made = compact_window(found, policy, meter=meter, summarizer=write, force=True, at=recorded.at)
    alone = compact_window(Window(pool, recorded.layout_before), policy, meter=meter, summarizer=write, at=recorded.at)
    theirs, ours = _stayed(recorded), _stayed(made)
    only_theirs, only_ours = without(theirs, ours), without(ours, theirs)
    automatic, both = alone.status != "not_triggered", without(theirs, only_theirs)
    return RecordedComparison(recorded, made, automatic, alone.reason, both, only_theirs, only_ours)


def _stayed(compaction: Compaction) -> Ranges:
    """What stayed verbatim."""
    return without(compaction.layout_before, tuple(r for edit in compaction.edits for r in edit.ranges))
