"""When a message of the pool came: with a compaction that put it in, or at a step of the session."""

from core.trace.added import adding
from core.trace.trace import Trace
from core.window.ranges import SPACE


def step_of(trace: Trace, place: int) -> int:
    """The step at which the message at this place of the pool came."""
    k = adding(trace, place)
    return trace.compaction_step(k) if k is not None else trace.message_step(place % SPACE)
