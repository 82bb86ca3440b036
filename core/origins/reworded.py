"""Where a text that is gone stands on in other words, or in part: in a summary of the window that has words of it."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from core.entities.entity import shortened
from core.entities.kinds import whole_name
from core.origins.remains import Kept, quoted_in, remains_in
from core.origins.restated import restated
from core.trace.trace import Trace
from core.why.fate import Fate
from core.window.ranges import ADDED, SPACE

MOST = 500  # compactions: of a trace with more no summary is looked at


class Reworded(NamedTuple):
    """Steps from `start` to `end`, both included, at which these summaries, by their places, say it in other words.

    Or a part of it: then the last of them has `kept` of its content `words` in the sentences nearest to it; both are 0
    otherwise. It has `quoted` of its `sentences` word for word. A name has no other words: a path is there by its last
    part, a number with commas, as `name` says.
    """

    start: int
    end: int
    places: tuple[int, ...]
    kept: int = 0
    words: int = 0
    quoted: int = 0
    sentences: int = 0
    name: str = ""


def reworded(found: Fate) -> list[Reworded]:
    """The steps at which nothing in the window has the text word for word, but a summary has a good share of its words.

    A name has no other words: of a path a summary may have the last part, a number may have commas, any other name is there as
    it is written or gone.
    """
    if found.common or len(found.trace.compactions) > MOST:
        return []
    gone = [(start, end) for start, end, state in found.lane.states() if state == "gone"]
    rows = _in_summaries(found, gone)
    for place, first, last in restated(found) if gone else ():
        end = next((end for start, end in gone if start <= first <= end), -1)
        if end >= 0 and not any(row.start <= last and first <= row.end for row in rows):
            rows.append(Reworded(first, min(last, end), (place,)))
    return sorted(rows)


def _in_summaries(found: Fate, gone: Sequence[tuple[int, int]]) -> list[Reworded]:
    known: dict[int, Kept] = {}
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


def _within(trace: Trace, text: str, start: int, end: int, known: dict[int, Kept]) -> Iterator[Reworded]:
    """The same behind each compaction from one step to another. What was gone comes back as a whole alone: a part is chance."""
    gone = False
    for k in range(len(trace.compactions)):
        first = trace.compaction_step(k)
        if not start <= first <= end or trace.compactions[k].unreadable:
            continue
        behind = trace.compaction_step(k + 1) if k + 1 < len(trace.compactions) else len(trace)
        row = _row(trace, k, text, known)
        if row is None or (gone and row.words):
            gone = True
        else:
            gone = False
            yield row._replace(start=first, end=min(end, behind - 1))


def _row(trace: Trace, k: int, text: str, known: dict[int, Kept]) -> Reworded | None:
    """The summaries behind compaction k that say it in other words; where none does, the one that has most words of it."""
    kept = {place: _kept(trace, place, text, known) for place in _summaries(trace, k)}
    whole = tuple(place for place, one in kept.items() if one.verdict in ("verbatim", "reworded"))
    some = [place for place, one in kept.items() if one.verdict == "partly"]
    best = whole[-1] if whole else max(some, key=lambda place: kept[place].kept, default=None)
    if best is None:
        return None
    if name := whole_name(text):
        return Reworded(0, 0, whole, name=shortened(name))
    quoted, sentences = quoted_in(trace.pool.message(best), text)
    if whole:
        return Reworded(0, 0, whole, quoted=quoted, sentences=sentences)
    return Reworded(0, 0, (best,), kept[best].kept, kept[best].words, quoted, sentences)


def _summaries(trace: Trace, k: int) -> Iterator[int]:
    """The summaries in the window that compaction k left, by their places."""
    for a, b in trace.compactions[k].layout_after:
        if ADDED <= a < SPACE:
            yield from (place for place in range(a, b) if trace.pool.message(place).injected == "summary")


def _kept(trace: Trace, place: int, text: str, known: dict[int, Kept]) -> Kept:
    if place not in known:
        known[place] = remains_in(trace.pool.message(place)).of(text)
    return known[place]


def _merged(rows: Iterator[Reworded]) -> list[Reworded]:
    """Those that follow one another by the same summaries as one."""
    found: list[Reworded] = []
    for row in rows:
        if found and found[-1].places == row.places and found[-1].end + 1 == row.start:
            found[-1] = found[-1]._replace(end=row.end)
        else:
            found.append(row)
    return found
