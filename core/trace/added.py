"""Which compaction put a message of the pool in."""

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
