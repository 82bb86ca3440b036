"""A compaction as the findings look at it: its window by places in the pool, each part read once and only when asked for.

Places and not ids: a window given to `compact` may hold the same message twice.
"""

from collections.abc import Iterator
from functools import cached_property

from core.analyse.pairs import Pair, pairs
from core.model import Message
from core.trace import Compaction
from core.window import Ranges

LEFT = ("summarised", "dropped")  # after these a message is gone; after the others it is changed in place
_SPACE = 100_000_000  # emptied copies of a session's messages stand a multiple of that behind them in the pool


class Seen:
    """A compaction, the one before it (None: the first, or not known), and what several findings need of both."""

    def __init__(self, compaction: Compaction, previous: Compaction | None = None) -> None:
        self.compaction, self.previous = compaction, previous

    @cached_property
    def before(self) -> dict[int, Message]:
        """The window before, in order, by place."""
        return dict(zip(places(self.compaction.layout_before), self.compaction.before, strict=False))

    @cached_property
    def after(self) -> dict[int, Message]:
        """The window after, in order, by place."""
        return dict(zip(places(self.compaction.layout_after), self.compaction.after, strict=False))

    @cached_property
    def pairs(self) -> list[Pair]:
        """The tool calls of the window before that are answered in it."""
        return list(pairs(self.before.items()))

    @cached_property
    def removed(self) -> frozenset[int]:
        """The places of what left the window."""
        taken = [i for edit in self.compaction.edits if edit.action in LEFT for i in places(edit.ranges)]
        return frozenset(i for i in taken if i in self.before) if taken else frozenset()

    @cached_property
    def named(self) -> frozenset[int]:
        """The places of all that an edit names, what changed in place included."""
        return frozenset(i for edit in self.compaction.edits for i in places(edit.ranges))

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


def places(ranges: Ranges) -> Iterator[int]:
    """Every place that these ranges hold, in order; of a message emptied in place that of the message it was."""
    return (i % _SPACE for part in ranges for i in range(*part))
