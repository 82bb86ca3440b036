"""What the agent later used and would no longer have had in its window: reference misses.

In sum a lower bound of what was lost: only names that are written out count, and what stands in the window need not be used. A
single miss can be false: names that everybody knows, hidden prompts and files on disk are not told apart.
"""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple

import numpy as np

from core.entities.entity import Entity, bare
from core.entities.kinds import Names, decoded
from core.measure.columns import use_columns
from core.measure.prompts import Prompts
from core.measure.uses import Use, uses_of
from core.model.cached import cached
from core.model.session import Message
from core.summaries.failing import FAILURES
from core.trace.compaction import Compaction
from core.trace.trace import Trace
from core.window.ranges import ADDED, SPACE, Range

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

    @property
    def calls(self) -> int:
        """How many model calls miss a name: one that writes a long file may miss many."""
        return len({use.call for use in self.missed})


def misses(prompts: Prompts) -> Misses:
    """The misses of a trace: every use that no message of its prompt shows, as the messages stood there. Found once."""
    return cached(prompts, "misses", lambda prompts: Misses(*_misses(prompts)))


def _misses(prompts: Prompts) -> tuple[int, tuple[Use, ...]]:
    uses = uses_of(prompts.trace.measured)
    return len(uses), tuple(_missed(prompts, uses))


def _missed(prompts: Prompts, uses: Sequence[Use]) -> Iterator[Use]:
    """Between two compactions a window only grows: what stood last before the first of them is all that has to be sought.

    Nearly all of that is in the tail that a compaction left, or in the head: only for the rest a layout is looked through.
    """
    columns = use_columns(prompts.trace.measured)
    ends = np.array([_ends(found) for found in prompts.trace.compactions] or [(0, 0)], np.int64)
    done = prompts.done[columns.call]
    head, tail = ends[done - 1].T
    gone = np.flatnonzero((done > 0) & (columns.last < tail) & (columns.first >= head))
    for number, group in groupby(gone.tolist(), key=(done - 1).tolist().__getitem__):
        layout = _Layout(prompts.trace, prompts.trace.compactions[number])
        yield from (uses[k] for k in group if not layout.shows(uses[k]))


def _ends(found: Compaction) -> tuple[int, int]:
    """Where the head ends that a compaction left whole, and where the tail begins; 0 and where it happened without them."""
    if not found.layout_after:
        return 0, found.at
    first, last = found.layout_after[0], found.layout_after[-1]
    return first[1] if first[0] == 0 else 0, last[0] if last[1] == found.at else found.at


class _Layout:
    """What a compaction left in the window between its head and its tail, and the names it shows."""

    def __init__(self, trace: Trace, found: Compaction) -> None:
        layout, (head, tail) = found.layout_after, _ends(found)
        self._said = [part for part in layout if part[0] < ADDED and head <= part[0] and part[1] <= tail]
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
        if use.name in self._added:
            return True
        return bool(self._copied) and any(self._copy_shows(part, use) for part in self._copied)

    def _copy_shows(self, part: Range, use: Use) -> bool:
        copy, start, end = self._trace.cleared_copies[part[0] // SPACE - 1], part[0] % SPACE, (part[1] - 1) % SPACE + 1
        places = use.shown[bisect_left(use.shown, start) : bisect_left(use.shown, end)]
        space = part[0] - start
        stand = (not copy.touches(i, i + 1) or use.name in self._shown(space + i) for i in places)
        return any(stand)

    def _shown(self, index: int) -> frozenset[Entity]:
        return names_shown(self._trace, self._trace.pool.message(index))


def added_names(trace: Trace, k: int) -> frozenset[Entity]:
    """The names that the k-th message put in by compactions shows; none where its text is a placeholder."""
    message = trace.pool.added[k]
    if message.injected == "summary" and trace.summarizer in PLACEHOLDERS:
        return frozenset()
    return names_shown(trace, message)


def names_shown(trace: Trace, message: Message) -> frozenset[Entity]:
    """The names that a message shows, worked out once. Words and lines that any run over the session put in are kept."""
    read = cached(trace.measured, "lines read", lambda _: _Lines())
    return cached(message, "names shown", read.shown)


class _Lines:
    """Reads names line by line: most lines of a summary stood in the one before it, or stand in that of another setting."""

    def __init__(self) -> None:
        self._names = Names()
        self._of_line = lru_cache(maxsize=1 << 14)(lambda line: _shown(self._names.of_text(line)))

    def shown(self, message: Message) -> frozenset[Entity]:
        """The names that a message shows. Where a line cannot be read by itself, the text is read as a whole."""
        text = message.content
        if message.tool_calls or "```" in text or "~~~" in text or decoded(text) is not None:
            return _shown(self._names.of_message(message))
        return frozenset[Entity]().union(*map(self._of_line, text.split("\n")))


def _shown(used: set[Entity]) -> frozenset[Entity]:
    return frozenset(used) | frozenset(map(bare, used))
