"""What the agent later used and would no longer have had in its window: reference misses.

In sum a lower bound of what was lost: only names that are written out count, and what stands in the window need not be used. A
single miss can be false: names that everybody knows, hidden prompts and files on disk are not told apart.
"""

from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import accumulate, groupby
from typing import NamedTuple

from core.entities.entity import Entity, bare
from core.entities.kinds import Names
from core.measure.calls import calls_of
from core.measure.prompts import Prompts
from core.measure.uses import Use, uses_of
from core.model.cached import cached
from core.model.session import Message
from core.summaries.failing import FAILURES
from core.trace.trace import Trace
from core.window.measured import Measured
from core.window.ranges import ADDED, SPACE, Range, Ranges

PLACEHOLDERS = ("fixed size", *FAILURES)
"""Summarizers whose texts say nothing: what they write shows no name."""


class Misses(NamedTuple):
    """The uses of a run, and those of them that nothing in the window showed."""

    uses: int
    missed: tuple[Use, ...]

    @property
    def rate(self) -> float | None:
        """The share of uses that were missed; None where nothing was used."""
        return len(self.missed) / self.uses if self.uses else None


def misses(prompts: Prompts) -> Misses:
    """The misses of a trace: every use that no message of its prompt shows, as the messages stood there."""
    uses = uses_of(prompts.trace.measured)
    return Misses(len(uses), tuple(_missed(prompts, uses)))


def _missed(prompts: Prompts, uses: Sequence[Use]) -> Iterator[Use]:
    """Between two compactions a window only grows: what stood last before the first of them is all that has to be sought."""
    last, starts = _columns(prompts.trace.measured)
    for done, first, behind in _runs(prompts.done):
        compaction = prompts.trace.compactions[done - 1]
        early = [k for k in range(starts[first], starts[behind]) if last[k] < compaction.at]
        if early:
            layout = _Layout(prompts.trace, compaction.layout_after)
            yield from (uses[k] for k in early if not layout.shows(uses[k]))


def _runs(done: Sequence[int]) -> Iterator[tuple[int, int, int]]:
    """The calls that follow the same compaction: its number from 1, the first of them, and the one behind the last."""
    first = 0
    for number, group in groupby(done):
        behind = first + sum(1 for _ in group)
        if number:
            yield number, first, behind
        first = behind


def _columns(base: Measured) -> tuple[Sequence[int], Sequence[int]]:
    """The newest place that shows each use, and where the uses of each call begin."""
    return cached(base, "columns of uses", _made_columns)


def _made_columns(base: Measured) -> tuple[Sequence[int], Sequence[int]]:
    uses = uses_of(base)
    counts = Counter(use.call for use in uses)
    starts = accumulate((counts[n] for n in range(len(calls_of(base)))), initial=0)
    return array("q", (use.last for use in uses)), list(starts)


class _Layout:
    """What a compaction left in the window, and the names it shows."""

    def __init__(self, trace: Trace, layout: Ranges) -> None:
        self._said = [part for part in layout if part[0] < ADDED]
        self._copied = [part for part in layout if part[0] >= SPACE]
        added = (k - ADDED for a, b in layout if ADDED <= a < SPACE for k in range(a, b))
        self._added = frozenset[Entity]().union(*(added_names(trace, k) for k in added))
        self._trace = trace

    def shows(self, use: Use) -> bool:
        """Whether a message of it shows the name that is used."""
        shown = use.shown
        for first, stop in self._said:
            found = bisect_left(shown, first)
            if found < len(shown) and shown[found] < stop:
                return True
        return use.name in self._added or any(self._copy_shows(part, use) for part in self._copied)

    def _copy_shows(self, part: Range, use: Use) -> bool:
        copy, start, end = self._trace.cleared_copies[part[0] // SPACE - 1], part[0] % SPACE, (part[1] - 1) % SPACE + 1
        places = use.shown[bisect_left(use.shown, start) : bisect_left(use.shown, end)]
        space = part[0] - start
        return any(
            not copy.touches(i, i + 1) or use.name in names_shown(self._trace.pool.message(space + i)) for i in places
        )


def added_names(trace: Trace, k: int) -> frozenset[Entity]:
    """The names that the k-th message put in by compactions shows; none where its text is a placeholder."""
    message = trace.pool.added[k]
    if message.injected == "summary" and trace.summarizer in PLACEHOLDERS:
        return frozenset()
    return names_shown(message)


def names_shown(message: Message) -> frozenset[Entity]:
    """The names that a message shows, worked out once."""
    return cached(message, "names shown", _names_shown)


def _names_shown(message: Message) -> frozenset[Entity]:
    used = Names().of_message(message)
    return frozenset(used) | frozenset(map(bare, used))
