"""When a message of the pool came: with a compaction that put it in, or at a step of the session."""

from core.trace.trace import Trace
from core.window.ranges import ADDED, SPACE


def adding(trace: Trace, place: int) -> int | None:
    """Which compaction put the message at this place of the pool in; None for a message of the session."""
    left = place - ADDED
    if not 0 <= left < SPACE - ADDED:
        return None
    for k, event in enumerate(trace.compactions):
        if left < len(event.added):
            return k
        left -= len(event.added)
    return None


def step_of(trace: Trace, place: int) -> int:
    """The step at which the message at this place of the pool came."""
    k = adding(trace, place)
    return trace.compaction_step(k) if k is not None else trace.message_step(place % SPACE)
