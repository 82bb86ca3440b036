"""Which compactions change what messages the window has, where a message emptied in place counts as itself.

A policy that clears old results at every call changes the window ten thousand times, and takes no message out of it.
"""

from collections.abc import Sequence

from core.model.cached import cached
from core.trace.trace import Trace
from core.window.ranges import Range, Ranges, joined, originals


def moves(trace: Trace) -> Sequence[bool]:
    """Of each compaction, whether other messages are in the window after it than before, or in another order."""
    return cached(trace, "moves", _moves)


def _moves(trace: Trace) -> list[bool]:
    found, window, arrived = list[bool](), Ranges(), 0
    for compaction in trace.compactions:
        after = joined(originals(compaction.layout_after))
        found.append(after != _grown(window, (arrived, compaction.at)))
        window, arrived = after, compaction.at
    return found


def _grown(window: Ranges, new: Range) -> Ranges:
    """The window with the messages that arrived since."""
    return joined((*window, new))
