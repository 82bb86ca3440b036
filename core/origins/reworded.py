"""Where a text that is gone stands on in other words: in a summary of the window that has most of its words."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from core.model.cached import cached
from core.origins.looked import adding
from core.origins.remains import Remains
from core.origins.terms import terms
from core.trace.trace import Trace
from core.why import words
from core.why.events import Event
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


def parted(start: int, end: int, again: Sequence[Reworded]) -> Iterator[tuple[int, int, Reworded | None, bool]]:
    """The steps at which a text is gone, in parts: those at which summaries say it in other words, and those behind these.

    Of each part the first step, the last, the summaries of it or of the part before, and whether they say it still.
    """
    last: Reworded | None = None
    for row in again:
        if not start <= row.start <= end:
            continue
        if start < row.start:
            yield start, row.start - 1, last, False
        yield row.start, row.end, row, True
        start, last = row.end + 1, row
    if start <= end:
        yield start, end, last, False


def title(trace: Trace, start: int, row: Reworded, says: bool) -> str:
    """The answer from a step on at which summaries say it in other words, or did until then, as one sentence."""
    name = _summary(trace, row.places[-1])
    if says:
        return f"Only in other words since step {start:,}: {name} has most of its words."
    return f"Gone since step {start:,}: until then {name} said it in other words."


def line(found: Fate, event: Event, again: Sequence[Reworded]) -> str:
    """What happened, as a line of the story: a summary that says it in other words did not just leave it out."""
    if event.kind == "left_out" and any(event.place in row.places for row in again):
        name = _summary(found.trace, event.place)
        return f"{name[:1].upper()}{name[1:]} says it in other words"
    return words.line(found, event)


def _summary(trace: Trace, place: int) -> str:
    """The words "summary #2", or those for one without a number."""
    k = adding(trace, place)
    return "a summary" if k is None else words.summary_name(trace, k + 1)


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
