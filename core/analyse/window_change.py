"""A compaction as the findings look at it: its window by places in the pool, each part read once and only when asked for.

Places and not ids: a window given to `compact` may hold the same message twice. A copy whose body was emptied has the
place of the message that it is a copy of.
"""

from collections.abc import Callable
from functools import cached_property

from core.analyse.pairs import Pair, pairs
from core.analyse.stretches import inside, merged, places, plain
from core.model import Message
from core.trace import Compaction
from core.window import Pool, Range, Ranges

LEFT = ("summarised", "dropped")  # after these a message is gone; after the others it is changed in place
_END = 10**18


class Seen:
    """A compaction, the one before it (None: the first, or not known), and what several findings need of both.

    A policy that works out anew what is sent, from all that arrived, names the whole history as its window. What it takes
    out each time again is not news: the window before is here what was sent last, and what arrived since.
    """

    def __init__(
        self, compaction: Compaction, previous: Compaction | None = None, pool: Callable[[], Pool] | None = None
    ) -> None:
        self.compaction, self.previous, self._pool = compaction, previous, pool

    @cached_property
    def continues(self) -> bool:
        """Whether the window before is what the compaction before left, with messages at its end; True if none is known."""
        if self.previous is None or not self.previous.layout_after:
            return True
        left, found = self.previous.layout_after, self.compaction.layout_before
        last, (a, b) = len(left) - 1, left[-1]
        return left[:last] == found[:last] and last < len(found) and found[last][0] == a and found[last][1] >= b

    @cached_property
    def _parts(self) -> Ranges:
        """The window before as ranges of the pool, without what was left out the last time already."""
        found = self.compaction.layout_before
        if self.previous is None or self.continues:
            return found
        known = merged(plain(self.previous.layout_after), ((self.previous.at, _END),))
        return tuple(part for whole in found for part in _cut(whole, known))

    @cached_property
    def before(self) -> dict[int, Message]:
        """The window before, in order, by place."""
        return dict(zip(places(plain(self._parts)), self._read(), strict=False))

    @cached_property
    def after(self) -> dict[int, Message]:
        """The window after, in order, by place."""
        return dict(zip(places(plain(self.compaction.layout_after)), self.compaction.after, strict=False))

    @cached_property
    def pairs(self) -> list[Pair]:
        """The tool calls of the window before that are answered in it."""
        return list(pairs(self.before.items()))

    @cached_property
    def stretches(self) -> Ranges:
        """The places of the window before, as ranges in ascending order."""
        return merged(plain(self._parts))

    @cached_property
    def removed(self) -> frozenset[int]:
        """The places of what left the window; none where its messages cannot be named."""
        found = inside(self.named(*LEFT), self.stretches)
        return frozenset(i for i in places(found) if i in self.before)

    def named(self, *actions: str) -> Ranges:
        """The places of all that edits of these actions name, or of all that any edit names, in ascending order."""
        edits = (edit for edit in self.compaction.edits if not actions or edit.action in actions)
        return merged(*(plain(edit.ranges) for edit in edits))

    @cached_property
    def put(self) -> tuple[Message, ...]:
        """What was put in; not what stands in the place of a message whose body was emptied or shortened."""
        return tuple(m for m in self.compaction.added if m.injected != "cleared")

    @cached_property
    def moved(self) -> bool:
        """Whether messages left or came, so that others stand side by side; False where bodies were only emptied."""
        return bool(self.put) or any(edit.action in LEFT for edit in self.compaction.edits) or self._unnamed

    @property
    def _unnamed(self) -> bool:
        """Whether the window changed and nothing says how."""
        return self.compaction.acted and not self.compaction.edits

    @property
    def where(self) -> str:
        """What became of the messages that left, as the end of a sentence."""
        event = self.compaction
        if event.summary is None and event.recorded:
            return "left out of what was kept"
        if event.summary is None:
            told = self.put and any(edit.action == "summarised" for edit in event.edits)
            return "put into other words" if told else "dropped"
        return f"folded into summary #{event.number}" if event.number else "folded into the summary"

    def _read(self) -> list[Message]:
        """The messages of the window before; of a part of it from the pool, where that is given."""
        if self._parts == self.compaction.layout_before:
            return self.compaction.before
        if self._pool is not None:
            return self._pool().listed(self._parts)
        known = dict(zip(places(self.compaction.layout_before), self.compaction.before, strict=False))
        return [known[i] for i in places(self._parts) if i in known]


def _cut(whole: Range, known: Ranges) -> Ranges:
    """What of one range of the pool is of known places."""
    (own,) = plain((whole,))
    shift = whole[0] - own[0]
    return tuple((a + shift, b + shift) for a, b in inside((own,), known))
