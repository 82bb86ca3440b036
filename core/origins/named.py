"""Where the messages around a compaction show a name: all of a session, or of one that is very long those that matter most."""

from bisect import bisect_left
from collections.abc import Iterable, Sequence

from core.entities.entity import Entity
from core.entities.index import EntityIndex, index_of
from core.model.cached import cached
from core.model.session import Message
from core.trace.trace import Trace
from core.window.ranges import ADDED, SPACE, Range, merged, originals, outside, places

WHOLE = 4_000_000  # tokens: the index of such a session takes a few seconds; of a larger one only part is read
BEFORE, BEHIND = 2_500, 2_500  # messages of such a part: the newest that were folded, and those behind the compaction


def is_read_whole(trace: Trace) -> bool:
    """Whether all messages of the session are read for the names in them."""
    return sum(trace.tokens) <= WHOLE


class Named:
    """An index of names by place of the session's messages; of part of them where `whole` is False."""

    def __init__(self, trace: Trace, k: int) -> None:
        self.whole = is_read_whole(trace)
        self._read: Sequence[int] = ()
        if self.whole:
            self._index = index_of(trace.messages)
        else:
            self._read = _around(trace, k)
            self._index = EntityIndex([trace.messages[place] for place in self._read])

    def where(self, name: Entity) -> Sequence[int]:
        """The places of the messages that show a name, in order."""
        found = self._index.where(name)
        return found if self.whole else [self._read[i] for i in found]


def named_of(trace: Trace, k: int) -> Named:
    """The index for compaction k: read once."""
    return cached(trace, ("named", k), lambda trace: Named(trace, k))


def folded(trace: Trace, k: int) -> list[int]:
    """The places of what compaction k took out of the window, emptied messages and earlier summaries among it."""
    return sorted(places(originals(trace.compactions[k].ranges_of("summarised", "dropped", "cleared", "truncated"))))


def kept(trace: Trace, k: int) -> list[int]:
    """The places of the session's messages that stayed in the window as they were, those between emptied ones among them."""
    event = trace.compactions[k]
    taken = merged(event.ranges_of("summarised", "dropped", "cleared", "truncated"))
    whole = merged(part for found in event.layout_after for part in _whole(trace, found))
    return [place for place in places(outside(whole, taken)) if place < ADDED]


def _whole(trace: Trace, part: Range) -> Iterable[Range]:
    """Which messages of a range are as they came; of a stretch that is cleared in place those that are not emptied."""
    a, b = part
    if a < SPACE:
        return (part,)
    first, emptied = a % SPACE, trace.cleared_copies[a // SPACE - 1].places
    here = emptied[bisect_left(emptied, first) : bisect_left(emptied, first + b - a)]
    return outside([(first, first + b - a)], merged((i, i + 1) for i in here))


def read_of(messages: Sequence[Message], taken: Sequence[int]) -> list[int]:
    """Which of the messages taken are read for what they say: all that a person typed, and the newest of the others."""
    own = [place for place in taken if place < ADDED]
    late = len(own) - BEFORE
    return [place for i, place in enumerate(own) if i >= late or messages[place].typed]


def _around(trace: Trace, k: int) -> list[int]:
    at, messages = trace.compactions[k].at, trace.messages
    behind = range(at, min(len(messages), at + BEHIND))
    return sorted({*read_of(messages, folded(trace, k)), *kept(trace, k)[-BEFORE:], *behind})
