"""Where in the talk a compaction happened: within a turn, or behind one that had ended; and in which turn its summary ends."""

from bisect import bisect_right
from typing import NamedTuple

from core.analyse.answered import Ending, ended_by, turn_end
from core.trace.trace import Trace
from core.window.measured import seconds
from core.window.ranges import inside, merged, originals, outside


class Moment(NamedTuple):
    """What had `ended` the turn by then, with its last message: "" and -1 within it.

    `ends` is the request of the turn in which the summary ends, where a later one had begun and all behind that end stays as it
    came: -1 where none had, where some of it went, where nobody knows what went, or there is no summary.
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
    return Moment(ended, last, _ends(trace, k, turn))


def since_ended(trace: Trace, k: int) -> float | None:
    """The seconds from the end of the turn before compaction k to its beginning; None within a turn and where not recorded."""
    event, (_, last, _) = trace.compactions[k], moment(trace, k)
    end, made = (seconds(time or "") for time in (trace.messages[last].timestamp if last >= 0 else "", event.timestamp))
    return None if end is None or made is None else made - (event.duration_ms or 0) / 1000 - end


def _ends(trace: Trace, k: int, turn: int) -> int:
    """The request of the turn in which the summary of compaction k ends, before the one under way; -1 where none is told."""
    event, starts = trace.compactions[k], trace.measured.turn_starts
    if not event.summary or event.fidelity == "inferred":
        return -1
    told = inside(originals(event.ranges_of("summarised")), ((0, event.at),))
    end = max((end for _, end in told), default=0)
    last = bisect_right(starts, end - 1) - 1
    stays = not any(outside([(end, event.at)], merged(event.layout_after)))
    return starts[last] if 0 <= last < turn and stays else -1
