"""Which messages of the session still stand whole in a window, and which compaction took or emptied one."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from core.model.cached import cached
from core.trace.trace import Trace
from core.window.ranges import ADDED, SPACE, Range, merged


def standing(trace: Trace) -> "Standing":
    """What stands in the windows of a trace; made once for it."""
    return cached(trace, "standing", Standing)


class Standing:
    """The windows that the compactions of a trace left, as the places of messages that stand whole in them."""

    def __init__(self, trace: Trace) -> None:
        # Not the trace itself, which keeps this: it is freed without a garbage collection.
        self._events, self._copies = trace.compactions, trace.cleared_copies
        self._ats = [event.at for event in self._events]
        self._known: dict[int, tuple[Sequence[Range], Sequence[Range]]] = {}
        self._taken: dict[int, int] = {}

    def compactions_before(self, place: int) -> int:
        """How many compactions had happened when the message at a place arrived."""
        return bisect_right(self._ats, place)

    def stands(self, place: int, call: int) -> bool:
        """Whether a message stood whole in the prompt of the reply that arrived at `call`."""
        done = self.compactions_before(call)
        return done == 0 or place >= self._ats[done - 1] or self._left_whole(place, done - 1)

    def taken_by(self, place: int) -> int:
        """The index of the first compaction that took a message or emptied it; -1 if none did."""
        if place not in self._taken:
            rest = range(bisect_right(self._ats, place), len(self._ats))
            self._taken[place] = next((k for k in rest if not self._left_whole(place, k)), -1)
        return self._taken[place]

    def _left_whole(self, place: int, k: int) -> bool:
        """Whether compaction k left a message as it had arrived."""
        if k not in self._known:
            layout = self._events[k].layout_after
            self._known[k] = merged(part for part in layout if part[0] < ADDED), [p for p in layout if p[0] >= SPACE]
        whole, copied = self._known[k]
        found = bisect_right(whole, place, key=_start) - 1
        if found >= 0 and place < whole[found][1]:
            return True
        return any(a % SPACE <= place < a % SPACE + b - a and self._unchanged(a, place) for a, b in copied)

    def _unchanged(self, start: int, place: int) -> bool:
        """Whether a copy leaves a message as it is."""
        touched = self._copies[start // SPACE - 1].places
        found = bisect_left(touched, place)
        return found == len(touched) or touched[found] != place


def _start(part: Range) -> int:
    return part[0]
