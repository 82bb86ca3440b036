"""A compaction as the checks see it: its windows by places in the pool, each read once and only when needed.

Places are used, not ids, because a window given to `compact` may hold the same message twice. A cleared copy has the place
of the message that it is a copy of.
"""

from collections.abc import Callable
from functools import cached_property

from core.model.session import Message
from core.model.tool_pairs import Pair, tool_pairs
from core.trace.compaction import IN_PLACE, Action, Compaction
from core.window.ranges import Range, Ranges, inside, merged, originals, places
from core.window.window import Pool

LEFT: tuple[Action, ...] = ("summarised", "dropped")  # the actions that remove a message; the others change it in place
_END = 10**18


class WindowChange:
    """A compaction, the one before it (None for the first, or if unknown), and what several checks need of both.

    A policy that computes the window anew from the whole history names that history as its window before. What it removes
    each time again is no news, so here the window before is what was sent last and what arrived since. `starts_midway` is
    whether the session began before its file does.
    """

    def __init__(
        self,
        compaction: Compaction,
        previous: Compaction | None = None,
        pool: Callable[[], Pool] | None = None,
        starts_midway: bool = False,
    ) -> None:
        self.compaction, self.previous, self._pool = compaction, previous, pool
        self.starts_midway = starts_midway

    @cached_property
    def continues(self) -> bool:
        """Whether the window before is what the previous compaction left, plus new messages; True if none is known."""
        if self.previous is None or not self.previous.layout_after:
            return True
        left, found = self.previous.layout_after, self.compaction.layout_before
        last, (a, b) = len(left) - 1, left[-1]
        return left[:last] == found[:last] and last < len(found) and found[last][0] == a and found[last][1] >= b

    @cached_property
    def _parts(self) -> Ranges:
        """The window before as ranges of the pool, without what the previous compaction had already left out."""
        found = self.compaction.layout_before
        if self.previous is None or self.continues:
            return found
        known = merged(originals(self.previous.layout_after), ((self.previous.at, _END),))
        return tuple(part for whole in found for part in _cut(whole, known))

    @cached_property
    def before(self) -> dict[int, Message]:
        """The window before, in order, by place."""
        return dict(zip(places(originals(self._parts)), self._read(), strict=False))

    @cached_property
    def after(self) -> dict[int, Message]:
        """The window after, in order, by place."""
        return dict(zip(places(originals(self.compaction.layout_after)), self.compaction.after, strict=False))

    @cached_property
    def pairs(self) -> list[Pair]:
        """The tool calls of the window before that are answered in it."""
        return [pair for pair in tool_pairs(self.before.items()) if pair.first]

    @cached_property
    def stretches(self) -> Ranges:
        """The places of the window before, as ranges in ascending order."""
        return merged(originals(self._parts))

    @cached_property
    def removed(self) -> frozenset[int]:
        """The places of the messages that left the window; none if they are unknown."""
        found = inside(self.named(*LEFT), self.stretches)
        return frozenset(i for i in places(found) if i in self.before)

    def named(self, *actions: str) -> Ranges:
        """The places that edits of these actions name, or that any edit names, in ascending order."""
        edits = (edit for edit in self.compaction.edits if not actions or edit.action in actions)
        return merged(*(originals(edit.ranges) for edit in edits))

    @cached_property
    def put(self) -> tuple[Message, ...]:
        """The messages that were added, without copies of messages that were cleared or shortened."""
        return tuple(m for m in self.compaction.added if m.injected != "cleared")

    @cached_property
    def moved(self) -> bool:
        """Whether messages were removed or added, so that neighbors changed; False if messages were only cleared."""
        edits = self.compaction.edits
        unnamed = self.compaction.acted and not edits  # the window changed, and no edit says how
        return bool(self.put) or any(edit.action in LEFT for edit in edits) or unnamed

    @property
    def where(self) -> str:
        """What happened to the messages that left, as the end of a sentence."""
        event = self.compaction
        if not event.ranges_of(*LEFT) and event.ranges_of(*IN_PLACE):
            return "cleared"
        if event.summary is None and event.recorded:
            return "removed"
        if event.summary is None:
            as_text = self.put and summarizes(event)
            return "converted to text" if as_text else "dropped"
        return f"replaced by summary #{event.number}" if event.number else "replaced by the summary"

    def _read(self) -> list[Message]:
        """The messages of the window before; those of a part of it come from the pool, if there is one."""
        if self._parts == self.compaction.layout_before:
            return self.compaction.before
        if self._pool is not None:
            return self._pool().listed(self._parts)
        known = dict(zip(places(self.compaction.layout_before), self.compaction.before, strict=False))
        return [known[i] for i in places(self._parts) if i in known]


def summarizes(event: Compaction) -> bool:
    """Whether an edit removes messages to summarize them."""
    return any(edit.action == "summarised" for edit in event.edits)


def _cut(whole: Range, known: Ranges) -> Ranges:
    """The parts of one range of the pool that are at known places."""
    (own,) = originals((whole,))
    shift = whole[0] - own[0]
    return tuple((a + shift, b + shift) for a, b in inside((own,), known))
