"""A moment that every run over the same messages has, however often each of them compacted."""

from bisect import bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from core.trace.compaction import Compaction
from core.trace.trace import Trace
from core.window.ranges import Ranges, joined


class Target(NamedTuple):
    """So many messages have arrived, before what is compacted at that moment, or after it."""

    arrived: int
    after: bool

    def passed_by(self, compaction: Compaction) -> bool:
        """Whether a compaction comes later than this."""
        return compaction.at > self.arrived or (compaction.at == self.arrived and not self.after)

    def layout(self, compactions: Sequence[Compaction]) -> Ranges:
        """The window at this moment, of a run with these compactions in order."""
        done = sum(not self.passed_by(found) for found in compactions)
        last = compactions[done - 1] if done else None
        return joined((*(last.layout_after if last else ()), (last.at if last else 0, self.arrived)))


def target_of(trace: Trace, step: int) -> Target:
    """The moment of a step; of a message that the model wrote, the moment of its prompt. Raises StepError outside the trace.

    So a text that is asked about where it was needed is sought in what the model could see, not in what it wrote.
    """
    found = trace.step(step)
    if found.kind == "compaction":
        return Target(found.messages, after=True)
    written = trace.messages[found.messages - 1]
    if written.role != "assistant" or written.injected:
        return Target(found.messages, after=False)
    calls = trace.measured.calls
    return Target(calls[bisect_right(calls, found.messages - 1) - 1], after=True)
