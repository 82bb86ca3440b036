"""What the next recorded compaction took of a window: the regions of a run as recorded are told with hindsight."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from core.trace.compaction import Compaction
from core.window.heads import leading_systems
from core.window.ranges import Ranges, merged, without
from core.window.window import Window


@dataclass(frozen=True)
class Hindsight:
    """What the compaction behind a window took out of it or emptied, as ranges over the pool in ascending order."""

    taken: Ranges

    def took(self, place: int) -> bool:
        """Whether the message at this place of the pool is among them."""
        k = bisect_right(self.taken, place, key=lambda part: part[1])
        return k < len(self.taken) and self.taken[k][0] <= place

    def head(self, window: Window) -> int:
        """How many system messages at the front of the window it kept, up to the first that it took."""
        systems = leading_systems(window)
        return next((k for k in range(systems) if self.took(window.at(k))), systems)

    def tail(self, window: Window) -> int:
        """The index behind the last message of the window that it took."""
        end, first = 0, 0
        for a, b in window.ranges:
            k = bisect_right(self.taken, b - 1, key=lambda part: part[0]) - 1
            if k >= 0 and self.taken[k][1] > a:
                end = first + min(b, self.taken[k][1]) - a
            first += b - a
        return end


def hindsight(compactions: Sequence[Compaction], done: int) -> Hindsight | None:
    """What the recorded compaction behind the first `done` took of the windows in front of it.

    None where no later one follows, or the transcript does not say what it took.
    """
    if done >= len(compactions):
        return None
    found = compactions[done]
    taken = merged(without(found.layout_before, found.layout_after))
    return Hindsight(taken) if taken else None
