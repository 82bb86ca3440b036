"""The prompt of every model call: its tokens, and the window it was made of."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple
from weakref import ref

import numpy as np

from core.measure.calls import Call, calls_of
from core.measure.columns import Integers, call_columns
from core.model.cached import cached
from core.trace.compaction import Compaction
from core.trace.trace import Trace
from core.window.window import Window


class Event(NamedTuple):
    """The compactions between two model calls, taken as one. `last` is the index of the last of them.

    `call` is the index of the first call after it, None where none follows; `before` and `after` are tokens of the windows
    around it, with what arrived between its passes in `before`.
    """

    first: int
    last: int
    call: int | None
    before: int
    after: int

    @property
    def freed(self) -> int:
        """Tokens that the window lost; below 0 where it grew."""
        return self.before - self.after


class Prompts:
    """The model calls of a trace with what each was sent, by the trace's meter. Tools and hidden prompts are not in it."""

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self.calls: Sequence[Call] = calls_of(trace.measured)
        self.columns = call_columns(trace.measured)
        self._ats = [c.at for c in trace.compactions]

    @cached_property
    def done(self) -> Integers:
        """How many compactions had happened before each call."""
        return np.searchsorted(np.array(self._ats, np.int64), self.columns.at, side="right")

    @cached_property
    def tokens(self) -> Integers:
        """Tokens of each call's prompt."""
        running = self.trace.measured.running
        beyond = [0, *(c.window_after - running[c.at] for c in self.trace.compactions)]
        return self.columns.running + np.array(beyond, np.int64)[self.done]

    def window(self, n: int) -> Window:
        """The window that the prompt of call n was made of."""
        done, at = int(self.done[n]), self.calls[n].at
        if not done:
            return Window(self.trace.pool, ()).grown(0, at)
        last = self.trace.compactions[done - 1]
        return Window(self.trace.pool, last.layout_after).grown(last.at, at)

    @cached_property
    def events(self) -> tuple[Event, ...]:
        """What compacted, in order."""
        return tuple(self._events())

    def _events(self) -> Iterator[Event]:
        places = self._places
        group: list[int] = []
        for k, found in enumerate(self.trace.compactions):
            if found.by_hand:
                continue
            if group and bisect_left(places, self._ats[group[-1]]) != bisect_left(places, found.at):
                yield self._event(group, places)
                group = []
            group.append(k)
        if group:
            yield self._event(group, places)

    @property
    def _places(self) -> Sequence[int]:
        """How many messages had arrived at each call."""
        return self.trace.measured.calls

    def _event(self, group: Sequence[int], places: Sequence[int]) -> Event:
        first, last = self.trace.compactions[group[0]], self.trace.compactions[group[-1]]
        running, call = self.trace.measured.running, bisect_left(places, last.at)
        before = first.window_before + running[last.at] - running[first.at]
        return Event(group[0], group[-1], call if call < len(places) else None, before, last.window_after)

    @cached_property
    def undone(self) -> Integers:
        """Tokens of each call's prompt had the event just before it not happened."""
        found, running = self.tokens.copy(), self.trace.measured.running
        for event in self.events:
            if event.call is not None:
                found[event.call] = event.before + running[self.calls[event.call].at] - running[self._ats[event.last]]
        return found

    @cached_property
    def used(self) -> list[int]:
        """For each event, how many calls used what it left: up to the next event, or to the end."""
        firsts = [len(self.calls) if event.call is None else event.call for event in self.events]
        lasts = [*firsts, len(self.calls)][1:]
        return [later - first for first, later in zip(firsts, lasts, strict=True)]

    @property
    def cut(self) -> Event | None:
        """The event that no other follows: the session ends before anybody knows how long it would have served."""
        return self.events[-1] if self.events else None

    def compactions(self, event: Event) -> Sequence[Compaction]:
        """The compactions of an event."""
        return self.trace.compactions[event.first : event.last + 1]


def prompts_of(trace: Trace) -> Prompts:
    """The prompts of a trace, the same ones as long as anybody holds them.

    They hold the trace, which therefore does not hold them: both are freed without a garbage collection, for which a sweep over
    many sessions would wait in vain.
    """
    kept: list[ref[Prompts]] = cached(trace, "prompts", lambda _: [])
    found = kept[0]() if kept else None
    if found is None:
        found = Prompts(trace)
        kept[:] = [ref(found)]
    return found
