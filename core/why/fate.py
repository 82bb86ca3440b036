"""The fate of a text in a trace: `fate(trace, text) -> Fate`."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import itemgetter

from core.entities.kinds import entities_of
from core.entities.search import Match
from core.model.errors import FoldlineError
from core.model.gc_pause import gc_paused
from core.trace.trace import Trace
from core.why.events import Event, arrivals, compacted
from core.why.hits import TextHits, hits_of
from core.why.lane import Lane
from core.why.needed import Uses

_MANY = 60  # messages, below which no text is too common
_WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class Fate:
    """Where a text was in the window at every step, and what happened to it."""

    trace: Trace
    text: str
    lane: Lane

    @cached_property
    def events(self) -> Sequence[Event]:
        """What happened, in order; at one step what was taken comes before what a summary kept or left out."""
        with gc_paused():
            needed = {event.place for event in self._used.needed}
            found = [*self._used.needed, *arrivals(self.trace, self.lane, needed), *compacted(self.trace, self.lane)]
            return sorted(found, key=itemgetter(0))

    @property
    def uses(self) -> Sequence[Event]:
        """The model's own uses of it while it was still in the window, in order."""
        return self._used.used

    @cached_property
    def _used(self) -> Uses:
        return Uses(self.trace, self.lane, self.text)

    @property
    def steps(self) -> int:
        """The steps of the trace."""
        return len(self.trace)

    @property
    def hits(self) -> TextHits:
        """The messages that have it."""
        return self.lane.hits

    @property
    def match(self) -> Match:
        """How it was found: as it is written, without regard to case, or not at all."""
        return self.hits.match

    @property
    def places(self) -> Sequence[int]:
        """The messages that arrive with it, by their places in the session."""
        return self.hits.session.places

    @property
    def said(self) -> bool:
        """Whether anything in any window has it."""
        return self.lane.first_said < self.steps

    @property
    def common(self) -> bool:
        """Whether so many messages have it that following it tells nothing: more than a third of them, and it is short."""
        messages = len(self.trace.messages)
        many = messages >= _MANY and 3 * len(self.places) > messages
        return many and len(_WORD.findall(self.text)) < 3 and not entities_of(self.text)

    @cached_property
    def _event_steps(self) -> list[int]:
        return [event.step for event in self.events]

    def back_from(self, end: int) -> Iterator[Event]:
        """What happened up to a step, the last first."""
        return (self.events[k] for k in range(bisect_right(self._event_steps, end) - 1, -1, -1))

    def between(self, start: int, end: int) -> Sequence[Event]:
        """What happened from one step to another, both included."""
        steps = self._event_steps
        return self.events[bisect_left(steps, start) : bisect_right(steps, end)]


def fate(trace: Trace, text: str) -> Fate:
    """What became of a text: recorded, simulated or of a live run so far.

    White space counts as one space. Case counts if a message has the text as it is written; of a text that no message has, if a
    summary has. Raises FoldlineError for a text that is blank.
    """
    if not text.strip():
        raise FoldlineError("there is no text to follow", "give at least one character that is no white space")
    with gc_paused():
        return Fate(trace, text, Lane(trace, hits_of(trace, text)))
