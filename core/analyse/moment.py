"""Where in the talk a compaction happened: within a turn, or behind one that had ended; and in which turn its summary ends."""

from bisect import bisect_right
from typing import NamedTuple

from core.analyse.answered import Ending, ended_by, turn_end
from core.trace.trace import Trace
from core.window.ranges import inside


class Moment(NamedTuple):
    """What had `ended` the turn by then, with its last message: "" and -1 within it.

    `ends` is the request of the turn in which the summary ends, where a later one had begun: -1 where none had, or there is no
    summary. What came behind its end stays.
    """

    ended: Ending
    last: int
    ends: int


def moment(trace: Trace, k: int) -> Moment:
    """The moment of compaction k of a trace."""
    event, starts = trace.compactions[k], trace.measured.turn_starts
    turn = bisect_right(starts, event.at - 1) - 1
    if turn < 0:
        return Moment("", -1, -1)
    ended = ended_by(trace, starts[turn], event.at)
    last = turn_end(trace, starts[turn]) if ended else -1
    if not event.summary:
        return Moment(ended, last, -1)
    taken = tuple(inside(event.ranges_of("summarised", "dropped"), ((0, event.at),)))
    ends = bisect_right(starts, max((end for _, end in taken), default=0) - 1) - 1
    return Moment(ended, last, starts[ends] if taken and 0 <= ends < turn else -1)
