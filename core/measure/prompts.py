"""The prompt of every model call: its tokens, and the window it was made of."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from core.measure.calls import Call, calls_of
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
        self._ats = [c.at for c in trace.compactions]

    @cached_property
    def done(self) -> list[int]:
        """How many compactions had happened before each call."""
        return [bisect_right(self._ats, call.at) for call in self.calls]

    @cached_property
    def tokens(self) -> list[int]:
        """Tokens of each call's prompt."""
        running = self.trace.measured.running
        beyond = [0, *(c.window_after - running[c.at] for c in self.trace.compactions)]
        return [running[call.at] + beyond[done] for call, done in zip(self.calls, self.done, strict=True)]

    def window(self, n: int) -> Window:
        """The window that the prompt of call n was made of."""
        done, at = self.done[n], self.calls[n].at
        if not done:
            return Window(self.trace.pool, ()).grown(0, at)
        last = self.trace.compactions[done - 1]
        return Window(self.trace.pool, last.layout_after).grown(last.at, at)

    @cached_property
    def events(self) -> tuple[Event, ...]:
        """What compacted, in order."""
        return tuple(self._events())

    def _events(self) -> Iterator[Event]:
        places = [call.at for call in self.calls]
        group: list[int] = []
        for k, found in enumerate(self.trace.compactions):
            if found.by_hand:
                continue
            if group and _call_at(places, self._ats[group[-1]]) != _call_at(places, found.at):
                yield self._event(group, places)
                group = []
            group.append(k)
        if group:
            yield self._event(group, places)

    def _event(self, group: Sequence[int], places: Sequence[int]) -> Event:
        first, last = self.trace.compactions[group[0]], self.trace.compactions[group[-1]]
        running, call = self.trace.measured.running, _call_at(places, last.at)
        before = first.window_before + running[last.at] - running[first.at]
        return Event(group[0], group[-1], call if call < len(places) else None, before, last.window_after)

    @cached_property
    def event_before(self) -> dict[int, Event]:
        """The event that came just before a call, by the call's index."""
        return {event.call: event for event in self.events if event.call is not None}

    def undone(self, n: int) -> int:
        """Tokens of the prompt of call n had the event just before it not happened."""
        event = self.event_before.get(n)
        if event is None:
            return self.tokens[n]
        running = self.trace.measured.running
        return event.before + running[self.calls[n].at] - running[self._ats[event.last]]

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


def _call_at(places: Sequence[int], at: int) -> int:
    """The index of the first call with so many messages before it or more."""
    return bisect_left(places, at)


def prompts_of(trace: Trace) -> Prompts:
    """The prompts of a trace, worked out once."""
    return cached(trace, "prompts", Prompts)
