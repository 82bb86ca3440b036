"""What a policy would do to the window of a step if it fired there: `planned(trace, i, meter, write)`."""

from core.compact import compact_window
from core.meters import Meter
from core.summarizers import Summarizer
from core.trace import Compaction, Trace
from core.window import Pool, Window


def planned(trace: Trace, i: int, meter: Meter, write: Summarizer | None = None) -> Compaction | None:
    """The compaction that would follow step i if it came now, forced; the trace is left as it is.

    It is that of the policy in force once the step had happened. None for a replay, which has no policy. Raises StepError
    outside the trace.
    """
    step, seen, policy = trace.step(i), trace.window_of(i), trace.policy_at(i + 1)
    if policy is None:
        return None
    pool = seen.pool
    copy = Pool(pool.base, list(pool.added), list(pool.added_tokens), pool.shadows, pool.made, pool.held)
    number = 1 + sum(c.summary is not None for k, c in enumerate(trace.compactions) if c.at + k <= i)
    return compact_window(
        Window(copy, seen.ranges),
        policy,
        meter=meter,
        summarizer=write,
        force=True,
        number=number,
        at=step.messages,
    )
