"""Where a text that is gone stands on in other words: in a summary of the window that has most of its words."""

from collections.abc import Iterator
from typing import NamedTuple

from core.model.cached import cached
from core.origins.remains import Remains
from core.origins.terms import terms
from core.trace.trace import Trace
from core.why.fate import Fate
from core.window.ranges import ADDED, SPACE

_LEAST = 3  # words of a text that can be said in others: fewer are a name
_MOST = 500  # compactions: of a trace with more no summary is looked at


class Reworded(NamedTuple):
    """Steps from `start` to `end`, both included, at which these summaries, by their places, say it in other words."""

    start: int
    end: int
    places: tuple[int, ...]


def reworded(found: Fate) -> list[Reworded]:
    """The steps at which nothing in the window has the text word for word, but a summary has most of its words."""
    if len(terms(found.text)) < _LEAST or found.common or len(found.trace.compactions) > _MOST:
        return []
    gone = [(start, end) for start, end, state in found.lane.states() if state == "gone"]
    known: dict[int, bool] = {}
    return _merged(one for start, end in gone for one in _within(found.trace, found.text, start, end, known))


def _within(trace: Trace, text: str, start: int, end: int, known: dict[int, bool]) -> Iterator[Reworded]:
    """The same behind each compaction from one step to another."""
    for k in range(len(trace.compactions)):
        first = trace.compaction_step(k)
        if start <= first <= end:
            behind = trace.compaction_step(k + 1) if k + 1 < len(trace.compactions) else len(trace)
            places = tuple(place for place in _summaries(trace, k) if _rewords(trace, place, text, known))
            if places:
                yield Reworded(first, min(end, behind - 1), places)


def _summaries(trace: Trace, k: int) -> Iterator[int]:
    """The summaries in the window that compaction k left, by their places."""
    for a, b in trace.compactions[k].layout_after:
        if ADDED <= a < SPACE:
            yield from (place for place in range(a, b) if trace.pool.message(place).injected == "summary")


def _rewords(trace: Trace, place: int, text: str, known: dict[int, bool]) -> bool:
    if place not in known:
        known[place] = _remains(trace, place).rewords(text)
    return known[place]


def _remains(trace: Trace, place: int) -> Remains:
    """What the summary at a place says: read once for all texts that are looked for."""
    return cached(trace, ("said in summary", place), lambda trace: Remains([trace.pool.message(place)]))


def _merged(rows: Iterator[Reworded]) -> list[Reworded]:
    """Those that follow one another by the same summaries as one."""
    found: list[Reworded] = []
    for row in rows:
        if found and found[-1].places == row.places and found[-1].end + 1 == row.start:
            found[-1] = Reworded(found[-1].start, row.end, row.places)
        else:
            found.append(row)
    return found
