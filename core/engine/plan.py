"""What a policy would do to the window of a step if it fired there: `planned(trace, i, meter, write)`."""

from core.engine.compaction import compact_window
from core.meters import Meter
from core.summaries.summarizers import Summarizer
from core.trace.compaction import Compaction
from core.trace.trace import Trace
from core.window.window import Window


def planned(trace: Trace, i: int, meter: Meter, write: Summarizer | None = None) -> Compaction | None:
    """The compaction that would follow step i if it came now, forced; the trace is left as it is.

    It is that of the policy in force once the step had happened. None for a replay, which has no policy. Raises StepError
    outside the trace.
    """
    step, seen, policy = trace.step(i), trace.window_of(i), trace.policy_at(i + 1)
    if policy is None:
        return None
    number = 1 + sum(c.summary is not None for k, c in enumerate(trace.compactions) if c.at + k <= i)
    return compact_window(
        Window(seen.pool.copy(), seen.ranges),
        policy,
        meter=meter,
        summarizer=write,
        force=True,
        number=number,
        at=step.messages,
    )
