"""Where the transcript's own agent compacted: what a policy would have done to the same window."""

from dataclasses import dataclass

from core.compact import compact_window, pool_over
from core.meters import Meter
from core.policy import Policy
from core.summarizers import Summarizer
from core.trace import Compaction, Trace
from core.window import Ranges, Window, without


@dataclass(frozen=True)
class Rival:
    """A recorded compaction and what the policy makes of the window it found, both by the same meter.

    `asked` is whether the policy would have compacted there by itself; `made` is what it does when it is made to. The ranges
    name messages of the session: kept by both, kept by the transcript's agent alone, kept by the policy alone.
    """

    recorded: Compaction
    made: Compaction
    asked: bool
    both: Ranges
    recorded_alone: Ranges
    policy_alone: Ranges


def rival(trace: Trace, k: int, policy: Policy, meter: Meter, write: Summarizer | None = None) -> Rival:
    """Compaction k of a replayed trace against the policy; the trace is left as it is.

    Only the session's own messages of that window are given to the policy, and the summary that stood in it, if any.
    """
    recorded = trace.compactions[k]
    window = trace.window_of(trace.compaction_step(k)).pool
    pool = pool_over(window.base, policy, meter)
    pool.added, pool.added_tokens = list(window.added), list(window.added_tokens)
    found = Window(pool, recorded.layout_before)
    made = compact_window(found, policy, meter=meter, summarizer=write, force=True, at=recorded.at)
    alone = compact_window(Window(pool, recorded.layout_before), policy, meter=meter, summarizer=write, at=recorded.at)
    theirs, ours = _stayed(recorded), _stayed(made)
    only_theirs, only_ours = without(theirs, ours), without(ours, theirs)
    return Rival(recorded, made, alone.status != "not_triggered", without(theirs, only_theirs), only_theirs, only_ours)


def _stayed(compaction: Compaction) -> Ranges:
    """What stayed word for word."""
    return without(compaction.layout_before, tuple(r for edit in compaction.edits for r in edit.ranges))
